// The list of moves with its variations, and what is written beside a move.

const GLYPHS = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!" };
const GLYPH_WORDS = { 1: "good move", 2: "mistake", 3: "brilliant move", 4: "blunder", 5: "interesting", 6: "inaccuracy" };

const glyphOf = (one) => (one.g || []).find((glyph) => GLYPHS[glyph]);

// "12." or "12…" for a move.
const moveNumber = (one) => {
  const before = node(one.parent);
  return `${before.number}${before.turn === "w" ? "." : "…"}`;
};

const moveButton = (id, withNumber) => {
  const one = node(id);
  const glyph = glyphOf(one);
  const score = reviewOf(id)?.s ?? one.s;
  const words = [moveNumber(one), spoken(one.m), glyph && GLYPH_WORDS[glyph], score && `evaluation ${score}`];
  const button = make("button", { type: "button", class: "move", "data-id": id, "data-key": id, "aria-label": words.filter(Boolean).join(" ") });
  const san = make("span", { class: "san" }, one.m);
  if (glyph) san.append(make("span", { class: `mark ${["", "good", "mistake", "good", "blunder", "", "inaccuracy"][glyph]}` }, GLYPHS[glyph]));
  if (withNumber) button.append(make("span", { class: "number" }, moveNumber(one)), " ");
  button.append(san);
  if (score && !withNumber) button.append(make("span", { class: "score" }, score));
  button.addEventListener("click", () => goTo(id));
  if (id === state.at) button.setAttribute("aria-current", "true");
  return button;
};

const noteOf = (one) => (one.k ? [make("p", { class: "note comment", dir: "auto" }, one.k)] : []);

// The deepest variation within variations that is shown.
const MAX_DEPTH = 12;

// A variation in one paragraph, with those inside it in parentheses.
const variation = (first) => {
  const box = make("div", { class: "variation" });
  const write = (start, depth) => {
    let needsNumber = true;
    for (let at = start; at !== undefined; [at] = node(at).children) {
      const one = node(at);
      const { turn, children: [main, ...others] } = node(one.parent);
      box.append(moveButton(at, needsNumber || turn === "w"), " ");
      if (one.k) box.append(make("span", { class: "comment", dir: "auto" }, `${one.k} `));
      needsNumber = Boolean(one.k);
      // Those beside the first move belong to the line around this one.
      if (at === start || at !== main || depth >= MAX_DEPTH) continue;
      for (const other of others) {
        box.append("(");
        write(other, depth + 1);
        box.append(") ");
        needsNumber = true;
      }
    }
  };
  write(first, 0);
  return box;
};

const buildMoves = () => {
  const rows = make("ol", { class: "main" });
  const root = node(0);
  const parts = [...noteOf(root), rows];
  let row = null;
  for (const id of mainLine().slice(1)) {
    const one = node(id);
    const before = node(one.parent);
    const isWhite = before.turn === "w";
    if (!row || isWhite) {
      row = make("li", {}, make("span", { class: "number" }, `${before.number}.`));
      rows.append(row);
      if (!isWhite) row.append(make("span", { class: "gap" }, "…"));
    }
    row.append(moveButton(id, false));
    const notes = [...noteOf(one), ...before.children.slice(1).map(variation)];
    if (notes.length) {
      row.append(...notes.map((note) => { note.classList.add("note"); return note; }));
      row = null;
    }
  }
  byId("moves").replaceChildren(...parts);
};

let movesShown = "";
// The position to whose move the list was scrolled, and that of which Delete speaks.
let scrolledTo = null;
let deletedAt = 0;

