/** Cards that become known to be in a hand, and the earlier breaches that they prove. */
import { BIT, SUIT_MASK, cardsIn, suitOf } from "./cards.js";
import { DUTIES, breach, facing } from "./duties.js";
import { lastOf, note, without } from "./state.js";
/** @import { Card, Cards } from "./cards.js" */
/** @import { Seat } from "./seats.js" */
/** @import { Deal, Renuncio, RunningTable, SuspectPlay } from "./state.js" */

/**
 * These cards are known to be in the hand of a seat.
 * @type {(table: RunningTable, seat: Seat, cards: Cards) => void}
 */
export const learn = (table, seat, cards) => {
  table.deal.held[seat] |= cards;
  accuse(table, seat, cards);
};

/**
 * The breaches that these cards of a seat prove. A breach of an earlier duty replaces the known one.
 * @type {(table: RunningTable, seat: Seat, cards: Cards) => void}
 */
export const accuse = (table, seat, cards) => {
  const { deal } = table;
  for (const suspect of deal.suspects.filter((one) => one.seat === seat && one.accusers & cards)) {
    const known = deal.breaches.find(({ line }) => line === suspect.line);
    const found = proved(table, suspect, suspect.accusers & cards, known);
    deal.breaches = [...without(deal.breaches, known), found];
    const led = suspect.accusers & SUIT_MASK[suitOf(suspect.plays[0].card)];
    const left = led && !(led & cards) ? [{ ...suspect, accusers: led }] : [];
    deal.suspects = [...without(deal.suspects, suspect), ...left];
    table.findings = table.findings.filter(({ line, rule }) => line !== suspect.line || !DUTIES.includes(rule));
    const facts = { card: found.proof, trick: String(found.trick) };
    note(table, found.rule, seat, facts, suspect.line, found.knownAt);
  }
};

/**
 * The breach that these cards, held besides the card laid, prove; known as one since the first that did.
 * @type {(table: RunningTable, suspect: SuspectPlay, cards: Cards, known?: Renuncio) => Renuncio & {proof: Card}}
 */
const proved = ({ deal, line: now, options }, { line, seat, trick, plays }, cards, known) => {
  const { card } = lastOf(plays);
  const position = facing(plays.slice(0, -1), seat, deal.trump, options);
  const broken = (/** @type {Cards} */ held) => (position && breach(position, held | BIT[card], card)) ?? "";
  const rule = broken(cards);
  const proof = cardsIn(cards).find((one) => broken(BIT[one]) === rule) ?? "";
  return { line, rule, seat, trick, knownAt: known?.knownAt ?? now, proof };
};

/**
 * A seat exchanged a card for one on the table. The card that it took proves nothing about its earlier plays.
 * @type {(table: RunningTable, seat: Seat, gave: Cards, took: Cards) => void}
 */
export const exchange = (table, seat, gave, took) => {
  const { deal } = table;
  accuse(table, seat, gave);
  deal.held[seat] = (deal.held[seat] & ~gave) | took;
  deal.absent[seat] &= ~took;
  deal.apart &= ~gave;
  const lighter = (/** @type {SuspectPlay} */ suspect) => ({ ...suspect, accusers: suspect.accusers & ~took });
  deal.suspects = deal.suspects.map((suspect) => (suspect.seat === seat ? lighter(suspect) : suspect));
};

/**
 * These cards are in the hand of a seat, or were played by it: no other seat has them.
 * @type {(deal: Deal, seat: Seat, cards: Cards) => void}
 */
export const exclude = (deal, seat, cards) => {
  for (const other of without(deal.seats, seat)) deal.absent[other] |= cards;
  deal.apart |= cards;
};
