// A board is kept up to date for days: by a stream, and by asking where there is none.

const POLL_MS = 5_000;
const CHECK_MS = 60_000; // beside a stream that may be lying
const SILENCE_MS = 50_000; // three beats of the server, and a little
const FIRST_MS = 2_000;
const LONGEST_MS = 60_000;
const SPREAD_MS = 300; // not every board asks at the same moment
const PATIENCE_MS = 10_000;

/**
 * @typedef {"joining" | "live" | "polling" | "lost"} State
 * @typedef {object} Board
 * @property {string} view address of the public view; its stream is beside it
 * @property {string} tag of what is shown
 * @property {() => Promise<string>} renew shows what there is now, and says its tag
 * @property {(state: State, heard: number) => void} tell since when nothing more was heard
 */

/** A board with its stream, and the timers that stand in for it. */
class Follower {
  /** @type {EventSource | null} */
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

  /** One timer of a name at a time. @param {string} name @param {() => void} then @param {number} after */
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

  /** One after another, so that an older page never replaces a newer one. */
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

  /** The stream is no more: ask meanwhile, and open another, soon at first and then less often. */
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
    const source = (this.source = new EventSource(`${this.board.view}/stream`));
    this.later("silence", () => this.fail(), SILENCE_MS);
    source.onopen = () => {
      this.isLive = true;
      this.fails = 0;
      this.beat();
      this.ask();
    };
    source.onerror = () => this.fail();
    source.addEventListener("beat", () => this.beat());
    source.addEventListener("view", ({ lastEventId }) => {
      this.beat();
      if (lastEventId !== this.tag) this.later("show", () => this.renew(), Math.random() * SPREAD_MS);
    });
  }

  renew() {
    this.show().then(
      () => this.answered(),
      () => this.askLater(FIRST_MS),
    );
  }

  /** After a sleep, or with a network again: do not wait for a timer. */
  wake() {
    if (document.hidden) return;
    if (!this.isLive || Date.now() - this.heard >= SILENCE_MS) {
      this.fails = 0;
      this.open();
    }
    this.ask();
  }
}

/** Keep a board up to date, for ever. @param {Board} board */
export const follow = (board) => {
  const follower = new Follower(board);
  const wake = () => follower.wake();
  document.addEventListener("visibilitychange", wake);
  addEventListener("online", wake);
  addEventListener("pageshow", (event) => event.persisted && wake());
  board.tell("joining", follower.heard);
  follower.open();
  follower.askLater(POLL_MS);
};
