// Stores in memory, for a browser without a database. They exist only as long as the page.
/** @import { Store, Tx } from "./store.js" */
/**
 * @typedef {{includes: (key: any) => boolean}} MemoryRange
 * @typedef {Map<string, {key: any, value: any}>} MemoryRows rows by their keys as text
 */
/**
 * @typedef {object} Memory
 * @property {<T>(look: (tx: Tx) => Promise<T>) => Promise<T>} read
 * @property {<T>(change: (tx: Tx) => Promise<T>) => Promise<T>} write
 */

/** @type {(one: any, other: any) => number} */
const compare = (one, other) => {
  if (!Array.isArray(one)) return one < other ? -1 : Number(one > other);
  for (let place = 0; place < Math.min(one.length, other.length); place += 1) {
    const found = compare(one[place], other[place]);
    if (found) return found;
  }
  return one.length - other.length;
};

/**
 * Keys that begin with these parts; with `first`, only those from that number on.
 * @type {(parts: IDBValidKey[], first?: number) => MemoryRange}
 */
export const startingWith = (parts, first) => ({
  includes: (key) => parts.every((part, place) => key[place] === part) && (first === undefined || key[parts.length] >= first),
});

/** @type {(rows: MemoryRows, options: IDBObjectStoreParameters) => Store<any>} */
const storeOf = (rows, { keyPath, autoIncrement }) => {
  const path = String(keyPath);
  const keyOf = (/** @type {any} */ row) => (Array.isArray(keyPath) ? keyPath.map((name) => row[name]) : row[path]);
  const sorted = (/** @type {any} */ range) =>
    [...rows.values()].filter(({ key }) => !range || range.includes(key)).sort((one, other) => compare(one.key, other.key));
  const put = (/** @type {any} */ row, /** @type {string | undefined} */ given) => {
    const next = 1 + Math.max(0, ...[...rows.values()].map(({ key }) => Number(key)));
    const value = autoIncrement && row[path] === undefined ? { ...row, [path]: next } : row;
    const key = given ?? keyOf(value);
    rows.set(JSON.stringify(key), { key, value: structuredClone(value) });
  };
  const values = (/** @type {{value: any}[]} */ found) => found.map(({ value }) => structuredClone(value));
  return {
    get: async (key) => structuredClone(rows.get(JSON.stringify(key))?.value),
    getAll: async (range) => values(sorted(range)),
    getAllKeys: async (range) => sorted(range).map(({ key }) => key),
    put,
    add: (row) => put(row, undefined),
    delete: (key) => rows.delete(JSON.stringify(key)),
    clear: () => rows.clear(),
    index: (name) => ({ getAll: async (wanted) => values(sorted(undefined)).filter((row) => row[name] === wanted) }),
  };
};

/**
 * Stores in memory, one transaction after the other.
 * @type {(kinds: Record<string, IDBObjectStoreParameters>) => Memory}
 */
export const memory = (kinds) => {
  /** @type {Map<string, MemoryRows>} */
  let kept = new Map(Object.keys(kinds).map((name) => [name, new Map()]));
  /** @type {Promise<unknown>} */
  let turn = Promise.resolve();
  /** @type {(stores: Map<string, MemoryRows>) => Tx} */
  const transaction = (stores) => ({ objectStore: (name) => storeOf(stores.get(name) ?? new Map(), kinds[name]) });
  /** @template T @param {() => Promise<T>} run @returns {Promise<T>} */
  const inTurn = (run) => {
    const mine = turn.then(run);
    turn = mine.catch(() => {});
    return mine;
  };
  return {
    read: (look) => inTurn(() => look(transaction(kept))),
    write: (change) =>
      inTurn(async () => {
        const changed = new Map([...kept].map(([name, rows]) => [name, new Map(rows)]));
        const result = await change(transaction(changed));
        kept = changed;
        return result;
      }),
  };
};
