/** Announcements after a trick: their time, their trick, and the cards that a seat certainly lacks. */
import { BIT, allBut, maskOf } from "./cards.js";
import { afterOwnDraw, mayHaveDrawn } from "./drawing.js";
import { sideOf } from "./seats.js";
import { heldByOthers, isKnown, isPlayedOut, takerOf } from "./state.js";
/** @import { Cards } from "./cards.js" */
/** @import { Options } from "./options.js" */
/** @import { Seat, Side } from "./seats.js" */
/** @import { Deal } from "./state.js" */

/**
 * Whether an announcement is in time: between the trick's end and the end of its window.
 * @type {(deal: Deal, window: Options["swap_window"], side: Side) => boolean}
 */
export const windowIsOpen = (deal, window, side) => {
  if (isPlayedOut(deal)) return false;
  if (deal.laid.length) {
    if (window === "before_next_trick_closes") return true;
    return window === "before_rival_card" && deal.laid.every((play) => sideOf(play.seat) === side);
  }
  return window !== "before_draw" || !deal.drew.includes(takerOf(deal) ?? "");
};

/**
 * Whether a side has won the trick that an announcement needs.
 * @type {(deal: Deal, side: Side, which: Options["swap_needs_trick"]) => boolean}
 */
export const hasWon = ({ tricks }, side, which) => {
  const those = which === "last_trick" ? tricks.slice(-1) : tricks;
  return which === "none" || those.some((trick) => sideOf(trick.taker) === side);
};

/** Cards that a seat certainly does not hold. @type {(deal: Deal, seat: Seat) => Cards} */
const lacked = (deal, seat) => {
  let elsewhere = heldByOthers(deal, seat) | maskOf(deal.stockCards) | deal.played | deal.absent[seat];
  if (deal.lies) elsewhere |= BIT[deal.pinta];
  if (isKnown(deal, seat) && !mayHaveDrawn(deal, seat)) elsewhere |= allBut(deal.held[seat]);
  return elsewhere | allBut(deal.deck);
};

/** Whether a seat certainly lacks one of these cards. @type {(deal: Deal, seat: Seat, cards: Cards) => boolean} */
export const cannotHold = (deal, seat, cards) => (cards & lacked(afterOwnDraw(deal, seat, cards), seat)) !== 0n;

/** Names of the reasons that are true. @type {(reasons: Record<string, boolean>) => string[]} */
export const holding = (reasons) => Object.keys(reasons).filter((rule) => reasons[rule]);
