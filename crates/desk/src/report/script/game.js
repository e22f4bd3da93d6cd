// The data of a game unpacked, and the position that is on the screen.

// What is on the screen: the position after `ply` moves of the game or, if `line` is a number, the
// one that many moves along its best line. `selected` is the square of the piece to explain, `heat`
// what the numbers on the squares show, `why` whether the reader has asked where the evaluation
// comes from. The keys of the data are explained in data.rs.
const state = { game: null, ply: 0, line: null, selected: null, heat: "off", arrow: true, why: false };
const sections = [...document.querySelectorAll(".game")];

// ---- The data of a game ----

// The data with what is left out filled in: the board of each position, and the worth of each
// piece, which stands in the data only where it changed.
const unpack = (game) => {
  const tables = game.tables.length;
  let worths = {};
  for (const position of game.positions) {
    position.board = readBoard(position.f);
    const [, turn, , , , number] = position.f.split(" ");
    position.turn = turn;
    position.number = Number(number);
    position.worths = readWorths(position, position.board, tables, worths);
    worths = position.worths;
  }
  return game;
};

// "12." or "12…" for the move that leads to position `ply`.
const moveNumber = (ply) => {
  const before = state.game.positions[ply - 1];
  return `${before.number}${before.turn === "w" ? "." : "…"}`;
};

// Whether the game is over in a position that was searched: then there is no line from it.
const isOver = (at) => Boolean(at.s) && !at.l;

// The score of the search for those who listen, or how the game has ended; the move itself says
// that it is mate.
const evaluationInWords = (at) => (isOver(at) ? (at.s === "½" ? "draw" : "") : at.s && `evaluation ${at.s}`);

// ---- What is on the board now ----

const position = () => state.game.positions[state.ply];

// The pieces on the board: those of the position, or of a line from it.
const boardNow = () => boardInLine(position().board, position().l || [], state.line || 0);

// The squares that the last move on the screen changed.
const lastSquares = () => {
  const text = state.line ? position().l[state.line - 1][1] : position().u || "";
  return text.match(/[a-h][1-8]/g) || [];
};

// The square whose piece is explained: the selected one, or that of the piece that moved last.
const selectedSquare = () => {
  if (state.line) return null;
  if (state.selected !== null) return position().board[state.selected] ? state.selected : null;
  return position().u ? squareNumber(position().u.slice(2, 4)) : null;
};

// What the tables of worth go by.
const viewNow = () => {
  const { game, ply, line, heat } = state;
  const now = position();
  return {
    ...now, worths: now.worths, before: game.positions[Math.max(0, ply - 1)], tables: game.tables, beyond: game.beyond,
    maps: game.maps?.[now.w], hasMaps: Boolean(game.maps), heat: line ? "off" : heat, selected: selectedSquare(),
    inLine: Boolean(line), isFirst: ply === 0,
  };
};

// The judgement of the last move, for the square to which it went.
const glyphNow = () => {
  const { j: judgement, u: moved } = position();
  return judgement && moved
    ? { mark: MARKS[judgement], words: JUDGEMENTS[judgement], square: squareNumber(moved.slice(2, 4)) } : null;
};

// The board with its numbers, marks and arrow.
const showBoard = () => {
  const now = boardNow();
  const { hot, values, strongest, tableOf } = heatNow();
  const next = position().l?.[state.line || 0];
  const [from, to] = next ? ends(now, next[1]) : [];
  board.show({
    pieces: now, last: lastSquares(), check: state.line ? null : position().h, hot, values, strongest,
    selected: tableOf ?? state.selected,
    glyph: state.line ? null : glyphNow(),
    arrows: state.arrow && next ? [{ from, to, kind: "best" }] : [],
  });
  showLegend();
};
