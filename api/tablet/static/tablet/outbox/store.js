// The database of this browser. A write resolves when it is on the disk.
import { openDB } from "../vendor/ui.js";
import { memory, startingWith } from "./memory.js";

/**
 * @import { IDBPDatabase } from "idb"
 * @import { Act, Amendment, Recorded } from "../rules/acts.js"
 * @import { NumberedOutcome, MatchScore, Outcome } from "../rules/queries/cotos.js"
 * @import { Options } from "../rules/options.js"
 * @import { Conclusion, Finding, PartidaWon } from "../rules/state.js"
 * @import { Command, Problem } from "./commands.js"
 * @import { Memory, MemoryRange } from "./memory.js"
 */
/**
 * @typedef {{stage: "open" | "provisional" | "official" | "disputed", stands: boolean, missing: string[]}} ResultView
 * @typedef {object} EncuentroView an encuentro as the service shows it
 * @property {string} id
 * @property {number} version
 * @property {2 | 3 | 4} players
 * @property {{id: string, options: Options}} profile
 * @property {Record<string, string>} seats person of each seat
 * @property {Record<string, string>} names name of each person
 * @property {({partida: number} & Outcome)[]} partidas
 * @property {{outcome: Record<string, string>}[]} [draws]
 * @property {{winner: string} | null} decided
 * @property {ResultView} result
 * @property {"required" | "noted"} [four_eyes] whether the club requires two persons
 * @property {Pick<MatchScore, "partidas" | "camas" | "cotos" | "made">} standing
 * @property {number} [table] number of its table in the room; 0 if it has none
 * @property {string} [place]
 * @property {string} [date]
 *
 * @typedef {{number: number, version: number, dealer_due: string, entries: Recorded[]}} RecordOfPartida
 * @typedef {{version: number, partidas: RecordOfPartida[]}} RecordOfTable
 * @typedef {{outcome: "answered", record: RecordOfTable, view: EncuentroView | null, tag: string}} News
 *   the record of the service after the versions stored here; `view` null: not changed
 *
 * @typedef {{findings: Finding[], conclusions: Conclusion[], decided: PartidaWon | null}} LineAnswer
 * @typedef {{id: string, version: number, view: EncuentroView, tag: string, over?: number}} TableRow `over`: when this
 *   browser first saw that the table is finished, in milliseconds
 * @typedef {{encuentro: string, number: number, version: number, dealer_due: string}} PartidaRow
 * @typedef {{encuentro: string, partida: number, line: number, act: Act | Amendment, answer?: LineAnswer}} EntryRow
 * @typedef {Command & {seq: number}} Queued
 * @typedef {Queued & {why: string, setAsideAt: string}} Aside
 * @typedef {{tables: TableRow, partidas: PartidaRow, entries: EntryRow, queue: Queued, aside: Aside, about: any}} Rows
 * @typedef {keyof Rows} StoreName
 * @typedef {{table: TableRow | undefined, partidas: PartidaRow[], queue: Queued[]}} KnownTable
 * @typedef {IDBKeyRange | MemoryRange} Keys
 */
/**
 * A store of a transaction, in the database or in memory.
 * @template R
 * @typedef {object} Store
 * @property {(key: IDBValidKey) => Promise<R | undefined>} get
 * @property {(range?: Keys) => Promise<R[]>} getAll
 * @property {(range?: Keys) => Promise<IDBValidKey[]>} getAllKeys
 * @property {(row: R, key?: string) => unknown} put
 * @property {(row: Omit<R, "seq">) => unknown} add
 * @property {(key: IDBValidKey) => unknown} delete
 * @property {() => unknown} clear
 * @property {(name: "encuentro") => {getAll: (encuentro: string) => Promise<R[]>}} index
 */
/** @typedef {{objectStore: <N extends StoreName>(name: N) => Store<Rows[N]>}} Tx */

/**
 * - `tables`: an encuentro as last seen, by `id`: `{id, view, tag, version}`.
 * - `partidas`: `{encuentro, number, version, dealer_due}`; `version` is the count of acts that the server has.
 * - `entries`: `{encuentro, partida, line, act, answer?}`, recorded by the server.
 * - `queue`: commands that the server does not have yet, in order; `aside`: those that the arbiter set aside.
 * - `about`: `device`, the id of this browser; `revoked`, while acts wait that may not be sent from here any more.
 * @type {Record<StoreName, IDBObjectStoreParameters>}
 */
const STORES = {
  tables: { keyPath: "id" },
  partidas: { keyPath: ["encuentro", "number"] },
  entries: { keyPath: ["encuentro", "partida", "line"] },
  queue: { keyPath: "seq", autoIncrement: true },
  aside: { keyPath: "seq", autoIncrement: true },
  about: {},
};
/** @type {string[]} */
const BY_ENCUENTRO = ["queue", "aside"];

/** Every store. */
export const EVERY = /** @type {StoreName[]} */ (Object.keys(STORES));

