// The data of a game unpacked, and the position that is on the screen.

// ---- The data of a game ----

// The pieces of a FEN by square number, a1 = 0.
const readBoard = (fen) => {
  const board = Array(64).fill("");
  let [file, rank] = [0, 7];
  for (const letter of fen.split(" ")[0]) {
    if (letter === "/") [file, rank] = [0, rank - 1];
    else if (/\d/.test(letter)) file += Number(letter);
    else board[8 * rank + file++] = letter;
  }
  return board;
};

// The data with what is left out filled in: the board of each position, and the worth of each piece, which stands in
// the data only where it changed.
const unpack = (game) => {
  const tables = game.tables.length;
  let worths = {};
  for (const position of game.positions) {
    position.board = readBoard(position.f);
    const [, turn, , , , number] = position.f.split(" ");
    position.turn = turn;
    position.number = Number(number);
    const news = {};
    for (let at = 0; at < position.v.length; at += tables + 2) {
      const terms = position.v.slice(at + 1, at + 1 + tables);
      news[position.v[at]] = { terms, total: sum(terms), change: position.v[at + 1 + tables] };
    }
    position.worths = {};
    position.board.forEach((piece, square) => {
      if (piece) position.worths[square] = news[square] || { ...worths[square], change: 0 };
    });
    worths = position.worths;
  }
  return game;
};

// "12." or "12…" for the move that leads to position `ply`.
const moveNumber = (ply) => {
  const before = state.game.positions[ply - 1];
  return `${before.number}${before.turn === "w" ? "." : "…"}`;
};

// A move in words, for those who listen: "knight takes e5, check".
const spoken = (move) => {
  let words;
  if (move.startsWith("O-O-O")) words = "castles queenside";
  else if (move.startsWith("O-O")) words = "castles kingside";
  else {
    const piece = NAMES[/^[KQRBN]/.test(move) ? move[0].toLowerCase() : "p"];
    const [target] = move.match(/[a-h][1-8](?!.*[a-h][1-8])/) || [""];
    const promoted = move.match(/=([QRBN])/);
    const [, origin] = move.match(/^[KQRBN]?([a-h]?[1-8]?)x?[a-h][1-8]/) || ["", ""];
    const from = !origin ? "" : origin.length === 2 ? ` on ${origin}`
      : /\d/.test(origin) ? ` on rank ${origin}` : ` on the ${origin}-file`;
    words = `${piece}${from} ${move.includes("x") ? "takes" : "to"} ${target}`;
    if (promoted) words += ` and becomes a ${NAMES[promoted[1].toLowerCase()]}`;
  }
  return words + (move.includes("#") ? ", checkmate" : move.includes("+") ? ", check" : "");
};

// Whether the game is over in a position that was searched: then there is no line from it.
const isOver = (at) => Boolean(at.s) && !at.l;

// The score of the search for those who listen, or how the game has ended; the move itself says that it is mate.
const evaluationInWords = (at) => (isOver(at) ? (at.s === "½" ? "draw" : "") : at.s && `evaluation ${at.s}`);

// ---- What is on the board now ----

const position = () => state.game.positions[state.ply];

// The pieces on the board: those of the position, or of a line from it.
const boardNow = () => {
  const board = [...position().board];
  for (const [, edits] of state.line ? position().l.slice(0, state.line) : []) {
    for (let at = 0; at < edits.length; at += 3) {
      const piece = edits[at + 2];
      board[squareNumber(edits.slice(at, at + 2))] = piece === "-" ? "" : piece;
    }
  }
  return board;
};

// The squares that the last move on the screen changed.
const lastSquares = () => {
  const text = state.line ? position().l[state.line - 1][1] : position().u || "";
  return text.match(/[a-h][1-8]/g) || [];
};
