// What is on the page: the tree of moves, the position that is looked at, and what the reader has
// chosen.

const state = {
  board: 0, nodes: new Map(), at: 0, details: new Map(), names: { tables: [], beyond: [] },
  variant: "chess", players: [["", ""], ["", ""]], game: null, review: null, games: [], open: null, isGameLeft: false,
  view: "play", preview: null, selected: null, premove: null, hint: null, maps: new Map(),
  heat: stored("squarewise-board-heat") || "worth", arrows: stored("squarewise-arrows") !== "off",
  sound: stored("squarewise-sound") === "on", drawing: false, why: false, tables: false,
};

// Without a number, the position on the board.
const node = (...ids) => state.nodes.get(ids.length ? ids[0] : state.at);
const details = (...ids) => state.details.get(ids.length ? ids[0] : state.at);
const isPlaying = () => Boolean(state.game && !state.game.ending);

// ---- Positions as they come ----

const takeNode = (value) => {
  const old = state.nodes.get(value.id);
  const [, turn, , , , number] = value.f.split(" ");
  const taken = { ...old, ...value, board: readBoard(value.f), turn, number: Number(number), children: old?.children || [] };
  for (const key of ["k", "g", "a", "s"]) if (!(key in value)) delete taken[key];
  state.nodes.set(value.id, taken);
  const parent = value.parent === undefined ? null : state.nodes.get(value.parent);
  if (parent && !parent.children.includes(value.id)) parent.children.push(value.id);
  return taken;
};

const takeDetails = (value) => {
  const old = state.details.get(value.id);
  state.details.set(value.id, { ...old, ...value, ways: readWays(value.d), later: readWays(value.premoves || "") });
};

// Where each piece may go: `e2e4 e7e8q` as a map from square to squares, with the pieces of a
// promotion.
const readWays = (text) => {
  const ways = new Map();
  for (const name of text.split(" ").filter(Boolean)) {
    const [from, to] = [squareNumber(name), squareNumber(name.slice(2))];
    if (!ways.has(from)) ways.set(from, new Map());
    const goals = ways.get(from);
    goals.set(to, (goals.get(to) || "") + name.slice(4));
  }
  return ways;
};

const takeBoard = (value) => {
  state.nodes.clear();
  state.details.clear();
  state.maps.clear();
  for (const one of value.nodes) takeNode(one);
  const { names, variant, players, tags, games, open, own, game, at } = value;
  // What is typed belongs to the moves for which it was begun.
  if (!value.version) {
    for (const note of ["typed", "id"]) delete byId("comment").dataset[note];
    engine.onlyAt = null;
    byId("only").value = "";
  }
  forgetTry();
  Object.assign(state, { names, variant, players, tags, games, open, own, at, preview: null, selected: null, premove: null, hint: null });
  feedback.clear();
  scrolledTo = null;
  for (const one of value.feedback) feedback.set(one.at, one);
  takeGame(game);
  takeReview(value.review);
  // A game is begun, or another one shown, on another page too. A page that only comes back keeps
  // its puzzle.
  if (isPlaying() || (puzzle.kind === "puzzle" && value.puzzle !== puzzle.fen)) leavePuzzle();
  if (value.file) byId("games-file").textContent = value.file;
  showGames();
  goTo(at, true);
};

// ---- Going through the tree ----

const pathTo = (id) => {
  const path = [];
  for (let at = node(id); at; at = node(at.parent)) path.unshift(at.id);
  return path;
};

// Makes a move the main one where it was played.
const putFirst = (id) => {
  const parent = node(node(id).parent);
  if (parent) parent.children = [id, ...parent.children.filter((other) => other !== id)];
};

// The position after this one on the line that the reader came from, or else on the main line.
const nextOf = (id) => {
  const { children } = node(id);
  const last = state.way?.find((one) => children.includes(one));
  return last ?? children[0];
};

const endOf = (id) => {
  let at = id;
  while (nextOf(at) !== undefined) at = nextOf(at);
  return at;
};

// Shows a position, and asks for what can be done there.
// The server knows already where the reader is if it has just played the move there.
const goTo = async (id, isFresh = false, isTold = false) => {
  if (!node(id)) return;
  const before = state.at;
  state.at = id;
  if (!isFresh && before !== id) {
    const path = pathTo(id);
    if (!state.way?.includes(id)) state.way = path;
    followSelection(before, id);
    state.hint = null;
    byId("only").value = "";
    tell("");
  }
  if (isFresh) state.way = pathTo(id);
  state.preview = null;
  state.lines = null;
  show();
  analyzeHere();
  explainHere();
  await lookAt(id, isTold);
};

// What can be done at a position, and what its pieces are worth.
const lookAt = async (id, isTold = false) => {
  const known = state.details.get(id);
  const wantsWorth = state.tables;
  const answer = known && (!wantsWorth || known.v)
    ? (isTold || command({ do: "look", at: id, worth: false }), null)
    : await command({ do: "look", at: id, worth: wantsWorth }, true);
  if (answer) takeDetails(answer);
  if (state.tables && state.heat === "table" && !state.maps.has(id)) {
    const found = await command({ do: "maps", at: id }, true);
    if (found) state.maps.set(id, found.maps);
  }
  if (state.at === id) show();
};

// The selection follows its piece, and ends when the piece is taken.
const followSelection = (before, now) => {
  if (state.selected === null) return;
  const forward = node(now)?.parent === before;
  const moved = (forward ? node(now) : node(before))?.u;
  if (!moved || (!forward && node(before)?.parent !== now)) {
    state.selected = null;
    return;
  }
  const ways = moved.match(/..../g).map((way) => [way.slice(0, 2), way.slice(2)].map(squareNumber));
  const way = ways.map(([from, to]) => (forward ? [from, to] : [to, from])).find(([left]) => left === state.selected);
  if (way) [, state.selected] = way;
  else if (ways.some((one) => one.includes(state.selected))) state.selected = null;
};

