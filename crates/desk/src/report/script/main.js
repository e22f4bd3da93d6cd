// The position in words, going from one to the next, keys, clicks and swipes.

// ---- In words ----

// The position in a few words: the move that led to it, and its score.
const headline = () => {
  const { m: move, j: judgement } = position();
  const words = move ? `${moveNumber(state.ply)} ${spoken(move)}` : "Start";
  return [words, JUDGEMENTS[judgement || 0], evaluationInWords(position())].filter(Boolean).join(", ");
};

const say = () => {
  const head = state.line
    ? `Line, move ${state.line}: ${spoken(position().l[state.line - 1][0])}`
    : `${headline()}. Static evaluation ${signed(position().e)} centipawns. ` +
      (isOver(position()) ? "The game is over" : position().turn === "w" ? "White to move" : "Black to move");
  byId("said").textContent = `${head}. ${inWords(boardNow())}`;
};

// ---- Going there ----

const show = () => {
  showBoard();
  showPlayers();
  showNow();
  showLine();
  showMoves();
  showGraph();
  showSum();
  showPiece();
  showPieces(select);
  say();
  for (const [id, isAtEnd] of [["first", state.ply === 0 && !state.line], ["back", state.ply === 0 && !state.line],
    ["next", !canStep()], ["last", state.ply === lastPly() && !state.line],
    ["mark-before", markFrom(-1) === null], ["mark-after", markFrom(1) === null]]) {
    byId(id).setAttribute("aria-disabled", isAtEnd);
  }
  byId("play").classList.toggle("in-line", Boolean(state.line));
  try { history.replaceState(null, "", `#${currentSection().dataset.number}.${state.ply}`); } catch { /* Some browsers forbid it for local files. */ }
};

const lastPly = () => state.game.positions.length - 1;
const canStep = () => (state.line ? state.line < position().l.length : state.ply < lastPly());

// Shows position `ply`, or the position `line` moves along its best line.
const go = (ply, line = null) => {
  const before = { ply: state.ply, line: state.line };
  state.ply = Math.min(lastPly(), Math.max(0, ply));
  state.line = line;
  const isStep = Math.abs(state.ply - before.ply) === 1 && !line && !before.line;
  const ways = isStep ? waysOf(state.game.positions[Math.max(state.ply, before.ply)], state.ply > before.ply) : [];
  // The selection follows its piece, and ends when the piece is taken.
  const way = ways.find(([left]) => left === state.selected);
  const isTaken = ways.some(([, reached]) => reached === state.selected) || !position().board[state.selected];
  state.selected = way ? way[1] : isStep && !isTaken ? state.selected : null;
  show();
};

// From where to where the pieces go that the move to a position moves, or that it moves back: a
// king before its rook, and none for a null move.
const waysOf = ({ u: moved }, isForward) => (moved.match(/..../g) ?? []).map((way) => {
  const [from, to] = [way.slice(0, 2), way.slice(2)].map(squareNumber);
  return isForward ? [from, to] : [to, from];
});

const step = (by) => {
  if (!state.line) return go(state.ply + by);
  const line = state.line + by;
  return go(state.ply, line < 1 ? null : Math.min(line, position().l.length));
};
// The position after the next judged move, or the one before; null if there is none.
const markFrom = (by) => {
  let ply = state.ply + by;
  while (ply > 0 && ply <= lastPly() && !state.game.positions[ply].j) ply += by;
  return ply > 0 && ply <= lastPly() ? ply : null;
};
const goToMark = (by) => {
  const ply = markFrom(by);
  if (ply !== null) go(ply);
  else byId("said").textContent = by > 0 ? "No mistake after this." : "No mistake before this.";
};
const leaveLine = () => go(state.ply);

// A piece is explained to those who have asked for it: a tap on the calm board changes nothing.
const select = (square) => {
  if (!state.why) return;
  state.selected = position().board[square] && !state.line && state.selected !== square ? square : null;
  showBoard();
  showPiece();
  showPieces(select);
  const shown = selectedSquare();
  if (shown !== null) byId("said").textContent = worthInWords(shown);
};

// Shows or hides where the evaluation comes from: the numbers on the squares and the tables.
const setWhy = (why) => {
  state.why = why;
  store("squarewise-report-why", why ? "on" : "off");
  document.documentElement.classList.toggle("calm", !why);
  byId("why-switch").setAttribute("aria-pressed", why);
  if (!why) {
    state.selected = null;
    setHeat("off");
  }
};

// Whoever wants numbers on the squares has asked why.
const askHeat = (heat) => {
  if (!state.why && heat !== "off") setWhy(true);
  setHeat(heat);
};

const setHeat = (heat) => {
  state.heat = heat;
  store("squarewise-heat", heat);
  for (const button of document.querySelectorAll("[data-heat]")) {
    button.setAttribute("aria-pressed", button.dataset.heat === heat);
  }
  if (state.game) {
    showBoard();
    showPieces(select);
  }
};

