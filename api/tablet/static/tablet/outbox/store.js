// The database of this browser. A write resolves when it is on the disk.
import { ours } from "../../html/prefix.js";
import { openDB } from "../vendor/ui.js";
import { announceChange } from "./changes.js";
import { memory, startingWith } from "./memory.js";

/**
 * @import { IDBPDatabase } from "idb"
 * @import { Act, Amendment, Recorded } from "../rules/acts.js"
 * @import { NumberedOutcome, MatchScore, Outcome } from "../rules/queries/cotos.js"
 * @import { Options } from "../rules/options.js"
 * @import { Conclusion, Finding, PartidaWon } from "../rules/state.js"
 * @import { Command, Problem } from "./commands.js"
 * @import { MemoryRange } from "./memory.js"
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
/** Whether this page is left, and its transactions were ended. */
let isLeft = false;
/** Whether the browser has no place to keep the data. */
let isRefused = false;
/** @type {Promise<IDBPDatabase> | null} */
let opening = null;
/** @type {IDBPDatabase | null} */
let connected = null;
let hasOpened = false;
/** Transactions under way. @type {Set<{abort: () => void}>} */
const running = new Set();
/** What the database holds, as this page knows it: written again if that is cleared under the page, and used if there is none. */
const mirror = memory(STORES);
/** Errors after which another try, in a new connection, may succeed. */
const PASSING = ["AbortError", "InvalidStateError", "TransactionInactiveError", "UnknownError"];
const FULL = "QuotaExceededError";
const [TRIES, AGAIN_MS] = [20, 100];

/**
 * Whether the data outlives this page. It does not where the browser has no storage, as in some private windows, or no space.
 * @type {() => boolean}
 */
export const isKept = () => !isRefused;

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
addEventListener("pagehide", ({ persisted }) => {
  isLeft = persisted;
  if (persisted) running.forEach(abort);
});

/** Tells the views of all tables that what is kept changed. */
const announce = async () => {
  const kept = await mirror.read((tx) => tx.objectStore("tables").getAllKeys());
  ["", ...kept].forEach((encuentro) => announceChange(String(encuentro)));
};

const forget = () => {
  opening = null;
  connected = null;
};

let whenLost = () => {};

/** Sets the listener that is called when the connection ended. @type {(listener: () => void) => void} */
export const onLost = (listener) => {
  whenLost = listener;
};

/** The connection ended: the browser's data may have been cleared. What this page knows is written again at once. */
const lost = () => {
  forget();
  if (isOver || isLeft) return;
  found().then(announce, console.warn);
  whenLost();
};

/** @type {(error: unknown) => void} */
const refuse = (error) => {
  console.warn(error);
  isRefused = true;
  announce().catch(console.warn);
};

/** Reads the database into memory, when it is first opened. @type {(db: IDBPDatabase) => Promise<void>} */
const mirrored = async (db) => {
  const tx = db.transaction(EVERY);
  const found = await Promise.all(EVERY.map(async (name) => [await tx.objectStore(name).getAllKeys(), await tx.objectStore(name).getAll()]));
  await mirror.write(async (kept) => {
    EVERY.forEach((name, at) => found[at][1].forEach((row, place) => kept.objectStore(name).put(row, found[at][0][place])));
  });
};

/** Writes what this page knows and the database does not have. @type {(db: IDBPDatabase) => Promise<void>} */
const rewritten = async (db) => {
  const rows = await mirror.read((kept) =>
    Promise.all(EVERY.map(async (name) => ({ name, keys: await kept.objectStore(name).getAllKeys(), values: await kept.objectStore(name).getAll() }))),
  );
  const tx = db.transaction(EVERY, "readwrite", { durability: "strict" });
  for (const { name, keys, values } of rows) {
    const store = tx.objectStore(name);
    for (const [place, key] of keys.entries()) {
      if ((await store.get(key)) === undefined) store.put(values[place], STORES[name].keyPath ? undefined : key);
    }
  }
  await tx.done;
};

