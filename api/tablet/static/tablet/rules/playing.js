/** Cards on the table: plays and tricks. */
import { BIT, cardsIn, pointsOf } from "./cards.js";
import { DECK_POINTS, sizeWithoutCards, trickSums, tricksFit } from "./counting.js";
import { afterImpliedDraws } from "./drawing.js";
import { accusersOf, bestIndex, facing } from "./duties.js";
import { accuse, exclude, learn } from "./learning.js";
import { orderFrom } from "./seats.js";
import { dutiesHold, hasLaid, isEmptyHanded, isKnown, isPlayedOut, newGap, note, placeOf, turnOf } from "./state.js";
/** @import { ActOf } from "./acts.js" */
/** @import { Cards } from "./cards.js" */
/** @import { Options } from "./options.js" */
/** @import { Seat } from "./seats.js" */
/** @import { Deal, Play, RunningTable, Trick } from "./state.js" */

const IMPOSSIBLE_SUMS = ["trick-points", "tricks-together"];

/**
 * A seat lays a card; the trick closes when nobody else has a card to lay.
 * @type {(table: RunningTable, act: ActOf<"card">) => void}
 */
export const cardPlayed = (table, { seat, card }) => {
  if (!table.deal.laid.length) table.deal = afterImpliedDraws(table.deal);
  const { deal } = table;
  if (hasLaid(deal, seat)) {
    note(table, "two-cards-at-once", seat, { card });
    deal.sights.push({ kind: "held", line: table.line, seat: placeOf(deal, seat), cards: BIT[card], drawing: false });
    learn(table, seat, BIT[card]);
    return;
  }
  if (seat !== turnOf(deal)) noteOutOfTurn(table, seat);
  if (!(deal.held[seat] & BIT[card]) && isKnown(deal, seat)) note(table, "card-not-dealt", seat, { card });
  const play = { seat, card, line: table.line };
  if (dutiesHold(table, deal)) judge(table, play);
  const accusers = accusersNow(table, play);
  deal.sights.push({ kind: "played", line: table.line, seat: placeOf(deal, seat), card: BIT[card], accusers });
  deal.laid.push(play);
  deal.played |= BIT[card];
  deal.sizes[seat] -= 1;
  deal.held[seat] &= ~BIT[card];
  if (deal.seats.every((other) => !deal.sizes[other] || hasLaid(deal, other))) {
    close(table);
    checkSum(table);
  }
};

/** @type {(table: RunningTable, seat: Seat) => void} */
const noteOutOfTurn = (table, seat) => {
  const { deal, options, line } = table;
  const isRenuncio = options.renuncio_cases.includes("out_of_turn_in_arrastre") && dutiesHold(table, deal);
  const rule = isRenuncio ? "out-of-turn-in-arrastre" : "out-of-turn";
  note(table, rule, seat, { turn: turnOf(deal) ?? "" });
  if (isRenuncio) deal.conduct.push({ line, rule, seat, trick: deal.tricks.length + 1 });
};

/** Cards that would make a play a breach if its seat held one of them. @type {(table: RunningTable, play: Play) => Cards} */
const accusersNow = (table, { seat, card }) => {
  const { deal, options } = table;
  const position = dutiesHold(table, deal) ? facing(deal.laid, seat, deal.trump, options) : null;
  return position ? accusersOf(position, card) : 0n;
};

/**
 * Judges this play by the known cards, and earlier plays by this card.
 * @type {(table: RunningTable, play: Play) => void}
 */
const judge = (table, play) => {
  const { deal } = table;
  const { seat, card, line } = play;
  learn(table, seat, BIT[card]);
  const accusers = accusersNow(table, play);
  if (!accusers) return;
  deal.suspects.push({ seat, line, trick: deal.tricks.length + 1, accusers, plays: [...deal.laid, play] });
  accuse(table, seat, deal.held[seat] & ~BIT[card]);
};

