// What is kept where the browser keeps nothing: the same stores, in this page alone and gone with it.

const compare = (one, other) => {
  if (!Array.isArray(one)) return one < other ? -1 : Number(one > other);
  for (let place = 0; place < Math.min(one.length, other.length); place += 1) {
    const found = compare(one[place], other[place]);
    if (found) return found;
  }
  return one.length - other.length;
};

/** Keys that begin with these parts; of those, only from `first` on if it is given. */
export const startingWith = (parts, first) => ({
  includes: (key) => parts.every((part, place) => key[place] === part) && (first === undefined || key[parts.length] >= first),
});

const storeOf = (rows, { keyPath, autoIncrement }) => {
  const keyOf = (row) => (Array.isArray(keyPath) ? keyPath.map((name) => row[name]) : row[keyPath]);
  const sorted = (range) => [...rows.values()].filter(({ key }) => !range || range.includes(key)).sort((one, other) => compare(one.key, other.key));
  const put = (row, given) => {
    const next = 1 + Math.max(0, ...[...rows.values()].map(({ key }) => Number(key)));
    const value = autoIncrement && row[keyPath] === undefined ? { ...row, [keyPath]: next } : row;
    const key = given ?? keyOf(value);
    rows.set(JSON.stringify(key), { key, value: structuredClone(value) });
  };
  const values = (found) => found.map(({ value }) => structuredClone(value));
  return {
    get: async (key) => structuredClone(rows.get(JSON.stringify(key))?.value),
    getAll: async (range) => values(sorted(range)),
    getAllKeys: async (range) => sorted(range).map(({ key }) => key),
    put,
    add: put,
    delete: (key) => rows.delete(JSON.stringify(key)),
    index: (name) => ({ getAll: async (wanted) => values(sorted()).filter((row) => row[name] === wanted) }),
  };
};

/** Stores in memory, one transaction after the other. @param {Record<string, any>} kinds options of each store */
export const memory = (kinds) => {
  let kept = new Map(Object.keys(kinds).map((name) => [name, new Map()]));
  let turn = Promise.resolve();
  const transaction = (rows) => ({ objectStore: (name) => storeOf(rows.get(name), kinds[name]) });
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
