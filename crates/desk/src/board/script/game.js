// A game against the engine: the wishes before it, clocks, buttons, and what is said of each move.

const wishes = { color: stored("squarewise-color") || "white" };
const feedback = new Map();

const takeGame = (value) => {
  const was = state.game;
  // Whoever has asked for a new game is done with the old one.
  state.isGameLeft = Boolean(state.isGameLeft && value?.ending);
  const game = state.isGameLeft ? null : value;
  state.game = game;
  // A move that was played ahead waits for the engine's move, and for a reader who sees it.
  if (!isPlaying() || (game.turn === game.person && state.at !== game.head)) state.premove = null;
  state.clockAt = performance.now();
  if (!game) feedback.clear();
  // What is played in a game comes before what was tried there. Its end can be followed by changes.
  if (game && (!game.ending || (was && !was.ending))) pathTo(game.head).forEach(putFirst);
  if (game && (!was || was.person !== game.person)) board.flip(game.person === "b");
  if (game && !game.ending) {
    setView("play");
    // Whoever begins a game, or goes on with it, stops the engine's lines.
    switchEngine(false);
  }
  // What was said of a game that ended, or before one, isn't true of the one that is played.
  if (game && !game.ending && (!was || was.ending)) tell("");
  if (game?.note) tell(game.note);
  if (game?.ending && was && !was.ending) tell(capitalized(game.ending) + ".");
};

const isFull = () => Number(byId("elo").value) > 3000;

const beginGame = async () => {
  const isOther = byId("time").value === "other";
  const time = isOther ? byId("other-time").value.trim() : byId("time").value;
  if (isOther && !time) return tell("Say how much time: minutes+seconds, such as 5+3.");
  const wish = { do: "game", color: wishes.color, feedback: byId("feedback").checked };
  if (!isFull()) wish.elo = Number(byId("elo").value);
  if (byId("like").value && byId("start").value !== "variant") wish.style = byId("like").value;
  if (time) wish.time = time;
  if (byId("start").value === "here") wish.from = state.at;
  if (byId("start").value === "chess960") wish.chess960 = Number(byId("start-number").value);
  if (byId("start").value === "variant") wish.variant = byId("start-variant").value;
  setEngineOff();
  await command(wish);
};

// What the player of the chosen style is like.
const showStyle = async () => {
  const name = byId("like").value;
  const answer = await command({ do: "style", name });
  if (!answer) return;
  const [[title, ...about], ...others] = answer.parts;
  byId("style-title").textContent = title;
  const list = (lines) => make("ul", {}, ...lines.map((line) => make("li", {}, line)));
  byId("style-words").replaceChildren(...about.map((line) => make("p", { class: "hint" }, line)),
    ...others.flatMap(([heading, ...lines]) => [make("h3", {}, heading), list(lines)]));
  Object.assign(byId("style-maps"), { src: `data:image/svg+xml,${encodeURIComponent(answer.maps)}`,
    alt: `Where ${name} likes each piece to stand more than people in general do` });
  byId("style-dialog").showModal();
};

// The engine's lines rest while a game is played.
const setEngineOff = () => {
  if (engine.on) setEngine(false);
};

// ---- Clocks ----