const step = (by) => {
  if (state.preview) return stepInLine(by);
  const next = by > 0 ? nextOf(state.at) : node().parent;
  if (next !== undefined) goTo(next);
};

// The variation above or below, where there are several.
const stepAside = (by) => {
  const parent = node(node().parent);
  if (!parent) return;
  const { children } = parent;
  const next = children[(children.indexOf(state.at) + by + children.length) % children.length];
  if (next !== state.at) goTo(next);
};

// How bad a move is by the review or, where there is none, by the mark that stands beside it.
const faultAt = (id) => reviewOf(id)?.j ?? { 6: 1, 2: 2, 4: 3 }[glyphOf(node(id))] ?? 0;

// A mistake of the review before or after this position. In a variation that is told from the
// position where it begins.
const stepToMistake = (by) => {
  const [line, path] = [mainLine(), pathTo(state.at)];
  const here = line.findLastIndex((id) => path.includes(id));
  // What led to the beginning of a variation comes before the variation.
  let place = by < 0 && line[here] !== state.at ? here : here + by;
  while (line[place] !== undefined && !faultAt(line[place])) place += by;
  if (line[place] !== undefined) goTo(line[place]);
  else tell(by > 0 ? "No mistake after this." : "No mistake before this.");
};

const mainLine = () => {
  const line = [0];
  while (node(line.at(-1))?.children.length) line.push(node(line.at(-1)).children[0]);
  return line;
};

// ---- Playing moves ----

const targets = (square) => {
  if (state.preview) return [];
  const here = details();
  if (!here) return [];
  if (isPlaying()) {
    if (state.at !== state.game.head || !state.game.person) return [];
    const isTurn = node().turn === state.game.person;
    return [...((isTurn ? here.ways : here.later).get(square)?.keys() || [])];
  }
  return [...(here.ways.get(square)?.keys() || [])];
};

const onMove = async (from, to) => {
  const here = details();
  if (isPlaying() && node().turn !== state.game.person) {
    state.premove = [from, to];
    show();
    return;
  }
  if (puzzleRefuses()) return show();
  const { at } = state;
  const inGame = isPlaying();
  const pieces = here?.ways.get(from)?.get(to) ?? "";
  const piece = pieces.length > 1 ? await askPromotion(node().turn === "w", pieces) : pieces;
  if (piece === null || state.at !== at) return show();
  play(squareName(from) + squareName(to) + piece, inGame);
};

// The reason why a piece that was dropped can't go there.
const tellWhyNot = (from, to) => {
  const isTurn = !isPlaying() || node().turn === state.game.person;
  if (!isTurn || puzzleRefuses()) return;
  const name = squareName(from) + squareName(to);
  if (!puzzleTakes(name)) command({ do: "type", at: state.at, text: name });
};

// A move of a game counts for nothing once the game is over.
const play = async (name, inGame = isPlaying()) => {
  if (puzzleRefuses() || puzzleTakes(name)) return;
  state.premove = null;
  const at = state.at;
  const answer = await command({ do: "play", at, move: name, game: inGame });
  if (answer) arrive(answer);
  else show();
};

const playTyped = async (text) => {
  if (puzzleRefuses()) return false;
  if (puzzleTakes(text)) return true;
  state.premove = null;
  const answer = await command({ do: "type", at: state.at, text, game: isPlaying() });
  if (answer) arrive(answer);
  return Boolean(answer);
};

const arrive = ({ node: value, details: more }) => {
  takeNode(value);
  takeDetails(more);
  // The engine's reply may have been heard before.
  if (state.at !== value.id && pathTo(state.at).includes(value.id)) return show();
  if (state.at !== value.id) knock(value.m);
  goTo(value.id, false, true);
};

// Plays what was moved ahead, if it is possible now.
const playPremove = () => {
  const ahead = state.premove;
  if (!ahead || node().turn !== state.game?.person) return;
  state.premove = null;
  const [from, to] = ahead;
  const goals = details()?.ways.get(from);
  if (goals?.has(to)) play(squareName(from) + squareName(to) + (goals.get(to).includes("q") ? "q" : ""), true);
  else show();
};

const askPromotion = (white, pieces) => new Promise((resolve) => {
  const dialog = byId("promotion");
  const choices = [..."qrbn"].filter((piece) => pieces.includes(piece)).map((piece) => {
    const button = make("button", { type: "button", "data-piece": piece, "aria-label": NAMES[piece] },
      pieceImage(white ? piece.toUpperCase() : piece));
    button.addEventListener("click", () => { dialog.returnValue = piece; dialog.close(piece); });
    return button;
  });
  byId("promotion-choices").replaceChildren(...choices);
  dialog.returnValue = "";
  dialog.addEventListener("close", () => resolve(dialog.returnValue || null), { once: true });
  dialog.showModal();
});

// ---- Sounds ----

// A knock of wood, made here: a short, damped tone. A capture is lower.
const knock = (move) => {
  if (!state.sound || !move) return;
  state.audio ||= new AudioContext();
  const { audio } = state;
  const [tone, loud] = [audio.createOscillator(), audio.createGain()];
  const now = audio.currentTime;
  tone.frequency.setValueAtTime(move.includes("x") ? 170 : 240, now);
  tone.frequency.exponentialRampToValueAtTime(70, now + 0.09);
  loud.gain.setValueAtTime(0.35, now);
  loud.gain.exponentialRampToValueAtTime(0.001, now + 0.12);
  tone.connect(loud).connect(audio.destination);
  tone.start(now);
  tone.stop(now + 0.13);
};
