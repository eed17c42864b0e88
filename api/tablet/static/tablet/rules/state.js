/**
 * The state of a table. An act is applied to a copy; an earlier state never changes. Sets of cards are masks; values of
 * seats are objects with the seats as keys.
 *
 * @import { How, Totals } from "./acts.js"
 * @import { Card, Cards, Suit } from "./cards.js"
 * @import { Options } from "./options.js"
 * @import { Seat, Side } from "./seats.js"
 * @import { Answer, Sight, Sung } from "./evidence/sung.js"
 *
 * @typedef {{options: Options, dealer_due?: Seat}} Setting start of a partida
 * @typedef {{seat: Seat, card: Card, line: number}} Play
 * @typedef {{plays: Play[], taker: Seat, points: number | null, line: number}} Trick `points` null: not counted
 * @typedef {{line: number, rule: string, seat: Seat, known_at: number, facts: Record<string, string>}} Finding
 * @typedef {{line: number, seat: Seat, suit: Suit, points: number, trick: number, void: boolean, isBarred: boolean,
 *   isRepeated: boolean, answer: Answer, since: number}} Cante `answer`: by a condition that it does not meet, else by the cards;
 *   `since`: line since which the cards disprove it, or 0; `isRepeated`: its only fault, if it has one, is that the suit was sung before
 * @typedef {{seat: Seat, line: number, trick: number, accusers: Cards, plays: Play[]}} SuspectPlay a play that was a breach if
 *   its seat held one of `accusers`
 * @typedef {{line: number, rule: string, seat: Seat, trick: number, knownAt?: number, proof?: Card}} Renuncio a proved breach or conduct
 * @typedef {{line: number, by: Seat, against: Seat, trick: number, deal: number, closed: number}} Denunciation
 * @typedef {{line: number, side: Side, points: number, trick: number}} RuledPoints
 * @typedef {{line: number, how: How, side: Side, hasWon?: boolean, ofDeal?: boolean, totals?: Totals,
 *   wholeMatch?: boolean}} Ending
 * @typedef {{side: Side, reason: "cards" | "ultimas" | "cante" | "ruling", points: number, line: number}} Item
 * @typedef {{kind: "partida_won", winner: Side, how: How, totals: Totals, whole_match?: boolean}} PartidaWon
 * @typedef {{kind: "deal_counted", deal: number, items: Item[], totals: Totals}} DealCounted
 * @typedef {{kind: "vueltas_begun", deal: number}} VueltasBegun
 * @typedef {{kind: "claim_judged", seat: Seat, total: number, reached: boolean}} ClaimJudged
 * @typedef {PartidaWon | DealCounted | VueltasBegun | ClaimJudged} Conclusion
 *
 * @typedef {object} Deal
 * @property {number} number
 * @property {number} line
 * @property {Seat} dealer
 * @property {Seat[]} seats
 * @property {Cards} deck
 * @property {number} stock number of cards still to be drawn
 * @property {Record<Seat, number>} sizes number of cards of each hand
 * @property {Record<Seat, Cards>} held cards known to be in each hand
 * @property {Record<Seat, Cards>} absent cards that a seat certainly lacks
 * @property {Suit} trump
 * @property {Card} pinta
 * @property {boolean} lies whether the pinta is under the stock
 * @property {Seat} supposed the seat that drew the last card unseen: the pinta, if every hand had its number of cards
 * @property {Card[]} stockCards
 * @property {{line: number, seat: Seat, gave: Card, took: Card}[]} swaps
 * @property {Cards} played
 * @property {Cards} apart absent cards that no draw can bring
 * @property {Play[]} laid the trick on the table
 * @property {Trick[]} tricks
 * @property {Seat[]} toDraw
 * @property {Seat[]} drew
 * @property {number[]} drawnAt lines of those draws
 * @property {Seat[]} implied seats with an implied draw
 * @property {Deal | null} otherwise the same deal if the draw of whoever draws last in turn came before those that nobody
 *   recorded, as long as that can be; it never changes
 * @property {boolean} swapped
 * @property {Cante[]} cantes
 * @property {Sight[]} sights what was seen of the cards, in order
 * @property {Sung} sung evidence about the cantes from these sights
 * @property {SuspectPlay[]} suspects
 * @property {Renuncio[]} breaches of duties of play
 * @property {Denunciation[]} denunciations
 * @property {Renuncio[]} conduct that the profile calls a renuncio
 * @property {(RuledPoints & {void?: boolean})[]} ruled
 * @property {boolean} isEntered whether tricks were entered without cards
 * @property {boolean} hasUnseenDuties whether duties held in one of those
 * @property {boolean} isCounted
 * @property {Totals} called totals called at the table
 * @property {number} countLine
 * @property {number} endLine
 *
 * @typedef {object} Table
 * @property {Options} options
 * @property {Seat[]} seats
 * @property {Seat} dealerDue "" if the record does not say
 * @property {Seat} ruledDealer
 * @property {number} line of the act that is being read
 * @property {number[]} lines in the order of events at the table
 * @property {Deal[]} deals those that count, before the running one
 * @property {Deal | null} deal
 * @property {number} misdeals
 * @property {{line: number, seat: Seat} | null} claim
 * @property {Ending[]} endings
 * @property {number[]} ruledOut lines that a ruling cancelled
 * @property {{line: number, play: number}[]} confirmed renuncios that a ruling confirmed
 * @property {Finding[]} findings
 * @property {{line: number, side: Side}[]} warnings
 * @property {boolean} suspended
 * @property {Conclusion[]} conclusions
 * @property {PartidaWon | null} decided
 *
 * @typedef {Table & {deal: Deal}} RunningTable a table with a deal on it
 */
