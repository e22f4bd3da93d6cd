// Talking to the server: commands as requests, and a stream of what happens.

// The token is in the address that was opened, or a code for it. It goes into the memory of this
// tab, and out of sight.
const enter = async () => {
  const [, kind, secret] = location.hash.match(/^#([tc])=([0-9a-f]+)$/) || [];
  if (kind) history.replaceState(null, "", location.pathname + location.search);
  if (kind === "t") sessionStorage.setItem("squarewise-token", secret);
  if (kind === "c") {
    const response = await request("/api/enter", { code: secret });
    if (!response.ok) throw new Error(await response.text());
    sessionStorage.setItem("squarewise-token", (await response.json()).token);
  }
  if (!sessionStorage.getItem("squarewise-token")) {
    throw new Error("Open the address that the program has printed: this one lacks its secret.");
  }
};

const NOT_RUNNING = "The program is not running. Start it again and open the address that it prints.";

// The most characters of a request that a browser sends although its page goes.
const MAX_LAST_WORDS = 20_000;

const request = (path, wish, signal) => {
  const body = JSON.stringify(wish);
  return fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Squarewise-Token": sessionStorage.getItem("squarewise-token") || "" },
    body,
    keepalive: document.hidden && body.length <= MAX_LAST_WORDS,
    signal,
  }).catch((error) => { throw signal?.aborted ? error : new Error(NOT_RUNNING); });
};

// Sends a command; the answer is JSON. What can't be done is said on the page, and the answer is
// null.
const post = async (path, body, quiet = false) => {
  try {
    const response = await request(path, body);
    const text = await response.text();
    const answer = text.startsWith("{") ? JSON.parse(text) : { error: text };
    if (answer.error) throw new Error(answer.error);
    return answer;
  } catch (error) {
    if (quiet !== true) (quiet || tell)(capitalized(error.message));
    return null;
  }
};

// Commands to the board are carried out in their order: one waits for the answer to the one before,
// and each answer for the events that came before it.
let answered = Promise.resolve();
const command = (body, quiet) => {
  answered = answered.then(async () => {
    const answer = await post(`/api/boards/${state.board}`, body, quiet);
    if (answer) await heard(answer.told);
    return answer;
  });
  return answered;
};

// ---- The stream ----

// A browser opens six connections to a host, so only a page that can be seen holds a stream.
// It is open from its first event on. `heard` is the number of the last one, `waiting` the answer
// that waits for others.
const stream = { abort: null, isOpen: false, wait: 250, heard: 0, waiting: null };

// Waits until the stream has brought all events up to this number, but not for a broken stream.
const heard = (number) => new Promise((resolve) => {
  if (!stream.isOpen || stream.heard >= number) return resolve();
  stream.waiting = { number, resolve };
  setTimeout(resolve, 1000);
});

const hearLine = (line) => {
  const [number, event] = JSON.parse(line);
  hear(event);
  Object.assign(stream, { heard: number, isOpen: true });
  if (number >= stream.waiting?.number) stream.waiting.resolve();
};

// The server says something every four seconds, if only that it is there.
const SILENCE = 12_000;

const inTime = (promise) => new Promise((resolve, reject) => {
  const timer = setTimeout(() => reject(new Error("The program does not answer.")), SILENCE);
  promise.then(resolve, reject).finally(() => clearTimeout(timer));
});

const listenToServer = async () => {
  if (stream.abort || document.hidden) return;
  const abort = new AbortController();
  stream.abort = abort;
  try {
    const response = await inTime(request(`/api/boards/${state.board}/listen`, {}, abort.signal));
    if (!response.ok) throw new Error(await response.text());
    if (!response.headers.get("Content-Type").includes("ndjson")) throw new Error((await response.json()).error);
    stream.wait = 250;
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await inTime(reader.read());
      if (done) break;
      const lines = (rest + value).split("\n");
      rest = lines.pop();
      lines.filter(Boolean).forEach(hearLine);
    }
    if (!abort.signal.aborted) throw new Error("");
  } catch (error) {
    if (abort.signal.aborted) return;
    abort.abort();
    stream.isOpen = false;
    warn(capitalized(error.message || NOT_RUNNING));
    stream.wait = Math.min(4000, stream.wait * 2);
    setTimeout(() => {
      // A page that was hidden meanwhile has begun anew.
      if (stream.abort !== abort) return;
      stream.abort = null;
      listenToServer();
    }, stream.wait);
  }
};

const leaveServer = () => {
  stream.abort?.abort();
  Object.assign(stream, { abort: null, isOpen: false });
};

const listenWhileSeen = () => {
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) return listenToServer();
    // A page that is closed is hidden first.
    if (byId("comment").dataset.typed) saveComment();
    leaveServer();
  });
  listenToServer();
};

// What went wrong with the program, above everything.
const warn = (text) => {
  byId("warning").textContent = text;
  byId("warning").hidden = !text;
};

// What is said below the board.
const tell = (text) => { byId("message").textContent = text; };