/** The play on the table that wins so far. @type {(deal: Deal, options: Options) => Play} */
export const winningOf = ({ laid, trump }, options) =>
  laid[bestIndex(laid.map((play) => play.card), trump, options)];

/** @type {(table: RunningTable) => void} */
const close = ({ deal, options, line }) => {
  const points = deal.laid.reduce((sum, play) => sum + pointsOf(play.card), 0);
  gather(deal, { plays: deal.laid, taker: winningOf(deal, options).seat, points, line });
};

/** @type {(deal: Deal, trick: Trick) => void} */
const gather = (deal, trick) => {
  deal.laid = [];
  const isLast = !deal.stock && isEmptyHanded(deal);
  const toDraw = isLast ? [] : orderFrom(trick.taker, deal.seats.length).slice(0, deal.stock);
  newGap(deal, { toDraw });
  deal.tricks.push(isLast ? withPinta(deal, trick) : trick);
  if (isLast) deal.endLine = trick.line;
};

/** The last trick, with the pinta if that stayed on the table. @type {(deal: Deal, last: Trick) => Trick} */
const withPinta = (deal, last) => {
  if (!deal.lies || last.points === null || !last.plays.length) return last;
  deal.lies = false;
  deal.played |= BIT[deal.pinta];
  return { ...last, points: last.points + pointsOf(deal.pinta) };
};

/**
 * A trick of which only the taker is known, and perhaps its points.
 * @type {(table: RunningTable, act: ActOf<"trick">) => void}
 */
export const trickEntered = (table, { seat: taker, points = null }) => {
  const deal = (table.deal = afterImpliedDraws(table.deal));
  deal.isEntered = true;
  deal.hasUnseenDuties ||= dutiesHold(table, deal);
  const players = deal.seats.filter((seat) => deal.sizes[seat] > 0);
  deal.sights.push({ kind: "hidden", line: table.line, seats: players.map((seat) => placeOf(deal, seat)) });
  for (const seat of players) exclude(deal, seat, deal.held[seat]);
  for (const seat of players) {
    deal.held[seat] = 0n;
    deal.sizes[seat] -= 1;
  }
  gather(deal, { plays: [], taker, points, line: table.line });
  const cards = players.length + (isPlayedOut(deal) && deal.lies ? 1 : 0);
  if (points !== null && !trickSums(cards).has(points)) note(table, "trick-points", taker, { points: String(points) });
  checkSum(table);
};

/** A finding if the tricks of a deal can not be worth this all together. @type {(table: RunningTable) => void} */
const checkSum = (table) => {
  const { deal, findings } = table;
  const sum = deal.tricks.reduce((all, { points }) => all + (points ?? 0), 0);
  if (!deal.isEntered) return;
  if (isPlayedOut(deal) && deal.tricks.every(({ points }) => points !== null) && sum !== DECK_POINTS) {
    note(table, "tricks-sum", "", { sum: String(sum) });
    return;
  }
  const isTold = findings.some(({ line, rule }) => IMPOSSIBLE_SUMS.includes(rule) && deal.tricks.some((trick) => trick.line === line));
  if (!isTold && !canBeWorth(deal)) note(table, "tricks-together", "", { sum: String(sum) });
};

/** Whether the unseen cards can make the points of the tricks without cards. @type {(deal: Deal) => boolean} */
const canBeWorth = (deal) => {
  /** @type {[number, number][]} */
  const untold = deal.tricks.flatMap((trick) => (trick.plays.length || trick.points === null ? [] : [[sizeWithoutCards(deal, trick), trick.points]]));
  const lying = deal.lies && !isPlayedOut(deal) ? BIT[deal.pinta] : 0n;
  const elsewhere = deal.seats.reduce((mask, seat) => mask | deal.held[seat], deal.played | lying);
  return tricksFit(cardsIn(deal.deck & ~elsewhere), untold);
};
