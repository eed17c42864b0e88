// The reading of the record on this tablet: each partida under the rules in the browser, and the score of the encuentro.
import { SEATS, evolve, read, score, standing, start } from "../rules/index.js";
import { latestLine } from "../outbox/commands.js";
/** @import { PartidaState, TableState } from "../outbox/table.js" */
/** @import { EncuentroView } from "../outbox/store.js" */
/** @import { Act, Amendment, Change, Entry, Recorded } from "../rules/acts.js" */
/** @import { MatchScore } from "../rules/queries/cotos.js" */
/** @import { Options } from "../rules/options.js" */
/** @import { Seat } from "../rules/seats.js" */
/** @import { Setting } from "../rules/state.js" */
/** @import { TableView } from "../rules/queries/view.js" */
/**
 * @typedef {{number: number, log: Recorded[], entries: Entry[], setting: Setting, view: TableView}} Reading a partida, read under the rules
 *
 * @typedef {object} Game
 * @property {Options} options
 * @property {number} table number of its table in the room; 0 if it has none
 * @property {Seat[]} seats
 * @property {Reading[]} partidas
 * @property {Reading} now the one that is recorded now; null before the first (only the page of the table reads it then)
 * @property {MatchScore} score
 * @property {Seat} first_dealer by the draw, or ""
 * @property {boolean} isReported whether a side reported the result, and it stands
 *
 * @typedef {{reading: Reading, acts: Recorded[], isEarlier: boolean, mayUndo: boolean}} LastActs
 */

/**
 * Cache: the last reading of each partida, by encuentro and number, so that a tap reads only new entries.
 * @type {Map<string, Reading>}
 */
const known = new Map();

/** @type {(partida: PartidaState, options: Options, of: {key: string, due: Seat}) => Reading} */
const reading = ({ number, entries: log }, options, { key, due }) => {
  const setting = { options, dealer_due: due };
  const entries = standing(log);
  const before = known.get(key);
  const isSame = before && before.setting.options === options && before.setting.dealer_due === due;
  const done = isSame ? commonStart(before.entries, entries) : 0;
  const isOn = before !== undefined && done > 0 && done === before.entries.length;
  let view = isOn ? before.view : start(setting);
  for (const entry of entries.slice(isOn ? done : 0)) view = evolve(view, entry);
  const found = { number, log, entries, setting, view };
  known.set(key, found);
  return found;
};

/** Number of equal entries at the beginning of two readings. @type {(before: Entry[], now: Entry[]) => number} */
const commonStart = (before, now) => {
  const differs = before.findIndex((entry, place) => entry.line !== now[place]?.line || !isSameAct(entry.act, now[place].act));
  return differs < 0 ? before.length : differs;
};

/** @type {(one: Act, other: Act) => boolean} */
const isSameAct = (one, other) => one === other || JSON.stringify(one) === JSON.stringify(other);

/**
 * All readings that the table page shows, from the state of the outbox.
 * @type {(state: Pick<TableState, "encuentro" | "options" | "partidas">) => Game}
 */
export const gameOf = ({ encuentro, options, partidas }) => {
  const drawn = drawnDealer(encuentro);
  const read = partidas.map((partida) => {
    const due = partida.dealer_due || (partida.number === 1 ? drawn : "");
    return reading(partida, options, { key: `${encuentro.id} ${partida.number}`, due });
  });
  const tables = Object.fromEntries(read.map(({ number, view }) => [number, view]));
  return {
    options,
    seats: SEATS[options.players],
    partidas: read,
    now: runningOf(read),
    score: score(encuentro, tables),
    table: encuentro.table ?? 0,
    first_dealer: drawn,
    isReported: encuentro.result.stands,
  };
};

/** A partida by its number. @type {(game: Game, number: number | undefined) => Reading} */
export const readingOf = ({ partidas }, number) => /** @type {Reading} */ (partidas.find((one) => one.number === number));

