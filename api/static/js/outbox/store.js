// What this browser keeps: a database whose writes are on the disk before they count as done.
import { openDB } from "../../vendor/ui.js";

/**
 * - `tables`: an encuentro as last seen, by `id`: `{id, view, tag, version}`.
 * - `partidas`: `{encuentro, number, version, dealer_due}`; `version` is the count of acts that the server has.
 * - `entries`: `{encuentro, partida, line, act, answer?}`, recorded by the server.
 * - `queue`: commands that the server does not have yet, in order; `aside`: those that the arbiter set aside.
 * - `about`: `device`, the name of this browser.
 */
const STORES = {
  tables: { keyPath: "id" },
  partidas: { keyPath: ["encuentro", "number"] },
  entries: { keyPath: ["encuentro", "partida", "line"] },
  queue: { keyPath: "seq", autoIncrement: true },
  aside: { keyPath: "seq", autoIncrement: true },
  about: {},
};
const BY_ENCUENTRO = ["queue", "aside"];

let opening = null;

const upgrade = (db) => {
  for (const [name, options] of Object.entries(STORES)) {
    const store = db.createObjectStore(name, options);
    if (BY_ENCUENTRO.includes(name)) store.createIndex("encuentro", "encuentro");
  }
};

const forget = () => {
  opening = null;
};

const database = () => {
  opening ??= openDB("guinote", 1, { upgrade, terminated: forget, blocking: (_, __, event) => event.target.close() });
  opening.catch(forget);
  return opening;
};

/** Reads in one moment. @param {string[]} stores @param {(tx: any) => Promise<any>} look */
export const read = async (stores, look) => look((await database()).transaction(stores));

/** Writes all or nothing; done when it is on the disk. @param {string[]} stores @param {(tx: any) => Promise<any>} change */
export const write = async (stores, change) => {
  const tx = (await database()).transaction(stores, "readwrite", { durability: "strict" });
  try {
    const [result] = await Promise.all([change(tx), tx.done]);
    return result;
  } catch (error) {
    tx.done.catch(() => {});
    try {
      tx.abort();
    } catch {
      // it is over already
    }
    throw error;
  }
};

/** Everything of an encuentro in a store whose keys begin with it. @param {string} encuentro @param {any[]} more */
export const rangeOf = (encuentro, ...more) =>
  IDBKeyRange.bound([encuentro, ...more], [encuentro, ...more, []], false, true);

/** Rows of an encuentro in the queue or in the drawer. */
export const ofEncuentro = (tx, name, encuentro) => tx.objectStore(name).index("encuentro").getAll(encuentro);