/** Whether this page may not write any more, because the data was cleared. */
let isOver = false;
/** @type {Promise<IDBPDatabase> | null} */
let opening = null;
let hasOpened = false;
/** Transactions under way. @type {Set<{abort: () => void}>} */
const running = new Set();
/** @type {Memory | null} */
let instead = null;

/**
 * Whether the data outlives this page. It does not where the browser has no storage, as in some private windows.
 * @type {() => boolean}
 */
export const isKept = () => instead === null;

/** @type {(db: IDBPDatabase) => void} */
const upgrade = (db) => {
  for (const [name, options] of Object.entries(STORES)) {
    const store = db.createObjectStore(name, options);
    if (BY_ENCUENTRO.includes(name)) store.createIndex("encuentro", "encuentro");
  }
};

/** @param {{abort: () => void}} tx */
const abort = (tx) => {
  try {
    tx.abort();
  } catch {
    // the transaction has ended already
  }
};

/** A transaction that is known while it runs. @template {{abort: () => void, done: Promise<void>}} T @param {T} tx @returns {T} */
const begun = (tx) => {
  const ended = () => running.delete(tx);
  running.add(tx);
  tx.done.then(ended, ended);
  return tx;
};

// WebKit keeps a page that was left, and the stores of a transaction in it stay locked for every other page.
addEventListener("pagehide", ({ persisted }) => persisted && running.forEach(abort));

const forget = () => {
  opening = null;
};

/** @type {() => Promise<IDBPDatabase>} */
const opened = async () => {
  const db = await openDB("guinote", 1, { upgrade, terminated: forget, blocking: (_, __, event) => /** @type {IDBDatabase} */ (event.target).close() });
  hasOpened = true;
  return db;
};

/** @type {() => Promise<IDBPDatabase>} */
const database = () => {
  opening ??= opened();
  opening.catch(forget);
  return opening;
};

/**
 * The database; null if the browser refused it at the first request.
 * @type {() => Promise<IDBPDatabase | null>}
 */
const found = async () => {
  if (instead) return null;
  try {
    return await database();
  } catch (error) {
    if (hasOpened) throw error;
    console.warn(error);
    memoryOf();
    return null;
  }
};

/** The stores in memory, if there is no database. @type {() => Memory} */
const memoryOf = () => (instead ??= memory(STORES));

/**
 * Reads in one transaction.
 * @template T @param {StoreName[]} stores @param {(tx: Tx) => Promise<T>} look @returns {Promise<T>}
 */
export const read = async (stores, look) => {
  const db = await found();
  return db ? look(/** @type {any} */ (begun(db.transaction(stores)))) : memoryOf().read(look);
};

/**
 * Writes in one transaction; resolves when it is on the disk.
 * @template T @param {StoreName[]} stores @param {(tx: Tx) => Promise<T>} change @returns {Promise<T>}
 */
export const write = async (stores, change) => {
  if (isOver) throw new Error("what is kept here was cleared");
  return changed(stores, change);
};

/** Ends all writing from this page: another tab cleared the data. */
export const closeStore = () => {
  isOver = true;
};

/**
 * Clears some stores if `isDue` returns true, in one transaction. After its start this page writes nothing else, so that a
 * late answer stores nothing again; if `isDue` returned false, writing goes on.
 * @type {(stores: StoreName[], isDue: (tx: Tx) => Promise<boolean>) => Promise<boolean>}
 */
export const emptied = async (stores, isDue) => {
  isOver = true;
  isOver = await changed(EVERY, async (tx) => {
    const isEmptied = await isDue(tx);
    if (isEmptied) for (const name of stores) tx.objectStore(name).clear();
    return isEmptied;
  });
  return isOver;
};

/** @template T @param {StoreName[]} stores @param {(tx: Tx) => Promise<T>} change @returns {Promise<T>} */
const changed = async (stores, change) => {
  const db = await found();
  if (!db) return memoryOf().write(change);
  const tx = begun(db.transaction(stores, "readwrite", { durability: "strict" }));
  try {
    const [result] = await Promise.all([change(/** @type {any} */ (tx)), tx.done]);
    return result;
  } catch (error) {
    tx.done.catch(() => {});
    abort(tx);
    throw error;
  }
};

/**
 * Range of the keys of an encuentro, in a store whose keys begin with it.
 * @type {(encuentro: string, ...more: IDBValidKey[]) => Keys}
 */
export const rangeOf = (encuentro, ...more) => {
  const parts = [encuentro, ...more];
  return isKept() ? IDBKeyRange.bound(parts, [...parts, []], false, true) : startingWith(parts);
};

/** Range of the entries of a partida from a line on. @type {(encuentro: string, number: number, first: number) => Keys} */
export const linesFrom = (encuentro, number, first) =>
  isKept() ? IDBKeyRange.bound([encuentro, number, first], [encuentro, number, []]) : startingWith([encuentro, number], first);

/**
 * Rows of an encuentro in the queue or among those set aside.
 * @template {"queue" | "aside"} N @param {Tx} tx @param {N} name @param {string} encuentro @returns {Promise<Rows[N][]>}
 */
export const ofEncuentro = (tx, name, encuentro) => tx.objectStore(name).index("encuentro").getAll(encuentro);
