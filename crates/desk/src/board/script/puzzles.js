// Puzzles: positions before mistakes, those of the game on the board or of earlier ones.

// `kind` is "learn" for the mistakes of the game on the board, "puzzle" for those that were kept.
// `locked` is set while an answer is shown, `waits` while a try is judged.
const puzzle = {
  kind: null, at: null, fen: null, queue: [], total: 0, left: 0, played: null, best: null, san: null, solution: null,
  missed: false, locked: false, waits: false,
};

// Elsewhere in the game the reader plays on.
const isAtPuzzle = () => puzzle.kind !== null && state.at === puzzle.at;

// Brings up the view of the puzzles with this text, which the verdict on a try replaces.
const tellInPuzzles = (text) => {
  setView("puzzles");
  byId("puzzle-text").textContent = text;
};

// Refuses a move while a try is judged and, in the view of the puzzles, beside an answer, and says
// why. In the other views a puzzle with its answer is a position like any other.
const puzzleRefuses = () => {
  if (!isAtPuzzle()) return false;
  if (puzzle.waits) tellInPuzzles("Your last try is still being judged.");
  else if (puzzle.locked && state.view === "puzzles") tell("This puzzle is over. Go on to the next one, or try moves in Analyze.");
  else return false;
  return true;
};

// The mistakes of one side: the person's, or that of the board's lower side.
const learn = () => {
  const side = state.game?.person || state.own || (board.flipped ? "b" : "w");
  const line = mainLine();
  const own = line.filter((id) => id && reviewOf(id)?.j && node(node(id).parent).turn === side);
  const grave = own.filter((id) => reviewOf(id).j >= 2);
  // Who made no mistakes learns from inaccuracies.
  puzzle.queue = grave.length ? grave : own;
  puzzle.total = puzzle.queue.length;
  if (!puzzle.queue.length) return tell(`${side === "w" ? "White" : "Black"} made no mistakes. Flip the board to learn from the other side's.`);
  setView("puzzles");
  nextToLearn();
};

const nextToLearn = () => {
  const id = puzzle.queue.shift();
  if (id === undefined) return endPuzzle("That was the last one.");
  Object.assign(puzzle, { kind: "learn", at: node(id).parent, played: node(id).m, locked: false, waits: false, missed: false, solution: reviewOf(node(id).parent)?.l });
  clearForPuzzle();
  goTo(puzzle.at);
  showPuzzle(`${moveNumber(node(id))} ${node(id).m}${MARKS[reviewOf(id).j]} was played here. Find a better move.`);
};

const nextPuzzle = async () => {
  if (puzzle.kind === "learn" && puzzle.queue.length) return nextToLearn();
  // One that is passed over comes back soon. Until that is noted, it is the next one.
  if (puzzle.kind === "puzzle" && !puzzle.locked) miss();
  clearForPuzzle();
  const answer = await command({ do: "puzzle" }, endPuzzle);
  if (!answer) return;
  Object.assign(puzzle, { kind: "puzzle", at: 0, fen: answer.fen, played: null, locked: false, waits: false, missed: false, solution: null, left: answer.left, best: answer.best, san: answer.san });
  setView("puzzles");
  board.flip(node(0).turn === "b");
  show();
  showPuzzle(`${node(0).turn === "w" ? "White" : "Black"} moves. Find a better move than in the game.`);
};

// The engine rests, and what helped with or was said of another puzzle goes.
const clearForPuzzle = () => {
  setEngineOff();
  state.hint = null;
  tell("");
};

const showPuzzle = (text, ...answer) => {
  byId("puzzle-text").textContent = text;
  const going = puzzle.kind !== null;
  byId("puzzle-title").textContent = puzzle.kind === "learn" ? `Learn from your mistakes, ${puzzle.total - puzzle.queue.length} of ${puzzle.total}`
    : puzzle.kind ? `Puzzle, ${puzzle.left} for today` : "Puzzles from your games";
  byId("puzzle-next").textContent = puzzle.kind === "learn" && !puzzle.queue.length ? "Done" : "Next puzzle";
  byId("puzzle-hint").hidden = !going || puzzle.locked;
  byId("puzzle-show").hidden = !going || puzzle.locked;
  byId("puzzle-end").hidden = !going;
  byId("puzzle-answer").replaceChildren(...answer);
};

