// What this browser can promise: that it does not throw away what is kept, that the page opens without network, that it stays awake.

/**
 * What is missing: `worker` (the page does not open without network), `persist`, `awake`. Plain http misses all.
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

/** Whether the address is one that browsers trust (https, or this machine). */
export const isSecure = () => globalThis.isSecureContext;

/** Asks the browser not to throw away what is kept when its disk is full. @type {() => Promise<boolean>} */
export const askToPersist = async () => {
  if (!navigator.storage?.persist) return false;
  return (await navigator.storage.persisted()) || navigator.storage.persist();
};

/** Keeps the screen on while a table is open, where the browser can; gives what stops that. @type {() => () => void} */
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
