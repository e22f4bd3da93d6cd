// The overview of a page with several games: shown instead of the board until a game is chosen.
//
// Its rows are links to the addresses of the games, so that the browser's own keys, tabs and "back"
// work on them.

const overview = byId("overview");
const isOverview = () => document.documentElement.classList.contains("all");

// The game that was open stays at hand: its row is in sight and has the focus.
const showOverview = () => {
  if (isOverview()) return;
  document.documentElement.classList.add("all");
  const number = currentSection()?.dataset.number;
  const link = number && overview.querySelector(`[data-number="${number}"]:not([hidden]) a`);
  scrollTo(0, 0);
  if (link) {
    link.focus({ preventScroll: true });
    link.scrollIntoView({ block: "center" });
  }
};

const leaveOverview = () => {
  if (!isOverview()) return;
  document.documentElement.classList.remove("all");
  scrollTo(0, 0);
};

// Shows the games in which a player has a name with this text in it, or this very name.
const findPlayer = (text, isWhole = false) => {
  const cased = (name) => (isWhole ? name : name.toLowerCase());
  const wanted = cased(text.trim());
  const rows = [...overview.querySelectorAll("[data-number]")];
  for (const row of rows) {
    const names = [...row.querySelectorAll("a bdi")].map((name) => cased(name.textContent));
    row.hidden = !names.some((name) => (isWhole ? name === wanted : name.includes(wanted)));
  }
  const count = rows.filter((row) => !row.hidden).length;
  byId("found").textContent = wanted ? `${count} of ${rows.length} games` : "";
};

// ---- The order of the rows ----

// What a cell is sorted by: its number, or else its text. A result is text.
const valueOf = (row, column) => {
  const text = row.cells[column].textContent.trim();
  return /^[\d.]+( %|\.|$)/.test(text) ? Number.parseFloat(text) : text;
};

// Puts the rows in the order of a column: numbers from the highest, text from A, and once more the
// other way round. Rows without a number come last.
const sortBy = (header, column) => {
  const table = header.closest("table");
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row) => [valueOf(row, column), row]);
  const areNumbers = column > 0 && rows.some(([value]) => typeof value === "number");
  const first = areNumbers ? "descending" : "ascending";
  const order = header.getAttribute("aria-sort") === first ? (areNumbers ? "ascending" : "descending") : first;
  const sign = order === "ascending" ? 1 : -1;
  const compare = ([a], [b]) => {
    const kinds = (typeof a === "string") - (typeof b === "string");
    if (kinds) return areNumbers ? kinds : sign * -kinds;
    return sign * (typeof a === "string" ? a.localeCompare(b) : a - b);
  };
  for (const other of table.tHead.querySelectorAll("[aria-sort]")) other.removeAttribute("aria-sort");
  header.setAttribute("aria-sort", order);
  body.append(...rows.sort(compare).map(([, row]) => row));
};

// Makes a button of the heading of a column.
const makeSortable = (header, column) => {
  const button = make("button", { type: "button", class: "sort", title: "Sort by this column" }, ...header.childNodes);
  button.addEventListener("click", () => sortBy(header, column));
  header.append(button);
};

const listenToOrder = () => {
  const [above, below] = byId("all-games").tHead.rows;
  [...above.cells].slice(0, 3).forEach(makeSortable);
  [...below.cells].forEach((header, index) => makeSortable(header, index + 4));
  const totals = document.querySelector("#totals table");
  if (totals) [...totals.tHead.rows[0].cells].forEach(makeSortable);
};

const listenToOverview = () => {
  if (!overview) return;
  listenToOrder();
  const field = byId("player");
  field.addEventListener("input", () => findPlayer(field.value));
  for (const button of overview.querySelectorAll("#totals tbody button")) {
    button.addEventListener("click", () => {
      field.value = button.textContent;
      findPlayer(field.value, true);
      scrollTo(0, 0);
      field.focus({ preventScroll: true });
    });
  }
};
