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

/** Keep a board up to date, for ever. @param {Board} board */
export const follow = ({ view, tag, renew, tell }) => {
  /** @type {EventSource | null} */
  let source = null;
  let isLive = false;
  let fails = 0;
  let heard = Date.now();
  let renewing = Promise.resolve();
  /** @type {Record<string, number | undefined>} */
  const timers = {};

  /** One timer of a name at a time. @param {string} name @param {() => void} then @param {number} after */
  const later = (name, then, after) => {
    clearTimeout(timers[name]);
    timers[name] = setTimeout(then, after);
  };

  const answered = () => {
    heard = Date.now();
    tell(isLive ? "live" : "polling", heard);
  };

  /** One after another, so that an older page never replaces a newer one. */
  const show = () =>
    (renewing = renewing
      .catch(() => {})
      .then(renew)
      .then((shown) => {
        tag = shown;
      }));

  const ask = async () => {
    later("ask", ask, isLive ? CHECK_MS : POLL_MS);
    try {
      const answer = await fetch(view, {
        cache: "no-store",
        headers: { "If-None-Match": `"${tag}"` },
        signal: AbortSignal.timeout?.(PATIENCE_MS),
      });
      if (answer.status === 200) await show();
      else if (answer.status !== 304) throw new Error(String(answer.status));
      answered();
    } catch {
      tell("lost", heard);
      later("ask", ask, POLL_MS);
    }
  };

  const beat = () => {
    heard = Date.now();
    later("silence", fail, SILENCE_MS);
  };

  /** The stream is no more: ask meanwhile, and open another, soon at first and then less often. */
  const fail = () => {
    source?.close();
    clearTimeout(timers.silence);
    const was = isLive;
    isLive = false;
    if (was) later("ask", ask, POLL_MS);
    else ask();
    const wait = was ? 0 : Math.min(LONGEST_MS, FIRST_MS * 2 ** fails++);
    later("open", open, wait + Math.random() * Math.max(wait, FIRST_MS / 4));
  };

  const open = () => {
    source?.close();
    source = new EventSource(`${view}/stream`);
    later("silence", fail, SILENCE_MS);
    source.onopen = () => {
      isLive = true;
      fails = 0;
      beat();
      ask();
    };
    source.onerror = fail;
    source.addEventListener("beat", beat);
    source.addEventListener("view", (event) => {
      beat();
      if (event.lastEventId === tag) return;
      const now = () => show().then(answered, () => later("ask", ask, FIRST_MS));
      later("show", now, Math.random() * SPREAD_MS);
    });
  };

  /** After a sleep, or with a network again: do not wait for a timer. */
  const wake = () => {
    if (document.hidden) return;
    if (isLive && Date.now() - heard < SILENCE_MS) ask();
    else {
      fails = 0;
      open();
      ask();
    }
  };

  document.addEventListener("visibilitychange", wake);
  addEventListener("online", wake);
  addEventListener("pageshow", (event) => event.persisted && wake());
  tell("joining", heard);
  open();
  later("ask", ask, POLL_MS);
};
