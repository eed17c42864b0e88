/** Cards on the table: plays and tricks. */
import { BIT, pointsOf } from "./cards.js";
import { accusersOf, bestIndex, facing } from "./duties.js";
import { afterImpliedDraws } from "./drawing.js";
import { accused, forgotten, learnt } from "./learning.js";
import { orderFrom } from "./seats.js";
import { NO_GAP, added, dutiesHold, hasLaid, isEmptyHanded, isKnown, note, put, turnOf } from "./state.js";

/** A seat lays a card; the trick closes when nobody else has a card to lay. */
export const cardPlayed = (table, line, { seat, card }) => {
  const { options } = table;
  const ready = table.deal.laid.length ? table.deal : afterImpliedDraws(table.deal);
  if (hasLaid(ready, seat)) {
    const noted = note(table, line, "two-cards-at-once", seat, { card });
    return { ...noted, deal: learnt(ready, seat, BIT[card], line, options) };
  }
  let now = { ...table, deal: ready };
  if (seat !== turnOf(ready)) now = outOfTurn(now, line, seat);
  if (!(ready.held[seat] & BIT[card]) && isKnown(ready, seat)) now = note(now, line, "card-not-dealt", seat, { card });
  let { deal } = now;
  if (dutiesHold(now, deal)) deal = judged(deal, { seat, card, line }, options);
  deal = laid(deal, { seat, card, line });
  const isFull = deal.seats.every((other) => !deal.sizes[other] || hasLaid(deal, other));
  return { ...now, deal: isFull ? closed(deal, line, options) : deal };
};

const outOfTurn = (table, line, seat) => {
  const { deal, options } = table;
  const isRenuncio = options.renuncio_cases.includes("out_of_turn_in_arrastre") && dutiesHold(table, deal);
  const rule = isRenuncio ? "out-of-turn-in-arrastre" : "out-of-turn";
  const noted = note(table, line, rule, seat, { turn: turnOf(deal) ?? "" });
  if (!isRenuncio) return noted;
  return { ...noted, deal: added(deal, "faults", { line, rule, seat, trick: deal.tricks.length + 1 }) };
};

/** The deal with this play judged by the cards known, and earlier plays by this card. */
const judged = (before, play, options) => {
  const { seat, card, line } = play;
  const deal = learnt(before, seat, BIT[card], line, options);
  const position = facing(deal.laid, seat, deal.trump, options);
  const accusers = position ? accusersOf(position, card) : 0n;
  if (!accusers) return deal;
  const watch = { seat, line, trick: deal.tricks.length + 1, accusers, plays: [...deal.laid, play] };
  return accused(added(deal, "watches", watch), seat, deal.held[seat] & ~BIT[card], line, options);
};

const laid = (deal, play) => {
  const { seat, card } = play;
  const held = put(deal, "held", seat, deal.held[seat] & ~BIT[card]);
  const sized = put(held, "sizes", seat, deal.sizes[seat] - 1);
  return { ...sized, laid: [...deal.laid, play], played: deal.played | BIT[card] };
};

/** Place on the table of the card that wins so far. */
export const winningIndex = (deal, options) =>
  bestIndex(deal.laid.map((play) => play.card), deal.trump, options);

const closed = (deal, line, options) => {
  const taker = deal.laid[winningIndex(deal, options)].seat;
  const points = deal.laid.reduce((sum, play) => sum + pointsOf(play.card), 0);
  return gathered(deal, { plays: deal.laid, taker, points, line });
};

const gathered = (deal, trick) => {
  const next = { ...added(deal, "tricks", trick), laid: [] };
  if (!next.stock && isEmptyHanded(next)) return playedOut(next, trick);
  const toDraw = orderFrom(trick.taker, deal.seats.length).slice(0, deal.stock);
  return { ...next, gap: { ...NO_GAP, toDraw } };
};

/** The deal after its last trick; a pinta that stayed on the table goes with it. */
const playedOut = (deal, last) => {
  const over = { ...deal, endLine: last.line, gap: NO_GAP };
  if (!deal.lies || last.points === null || !last.plays.length) return over;
  const whole = { ...last, points: last.points + pointsOf(deal.pinta) };
  const tricks = [...deal.tricks.slice(0, -1), whole];
  return { ...over, tricks, lies: false, played: deal.played | BIT[deal.pinta] };
};

/** A trick of which only the taker is known, and perhaps its points. */
export const trickEntered = (table, line, { seat, points = null }) => {
  const drawn = afterImpliedDraws(table.deal);
  const players = drawn.seats.filter((one) => drawn.sizes[one]);
  const deal = forgotten({ ...drawn, isEntered: true }, players);
  const sizes = Object.fromEntries(deal.seats.map((one) => [one, Math.max(deal.sizes[one] - 1, 0)]));
  return { ...table, deal: gathered({ ...deal, sizes }, { plays: [], taker: seat, points, line }) };
};
