// What each piece is worth, on the board and in tables.
//
// `viewNow()`, which the page provides, is what is on the screen: the pieces `board`, their
// `worths` by square, what is beyond the pieces (`b`), the bonus for the turn `t` and the sum `e`,
// what was taken (`x`); the same of the position `before`; the names of the `tables` and of what is
// `beyond`; the `maps` of the position, and what the reader has chosen: `heat`, and the piece that
// is explained, `selected`. In a line of play nothing is selected, and on the board there are
// no worths.

// The number at which a color of the overlay is strongest, in centipawns.
const STRONGEST = { worth: 1000, square: 100, change: 60, table: 100 };
const LEGENDS = {
  off: "Switch it on to see where the evaluation comes from.",
  worth: "What each piece is worth on its square, in centipawns. + helps White, − helps Black; with the balance of " +
    "material, the attacks and the turn they add up to the static evaluation.",
  square: "What its square and the pawns of both sides add to each piece, without its material, given where both kings " +
    "stand. + helps White, − helps Black.",
  change: "How much the last move changed the worth of each piece. + helps White, − helps Black.",
  table: "", // It names the piece: see showLegend.
};

// The worths by square from the flat list of a position; what is left out is as it was in the
// position before.
const readWorths = ({ v: list }, board, tables, before) => {
  const news = {};
  for (let at = 0; at < list.length; at += tables + 2) {
    const terms = list.slice(at + 1, at + 1 + tables);
    news[list[at]] = { terms, total: sum(terms), change: list[at + 1 + tables] };
  }
  const worths = {};
  board.forEach((piece, square) => {
    if (piece) worths[square] = news[square] || { ...before[square], change: 0 };
  });
  return worths;
};

// ---- On the squares ----

// The table of the piece that is explained: what every square would add to it. A king has none,
// since the tables of all others go by its square.
const tableNow = () => {
  const { selected, board, worths, maps } = viewNow();
  if (selected === null || !worths) return null;
  const piece = board[selected];
  const values = maps?.[piece];
  if (!values) return null;
  const { total, terms } = worths[selected];
  const canStand = (at) => !/k/i.test(board[at]) && (!/p/i.test(piece) || (at > 7 && at < 56));
  // On its own square the piece shows what the sum has, which rounding may move by one.
  return values.map((value, at) => (at === selected ? total - terms[0] : canStand(at) ? value : null));
};

// The numbers on the squares, for the board.
const heatNow = () => {
  const { heat, worths, selected } = viewNow();
  const isHot = heat !== "off" && Boolean(worths);
  const table = isHot && heat === "table" ? tableNow() : null;
  const valueOn = (square) => {
    if (!isHot) return null;
    if (heat === "table") return table ? table[square] : null;
    const worth = worths[square];
    if (!worth) return null;
    if (heat === "worth") return worth.total;
    return heat === "change" ? worth.change || null : worth.total - worth.terms[0];
  };
  return { hot: isHot, values: valueOn, strongest: STRONGEST[heat], tableOf: table ? selected : null };
};

const showLegend = () => {
  const { heat, board, selected, maps, hasMaps } = viewNow();
  let text = LEGENDS[heat];
  if (heat === "table") {
    const piece = selected === null ? "" : board[selected];
    // A pawn is one of the pawns that the table goes by, and stays where it is.
    const name = /p/i.test(piece) ? `one more ${pieceName(piece)}` : `the ${piece && pieceName(piece)} on ${squareName(selected ?? 0)}`;
    text = tableNow()
      ? `What each square would add to ${name}, with the kings and the pawns where they stand. + helps White, − helps Black.`
      : !hasMaps ? "Pages with many games have no tables."
      : piece && !/k/i.test(piece) && !maps ? "This ending has a table of its own, in which single pieces add nothing."
      : "Select a piece other than a king to see its table.";
  }
  byId("legend-text").textContent = text;
  byId("legend").classList.toggle("off", heat === "off");
  byId("scale-low").textContent = `−${STRONGEST[heat] ?? ""}`;
  byId("scale-high").textContent = `+${STRONGEST[heat] ?? ""}`;
};

// ---- In tables ----

const sideSum = (at, white) =>
  sum(Object.entries(at.worths).filter(([square]) => isWhite(at.board[square]) === white).map(([, worth]) => worth.total));

// The parts of the static evaluation: name, value, and the value in the position before.
const parts = () => {
  const now = viewNow();
  const { before } = now;
  const rows = [
    ["White’s pieces", sideSum(now, true), sideSum(before, true)],
    ["Black’s pieces", sideSum(now, false), sideSum(before, false)],
  ];
  now.beyond.forEach((name, index) => {
    const value = (at) => at.b[2 * index] - at.b[2 * index + 1];
    rows.push([capitalized(name), value(now), value(before)]);
  });
  rows.push([now.turn === "w" ? "White to move" : "Black to move", now.t, before.t]);
  return rows;
};

const numberCell = (value, changed) =>
  make("td", { class: value > 0 ? "plus" : value < 0 ? "minus" : "zero" }, changed && value === 0 ? "·" : signed(value));

