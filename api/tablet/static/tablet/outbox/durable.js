// Guarantees of this browser: persistent storage, the page without a network, the screen that stays on.

/**
 * Missing guarantees: `worker` (the page does not open without a network), `persist`, `awake`. On plain http all are missing.
 * @type {() => string[]}
 */
export const missing = () => {
  /** @type {Record<string, boolean>} */
  const has = {
    worker: "serviceWorker" in navigator,
    persist: typeof navigator.storage?.persist === "function",
    awake: "wakeLock" in navigator,
  };
  return Object.keys(has).filter((name) => !has[name]);
};

/** Whether the page is in a secure context (https, or this machine). */
export const isSecure = () => globalThis.isSecureContext;

/** Asks the browser not to delete the data when its disk is full. @type {() => Promise<boolean>} */
export const askToPersist = async () => {
  if (!navigator.storage?.persist) return false;
  return (await navigator.storage.persisted()) || navigator.storage.persist();
};

/** Keeps the screen on, if the browser can. Returns a function that ends this. @type {() => () => void} */
export const keepAwake = () => {
  /** @type {WakeLockSentinel | null | undefined} */
  let held = null;
  let isOver = false;
  const hold = async () => {
    if (isOver || document.visibilityState === "hidden") return;
    held = await navigator.wakeLock?.request("screen").catch(() => null);
    if (isOver) await held?.release();
  };
  document.addEventListener("visibilitychange", hold);
  hold();
  return () => {
    isOver = true;
    document.removeEventListener("visibilitychange", hold);
    held?.release();
  };
};
