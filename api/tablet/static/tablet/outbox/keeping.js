// Keeping what is asked to be recorded: on the disk of this browser first, with everything that will ever be sent.
import { announceChange } from "./changes.js";
import { newKey } from "./keys.js";
import { addressed, entriesOf, latestLine, starting, streamOf, versionAfter } from "./commands.js";
import { drain } from "./sending.js";
import { ofEncuentro, rangeOf, write } from "./store.js";
/** @import { Change, Recorded } from "../rules/acts.js" */
/** @import { Command, Asking } from "./commands.js" */
/** @import { StoreName, Tx } from "./store.js" */

/** @type {StoreName[]} */
const STORES = ["about", "tables", "partidas", "entries", "queue"];

/** Name of this browser, as the log has it; made once. @type {(tx: Tx) => Promise<string>} */
export const deviceName = async (tx) => {
  const about = tx.objectStore("about");
  const known = await about.get("device");
  if (known) return known;
  const made = `tablet-${newKey().slice(0, 8)}`;
  about.put(made, "device");
  return made;
};

/**
 * Versions of the encuentro (0) and of its partidas, as the server is known to have them.
 * @type {(tx: Tx, encuentro: string) => Promise<Record<number, number>>}
 */
export const versionsOf = async (tx, encuentro) => {
  const table = await tx.objectStore("tables").get(encuentro);
  const partidas = await tx.objectStore("partidas").getAll(rangeOf(encuentro));
  return Object.fromEntries([[0, table?.version ?? 0], ...partidas.map(({ number, version }) => [number, version])]);
};

/** @type {(tx: Tx, encuentro: string, asked: Asking, queue: Command[]) => Promise<void>} */
const put = async (tx, encuentro, asked, queue) => {
  const versions = await versionsOf(tx, encuentro);
  const stream = streamOf(asked);
  const expect = versionAfter(versions[stream] ?? 0, queue, stream);
  const made = { encuentro, expect, key: newKey(), device: await deviceName(tx), at: new Date().toISOString() };
  tx.objectStore("queue").add(addressed(asked, made));
};

/**
 * Keeps a command; done when it is on the disk. It is sent as soon as it can be.
 * @param {string} encuentro @param {(queue: Command[], tx: Tx) => Asking | null | Promise<Asking | null>} ask what is asked, given
 * what waits; null for nothing
 * @returns {Promise<boolean>}
 */
const keep = async (encuentro, ask) => {
  const isKept = await write(STORES, async (tx) => {
    const queue = await ofEncuentro(tx, "queue", encuentro);
    const asked = await ask(queue, tx);
    if (asked) await put(tx, encuentro, asked, queue);
    return asked !== null;
  });
  announceChange(encuentro);
  drain(encuentro);
  return isKept;
};

/** Keeps acts or corrections of a partida. @type {(encuentro: string, asked: Asking) => Promise<boolean>} */
export const keepCommand = (encuentro, asked) => keep(encuentro, () => asked);

/**
 * Keeps the taking back of the latest line of a partida that stands; false if there is none.
 * @type {(encuentro: string, partida: number, amending: (partida: number, changes: Change[]) => Asking) => Promise<boolean>}
 */
export const keepUndo = (encuentro, partida, amending) =>
  keep(encuentro, async (queue, tx) => {
    const rows = await tx.objectStore("entries").getAll(rangeOf(encuentro, partida));
    const waiting = queue.filter((one) => one.partida === partida).flatMap(entriesOf);
    const line = latestLine([...rows, ...waiting]);
    return line === null ? null : amending(partida, [{ line, how: "withdraw" }]);
  });

/** Keeps the beginning of the next partida. @type {(encuentro: string, due: string) => Promise<boolean>} */
export const keepStart = (encuentro, due) =>
  keep(encuentro, async (queue, tx) => {
    const begun = await tx.objectStore("partidas").getAllKeys(rangeOf(encuentro));
    const waiting = queue.filter(({ sort }) => sort === "start");
    return starting(begun.length + waiting.length + 1, due);
  });