import { BIT, countOf, deckMask, stockSize } from "./cards.js";
import { NOTHING_SUNG } from "./evidence/sung.js";
import { SEATS, orderFrom } from "./seats.js";

/** A table before its first deal. @type {(setting: Setting) => Table} */
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
  confirmed: [],
  findings: [],
  warnings: [],
  suspended: false,
  conclusions: [],
  decided: null,
});

/** @typedef {Pick<Deal, "toDraw" | "drew" | "drawnAt" | "implied" | "swapped">} Gap @type {Gap} */
const NO_GAP = { toDraw: [], drew: [], drawnAt: [], implied: [], swapped: false };

/** A deal at its beginning. @type {(table: Table, number: number, dealer: Seat, removed?: Card) => Deal} */
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
  supposed: "",
  stockCards: [],
  swaps: [],
  played: 0n,
  apart: 0n,
  laid: [],
  tricks: [],
  ...NO_GAP,
  otherwise: null,
  cantes: [],
  sights: [],
  sung: NOTHING_SUNG,
  suspects: [],
  breaches: [],
  denunciations: [],
  conduct: [],
  ruled: [],
  isEntered: false,
  hasUnseenDuties: false,
  isCounted: false,
  called: {},
  countLine: 0,
  endLine: 0,
});

/** Copy of a deal for changes; elements of its lists are never changed. @type {(deal: Deal) => Deal} */
export const copyOfDeal = (deal) => {
  /** @type {Record<string, unknown>} */
  const copy = { ...deal };
  for (const [name, value] of Object.entries(deal)) {
    if (Array.isArray(value)) copy[name] = [...value];
    else if (value !== null && typeof value === "object" && name !== "otherwise") copy[name] = { ...value };
  }
  return /** @type {any} */ (copy);
};

/** Copy of a table and of its running deal for changes. @type {(table: Table) => Table} */
export const copyOf = (table) => {
  /** @type {Record<string, unknown>} */
  const copy = { ...table, deal: table.deal && copyOfDeal(table.deal) };
  for (const [name, value] of Object.entries(table)) if (Array.isArray(value)) copy[name] = [...value];
  return /** @type {any} */ (copy);
};

/** @template T @param {readonly Seat[]} seats @param {(seat: Seat) => T} valueOf @returns {Record<Seat, T>} */
export const bySeat = (seats, valueOf) => Object.fromEntries(seats.map((seat) => [seat, valueOf(seat)]));
/** @template T @param {readonly T[]} list @param {T | undefined} one @returns {T[]} */
export const without = (list, one) => list.filter((other) => other !== one);

/** Last of a list that is not empty. @template T @param {readonly T[]} list @returns {T} */
export const lastOf = (list) => list[list.length - 1];

/**
 * Whether a deal is counted, a claim judged, or the vueltas ended at the target.
 * @type {(table: Table, deal: Deal) => boolean}
 */
export const isSettled = (table, deal) =>
  deal.isCounted || table.decided?.how === "target" || table.conclusions.some(({ kind }) => kind === "claim_judged");

