// Following the record of the server, while no command of this device waits.
import { prefix } from "../../html/prefix.js";
import { announceChange } from "./changes.js";
import { withLock } from "./locks.js";
import { ask } from "./asking.js";
import { deviceName } from "./keeping.js";
import { isShort, putBack } from "./restored.js";
import { ofEncuentro, rangeOf, read, write } from "./store.js";
/** @import { Asked } from "./asking.js" */
/** @typedef {{outcome: "later" | "signed_out" | "wrong", code: string}} FailedRequest why there is no answer; `code` of the problem */
/** @import { EntryRow, KnownTable, News, StoreName, TableRow, Tx } from "./store.js" */

/** @type {StoreName[]} */
const STORES = ["queue", "tables", "partidas", "entries", "about"];

/** @type {(asked: Asked) => FailedRequest} */
const missed = ({ outcome, content }) =>
  outcome === "later" || outcome === "signed_out" ? { outcome, code: "" } : { outcome: "wrong", code: content.code };

/**
 * The record of the server after the versions that are stored here: `{outcome, record, view, tag}`; `view` is null if it did not change.
 * @type {(encuentro: string, known?: {versions?: number[], tag?: string}) => Promise<News | FailedRequest>}
 */
export const news = async (encuentro, { versions = [], tag = "" } = {}) => {
  const address = `${prefix}/api/v1/encuentros/${encuentro}`;
  const record = await ask(`${address}/entries?after=${versions.join()}`);
  if (record.outcome !== "answered") return missed(record);
  const seen = await ask(address, tag ? { headers: { "If-None-Match": tag } } : {});
  if (seen.outcome !== "answered") return missed(seen);
  const isNew = seen.answer.status !== 304;
  return {
    outcome: "answered",
    record: record.content,
    view: isNew ? seen.content : null,
    tag: seen.answer.headers.get("Guinote-View") ?? "",
  };
};

/** @type {(tx: Tx, encuentro: string) => Promise<KnownTable>} */
const known = async (tx, encuentro) => {
  const table = await tx.objectStore("tables").get(encuentro);
  const partidas = await tx.objectStore("partidas").getAll(rangeOf(encuentro));
  const queue = await ofEncuentro(tx, "queue", encuentro);
  return { table, partidas, queue };
};

/**
 * Stores the record of the server, all of it if `isWhole`. Does nothing while a command waits, since that was made for the
 * record stored here. Returns the outcome of the request.
 * @type {(encuentro: string, how?: {isWhole?: boolean}) => Promise<string>}
 */
export const pull = (encuentro, { isWhole = false } = {}) =>
  withLock(encuentro, async () => {
    const before = await read(STORES, (tx) => known(tx, encuentro));
    if (before.queue.length) return "waiting";
    const versions = isWhole ? [] : before.partidas.map(({ version }) => version);
    const found = await news(encuentro, { versions, tag: isWhole ? "" : before.table?.tag });
    if (found.outcome !== "answered") return found.code || found.outcome;
    if (isWhole || isShort(found.record, before.partidas)) {
      const outcome = await compared(encuentro, isWhole ? found : null);
      if (outcome !== "same") return outcome;
    }
    const isNew = await write(STORES, (tx) => taken(tx, encuentro, before, found));
    if (isNew) announceChange(encuentro);
    return found.outcome;
  });

/**
 * Compares the whole stored record with that of the server, and queues again what the server lost. `same`: nothing was lost;
 * else `lost`, or the outcome of the request. The caller must hold the lock of the encuentro.
 * @type {(encuentro: string, known?: News | null) => Promise<string>}
 */
export const compared = async (encuentro, known = null) => {
  const whole = known ?? (await news(encuentro));
  if (whole.outcome !== "answered") return whole.outcome;
  const isLost = await write(STORES, async (tx) => putBack(tx, encuentro, whole, await deviceName(tx)));
  if (!isLost) return "same";
  announceChange(encuentro);
  return "lost";
};

/**
 * Stores an answer; whether any of it was new. Stores nothing if the data changed since the request.
 * @type {(tx: Tx, encuentro: string, before: KnownTable, news: News) => Promise<boolean>}
 */
const taken = async (tx, encuentro, before, { record, view, tag }) => {
  const { table, partidas, queue } = await known(tx, encuentro);
  const isSame = JSON.stringify(partidas) === JSON.stringify(before.partidas) && table?.version === before.table?.version;
  if (queue.length || !isSame) return false;
  if (isShort(record, partidas)) return false;
  tx.objectStore("tables").put({ ...table, id: encuentro, version: record.version, view: view ?? /** @type {TableRow} */ (table).view, tag });
  for (const { number, version, dealer_due, entries } of record.partidas) {
    tx.objectStore("partidas").put({ encuentro, number, version, dealer_due });
    for (const { line, act } of entries) await putEntry(tx, { encuentro, partida: number, line, act });
  }
  return view !== null || record.partidas.some(({ entries }) => entries.length);
};

/** @type {(tx: Tx, entry: EntryRow) => Promise<void>} */
const putEntry = async (tx, entry) => {
  const { encuentro, partida, line } = entry;
  const kept = await tx.objectStore("entries").get([encuentro, partida, line]);
  tx.objectStore("entries").put(kept ? { ...kept, ...entry } : entry);
};
