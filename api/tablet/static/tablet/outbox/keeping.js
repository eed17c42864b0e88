// Storing commands on the disk of this browser before they are sent, as complete requests.
import { announceChange } from "./changes.js";
import { newKey } from "./keys.js";
import { addressed, starting, streamOf, versionAfter } from "./commands.js";
import { drain } from "./sending.js";
import { ofEncuentro, rangeOf, write } from "./store.js";
/** @import { Command, Asking } from "./commands.js" */
/** @import { StoreName, Tx } from "./store.js" */

/** @type {StoreName[]} */
const STORES = ["about", "tables", "partidas", "entries", "queue"];

/** Id of this browser in the log; created once. @type {(tx: Tx) => Promise<string>} */
export const deviceName = async (tx) => {
  const about = tx.objectStore("about");
  const name = (await about.get("device")) ?? `tablet-${newKey().slice(0, 8)}`;
  about.put(name, "device");
  return name;
};

/** Writes what is known already, to learn before the first act whether there is a place for it. */
export const tryToKeep = () => write(["about"], deviceName);

/**
 * Last known versions of the encuentro (0) and of its partidas on the server.
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
 * Stores a command; resolves when it is on the disk. It is sent as soon as possible.
 * @param {string} encuentro @param {(queue: Command[], tx: Tx) => Asking | Promise<Asking>} ask the request, given the queue
 * @returns {Promise<boolean>}
 */
const keep = async (encuentro, ask) => {
  const isKept = await write(STORES, async (tx) => {
    const queue = await ofEncuentro(tx, "queue", encuentro);
    await put(tx, encuentro, await ask(queue, tx), queue);
    return true;
  });
  announceChange(encuentro);
  drain(encuentro);
  return isKept;
};

/** Stores acts or corrections of a partida. @type {(encuentro: string, asked: Asking) => Promise<boolean>} */
export const keepCommand = (encuentro, asked) => keep(encuentro, () => asked);

/** Stores the start of the next partida. @type {(encuentro: string, due: string) => Promise<boolean>} */
export const keepStart = (encuentro, due) =>
  keep(encuentro, async (queue, tx) => {
    const begun = await tx.objectStore("partidas").getAllKeys(rangeOf(encuentro));
    const waiting = queue.filter(({ sort }) => sort === "start");
    return starting(begun.length + waiting.length + 1, due);
  });
