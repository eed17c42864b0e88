// What this browser can promise: that it does not throw away what is kept, that the page opens without network, that it stays awake.

/** What is missing: `worker` (the page does not open without network), `persist`, `awake`. Plain http misses all. */
export const missing = () => [
  ...("serviceWorker" in navigator ? [] : ["worker"]),
  ...(navigator.storage?.persist ? [] : ["persist"]),
  ...("wakeLock" in navigator ? [] : ["awake"]),
];

/** Whether the address is one that browsers trust (https, or this machine). */
export const isSecure = () => globalThis.isSecureContext;

/** Asks the browser not to throw away what is kept when its disk is full. */
export const askToPersist = async () => {
  if (!navigator.storage?.persist) return false;
  return (await navigator.storage.persisted()) || navigator.storage.persist();
};

/** Keeps the screen on while a table is open, where the browser can; gives what stops that. */
export const keepAwake = () => {
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
