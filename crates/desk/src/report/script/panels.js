// What stands around the board: players, lines, the list of moves, the graph.

// ---- Around the board ----

const showPlayers = () => {
  const [far, near] = board.flipped ? ["white", "black"] : ["black", "white"];
  for (const [id, side] of [["far", far], ["near", near]]) {
    const strip = byId(id);
    const [name, rating] = state.game[side];
    // The clock of a side after its own last move.
    const next = side === "white" ? "b" : "w";
    let ply = state.ply;
    while (ply > 0 && state.game.positions[ply].turn !== next) ply -= 1;
    strip.classList.toggle("black", side === "black");
    strip.classList.toggle("to-move", (side === "white") === (position().turn === "w") && !state.line);
    strip.querySelector(".name").textContent = name;
    strip.querySelector(".rating").textContent = rating;
    showMaterial(strip, side === "white", state.game.positions[0].board, boardNow());
    strip.querySelector(".clock").textContent = (ply > 0 && state.game.positions[ply].c) || "";
  }
  const points = position().q ?? 500;
  const bar = byId("bar");
  bar.classList.toggle("flipped", board.flipped);
  bar.firstElementChild.style.height = `${points / 10}%`;
  bar.setAttribute("aria-label", `White’s expected points: ${Math.round(points / 10)} percent`);
};

// What a judged move does. Where the game stays won or lost, it is about the mate.
const cost = (loss) => {
  const points = Math.round(loss / 10);
  return points ? `gives away ${points} of 100 points of winning chances` : "misses or allows a forced mate";
};

// The best line of the position, or the better line if the last move was judged.
const showLine = () => rebuild(byId("line"), () => {
  const box = byId("line");
  box.replaceChildren();
  const { s: score, d: depth, l: line, j: judgement, a: loss, m: move } = position();
  if (judgement && !state.line) {
    const text = `${moveNumber(state.ply)} ${move}${MARKS[judgement]} ${judgement === 1 ? "is an" : "is a"} ` +
      `${JUDGEMENTS[judgement]}: it ${cost(loss)}.`;
    box.append(make("p", { class: JUDGEMENTS[judgement] }, text));
  }
  const head = make("p", { class: "score" }, make("b", {}, score ?? "–"));
  head.append(line ? ` after a search of depth ${depth}` : score ? " – the game is over" : " not searched");
  box.append(head);
  if (line?.length) box.append(lineMoves(state.ply, line, "Best"));
  if (state.line) {
    const leave = make("button", { type: "button", class: "leave", "data-key": "leave" }, "Back to the game (Esc)");
    leave.addEventListener("click", () => leaveLine());
    box.append(leave);
  }
});

// The move on the board with its judgement, for windows in which the list of moves lies below.
const showNow = () => {
  const { s: score, l: line, j: judgement, m: move } = position();
  const box = byId("now");
  if (state.line) {
    box.replaceChildren(make("b", {}, position().l[state.line - 1][0]), ` move ${state.line} of the best line`);
    return;
  }
  const words = JUDGEMENTS[judgement || 0];
  const better = judgement && state.game.positions[state.ply - 1].l?.[0];
  const best = better ? `better: ${better[0]}` : line ? `best: ${line[0][0]}` : score && "the game is over";
  const head = make("b", {}, move ? `${moveNumber(state.ply)} ${move}` : "Start");
  if (words) head.append(make("span", { class: `mark ${words}` }, `${MARKS[judgement]} ${words}`));
  box.replaceChildren(head, make("span", { class: "score" }, score ?? ""), make("span", { class: "best" }, best ?? ""));
};

// The moves of a line as buttons that put them on the board.
const lineMoves = (ply, line, label) => {
  const paragraph = make("p", { class: "moves-of-line" }, make("span", { class: "label" }, `${label}: `));
  const { number, turn } = state.game.positions[ply];
  line.forEach(([move], index) => {
    const count = 2 * number + (turn === "w" ? 0 : 1) + index;
    const prefix = count % 2 === 0 ? `${count / 2}. ` : index === 0 ? `${(count - 1) / 2}… ` : "";
    const words = { "aria-label": `${label} line: ${spoken(move)}` };
    const button = make("button", { type: "button", "data-key": index, ...words }, prefix + move);
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
    const words = [spoken(after.m), judgement, evaluationInWords(after), after.c && `clock ${after.c}`];
    const label = `${moveNumber(ply)} ${words.filter(Boolean).join(", ")}`;
    const button = make("button", { type: "button", class: `move ${side}`, "data-ply": ply, "aria-label": label });
    button.append(make("span", { class: "san" }, after.m, make("span", { class: `mark ${judgement}` }, MARKS[after.j || 0])));
    button.append(make("span", { class: "score" }, after.s ?? ""));
    button.addEventListener("click", () => go(ply));
    if (side === "black" && item.lastChild.matches(".note")) {
      item.append(make("span", { class: "number" }, `${before.number}…`));
    }
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
