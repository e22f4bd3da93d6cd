// Opening and saving, setting up a position, help.

const openGames = () => {
  byId("open-error").textContent = "";
  byId("open-dialog").showModal();
  byId("open-text").focus();
};

// Whether a dialog is open, whose answer comes first; this one may be.
const isAsked = (...ids) => [...document.querySelectorAll("dialog[open]")].some((dialog) => !ids.includes(dialog.id));

const load = async (text) => {
  const answer = await replaceBoard({ do: "load", text }, (reason) => {
    byId("open-error").textContent = reason;
    tell(reason);
  });
  if (!answer) return false;
  byId("open-dialog").close();
  tell(answer.remark ? capitalized(answer.remark) : "");
  board.flip(state.own === "b");
  setView(state.open === null ? "analysis" : "review");
  return true;
};

// A text in UTF-8 or, where it isn't, in Windows-1252, as the program reads files.
const decoded = (bytes) => {
  const mark = String(new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength)));
  if (mark === "255,254") return new TextDecoder("utf-16le").decode(bytes);
  if (mark === "254,255") return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
};

const loadFile = async (file) => {
  if (!file) return;
  if (file.size > 8 << 20) {
    byId("open-error").textContent = "This file is larger than 8 MiB.";
    return tell("This file is larger than 8 MiB.");
  }
  load(decoded(await file.arrayBuffer()));
};

// The games that were loaded, to choose from.
const showGames = () => {
  const list = byId("game-list");
  // While something else is on the board, it leads back to a single game too.
  const isOpen = state.open !== null;
  list.hidden = state.games.length < (isOpen ? 2 : 1);
  const nothing = isOpen ? [] : [make("option", { value: "", disabled: "" }, "Games of this board")];
  list.replaceChildren(...nothing, ...state.games.map(([white, black, result, date], index) =>
    make("option", { value: index }, `${index + 1}. ${white} – ${black} ${result}${date ? `, ${date}` : ""}`)));
  list.value = String(state.open ?? "");
};

// The focus goes to the first control, which stands below the keys.
const openHelp = () => {
  byId("help-dialog").showModal();
  byId("help-dialog").scrollTop = 0;
};

// All boards, to go to another one.
const openBoards = async () => {
  byId("boards-error").textContent = "";
  byId("boards-dialog").showModal();
  const answer = await post("/api/boards", { do: "list" }, (reason) => { byId("boards-error").textContent = reason; });
  byId("board-list").replaceChildren(...(answer?.boards || []).map(({ board: number, title, playing }) => {
    const said = playing ? `${title}, being played` : title;
    const isHere = number === state.board;
    return make("li", { value: number }, isHere ? make("strong", { "aria-current": "page" }, `${said} (here)`) : make("a", { href: boardAddress(number) }, said));
  }));
};

const boardAddress = (number) => `/?board=${number}#t=${sessionStorage.getItem("squarewise-token")}`;

const openSave = async () => {
  const answer = await command({ do: "text", at: state.at });
  if (!answer) return;
  byId("fen-text").value = answer.fen;
  byId("pgn-text").value = answer.pgn;
  byId("save-dialog").showModal();
};

const copy = async (id) => {
  const field = byId(id);
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    field.select();
    document.execCommand("copy");
  }
  tell("Copied.");
};

// A button that is to be clicked once more within some seconds, where the action is grave: nobody
// resigns by a slip.
const askTwice = (id, label, action, isGrave = () => true) => {
  const button = byId(id);
  const ask = (isSure) => {
    clearTimeout(button.timer);
    button.toggleAttribute("data-sure", isSure);
    button.textContent = label();
  };
  button.forget = () => ask(false);
  button.addEventListener("click", () => {
    if (isAskedTwice(id) || !isGrave()) {
      ask(false);
      return action();
    }
    ask(true);
    button.timer = setTimeout(ask, 3000, false);
  });
};

