// The review of a game as it comes: graph, marks, accuracy; from mistake to mistake; and learning
// from them.

const reviewOf = (id) => state.review?.found.get(id);

const takeReview = (value) => {
  state.review = value ? { total: value.total, count: 0, found: new Map(), summary: value.summary } : null;
  for (const one of value?.found || []) takeReviewed(one);
  // What is to be learnt stands in the review. A page that only comes back has it again.
  if (puzzle.kind === "learn" && !state.review?.summary) endPuzzle("That review is gone. Review a game to learn from its mistakes.");
};

const takeReviewed = ({ next, ...here }) => {
  const { review } = state;
  if (!review) return;
  review.count += 1;
  review.found.set(here.id, { ...review.found.get(here.id), ...here });
  if (next) review.found.set(next.id, { ...review.found.get(next.id), j: next.j || 0, loss: next.loss });
};

const startReview = async () => {
  setEngineOff();
  await command({ do: "review", nodes: Number(byId("effort").value) });
};

const isReviewing = () => Boolean(state.review && !state.review.summary);

const showReview = () => {
  const { review } = state;
  const going = isReviewing();
  byId("review-start").hidden = going;
  byId("review-cancel").hidden = !going;
  byId("review-progress").hidden = !going;
  if (going) byId("review-progress").value = review.count / review.total;
  byId("review-buttons").hidden = !review?.summary;
  byId("review-start").disabled = isPlaying() || mainLine().length < 2;
  byId("review-note").textContent = review ? noteOfReview() : mainLine().length < 2
    ? "Play or open a game first." : "Every move is searched; the graph grows from the end of the game.";
  showReviewTable();
  showReviewGraph();
};

// What is said of the move that led to the position on the board.
const noteOfReview = () => {
  const one = reviewOf(state.at);
  if (!one?.j || state.at === 0) return "";
  const before = reviewOf(node().parent);
  const better = before?.l?.length ? ` Better was ${before.l[0][0]}.` : "";
  return `${moveNumber(node())} ${node().m}${MARKS[one.j]} gives away ${one.loss} of 100 points.${better}`;
};

const showReviewTable = () => {
  const table = byId("review-table");
  const summary = state.review?.summary;
  table.hidden = !summary;
  if (!summary) return;
  const rows = [["Accuracy", (side) => (side.accuracy === null ? "–" : `${side.accuracy.toFixed(1)} %`)],
    ["Centipawns lost", (side) => side.loss ?? "–"],
    ["?!  ?  ??", (side) => side.marks.join("   ")]];
  const body = make("tbody", {}, ...rows.map(([name, value]) => make("tr", {}, make("th", { scope: "row" }, name),
    ...summary.map((side) => make("td", {}, String(value(side)))))));
  table.replaceChildren(headRow("", "White", "Black"), body);
};

const GRAPH = { width: 600, height: 120, margin: 6 };

// White's expected points after each move. A click goes there.
const showReviewGraph = () => {
  const box = byId("review-graph");
  if (!state.review) return box.replaceChildren();
  const { width, height, margin } = GRAPH;
  const line = mainLine();
  const x = (index) => margin + (width - 2 * margin) * index / Math.max(1, line.length - 1);
  const y = (points) => height * (1 - points / 1000);
  const known = line.map((id, index) => [index, reviewOf(id)?.q]).filter(([, points]) => points !== undefined);
  const image = drawing("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
    drawing("rect", { class: "black", width, height, rx: 6 }));
  if (known.length) {
    const points = known.map(([index, value]) => `L${x(index).toFixed(1)} ${y(value).toFixed(1)}`).join("");
    const [first, last] = [known[0], known.at(-1)];
    image.append(drawing("path", { class: "white", d: `M${x(first[0])} ${height}${points}L${x(last[0])} ${height}Z` }),
      drawing("path", { class: "middle", d: `M0 ${height / 2}H${width}` }),
      drawing("path", { class: "curve", d: `M${points.slice(1)}` }));
  }
  line.forEach((id, index) => {
    const one = reviewOf(id);
    if (one?.j && one.q !== undefined && index) {
      image.append(drawing("circle", { class: `dot ${JUDGEMENTS[one.j]}`, cx: x(index).toFixed(1), cy: y(one.q).toFixed(1), r: 5 }));
    }
  });
  const here = line.indexOf(state.at);
  if (here >= 0) image.append(drawing("line", { class: "cursor", x1: x(here), x2: x(here), y1: 0, y2: height }));
  const slider = make("div", { class: "slider graph", role: "slider", tabindex: "0", "aria-label": "Graph: position in the game",
    "aria-valuemin": 0, "aria-valuemax": line.length - 1, "aria-valuenow": Math.max(0, here), "aria-valuetext": headline() }, image);
  const hadFocus = box.contains(document.activeElement);
  box.replaceChildren(slider);
  if (hadFocus) slider.focus({ preventScroll: true });
};

const save = (name, type, text) => {
  const link = make("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};

const listenToReview = () => {
  // The graph is drawn anew while a review grows, so its box listens. A finger that scrolls makes
  // no click.
  byId("review-graph").addEventListener("click", (event) => {
    if (!state.review) return;
    const { width, margin } = GRAPH;
    const view = event.currentTarget.firstElementChild.getBoundingClientRect();
    const place = ((event.clientX - view.left) / view.width * width - margin) / (width - 2 * margin);
    const line = mainLine();
    goTo(line[Math.round(Math.min(1, Math.max(0, place)) * (line.length - 1))]);
  });
  byId("review-start").addEventListener("click", startReview);
  byId("review-cancel").addEventListener("click", () => command({ do: "cancel-review" }));
  byId("mistake-next").addEventListener("click", () => stepToMistake(1));
  byId("mistake-back").addEventListener("click", () => stepToMistake(-1));
  byId("learn").addEventListener("click", learn);
  byId("report").addEventListener("click", async () => {
    const answer = await command({ do: "report" });
    if (answer) save("report.html", "text/html", answer.page);
  });
};
