// Registers the service worker of the tablet, tells it the language, and replaces it when the arbiter asks for that.
import { prefix } from "../html/prefix.js";
import { lang } from "../html/words.js";
import { isReached } from "./outbox/asking.js";

const TABLET = `${prefix}/arbitro/`;
const OLD_ENDS_MS = 5000;

/** @type {ServiceWorker | null} */
let waiting = null;
let isAsked = false;
/** @type {Set<(isWaiting: boolean) => void>} */
const watchers = new Set();

/**
 * Calls the watcher when a new version starts or stops waiting. Returns a function that ends this.
 * @type {(watcher: (isWaiting: boolean) => void) => () => void}
 */
export const onNewVersion = (watcher) => {
  watchers.add(watcher);
  watcher(waiting !== null);
  return () => watchers.delete(watcher);
};

/** Loads the waiting version from the service, if it still waits: without a network, the page is still the old worker's. */
const giveUpOld = async () => {
  const registration = await navigator.serviceWorker.getRegistration(TABLET);
  if (!registration?.waiting || !(await isReached())) return;
  await registration.unregister();
  location.reload();
};

/**
 * Activates the waiting version and reloads the page. This never happens without the user asking for it.
 * A browser lets the old worker end its work first, and some work never ends: then the page gives the old worker up.
 */
export const takeNewVersion = () => {
  isAsked = true;
  waiting?.postMessage("new_version");
  setTimeout(giveUpOld, OLD_ENDS_MS);
};

/** Registers the service worker, if the browser has them. */
export const keepOffline = async () => {
  if (!("serviceWorker" in navigator)) return;
  navigator.serviceWorker.addEventListener("controllerchange", () => isAsked && location.reload());
  const registration = await navigator.serviceWorker.register(`${TABLET}sw.js`, { scope: TABLET });
  const look = () => {
    waiting = navigator.serviceWorker.controller ? registration.waiting : null;
    watchers.forEach((watcher) => watcher(waiting !== null));
  };
  registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", look));
  look();
  const { active } = await navigator.serviceWorker.ready;
  active?.postMessage({ lang });
};