// A move while a puzzle is on the board, by its squares or typed, is a try. Returns whether it was.
const puzzleTakes = (name) => {
  if (!isAtPuzzle() || puzzle.locked) return false;
  puzzle.waits = true;
  tellInPuzzles("…");
  command({ do: "try", at: state.at, move: name }, (reason) => {
    puzzle.waits = false;
    byId("puzzle-text").textContent = reason;
    show();
  });
  show();
  return true;
};

// The verdict on a try is told once, and can be missed while the page is hidden.
const forgetTry = () => {
  if (!puzzle.waits) return;
  puzzle.waits = false;
  byId("puzzle-text").textContent = "Try once more.";
};

const takeTried = (event) => {
  if (puzzle.kind === null || event.at !== puzzle.at) return;
  puzzle.waits = false;
  state.preview = null;
  const isSame = event.move.replace(/[+#]/, "") === puzzle.played?.replace(/[+#]/, "");
  const before = node(puzzle.at);
  const after = { number: before.number + (before.turn === "b" ? 1 : 0), turn: before.turn === "w" ? "b" : "w" };
  if (event.good && !isSame) {
    puzzle.locked = true;
    if (puzzle.kind === "puzzle" && !puzzle.missed) command({ do: "puzzle-done", solved: true });
    const best = lineMoves(event.best, { key: "best", number: before.number, turn: before.turn, open: (count) => preview(event.best, count, before.id) });
    showPuzzle(`${event.move} is right.`, make("p", {}, "Best play: ", best));
    explainHere();
  } else {
    miss();
    const [, ...moves] = event.line;
    const answer = moves.length
      ? make("p", {}, "The answer: ", lineMoves(moves, { key: "answer", ...after, open: (count) => preview(event.line, count + 1, before.id) }))
      : "";
    showPuzzle(isSame ? `${event.move} is what was played. Try another move.` : `${event.move} loses ${event.loss} of 100 points. Try again.`, answer);
  }
  show();
};

// A puzzle that is missed comes back soon.
const miss = () => {
  if (puzzle.kind === "puzzle" && !puzzle.missed) command({ do: "puzzle-done", solved: false });
  puzzle.missed = true;
};

const showSolution = () => {
  miss();
  state.preview = null;
  puzzle.locked = true;
  const line = puzzle.solution;
  const before = node(puzzle.at);
  if (line?.length) {
    const best = lineMoves(line, { key: "best", number: before.number, turn: before.turn, open: (count) => preview(line, count, before.id) });
    showPuzzle(`${line[0][0]} was the move.`, make("p", {}, best));
  } else {
    showPuzzle(`${puzzle.san} was the move.`);
    state.hint = { step: 2, from: squareNumber(puzzle.best), to: squareNumber(puzzle.best.slice(2)) };
  }
  explainHere();
  show();
};

const endPuzzle = (text) => {
  Object.assign(puzzle, { kind: null, queue: [], locked: false, waits: false });
  showPuzzle(text || "Each mistake in a game that you reviewed becomes a puzzle. Those that you miss come back.");
  if (state.nodes.size) explainHere();
  show();
};

// Another position is on the board.
const leavePuzzle = () => {
  if (puzzle.kind !== null) endPuzzle("");
};

// Carries out a command that puts other moves on the board, in place of the puzzle.
const replaceBoard = async (body, quiet) => {
  if (byId("comment").dataset.typed) saveComment();
  const answer = await command(body, quiet);
  if (answer) leavePuzzle();
  return answer;
};

const listenToPuzzles = () => {
  // What was said of the puzzle goes with it.
  const end = () => {
    tell("");
    endPuzzle("");
  };
  byId("puzzle-next").addEventListener("click", () => (puzzle.kind === "learn" && !puzzle.queue.length ? end() : nextPuzzle()));
  byId("puzzle-hint").addEventListener("click", hint);
  byId("puzzle-show").addEventListener("click", showSolution);
  byId("puzzle-end").addEventListener("click", end);
};
