// The report's script. It shows what the page holds: the data of each game is JSON that the engine wrote (its keys are
// explained in data.rs), and nothing is computed here but what is on the screen. Texts from games enter the page as
// text nodes only, never as markup.
"use strict";
(() => {
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
    square: "What its square adds to each piece, without its material, given where both kings stand. + helps White, " +
      "− helps Black.",
    change: "How much the last move changed the worth of each piece. + helps White, − helps Black.",
    table: "", // It names the piece: see showLegend.
  };

  // What is on the screen: a position of the game, and if `line` is set, a position `steps` moves along the best line
  // of the position `from`.
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
  const store = (key, value) => {
    try { localStorage.setItem(key, value); } catch { /* Some browsers forbid it for local files. */ }
  };
  const stored = (key) => {
    try { return localStorage.getItem(key); } catch { return null; }
  };

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
      words = `${piece} ${move.includes("x") ? "takes" : "to"} ${target}`;
      if (promoted) words += ` and becomes a ${NAMES[promoted[1].toLowerCase()]}`;
    }
    return words + (move.includes("#") ? ", checkmate" : move.includes("+") ? ", check" : "");
  };

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

  // ---- The board ----

  const cells = new Map();

  const buildBoard = () => {
    const board = byId("board");
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
    cells.get(state.flipped ? 63 : 0).tabIndex = 0;
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
    const canStand = (at) => !/p/i.test(piece) || (at > 7 && at < 56);
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
      const name = square === null ? "" : `${pieceName(position().board[square])} on ${squareName(square)}`;
      text = tableNow()
        ? `What each square would add to the ${name}, with the kings where they stand. + helps White, − helps Black.`
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

  // ---- Around the board ----

  const showPlayers = () => {
    const [far, near] = state.flipped ? ["white", "black"] : ["black", "white"];
    for (const [id, side] of [["far", far], ["near", near]]) {
      const strip = byId(id);
      const [name, rating] = state.game[side];
      // The clock of a side after its own last move.
      const mover = side === "white" ? "b" : "w";
      let ply = state.ply;
      while (ply > 0 && state.game.positions[ply].turn !== mover) ply -= 1;
      strip.classList.toggle("black", side === "black");
      strip.classList.toggle("to-move", (side === "white") === (position().turn === "w") && !state.line);
      strip.querySelector(".name").textContent = name;
      strip.querySelector(".rating").textContent = rating;
      strip.querySelector(".clock").textContent = (ply > 0 && state.game.positions[ply].c) || "";
    }
    const points = position().q ?? 500;
    const bar = byId("bar");
    bar.classList.toggle("flipped", state.flipped);
    bar.firstElementChild.style.height = `${points / 10}%`;
    bar.setAttribute("aria-label", `White’s expected points: ${Math.round(points / 10)} percent`);
  };

  // The best line of the position, or the better line if the last move was judged.
  const showLine = () => {
    const box = byId("line");
    box.replaceChildren();
    const { s: score, d: depth, l: line, j: judgement, a: loss, m: move } = position();
    if (judgement && !state.line) {
      const text = `${moveNumber(state.ply)} ${move}${MARKS[judgement]} ${judgement === 1 ? "is an" : "is a"} ` +
        `${JUDGEMENTS[judgement]}: it gives away ${(loss / 10).toFixed(1)} of 100 points.`;
      box.append(make("p", { class: JUDGEMENTS[judgement] }, text));
    }
    const head = make("p", { class: "score" }, make("b", {}, score ?? "–"));
    head.append(depth ? ` after a search of depth ${depth}` : score ? " – the game is over" : " not searched");
    box.append(head);
    if (line?.length) box.append(lineMoves(state.ply, line, "Best"));
    if (state.line) {
      const leave = make("button", { type: "button", class: "leave" }, "Back to the game (Esc)");
      leave.addEventListener("click", () => leaveLine());
      box.append(leave);
    }
  };

  // The moves of a line as buttons that put them on the board.
  const lineMoves = (ply, line, label) => {
    const paragraph = make("p", { class: "moves-of-line" }, make("span", { class: "label" }, `${label}: `));
    const { number, turn } = state.game.positions[ply];
    line.forEach(([move], index) => {
      const count = 2 * number + (turn === "w" ? 0 : 1) + index;
      const prefix = count % 2 === 0 ? `${count / 2}. ` : index === 0 ? `${(count - 1) / 2}… ` : "";
      const button = make("button", { type: "button", "aria-label": `${label} line: ${spoken(move)}` }, prefix + move);
      const isNow = state.ply === ply && state.line === index + 1;
      button.classList.toggle("now", isNow);
      button.addEventListener("click", () => go(ply, index + 1));
      paragraph.append(button, " ");
    });
    return paragraph;
  };

  const buildMoves = () => {
    const list = byId("moves");
    list.replaceChildren();
    byId("preface").textContent = state.game.comment;
    byId("preface").hidden = !state.game.comment;
    let item = null;
    state.game.positions.forEach((after, ply) => {
      if (ply === 0) return;
      const before = state.game.positions[ply - 1];
      if (!item || before.turn === "w") {
        item = make("li", {}, make("span", { class: "number" }, `${before.number}.`));
        list.append(item);
      }
      const judgement = JUDGEMENTS[after.j || 0];
      const side = before.turn === "w" ? "white" : "black";
      const words = [spoken(after.m), judgement, after.s && `evaluation ${after.s}`, after.c && `clock ${after.c}`];
      const label = `${moveNumber(ply)} ${words.filter(Boolean).join(", ")}`;
      const button = make("button", { type: "button", class: `move ${side}`, "data-ply": ply, "aria-label": label });
      button.append(make("span", { class: "san" }, after.m, make("span", { class: `mark ${judgement}` }, MARKS[after.j || 0])));
      button.append(make("span", { class: "score" }, after.s ?? ""));
      button.addEventListener("click", () => go(ply));
      item.append(button);
      if (after.j && before.l?.length) {
        const better = lineMoves(ply - 1, before.l.slice(0, 5), "Better");
        better.classList.add("note");
        better.append(make("span", { class: "score" }, before.s ?? ""));
        item.append(better);
      }
      if (after.k) item.append(make("p", { class: "note comment", dir: "auto" }, after.k));
    });
  };

  const showMoves = () => {
    const list = byId("moves");
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const now = list.querySelector(`[data-ply="${state.ply}"]`);
    const pane = list.closest(".scroll");
    if (!now) {
      pane.scrollTop = 0;
      return;
    }
    now.setAttribute("aria-current", "true");
    // Only the pane scrolls, never the page.
    const [seen, view] = [now.getBoundingClientRect(), pane.getBoundingClientRect()];
    if (pane.scrollHeight > pane.clientHeight && (seen.top < view.top + 8 || seen.bottom > view.bottom - 8)) {
      pane.scrollTop += seen.top - view.top - view.height / 2;
    }
  };

  // ---- The graph ----

  const showGraph = () => {
    const slider = currentSection().querySelector(".slider");
    const { width, margin, last } = slider.dataset;
    const x = Number(margin) + (width - 2 * margin) * state.ply / Math.max(1, last);
    const cursor = slider.querySelector(".cursor");
    cursor.setAttribute("x1", x.toFixed(1));
    cursor.setAttribute("x2", x.toFixed(1));
    slider.setAttribute("aria-valuenow", state.ply);
    slider.setAttribute("aria-valuetext", headline());
  };

  const jumpOnGraph = (slider, event) => {
    const { width, margin, last } = slider.dataset;
    const view = slider.getBoundingClientRect();
    const x = (event.clientX - view.left) / view.width * width;
    const place = (x - margin) / (width - 2 * margin);
    go(Math.round(Math.min(1, Math.max(0, place)) * last));
  };

  // ---- Why ----

  // The square whose piece is explained: the selected one, or that of the piece that moved last.
  const selectedSquare = () => {
    if (state.line) return null;
    if (state.selected !== null) return position().board[state.selected] ? state.selected : null;
    return position().u ? squareNumber(position().u.slice(2)) : null;
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

  const showPieces = () => {
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
    for (const square of squares) {
      const piece = position().board[square];
      const { terms, total, change } = position().worths[square];
      const button = make("button", { type: "button", "aria-label": `${pieceName(piece)} on ${squareName(square)}` });
      button.append(pieceImage(piece), squareName(square));
      button.addEventListener("click", () => select(square));
      const row = tableRow(button, [...terms, total].map((value) => numberCell(value)), change);
      row.classList.toggle("selected", selectedSquare() === square);
      row.dataset.square = squareName(square);
    }
    const wide = (value) => [make("td", { colspan: state.game.tables.length }), value === null ? make("td", {}) : numberCell(value)];
    if (position().x) {
      const [square, piece, change] = position().x;
      tableRow(make("span", { title: `${pieceName(piece)} taken on ${squareName(square)}` }, pieceImage(piece), "taken"),
        wide(null), change);
    }
    parts().slice(2).forEach(([name, value, before]) => tableRow(name, wide(value), value - before));
    const before = state.game.positions[Math.max(0, state.ply - 1)];
    const total = tableRow("Sum", wide(position().e), position().e - before.e);
    total.className = "total";
    const heads = ["piece", ...state.game.tables, "worth", "change"];
    byId("pieces").replaceChildren(make("caption", {}, "Piece by piece, table by table"), headRow(...heads), body);
  };

  // ---- In words ----

  // The position in a few words: the move that led to it, and its score.
  const headline = () => {
    const { m: move, j: judgement, s: score } = position();
    const words = move ? `${moveNumber(state.ply)} ${spoken(move)}` : "Start";
    return [words, JUDGEMENTS[judgement || 0], score && `evaluation ${score}`].filter(Boolean).join(", ");
  };

  const inWords = (board) => {
    const side = (white) => [..."kqrbnp"].map((letter) => {
      const squares = [...board.keys()].filter((square) => board[square] === (white ? letter.toUpperCase() : letter));
      return squares.length ? `${NAMES[letter]}${squares.length > 1 ? "s" : ""} ${squares.map(squareName).join(" ")}` : "";
    }).filter(Boolean).join(", ");
    return `White: ${side(true)}. Black: ${side(false)}.`;
  };

  const say = () => {
    const head = state.line
      ? `Line, move ${state.line}: ${spoken(position().l[state.line - 1][0])}`
      : `${headline()}. Static evaluation ${signed(position().e)} centipawns. ` +
        (position().turn === "w" ? "White to move" : "Black to move");
    byId("said").textContent = `${head}. ${inWords(boardNow())}`;
  };

  // ---- Going there ----

  const show = () => {
    showBoard();
    showPlayers();
    showLine();
    showMoves();
    showGraph();
    showSum();
    showPiece();
    showPieces();
    say();
    for (const [id, isAtEnd] of [["first", state.ply === 0 && !state.line], ["back", state.ply === 0 && !state.line],
      ["next", !canStep()], ["last", state.ply === lastPly() && !state.line]]) {
      byId(id).setAttribute("aria-disabled", isAtEnd);
    }
    byId("play").classList.toggle("in-line", Boolean(state.line));
    try { history.replaceState(null, "", `#${currentSection().dataset.number}.${state.ply}`); } catch { /* as above */ }
  };

  const lastPly = () => state.game.positions.length - 1;
  const canStep = () => (state.line ? state.line < position().l.length : state.ply < lastPly());

  // Shows position `ply`, or the position `line` moves along its best line.
  const go = (ply, line = null) => {
    const before = { ply: state.ply, line: state.line };
    state.ply = Math.min(lastPly(), Math.max(0, ply));
    state.line = line;
    const isStep = Math.abs(state.ply - before.ply) === 1 && !line && !before.line;
    const moved = state.game.positions[Math.max(state.ply, before.ply)].u;
    const [from, to] = isStep ? [squareNumber(moved.slice(0, 2)), squareNumber(moved.slice(2))] : [];
    // The selection follows its piece.
    if (isStep && state.selected !== null) {
      const [left, reached] = state.ply > before.ply ? [from, to] : [to, from];
      if (state.selected === left) state.selected = reached;
      else if (state.selected === reached) state.selected = null;
    } else if (!isStep) state.selected = null;
    show();
    if (isStep) slide(...(state.ply > before.ply ? [from, to] : [to, from]));
  };

  const step = (by) => {
    if (!state.line) return go(state.ply + by);
    const line = state.line + by;
    return go(state.ply, line < 1 ? null : Math.min(line, position().l.length));
  };
  const leaveLine = () => go(state.ply);

  const select = (square) => {
    state.selected = position().board[square] && !state.line && state.selected !== square ? square : null;
    showBoard();
    showPiece();
    showPieces();
  };

  const setHeat = (heat) => {
    state.heat = heat;
    store("squarewise-heat", heat);
    for (const button of document.querySelectorAll("[data-heat]")) {
      button.setAttribute("aria-pressed", button.dataset.heat === heat);
    }
    if (state.game) {
      showBoard();
      showPieces();
    }
  };

  const flip = () => {
    state.flipped = !state.flipped;
    buildBoard();
    show();
  };

  const toggleArrow = () => {
    state.arrow = !state.arrow;
    byId("best-move").setAttribute("aria-pressed", state.arrow);
    showArrow();
  };

  let sectionNow = null;
  const currentSection = () => sectionNow;

  const openGame = (section, ply = 0) => {
    sectionNow?.classList.remove("current");
    sectionNow = section;
    section.classList.add("current");
    state.game = unpack(JSON.parse(section.querySelector(".data").textContent));
    Object.assign(state, { ply: 0, line: null, selected: null });
    byId("pick").value = section.dataset.number;
    buildMoves();
    go(ply);
  };

  const toggleTheme = () => {
    const root = document.documentElement;
    const isDark = root.dataset.theme
      ? root.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = isDark ? "light" : "dark";
    byId("theme").setAttribute("aria-pressed", !isDark);
    store("squarewise-theme", root.dataset.theme);
  };

  // ---- Keys, clicks and swipes ----

  const KEYS = {
    ArrowLeft: () => step(-1),
    ArrowRight: () => step(1),
    Home: () => go(0),
    End: () => go(lastPly()),
    Escape: () => (state.line ? leaveLine() : document.activeElement.blur()),
    f: flip,
    b: toggleArrow,
    0: () => setHeat("off"),
    1: () => setHeat("worth"),
    2: () => setHeat("square"),
    3: () => setHeat("change"),
    4: () => setHeat("table"),
  };

  // With the focus on the board, the arrows go from square to square.
  const moveOnBoard = (cell, key) => {
    const square = squareNumber(cell.dataset.square);
    const sign = state.flipped ? -1 : 1;
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[key];
    const [file, rank] = [square % 8 + sign * dx, Math.floor(square / 8) + sign * dy];
    if (file < 0 || file > 7 || rank < 0 || rank > 7) return;
    const next = cells.get(8 * rank + file);
    cell.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  };

  const listen = () => {
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("select, input, summary")) return;
      const cell = event.target.closest("[role=gridcell]");
      if (cell && event.key.startsWith("Arrow")) moveOnBoard(cell, event.key);
      else if (cell && (event.key === "Enter" || event.key === " ")) select(squareNumber(cell.dataset.square));
      else if (KEYS[event.key]) KEYS[event.key]();
      else return;
      event.preventDefault();
    });
    const actions = {
      first: () => go(0), back: () => step(-1), next: () => step(1), last: () => go(lastPly()),
      flip, "best-move": toggleArrow, theme: toggleTheme,
    };
    for (const [id, action] of Object.entries(actions)) byId(id).addEventListener("click", action);
    for (const button of document.querySelectorAll("[data-heat]")) {
      button.addEventListener("click", () => setHeat(button.dataset.heat));
    }
    listenOnBoard();
    for (const slider of document.querySelectorAll(".slider")) {
      slider.addEventListener("pointerdown", (event) => {
        slider.setPointerCapture(event.pointerId);
        jumpOnGraph(slider, event);
      });
      slider.addEventListener("pointermove", (event) => {
        if (event.buttons && slider.hasPointerCapture(event.pointerId)) jumpOnGraph(slider, event);
      });
    }
    byId("pick").addEventListener("change", (event) => openGame(sections[event.target.selectedIndex]));
  };

  const listenOnBoard = () => {
    const board = byId("board");
    let start = null;
    // A click selects a piece but leaves the focus where it is, so that the arrow keys go on stepping.
    board.addEventListener("mousedown", (event) => event.preventDefault());
    board.addEventListener("pointerdown", (event) => { start = event; });
    board.addEventListener("pointerup", (event) => {
      if (!start) return;
      const [dx, dy] = [event.clientX - start.clientX, event.clientY - start.clientY];
      start = null;
      if (Math.abs(dx) > 35 && Math.abs(dx) > 1.5 * Math.abs(dy)) return step(dx < 0 ? 1 : -1);
      const cell = event.target.closest("[role=gridcell]");
      if (cell && Math.hypot(dx, dy) < 12) select(squareNumber(cell.dataset.square));
    });
    board.addEventListener("pointercancel", () => { start = null; });
  };

  const begin = () => {
    const theme = stored("squarewise-theme");
    if (theme) document.documentElement.dataset.theme = theme;
    const heat = stored("squarewise-heat");
    document.documentElement.classList.add("js");
    if (!sections.length) return;
    for (const { dataset } of sections) byId("pick").append(make("option", { value: dataset.number }, dataset.label));
    byId("pick").parentElement.hidden = sections.length < 2;
    buildBoard();
    listen();
    setHeat(heat in LEGENDS ? heat : "worth");
    const [, number, ply] = location.hash.match(/^#(\d+)\.(\d+)$/) || [];
    openGame(sections.find((section) => section.dataset.number === number) || sections[0], Number(ply) || 0);
  };

  begin();
})();