const clockText = (milliseconds) => {
  const tenths = Math.ceil(milliseconds / 100);
  if (tenths < 200) return `0:${String(Math.floor(tenths / 10)).padStart(2, "0")}.${tenths % 10}`;
  const seconds = Math.ceil(milliseconds / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = String(seconds % 60).padStart(2, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
};

// What is left to a side now, in milliseconds.
const timeLeft = (side) => {
  const { clock, turn, ending } = state.game;
  const passed = !ending && turn === side ? performance.now() - state.clockAt : 0;
  return Math.max(0, clock[side === "w" ? 0 : 1] - passed);
};

// After the end of a game the clocks are those of the position that is looked at.
const isClockOfGame = () => Boolean(state.game?.clock) && (!state.game.ending || state.at === state.game.head);

const showClocks = () => {
  if (!isClockOfGame()) return;
  for (const [id, side] of sides()) {
    const left = timeLeft(side);
    const clock = byId(id).querySelector(".clock");
    clock.textContent = clockText(left);
    clock.classList.toggle("short", left < 20_000);
  }
};

// ---- On the page ----

const sides = () => (board.flipped ? [["far", "w"], ["near", "b"]] : [["far", "b"], ["near", "w"]]);

const showPlayers = () => {
  const { game } = state;
  const line = pathTo(state.at).reverse();
  for (const [id, side] of sides()) {
    const strip = byId(id);
    const [name, rating] = game && game.names ? [game.names[side === "w" ? 0 : 1], ""] : state.players[side === "w" ? 0 : 1];
    strip.classList.toggle("black", side === "b");
    strip.classList.toggle("to-move", node().turn === side && !state.preview);
    strip.querySelector(".name").textContent = name || (side === "w" ? "White" : "Black");
    strip.querySelector(".rating").textContent = rating;
    showMaterial(strip, side === "w", node(0).board, boardShown());
    // The clock of a side after its own last move.
    const own = line.find((at) => at !== 0 && node(at).turn !== side && node(at).c);
    if (!isClockOfGame()) {
      const clock = strip.querySelector(".clock");
      clock.textContent = own === undefined ? "" : node(own).c;
      clock.classList.remove("short");
    }
  }
  showClocks();
};

const showGame = () => {
  const { game } = state;
  byId("game-form").hidden = Boolean(game);
  byId("game-panel").hidden = !game;
  if (!game) return;
  const over = Boolean(game.ending);
  const level = game.elo ? `level ${game.elo}` : "full strength";
  const who = !game.person ? "The engine plays itself" : `You have ${game.person === "w" ? "White" : "Black"}`;
  const style = game.style ? `, in the style of ${game.style}` : "";
  const rules = game.rules ? `. ${capitalized(game.rules)}` : "";
  byId("game-title").textContent = who + ", " + level + style + rules;
  setText(byId("game-state"), over ? `${game.outcome.replace(/1\/2/g, "½").replace("-", "–")}: ${game.ending}`
    : game.turn !== game.person ? "The engine is thinking." : state.at === game.head ? "Your move." : "Your move, at the end of the game.");
  for (const id of ["hint", "offer-draw"]) byId(id).hidden = over || !game.person;
  byId("take-back").hidden = !game.person;
  byId("resign").hidden = over;
  byId("resign").textContent = resignLabel();
  for (const id of ["rematch", "review-it", "new-game"]) byId(id).hidden = !over;
  // The engine's answer goes with the person's move.
  byId("take-back").disabled = game.moves - game.before < (game.turn === game.person ? 2 : 1);
  for (const id of ["hint", "offer-draw"]) byId(id).disabled = game.turn !== game.person;
  showFeedback();
};

const resignLabel = () => {
  const isSure = isAskedTwice("resign");
  if (!state.game?.person) return isSure ? "Really end it?" : "End the game";
  return isSure ? "Really resign?" : "Resign";
};

// What is said of the person's last move before the position on the board.
const showFeedback = () => {
  const box = byId("feedback-panel");
  if (!state.game?.feedback || !state.game.person) return box.replaceChildren();
  const { person, before: movesBefore, head: end } = state.game;
  const last = pathTo(state.at).findLast((id, ply) => ply > movesBefore && node(id).turn !== person);
  const said = feedback.get(last);
  if (!said) {
    // What was tried beside the game is not judged.
    const waits = last !== undefined && pathTo(end).includes(last);
    return box.replaceChildren(...(waits ? [make("p", { class: "hint" }, `${moveNumber(node(last))} ${node(last).m} …`)] : []));
  }
  const head = `${moveNumber(node(last))} ${node(last).m}${MARKS[said.j]}`;
  const words = said.best ? " is the best move." : said.j === 0 ? " is a good move." : ` is ${said.j === 1 ? "an" : "a"} ${JUDGEMENTS[said.j]}.`;
  const parts = [make("p", {}, make("strong", { class: JUDGEMENTS[said.j] || "good" }, head), words, make("span", { class: "score", title: `searched ${said.depth} plies deep` }, ` ${said.s}`))];
  if (said.better) {
    const before = node(node(last).parent);
    parts.push(make("p", {}, "Better: ", lineMoves(said.better, { key: "better", number: before.number, turn: before.turn,
      open: (count) => preview(said.better, count, before.id) })));
  }
  if (state.why && said.sentences) parts.push(make("p", { class: "said" }, said.sentences.at(-1)));
  box.replaceChildren(...parts);
};

const takeHint = ({ at, step: count, from, line }) => {
  if (at !== state.at) return;
  state.preview = null;
  state.hint = { step: count, from: squareNumber(from), line };
  if (count === 1) tell(`Look at the piece on ${from}.`);
  else if (count === 2) tell(`${line[0][0]} is a good move.`);
  else tell(line.map(([move]) => move).join(" "));
  show();
};

const listenToGame = () => {
  for (const button of document.querySelectorAll("[data-color]")) {
    button.addEventListener("click", () => {
      wishes.color = button.dataset.color;
      store("squarewise-color", wishes.color);
      showWishes();
    });
  }
  const kept = Number(stored("squarewise-elo"));
  if (kept) byId("elo").value = kept;
  byId("elo").addEventListener("input", () => {
    store("squarewise-elo", byId("elo").value);
    showWishes();
  });
  byId("like-show").addEventListener("click", showStyle);
  for (const id of ["time", "start", "like"]) byId(id).addEventListener("change", showWishes);
  byId("begin-game").addEventListener("click", beginGame);
  byId("hint").addEventListener("click", () => hint());
  for (const name of ["take-back", "offer-draw"]) byId(name).addEventListener("click", () => command({ do: name }));
  byId("rematch").addEventListener("click", () => command({ do: "rematch" }));
  askTwice("resign", resignLabel, () => command({ do: "resign" }));
  byId("new-game").addEventListener("click", () => {
    state.isGameLeft = true;
    state.game = null;
    show();
  });
  byId("review-it").addEventListener("click", () => {
    setView("review");
    startReview();
  });
  setInterval(showClocks, 100);
  showWishes();
};

const hint = () => {
  if (isPlaying() && state.at !== state.game.head) return tell("A hint is for the last position: go to the end of the game.");
  return command({ do: "hint", at: state.at, step: Math.min(3, (state.hint?.step || 0) + 1) });
};

const showWishes = () => {
  for (const button of document.querySelectorAll("[data-color]")) {
    button.setAttribute("aria-pressed", button.dataset.color === wishes.color);
  }
  byId("elo-shown").textContent = isFull() ? "Full strength" : byId("elo").value;
  byId("other-time").hidden = byId("time").value !== "other";
  byId("start-number").hidden = byId("start").value !== "chess960";
  byId("start-variant").hidden = byId("start").value !== "variant";
  byId("like").disabled = byId("start").value === "variant";
  byId("like-show").hidden = !byId("like").value || byId("like").disabled;
};
