/** Announcements after a trick: their time and their trick, and the swap for the pinta. A barred one is recorded as barred. */
import { BIT, allBut, maskOf, pointsOf, swapCard } from "./cards.js";
import { afterOwnDraw, mayHaveDrawn, mayHaveDrawnUnseen } from "./drawing.js";
import { exchange } from "./learning.js";
import { partnerOf, sideOf } from "./seats.js";
import { heldByOthers, isKnown, isPlayedOut, leaderOf, note, placeOf, takerOf } from "./state.js";
/** @import { ActOf } from "./acts.js" */
/** @import { Card, Cards } from "./cards.js" */
/** @import { Options } from "./options.js" */
/** @import { Seat, Side } from "./seats.js" */
/** @import { Deal, RunningTable } from "./state.js" */

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
  if (isKnown(deal, seat) && !mayHoldAnother(deal, seat)) elsewhere |= allBut(deal.held[seat]);
  return elsewhere | allBut(deal.deck);
};

/**
 * Whether a draw may have added a card to a hand that was known. The earlier law took a draw that nobody noted for one that
 * was still to come, once another was.
 * @type {(deal: Deal, seat: Seat) => boolean}
 */
const mayHoldAnother = (deal, seat) => mayHaveDrawn(deal, seat) && !(deal.isOfEarlierLaw && deal.drew.length > 0);

/** Whether a seat certainly lacks one of these cards. @type {(deal: Deal, seat: Seat, cards: Cards) => boolean} */
export const cannotHold = (deal, seat, cards) => (cards & lacked(afterOwnDraw(deal, seat, cards), seat)) !== 0n;

/** Names of the reasons that are true. @type {(reasons: Record<string, boolean>) => string[]} */
export const holding = (reasons) => Object.keys(reasons).filter((rule) => reasons[rule]);

/**
 * A swap: the cards are exchanged in any case; a barred swap gives a finding.
 * @type {(table: RunningTable, act: ActOf<"swap">) => void}
 */
export const pintaSwapped = (table, { seat, card = "" }) => {
  const { options, line } = table;
  const { pinta, trump } = table.deal;
  const gave = card || swapCard(options, trump);
  for (const rule of swapBarred(table.deal, seat, gave, options)) note(table, rule, seat, { card: gave, pinta });
  const deal = (table.deal = afterOwnDraw(table.deal, seat, BIT[gave]));
  const drawing = mayHaveDrawnUnseen(deal, seat);
  deal.sights.push({ kind: "swapped", line, seat: placeOf(deal, seat), gave: BIT[gave], took: BIT[pinta], drawing });
  exchange(table, seat, BIT[gave], BIT[pinta]);
  deal.swaps.push({ line, seat, gave, took: pinta });
  Object.assign(deal, { pinta: gave, swapped: true });
};

/** Rules that bar a swap. @type {(deal: Deal, seat: Seat, card: Card, options: Options) => string[]} */
export const swapBarred = (deal, seat, card, options) => {
  const side = sideOf(seat);
  const isUsual = card === swapCard(options, deal.trump);
  const isDos = card === `2${  deal.trump}`;
  const needs = options.swap_needs_trick;
  const hasNoLead = needs === "none" && sideOf(leaderOf(deal)) !== side;
  return holding({
    "swap-barred": !options.swap || !(isUsual || isDos),
    "two-for-seven-barred": isDos && !(options.two_for_seven && deal.pinta[0] === "7"),
    "swap-by": options.swap_by === "leader" && seat !== leaderOf(deal),
    "swap-no-trick": !hasWon(deal, side, needs) || hasNoLead,
    "swap-late": !windowIsOpen(deal, options.swap_window, side),
    "swap-only-for-value": options.swap_only_for_value && !pointsOf(deal.pinta),
    "swap-last-draw": options.swap_last_draw === "not_with_partner" && partnerDrawsPinta(deal, seat),
    "swap-disproved": cannotHold(deal, seat, BIT[card]),
  });
};

/** @type {(deal: Deal, seat: Seat) => boolean} */
const partnerDrawsPinta = ({ stock, toDraw, seats }, seat) =>
  stock > 0 && stock <= toDraw.length && partnerOf(seat, seats.length) === toDraw[stock - 1];

/** Whether a seat may announce a tute now. @type {(deal: Deal, seat: Seat, options: Options) => boolean} */
export const tuteIsInTime = (deal, seat, options) =>
  options.tute &&
  deal.tricks.length > 0 &&
  hasWon(deal, sideOf(seat), options.cante_needs_trick) &&
  windowIsOpen(deal, options.cante_window, sideOf(seat));
