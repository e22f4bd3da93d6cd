// Small helpers, the pieces, and moves in words.
//
// The script of a page shows what the engine wrote as JSON, and computes nothing but what is on the
// screen: it knows no rules of chess. Texts from games enter the page as text nodes only, never as
// markup. The parts are one script in the page, this one first.
"use strict";

const byId = (id) => document.getElementById(id);
const NAMES = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };
const MARKS = ["", "?!", "?", "??"];
const JUDGEMENTS = ["", "inaccuracy", "mistake", "blunder"];

const make = (tag, attributes, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};
// Writes a text, but not the same once more: what is written anew is read out anew.
const setText = (element, text) => { if (element.textContent !== text) element.textContent = text; };
const signed = (number) => (number > 0 ? `+${number}` : number < 0 ? `−${-number}` : "0");
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const squareName = (square) => "abcdefgh"[square % 8] + (Math.floor(square / 8) + 1);
const squareNumber = (name) => "abcdefgh".indexOf(name[0]) + 8 * (Number(name[1]) - 1);
const isWhite = (piece) => piece === piece.toUpperCase();
const pieceName = (piece) => `${isWhite(piece) ? "white" : "black"} ${NAMES[piece.toLowerCase()]}`;
// A pawn's move or a square stays as it is.
const capitalized = (text) => (/^[a-h](x?[a-h])?[1-8]/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1));

// Elements of SVG are copied from one that the page has, which saves naming the namespace.
const svg = byId("arrows");
const drawing = (tag, attributes, ...children) => {
  const element = document.createElementNS(svg.namespaceURI, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};
const pieceImage = (piece) => drawing("svg", { class: "piece", viewBox: "0 0 45 45", "aria-hidden": "true" },
  drawing("use", { href: `#${isWhite(piece) ? "w" : "b"}${piece.toUpperCase()}` }));

// Builds a part of the page anew. The focus stays on what has the same key, or on the first that
// can have it.
const rebuild = (box, build) => {
  const focused = box.contains(document.activeElement) && document.activeElement;
  build();
  if (!focused) return;
  const same = [...box.querySelectorAll("button")].find((button) => button.dataset.key === focused.dataset.key);
  (same || box.querySelector("button"))?.focus({ preventScroll: true });
};

const store = (key, value) => {
  try { localStorage.setItem(key, value); } catch { /* Some browsers forbid it for local files. */ }
};
const stored = (key) => {
  try { return localStorage.getItem(key); } catch { return null; }
};

// ---- Light and dark ----

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

const beginTheme = () => {
  const theme = stored("squarewise-theme");
  if (theme) document.documentElement.dataset.theme = theme;
  byId("theme").setAttribute("aria-pressed", isDark());
  byId("theme").addEventListener("click", toggleTheme);
};

// ---- Positions and moves ----

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

// The board after the first `count` moves of a line: each tells what it changes, such as `g1-f3N`.
const boardInLine = (start, line, count) => {
  const board = [...start];
  for (const [, edits] of line.slice(0, count)) {
    for (let at = 0; at < edits.length; at += 3) {
      const piece = edits[at + 2];
      board[squareNumber(edits.slice(at, at + 2))] = piece === "-" ? "" : piece;
    }
  }
  return board;
};

// From where to where a move goes, given what it changes. A king that castles goes before its rook.
const ends = (board, edits) => {
  const changes = edits.match(/.../g).map((edit) => [squareNumber(edit), edit[2]]);
  const arrivals = changes.filter(([, piece]) => piece !== "-");
  const [to, piece] = arrivals.find(([, arrived]) => /k/i.test(arrived)) || arrivals[0];
  const left = changes.filter(([square]) => square !== to && board[square] && isWhite(board[square]) === isWhite(piece));
  const same = left.find(([square]) => board[square] === piece) || left[0];
  return [same ? same[0] : to, to];
};

// A move in words, for those who listen: "knight takes e5, check".
const spoken = (move) => {
  let words;
  if (move.startsWith("O-O-O")) words = "castles queenside";
  else if (move.startsWith("O-O")) words = "castles kingside";
  else if (move === "--") words = "passes";
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

// Where the pieces stand, for those who listen.
const inWords = (board) => {
  const side = (white) => [..."kqrbnp"].map((letter) => {
    const squares = [...board.keys()].filter((square) => board[square] === (white ? letter.toUpperCase() : letter));
    return squares.length ? `${NAMES[letter]}${squares.length > 1 ? "s" : ""} ${squares.map(squareName).join(" ")}` : "";
  }).filter(Boolean).join(", ");
  return `White: ${side(true)}. Black: ${side(false)}.`;
};
