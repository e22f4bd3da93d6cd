// The static evaluation taken apart: the sum, the selected piece, all pieces.

// The square whose piece is explained: the selected one, or that of the piece that moved last.
const selectedSquare = () => {
  if (state.line) return null;
  if (state.selected !== null) return position().board[state.selected] ? state.selected : null;
  return position().u ? squareNumber(position().u.slice(2, 4)) : null;
};

const sideSum = (at, white) =>
  sum(Object.entries(at.worths).filter(([square]) => isWhite(at.board[square]) === white).map(([, worth]) => worth.total));

// The parts of the static evaluation: name, value, and the value in the position before.
const parts = () => {
  const now = position();
  const before = state.game.positions[Math.max(0, state.ply - 1)];
  const rows = [
    ["White’s pieces", sideSum(now, true), sideSum(before, true)],
    ["Black’s pieces", sideSum(now, false), sideSum(before, false)],
  ];
  state.game.beyond.forEach((name, index) => {
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
  const body = make("tbody", {});
  for (const [name, value, before] of parts()) {
    body.append(make("tr", {}, make("th", { scope: "row" }, name), numberCell(value), numberCell(value - before, true)));
  }
  const before = state.game.positions[Math.max(0, state.ply - 1)];
  const foot = make("tfoot", {}, make("tr", {}, make("th", { scope: "row" }, "Static evaluation"),
    numberCell(position().e), numberCell(position().e - before.e, true)));
  byId("sum").replaceChildren(headRow("", "centipawns", "last move"), body, foot);
};

const showPiece = () => {
  const box = byId("piece");
  box.replaceChildren();
  const square = selectedSquare();
  if (square === null) {
    box.append(make("p", { class: "hint" }, state.line
      ? "In a line the pieces have no numbers: they stand for the positions of the game."
      : "Select a piece, on the board or below, to see what it is worth."));
    return;
  }
  const piece = position().board[square];
  const { terms, total, change } = position().worths[square];
  const title = make("h3", {}, pieceImage(piece), `${capitalized(pieceName(piece))} on ${squareName(square)}`);
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
  if (state.ply > 0) {
    const text = change === 0 ? "The last move did not change it." : `The last move changed it by ${signed(change)}.`;
    box.append(make("p", { class: "hint" }, text));
  }
};

// The name of a table, with the square of the king that it goes by.
const tableName = (index, piece) => {
  const name = state.game.tables[index];
  const king = name === "own king" ? isWhite(piece) : name === "enemy king" ? !isWhite(piece) : null;
  if (king === null) return name;
  const article = name === "own king" ? "its" : "the";
  return `square, with ${article} ${name} on ${squareName(position().board.indexOf(king ? "K" : "k"))}`;
};

const showPieces = () => rebuild(byId("pieces"), () => {
  const order = "KQRBNPkqrbnp";
  const squares = Object.keys(position().worths).map(Number);
  const rank = (square) => order.indexOf(position().board[square]);
  const size = (square) => Math.abs(position().worths[square].change);
  squares.sort((a, b) => (state.heat === "change" && size(b) - size(a)) || rank(a) - rank(b) || a - b);
  const body = make("tbody", {});
  const tableRow = (head, numbers, change) => {
    const row = make("tr", {}, make("th", { scope: "row" }, head), ...numbers, numberCell(change, true));
    body.append(row);
    return row;
  };
  // What is no single piece's has no table of its own: its name takes their columns.
  const wideRow = (head, value, change) => {
    const row = tableRow(head, [value === null ? make("td", {}) : numberCell(value)], change);
    row.firstChild.colSpan = 1 + state.game.tables.length;
    return row;
  };
  for (const square of squares) {
    const piece = position().board[square];
    const { terms, total, change } = position().worths[square];
    const words = { "aria-label": `${pieceName(piece)} on ${squareName(square)}` };
    const button = make("button", { type: "button", "data-key": squareName(square), ...words });
    button.append(pieceImage(piece), squareName(square));
    button.addEventListener("click", () => select(square));
    const row = tableRow(button, [...terms, total].map((value) => numberCell(value)), change);
    row.classList.toggle("selected", selectedSquare() === square);
    row.dataset.square = squareName(square);
  }
  if (position().x) {
    const [square, piece, change] = position().x;
    wideRow(make("span", { title: `${pieceName(piece)} taken on ${squareName(square)}` }, pieceImage(piece), "taken"), null, change);
  }
  parts().slice(2).forEach(([name, value, before]) => wideRow(name, value, value - before));
  const before = state.game.positions[Math.max(0, state.ply - 1)];
  const total = wideRow("Sum", position().e, position().e - before.e);
  total.className = "total";
  const heads = ["piece", ...state.game.tables, "worth", "change"];
  byId("pieces").replaceChildren(make("caption", {}, "Piece by piece, table by table"), headRow(...heads), body);
});
