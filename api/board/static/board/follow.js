// Keeps a board up to date for days: by an event stream, or by polling while there is none. A page that nobody sees does neither.
import { openStream } from "./stream.js";

const POLL_MS = 5_000;
const CHECK_MS = 60_000; // in case the stream is open but delivers nothing
const SILENCE_MS = 50_000; // a little more than three heartbeats of the server
const FIRST_MS = 2_000;
const LONGEST_MS = 60_000;
const SPREAD_MS = 300; // so that boards do not all ask at the same moment
const PATIENCE_MS = 10_000;

/**
 * @typedef {"joining" | "live" | "polling" | "lost"} State
 * @typedef {object} Board
 * @property {string} view address of the public view; its stream is beside it
 * @property {string} tag of what is shown
 * @property {() => Promise<string>} renew shows the current content, and returns its tag
 * @property {(state: State, heard: number) => void} tell shows the state; `heard` is the time of the last answer
 */

/** A board with its stream, and the timers for polling. */
class Follower {
  /** @type {import("./stream.js").Stream | null} */
  source = null;
  isLive = false;
  fails = 0;
  heard = Date.now();
  /** @type {Promise<unknown>} */
  renewing = Promise.resolve();
  /** @type {Record<string, number | undefined>} */
  timers = {};

  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    this.tag = board.tag;
  }

  /** Start a timer; it replaces the one of the same name. @param {string} name @param {() => void} then @param {number} after */
  later(name, then, after) {
    clearTimeout(this.timers[name]);
    this.timers[name] = setTimeout(then, after);
  }

  /** @param {number} after */
  askLater(after) {
    this.later("ask", () => this.ask(), after);
  }

  answered() {
    this.heard = Date.now();
    this.board.tell(this.isLive ? "live" : "polling", this.heard);
  }

  /** Renew the content. Requests run one after another, so that an older page never replaces a newer one. */
  show() {
    this.renewing = this.renewing
      .catch(() => {})
      .then(() => this.board.renew())
      .then((shown) => {
        this.tag = shown;
      });
    return this.renewing;
  }

  async ask() {
    this.askLater(this.isLive ? CHECK_MS : POLL_MS);
    try {
      const answer = await fetch(this.board.view, {
        cache: "no-store",
        headers: { "If-None-Match": `"${this.tag}"` },
        signal: AbortSignal.timeout?.(PATIENCE_MS),
      });
      if (answer.status === 200) await this.show();
      else if (answer.status !== 304) throw new Error(String(answer.status));
      this.answered();
    } catch {
      this.board.tell("lost", this.heard);
      this.askLater(POLL_MS);
    }
  }

  beat() {
    this.heard = Date.now();
    this.later("silence", () => this.fail(), SILENCE_MS);
  }

  /** The stream broke: poll, and open another one after a pause that grows. */
  fail() {
    this.source?.close();
    clearTimeout(this.timers.silence);
    const was = this.isLive;
    this.isLive = false;
    if (was) this.askLater(POLL_MS);
    else this.ask();
    const wait = was ? 0 : Math.min(LONGEST_MS, FIRST_MS * 2 ** this.fails++);
    this.later("open", () => this.open(), wait + Math.random() * Math.max(wait, FIRST_MS / 4));
  }

  open() {
    this.source?.close();
    this.later("silence", () => this.fail(), SILENCE_MS);
    this.source = openStream(this.board.view, {
      opened: () => this.join(),
      failed: () => this.fail(),
      beat: () => this.beat(),
      changed: (tag) => {
        this.beat();
        if (tag !== this.tag) this.later("show", () => this.renew(), Math.random() * SPREAD_MS);
      },
    });
  }

  /** The stream is open, for this page too. */
  join() {
    const was = this.isLive;
    this.isLive = true;
    this.fails = 0;
    this.beat();
    if (!was) this.ask();
  }

  /** Nobody sees the page: its stream and its questions end until somebody does. */
  rest() {
    this.source?.close();
    this.source = null;
    this.isLive = false;
    for (const timer of Object.values(this.timers)) clearTimeout(timer);
  }

  renew() {
    this.show().then(
      () => this.answered(),
      () => this.askLater(FIRST_MS),
    );
  }

  /** Ask at once after the machine slept, or when the network is back. */
  wake() {
    if (document.hidden) return this.rest();
    if (!this.isLive || Date.now() - this.heard >= SILENCE_MS) {
      this.fails = 0;
      this.open();
    }
    this.ask();
  }
}

/** Keep a board up to date. @param {Board} board */
export const follow = (board) => {
  const follower = new Follower(board);
  const wake = () => follower.wake();
  document.addEventListener("visibilitychange", wake);
  addEventListener("online", wake);
  addEventListener("pageshow", (event) => event.persisted && wake());
  board.tell("joining", follower.heard);
  if (document.hidden) return;
  follower.open();
  follower.askLater(POLL_MS);
};
