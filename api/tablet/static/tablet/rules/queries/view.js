/** The table for a page: plain values, cards as tokens; the official view of a partida, and some more fields. */
import { BIT, cardsIn } from "../cards.js";
import { askedRenuncios } from "../concluding.js";
import { itemsOf, malasYBuenas, openSpans, partidaScores, partidaTotals } from "../counting.js";
import { afterImpliedDraws } from "../drawing.js";
import { accusersOf, facing } from "../duties.js";
import { winningOf } from "../playing.js";
import { barredFor, goneOf } from "./possible.js";
import { allDeals, bySeat, dutiesHold, hasLaid, isPlayedOut, orderOf, turnOf } from "../state.js";
/** @import { Totals } from "../acts.js" */
/** @import { Card, Suit } from "../cards.js" */
/** @import { Score } from "../counting.js" */
/** @import { Seat, Side } from "../seats.js" */
/** @import { Cante, Conclusion, Deal, Finding, Item, PartidaWon, Play, Table, Trick } from "../state.js" */
/**
 * @typedef {{number: number} & Trick} TrickView
 *
 * @typedef {object} DealView
 * @property {number} number
 * @property {number} line
 * @property {Seat} dealer
 * @property {Seat} mano
 * @property {Seat[]} order
 * @property {"pinta" | "stock" | "arrastre" | "over"} phase
 * @property {Seat | null} turn
 * @property {Seat | null} winning
 * @property {Suit} trump
 * @property {Card} pinta
 * @property {boolean} pinta_lies
 * @property {number} stock
 * @property {Record<Seat, {size: number, known: Card[]}>} hands
 * @property {Card[]} seen
 * @property {Play[]} on_table
 * @property {TrickView[]} tricks
 * @property {Omit<Cante, "trick" | "isBarred" | "isRepeated" | "answer" | "since">[]} cantes
 * @property {Deal["swaps"]} swaps
 * @property {Seat[]} to_draw
 * @property {Item[]} items
 * @property {Record<Side, Score>} scores
 * @property {boolean} counted
 *
 * @typedef {{line: number, seat: Seat, rule: string, trick: number}} AskedRenuncio
 *
 * @typedef {object} TableView
 * @property {Table} state
 * @property {number} players
 * @property {"waiting" | "dealing" | "free" | "arrastre" | "counting" | "decided"} phase
 * @property {boolean} in_vueltas
 * @property {boolean} suspended
 * @property {Seat} dealer_due
 * @property {Totals} totals
 * @property {Record<Side, {points: number, buenas: boolean}>} said
 * @property {Record<Side, [number, number]>} [between] the least and the most of each side, while tricks are uncounted
 * @property {Table["claim"]} claim
 * @property {PartidaWon | null} decided
 * @property {Conclusion[]} conclusions
 * @property {DealView[]} deals
 * @property {Finding[]} findings
 * @property {AskedRenuncio[]} asked renuncios about which the arbiter is asked
 * @property {Table["warnings"]} warnings
 */

/**
 * The view of a table; `state` is the table itself, for the other functions of these rules.
 * @type {(table: Table) => TableView}
 */
export const viewed = (table) => {
  const totals = partidaTotals(table);
  const sides = Object.keys(totals);
  const between = table.decided ? null : openSpans(table);
  return {
    state: table,
    players: table.seats.length,
    phase: phaseOf(table),
    in_vueltas: table.deals.length > 0,
    suspended: table.suspended,
    dealer_due: table.dealerDue,
    totals,
    said: Object.fromEntries(sides.map((side) => [side, malasYBuenas(totals[side])])),
    ...(between && { between }),
    claim: table.claim,
    decided: table.decided,
    conclusions: table.conclusions,
    deals: allDeals(table).map((deal) => dealView(table, deal)),
    findings: table.findings,
    asked: askedRenuncios(table).map(({ line, seat, rule, trick }) => ({ line, seat, rule, trick })),
    warnings: table.warnings,
  };
};

/**
 * Phase of a partida: waiting, dealing, free, arrastre, counting or decided.
 * @type {(table: Table) => TableView["phase"]}
 */
const phaseOf = ({ deal, decided, claim }) => {
  if (decided) return "decided";
  if (!deal || deal.isCounted) return "waiting";
  if (isPlayedOut(deal) || claim) return "counting";
  if (!deal.trump) return "dealing";
  return deal.stock ? "free" : "arrastre";
};

/** Phase of a deal: pinta, stock, arrastre or over. @type {(deal: Deal) => DealView["phase"]} */
const phaseOfDeal = (deal) => {
  if (isPlayedOut(deal)) return "over";
  if (!deal.trump) return "pinta";
  return deal.stock ? "stock" : "arrastre";
};

/** @type {(table: Table, deal: Deal) => DealView} */
const dealView = (table, deal) => ({
  number: deal.number,
  line: deal.line,
  dealer: deal.dealer,
  mano: orderOf(deal)[0],
  order: orderOf(deal),
  phase: phaseOfDeal(deal),
  turn: table.decided ? null : turnOf(deal),
  winning: deal.laid.length ? winningOf(deal, table.options).seat : null,
  trump: deal.trump,
  pinta: deal.pinta,
  pinta_lies: deal.lies,
  stock: deal.stock,
  hands: bySeat(deal.seats, (seat) => ({ size: deal.sizes[seat], known: cardsIn(deal.held[seat]) })),
  seen: cardsIn(goneOf(deal)),
  on_table: deal.laid,
  tricks: deal.tricks.map((trick, place) => ({ number: place + 1, ...trick })),
  cantes: deal.cantes.map(({ trick, isBarred, isRepeated, answer, since, ...cante }) => cante),
  swaps: deal.swaps,
  to_draw: deal.toDraw,
  items: itemsOf(table, deal),
  scores: partidaScores(table, [deal]),
  counted: deal.isCounted,
});

/**
 * Cards that would break a duty, as far as is known, if a seat played them now. "unlawful": one of its known cards must be
 * played instead, whatever else is in the hand; "accuses": playing it proves an earlier renuncio of the seat. Cards that
 * cannot be in that hand are left out.
 * @type {(view: Pick<TableView, "state">, seat: Seat) => Map<Card, "unlawful" | "accuses">}
 */
export const tint = ({ state: table }, seat) => {
  const found = new Map();
  if (!table.deal?.trump || table.decided || isPlayedOut(table.deal)) return found;
  const deal = table.deal.laid.length ? table.deal : afterImpliedDraws(table.deal);
  const isSecond = hasLaid(deal, seat);
  if (!deal.sizes[seat] || !(dutiesHold(table, deal) || isSecond)) return found;
  const suspects = deal.suspects.filter((suspect) => suspect.seat === seat);
  const accusing = suspects.reduce((mask, suspect) => mask | suspect.accusers, 0n);
  const position = isSecond ? null : facing(deal.laid, seat, deal.trump, table.options);
  for (const card of cardsIn(deal.deck & ~barredFor(deal, seat))) {
    const isBreach = position && accusersOf(position, card) & deal.held[seat] & ~BIT[card];
    if (isBreach) found.set(card, "unlawful");
    else if (accusing & BIT[card]) found.set(card, "accuses");
  }
  return found;
};