const showMoves = () => {
  const list = byId("moves");
  // The list is built anew only if it has changed. While a move in it is being pressed that waits,
  // or the click would be lost.
  const now = [...state.nodes.values()].map((one) => `${one.id}${one.number}${one.m || ""}${one.g || ""}${one.k || ""}${one.s || ""}${one.children}${reviewOf(one.id)?.s || ""}`).join();
  if (now !== movesShown && !list.matches(":active")) {
    rebuild(list, buildMoves);
    movesShown = now;
  }
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const current = list.querySelector(`[data-id="${state.at}"]`);
  current?.setAttribute("aria-current", "true");
  const pane = list.closest(".scroll");
  // A reader who looks at other moves isn't called back by what comes in meanwhile.
  if (scrolledTo === state.at) return showAnnotation();
  scrolledTo = state.at;
  if (!current) pane.scrollTop = 0;
  else {
    // Only the pane scrolls, never the page.
    const [seen, view] = [current.getBoundingClientRect(), pane.getBoundingClientRect()];
    if (pane.scrollHeight > pane.clientHeight && (seen.top < view.top + 8 || seen.bottom > view.bottom - 8)) {
      pane.scrollTop += seen.top - view.top - view.height / 2;
    }
  }
  showAnnotation();
};

// ---- Beside a move ----

const showAnnotation = () => {
  const one = node();
  const comment = byId("comment");
  // A move on the board leaves the text without a word of the browser.
  if (comment.dataset.typed && comment.dataset.id !== String(state.at)) saveComment();
  byId("annotation").hidden = isPlaying() || (state.at === 0 && !one.children.length);
  if (document.activeElement !== comment || comment.dataset.id !== String(state.at)) comment.value = one.k || "";
  comment.dataset.id = state.at;
  for (const button of document.querySelectorAll("#annotation [data-glyph]")) {
    button.setAttribute("aria-pressed", Boolean((one.g || []).includes(Number(button.dataset.glyph))));
    button.disabled = state.at === 0;
  }
  byId("promote").disabled = state.at === 0 || isPlaying() || pathTo(state.at).every((id) => id === 0 || node(node(id).parent).children[0] === id);
  byId("delete").disabled = state.at === 0 || isPlaying();
  if (isAskedTwice("delete") && deletedAt !== state.at) forgetQuestion("delete");
  deletedAt = state.at;
};

// The moves that go with a move.
const movesBelow = (id) => node(id).children.reduce((sum, child) => sum + movesBelow(child), 1);

const deleteLabel = () => (isAskedTwice("delete") ? `Delete ${movesBelow(state.at)} moves?` : "Delete");

const saveComment = () => {
  const comment = byId("comment");
  delete comment.dataset.typed;
  const at = Number(comment.dataset.id);
  if (node(at) && comment.value.trim() !== (node(at).k || "")) command({ do: "annotate", at, comment: comment.value });
};

const toggleGlyph = (glyph) => {
  const now = node().g || [];
  const others = now.filter((other) => !GLYPHS[other]);
  command({ do: "annotate", at: state.at, glyphs: now.includes(glyph) ? others : [glyph, ...others] });
};

// An arrow or a circle of the reader's own: drawn once more it goes. A line that is shown has no
// place for it; like a click on the board, that leaves the line.
const onDraw = (from, to, color) => {
  if (state.preview) {
    leavePreview();
    return tell("Arrows belong to a position of the game, so the line was left. Draw once more.");
  }
  const shape = `${color}${squareName(from)}${from === to ? "" : squareName(to)}`;
  const now = node().a || [];
  const same = (other) => other.slice(1) === shape.slice(1);
  const shapes = now.some(same) ? now.filter((other) => !same(other)) : [...now, shape];
  node().a = shapes;
  show();
  command({ do: "annotate", at: state.at, shapes });
};

const listenToMoves = () => {
  byId("comment").addEventListener("change", saveComment);
  byId("comment").addEventListener("input", () => { byId("comment").dataset.typed = "yes"; });
  for (const button of document.querySelectorAll("#annotation [data-glyph]")) {
    button.addEventListener("click", () => toggleGlyph(Number(button.dataset.glyph)));
  }
  byId("promote").addEventListener("click", () => command({ do: "promote", at: state.at }));
  // A move without others behind it can be played again, many moves can't.
  askTwice("delete", deleteLabel, () => command({ do: "delete", at: state.at }), () => movesBelow(state.at) > 1);
};
