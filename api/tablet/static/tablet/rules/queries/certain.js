/** The card that can only be the next one. */
import { BIT, cardsIn, countOf } from "../cards.js";
import { claimBarred } from "../endings.js";
import { hasDeal, turnOf } from "../state.js";
/** @import { ActOf } from "../acts.js" */
/** @import { Seat } from "../seats.js" */
/** @import { RunningTable } from "../state.js" */
/** @import { TableView } from "./view.js" */

/**
 * The last card of the seat that follows, if it is known, or the only one that nobody saw; null if it may be several. None is certain
 * that could close a trick before somebody says what counts only until then: 101, or a renuncio of the trick before.
 * @type {(view: Pick<TableView, "state">) => ActOf<"card"> | null}
 */
export const certainCard = ({ state: table }) => {
  if (!hasDeal(table) || !table.deal.laid.length || table.decided || table.suspended || mayBeSaid(table)) return null;
  const { deal } = table;
  const seat = turnOf(deal);
  const { deck, held, lies, pinta, played, seats, sizes, stock } = deal;
  if (!seat || stock || sizes[seat] !== 1) return null;
  const isKnown = (/** @type {Seat} */ one) => countOf(held[one]) === sizes[one];
  const seen = seats.reduce((all, one) => all | held[one], played | (lies ? BIT[pinta] : 0n));
  const mayBe = isKnown(seat) ? held[seat] : seats.every((one) => one === seat || isKnown(one)) ? deck & ~seen : 0n;
  return countOf(mayBe) === 1 ? { kind: "card", seat, card: cardsIn(mayBe)[0] } : null;
};

/** @type {(table: RunningTable) => boolean} */
const mayBeSaid = (table) =>
  table.deals.length > 0 || table.options.renuncio_until === "next_trick" || table.seats.some((seat) => !claimBarred(table, seat));
