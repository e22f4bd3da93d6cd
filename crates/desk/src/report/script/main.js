// The position in words, going from one to the next, keys, clicks and swipes.

// ---- In words ----

// The position in a few words: the move that led to it, and its score.
const headline = () => {
  const { m: move, j: judgement } = position();
  const words = move ? `${moveNumber(state.ply)} ${spoken(move)}` : "Start";
  return [words, JUDGEMENTS[judgement || 0], evaluationInWords(position())].filter(Boolean).join(", ");
};

const inWords = (board) => {
  const side = (white) => [..."kqrbnp"].map((letter) => {
    const squares = [...board.keys()].filter((square) => board[square] === (white ? letter.toUpperCase() : letter));
    return squares.length ? `${NAMES[letter]}${squares.length > 1 ? "s" : ""} ${squares.map(squareName).join(" ")}` : "";
  }).filter(Boolean).join(", ");
  return `White: ${side(true)}. Black: ${side(false)}.`;
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
  showLine();
  showMoves();
  showGraph();
  showSum();
  showPiece();
  showPieces();
  say();
  for (const [id, isAtEnd] of [["first", state.ply === 0 && !state.line], ["back", state.ply === 0 && !state.line],
    ["next", !canStep()], ["last", state.ply === lastPly() && !state.line]]) {
    byId(id).setAttribute("aria-disabled", isAtEnd);
  }
  byId("play").classList.toggle("in-line", Boolean(state.line));
  try { history.replaceState(null, "", `#${currentSection().dataset.number}.${state.ply}`); } catch { /* as above */ }
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
  if (isStep) slide(...ways[0]);
};

// From where to where the pieces go that the move to a position moves, or that it moves back: a king before its rook.
const waysOf = ({ u: moved }, isForward) => moved.match(/..../g).map((way) => {
  const [from, to] = [way.slice(0, 2), way.slice(2)].map(squareNumber);
  return isForward ? [from, to] : [to, from];
});

const step = (by) => {
  if (!state.line) return go(state.ply + by);
  const line = state.line + by;
  return go(state.ply, line < 1 ? null : Math.min(line, position().l.length));
};
const leaveLine = () => go(state.ply);

const select = (square) => {
  state.selected = position().board[square] && !state.line && state.selected !== square ? square : null;
  showBoard();
  showPiece();
  showPieces();
  const shown = selectedSquare();
  if (shown === null) return;
  const { terms, total } = position().worths[shown];
  const piece = position().board[shown];
  const words = terms.map((value, index) => `${tableName(index, piece)} ${signed(value)}`);
  byId("said").textContent = `${pieceName(piece)} on ${squareName(shown)}: worth ${signed(total)}; ${words.join(", ")}.`;
};

const setHeat = (heat) => {
  state.heat = heat;
  store("squarewise-heat", heat);
  for (const button of document.querySelectorAll("[data-heat]")) {
    button.setAttribute("aria-pressed", button.dataset.heat === heat);
  }
  if (state.game) {
    showBoard();
    showPieces();
  }
};

const flip = () => {
  state.flipped = !state.flipped;
  buildBoard();
  show();
};

const toggleArrow = () => {
  state.arrow = !state.arrow;
  byId("best-move").setAttribute("aria-pressed", state.arrow);
  showArrow();
};

let sectionNow = null;
const currentSection = () => sectionNow;

const openGame = (section, ply = 0) => {
  sectionNow?.classList.remove("current");
  sectionNow = section;
  section.classList.add("current");
  state.game = unpack(JSON.parse(section.querySelector(".data").textContent));
  Object.assign(state, { ply: 0, line: null, selected: null });
  byId("pick").value = section.dataset.number;
  buildMoves();
  go(ply);
};

const isDark = () => {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
};

const toggleTheme = () => {
  const theme = isDark() ? "light" : "dark";
  document.documentElement.dataset.theme = theme;
  byId("theme").setAttribute("aria-pressed", isDark());
  store("squarewise-theme", theme);
};

// ---- Keys, clicks and swipes ----

