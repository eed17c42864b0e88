// A server that has less than it said: it was restored from an older copy. What it lost is here, and waits to be sent again.
import { newKey } from "./keys.js";
import { addressed, amending, recording, starting } from "./commands.js";
import { ofEncuentro, rangeOf } from "./store.js";
/** @import { Act, Amendment, Recorded } from "../rules/acts.js" */
/** @import { Problem, Asking } from "./commands.js" */
/** @import { News, PartidaRow, RecordOfPartida, RecordOfTable, Tx } from "./store.js" */

/**
 * @typedef {Asking & {expect: number}} Lost
 * @typedef {{row: PartidaRow, there: RecordOfPartida | undefined, common: number, lost: Lost[], gone: number[]}} Parted
 */

export const STALE = 412;

/**
 * Whether a record has less than what is known to have been recorded.
 * @type {(record: RecordOfTable, partidas: PartidaRow[]) => boolean}
 */
export const isShort = (record, partidas) => {
  const versions = new Map(record.partidas.map(({ number, version }) => [number, version]));
  return partidas.some(({ number, version }) => (versions.get(number) ?? -1) < version);
};

const TELLING = ["seat", "card", "suit", "by", "against", "dealer", "side"];

/** What tells an act from another; a text may have been erased since. @type {(act: Act | Amendment) => string} */
const named = (act) => {
  /** @type {Record<string, any>} */
  const fields = act;
  const changes = act.kind === "amend" ? act.changes.map(({ line, how }) => [line, how]) : [];
  return JSON.stringify([act.kind, ...TELLING.map((name) => fields[name] || ""), changes]);
};

/** How many lines two records begin with alike. @type {(kept: Recorded[], theirs: Recorded[]) => number} */
const commonOf = (kept, theirs) => {
  const differs = kept.findIndex(({ act }, place) => !theirs[place] || named(act) !== named(theirs[place].act));
  return differs < 0 ? kept.length : differs;
};

/** @type {(number: number, entry: Recorded) => Lost} */
const askedAgain = (number, { line, act }) => {
  const asked = act.kind === "amend" ? amending(number, act.changes, act.text) : recording(number, [act]);
  return { ...asked, expect: line - 1 };
};

/**
 * What of a partida the server lost, as it would be asked again, and what it has after the lines that both have.
 * @type {(row: PartidaRow, kept: Recorded[], there: RecordOfPartida | undefined) => Parted}
 */
const parted = (row, kept, there) => {
  const common = there ? commonOf(kept, there.entries) : 0;
  const start = there ? [] : [{ ...starting(row.number, row.dealer_due), expect: 0 }];
  const lost = [...start, ...kept.slice(common).map((entry) => askedAgain(row.number, entry))];
  return { row, there, common, lost, gone: kept.slice(common).map(({ line }) => line) };
};

/**
 * Puts what the server lost before what waits, as two records of which the arbiter chooses; nothing if it lost nothing.
 * Gives whether it did. `whole` is everything that the server has.
 * @type {(tx: Tx, encuentro: string, whole: News, device: string) => Promise<boolean>}
 */
export const putBack = async (tx, encuentro, whole, device) => {
  const rows = await tx.objectStore("partidas").getAll(rangeOf(encuentro));
  const found = await Promise.all(
    rows.map(async (row) => {
      const kept = await tx.objectStore("entries").getAll(rangeOf(encuentro, row.number));
      return parted(row, kept, whole.record.partidas.find(({ number }) => number === row.number));
    }),
  );
  const lost = found.flatMap((one) => one.lost);
  if (!lost.length) return false;
  for (const { row, there, common, gone } of found) {
    gone.forEach((line) => tx.objectStore("entries").delete([encuentro, row.number, line]));
    if (there) tx.objectStore("partidas").put({ ...row, version: common });
    else tx.objectStore("partidas").delete([encuentro, row.number]);
  }
  await queueFirst(tx, encuentro, lost, device, { status: STALE, lost: lost.length, theirs: after(whole, found) });
  return true;
};

/** What the server has after the lines that are kept. @type {(whole: News, found: Parted[]) => News} */
const after = (whole, found) => {
  const common = new Map(found.map((one) => [one.row.number, one.common]));
  const partidas = whole.record.partidas.map((one) => ({ ...one, entries: one.entries.slice(common.get(one.number) ?? 0) }));
  return { ...whole, record: { ...whole.record, partidas } };
};

/**
 * Commands before all that wait; the first of them stands until the arbiter has chosen.
 * @type {(tx: Tx, encuentro: string, lost: Lost[], device: string, problem: Problem) => Promise<void>}
 */
const queueFirst = async (tx, encuentro, lost, device, problem) => {
  const [head] = await ofEncuentro(tx, "queue", encuentro);
  if (head) {
    const { problem: _, ...waiting } = head;
    tx.objectStore("queue").put(waiting);
  }
  const at = new Date().toISOString();
  lost.forEach((asked, place) => {
    const seq = head ? { seq: head.seq - 1 + (place + 1) / (lost.length + 1) } : {};
    const command = { ...addressed(asked, { encuentro, expect: asked.expect, key: newKey(), device, at }), ...seq };
    tx.objectStore("queue").add(place ? command : { ...command, problem });
  });
};
