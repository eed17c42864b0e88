// The stream of a page: that of all pages of the browser where there are shared workers, else one of its own.

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

/** The stream of the browser, as far as it is about a view. @param {string} view @param {Listener} listener @returns {Stream} */
const sharedStream = (view, { opened, failed, beat, changed }) => {
  const worker = new SharedWorker(new URL("./stream_worker.js", import.meta.url), { name: "guinote stream 1" });
  const { port } = worker;
  const leave = () => port.postMessage("");
  port.onmessage = ({ data }) => {
    if (data.kind === "open") opened();
    else if (data.kind === "error") failed();
    else if (data.kind === "view") changed(data.tag);
    else {
      port.postMessage(view); // it is still here
      beat();
    }
  };
  worker.onerror = failed;
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

/** The stream of a public view. @param {string} view its address @param {Listener} listener */
export const openStream = (view, listener) =>
  (typeof SharedWorker === "function" ? sharedStream : ownStream)(view, listener);