const headRow = (...labels) => make("thead", {}, make("tr", {}, ...labels.map((label) =>
  label ? make("th", { scope: "col" }, label) : make("td", {}))));

const showSum = () => {
  const { e: total, before } = viewNow();
  const body = make("tbody", {});
  for (const [name, value, earlier] of parts()) {
    body.append(make("tr", {}, make("th", { scope: "row" }, name), numberCell(value), numberCell(value - earlier, true)));
  }
  const foot = make("tfoot", {}, make("tr", {}, make("th", { scope: "row" }, "Static evaluation"),
    numberCell(total), numberCell(total - before.e, true)));
  byId("sum").replaceChildren(headRow("", "centipawns", "last move"), body, foot);
};

const showPiece = () => {
  const { board, worths, selected, inLine, isFirst } = viewNow();
  const box = byId("piece");
  box.replaceChildren();
  if (selected === null) {
    box.append(make("p", { class: "hint" }, inLine
      ? "In a line the pieces have no numbers: they stand for the positions of the game."
      : "Select a piece, on the board or below, to see what it is worth."));
    return;
  }
  const piece = board[selected];
  const { terms, total, change } = worths[selected];
  const title = make("h3", {}, pieceImage(piece), `${capitalized(pieceName(piece))} on ${squareName(selected)}`);
  const strongest = Math.max(...terms.map(Math.abs), 1);
  const list = make("table", { class: "terms" });
  terms.forEach((value, index) => {
    const bar = make("span", { class: `bar ${value < 0 ? "minus" : "plus"}` });
    bar.style.width = `${Math.max(1, Math.abs(value) / strongest * 100)}%`;
    list.append(make("tr", {}, make("th", { scope: "row" }, tableName(index, piece)), numberCell(value),
      make("td", { class: "bars", "aria-hidden": "true" }, bar)));
  });
  list.append(make("tr", { class: "total" }, make("th", { scope: "row" }, "in all"), numberCell(total), make("td", {})));
  box.append(title, list);
  if (!isFirst) {
    const text = change === 0 ? "The last move did not change it." : `The last move changed it by ${signed(change)}.`;
    box.append(make("p", { class: "hint" }, text));
  }
};

// A piece and what it is worth, for those who listen.
const worthInWords = (square) => {
  const { board, worths } = viewNow();
  const { terms, total } = worths[square];
  const words = terms.map((value, index) => `${tableName(index, board[square])} ${signed(value)}`);
  return `${pieceName(board[square])} on ${squareName(square)}: worth ${signed(total)}; ${words.join(", ")}.`;
};

// The name of a table, with the square of the king that it goes by.
const tableName = (index, piece) => {
  const { tables, board } = viewNow();
  const name = tables[index];
  const king = name === "own king" ? isWhite(piece) : name === "enemy king" ? !isWhite(piece) : null;
  if (king === null) return name;
  const article = name === "own king" ? "its" : "the";
  return `square, with ${article} ${name} on ${squareName(board.indexOf(king ? "K" : "k"))}`;
};

const showPieces = (select) => rebuild(byId("pieces"), () => {
  const { board, worths, heat, tables, selected, before, e: sumNow, x: taken } = viewNow();
  const order = "KQRBNPkqrbnp";
  const squares = Object.keys(worths).map(Number);
  const rank = (square) => order.indexOf(board[square]);
  const size = (square) => Math.abs(worths[square].change);
  squares.sort((a, b) => (heat === "change" && size(b) - size(a)) || rank(a) - rank(b) || a - b);
  const body = make("tbody", {});
  const tableRow = (head, numbers, change) => {
    const row = make("tr", {}, make("th", { scope: "row" }, head), ...numbers, numberCell(change, true));
    body.append(row);
    return row;
  };
  // What is no single piece's has no table of its own: its name takes their columns.
  const wideRow = (head, value, change) => {
    const row = tableRow(head, [value === null ? make("td", {}) : numberCell(value)], change);
    row.firstChild.colSpan = 1 + tables.length;
    return row;
  };
  for (const square of squares) {
    const { terms, total, change } = worths[square];
    const words = { "aria-label": `${pieceName(board[square])} on ${squareName(square)}` };
    const button = make("button", { type: "button", "data-key": squareName(square), ...words });
    button.append(pieceImage(board[square]), squareName(square));
    button.addEventListener("click", () => select(square));
    const row = tableRow(button, [...terms, total].map((value) => numberCell(value)), change);
    row.classList.toggle("selected", selected === square);
    row.dataset.square = squareName(square);
  }
  if (taken) {
    const [square, piece, change] = taken;
    wideRow(make("span", { title: `${pieceName(piece)} taken on ${squareName(square)}` }, pieceImage(piece), "taken"), null, change);
  }
  parts().slice(2).forEach(([name, value, earlier]) => wideRow(name, value, value - earlier));
  const total = wideRow("Sum", sumNow, sumNow - before.e);
  total.className = "total";
  const heads = ["piece", ...tables, "worth", "change"];
  byId("pieces").replaceChildren(make("caption", {}, "Piece by piece, table by table"), headRow(...heads), body);
});
