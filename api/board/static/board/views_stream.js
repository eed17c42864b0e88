// One stream of events for the views that several pages show: a browser opens no more than six connections to a server.
import { prefix } from "../html/prefix.js";

const PUBLIC = `${prefix}/api/v1/public/`;
const MOST = 64; // views in one stream, as the server takes them
const GATHER_MS = 50; // pages that are opened together ask once
const GONE_MS = 60_000; // a page says every 15 seconds that it is there

/** @typedef {{ kind: "open" | "error" | "beat" } | { kind: "view", tag: string }} Message what a page is told */

export class ViewsStream {
  /** @type {Map<unknown, { view: string, heard: number, isTold: boolean, post: (message: Message) => void }>} */
  pages = new Map();
  /** @type {EventSource | null} */
  source = null;
  asked = "";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;

  /**
   * A page says what it shows; it does so again as long as it is there.
   * @param {unknown} id which page
   * @param {string} view address of what it shows; empty: the page leaves
   * @param {(message: Message) => void} post how the page is told
   */
  hear(id, view, post) {
    const page = this.pages.get(id);
    if (view) this.pages.set(id, { view, heard: Date.now(), isTold: page?.view === view && page.isTold, post });
    else this.pages.delete(id);
    if ((page?.view ?? "") !== view) this.openLater();
  }

  close() {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = null;
    this.pages.clear();
  }

  /** @param {Message} message @param {(page: { view: string, isTold: boolean }) => boolean} [isMeant] */
  tell(message, isMeant = () => true) {
    for (const page of this.pages.values()) if (isMeant(page)) page.post(message);
  }

  /** Tell the pages that joined meanwhile that the stream is open. */
  tellOpen() {
    this.tell({ kind: "open" }, (page) => !page.isTold);
    for (const page of this.pages.values()) page.isTold = true;
  }

  openLater() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.open(), GATHER_MS);
  }

  /** Open the stream of the views that are shown now, if they are others than before. */
  open() {
    for (const [id, page] of this.pages) if (Date.now() - page.heard > GONE_MS) this.pages.delete(id);
    const views = [...new Set(Array.from(this.pages.values(), (page) => page.view))].sort().slice(0, MOST);
    const query = views.map((view) => `of=${view.slice(PUBLIC.length)}`).join("&");
    if (this.source && query === this.asked) {
      if (this.source.readyState === EventSource.OPEN) this.tellOpen();
      return;
    }
    this.source?.close();
    this.asked = query;
    this.source = query ? this.listen(`${PUBLIC}changes?${query}`) : null;
  }

  /** @param {string} address */
  listen(address) {
    const made = new EventSource(address);
    made.onopen = () => this.tellOpen();
    made.onerror = () => {
      made.close();
      this.source = null;
      const told = [...this.pages.values()];
      this.pages.clear();
      for (const page of told) page.post({ kind: "error" }); // each page asks by itself, and joins again after a pause
    };
    made.addEventListener("beat", () => {
      this.tell({ kind: "beat" });
      this.openLater();
    });
    made.addEventListener("change", ({ data }) => {
      const [tag, of] = data.split(" ");
      this.tell({ kind: "view", tag }, (page) => page.view === PUBLIC + of);
    });
    return made;
  }
}
