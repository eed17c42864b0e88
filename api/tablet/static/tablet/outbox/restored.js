// A server that lost part of the record, because it was restored from an older backup. The lost acts are stored here and queued again.
import { newKey } from "./keys.js";
import { STALE, addressed, amending, recording, starting } from "./commands.js";
import { ofEncuentro, rangeOf } from "./store.js";
/** @import { Act, Amendment, Recorded } from "../rules/acts.js" */
/** @import { Problem, Asking } from "./commands.js" */
/** @import { News, PartidaRow, RecordOfPartida, RecordOfTable, Tx } from "./store.js" */

/**
 * @typedef {Asking & {expect: number}} LostCommand
 * @typedef {{row: PartidaRow, there: RecordOfPartida | undefined, common: number, lost: LostCommand[], gone: number[]}} Divergence
 */

/**
 * Whether the record of the server is shorter than the one stored here.
 * @type {(record: RecordOfTable, partidas: PartidaRow[]) => boolean}
 */
export const isShort = (record, partidas) => {
  const versions = new Map(record.partidas.map(({ number, version }) => [number, version]));
  return partidas.some(({ number, version }) => (versions.get(number) ?? -1) < version);
};

const TELLING = ["seat", "card", "suit", "by", "against", "dealer", "side"];

/** Text for comparing acts, without free texts, which may have been erased. @type {(act: Act | Amendment) => string} */
const named = (act) => {
  /** @type {Record<string, any>} */
  const fields = act;
  const changes = act.kind === "amend" ? act.changes.map(({ line, how }) => [line, how]) : [];
  return JSON.stringify([act.kind, ...TELLING.map((name) => fields[name] || ""), changes]);
};

/** Number of equal lines at the beginning of two records. @type {(kept: Recorded[], theirs: Recorded[]) => number} */
const commonOf = (kept, theirs) => {
  const differs = kept.findIndex(({ act }, place) => !theirs[place] || named(act) !== named(theirs[place].act));
  return differs < 0 ? kept.length : differs;
};

/** @type {(number: number, entry: Recorded) => LostCommand} */
const askedAgain = (number, { line, act }) => {
  const asked = act.kind === "amend" ? amending(number, act.changes, act.text) : recording(number, [act]);
  return { ...asked, expect: line - 1 };
};

/**
 * Lines of a partida that the server lost, as requests, and the lines that it has after the common ones.
 * @type {(row: PartidaRow, kept: Recorded[], there: RecordOfPartida | undefined) => Divergence}
 */
const parted = (row, kept, there) => {
  const common = there ? commonOf(kept, there.entries) : 0;
  const start = there ? [] : [{ ...starting(row.number, row.dealer_due), expect: 0 }];
  const lost = [...start, ...kept.slice(common).map((entry) => askedAgain(row.number, entry))];
  return { row, there, common, lost, gone: kept.slice(common).map(({ line }) => line) };
};

/**
 * Queues the lost lines before the waiting commands, as a conflict that the arbiter decides. False, and nothing queued, if the
 * server lost nothing. `whole` is the whole record of the server.
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

/** The record of the server after the common lines. @type {(whole: News, found: Divergence[]) => News} */
const after = (whole, found) => {
  const common = new Map(found.map((one) => [one.row.number, one.common]));
  const partidas = whole.record.partidas.map((one) => ({ ...one, entries: one.entries.slice(common.get(one.number) ?? 0) }));
  return { ...whole, record: { ...whole.record, partidas } };
};

/**
 * Puts commands before all waiting ones; the first of them waits for the decision of the arbiter.
 * @type {(tx: Tx, encuentro: string, lost: LostCommand[], device: string, problem: Problem) => Promise<void>}
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