/** @type {() => Promise<IDBPDatabase>} */
const opened = async () => {
  const blocking = (/** @type {unknown} */ _, /** @type {unknown} */ __, /** @type {Event} */ event) => {
    /** @type {IDBDatabase} */ (event.target).close();
    forget();
  };
  const db = await openDB(ours("guinote"), 1, { upgrade, terminated: lost, blocking });
  await (hasOpened ? rewritten(db) : mirrored(db));
  hasOpened = true;
  connected = db;
  return db;
};

/** @type {() => Promise<IDBPDatabase>} */
const database = () => {
  opening ??= opened();
  opening.catch(forget);
  return opening;
};

/** The database; null if the browser refuses it, for a while if it was there before. @type {(tries?: number) => Promise<IDBPDatabase | null>} */
const found = async (tries = hasOpened ? TRIES : 1) => {
  if (isRefused) return null;
  try {
    return await database();
  } catch (error) {
    if (tries > 1) {
      await new Promise((go) => setTimeout(go, AGAIN_MS));
      return found(tries - 1);
    }
    refuse(error);
    return null;
  }
};

/**
 * Runs in the database: once more if the connection ended meanwhile, and in memory if there is no place for the data.
 * @template T @param {(db: IDBPDatabase) => Promise<T>} inDatabase @param {() => Promise<T>} inMemory @param {boolean} isAgain @returns {Promise<T>}
 */
const run = async (inDatabase, inMemory, isAgain = false) => {
  const db = await found();
  if (!db) return inMemory();
  try {
    return await inDatabase(db);
  } catch (error) {
    const name = error instanceof DOMException ? error.name : "";
    if (isLeft || (name !== FULL && !PASSING.includes(name))) throw error;
    if (isAgain || name === FULL) refuse(error);
    else if (connected === db) forget();
    return run(inDatabase, inMemory, true);
  }
};

/**
 * Reads in one transaction.
 * @template T @param {StoreName[]} stores @param {(tx: Tx) => Promise<T>} look @returns {Promise<T>}
 */
export const read = (stores, look) =>
  run(async (db) => look(/** @type {any} */ (begun(db.transaction(stores)))), () => mirror.read(look));

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
  mirror.write(async (kept) => EVERY.forEach((name) => kept.objectStore(name).clear()));
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

/**
 * A transaction, and what it changes in the stores.
 * @type {(tx: Tx, changes: ((kept: Tx) => unknown)[]) => Tx}
 */
const watched = (tx, changes) => ({
  objectStore: (name) => {
    /** @type {Store<any>} */
    const store = tx.objectStore(name);
    /** @type {(change: (store: Store<any>) => unknown) => void} */
    const note = (change) => void changes.push((kept) => change(kept.objectStore(name)));
    return {
      get: (key) => store.get(key),
      getAll: (range) => store.getAll(range),
      getAllKeys: (range) => store.getAllKeys(range),
      index: (by) => store.index(by),
      put: (row, key) => {
        note((kept) => kept.put(row, key));
        return store.put(row, key);
      },
      add: (row) => {
        const adding = /** @type {Promise<number>} */ (store.add(row));
        adding.then((seq) => note((kept) => kept.put({ ...row, seq })), () => {});
        return adding;
      },
      delete: (key) => {
        note((kept) => kept.delete(key));
        return store.delete(key);
      },
      clear: () => {
        note((kept) => kept.clear());
        return store.clear();
      },
    };
  },
});

/** @template T @param {StoreName[]} stores @param {(tx: Tx) => Promise<T>} change @returns {Promise<T>} */
const changed = (stores, change) =>
  run(
    async (db) => {
      const tx = begun(db.transaction(stores, "readwrite", { durability: "strict" }));
      /** @type {((kept: Tx) => unknown)[]} */
      const changes = [];
      try {
        const [result] = await Promise.all([change(watched(/** @type {any} */ (tx), changes)), tx.done]);
        await mirror.write(async (kept) => changes.forEach((one) => one(kept)));
        return result;
      } catch (error) {
        tx.done.catch(() => {});
        abort(tx);
        throw error;
      }
    },
    () => mirror.write(change),
  );

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
