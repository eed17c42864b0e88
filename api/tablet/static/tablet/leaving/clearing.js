// Clearing the data of the tables in this browser, and the mark that it was cleared.
import { ours, prefix } from "../../html/prefix.js";
import { EVERY, closeStore, emptied, read } from "../outbox/store.js";
/** @import { Plan } from "../opening/plan.js" */
/** @import { Aside, Queued, Tx } from "../outbox/store.js" */
/**
 * @typedef {Queued | Aside | {key: string, opening: Plan}} Unsent a command that only this browser has, or the plan of a table
 * @typedef {{why: "left" | "revoked", isOpen?: boolean, waits?: boolean}} Leaving why the data was cleared. `isOpen`: the
 *   session is still open, since there was no network; `waits`: commands are stored until the user saves them as a file
 */

const MARK = ours("tablet-left");
const PLACE = `${prefix}/arbitro/`;
const OURS = ours("guinote");
const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel(ours("guinote-left")) : null;

/** @type {((left: Leaving) => void) | null} */
let shower = null;

/** Sets the listener that is called when the data was cleared, here or in another tab. @type {(show: (left: Leaving) => void) => void} */
export const onLeaving = (show) => {
  shower = show;
};

channel?.addEventListener("message", ({ data }) => {
  closeStore();
  shower?.(data);
});

/** Calls that listener in this tab. @type {(left: Leaving) => void} */
export const showLeft = (left) => shower?.(left);

/** @type {(tx: Tx) => Promise<Unsent[]>} */
const unsentOf = async (tx) => {
  const commands = [...(await tx.objectStore("queue").getAll()), ...(await tx.objectStore("aside").getAll())];
  const opening = await tx.objectStore("about").get("opening");
  return opening ? [...commands, { key: JSON.stringify(opening), opening }] : commands;
};

/** Data that only this browser has: waiting commands, commands set aside, and the plan of a table that is not open yet. @type {() => Promise<Unsent[]>} */
export const unsentHere = () => read(["queue", "aside", "about"], unsentOf);

/** Commands that wait to be sent. @type {() => Promise<Queued[]>} */
export const waitingHere = () => read(["queue"], (tx) => tx.objectStore("queue").getAll());

const clearSmall = () => {
  for (const name of /** @type {const} */ (["localStorage", "sessionStorage"])) {
    try {
      const store = globalThis[name];
      Object.keys(store).filter((key) => key.startsWith(OURS)).forEach((key) => store.removeItem(key));
    } catch {
      // the browser has no storage
    }
  }
};

/** Sets the mark, which the service worker reads. Without a service worker each page comes from the service, which knows who is signed in. @type {(left: Leaving) => Promise<void>} */
const mark = async (left) => {
  if ("caches" in globalThis) await (await caches.open(MARK)).put(PLACE, new Response(JSON.stringify(left)));
};

/**
 * Clears all data of the tables. False, and nothing cleared, if a command was stored meanwhile that is not among those saved as a file.
 * @type {(handed: Unsent[], left: Leaving) => Promise<boolean>}
 */
export const clearHere = async (handed, left) => {
  const keys = new Set(handed.map(({ key }) => key));
  const isCleared = await emptied(EVERY, async (tx) => (await unsentOf(tx)).every(({ key }) => keys.has(key)));
  if (!isCleared) return false;
  clearSmall();
  await mark(left);
  channel?.postMessage(left);
  return true;
};

/**
 * Clears the tables after the service revoked this session or device. Waiting commands stay, since only this browser has them.
 * @type {() => Promise<Leaving>}
 */
export const loseAccess = async () => {
  if (await clearHere([], { why: "revoked" })) return { why: "revoked" };
  /** @type {Leaving} */
  const left = { why: "revoked", waits: true };
  await emptied(["tables", "partidas", "entries"], async (tx) => {
    tx.objectStore("about").put(true, "revoked");
    return true;
  });
  clearSmall();
  await mark(left);
  channel?.postMessage(left);
  return left;
};

/**
 * Why the data was cleared, or null. A page that did not come from the service worker came from the service, so a user is signed in.
 * @type {() => Promise<Leaving | null>}
 */
export const leftHere = async () => {
  const isRevoked = await read(["about"], (tx) => tx.objectStore("about").get("revoked")).catch(() => false);
  if (isRevoked) return { why: "revoked", waits: true };
  if (!("caches" in globalThis)) return null;
  const answer = await caches.match(PLACE, { cacheName: MARK }).catch(() => null);
  if (!answer) return null;
  if (!navigator.serviceWorker?.controller) {
    await caches.delete(MARK);
    return null;
  }
  return answer.json();
};
