// Import of modules and style sheets over an unreliable network.
import { ours, prefix } from "../html/prefix.js";
const AGAIN_MS = 1_000;
const MOST_RELOADS = 5;
const RELOADS = ours("guinote-reloads");
const STALLED_MS = { kept: 15_000, sent: 30_000 };

/**
 * Imports with `load`. If a file did not arrive, or some are on their way for too long, the page is reloaded as soon as the service answers. It is not imported again
 * in the same page: there some browsers never request a failed file again, and under another address it would run twice.
 * @template T @param {() => Promise<T>} load @returns {Promise<T>}
 */
export const fetched = async (load) => {
  const loading = load();
  try {
    return await Promise.race([loading, stalled()]);
  } catch (error) {
    console.warn(error);
    if (error instanceof TypeError) await reload();
    else tell();
    return loading.catch(() => new Promise(() => {})); // they come late, or the page is reloaded, here or by its user
  }
};

/** Style sheets that were asked for. @type {Map<string, Promise<void>>} */
const sheets = new Map();

/** Adds a style sheet of the tablet to the page, once. Rejects if it does not arrive. @type {(name: string) => Promise<void>} */
export const styled = (name) => {
  const adding = sheets.get(name) ?? new Promise((done, fail) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: `${prefix}/static/tablet/${name}.css` });
    link.onload = () => done();
    link.onerror = () => fail(new TypeError(name));
    document.head.append(link);
  });
  sheets.set(name, adding);
  return adding;
};

/** Whether the files are kept in this browser, by the worker. */
export const areKept = () => Boolean(navigator.serviceWorker?.controller);

/** Fails after a while: WebKit may leave the request of a kept file without an answer. @returns {Promise<never>} */
const stalled = () =>
  new Promise((_, fail) => setTimeout(() => fail(new TypeError("stalled")), areKept() ? STALLED_MS.kept : STALLED_MS.sent));

/** Reloads so far; as many as may be where the browser has no storage to count them in. */
const counted = () => {
  try {
    return Number(sessionStorage.getItem(RELOADS));
  } catch {
    return MOST_RELOADS;
  }
};

/** @type {(reloads: number) => void} */
const count = (reloads) => {
  try {
    sessionStorage.setItem(RELOADS, String(reloads));
  } catch {
    // none is counted
  }
};

/** All files of a view arrived: what tells of trouble is hidden, and reloads are counted anew. */
export const opened = () => {
  count(0);
  notice()?.setAttribute("hidden", "");
};

/** Reloads the page when the service answers or the files are kept here, a few times at most: if the file is invalid, no reload helps. */
const reload = async () => {
  const reloads = counted();
  if (reloads >= MOST_RELOADS) return tell();
  await pause();
  while (!areKept() && !(await answers())) {
    tell();
    await pause();
  }
  count(reloads + 1);
  location.reload();
};

const pause = () => new Promise((go) => setTimeout(go, AGAIN_MS));

/** Whether the service answers. */
const answers = async () => {
  const answer = await fetch(location.href, { method: "HEAD", cache: "no-store" }).catch(() => null);
  return answer !== null && answer.ok;
};

/** The part of the page that tells that it does not open: html/unopened.html. */
const notice = () => document.getElementById("unopened");

/** Shows it; a reload by the user is the first of another few. */
const tell = () => {
  count(0);
  notice()?.removeAttribute("hidden");
  notice()?.classList.add("now");
};
