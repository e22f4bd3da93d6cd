// The board: pieces, numbers, colors, the arrow of the best move.

const cells = new Map();

const buildBoard = () => {
  const board = byId("board");
  const focused = document.activeElement.closest("[role=gridcell]");
  const reached = board.querySelector("[tabindex='0']");
  board.replaceChildren();
  const order = [...Array(8).keys()];
  const ranks = state.flipped ? order : [...order].reverse();
  const files = state.flipped ? [...order].reverse() : order;
  for (const rank of ranks) {
    const row = make("div", { role: "row" });
    for (const file of files) {
      const square = 8 * rank + file;
      const cell = make("div", { role: "gridcell", "data-square": squareName(square), tabindex: "-1" });
      cell.className = (rank + file) % 2 ? "light" : "dark";
      if (rank === ranks[7]) cell.dataset.file = "abcdefgh"[file];
      if (file === files[0]) cell.dataset.rank = rank + 1;
      cell.append(make("span", { class: "value" }));
      cells.set(square, cell);
      row.append(cell);
    }
    board.append(row);
  }
  // A board that is turned keeps its focus.
  const entry = cells.get(reached ? squareNumber(reached.dataset.square) : 0);
  entry.tabIndex = 0;
  if (focused) entry.focus();
};

// The table of the piece that is explained: what every square would add to it. A king has none, since the tables of
// all others go by its square.
const tableNow = () => {
  const square = selectedSquare();
  if (square === null) return null;
  const piece = position().board[square];
  const values = state.game.maps?.[position().w]?.[piece];
  if (!values) return null;
  const { total, terms } = position().worths[square];
  const canStand = (at) => !/k/i.test(position().board[at]) && (!/p/i.test(piece) || (at > 7 && at < 56));
  // On its own square the piece shows what the sum has, which rounding may move by one.
  return values.map((value, at) => (at === square ? total - terms[0] : canStand(at) ? value : null));
};

const valueOn = (square, table) => {
  const worth = position().worths[square];
  if (state.heat === "table") return table ? table[square] : null;
  if (!worth || state.line || state.heat === "off") return null;
  if (state.heat === "worth") return worth.total;
  return state.heat === "change" ? worth.change : worth.total - worth.terms[0];
};

const showBoard = () => {
  const board = boardNow();
  const last = lastSquares();
  const checked = state.line ? null : position().h;
  const isHot = state.heat !== "off" && !state.line;
  const table = state.heat === "table" ? tableNow() : null;
  byId("board").classList.toggle("hot", isHot);
  for (const [square, cell] of cells) {
    const piece = board[square];
    if ((cell.dataset.piece || "") !== piece) {
      cell.querySelector(".piece")?.remove();
      if (piece) cell.prepend(pieceImage(piece));
      cell.dataset.piece = piece;
    }
    cell.classList.toggle("last", last.includes(squareName(square)));
    cell.classList.toggle("check", checked === square);
    const isSelected = state.selected === square || (table && selectedSquare() === square);
    cell.classList.toggle("selected", Boolean(isSelected));
    const value = valueOn(square, table);
    const isShown = value !== null && !(state.heat === "change" && value === 0);
    cell.classList.toggle("plus", isShown && value > 0);
    cell.classList.toggle("minus", isShown && value < 0);
    const heat = isShown ? Math.min(1, Math.sqrt(Math.abs(value) / STRONGEST[state.heat])) : 0;
    cell.style.setProperty("--heat", `${Math.round(heat * 78)}%`);
    cell.querySelector(".value").textContent = isShown ? signed(value) : "";
    const words = piece ? `${squareName(square)}, ${pieceName(piece)}` : `${squareName(square)}, empty`;
    cell.setAttribute("aria-label", isShown ? `${words}, ${signed(value)}` : words);
    cell.setAttribute("aria-selected", state.selected === square);
  }
  showArrow();
  showLegend();
};

const showLegend = () => {
  let text = LEGENDS[state.heat];
  if (state.heat === "table") {
    const square = selectedSquare();
    const piece = square === null ? "" : position().board[square];
    // A pawn is one of the pawns that the table goes by, and stays where it is.
    const name = /p/i.test(piece) ? `one more ${pieceName(piece)}` : `the ${piece && pieceName(piece)} on ${squareName(square)}`;
    text = tableNow()
      ? `What each square would add to ${name}, with the kings and the pawns where they stand. + helps White, − helps Black.`
      : state.game.maps ? "Select a piece other than a king to see its table." : "Pages with many games have no tables.";
  }
  byId("legend-text").textContent = text;
  byId("legend").classList.toggle("off", state.heat === "off");
  byId("scale-low").textContent = `−${STRONGEST[state.heat] ?? ""}`;
  byId("scale-high").textContent = `+${STRONGEST[state.heat] ?? ""}`;
};

// The arrow of the best move in the position on the board.
const showArrow = () => {
  const next = position().l?.[state.line || 0];
  svg.classList.toggle("shown", Boolean(state.arrow && next));
  if (!state.arrow || !next) return;
  const [from, to] = ends(next[1]);
  const place = (square) => {
    const [x, y] = [square % 8 + 0.5, 7.5 - Math.floor(square / 8)];
    return state.flipped ? [8 - x, 8 - y] : [x, y];
  };
  const [[x1, y1], [x2, y2]] = [place(from), place(to)];
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const line = { x1: x1 + dx * 0.3, y1: y1 + dy * 0.3, x2: x2 - dx * 0.22, y2: y2 - dy * 0.22 };
  for (const [name, value] of Object.entries(line)) byId("best").setAttribute(name, value.toFixed(3));
};

// From where to where a move goes, given what it changes. A king that castles goes before its rook.
const ends = (edits) => {
  const changes = edits.match(/.../g).map((edit) => [squareNumber(edit), edit[2]]);
  const board = boardNow();
  const arrivals = changes.filter(([, piece]) => piece !== "-");
  const [to, piece] = arrivals.find(([, arrived]) => /k/i.test(arrived)) || arrivals[0];
  const left = changes.filter(([square]) => square !== to && board[square] && isWhite(board[square]) === isWhite(piece));
  const same = left.find(([square]) => board[square] === piece) || left[0];
  return [same ? same[0] : to, to];
};

// A piece that moves one step slides to its square, unless the reader prefers less motion.
const slide = (from, to) => {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const [start, end] = [cells.get(from), cells.get(to)].map((cell) => cell.getBoundingClientRect());
  const image = cells.get(to).querySelector(".piece");
  const shift = `translate(${start.x - end.x}px, ${start.y - end.y}px)`;
  image?.animate([{ transform: shift }, { transform: "none" }], { duration: 130, easing: "ease-out" });
};
