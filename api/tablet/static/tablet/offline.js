// The service worker of the tablet: registered, given the language, and exchanged for a new one when the arbiter says so.
import { lang } from "../html/words.js";

/** @type {ServiceWorker | null} */
let waiting = null;
let isAsked = false;
/** @type {Set<(isWaiting: boolean) => void>} */
const watchers = new Set();

/**
 * Calls back whenever a new version waits, or no longer; gives what stops that.
 * @type {(watcher: (isWaiting: boolean) => void) => () => void}
 */
export const onNewVersion = (watcher) => {
  watchers.add(watcher);
  watcher(waiting !== null);
  return () => watchers.delete(watcher);
};

/** Changes to the version that waits; the page loads again. Nothing does so by itself. */
export const takeNewVersion = () => {
  isAsked = true;
  waiting?.postMessage("new_version");
};

/** Keeps the page for when there is no network, where the browser can. */
export const keepOffline = async () => {
  if (!("serviceWorker" in navigator)) return;
  navigator.serviceWorker.addEventListener("controllerchange", () => isAsked && location.reload());
  const registration = await navigator.serviceWorker.register("/arbitro/sw.js", { scope: "/arbitro/" });
  const look = () => {
    waiting = navigator.serviceWorker.controller ? registration.waiting : null;
    watchers.forEach((watcher) => watcher(waiting !== null));
  };
  registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", look));
  look();
  const { active } = await navigator.serviceWorker.ready;
  active?.postMessage({ lang });
};