/** Whether a deal is on the table. @param {Table} table @returns {table is RunningTable} */
export const hasDeal = (table) => table.deal !== null;

/** Starts or ends the gap between two tricks. @type {(deal: Deal, gap?: Partial<Gap>) => Deal} */
export const newGap = (deal, gap = {}) => Object.assign(deal, NO_GAP, { drew: [], drawnAt: [] }, gap);

/** Deals that count, the running one last. @type {(table: Pick<Table, "deals" | "deal">) => Deal[]} */
export const allDeals = ({ deals, deal }) => (deal ? [...deals, deal] : deals);

/** Seats in order of play from mano. @type {(deal: Deal) => Seat[]} */
export const orderOf = ({ dealer, seats }) => [...orderFrom(dealer, seats.length).slice(1), dealer];

/** Seat that took the last closed trick. @type {(deal: Deal) => Seat | null} */
export const takerOf = ({ tricks }) => tricks.at(-1)?.taker ?? null;

/** Seat that leads, or led, the trick on the table. @type {(deal: Deal) => Seat} */
export const leaderOf = (deal) => deal.laid[0]?.seat ?? takerOf(deal) ?? orderOf(deal)[0];

/** @type {(deal: Deal, seat: Seat) => boolean} */
export const hasLaid = (deal, seat) => deal.laid.some((play) => play.seat === seat);

/** Seat whose turn it is; null when nobody has a card left. @type {(deal: Deal) => Seat | null} */
export const turnOf = (deal) =>
  orderFrom(leaderOf(deal), deal.seats.length).find(
    (seat) => !hasLaid(deal, seat) && (deal.sizes[seat] || deal.stock),
  ) ?? null;

/** @type {(deal: Deal) => boolean} */
export const isEmptyHanded = (deal) => deal.seats.every((seat) => !deal.sizes[seat]);

/** Whether every card was played, or the count of a deal without cards entered. @type {(deal: Deal) => boolean} */
export const isPlayedOut = (deal) =>
  (deal.isEntered && deal.isCounted) ||
  (deal.tricks.length > 0 && !deal.laid.length && !deal.stock && isEmptyHanded(deal));

/** Cards that are certainly in the hands of other seats. @type {(deal: Deal, seat: Seat) => Cards} */
export const heldByOthers = (deal, seat) =>
  without(deal.seats, seat).reduce((mask, other) => mask | deal.held[other], 0n);

/** Whether every card of a seat is known. @type {(deal: Deal, seat: Seat) => boolean} */
export const isKnown = (deal, seat) => countOf(deal.held[seat]) >= deal.sizes[seat];

/** Position of a seat in order of play. @type {(deal: Deal, seat: Seat) => number} */
export const placeOf = (deal, seat) => deal.seats.indexOf(seat);

/** @type {(table: Table, deal: Deal) => boolean} */
export const dutiesHold = (table, deal) => !deal.stock || table.options.duties_from === "first_trick";

/** Cards that were exchanged for the pinta. @type {(deal: Deal) => Cards} */
export const swappedAway = (deal) => deal.swaps.reduce((mask, swap) => mask | BIT[swap.gave], 0n);

/**
 * Whether one line happened before another: an inserted act has a later number.
 * @type {(table: Table, line: number, other: number) => boolean}
 */
export const cameBefore = ({ lines }, line, other) => lines.indexOf(line) < lines.indexOf(other);

const FALSE_CANTE = ["cante-disproved", "tute-disproved"];
const WRONG_SWAP = /^swap-|^two-for-seven/;

/**
 * Option that says what a breach of a rule costs.
 * @type {(rule: string) => "false_cante" | "wrong_swap" | "false_accusation" | ""}
 */
const costOf = (rule) => {
  if (FALSE_CANTE.includes(rule)) return "false_cante";
  if (WRONG_SWAP.test(rule)) return "wrong_swap";
  return rule === "accusation-unfounded" ? "false_accusation" : "";
};

/**
 * Adds a finding to the act that is being read, or to an earlier line; and its penalty, if an option has one.
 * @type {(table: Table, rule: string, seat: Seat, facts?: Record<string, string>, line?: number, knownAt?: number) => void}
 */
export const note = (table, rule, seat, facts = {}, line = table.line, knownAt = table.line) => {
  const cost = costOf(rule);
  const said = cost ? { ...facts, costs: table.options[cost] } : { ...facts };
  table.findings.push({ line, rule, seat, known_at: knownAt, facts: said });
};