const KEYS = {
  ArrowLeft: () => step(-1),
  ArrowRight: () => step(1),
  Home: () => go(0),
  End: () => go(lastPly()),
  Escape: () => (state.line ? leaveLine() : document.activeElement.blur()),
  f: flip,
  b: toggleArrow,
  0: () => setHeat("off"),
  1: () => setHeat("worth"),
  2: () => setHeat("square"),
  3: () => setHeat("change"),
  4: () => setHeat("table"),
};

// With the focus on the board, the arrows go from square to square.
const moveOnBoard = (cell, key) => {
  const square = squareNumber(cell.dataset.square);
  const sign = state.flipped ? -1 : 1;
  const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[key];
  const [file, rank] = [square % 8 + sign * dx, Math.floor(square / 8) + sign * dy];
  if (file < 0 || file > 7 || rank < 0 || rank > 7) return;
  const next = cells.get(8 * rank + file);
  cell.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
};

const listen = () => {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("select, input, summary")) return;
    const cell = event.target.closest("[role=gridcell]");
    if (cell && event.key.startsWith("Arrow")) moveOnBoard(cell, event.key);
    else if (cell && (event.key === "Enter" || event.key === " ")) select(squareNumber(cell.dataset.square));
    else if (KEYS[event.key]) KEYS[event.key]();
    else return;
    event.preventDefault();
  });
  const actions = {
    first: () => go(0), back: () => step(-1), next: () => step(1), last: () => go(lastPly()),
    flip, "best-move": toggleArrow, theme: toggleTheme,
  };
  for (const [id, action] of Object.entries(actions)) byId(id).addEventListener("click", action);
  for (const button of document.querySelectorAll("[data-heat]")) {
    button.addEventListener("click", () => setHeat(button.dataset.heat));
  }
  listenOnBoard();
  for (const slider of document.querySelectorAll(".slider")) {
    listenOnGraph(slider);
  }
  byId("pick").addEventListener("change", (event) => openGame(sections[event.target.selectedIndex]));
};

// A finger that begins on the graph may be about to scroll the page, so it jumps only when it goes sideways or is lifted.
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
};

// The first finger, the left button of a mouse, or the tip of a pen.
const isFirstButton = (event) => event.isPrimary && event.button === 0;

const listenOnBoard = () => {
  const board = byId("board");
  let start = null;
  // A click selects a piece but leaves the focus where it is, so that the arrow keys go on stepping.
  board.addEventListener("mousedown", (event) => event.preventDefault());
  board.addEventListener("pointerdown", (event) => { start = isFirstButton(event) ? event : null; });
  board.addEventListener("pointerup", (event) => {
    if (!start || !isFirstButton(event)) return;
    const [dx, dy] = [event.clientX - start.clientX, event.clientY - start.clientY];
    start = null;
    if (Math.abs(dx) > 35 && Math.abs(dx) > 1.5 * Math.abs(dy)) return step(dx < 0 ? 1 : -1);
    const cell = event.target.closest("[role=gridcell]");
    if (cell && Math.hypot(dx, dy) < 12) select(squareNumber(cell.dataset.square));
  });
  board.addEventListener("pointercancel", () => { start = null; });
};

// The end of the address names a game and a position.
const openAddress = () => {
  const [, number, ply] = location.hash.match(/^#(\d+)\.(\d+)$/) || [];
  openGame(sections.find((section) => section.dataset.number === number) || sections[0], Number(ply) || 0);
};

const begin = () => {
  const theme = stored("squarewise-theme");
  if (theme) document.documentElement.dataset.theme = theme;
  const heat = stored("squarewise-heat");
  document.documentElement.classList.add("js");
  if (!sections.length) return;
  for (const { dataset } of sections) byId("pick").append(make("option", { value: dataset.number }, dataset.label));
  byId("pick").parentElement.hidden = sections.length < 2;
  buildBoard();
  listen();
  setHeat(heat in LEGENDS ? heat : "worth");
  byId("theme").setAttribute("aria-pressed", isDark());
  openAddress();
  addEventListener("hashchange", openAddress);
};

begin();
