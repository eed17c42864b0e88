// Conflicts and refusals: two records of one table, or an act that the server refuses. The arbiter decides, and no command is deleted.
import { announceChange } from "./changes.js";
import { newKey } from "./keys.js";
import { withLock } from "./locks.js";
import { STALE, addressed, alike, amending, entriesOf, isDivided, streamOf } from "./commands.js";
import { compared, news } from "./following.js";
import { versionsOf } from "./keeping.js";
import { renumbered } from "./renumbering.js";
import { isShort } from "./restored.js";
import { drain } from "./sending.js";
import { ofEncuentro, rangeOf, read, write } from "./store.js";
import { takingBack } from "./taking_back.js";
/** @import { Act, Amendment, Recorded } from "../rules/acts.js" */
/** @import { Command } from "./commands.js" */
/** @import { Meaning, RenumberedQueue } from "./renumbering.js" */
/** @import { News, Queued, StoreName, TableRow, Tx } from "./store.js" */

/**
 * @typedef {{how: "both" | "theirs" | "mine" | "aside" | "again" | "instead", same?: string[], acts?: (Act | Amendment)[], because?: string}} Choice
 *   `same`: ids of acts that both records have, all if left out; `acts`: replacements for refused acts; `because`: why acts of
 *   others are taken back, which a record with a reported result needs
 */

/** @type {StoreName[]} */
const STORES = ["about", "tables", "partidas", "entries", "queue", "aside"];

/**
 * Fetches what other devices recorded, and stores it with the first waiting command, so that it survives a reload. Returns the
 * outcome of the request.
 * @type {(encuentro: string) => Promise<string>}
 */
export const fetchTheirs = (encuentro) =>
  withLock(encuentro, async () => {
    const { old, queue, partidas } = await read(STORES, async (tx) => ({
      old: await versionsOf(tx, encuentro),
      queue: await ofEncuentro(tx, "queue", encuentro),
      partidas: await tx.objectStore("partidas").getAll(rangeOf(encuentro)),
    }));
    if (!isDivided(queue)) return "waiting";
    const [head] = queue;
    const versions = partidas.map(({ number }) => old[number]);
    const found = await news(encuentro, { versions });
    if (found.outcome !== "answered") return found.outcome;
    if (isShort(found.record, partidas)) return compared(encuentro);
    if (head.problem?.status !== STALE) return "answered";
    await write(["queue"], async (tx) => {
      const kept = await tx.objectStore("queue").get(head.seq);
      if (kept?.key !== head.key) return;
      tx.objectStore("queue").put({ ...kept, problem: { status: STALE, ...kept.problem, theirs: found } });
    });
    announceChange(encuentro);
    return "answered";
  });

/**
 * Acts of the queue that other devices recorded too: from "seq:place" to their line, "seq:start" for a partida that both started.
 * @type {(queue: Queued[], theirs: News) => Map<string, number>}
 */
export const sameAs = (queue, theirs) => {
  const found = new Map();
  for (const { number, entries } of theirs.record.partidas) {
    const commands = queue.filter((one) => one.partida === number);
    const acts = commands.flatMap(({ seq, acts }) => acts.map((act, place) => ({ id: `${seq}:${place}`, act })));
    const pairs = alike(entries, acts.map(({ act }) => act));
    pairs.forEach((line, place) => found.set(acts[place].id, line));
    const start = commands.find(({ sort }) => sort === "start");
    if (start) found.set(`${start.seq}:start`, number);
  }
  return found;
};

/** @type {(tx: Tx, encuentro: string) => Promise<TableRow>} */
const tableOf = async (tx, encuentro) => /** @type {TableRow} */ (await tx.objectStore("tables").get(encuentro));

/** What other devices recorded instead of the first command. @type {(queue: Queued[]) => News} */
const theirsOf = ([head]) => /** @type {News} */ (head.problem?.theirs);

/** Stores what other devices recorded. @type {(tx: Tx, encuentro: string, theirs: News) => Promise<void>} */
const takeTheirs = async (tx, encuentro, { record, view, tag }) => {
  const table = await tableOf(tx, encuentro);
  tx.objectStore("tables").put({ ...table, id: encuentro, version: record.version, view: view ?? table.view, tag });
  for (const { number, version, dealer_due, entries } of record.partidas) {
    tx.objectStore("partidas").put({ encuentro, number, version, dealer_due });
    for (const { line, act } of entries) tx.objectStore("entries").put({ encuentro, partida: number, line, act });
  }
};

