// Why a position is as it is: three sentences, and below them what each piece is worth. Off until
// it is asked for.

const explained = { at: null, move: null, sentences: null };

// Beside a game and a puzzle that waits, the sentences would tell the move.
const isSecret = () => (isPlaying() && node().turn === state.game.person) || (puzzle.kind !== null && !puzzle.locked);

// Asks for the sentences of the position on the board, if they are switched on.
const explainHere = () => {
  // An answer that is still on its way belongs to what was explained before.
  Object.assign(explained, { at: null, move: null, sentences: null });
  if (!state.why || isSecret()) return showSentences();
  // In a review a marked move is what one wants to know about.
  if (state.view === "review" && state.at !== 0 && reviewOf(state.at)?.j) explainMove(node().parent, squaresOf(node()));
  else explainMove(state.at, null);
};

// The move that led to a position, by its squares. Castling is the king's way to the rook.
const squaresOf = ({ u: moved, m: move }) => {
  if (move.startsWith("O-O")) return moved.slice(0, 2) + moved.slice(4, 6);
  const [, piece] = move.match(/=([QRBN])/) || ["", ""];
  return moved.slice(0, 4) + piece.toLowerCase();
};

const explainMove = (at, move) => {
  if (!state.why) return;
  Object.assign(explained, { at, move, sentences: null });
  command({ do: "why", at, ...(move ? { move } : {}) }, true);
  showSentences();
};

const takeWhy = ({ at, sentences }) => {
  if (at !== explained.at) return;
  explained.sentences = sentences;
  showSentences();
};

const showSentences = () => {
  const box = byId("sentences");
  box.hidden = !state.why;
  const waits = state.why && !explained.sentences;
  const rests = isSecret();
  const text = rests ? ["While it is your move, this rests: it would give the move away."] : waits ? ["…"] : explained.sentences || [];
  box.replaceChildren(...text.map((sentence) => make("p", { class: rests || waits ? "hint" : "said" }, sentence)));
};

const setWhy = (on) => {
  state.why = on;
  byId("why-switch").setAttribute("aria-checked", on);
  byId("tables-switch").hidden = !on;
  if (!on) setTables(false);
  explainHere();
  show();
};

const setTables = (on) => {
  state.tables = on;
  byId("tables-switch").setAttribute("aria-pressed", on);
  byId("tables").hidden = !on;
  if (on) lookAt(state.at);
  show();
};

// ---- What the tables go by ----

const worthsOf = (id) => {
  const found = details(id);
  return found?.v ? readWorths(found, node(id).board, state.names.tables.length, {}) : null;
};

// The square whose piece is explained: the selected one, or that of the piece that moved last.
const selectedSquare = () => {
  if (state.preview) return null;
  if (state.selected !== null) return node().board[state.selected] ? state.selected : null;
  return node().u ? squareNumber(node().u.slice(2, 4)) : null;
};

const viewNow = () => {
  const found = details();
  const worths = state.preview || !state.tables ? null : worthsOf(state.at);
  const parent = state.at === 0 ? 0 : node().parent;
  const earlier = worthsOf(parent);
  const now = { board: node().board, worths, ...found };
  return {
    ...now, worths, turn: node().turn, tables: state.names.tables, beyond: state.names.beyond,
    before: earlier ? { board: node(parent).board, worths: earlier, ...details(parent) } : now,
    maps: state.maps.get(state.at), hasMaps: true, heat: worths ? state.heat : "off",
    selected: worths ? selectedSquare() : null, inLine: Boolean(state.preview), isFirst: state.at === 0,
  };
};

const showTables = () => {
  if (!state.tables) return;
  showLegend();
  if (!viewNow().worths) return;
  // The change by the last move needs the position before.
  const { parent } = node();
  if (parent !== undefined && !details(parent)?.v && viewNow().before.e === viewNow().e) {
    command({ do: "look", at: parent, worth: true }, true).then((answer) => {
      if (!answer) return;
      takeDetails(answer);
      command({ do: "look", at: state.at, worth: false }, true);
      if (node().parent === parent) show();
    });
  }
  showSum();
  showPiece();
  showPieces(selectPiece);
};

const selectPiece = (square) => {
  state.selected = node().board[square] && state.selected !== square ? square : null;
  show();
  if (state.tables && selectedSquare() !== null && viewNow().worths) byId("said").textContent = worthInWords(selectedSquare());
};

const setHeat = (heat) => {
  state.heat = heat;
  store("squarewise-board-heat", heat);
  for (const button of document.querySelectorAll("[data-heat]")) button.setAttribute("aria-pressed", button.dataset.heat === heat);
  if (!state.nodes.size) return;
  if (heat !== "off" && !state.tables) {
    if (!state.why) setWhy(true);
    setTables(true);
  }
  lookAt(state.at);
  show();
};

const listenToWhy = () => {
  byId("why-switch").addEventListener("click", () => setWhy(!state.why));
  byId("tables-switch").addEventListener("click", () => setTables(!state.tables));
  for (const button of document.querySelectorAll("[data-heat]")) button.addEventListener("click", () => setHeat(button.dataset.heat));
};
