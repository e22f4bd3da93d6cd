// The page as a whole: what is shown, keys, and what the server tells.

const board = createBoard(byId("board"), {
  targets: (square) => targets(square),
  onMove: (from, to) => onMove(from, to),
  onRefused: (from, to) => tellWhyNot(from, to),
  onSelect: (square, again) => {
    // A click on the board leaves the line that is shown there.
    if (state.preview) return leavePreview();
    state.premove = null;
    if (again || !state.tables) state.selected = null;
    if (!again && state.tables) selectPiece(square);
    else show();
  },
  onDraw: (from, to, color) => onDraw(from, to, color),
  isDrawing: () => state.drawing,
});

// ---- What is on the board ----

const boardShown = () => {
  const { preview: line } = state;
  if (!line) return node().board;
  return boardInLine(node(line.from).board, line.line, line.count);
};

const lastShown = () => {
  const { preview: line } = state;
  const text = line ? line.line[line.count - 1][1] : node().u || "";
  return text.match(/[a-h][1-8]/g) || [];
};

const arrowsShown = () => {
  if (state.preview) return { arrows: [], circles: [] };
  const own = (node().a || []).map((shape) => ({ kind: shape[0], from: squareNumber(shape.slice(1)), to: squareNumber(shape.slice(3) || shape.slice(1)) }));
  const { hint: help } = state;
  const arrows = arrowsOfLines();
  if (help?.line) {
    const [from, to] = ends(node().board, help.line[0][1]);
    arrows.unshift({ from, to, kind: "best" });
  } else if (help?.to !== undefined) arrows.unshift({ ...help, kind: "best" });
  const circles = own.filter(({ from, to }) => from === to).map(({ from, kind }) => ({ square: from, kind }));
  if (help && !help.line && help.to === undefined) circles.push({ square: help.from, kind: "G" });
  return { arrows: [...arrows, ...own.filter(({ from, to }) => from !== to)], circles };
};

// How bad a move is: by the review, which the reader has asked for, or, where that says nothing, by
// the coach.
const rankOf = (id) => reviewOf(id)?.j ?? feedback.get(id)?.j ?? 0;

// The judgement of the last move, on its square: the reader's own comes first.
const glyphShown = () => {
  if (state.preview || state.at === 0 || !node().u) return null;
  const glyph = glyphOf(node());
  const mark = glyph ? GLYPHS[glyph] : MARKS[rankOf(state.at)];
  if (!mark) return null;
  return { mark, square: squareNumber(node().u.slice(2, 4)), words: { "?!": "inaccuracy", "?": "mistake", "??": "blunder" }[mark] || mark };
};

const showBoard = () => {
  const heat = heatNow();
  board.show({
    pieces: boardShown(), last: lastShown(), check: state.preview ? null : node().h,
    hot: heat.hot, values: heat.values, strongest: heat.strongest, selected: heat.tableOf ?? state.selected,
    premove: state.premove || [], glyph: glyphShown(), ...arrowsShown(),
  });
  byId("play").classList.toggle("in-line", Boolean(state.preview));
};

// The bar of White's expected points, by whatever knows them.
const showBar = () => {
  const bar = byId("bar");
  const live = engine.on && !engine.threat ? state.lines?.q : undefined;
  const points = live ?? reviewOf(state.at)?.q;
  const known = typeof points === "number";
  byId("stage").classList.toggle("no-bar", !known);
  bar.classList.toggle("flipped", board.flipped);
  bar.firstElementChild.style.height = `${known ? points / 10 : 50}%`;
  bar.setAttribute("aria-label", known ? `White’s expected points: ${Math.round(points / 10)} percent` : "Not evaluated");
};

const headline = () => {
  const one = node();
  return state.at === 0 ? "Start" : `${moveNumber(one)} ${spoken(one.m)}`;
};

const say = () => {
  const over = details()?.over;
  const turn = node().turn === "w" ? "White to move" : "Black to move";
  const judged = JUDGEMENTS[rankOf(state.at)];
  const { preview: line } = state;
  const text = line?.stays
    ? `Line, move ${line.count}: ${spoken(line.line[line.count - 1][0])}. ${inWords(boardShown())}`
    : [[headline(), judged].filter(Boolean).join(", "), over ? capitalized(over) : turn, inWords(boardShown())].join(". ");
  setText(byId("said"), text);
};