/** Moves commands from the queue to those set aside, with the reason. @type {(tx: Tx, commands: Queued[], why: string) => void} */
const setAside = (tx, commands, why) => {
  const at = new Date().toISOString();
  for (const { seq, ...command } of commands) {
    tx.objectStore("queue").delete(seq);
    tx.objectStore("aside").add({ ...command, why, setAsideAt: at });
  }
};

/** @type {(tx: Tx, before: Queued[], made: RenumberedQueue, why: string) => void} */
const remake = (tx, before, { queue, orphans }, why) => {
  const kept = new Set(queue.map(({ seq }) => seq));
  before.filter(({ seq }) => !kept.has(seq)).forEach(({ seq }) => tx.objectStore("queue").delete(seq));
  setAside(tx, orphans, why);
  queue.forEach((command) => tx.objectStore("queue").put(command));
};

/** @typedef {Record<number, number>} Versions by partida */
/** @typedef {Map<number, Recorded[]>} Records by partida */

/**
 * Stores the record of the other devices; versions and records as they were before it and are after it.
 * @type {(tx: Tx, encuentro: string, queue: Queued[]) => Promise<{theirs: News, old: Versions, now: Versions, before: Records, after: Records}>}
 */
const takenOver = async (tx, encuentro, queue) => {
  const theirs = theirsOf(queue);
  const old = await versionsOf(tx, encuentro);
  const before = await recordsOf(tx, encuentro, queue);
  await takeTheirs(tx, encuentro, theirs);
  const now = await versionsOf(tx, encuentro);
  const after = await recordsOf(tx, encuentro, queue);
  return { theirs, old, now, before, after };
};

/**
 * Stores the record of the other devices, and puts the waiting commands after it, without those in `same`.
 * @type {(tx: Tx, encuentro: string, queue: Queued[], same?: string[]) => Promise<void>}
 */
const both = async (tx, encuentro, queue, same) => {
  const { theirs, old, now, before, after } = await takenOver(tx, encuentro, queue);
  const found = sameAs(queue, theirs);
  const chosen = new Map([...found].filter(([id]) => id.endsWith(":start") || !same || same.includes(id)));
  const changes = { old, now, same: chosen, newKey, ...(await meaning(tx, encuentro, before, after)) };
  remake(tx, queue, renumbered(queue, changes), "orphan");
};

/**
 * Stores the record of the other devices, takes it back, and puts the waiting commands after that, all of them.
 * @type {(tx: Tx, encuentro: string, queue: Queued[], because: string) => Promise<void>}
 */
const mine = async (tx, encuentro, queue, because) => {
  const { theirs, old, now, before, after } = await takenOver(tx, encuentro, queue);
  /** @type {Command[]} */
  const first = [];
  for (const { number } of theirs.record.partidas) {
    const log = await tx.objectStore("entries").getAll(rangeOf(encuentro, number));
    for (const changes of takingBack(log, old[number] ?? 0)) {
      const stamp = { encuentro, expect: now[number], key: newKey(), device: queue[0].device, at: new Date().toISOString() };
      const command = addressed(amending(number, changes, because), stamp);
      first.push(command);
      now[number] += 1;
      after.get(number)?.push(...entriesOf(command));
    }
  }
  const starts = new Map([...sameAs(queue, theirs)].filter(([id]) => id.endsWith(":start")));
  const made = renumbered(queue, { old, now, same: starts, newKey, ...(await meaning(tx, encuentro, before, after)) });
  setAside(tx, made.orphans, "orphan");
  queue.forEach(({ seq }) => tx.objectStore("queue").delete(seq));
  for (const { seq: _, ...command } of /** @type {(Command & {seq?: number})[]} */ ([...first, ...made.queue])) tx.objectStore("queue").add(command);
};

/**
 * The record of each partida for which a command waits.
 * @type {(tx: Tx, encuentro: string, queue: Queued[]) => Promise<Map<number, Recorded[]>>}
 */
const recordsOf = async (tx, encuentro, queue) => {
  const numbers = [...new Set(queue.map(({ partida }) => partida))];
  const rows = await Promise.all(numbers.map((number) => tx.objectStore("entries").getAll(rangeOf(encuentro, number))));
  return new Map(numbers.map((number, place) => [number, rows[place]]));
};

