/** Slips of the recorder that would explain a card which cannot be laid, because it was laid before or lies elsewhere. */
import { BIT, SUITS, cardsIn } from "./cards.js";
import { DUTIES } from "./duties.js";
import { impossible } from "./possible.js";
import { advance } from "./reading.js";
import { emptyTable } from "./state.js";

const OFFENCES = [...DUTIES, "out-of-turn", "out-of-turn-in-arrastre"];
/** How much less likely a slip is for each offence that the record has once it is put right. */
const OFFENCE = 4;

/**
 * The likeliest slips, best first. `slip` is "entered_twice", "seats_swapped" or "card_mistaken"; `line` that of the
 * earlier card, or 0 where the card tapped now was the wrong one; `changes` the amendment that puts it right, none if
 * empty; `act` what is to be recorded after it, null for nothing.
 * @param {import("./state.js").Entry[]} entries as `standing` gives them @param {{options: any, dealer_due?: string}} setting
 * @param {{kind: string, seat: string, card: string}} act
 */
export const slips = (entries, setting, act) => {
  const table = entries.reduce(advance, emptyTable(setting));
  if (!table.deal || !impossible({ state: table }, act)) return [];
  const before = offences(table);
  return [...ofEarlier(table, act), ...ofThis(table, act)]
    .map((one) => ({ ...one, after: tried(table, entries, setting, one) }))
    .filter(({ after }) => after)
    .map(({ after, ...one }) => ({ one, cost: one.rank + OFFENCE * (offences(after) - before) }))
    .sort((one, other) => one.cost - other.cost)
    .map(({ one: { rank, ...slip } }) => slip);
};

const offences = ({ findings }) => findings.filter(({ rule }) => OFFENCES.includes(rule)).length;

/** The earlier card was another one, or another seat's, or is this one. */
const ofEarlier = (table, act) => {
  const { deal } = table;
  const laid = [...deal.tricks.flatMap(({ plays }) => plays), ...deal.laid];
  const earlier = laid.find(({ card }) => card === act.card);
  if (!earlier) return ofHolder(table, act);
  const { line, seat } = earlier;
  const found = [mended("entered_twice", earlier === laid.at(-1) ? 0 : 6, line, null, null)];
  if (deal.laid.includes(earlier) && seat !== act.seat) {
    const rank = 1 - OFFENCE; // the card before it is then still to be keyed: that it lies out of turn says nothing
    found.push(mended("seats_swapped", rank, line, { seat: act.seat, card: act.card }, null));
  }
  return [...found, ...beside(act.card, deal).map((card) => mended("card_mistaken", 1, line, { seat, card }, act))];
};

/** The seat that has the card lays it now, or laid it, and this one that seat's. */
const ofHolder = ({ deal }, act) => {
  const holder = deal.seats.find((seat) => deal.held[seat] & BIT[act.card]);
  if (!holder) return [];
  const laid = deal.laid.find(({ seat }) => seat === holder);
  if (!laid) return [mended("seats_swapped", 0, 0, null, { ...act, seat: holder })];
  return [mended("seats_swapped", 0, laid.line, { seat: holder, card: act.card }, { ...act, card: laid.card })];
};

/** The card tapped now was meant to be its neighbour. */
const ofThis = ({ deal }, act) =>
  beside(act.card, deal).map((card) => mended("card_mistaken", 3, 0, null, { ...act, card }));

const mended = (slip, rank, line, play, act) => {
  const changes = play ? [{ line, how: "replace", act: { kind: "card", ...play } }] : [];
  return { slip, rank, line, changes, act };
};

/** Cards beside, above and below a card on the pad: suits in rows, each by rank from the dos up. */
const beside = (card, deal) => {
  const deck = cardsIn(deal.deck);
  const row = deck.filter((one) => one[1] === card[1]);
  const [at, suit] = [row.indexOf(card), SUITS.indexOf(card[1])];
  const near = [row[at - 1], row[at + 1], card[0] + SUITS[suit - 1], card[0] + SUITS[suit + 1]];
  return near.filter((one) => deck.includes(one));
};

/** The table with a slip put right and the act recorded; null if that cannot be true either. */
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
