// The board: pieces, numbers, colors, arrows; moves by dragging, by two clicks or taps, and by
// keys.
//
// It asks its page where a piece may go and tells it what was done; it knows no rules. The page
// hands over all that is to be seen with `show`.

// The first finger, the left button of a mouse, or the tip of a pen.
const isFirstButton = (event) => event.isPrimary && event.button === 0;

// Of the squares of a board Tab reaches one: that which had the focus last.
const focusSquare = (root, cell) => {
  root.querySelector("[tabindex='0']").tabIndex = -1;
  cell.tabIndex = 0;
  cell.focus();
};

// With the focus on a square, the arrows go from square to square.
const moveFocus = (root, cell, key, isFlipped) => {
  const square = squareNumber(cell.dataset.square);
  const sign = isFlipped ? -1 : 1;
  const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[key];
  const [file, rank] = [square % 8 + sign * dx, Math.floor(square / 8) + sign * dy];
  if (file < 0 || file > 7 || rank < 0 || rank > 7) return;
  focusSquare(root, root.querySelector(`[data-square=${squareName(8 * rank + file)}]`));
};

// `page.targets(square)` lists the squares to which the piece on a square may go;
// `page.onMove(from, to)` is told of a move, `page.onRefused(from, to)` of a piece that was dropped
// where it can't go, `page.onSelect(square)` of any other click,
// `page.onSwipe(by)` of a finger that goes sideways, and `page.onDraw(from, to)` of an arrow or, on
// one square, a circle that the reader draws.
const createBoard = (root, page) => {
  const cells = new Map();
  let flipped = false;
  let shown = { pieces: Array(64).fill(""), arrows: [], circles: [] };
  let picked = null; // the square of the piece that is about to move
  let press = null; // what the pointer is doing
  let dropped = null; // where a piece was dropped that the page is to move there
  const targets = (square) => (square === null || !page.targets ? [] : page.targets(square));

  // ---- Squares ----

  const build = () => {
    const focused = document.activeElement.closest("[role=gridcell]");
    const reached = root.querySelector("[tabindex='0']");
    root.replaceChildren();
    const order = [...Array(8).keys()];
    const ranks = flipped ? order : [...order].reverse();
    const files = flipped ? [...order].reverse() : order;
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
      root.append(row);
    }
    // A board that is turned keeps its focus.
    const entry = cells.get(reached ? squareNumber(reached.dataset.square) : 0);
    entry.tabIndex = 0;
    if (focused) entry.focus();
  };

  const showCell = (cell, square, goals) => {
    const piece = shown.pieces[square];
    if ((cell.dataset.piece || "") !== piece) {
      cell.querySelector(".piece")?.remove();
      if (piece) cell.prepend(pieceImage(piece));
      cell.dataset.piece = piece;
    }
    const name = squareName(square);
    const value = shown.values?.(square) ?? null;
    const isGoal = goals.includes(square);
    const classes = {
      last: shown.last?.includes(name), check: shown.check === square,
      selected: shown.selected === square || picked === square,
      premove: shown.premove?.includes(square), goal: isGoal, takes: isGoal && piece,
      movable: targets(square).length, plus: value > 0, minus: value < 0,
    };
    for (const [one, isOn] of Object.entries(classes)) cell.classList.toggle(one, Boolean(isOn));
    const heat = value === null ? 0 : Math.min(1, Math.sqrt(Math.abs(value) / shown.strongest));
    cell.style.setProperty("--heat", `${Math.round(heat * 78)}%`);
    cell.querySelector(".value").textContent = value === null ? "" : signed(value);
    const glyph = shown.glyph?.square === square ? shown.glyph : null;
    if (glyph) cell.dataset.glyph = glyph.mark;
    else delete cell.dataset.glyph;
    const words = [name, piece ? pieceName(piece) : "empty", value === null ? "" : signed(value),
      glyph?.words, shown.premove?.includes(square) ? "played ahead" : "", isGoal ? "can go here" : ""];
    cell.setAttribute("aria-label", words.filter(Boolean).join(", "));
    cell.setAttribute("aria-selected", shown.selected === square || picked === square);
  };

  const showCells = () => {
    const goals = targets(picked);
    root.classList.toggle("hot", Boolean(shown.hot));
    for (const [square, cell] of cells) showCell(cell, square, goals);
    showArrows();
  };

  // ---- Motion ----

  // What has changed places slides there, unless the reader prefers less motion or has dragged it.
  const slideFrom = (before, dropped) => {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const left = [...before.keys()].filter((square) => before[square] && before[square] !== shown.pieces[square]);
    const arrived = [...before.keys()].filter((square) => shown.pieces[square] && before[square] !== shown.pieces[square]);
    if (arrived.length > 4) return;
    for (const to of arrived) {
      const at = left.findIndex((square) => before[square] === shown.pieces[to]);
      if (at < 0) continue;
      const [from] = left.splice(at, 1);
      if (to === dropped) continue;
      const [start, end] = [cells.get(from), cells.get(to)].map((cell) => cell.getBoundingClientRect());
      const shift = `translate(${start.x - end.x}px, ${start.y - end.y}px)`;
      cells.get(to).querySelector(".piece")
        ?.animate([{ transform: shift, zIndex: 4 }, { transform: "none", zIndex: 4 }], { duration: 140, easing: "ease-out" });
    }
  };

  // ---- Arrows ----

  const place = (square) => {
    const [x, y] = [square % 8 + 0.5, 7.5 - Math.floor(square / 8)];
    return flipped ? [8 - x, 8 - y] : [x, y];
  };

  // An arrow as an outline: a shaft that grows with `weight`, 0 to 1, and a head.
  const outline = ([x1, y1], [x2, y2], weight) => {
    const length = Math.hypot(x2 - x1, y2 - y1);
    const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    const half = 0.035 + 0.05 * weight;
    const at = (along, across) => `${(x1 + dx * along - dy * across).toFixed(3)} ${(y1 + dy * along + dx * across).toFixed(3)}`;
    const [start, neck, tip, head] = [0.3, length - 0.36, length - 0.08, half + 0.1];
    return `M${at(start, half)}L${at(neck, half)}L${at(neck, head)}L${at(tip, 0)}L${at(neck, -head)}L${at(neck, -half)}L${at(start, -half)}Z`;
  };

  const showArrows = () => {
    const { arrows = [], circles = [] } = shown;
    svg.classList.toggle("shown", arrows.length + circles.length > 0);
    svg.replaceChildren(
      ...circles.map(({ square, kind }) => {
        const [cx, cy] = place(square);
        return drawing("circle", { cx, cy, r: 0.45, class: `ring ${kind}` });
      }),
      ...arrows.filter(({ from, to }) => from !== to).reverse().map(({ from, to, kind, weight = 0.7 }) =>
        drawing("path", { d: outline(place(from), place(to), weight), class: `arrow ${kind}` })),
    );
  };

  // ---- Moving ----

  const pick = (square) => {
    picked = square;
    showCells();
  };

  const choose = (square) => {
    const from = picked;
    if (targets(from).includes(square)) {
      picked = null;
      page.onMove(from, square);
    } else {
      // A second click on a piece puts it down again.
      pick(from !== square && targets(square).length ? square : null);
      page.onSelect(square, from === square);
    }
  };

  const squareAt = (event) => {
    const box = root.getBoundingClientRect();
    const [x, y] = [(event.clientX - box.x) / box.width, (event.clientY - box.y) / box.height].map((part) => Math.floor(part * 8));
    if (x < 0 || x > 7 || y < 0 || y > 7) return null;
    return flipped ? 8 * y + 7 - x : 8 * (7 - y) + x;
  };

  const drag = (event) => {
    const image = cells.get(press.square).querySelector(".piece");
    if (!image) return;
    const box = cells.get(press.square).getBoundingClientRect();
    image.style.transform = `translate(${event.clientX - box.x - box.width / 2}px, ${event.clientY - box.y - box.height / 2}px)`;
    image.classList.add("dragged");
    const over = squareAt(event);
    for (const [square, cell] of cells) cell.classList.toggle("over", square === over && targets(press.square).includes(square));
  };

  const drop = (event) => {
    const { square: from } = press;
    const image = cells.get(from).querySelector(".piece");
    image?.classList.remove("dragged");
    if (image) image.style.transform = "";
    for (const cell of cells.values()) cell.classList.remove("over");
    const to = event && squareAt(event);
    const isOnBoard = to !== null && to !== undefined;
    picked = null;
    if (isOnBoard && targets(from).includes(to)) {
      dropped = to;
      page.onMove(from, to);
    } else if (to === from) {
      // A hand that isn't quite still has clicked.
      picked = press.wasPicked ? from : null;
      choose(from);
    } else {
      showCells();
      if (isOnBoard) page.onRefused?.(from, to);
    }
  };

  // The colors of arrows as on Lichess: green, with Shift or Ctrl red, with Alt blue, with both
  // yellow.
  const colorOf = ({ shiftKey, ctrlKey, altKey }) => "GRBY"[(shiftKey || ctrlKey ? 1 : 0) + (altKey ? 2 : 0)];

  const listen = () => {
    // A click leaves the focus where it is, so that the arrow keys go on stepping.
    root.addEventListener("mousedown", (event) => event.preventDefault());
    root.addEventListener("contextmenu", (event) => { if (page.onDraw) event.preventDefault(); });
    root.addEventListener("pointerdown", (event) => {
      const square = squareAt(event);
      if (square === null) return;
      if (page.onDraw && event.isPrimary && (event.button === 2 || (event.button === 0 && page.isDrawing?.()))) {
        press = { square, draws: true, x: event.clientX, y: event.clientY };
        return;
      }
      if (!isFirstButton(event)) return;
      dropped = null;
      press = { square, x: event.clientX, y: event.clientY, mayDrag: targets(square).length > 0, wasPicked: picked === square };
      if (press.mayDrag) root.setPointerCapture(event.pointerId);
    });
    root.addEventListener("pointermove", (event) => {
      if (!press || !event.isPrimary || press.draws || !press.mayDrag) return;
      if (!press.drags && Math.hypot(event.clientX - press.x, event.clientY - press.y) > 4) {
        press.drags = true;
        pick(press.square);
      }
      if (press.drags) drag(event);
    });
    root.addEventListener("pointerup", (event) => {
      if (!press || !event.isPrimary) return;
      const [dx, dy] = [event.clientX - press.x, event.clientY - press.y];
      const square = squareAt(event);
      if (press.draws) {
        if (square !== null) page.onDraw(press.square, square, colorOf(event));
      } else if (press.drags) drop(event);
      else if (page.onSwipe && Math.abs(dx) > 35 && Math.abs(dx) > 1.5 * Math.abs(dy)) page.onSwipe(dx < 0 ? 1 : -1);
      else if (square !== null && Math.hypot(dx, dy) < 12) choose(square);
      press = null;
    });
    root.addEventListener("pointercancel", () => {
      if (press?.drags) drop(null);
      press = null;
    });
  };

  build();
  listen();
  return {
    // Shows pieces, numbers, marks and arrows: see `shown`.
    show(next) {
      const before = shown.pieces;
      shown = next;
      if (picked !== null && !targets(picked).length) picked = null;
      showCells();
      slideFrom(before, dropped);
      // A board that is shown once more before the move is played on it doesn't end the wait.
      if (before[dropped] !== shown.pieces[dropped] || shown.premove?.length) dropped = null;
    },
    get flipped() { return flipped; },
    flip(isFlipped) {
      if (flipped === isFlipped) return;
      flipped = isFlipped;
      build();
      showCells();
    },
    unpick() { if (picked !== null) pick(null); },
    // Handles a key on a square; returns whether it did.
    key(event) {
      const cell = event.target.closest("[role=gridcell]");
      if (!cell) return false;
      if (event.key.startsWith("Arrow")) moveFocus(root, cell, event.key, flipped);
      else if (event.key === "Enter" || event.key === " ") choose(squareNumber(cell.dataset.square));
      else return false;
      return true;
    },
  };
};
