// The engine's lines while a person looks: switched on and off, with arrows, bar and chances.

// `since` is the number of the last event before the answer to what was asked last.
const engine = { on: false, threat: false, endless: false, asked: 0, since: Infinity, refused: false, onlyAt: null };

const settings = () => Object.fromEntries(["multi", "seconds", "threads", "hash"].map((id) => {
  const field = byId(id);
  return [id, Math.min(Number(field.max) || Infinity, Math.max(1, Math.round(Number(field.value)) || 1))];
}));

// Analyzes the position on the board, if the engine is on.
const analyzeHere = async () => {
  if (!engine.on || isPlaying() || document.hidden) return;
  const { multi, seconds, threads, hash } = settings();
  engine.asked += 1;
  engine.since = Infinity;
  engine.refused = false;
  const asked = engine.asked;
  const wish = { do: "analyze", at: state.at, lines: multi, threads, hash, threat: engine.threat };
  if (!engine.endless) wish.seconds = seconds;
  if (engine.onlyAt === state.at && !engine.threat) wish.moves = byId("only").value.split(/[\s,;]+/).filter(Boolean);
  const answer = await command(wish, (reason) => {
    if (asked === engine.asked) byId("lines").replaceChildren(make("li", { class: "hint" }, reason));
  });
  if (asked !== engine.asked) return;
  if (answer) engine.since = answer.told;
  else {
    // Lines of another page would take the place of the reason.
    engine.refused = true;
    state.lines = null;
    showAnalysis();
  }
};

// The analysis of this board has ended, or given way to another one. What came before the answer
// to this page was of its own.
const takePause = ({ why }) => {
  if (!engine.on || engine.refused || stream.heard < engine.since) return;
  switchEngine(false);
  tell(why);
  show();
};

// During a game the engine gives no lines; returns whether it was refused.
const refusesLines = () => {
  if (isPlaying()) tell("The engine gives no lines during a game.");
  return isPlaying();
};

// The switch on the page alone.
const switchEngine = (on) => {
  engine.on = on;
  byId("engine").setAttribute("aria-checked", on);
  state.lines = null;
};

const setEngine = (on) => {
  if (on && refusesLines()) return;
  switchEngine(on);
  engine.endless = false;
  byId("lines").replaceChildren();
  if (on) analyzeHere();
  else command({ do: "rest", at: state.at });
  show();
};

const toggleThreat = () => {
  if (refusesLines()) return;
  engine.threat = !engine.threat;
  byId("threat").setAttribute("aria-pressed", engine.threat);
  if (engine.threat && !engine.on) return setEngine(true);
  state.lines = null;
  analyzeHere();
  show();
};

// What the search says. Of a position that was left it says nothing any more.
const takeLines = (event) => {
  if (event.at !== state.at || event.threat !== engine.threat || !engine.on || engine.refused) return;
  state.lines = event;
  showAnalysis();
  showBar();
  if (!state.preview) showBoard();
};

const short = (number) => (number >= 1e6 ? `${(number / 1e6).toFixed(1)} M` : number >= 1e3 ? `${Math.round(number / 1e3)} k` : `${number}`);

// The moves with which people go on, in openings.
const showKnown = () => {
  const known = isPlaying() ? [] : details()?.known || [];
  byId("known").hidden = !known.length;
  rebuild(byId("known"), () => byId("known").replaceChildren("In this opening people play ", ...known.map(([san, name], index) => {
    const button = make("button", { type: "button", "data-key": `k${index}`, "aria-label": spoken(san) }, san);
    button.addEventListener("click", () => play(name));
    return button;
  })));
};

const showAnalysis = () => {
  const found = engine.on ? state.lines : null;
  byId("score").textContent = found?.lines[0]?.s ?? "";
  byId("depth").textContent = found?.depth ? `depth ${found.depth} · ${short(found.nps || 0)}/s${found.known ? " · tablebases" : ""}` : engine.on && !byId("lines").querySelector(".hint") ? "thinking" : "";
  byId("depth").title = found ? `${short(found.nodes || 0)} positions, up to ${found.seldepth} deep` : "";
  byId("deeper").hidden = !(found?.over && !engine.endless);
  const chances = byId("chances");
  chances.hidden = !found?.wdl;
  if (found?.wdl) {
    const [win, draw, loss] = found.wdl.map((part) => Math.round(part / 10));
    [win, draw, loss].forEach((part, index) => {
      const box = chances.children[index];
      box.style.flexGrow = Math.max(part, 1);
      box.textContent = part >= 12 ? `${part} %` : "";
    });
    chances.setAttribute("aria-label", `White wins ${win} percent, draws ${draw}, loses ${loss}`);
  }
  if (!found && !engine.on) byId("lines").replaceChildren();
  // A button that is being pressed stays, or its click would be lost.
  if (!found || byId("lines").matches(":active")) return;
  rebuild(byId("lines"), () => byId("lines").replaceChildren(...found.lines.map((one, index) => lineOf(one, index))));
};

