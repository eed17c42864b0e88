/** Cards that become known to be in a hand, and the earlier breaches that they prove. */
import { BIT, SUIT_MASK, cardsIn, suitOf } from "./cards.js";
import { breach, facing } from "./duties.js";
import { put } from "./state.js";

/** The deal once these cards are known to be in the hand of a seat. */
export const learnt = (deal, seat, cards, line, options) =>
  accused(put(deal, "held", seat, deal.held[seat] | cards), seat, cards, line, options);

/** The deal with the breaches that these cards of a seat prove. */
export const accused = (deal, seat, cards, line, options) => {
  const proved = deal.watches.filter((w) => w.seat === seat && w.accusers & cards);
  if (!proved.length) return deal;
  const since = new Map(deal.breaches.map((known) => [known.line, known.knownAt]));
  const found = proved.map((watch) =>
    proof(watch, watch.accusers & cards, deal, options, since.get(watch.line) ?? line),
  );
  const left = proved.flatMap((watch) => {
    const led = SUIT_MASK[suitOf(watch.plays[0].card)];
    const accusers = watch.accusers & cards & led ? 0n : watch.accusers & led;
    return accusers ? [{ ...watch, accusers }] : [];
  });
  const isOther = (known) => !proved.some((watch) => watch.line === known.line);
  return {
    ...deal,
    watches: [...deal.watches.filter((watch) => !proved.includes(watch)), ...left],
    breaches: [...deal.breaches.filter(isOther), ...found],
  };
};

/** The breach that these cards, held besides the card laid, prove. */
const proof = (watch, cards, deal, options, knownAt) => {
  const own = watch.plays[watch.plays.length - 1];
  const position = facing(watch.plays.slice(0, -1), own.seat, deal.trump, options);
  const broken = (held) => (position ? breach(position, held | BIT[own.card], own.card) : null);
  const rule = broken(cards) ?? "";
  const card = cardsIn(cards).find((one) => broken(BIT[one]) === rule) ?? "";
  return { line: watch.line, rule, seat: watch.seat, trick: watch.trick, knownAt, proof: card };
};

/**
 * The deal once a seat put a card on the table for another that lay there.
 * The one it gave was in its hand; the one it took proves nothing of what it laid before.
 */
export const exchanged = (deal, seat, gave, took, line, options) => {
  const seen = accused(deal, seat, gave, line, options);
  return {
    ...seen,
    held: { ...seen.held, [seat]: (seen.held[seat] & ~gave) | took },
    absent: { ...seen.absent, [seat]: seen.absent[seat] & ~took },
    apart: seen.apart & ~gave,
    watches: seen.watches.map((watch) =>
      watch.seat === seat ? { ...watch, accusers: watch.accusers & ~took } : watch,
    ),
  };
};

/** The deal once each of these seats laid a card that nobody noted. */
export const forgotten = (deal, seats) => {
  const apart = seats.reduce((now, seat) => excluded(now, seat, now.held[seat]), deal);
  return seats.reduce((now, seat) => put(now, "held", seat, 0n), apart);
};

/** The deal once these cards are known to be a seat's, or laid by it: no other has them. */
export const excluded = (deal, seat, cards) => ({
  ...deal,
  apart: deal.apart | cards,
  absent: Object.fromEntries(
    deal.seats.map((other) => [other, deal.absent[other] | (other === seat ? 0n : cards)]),
  ),
});
