/** What cannot be true of a card: the service refuses it. */
import { BIT, maskOf } from "./cards.js";
import { afterImpliedDraws } from "./drawing.js";
import { heldByOthers, isPlayedOut } from "./state.js";

/** Cards that nobody can lay any more, or not yet: laid, lying as pinta, in the stock. A mask. */
export const goneOf = (deal) => {
  const { played, lies, pinta, stockCards } = beforeLaying(deal);
  return played | (lies ? BIT[pinta] : 0n) | maskOf(stockCards);
};

/** Cards that a seat cannot lay. A mask. */
export const barredFor = (deal, seat) =>
  goneOf(deal) | heldByOthers(beforeLaying(deal), seat) | beforeLaying(deal).absent[seat];

const beforeLaying = (deal) => (deal.laid.length ? deal : afterImpliedDraws(deal));

/**
 * The rule by which the service would refuse a card, "" if it would not.
 * @param {any} table @param {{seat: string, card: string}} act
 */
export const impossible = ({ state: { deal, decided } }, { seat, card }) => {
  if (decided) return "partida-decided";
  if (!deal) return "no-deal";
  if (!deal.trump) return "no-pinta";
  if (isPlayedOut(deal)) return "deal-played-out";
  if (!(deal.deck & BIT[card])) return "card-not-in-deck";
  if (deal.played & BIT[card]) return "card-played-before";
  if (barredFor(deal, seat) & BIT[card]) return "card-elsewhere";
  return beforeLaying(deal).sizes[seat] ? "" : "no-cards-left";
};