// What was asked is no longer the question.
const forgetQuestion = (id) => byId(id).forget();

const isAskedTwice = (id) => "sure" in byId(id).dataset;

// ---- Setting up ----

const editor = { pieces: Array(64).fill(""), piece: "P" };

const editorFen = () => {
  const ranks = [7, 6, 5, 4, 3, 2, 1, 0].map((rank) => {
    const row = editor.pieces.slice(8 * rank, 8 * rank + 8).map((piece) => piece || "1").join("");
    return row.replace(/1+/g, (ones) => ones.length);
  });
  return `${ranks.join("/")} ${byId("setup-turn").value} ${byId("setup-castling").value.trim() || "-"} - 0 1`;
};

const setupWish = (wish) => ({ do: wish, fen: byId("setup-fen").value, variant: byId("setup-variant").value });

// En passant and the counts of moves stand in the FEN alone: it is written anew only where pieces,
// turn or castling have changed.
const showEditor = async (writesFen = true) => {
  const box = byId("setup-board");
  box.querySelectorAll("[role=gridcell]").forEach((cell) => {
    const square = squareNumber(cell.dataset.square);
    const piece = editor.pieces[square];
    cell.replaceChildren(...(piece ? [pieceImage(piece)] : []));
    cell.setAttribute("aria-label", `${cell.dataset.square}, ${piece ? pieceName(piece) : "empty"}`);
  });
  for (const button of document.querySelectorAll("#palette button")) button.setAttribute("aria-pressed", button.dataset.piece === editor.piece);
  if (writesFen) byId("setup-fen").value = editorFen();
  byId("setup-error").textContent = "";
  const answer = await command(setupWish("check"), (reason) => { byId("setup-error").textContent = reason; });
  byId("setup-do").disabled = !answer;
  if (answer?.remark) byId("setup-error").textContent = capitalized(answer.remark);
};

const readEditor = (fen) => {
  const [, turn = "w", castling = "-"] = fen.trim().split(/\s+/);
  editor.pieces = readBoard(fen);
  byId("setup-turn").value = turn === "b" ? "b" : "w";
  byId("setup-castling").value = castling;
};

const openEditor = () => {
  if (isPlaying()) return tell("Finish the game first.");
  readEditor(node().f);
  byId("setup-fen").value = node().f;
  byId("setup-variant").value = state.variant;
  byId("setup-dialog").showModal();
  showEditor(false);
};

const buildEditor = () => {
  const box = byId("setup-board");
  for (let rank = 7; rank >= 0; rank -= 1) {
    const row = make("div", { role: "row" });
    for (let file = 0; file < 8; file += 1) {
      const square = 8 * rank + file;
      const cell = make("div", { role: "gridcell", tabindex: square === 0 ? "0" : "-1", "data-square": squareName(square), class: (rank + file) % 2 ? "light" : "dark" });
      const put = () => {
        editor.pieces[square] = editor.pieces[square] === editor.piece ? "" : editor.piece;
        showEditor();
      };
      cell.addEventListener("click", () => { focusSquare(box, cell); put(); });
      cell.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") put();
        else if (event.key.startsWith("Arrow")) moveFocus(box, cell, event.key, false);
        else return;
        event.preventDefault();
      });
      row.append(cell);
    }
    box.append(row);
  }
  byId("palette").append(...[..."KQRBNPkqrbnp"].map((piece) => {
    const button = make("button", { type: "button", "data-piece": piece, "aria-label": pieceName(piece), "aria-pressed": "false" }, pieceImage(piece));
    button.addEventListener("click", () => { editor.piece = piece; showEditor(false); });
    return button;
  }), (() => {
    const button = make("button", { type: "button", "data-piece": "", "aria-label": "Take away", "aria-pressed": "false" }, "×");
    button.addEventListener("click", () => { editor.piece = ""; showEditor(false); });
    return button;
  })());
};

