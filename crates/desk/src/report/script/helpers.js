// The report's script, first part: what is on the screen, and small helpers.
//
// The script shows what the page holds: the data of each game is JSON that the engine wrote (its keys are explained in
// data.rs), and nothing is computed here but what is on the screen. Texts from games enter the page as text nodes only,
// never as markup. The parts are one script in the page, in the order of page.rs.
"use strict";

const byId = (id) => document.getElementById(id);
const NAMES = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };
const MARKS = ["", "?!", "?", "??"];
const JUDGEMENTS = ["", "inaccuracy", "mistake", "blunder"];
// The number at which a color of the overlay is strongest, in centipawns.
const STRONGEST = { worth: 1000, square: 100, change: 60, table: 100 };
const LEGENDS = {
  off: "Switch it on to see where the evaluation comes from.",
  worth: "What each piece is worth on its square, in centipawns. + helps White, − helps Black; with the balance of " +
    "material and the turn they add up to the static evaluation.",
  square: "What its square and the pawns of both sides add to each piece, without its material, given where both kings " +
    "stand. + helps White, − helps Black.",
  change: "How much the last move changed the worth of each piece. + helps White, − helps Black.",
  table: "", // It names the piece: see showLegend.
};

// What is on the screen: the position after `ply` moves of the game or, if `line` is a number, the one that many moves
// along its best line. `selected` is the square of the piece to explain, `heat` what the numbers on the squares show.
const state = { game: null, ply: 0, line: null, flipped: false, selected: null, heat: "worth", arrow: true };
const sections = [...document.querySelectorAll(".game")];

// ---- Small helpers ----

const make = (tag, attributes, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};
const signed = (number) => (number > 0 ? `+${number}` : number < 0 ? `−${-number}` : "0");
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const squareName = (square) => "abcdefgh"[square % 8] + (Math.floor(square / 8) + 1);
const squareNumber = (name) => "abcdefgh".indexOf(name[0]) + 8 * (Number(name[1]) - 1);
const isWhite = (piece) => piece === piece.toUpperCase();
const pieceName = (piece) => `${isWhite(piece) ? "white" : "black"} ${NAMES[piece.toLowerCase()]}`;
const capitalized = (text) => text.charAt(0).toUpperCase() + text.slice(1);
// Elements of SVG are copied from one that the page has, which saves naming the namespace.
const svg = byId("arrows");
const pieceImage = (piece) => {
  const image = svg.cloneNode(false);
  const use = document.createElementNS(svg.namespaceURI, "use");
  use.setAttribute("href", `#${isWhite(piece) ? "w" : "b"}${piece.toUpperCase()}`);
  image.removeAttribute("id");
  image.setAttribute("class", "piece");
  image.setAttribute("viewBox", "0 0 45 45");
  image.append(use);
  return image;
};
// Builds a part of the page anew. The focus stays on what has the same key, or on the first that can have it.
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
