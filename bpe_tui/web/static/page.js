// What the page does around the terminal of textual.js: it gives texts to the app, takes downloads, finds the app again
// when the connection is lost, and says how a session ended. It is loaded first, because it stands between that script
// and the browser in two places.
"use strict";

const page = document.body.dataset;
const byId = (id) => document.getElementById(id);
const Socket = window.WebSocket;
const PROTOCOL = "bpe-tui";
const BEAT = 5_000; // milliseconds between two questions whether the server is still there
const MOST_SILENCE = 3; // beats without an answer before a connection counts as lost
const PAUSES = [0.3, 1, 2, 4, 8, 15]; // seconds before the first and later attempts to find the server again
let socket = null;

function notice(sentence) {
  byId("notice").textContent = sentence;
  byId("notice").classList.add("warning");
}

// The secret of this tab, with which the server finds its app again. It outlasts a reload where the browser allows it.
const secret = {
  key: `${PROTOCOL} ${window.location.pathname}`,
  value: "",
  recall() {
    try {
      this.value = window.sessionStorage.getItem(this.key) ?? "";
    } catch {} // storage is forbidden
  },
  set(value) {
    this.value = value;
    try {
      window.sessionStorage.setItem(this.key, value);
    } catch {}
  },
};
secret.recall();

function focusTerminal() {
  document.querySelector(".xterm-helper-textarea")?.focus();
}

// The terminal opens the only web socket; texts go through it as well, and sentences of the server come back. What the
// terminal takes for its web socket are several, one after the other, until the session is over.
window.WebSocket = class extends EventTarget {
  #address;
  #current = null;
  #silence = 0; // beats since the last answer
  #lostAt = 0; // 0 while the connection is there
  #attempts = 0;
  #next = 0;
  #said = "";

  constructor(address) {
    super();
    socket = this;
    this.#address = new URL(address);
    this.#connect();
    window.setInterval(() => this.#check(), BEAT);
    window.addEventListener("online", () => this.#lostAt && this.#connect());
  }

  get readyState() {
    return this.#current?.readyState ?? Socket.CLOSED;
  }

  send(data) {
    if (data.startsWith('["resize"')) {
      const [, size] = JSON.parse(data);
      for (const name of ["width", "height"]) this.#address.searchParams.set(name, size[name]);
    }
    if (this.readyState === Socket.OPEN) this.#current.send(data);
  }

  #connect() {
    this.#leave();
    this.#silence = 0;
    const current = new Socket(this.#address, secret.value ? [PROTOCOL, secret.value] : [PROTOCOL]);
    const on = (kind, handle) => current.addEventListener(kind, (event) => current === this.#current && handle(event));
    this.#current = current;
    current.binaryType = "arraybuffer";
    on("open", () => this.#open());
    on("message", ({ data }) => this.#receive(data));
    on("close", () => this.#lose());
  }

  #leave() {
    window.clearTimeout(this.#next);
    const current = this.#current;
    this.#current = null;
    current?.close();
  }

  #open() {
    if (this.#lostAt) {
      byId("notice").textContent = this.#said;
      byId("notice").classList.remove("warning");
      document.body.classList.remove("away");
    }
    this.#lostAt = this.#attempts = 0;
    focusTerminal();
    this.dispatchEvent(new Event("open"));
  }

  #receive(data) {
    this.#silence = 0;
    if (typeof data === "string") {
      const [kind, content] = JSON.parse(data);
      if (kind === "secret") {
        secret.set(content);
        this.send(JSON.stringify(["stored"]));
      } else if (kind === "notice") notice(content);
      else if (kind === "ended") this.#end(content);
      if (["secret", "notice", "ended"].includes(kind) || (kind === "pong" && !content)) return;
    }
    this.dispatchEvent(new MessageEvent("message", { data }));
  }

  #check() {
    if (this.#current === null) return;
    this.#silence += 1;
    if (this.#silence > MOST_SILENCE) this.#lose();
    else this.send(JSON.stringify(["ping", ""]));
  }

  #lose() {
    this.#leave();
    if (!secret.value) {
      this.#end(page.lost);
      return;
    }
    if (!this.#lostAt) {
      this.#lostAt = Date.now();
      this.#said = byId("notice").textContent;
      notice(page.away);
      document.body.classList.add("away");
    } else if (Date.now() - this.#lostAt > 60_000 * Number(page.keep)) {
      this.#end(page.gone);
      return;
    }
    const pause = PAUSES[Math.min(this.#attempts++, PAUSES.length - 1)];
    const spread = 0.75 + Math.random() / 2; // lest a whole class come back in the same instant
    this.#next = window.setTimeout(() => this.#connect(), 1000 * pause * spread);
  }

  #end(reason) {
    this.#leave();
    this.#lostAt = 0;
    secret.set("");
    byId("reason").textContent = reason;
    byId("ended").showModal();
    this.dispatchEvent(new Event("close"));
  }
};

// The terminal opens a window for a download and for every address in a text. The first is a plain download here, and
// no text of anybody's leads out of the page.
window.open = (address) => {
  const key = /\/download\/([0-9a-f]+)/.exec(String(address));
  if (key) {
    const link = document.createElement("a");
    link.href = new URL(`download/${key[1]}`, document.baseURI).href;
    link.download = "";
    link.click();
  }
  return null;
};

async function give(file) {
  if (!file || socket?.readyState !== Socket.OPEN) return;
  if (file.size > Number(page.limit)) {
    notice(page.large);
    return;
  }
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    socket.send(JSON.stringify(["upload", { name: file.name, text }]));
    byId("notice").textContent = file.name;
  } catch {
    notice(page.binary);
  }
  focusTerminal();
}

byId("give").addEventListener("click", () => byId("file").click());
byId("file").addEventListener("change", ({ target }) => {
  give(target.files[0]);
  target.value = "";
});
byId("again").addEventListener("click", () => window.location.reload());
byId("ended").addEventListener("cancel", (event) => event.preventDefault());

for (const kind of ["dragenter", "dragover", "dragleave", "drop"]) {
  document.addEventListener(kind, (event) => {
    event.preventDefault();
    document.body.classList.toggle("dropping", kind === "dragenter" || kind === "dragover");
    if (kind === "drop") give(event.dataTransfer.files[0]);
  });
}

// The terminal measures its font when it starts, so the font has to be there.
window.addEventListener("load", async () => {
  const address = new URL("ws", document.baseURI);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  byId("terminal").dataset.sessionWebsocketUrl = address.href;
  const faces = ["16px", "bold 16px", "italic 16px"].map((face) => document.fonts.load(`${face} "Roboto Mono"`));
  await Promise.allSettled(faces);
  const script = document.createElement("script");
  script.src = "static/textual.js";
  script.addEventListener("load", () => window.onload());
  document.head.append(script);
});