const listenToDialogs = () => {
  buildEditor();
  byId("open-games").addEventListener("click", openGames);
  byId("open-do").addEventListener("click", () => load(byId("open-text").value));
  byId("open-file").addEventListener("change", (event) => { loadFile(event.target.files[0]); event.target.value = ""; });
  byId("open-kept").addEventListener("click", async () => {
    const answer = await post("/api/boards", { do: "kept" }, (reason) => { byId("open-error").textContent = reason; });
    if (answer) load(answer.text);
  });
  byId("game-list").addEventListener("change", async (event) => {
    // What can't be opened isn't named as open.
    if (!await replaceBoard({ do: "open", game: Number(event.target.value) })) return showGames();
    if (state.own) board.flip(state.own === "b");
  });
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    if (isAsked("open-dialog")) return;
    const { files } = event.dataTransfer;
    if (files.length) loadFile(files[0]);
    else load(event.dataTransfer.getData("text/plain"));
  });
  document.addEventListener("paste", (event) => {
    if (isAsked() || event.target.closest("input, textarea")) return;
    load(event.clipboardData.getData("text/plain"));
  });
  byId("save").addEventListener("click", openSave);
  byId("copy-fen").addEventListener("click", () => copy("fen-text"));
  byId("copy-pgn").addEventListener("click", () => copy("pgn-text"));
  byId("download-pgn").addEventListener("click", () => save("game.pgn", "application/x-chess-pgn", byId("pgn-text").value));
  byId("set-up").addEventListener("click", openEditor);
  for (const id of ["setup-turn", "setup-castling"]) byId(id).addEventListener("change", () => showEditor());
  byId("setup-variant").addEventListener("change", () => showEditor(false));
  byId("setup-fen").addEventListener("change", () => { readEditor(byId("setup-fen").value); showEditor(false); });
  byId("setup-start").addEventListener("click", () => { readEditor("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"); showEditor(); });
  byId("setup-empty").addEventListener("click", () => { editor.pieces = Array(64).fill(""); byId("setup-castling").value = "-"; showEditor(); });
  const showStart = async (wish) => {
    if (await replaceBoard(wish, (reason) => { byId("setup-error").textContent = reason; })) {
      byId("setup-dialog").close();
      setView("analysis");
    }
  };
  byId("setup-960-do").addEventListener("click", () => showStart({ do: "chess960", number: Number(byId("setup-960").value) }));
  byId("setup-variant-do").addEventListener("click", () => showStart({ do: "variant", name: byId("setup-variant").value }));
  byId("setup-do").addEventListener("click", async () => {
    const done = await replaceBoard(setupWish("position"), (reason) => { byId("setup-error").textContent = reason; });
    if (!done) return;
    byId("setup-dialog").close();
    setView("analysis");
  });
  byId("boards").addEventListener("click", openBoards);
  byId("help").addEventListener("click", openHelp);
  byId("colors").value = stored("squarewise-colors") || "";
  const setColors = () => {
    document.documentElement.dataset.colors = byId("colors").value;
    store("squarewise-colors", byId("colors").value);
  };
  byId("colors").addEventListener("change", setColors);
  setColors();
  byId("new-board").addEventListener("click", async () => {
    const answer = await post("/api/boards", { do: "new" }, (reason) => { byId("boards-error").textContent = reason; });
    if (!answer) return;
    open(boardAddress(answer.board), "_blank");
    byId("boards-dialog").close();
  });
  askTwice("close-board", () => (isAskedTwice("close-board") ? "Really delete it?" : "Delete this board"), async () => {
    leaveServer();
    if (await post("/api/boards", { do: "close", board: state.board })) location.assign("/");
    else listenToServer();
  });
  byId("quit").addEventListener("click", () => post("/api/quit", {}));
  for (const button of document.querySelectorAll("[data-close]")) {
    button.addEventListener("click", () => button.closest("dialog").close());
  }
};
