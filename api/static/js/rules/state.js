/**
 * What a record says about a table. An act is folded into a copy; what was read before never changes. Sets of cards
 * are masks; what is known by seat is an object of seats.
 *
 * @typedef {{kind: string, [field: string]: any}} Act as it is sent and recorded; fields at their default may be missing
 * @typedef {{line: number, act: Act}} Entry
 * @typedef {{seat: string, card: string, line: number}} Play
 * @typedef {{plays: Play[], taker: string, points: number | null, line: number}} Trick `points` null: nobody counted
 * @typedef {{line: number, rule: string, seat: string, known_at: number, facts: Record<string, string>}} Finding
 */
import { BIT, countOf, deckMask, stockSize } from "./cards.js";
import { SEATS, orderFrom } from "./seats.js";

/** A table before its first deal. */
export const emptyTable = ({ options, dealer_due = "" }) => ({
  options,
  seats: SEATS[options.players],
  dealerDue: dealer_due,
  ruledDealer: "",
  line: 0,
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

const NO_GAP = { toDraw: [], drew: [], drawnAt: [], implied: [], swapped: false };

/**
 * A deal at its beginning. Of `watches` each is a play that was a breach if its seat held one of `accusers`; `absent`
 * are cards that a seat certainly lacks, of which no draw can bring those `apart`.
 */
export const newDeal = ({ line, seats, options }, number, dealer, removed) => ({
  number,
  line,
  dealer,
  seats,
  deck: deckMask(options, removed),
  stock: stockSize(options),
  sizes: bySeat(seats, () => options.hand_size),
  held: bySeat(seats, () => 0n),
  absent: bySeat(seats, () => 0n),
  trump: "",
  pinta: "",
  lies: false,
  stockCards: [],
  swaps: [],
  played: 0n,
  apart: 0n,
  laid: [],
  tricks: [],
  ...NO_GAP,
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

/** Copy of a deal to be changed; what lies in its lists is never changed. */
export const copyOfDeal = (deal) => {
  const copy = { ...deal };
  for (const [name, value] of Object.entries(deal)) {
    if (Array.isArray(value)) copy[name] = [...value];
    else if (typeof value === "object") copy[name] = { ...value };
  }
  return copy;
};

/** Copy of a table to be changed, with its running deal. */
export const copyOf = (table) => {
  const copy = { ...table, deal: table.deal && copyOfDeal(table.deal) };
  for (const [name, value] of Object.entries(table)) if (Array.isArray(value)) copy[name] = [...value];
  return copy;
};

export const bySeat = (seats, valueOf) => Object.fromEntries(seats.map((seat) => [seat, valueOf(seat)]));
export const without = (list, one) => list.filter((other) => other !== one);

/** The time between two tricks begins, or is over. */
export const newGap = (deal, gap = {}) => Object.assign(deal, NO_GAP, { drew: [], drawnAt: [] }, gap);

/** Deals that count, the running one last. */
export const allDeals = ({ deals, deal }) => (deal ? [...deals, deal] : deals);

/** Seats in order of play from mano. */
export const orderOf = ({ dealer, seats }) => [...orderFrom(dealer, seats.length).slice(1), dealer];

/** Seat that took the last closed trick. */
export const takerOf = ({ tricks }) => tricks.at(-1)?.taker ?? null;

/** Seat that leads, or led, the trick on the table. */
export const leaderOf = (deal) => deal.laid[0]?.seat ?? takerOf(deal) ?? orderOf(deal)[0];

export const hasLaid = (deal, seat) => deal.laid.some((play) => play.seat === seat);

/** Seat whose turn it is; null when nobody has a card left. */
export const turnOf = (deal) =>
  orderFrom(leaderOf(deal), deal.seats.length).find(
    (seat) => !hasLaid(deal, seat) && (deal.sizes[seat] || deal.stock),
  ) ?? null;

export const isEmptyHanded = (deal) => deal.seats.every((seat) => !deal.sizes[seat]);

/** Whether every card was played, or the count of a deal without cards entered. */
export const isPlayedOut = (deal) =>
  (deal.isEntered && deal.isCounted) ||
  (deal.tricks.length > 0 && !deal.laid.length && !deal.stock && isEmptyHanded(deal));

/** Cards that others than this seat certainly hold. @returns {bigint} */
export const heldByOthers = (deal, seat) =>
  without(deal.seats, seat).reduce((mask, other) => mask | deal.held[other], 0n);

/** Whether every card of a seat is known. */
export const isKnown = (deal, seat) => countOf(deal.held[seat]) >= deal.sizes[seat];

/** Whether a draw of this gap may have happened unseen. */
export const mayHaveDrawn = (deal, seat) => deal.toDraw.includes(seat) && !deal.drew.length;

export const dutiesHold = (table, deal) => !deal.stock || table.options.duties_from === "first_trick";

/** Cards that were put for the pinta. @returns {bigint} */
export const swappedAway = (deal) => deal.swaps.reduce((mask, swap) => mask | BIT[swap.gave], 0n);

/** Whether one line happened before another: an inserted act has a later number. */
export const cameBefore = ({ lines }, line, other) => lines.indexOf(line) < lines.indexOf(other);

const FALSE_CANTE = ["cante-disproved", "tute-disproved"];
const WRONG_SWAP = /^swap-|^two-for-seven/;

/** Option that says what a breach of a rule costs. */
const costOf = (rule) => {
  if (FALSE_CANTE.includes(rule)) return "false_cante";
  if (WRONG_SWAP.test(rule)) return "wrong_swap";
  return rule === "accusation-unfounded" ? "false_accusation" : "";
};

/** One finding more, beside the act that is read or an earlier line; with what it costs, where an option says so. */
export const note = (table, rule, seat, facts = {}, line = table.line, knownAt = table.line) => {
  const cost = costOf(rule);
  const costs = cost ? { costs: table.options[cost] } : {};
  table.findings.push({ line, rule, seat, known_at: knownAt, facts: { ...facts, ...costs } });
};
