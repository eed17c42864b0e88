// Clean-up of this browser: names of running tables are refreshed, and a finished table is deleted after a day.
import { pull } from "./following.js";
import { ofEncuentro, rangeOf, read, write } from "./store.js";
/** @import { StoreName, Tx } from "./store.js" */

const DAY_MS = 86_400_000;
const EVERY_MS = 3_600_000;
/** @type {StoreName[]} */
const STORES = ["tables", "partidas", "entries", "queue", "aside"];

/** @type {(tx: Tx, encuentro: string) => Promise<void>} */
const drop = async (tx, encuentro) => {
  for (const name of /** @type {("partidas" | "entries")[]} */ (["partidas", "entries"])) {
    const store = tx.objectStore(name);
    for (const key of await store.getAllKeys(rangeOf(encuentro))) store.delete(key);
  }
  tx.objectStore("tables").delete(encuentro);
};

/**
 * Stores when a table was first seen to be finished; deletes it a day later, or at once if the user lost the right to read it.
 * Nothing is deleted while a command of it waits or is set aside, or if the service lost the table.
 * @type {(tx: Tx, encuentro: string, outcome: string, isShown: boolean) => Promise<void>}
 */
const judged = async (tx, encuentro, outcome, isShown) => {
  const table = await tx.objectStore("tables").get(encuentro);
  const unsent = [...(await ofEncuentro(tx, "queue", encuentro)), ...(await ofEncuentro(tx, "aside", encuentro))];
  if (!table || unsent.length || outcome === "not_found") return;
  const over = table.view.decided ? (table.over ?? Date.now()) : undefined;
  const isDue = outcome === "forbidden" || (over !== undefined && Date.now() - over >= DAY_MS);
  if (isDue && !isShown) await drop(tx, encuentro);
  else if (over !== table.over) tx.objectStore("tables").put({ ...table, over });
};

/**
 * Cleans up once. Tables that are not shown are fetched again completely, so that erased names and texts disappear here too.
 * @type {(shown: string) => Promise<void>}
 */
export const tidy = async (shown) => {
  const kept = await read(["tables"], (tx) => tx.objectStore("tables").getAllKeys());
  for (const encuentro of kept.map(String)) {
    const isShown = encuentro === shown;
    const outcome = isShown ? "" : await pull(encuentro, { isWhole: true });
    await write(STORES, (tx) => judged(tx, encuentro, outcome, isShown));
  }
};

/** Cleans up now, when the network is back, and every hour. @type {(shown: () => string) => void} */
export const keepTidy = (shown) => {
  const look = () => {
    tidy(shown()).catch(console.warn);
  };
  addEventListener("online", look);
  setInterval(look, EVERY_MS);
  look();
};
