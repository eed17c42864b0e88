/** Slips of the recorder that explain a card which cannot be played, because it was played before or is elsewhere. */
import { BIT } from "../cards.js";
import { DUTIES } from "../duties.js";
import { beside } from "../evidence/recorded.js";
import { impossible } from "./possible.js";
import { advance } from "../reading.js";
import { emptyTable, hasDeal } from "../state.js";
/** @import { Act, ActOf, Change, Entry } from "../acts.js" */
/** @import { Card } from "../cards.js" */
/** @import { Seat } from "../seats.js" */
/** @import { RunningTable, Setting, Table } from "../state.js" */

const OFFENCES = [...DUTIES, "out-of-turn", "out-of-turn-in-arrastre"];
/** Added to the rank of a slip for each offence in the corrected record; the lowest rank is the likeliest. */
const OFFENCE = 4;

/**
 * The likeliest slips, best first. `slip` is "entered_twice", "seats_swapped" or "card_mistaken"; `line` that of the
 * earlier card, or 0 if the card tapped now was the wrong one; `changes` the amendment that corrects it, none if
 * empty; `act` the act to be recorded after it, null for none.
 * @typedef {{slip: "entered_twice" | "seats_swapped" | "card_mistaken", line: number, changes: Change[],
 *   act: ActOf<"card"> | null}} Slip
 * @typedef {Slip & {rank: number}} RankedSlip
 * @type {(entries: Entry[], setting: Setting, act: ActOf<"card">) => Slip[]}
 */
export const slips = (entries, setting, act) => {
  const table = entries.reduce(advance, emptyTable(setting));
  if (!hasDeal(table) || !impossible({ state: table }, act)) return [];
  const before = offences(table);
  return [...ofEarlier(table, act), ...ofThis(table, act)]
    .flatMap(({ rank, ...slip }) => {
      const after = tried(table, entries, setting, slip);
      return after ? [{ slip, cost: rank + OFFENCE * (offences(after) - before) }] : [];
    })
    .sort((one, other) => one.cost - other.cost)
    .map(({ slip }) => slip);
};

/** @type {(table: Table) => number} */
const offences = ({ findings }) => findings.filter(({ rule }) => OFFENCES.includes(rule)).length;

/**
 * Slips at the earlier card: it was another card, or of another seat, or is the same play entered twice.
 * @type {(table: RunningTable, act: ActOf<"card">) => RankedSlip[]}
 */
const ofEarlier = (table, act) => {
  const { deal } = table;
  const laid = [...deal.tricks.flatMap(({ plays }) => plays), ...deal.laid];
  const earlier = laid.find(({ card }) => card === act.card);
  if (!earlier) return ofHolder(table, act);
  const { line, seat } = earlier;
  const found = [mended("entered_twice", earlier === laid.at(-1) ? 0 : 6, line, null, null)];
  if (deal.laid.includes(earlier) && seat !== act.seat) {
    const rank = 1 - OFFENCE; // the previous card is then still to be entered, so being out of turn is no evidence
    found.push(mended("seats_swapped", rank, line, { seat: act.seat, card: act.card }, null));
  }
  return [...found, ...beside(act.card, deal).map((card) => mended("card_mistaken", 1, line, { seat, card }, act))];
};

/**
 * Two seats mixed up: the seat that has the card plays it now; or it played it before in this trick, and its recorded card is
 * that of this seat.
 * @type {(table: RunningTable, act: ActOf<"card">) => RankedSlip[]}
 */
const ofHolder = ({ deal }, act) => {
  const holder = deal.seats.find((seat) => deal.held[seat] & BIT[act.card]);
  if (!holder) return [];
  const laid = deal.laid.find(({ seat }) => seat === holder);
  if (!laid) return [mended("seats_swapped", 0, 0, null, { ...act, seat: holder })];
  return [mended("seats_swapped", 0, laid.line, { seat: holder, card: act.card }, { ...act, card: laid.card })];
};

/**
 * A neighbour of the tapped card was meant.
 * @type {(table: RunningTable, act: ActOf<"card">) => RankedSlip[]}
 */
const ofThis = ({ deal }, act) =>
  beside(act.card, deal).map((card) => mended("card_mistaken", 3, 0, null, { ...act, card }));

/**
 * @typedef {{seat: Seat, card: Card}} LaidCard
 * @type {(slip: Slip["slip"], rank: number, line: number, play: LaidCard | null, act: ActOf<"card"> | null) => RankedSlip}
 */
const mended = (slip, rank, line, play, act) => {
  /** @type {Change[]} */
  const changes = play ? [{ line, how: "replace", act: { kind: "card", ...play } }] : [];
  return { slip, rank, line, changes, act };
};

/**
 * The table with a slip corrected and the act recorded; null if that is impossible too.
 * @type {(before: Table, entries: Entry[], setting: Setting, slip: Slip) => Table | null}
 */
const tried = (before, entries, setting, { changes, act }) => {
  const mend = new Map(changes.map((change) => [change.line, change.act]));
  const right = entries.map((entry) => ({ line: entry.line, act: mend.get(entry.line) ?? entry.act }));
  const last = act ? [{ line: 1 + Math.max(0, ...before.lines), act }] : [];
  let table = mend.size ? emptyTable(setting) : before;
  for (const entry of mend.size ? [...right, ...last] : last) {
    if (entry.act.kind === "card" && impossible({ state: table }, entry.act)) return null;
    table = advance(table, entry);
  }
  return table;
};