/** First dealer by the draw, or "". @type {(encuentro: EncuentroView) => Seat} */
const drawnDealer = ({ draws = [], seats }) => {
  const dealer = draws.map((draw) => draw.outcome.dealer).filter(Boolean).pop();
  return Object.keys(seats).find((seat) => seat === dealer || seats[seat] === dealer) ?? "";
};

/**
 * The partida that is recorded now: the latest, or an earlier one that is open again while nothing was recorded after it.
 * @type {(read: Reading[]) => Reading}
 */
const runningOf = (read) => {
  const last = read.length - 1;
  const open = read.findIndex(({ view }) => !view.decided);
  const isOpenAgain = open >= 0 && read.slice(open + 1).every(({ entries }) => !entries.length);
  return read[isOpenAgain ? open : last] ?? null;
};

/**
 * The reading of a partida with corrections, to compare the two.
 * @type {(reading: Reading, changes: Change[]) => Reading}
 */
export const corrected = (reading, changes) => {
  const line = 1 + Math.max(0, ...reading.log.map((entry) => entry.line));
  const entries = standing([...reading.log, { line, act: { kind: "amend", changes } }]);
  return { ...reading, entries, view: read(entries, reading.setting) };
};

/** The table before an act. @type {(reading: Reading, line: number) => TableView} */
export const viewBefore = ({ entries, setting }, line) => {
  const at = entries.findIndex((entry) => entry.line === line);
  return read(at < 0 ? entries : entries.slice(0, at), setting);
};

/**
 * Acts that one undo takes back, in the running partida, or in the one before while the running one is empty. A pinta is taken
 * back together with the deal that was recorded with it, the last act first; a deal with a cut was recorded by itself. So are
 * the tricks that somebody was given as the rest. A ruling, or a result that was reported, is taken back where it was given: nobody means it by an undo.
 * @type {(game: Game) => LastActs | null}
 */
export const lastOf = ({ partidas, now, isReported }) => {
  const from = partidas.indexOf(now);
  const reading = partidas.slice(0, from + 1).reverse().find((one) => latestLine(one.log) !== null);
  if (!reading) return null;
  const acts = lastActs(reading);
  return { reading, acts, isEarlier: reading !== now, mayUndo: !isReported && !isOfRuling(reading.log, acts[0].act) };
};

/** Whether an act is a ruling, or changes one. @type {(log: Recorded[], act: Act | Amendment) => boolean} */
const isOfRuling = (log, act) => {
  if (act.kind !== "amend") return act.kind === "ruling";
  const lines = act.changes.map(({ line }) => line);
  return log.some((entry) => entry.act.kind === "ruling" && lines.includes(entry.line));
};

/**
 * Whether an act is a deal with only its dealer, as a tap on the pinta records it.
 * @type {(act: Act | Amendment | undefined) => boolean}
 */
const isBare = (act) => act?.kind === "deal" && act.cut === undefined && !act.removed && !act.cutter && !act.packets;

/** Whether all tricks that were left are of this seat. @type {(seat: Seat, rest: Entry[], view: TableView) => boolean} */
const isGivenTo = (seat, rest, view) =>
  rest.every(({ act }) => act.kind === "trick" && act.seat === seat) && view.deals.at(-1)?.phase === "over";

/** @type {(reading: Reading) => Recorded[]} */
const lastActs = ({ log, entries, view }) => {
  const line = latestLine(log);
  const last = log.find((entry) => entry.line === line);
  if (!last) return [];
  const deal = entries[entries.length - 2];
  const [claim, ...rest] = entries.slice(entries.findLastIndex(({ act }) => act.kind !== "trick"));
  if (claim?.act.kind === "claim_rest" && rest.length && isGivenTo(claim.act.seat, rest, view)) return [claim, ...rest.reverse()];
  return last.act.kind === "pinta" && isBare(deal?.act) ? [last, deal] : [last];
};
