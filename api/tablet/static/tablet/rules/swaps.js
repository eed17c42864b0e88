/** The swap of the pinta, and the conditions that bar it. A barred swap is recorded as barred. */
import { cannotHold, hasWon, holding, windowIsOpen } from "./announcing.js";
import { BIT, pointsOf, swapCard } from "./cards.js";
import { afterOwnDraw, mayHaveDrawnUnseen } from "./drawing.js";
import { exchange } from "./learning.js";
import { partnerOf, sideOf } from "./seats.js";
import { leaderOf, note, placeOf } from "./state.js";
/** @import { ActOf } from "./acts.js" */
/** @import { Card } from "./cards.js" */
/** @import { Options } from "./options.js" */
/** @import { Seat } from "./seats.js" */
/** @import { Deal, RunningTable } from "./state.js" */

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
  const isDos = card === `2${deal.trump}`;
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
