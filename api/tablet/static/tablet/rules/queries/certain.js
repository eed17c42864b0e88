/** The card that can only be the next one. */
import { BIT, cardsIn, countOf } from "../cards.js";
import { afterImpliedDraws } from "../drawing.js";
import { isPlayedOut, turnOf } from "../state.js";
/** @import { ActOf } from "../acts.js" */
/** @import { Seat } from "../seats.js" */
/** @import { TableView } from "./view.js" */

/**
 * The last card of the seat whose turn it is, if it is known, or the only one that nobody saw; null if it may be several.
 * @type {(view: Pick<TableView, "state">) => ActOf<"card"> | null}
 */
export const certainCard = ({ state: { deal, decided, claim } }) => {
  if (!deal?.trump || decided || claim || isPlayedOut(deal)) return null;
  const seat = turnOf(deal);
  const { deck, held, lies, pinta, played, seats, sizes, stock } = deal.laid.length ? deal : afterImpliedDraws(deal);
  if (!seat || stock || sizes[seat] !== 1) return null;
  const isKnown = (/** @type {Seat} */ one) => countOf(held[one]) === sizes[one];
  const seen = seats.reduce((all, one) => all | held[one], played | (lies ? BIT[pinta] : 0n));
  const mayBe = isKnown(seat) ? held[seat] : seats.every((one) => one === seat || isKnown(one)) ? deck & ~seen : 0n;
  return countOf(mayBe) === 1 ? { kind: "card", seat, card: cardsIn(mayBe)[0] } : null;
};
