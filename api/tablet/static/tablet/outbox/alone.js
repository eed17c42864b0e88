// One at a time, over all tabs of this browser where it can be had; and a key that nobody else has.

/** @type {Promise<unknown>} */
let chain = Promise.resolve();

/**
 * Runs when nobody else runs under this name. Without locks (plain http) one tab after itself: two tabs may then send
 * the same command twice, with the same key, which the server answers twice and records once.
 * @template T @param {string} name @param {() => Promise<T>} run @returns {Promise<T>}
 */
export const alone = (name, run) => {
  if (navigator.locks) return navigator.locks.request(`guinote-${name}`, run);
  const turn = chain.then(run);
  chain = turn.catch(() => {});
  return turn;
};

/** A key: 32 random signs. `crypto.randomUUID` is not there on plain http. @type {() => string} */
export const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** @type {BroadcastChannel | null} */
const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel("guinote") : null;
/** @type {Set<(encuentro: string) => void>} */
const listeners = new Set();

channel?.addEventListener("message", ({ data }) => listeners.forEach((listener) => listener(data)));

/**
 * Tells the other views, in this tab and in others, that an encuentro changed.
 * @type {(encuentro: string) => void}
 */
export const announceChange = (encuentro) => {
  channel?.postMessage(encuentro);
  listeners.forEach((listener) => listener(encuentro));
};

/**
 * Calls the listener with each encuentro that changes, in any tab. The result removes the listener.
 * @type {(listener: (encuentro: string) => void) => () => void}
 */
export const onChange = (listener) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