const flip = () => {
  board.flip(!board.flipped);
  show();
};

const toggleArrow = () => {
  state.arrow = !state.arrow;
  byId("best-move").setAttribute("aria-pressed", state.arrow);
  showBoard();
};

let sectionNow = null;
const currentSection = () => sectionNow;

const openGame = (section, ply = 0) => {
  leaveOverview();
  sectionNow?.classList.remove("current");
  sectionNow = section;
  section.classList.add("current");
  state.game = unpack(JSON.parse(section.querySelector(".data").textContent));
  Object.assign(state, { ply: 0, line: null, selected: null });
  byId("pick").value = section.dataset.number;
  buildMoves();
  go(ply);
};

// ---- Keys, clicks and swipes ----

const KEYS = {
  ArrowLeft: () => step(-1),
  ArrowRight: () => step(1),
  Home: () => go(0),
  End: () => go(lastPly()),
  Escape: () => (state.line ? leaveLine() : document.activeElement.blur()),
  f: flip,
  w: () => setWhy(!state.why),
  b: toggleArrow,
  n: () => goToMark(1),
  p: () => goToMark(-1),
  0: () => askHeat("off"),
  1: () => askHeat("worth"),
  2: () => askHeat("square"),
  3: () => askHeat("change"),
  4: () => askHeat("table"),
};

const listen = () => {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("select, input, summary")) return;
    if (isOverview()) return;
    if (board.key(event)) { /* a square has the focus */ }
    else if (KEYS[event.key]) KEYS[event.key]();
    else return;
    event.preventDefault();
  });
  const actions = {
    first: () => go(0), back: () => step(-1), next: () => step(1), last: () => go(lastPly()),
    flip, "best-move": toggleArrow, "mark-before": () => goToMark(-1), "mark-after": () => goToMark(1),
    "why-switch": () => setWhy(!state.why),
  };
  for (const [id, action] of Object.entries(actions)) byId(id).addEventListener("click", action);
  for (const button of document.querySelectorAll("[data-heat]")) {
    button.addEventListener("click", () => askHeat(button.dataset.heat));
  }
  for (const slider of document.querySelectorAll(".slider")) {
    listenOnGraph(slider);
  }
  byId("pick").addEventListener("change", (event) => openGame(sections[event.target.selectedIndex]));
  listenToOverview();
};

// A finger that begins on the graph may be about to scroll the page, so it jumps only when it goes
// sideways or is lifted.
const listenOnGraph = (slider) => {
  let start = null;
  slider.addEventListener("pointerdown", (event) => {
    if (!isFirstButton(event)) return;
    start = event;
    slider.setPointerCapture(event.pointerId);
    if (event.pointerType !== "touch") jumpOnGraph(slider, event);
  });
  slider.addEventListener("pointermove", (event) => {
    if (!start || event.pointerId !== start.pointerId) return;
    const [dx, dy] = [event.clientX - start.clientX, event.clientY - start.clientY].map(Math.abs);
    if (event.pointerType !== "touch" || (dx > 8 && dx > dy)) jumpOnGraph(slider, event);
  });
  slider.addEventListener("pointerup", (event) => {
    if (start && event.pointerId === start.pointerId) jumpOnGraph(slider, event);
    start = null;
  });
  slider.addEventListener("pointercancel", () => { start = null; });
  // What else is pressed on a slider, beside the arrows to both sides and the keys of both ends.
  const steps = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 };
  slider.addEventListener("keydown", (event) => {
    if (!(event.key in steps) || event.ctrlKey || event.altKey || event.metaKey) return;
    step(steps[event.key]);
    event.preventDefault();
  });
};

// The end of the address names a game and a position. An address without opens the overview, or the
// only game.
const openAddress = () => {
  const [, number, ply] = location.hash.match(/^#(\d+)\.(\d+)$/) || [];
  const section = sections.find((one) => one.dataset.number === number);
  if (section || !overview) openGame(section || sections[0], Number(ply) || 0);
  else showOverview();
};

const board = createBoard(byId("board"), { onSelect: (square) => select(square), onSwipe: (by) => step(by) });

const begin = () => {
  beginTheme();
  const heat = stored("squarewise-heat");
  document.documentElement.classList.add("js");
  if (!sections.length) return;
  for (const { dataset } of sections) byId("pick").append(make("option", { value: dataset.number }, dataset.label));
  byId("pick").parentElement.hidden = sections.length < 2;
  listen();
  setWhy(stored("squarewise-report-why") === "on");
  if (state.why) setHeat(heat in LEGENDS ? heat : "off");
  openAddress();
  addEventListener("hashchange", openAddress);
};

begin();
