// One stream of events for all pages of a browser, which opens no more than six connections to a server.
const PUBLIC = "/api/v1/public/";
const MOST = 64; // views in one stream, as the server takes them
const GATHER_MS = 50; // pages that are opened together ask once
const GONE_MS = 60_000; // a page says every 15 seconds that it is there

/** @type {Map<MessagePort, { view: string, heard: number, isTold: boolean }>} */
const pages = new Map();
/** @type {EventSource | null} */
let source = null;
let asked = "";
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** @param {object} message @param {(page: { view: string, isTold: boolean }) => boolean} [isMeant] */
const tell = (message, isMeant = () => true) => {
  for (const [port, page] of pages) if (isMeant(page)) port.postMessage(message);
};

/** Tell the pages that joined meanwhile that the stream is open. */
const tellOpen = () => {
  tell({ kind: "open" }, (page) => !page.isTold);
  for (const page of pages.values()) page.isTold = true;
};

/** @param {string} address */
const listen = (address) => {
  const made = new EventSource(address);
  made.onopen = tellOpen;
  made.onerror = () => {
    made.close();
    source = null;
    tell({ kind: "error" }); // each page asks by itself, and joins again after a pause
    pages.clear();
  };
  made.addEventListener("beat", () => {
    tell({ kind: "beat" });
    openLater();
  });
  made.addEventListener("change", ({ data }) => {
    const [tag, of] = data.split(" ");
    tell({ kind: "view", tag }, (page) => page.view === PUBLIC + of);
  });
  return made;
};

/** Open the stream of the views that are shown now, if they are others than before. */
const open = () => {
  for (const [port, page] of pages) if (Date.now() - page.heard > GONE_MS) pages.delete(port);
  const views = [...new Set(Array.from(pages.values(), (page) => page.view))].sort().slice(0, MOST);
  const query = views.map((view) => `of=${view.slice(PUBLIC.length)}`).join("&");
  if (source && query === asked) {
    if (source.readyState === EventSource.OPEN) tellOpen();
    return;
  }
  source?.close();
  asked = query;
  source = query ? listen(`${PUBLIC}changes?${query}`) : null;
};

const openLater = () => {
  clearTimeout(timer);
  timer = setTimeout(open, GATHER_MS);
};

globalThis.addEventListener("connect", (event) => {
  const [port] = /** @type {MessageEvent} */ (event).ports;
  port.onmessage = ({ data: view }) => {
    const page = pages.get(port);
    if (view) pages.set(port, { view, heard: Date.now(), isTold: page !== undefined && page.view === view && page.isTold });
    else pages.delete(port);
    if (page?.view !== view) openLater();
  };
});
