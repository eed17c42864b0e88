// What the pad says of each card, and where a partida is.
import { deckOf, tint } from "../rules/index.js";

/** The deal on the table; none before the first, nor once it is counted. */
export const runningDeal = (view) => {
  const deal = view.deals[view.deals.length - 1];
  return deal && !deal.counted ? deal : null;
};

/** Whether the next thing is the pinta of a deal. */
export const isWaiting = (view) => view.phase === "waiting" || view.phase === "dealing";

/** State of each card on the pad: `{gone, tint}`. While a card is put right every one can be chosen. */
export const cellsOf = (view, options, { correcting, chosen }) => {
  const deal = runningDeal(view);
  const deck = new Set(deckOf(options));
  const seen = new Set(deal && !correcting && !isWaiting(view) ? deal.seen : []);
  const isPlay = deal && !correcting && !isWaiting(view);
  const tints = isPlay && (chosen || deal.turn) ? tint(view, chosen || deal.turn) : new Map();
  return (card) => ({ gone: seen.has(card) || !deck.has(card), tint: tints.get(card) ?? "" });
};
