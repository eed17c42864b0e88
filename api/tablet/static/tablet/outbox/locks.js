// A named lock, shared by all tabs of this browser where the browser has locks.
import { ours } from "../../html/prefix.js";

/** @type {Promise<unknown>} */
let chain = Promise.resolve();

/**
 * Runs a function while it holds the lock of this name. Browsers have no locks on plain http: then calls in one tab still run
 * one after another, but two tabs can send the same command twice. Both requests have the same key, so the server
 * records the command once and sends the same answer to both.
 * @template T @param {string} name @param {() => Promise<T>} run @returns {Promise<T>}
 */
export const withLock = (name, run) => {
  if (navigator.locks) return navigator.locks.request(ours(`guinote-${name}`), run);
  const turn = chain.then(run);
  chain = turn.catch(() => {});
  return turn;
};
