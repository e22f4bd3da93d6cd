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

// Shows the games in which a player has a name with this text in it.
const findPlayer = (text) => {
  const wanted = text.trim().toLowerCase();
  const rows = [...overview.querySelectorAll("[data-number]")];
  for (const row of rows) {
    const names = [...row.querySelectorAll("a bdi")].map((name) => name.textContent.toLowerCase());
    row.hidden = !names.some((name) => name.includes(wanted));
  }
  const count = rows.filter((row) => !row.hidden).length;
  byId("found").textContent = wanted ? `${count} of ${rows.length} games` : "";
};

const listenToOverview = () => {
  if (!overview) return;
  const field = byId("player");
  field.addEventListener("input", () => findPlayer(field.value));
  for (const button of overview.querySelectorAll("#totals button")) {
    button.addEventListener("click", () => {
      field.value = button.textContent;
      findPlayer(field.value);
      scrollTo(0, 0);
      field.focus({ preventScroll: true });
    });
  }
};
