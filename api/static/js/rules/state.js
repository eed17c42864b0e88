/** What a record says about a table: plain values that are never changed, only copied. Sets of cards are masks. */
import { BIT, SUIT_MASK, cardsIn, countOf, suitOf } from "./cards.js";
import { SEATS, orderFrom } from "./seats.js";

/**
 * @typedef {import("./cards.js").Card} Card
 * @typedef {import("./cards.js").Mask} Mask
 * @typedef {import("./cards.js").Options} Options
 * @typedef {import("./seats.js").Seat} Seat
 * @typedef {number} Line
 * @typedef {{kind: string, [field: string]: any}} Act an act as it is sent and recorded; empty fields may be missing
 * @typedef {{line: Line, act: Act}} Entry
 * @typedef {{seat: Seat, card: Card, line: Line}} Play
 * @typedef {{plays: Play[], taker: Seat, points: number | null, line: Line}} Trick `points` null: nobody counted it
 * @typedef {{line: Line, rule: string, seat: Seat, known_at: Line, facts: Record<string, string>}} Finding
 * @typedef {{seat: Seat, line: Line, trick: number, accusers: Mask, plays: Play[]}} Watch
 *   a play in arrastre that would be a breach if its seat held one of `accusers`
 * @typedef {{line: Line, rule: string, seat: Seat, trick: number, knownAt: Line, proof: Card}} Breach
 * @typedef {{line: Line, seat: Seat, suit: string, points: number, trick: number, void: boolean, suits: string[],
 *   elsewhere: Mask}} Cante `elsewhere`: cards that its singer certainly had not
 * @typedef {{toDraw: Seat[], drew: Seat[], drawnAt: Line[], implied: Seat[], swapped: boolean}} Gap between two tricks
 * @typedef {any} Deal
 * @typedef {any} Table
 * @typedef {(table: Table, line: Line, act: Act) => Table} Advance
 */

export const NO_GAP = { toDraw: [], drew: [], drawnAt: [], implied: [], swapped: false };

/** A table before its first deal. */
export const emptyTable = ({ options, dealer_due = "" }) => ({
  options,
  seats: SEATS[options.players],
  dealerDue: dealer_due,
  ruledDealer: "",
  lines: [],
  deals: [],
  deal: null,
  misdeals: 0,
  claim: null,
  endings: [],
  ruledOut: [],
  findings: [],
  warnings: [],
  suspended: false,
  conclusions: [],
  decided: null,
});

/** A deal at its beginning. */
export const newDeal = (table, given) => ({
  ...given,
  seats: table.seats,
  sizes: bySeat(table.seats, table.options.hand_size),
  held: bySeat(table.seats, 0n),
  absent: bySeat(table.seats, 0n),
  apart: 0n,
  trump: "",
  pinta: "",
  lies: false,
  stockCards: [],
  swaps: [],
  played: 0n,
  laid: [],
  tricks: [],
  gap: NO_GAP,
  cantes: [],
  watches: [],
  breaches: [],
  denunciations: [],
  faults: [],
  ruled: [],
  isEntered: false,
  isCounted: false,
  called: {},
  countLine: 0,
  endLine: 0,
});

/** The same value for each seat. */
export const bySeat = (seats, value) => Object.fromEntries(seats.map((seat) => [seat, value]));

/** Deals that count, the running one last. */
export const allDeals = (table) => (table.deal ? [...table.deals, table.deal] : table.deals);

/** Seats in order of play from mano. */
export const orderOf = (deal) => [...orderFrom(deal.dealer, deal.seats.length).slice(1), deal.dealer];

/** Seat that took the last closed trick, or null. */
export const takerOf = (deal) => (deal.tricks.length ? deal.tricks[deal.tricks.length - 1].taker : null);

/** Seat that leads, or led, the trick on the table. */
export const leaderOf = (deal) => (deal.laid.length ? deal.laid[0].seat : (takerOf(deal) ?? orderOf(deal)[0]));

/** Whether a seat laid a card in the trick on the table. */
export const hasLaid = (deal, seat) => deal.laid.some((play) => play.seat === seat);

/** Seat whose turn it is; null when nobody has a card left. */
export const turnOf = (deal) =>
  orderFrom(leaderOf(deal), deal.seats.length).find(
    (seat) => !hasLaid(deal, seat) && (deal.sizes[seat] > 0 || deal.stock > 0),
  ) ?? null;

/** Whether nobody has a card left. */
export const isEmptyHanded = (deal) => deal.seats.every((seat) => !deal.sizes[seat]);

/** Whether every card was played, or the count of a deal without cards entered. */
export const isPlayedOut = (deal) =>
  (deal.isEntered && deal.isCounted) ||
  (deal.tricks.length > 0 && !deal.laid.length && !deal.stock && isEmptyHanded(deal));

/** Seat that certainly holds a card, or null. */
export const holderOf = (deal, card) =>
  deal.seats.find((seat) => deal.held[seat] & BIT[card]) ?? null;

/** Whether every card of a seat is known. */
export const isKnown = (deal, seat) => countOf(deal.held[seat]) >= deal.sizes[seat];

/** Whether a draw of this gap may have happened unseen. */
export const mayHaveDrawn = (deal, seat) => deal.gap.toDraw.includes(seat) && !deal.gap.drew.length;

/** Whether the duties of play hold. */
export const dutiesHold = (table, deal) => deal.stock === 0 || table.options.duties_from === "first_trick";

/** Cards that were put for the pinta. */
export const swappedAway = (deal) => deal.swaps.map((swap) => swap.gave);

/** Whether one line happened before another: an inserted act has a later number. */
export const cameBefore = (table, line, other) => table.lines.indexOf(line) < table.lines.indexOf(other);

const FALSE_CANTE = ["cante-disproved", "tute-disproved"];
const COSTLY_SWAP = ["two-for-seven-barred"];

/** Option that says what a breach of a rule costs, or "". */
const costOf = (rule) => {
  if (FALSE_CANTE.includes(rule)) return "false_cante";
  if (rule.startsWith("swap-") || COSTLY_SWAP.includes(rule)) return "wrong_swap";
  return rule === "accusation-unfounded" ? "false_accusation" : "";
};

/** The table with one finding more; with what it costs, where an option says so. */
export const note = (table, line, rule, seat = "", facts = {}, knownAt = line) => {
  const cost = costOf(rule);
  const all = cost ? { ...facts, costs: table.options[cost] } : facts;
  return { ...table, findings: [...table.findings, { line, rule, seat, known_at: knownAt, facts: all }] };
};

/** The deal with one more value in one of its lists. */
export const added = (deal, list, ...more) => ({ ...deal, [list]: [...deal[list], ...more] });

/** The deal with another value for one seat. */
export const put = (deal, name, seat, value) => ({ ...deal, [name]: { ...deal[name], [seat]: value } });