// Results as people write them; a game that goes on has none.
const RESULTS = { "1-0": "1–0", "0-1": "0–1", "1/2-1/2": "½–½" };

const showAbout = () => {
  byId("opening").textContent = details()?.o || state.opening || "";
  if (details()?.o) state.opening = details().o;
  if (state.at === 0) state.opening = "";
  const over = capitalized(details()?.over || "");
  byId("circumstances").textContent = [RESULTS[state.tags?.result], state.tags?.about, over].filter(Boolean).join(" · ");
};

const show = () => {
  if (!state.nodes.size) return;
  showBoard();
  showPlayers();
  showBar();
  showAbout();
  showMoves();
  showAnalysis();
  showKnown();
  showGame();
  showReview();
  showTables();
  say();
  const isFirst = state.at === 0 && !state.preview;
  const isLast = nextOf(state.at) === undefined;
  for (const [id, isAtEnd] of [["first", isFirst], ["back", isFirst], ["next", isLast], ["last", isLast]]) byId(id).setAttribute("aria-disabled", isAtEnd);
  document.body.dataset.at = state.at;
};

const setView = (view) => {
  state.view = view;
  for (const button of document.querySelectorAll("[data-view]")) button.setAttribute("aria-pressed", button.dataset.view === view);
  for (const one of ["play", "analysis", "review", "puzzles"]) byId(`view-${one}`).hidden = one !== view;
  if (state.why && state.nodes.size) explainHere();
  if (view === "puzzles" && puzzle.kind === null) showPuzzle(byId("puzzle-text").textContent);
};

// ---- What the server tells ----

const EVENTS = {
  board: (event) => {
    warn("");
    takeBoard(event);
    if (event.version) document.body.dataset.ready = "yes";
    if (event.remark) tell(capitalized(event.remark));
    if (event.room) {
      byId("threads").max = event.room.threads;
      if (!stored("squarewise-threads")) byId("threads").value = Math.max(1, Math.floor(event.room.threads / 2));
      byId("hash").max = event.room.hash;
    }
  },
  node: ({ node: value, details: more }) => {
    // Details come with the engine's moves, one of which can have been tried before.
    const isNew = more || !state.nodes.has(value.id);
    takeNode(value);
    if (more) takeDetails(more);
    const isNext = isNew && isPlaying() && value.parent === state.at && value.parent === state.game.head;
    if (isNext) {
      knock(value.m);
      state.game.head = value.id;
      goTo(value.id).then(playPremove);
    } else show();
  },
  nodes: ({ nodes }) => {
    nodes.forEach(takeNode);
    show();
  },
  game: ({ game, players, tags }) => {
    const wasPlaying = isPlaying();
    takeGame(game);
    if (tags) Object.assign(state, { players, tags });
    if (wasPlaying && !isPlaying()) explainHere();
    show();
  },
  lines: takeLines,
  failed: ({ why }) => tell(why),
  paused: takePause,
  feedback: (event) => {
    feedback.set(event.at, event);
    show();
  },
  hint: takeHint,
  tried: takeTried,
  why: takeWhy,
  review: ({ review }) => {
    takeReview(review);
    show();
  },
  reviewed: ({ found }) => {
    takeReviewed(found);
    show();
  },
  "review-done": ({ summary }) => {
    if (state.review) state.review.summary = summary;
    show();
  },
  "review-ended": () => {
    takeReview(null);
    show();
  },
  warning: ({ text }) => warn(capitalized(text)),
  bye: () => warn("The program has ended. Start it again and open the address that it prints."),
};

const hear = (event) => EVENTS[event.is]?.(event);

// ---- Keys and buttons ----

const toggleArrows = () => {
  state.arrows = !state.arrows;
  store("squarewise-arrows", state.arrows ? "on" : "off");
  byId("arrows-switch").setAttribute("aria-pressed", state.arrows);
  showBoard();
};