/**
 * Data for the numbers of tricks: the records before and after, and the options of the table.
 * @type {(tx: Tx, encuentro: string, before: Map<number, Recorded[]>, after: Map<number, Recorded[]>) => Promise<Meaning>}
 */
const meaning = async (tx, encuentro, before, after) => {
  const { view } = await tableOf(tx, encuentro);
  const records = [...before].map(([number, log]) => [number, { before: log, after: after.get(number) ?? [] }]);
  return { options: view.profile.options, records: Object.fromEntries(records) };
};

/**
 * Sets the first command aside, and renumbers those after it.
 * @type {(tx: Tx, encuentro: string, queue: Queued[], why: string) => Promise<void>}
 */
const withoutHead = async (tx, encuentro, [head, ...rest], why) => {
  const old = await versionsOf(tx, encuentro);
  const record = await recordsOf(tx, encuentro, [head, ...rest]);
  const means = await meaning(tx, encuentro, record, record);
  const made = renumbered([head, ...rest], { old, now: old, gone: new Set([head.seq]), newKey, ...means });
  setAside(tx, [head], why);
  remake(tx, rest, made, "orphan");
};

/**
 * Replaces the acts of a refused command.
 * @type {(tx: Tx, queue: Queued[], acts: (Act | Amendment)[]) => void}
 */
const instead = (tx, [{ problem: _, ...head }], acts) => {
  if (acts.length !== head.acts.length) throw new RangeError("as many acts as before");
  tx.objectStore("queue").put(addressed({ ...head, acts }, { ...head, key: newKey() }));
};

/** @type {Record<Choice["how"], (tx: Tx, encuentro: string, queue: Queued[], choice: Choice) => Promise<unknown>>} */
const WAYS = {
  both: async (tx, encuentro, queue, { same }) => both(tx, encuentro, queue, same),
  theirs: async (tx, encuentro, queue) => {
    const theirs = theirsOf(queue);
    await takeTheirs(tx, encuentro, theirs);
    setAside(tx, queue, "theirs");
  },
  mine: async (tx, encuentro, queue, { because = "" }) => mine(tx, encuentro, queue, because),
  aside: async (tx, encuentro, queue) => withoutHead(tx, encuentro, queue, "refused"),
  instead: async (tx, _encuentro, queue, { acts = [] }) => instead(tx, queue, acts),
  again: async (tx, _encuentro, [{ problem: _, ...head }]) => tx.objectStore("queue").put(head),
};
const OF_CONFLICT = ["both", "theirs", "mine"];

/**
 * Carries out the choice of the arbiter. For a conflict: `both` (with `same`), `theirs`, `mine` (with `because`); for a refusal: `aside`, `instead`
 * (with `acts`), `again`. False if there is nothing to decide any more.
 * @type {(encuentro: string, choice: Choice) => Promise<boolean>}
 */
export const resolve = (encuentro, choice) =>
  withLock(encuentro, () =>
    write(STORES, async (tx) => {
      const queue = await ofEncuentro(tx, "queue", encuentro);
      const problem = queue[0]?.problem;
      if (!problem || OF_CONFLICT.includes(choice.how) !== (problem.status === STALE)) return false;
      if (problem.status === STALE && !problem.theirs) return false;
      await WAYS[choice.how](tx, encuentro, queue, choice);
      return true;
    }),
  ).finally(() => {
    announceChange(encuentro);
    drain(encuentro);
  });

/**
 * Puts a command that was set aside at the end of the queue. False for a correction: its lines may have changed.
 * @type {(encuentro: string, seq: number) => Promise<boolean>}
 */
export const sendAside = async (encuentro, seq) => {
  const isSent = await write(STORES, async (tx) => {
    const kept = await tx.objectStore("aside").get(seq);
    if (kept?.sort !== "acts") return false;
    const queue = await ofEncuentro(tx, "queue", encuentro);
    const { seq: _, problem: __, why: ___, setAsideAt: ____, ...asked } = kept;
    const old = await versionsOf(tx, encuentro);
    const waiting = queue.filter((one) => streamOf(one) === asked.partida).flatMap(entriesOf).length;
    const expect = (old[asked.partida] ?? 0) + waiting;
    tx.objectStore("aside").delete(seq);
    tx.objectStore("queue").add(addressed(asked, { ...asked, expect, key: newKey() }));
    return true;
  });
  announceChange(encuentro);
  drain(encuentro);
  return isSent;
};
