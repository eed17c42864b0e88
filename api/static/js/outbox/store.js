// What this browser keeps: a database whose writes are on the disk before they count as done.
import { openDB } from "../../vendor/ui.js";
import { memory, startingWith } from "./memory.js";

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
let hasOpened = false;
let instead = null;

/** Whether what is written outlives this page. It does not where the browser keeps nothing, as in some private windows. */
export const isKept = () => instead === null;

const upgrade = (db) => {
  for (const [name, options] of Object.entries(STORES)) {
    const store = db.createObjectStore(name, options);
    if (BY_ENCUENTRO.includes(name)) store.createIndex("encuentro", "encuentro");
  }
};

const forget = () => {
  opening = null;
};

const opened = async () => {
  const db = await openDB("guinote", 1, { upgrade, terminated: forget, blocking: (_, __, event) => event.target.close() });
  hasOpened = true;
  return db;
};

const database = () => {
  opening ??= opened();
  opening.catch(forget);
  return opening;
};

/** The database; null if the browser has none for this page, which it said when it was asked first. */
const found = async () => {
  if (instead) return null;
  try {
    return await database();
  } catch (error) {
    if (hasOpened) throw error;
    console.warn(error);
    instead ??= memory(STORES);
    return null;
  }
};

/** Reads in one moment. @param {string[]} stores @param {(tx: any) => Promise<any>} look */
export const read = async (stores, look) => {
  const db = await found();
  return db ? look(db.transaction(stores)) : instead.read(look);
};

/** Writes all or nothing; done when it is on the disk. @param {string[]} stores @param {(tx: any) => Promise<any>} change */
export const write = async (stores, change) => {
  const db = await found();
  if (!db) return instead.write(change);
  const tx = db.transaction(stores, "readwrite", { durability: "strict" });
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
export const rangeOf = (encuentro, ...more) => {
  const parts = [encuentro, ...more];
  return isKept() ? IDBKeyRange.bound(parts, [...parts, []], false, true) : startingWith(parts);
};

/** Entries of a partida from a line on. */
export const linesFrom = (encuentro, number, first) =>
  isKept() ? IDBKeyRange.bound([encuentro, number, first], [encuentro, number, []]) : startingWith([encuentro, number], first);

/** Rows of an encuentro in the queue or in the drawer. */
export const ofEncuentro = (tx, name, encuentro) => tx.objectStore(name).index("encuentro").getAll(encuentro);