const toggleSound = () => {
  state.sound = !state.sound;
  store("squarewise-sound", state.sound ? "on" : "off");
  byId("sound").setAttribute("aria-pressed", state.sound);
  knock("on");
};

const toggleDrawing = () => {
  state.drawing = !state.drawing;
  byId("draw").setAttribute("aria-pressed", state.drawing);
  byId("board").classList.toggle("drawing", state.drawing);
};

const flip = () => {
  board.flip(!board.flipped);
  show();
};

const leave = () => {
  if (state.preview) return leavePreview();
  state.premove = null;
  state.selected = null;
  board.unpick();
  document.activeElement.blur();
  show();
};

const playBest = () => {
  const line = state.lines?.lines[0]?.l;
  if (line && !state.lines.threat && !isPlaying()) playLine(line, 1);
};

const KEYS = {
  ArrowLeft: () => step(-1), ArrowRight: () => step(1), ArrowUp: () => stepAside(-1), ArrowDown: () => stepAside(1),
  Home: () => goTo(0), End: () => goTo(endOf(state.at)), Escape: leave, f: flip, a: toggleArrows, x: toggleThreat,
  l: () => { if (!refusesLines()) { setView("analysis"); setEngine(!engine.on); } },
  " ": playBest, w: () => setWhy(!state.why), n: () => stepToMistake(1), p: () => stepToMistake(-1), h: () => hint(),
  m: () => byId("typed").focus(), o: openGames, b: openBoards, s: openSave, "?": openHelp,
  0: () => setHeat("off"), 1: () => setHeat("worth"), 2: () => setHeat("square"), 3: () => setHeat("change"), 4: () => setHeat("table"),
};

const listen = () => {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || isAsked() || event.target.closest("select, input, textarea, summary")) return;
    if (event.key === " " && event.target.closest("button")) return;
    if (board.key(event)) { /* a square has the focus */ }
    else if (KEYS[event.key]) KEYS[event.key]();
    else return;
    event.preventDefault();
  });
  const actions = {
    first: () => goTo(0), back: () => step(-1), next: () => step(1), last: () => goTo(endOf(state.at)),
    flip, "arrows-switch": toggleArrows, draw: toggleDrawing, sound: toggleSound,
  };
  for (const [id, action] of Object.entries(actions)) byId(id).addEventListener("click", action);
  for (const button of document.querySelectorAll("[data-view]")) button.addEventListener("click", () => setView(button.dataset.view));
  byId("typed").addEventListener("keydown", async (event) => {
    if (event.key === "Escape") return byId("typed").blur();
    if (event.key !== "Enter" || !byId("typed").value.trim()) return;
    const field = byId("typed");
    const text = field.value;
    field.value = "";
    if (!await playTyped(text)) field.value ||= text;
  });
  // A line that is pointed at goes when the pointer does, even if its button went first.
  document.addEventListener("pointermove", (event) => {
    const isOnLine = event.target.closest?.(".moves-of-line button");
    if (state.preview && !state.preview.stays && event.pointerType === "mouse" && !isOnLine) leavePreview();
  });
  listenToMoves();
  listenToEngine();
  listenToGame();
  listenToReview();
  listenToPuzzles();
  listenToWhy();
  listenToDialogs();
};

// ---- Beginning ----

const begin = async () => {
  beginTheme();
  byId("arrows-switch").setAttribute("aria-pressed", state.arrows);
  byId("sound").setAttribute("aria-pressed", state.sound);
  setView("play");
  setHeat(state.heat in LEGENDS && state.heat !== "off" ? state.heat : "worth");
  listen();
  // The address with its secret can be pasted where the page stands already: only its end changes,
  // which loads nothing.
  addEventListener("hashchange", () => location.reload());
  try {
    await enter();
  } catch (error) {
    return warn(capitalized(error.message));
  }
  const wanted = Number(new URLSearchParams(location.search).get("board"));
  state.board = wanted || (await post("/api/boards", { do: "any" }))?.board;
  if (!state.board) return;
  if (!wanted) history.replaceState(null, "", `/?board=${state.board}`);
  listenWhileSeen();
};

begin();
