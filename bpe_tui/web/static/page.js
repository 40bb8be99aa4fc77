// What the page does around the terminal of textual.js: it gives texts to the app, takes downloads, and says how a
// session ended. It is loaded first, because it stands between that script and the browser in two places.
"use strict";

const page = document.body.dataset;
const byId = (id) => document.getElementById(id);
const Socket = window.WebSocket;
let socket = null;
let reason = "";

function notice(sentence) {
  byId("notice").textContent = sentence;
  byId("notice").classList.add("warning");
}

function focusTerminal() {
  document.querySelector(".xterm-helper-textarea")?.focus();
}

// The terminal opens the only web socket; texts go through it as well, and sentences of the server come back.
window.WebSocket = class extends Socket {
  constructor(address) {
    super(address);
    socket = this;
    this.addEventListener("open", focusTerminal);
    this.addEventListener("message", ({ data }) => {
      if (typeof data !== "string") return;
      const [kind, sentence] = JSON.parse(data);
      if (kind === "notice") notice(sentence);
      else if (kind === "ended") reason = sentence;
    });
    this.addEventListener("close", () => {
      byId("reason").textContent = reason || page.lost;
      byId("ended").showModal();
    });
  }

  send(data) {
    if (this.readyState === Socket.OPEN) super.send(data);
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