const lineOf = ({ s: score, l: line }, index) => {
  const { number, turn } = node();
  const { at } = state.lines;
  const first = state.lines.threat ? (turn === "w" ? "b" : "w") : turn;
  return make("li", {}, make("strong", { class: "score" }, score), " ",
    lineMoves(line, { key: `l${index}`, number: number + (state.lines.threat && turn === "b" ? 1 : 0), turn: first,
      open: (count) => preview(line, count, at), play: (count) => playLine(line, count, at) }));
};

// The moves of a line as buttons: pointed at they are shown on the board, clicked they stay there.
const lineMoves = (line, { key, number, turn, open, play: playTo }) => {
  const box = make("span", { class: "moves-of-line" });
  line.forEach(([move], index) => {
    const count = 2 * number + (turn === "w" ? 0 : 1) + index;
    const prefix = count % 2 === 0 ? `${count / 2}. ` : index === 0 ? `${(count - 1) / 2}… ` : "";
    const button = make("button", { type: "button", "data-key": `${key}-${index}`, "aria-label": spoken(move) }, prefix + move);
    // By a pointer that moves: lines that come up under one that rests are not pointed at.
    button.addEventListener("pointermove", (event) => {
      const isShown = state.preview?.stays || (state.preview?.line === line && state.preview.count === index + 1);
      if (event.pointerType === "mouse" && !isShown) open(index + 1);
    });
    button.addEventListener("pointerleave", () => { if (!state.preview?.stays) leavePreview(); });
    button.addEventListener("click", () => {
      if (playTo) return playTo(index + 1);
      open(index + 1);
      stay();
    });
    box.append(button, " ");
  });
  return box;
};

// Shows a line that begins in a position, without playing it.
const preview = (line, count, from = state.at) => {
  state.preview = { line, count, from };
  showBoard();
};
// A line that was clicked stays until it is left.
const stay = () => {
  state.preview.stays = true;
  say();
};
const leavePreview = () => {
  if (!state.preview) return;
  const { stays } = state.preview;
  state.preview = null;
  showBoard();
  if (stays) say();
};
const stepInLine = (by) => {
  const { line, count } = state.preview;
  if (count + by < 1) return leavePreview();
  state.preview.count = Math.min(line.length, count + by);
  showBoard();
  say();
};

// Plays the moves of a line, up to this one, into the game; not where another position has come.
const playLine = async (line, count, begin = state.at) => {
  if (begin !== state.at) return;
  if (state.lines?.threat || isPlaying()) {
    preview(line, count, begin);
    return stay();
  }
  state.preview = null;
  // The reader can go elsewhere before the last move of the line is there.
  let at = begin;
  for (const [move] of line.slice(0, count)) {
    const answer = await command({ do: "type", at, text: move });
    if (!answer) return;
    takeNode(answer.node);
    takeDetails(answer.details);
    at = answer.node.id;
  }
  goTo(at, false, true);
};

// The arrows of the best moves: the thicker, the less a move loses against the best one.
const arrowsOfLines = () => {
  const found = engine.on ? state.lines : null;
  if (!state.arrows || !found || state.preview) return [];
  const sign = node().turn === "w" ? 1 : -1;
  const best = found.lines[0]?.p ?? 500;
  return found.lines.map(({ l: line, p: points }, index) => {
    const [from, to] = ends(node().board, line[0][1]);
    const loss = Math.abs(sign * (best - points));
    return { from, to, kind: found.threat ? "threat" : index === 0 ? "best" : "other", weight: Math.max(0, 1 - loss / 120) * (index === 0 ? 1 : 0.7) };
  });
};

const listenToEngine = () => {
  for (const id of ["multi", "seconds", "threads", "hash"]) {
    const field = byId(id);
    const kept = Number(stored(`squarewise-${id}`));
    if (kept) field.value = kept;
    field.addEventListener("change", () => {
      const value = settings()[id];
      field.value = value;
      store(`squarewise-${id}`, value);
      state.lines = null;
      analyzeHere();
    });
  }
  byId("engine").addEventListener("click", () => setEngine(!engine.on));
  byId("threat").addEventListener("click", toggleThreat);
  byId("deeper").addEventListener("click", () => {
    engine.endless = true;
    analyzeHere();
    byId("deeper").hidden = true;
  });
  // The moves are those of the position for which they were typed.
  byId("only").addEventListener("change", () => {
    engine.onlyAt = state.at;
    state.lines = null;
    if (engine.on) analyzeHere();
    else setEngine(true);
  });
};
