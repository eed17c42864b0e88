// Rebase of waiting commands on a record that changed. Pure functions.
import { read, standing } from "../rules/index.js";
import { addressed, entriesOf, streamOf, versionAfter } from "./commands.js";

/** @import { Act, Amendment, Change, Recorded } from "../rules/acts.js" */
/** @import { Options } from "../rules/options.js" */
/** @import { Play } from "../rules/state.js" */
/** @import { DealView } from "../rules/queries/view.js" */
/** @import { Queued } from "./store.js" */

/** @type {Logs} */
const NO_LOGS = { before: [], after: [] };

/**
 * Commands in their order, with new versions and lines after what was recorded meanwhile.
 *
 * A line up to the old version stays the same; a line of a command in the queue moves with that command. The number of a trick
 * becomes that of the trick in which its first card is now. A command that refers to an act that no longer exists cannot be
 * sent: it is an orphan.
 *
 * @typedef {{before: Recorded[], after: Recorded[]}} Logs
 * @typedef {{options: Options, records: Record<number, Logs>}} Meaning
 * @typedef {{queue: Queued[], orphans: Queued[]}} RenumberedQueue
 * @typedef {object} Positions new numbers of lines and tricks
 * @property {(line: number) => number | undefined} lineNow
 * @property {(trick: number, line?: number) => number | null} trickNow
 * @param {Queued[]} queue commands in order
 * @param {{options: Options, records?: Record<number, Logs>, old: Record<number, number>, now: Record<number, number>, same?: Map<string, number>,
 *   gone?: Set<number>, newKey: () => string}} given
 *   `old`, `now`: version of the encuentro (0) and of each partida, in the queue and on the server; `same`: from "seq:place"
 *   of an act to the line where another device recorded it; `gone`: commands that are not sent; `records`: the record of each
 *   partida for which the queue was made, and the record of now
 * @returns {RenumberedQueue}
 */
export const renumbered = (queue, { old, now, same = new Map(), gone = new Set(), records = {}, options, newKey }) => {
  /** @type {RenumberedQueue} */
  const found = { queue: [], orphans: [] };
  /** @type {Record<number, Map<number, number>>} */
  const places = {};
  /** @type {Record<number, Logs>} */
  const logs = {};
  const unbegun = new Set();
  for (const command of queue) {
    const placesOf = (places[command.partida] ??= new Map());
    /** @type {Positions["lineNow"]} */
    const lineNow = (line) => (line <= (old[command.partida] ?? 0) ? line : placesOf.get(line));
    const log = (logs[command.partida] ??= { ...NO_LOGS, ...records[command.partida] });
    /** @type {Positions["trickNow"]} */
    const trickNow = (trick, line) => {
      const lead = leadOf(log.before, options, trick, line);
      return lead === null ? trick : trickOf(log.after, options, lineNow(lead));
    };
    const acts = command.acts
      .map((act, place) => ({ act, was: command.expect + 1 + place, is: same.get(`${command.seq}:${place}`) }))
      .map((one) => ({ ...one, act: referring(one.act, { lineNow, trickNow }) }));
    log.before = [...log.before, ...entriesOf(command)];
    const isOrphan = unbegun.has(command.partida) || acts.some(({ act }) => act === null);
    if (gone.has(command.seq) || isOrphan) {
      if (command.sort === "start") unbegun.add(command.partida);
      if (!gone.has(command.seq)) found.orphans.push(command);
      continue;
    }
    const left = acts.filter(({ is }) => is === undefined);
    const expect = versionAfter(now[streamOf(command)] ?? 0, found.queue, streamOf(command));
    acts.forEach(({ was, is }) => is !== undefined && placesOf.set(was, is));
    left.forEach(({ was }, place) => placesOf.set(was, expect + 1 + place));
    if (same.has(`${command.seq}:start`) || (command.sort !== "start" && !left.length)) continue;
    const { problem: _, ...asked } = command;
    const made = addressed({ ...asked, acts: left.flatMap(({ act }) => act ?? []) }, { ...asked, expect, key: newKey() });
    log.after = [...log.after, ...entriesOf(made)];
    found.queue.push(made);
  }
  return found;
};

/** @type {(log: Recorded[], options: Options) => DealView[]} */
const dealsOf = (log, options) => read(standing(log), { options }).deals;
/** @type {(deal: DealView) => Play[][]} */
const tricksOf = (deal) => [...deal.tricks.map(({ plays }) => plays), deal.on_table];

/**
 * Line of the first card of a trick, in the deal at a line or in the last one; null if there is none.
 * @type {(log: Recorded[], options: Options, trick: number, line?: number) => number | null}
 */
const leadOf = (log, options, trick, line = Infinity) => {
  const deal = dealsOf(log.filter((entry) => entry.line <= line), options).at(-1);
  return (deal && tricksOf(deal)[trick - 1]?.[0]?.line) ?? null;
};

/**
 * Number of the trick of a line; null if it is in none.
 * @type {(log: Recorded[], options: Options, line: number | undefined) => number | null}
 */
const trickOf = (log, options, line) => {
  const places = dealsOf(log, options).map((deal) => tricksOf(deal).findIndex((plays) => plays.some((play) => play.line === line)));
  const found = places.find((place) => place >= 0);
  return found === undefined ? null : found + 1;
};

/**
 * An act with new references to lines and tricks; null if one of them no longer exists.
 * @type {(act: Act | Amendment, now: Positions, line?: number) => Act | Amendment | null}
 */
const referring = (act, now, line) => {
  if (act.kind === "amend") return amended(act, now);
  if (act.kind === "ruling" && act.line) {
    const moved = now.lineNow(act.line);
    return moved ? { ...act, line: moved } : null;
  }
  if ("trick" in act && act.trick) {
    const moved = now.trickNow(act.trick, line);
    return moved ? { ...act, trick: moved } : null;
  }
  return { ...act };
};

/** @type {(amendment: Amendment, now: Positions) => Amendment | null} */
const amended = (amendment, now) => {
  /** @type {Change[]} */
  const changes = [];
  for (const change of amendment.changes) {
    const line = now.lineNow(change.line);
    const act = change.act ? referring(change.act, now, change.line) : undefined;
    if (!line || act === null) return null;
    changes.push(/** @type {Change} */ ({ ...change, line, ...(act ? { act } : {}) }));
  }
  return { ...amendment, changes };
};
