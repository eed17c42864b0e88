// The stream of a page, one for all pages of the browser: in a shared worker, or in one of the pages. Else one of its own.
import { ours } from "../html/prefix.js";
import { ViewsStream } from "./views_stream.js";

const NAME = ours("guinote stream 2"); // of the worker, the channel and the lock; another number when what they say is another

/**
 * @typedef {object} Stream
 * @property {() => void} close
 *
 * @typedef {object} Listener
 * @property {() => void} opened
 * @property {() => void} failed
 * @property {() => void} beat
 * @property {(tag: string) => void} changed
 */

/** A stream of this page alone. @param {string} view @param {Listener} listener @returns {Stream} */
const ownStream = (view, { opened, failed, beat, changed }) => {
  const source = new EventSource(`${view}/stream`);
  source.onopen = opened;
  source.onerror = failed;
  source.addEventListener("beat", beat);
  source.addEventListener("view", ({ lastEventId }) => changed(lastEventId));
  return source;
};

/**
 * What a page does with what the common stream says.
 * @param {Listener} listener
 * @param {() => void} stay says that the page is still here
 * @returns {(message: import("./views_stream.js").Message) => void}
 */
const answerer =
  ({ opened, failed, beat, changed }, stay) =>
  (message) => {
    if (message.kind === "open") opened();
    else if (message.kind === "error") failed();
    else if (message.kind === "view") changed(message.tag);
    else {
      stay();
      beat();
    }
  };

/** The stream of the worker, as far as it is about a view. @param {string} view @param {Listener} listener @returns {Stream} */
const sharedStream = (view, listener) => {
  const worker = new SharedWorker(new URL("./stream_worker.js", import.meta.url), { name: NAME, type: "module" });
  const { port } = worker;
  const leave = () => port.postMessage("");
  const answer = answerer(listener, () => port.postMessage(view));
  port.onmessage = ({ data }) => answer(data);
  worker.onerror = listener.failed;
  port.postMessage(view);
  addEventListener("pagehide", leave);
  return {
    close: () => {
      leave();
      port.onmessage = null;
      removeEventListener("pagehide", leave);
    },
  };
};

/**
 * The stream of one of the pages, which has the lock and hears the others on a channel. When it is closed or hidden the
 * lock goes to the next page, which asks the others what they show.
 * @param {string} view @param {Listener} listener @returns {Stream}
 */
const electedStream = (view, listener) => {
  const id = crypto.randomUUID();
  const channel = new BroadcastChannel(NAME);
  const leaving = new AbortController();
  /** @type {ViewsStream | null} */
  let lead = null;
  const stay = () => (lead ? lead.hear(id, view, answer) : channel.postMessage({ from: id, view }));
  const answer = answerer(listener, stay);
  channel.onmessage = ({ data }) => {
    if (data.to === id) answer(data.message);
    else if (data.asks) stay();
    else if (data.from) lead?.hear(data.from, data.view, (message) => channel.postMessage({ to: data.from, message }));
  };
  const takeLead = () =>
    new Promise((end) => {
      if (leaving.signal.aborted) return end(null);
      leaving.signal.addEventListener("abort", end);
      lead = new ViewsStream();
      stay();
      channel.postMessage({ asks: true });
    });
  navigator.locks
    .request(NAME, { signal: leaving.signal }, takeLead)
    .catch(() => leaving.signal.aborted || listener.failed());
  stay();
  const close = () => {
    if (lead) lead.close();
    else channel.postMessage({ from: id, view: "" });
    leaving.abort();
    channel.close();
    removeEventListener("pagehide", close);
  };
  addEventListener("pagehide", close);
  return { close };
};

/** How this browser can have one stream for all its pages; locks are only in a secure context. */
const openCommon = () => {
  if (typeof SharedWorker === "function") return sharedStream;
  return navigator.locks && typeof BroadcastChannel === "function" ? electedStream : ownStream;
};

/** The stream of a public view. @param {string} view its address @param {Listener} listener */
export const openStream = (view, listener) => openCommon()(view, listener);
