// The material beside the board: what each side has taken, and who is ahead.
//
// Both follow from two boards, the first of the game and the one on the screen. A pawn that has
// become a piece is not taken; when it is lost, a pawn is. Boards don't tell one queen from
// another: while a second one stands, the loss of the first is that of a pawn, too.

const POINTS = { p: 1, n: 3, b: 3, r: 5, q: 9, k: 0 };
const TAKEN_ORDER = "qrbnp";

// How many pieces of each kind a side has on a board.
const countPieces = (board, white) => {
  const counts = { k: 0, q: 0, r: 0, b: 0, n: 0, p: 0 };
  for (const piece of board) if (piece && isWhite(piece) === white) counts[piece.toLowerCase()] += 1;
  return counts;
};

// What a side has lost between the two boards, by kind of piece.
const lostPieces = (start, now, white) => {
  const [before, left] = [start, now].map((board) => countPieces(board, white));
  const gone = [..."qrbn"].map((kind) => [kind, before[kind] - left[kind]]);
  const promoted = sum(gone.map(([, count]) => Math.max(0, -count)));
  const pawns = Math.max(0, before.p - left.p - promoted);
  return Object.fromEntries([...gone.map(([kind, count]) => [kind, Math.max(0, count)]), ["p", pawns]]);
};

const pointsOf = (counts) => sum(Object.entries(counts).map(([kind, count]) => count * POINTS[kind]));

// By how many points a side is ahead, a pawn being one; below zero it is behind.
const lead = (now, white) => pointsOf(countPieces(now, white)) - pointsOf(countPieces(now, !white));

// "has taken a queen and 2 pawns, 3 points of material ahead", for those who listen.
const materialInWords = (taken, ahead) => {
  const kinds = [...TAKEN_ORDER].filter((kind) => taken[kind]);
  const names = kinds.map((kind) => (taken[kind] > 1 ? `${taken[kind]} ${NAMES[kind]}s` : `a ${NAMES[kind]}`));
  const last = names.pop();
  const list = names.length ? `${names.join(", ")} and ${last}` : last;
  const margin = ahead > 0 && `${ahead} point${ahead > 1 ? "s" : ""} of material ahead`;
  return [last && `has taken ${list}`, margin].filter(Boolean).join(", ");
};

// Fills the row of the player who has White, or Black.
const showMaterial = (strip, white, start, now) => {
  const box = strip.querySelector(".material");
  const taken = lostPieces(start, now, !white);
  const ahead = lead(now, white);
  const words = materialInWords(taken, ahead);
  box.hidden = !words;
  if (box.getAttribute("aria-label") === words) return;
  box.setAttribute("aria-label", words);
  const groups = [...TAKEN_ORDER].filter((kind) => taken[kind]).map((kind) => make("span", { class: "kind" },
    ...Array.from({ length: taken[kind] }, () => pieceImage(white ? kind : kind.toUpperCase()))));
  box.replaceChildren(...groups, ahead > 0 ? make("span", { class: "ahead" }, `+${ahead}`) : "");
};
