/** Cards that would break a duty, as far as is known, if a seat laid them now. */
import { BIT, cardsIn } from "./cards.js";
import { afterImpliedDraws } from "./drawing.js";
import { accusersOf, facing } from "./duties.js";
import { dutiesHold, hasLaid, isPlayedOut } from "./state.js";
import { goneOf } from "./view.js";

/**
 * For each such card "unlawful": whatever else the hand holds, one of its known cards had to be laid instead; or
 * "accuses": that the seat has it proves an earlier renuncio. Cards that cannot be in that hand are not among them.
 */
export const tint = ({ state: table }, seat) => {
  const found = new Map();
  if (!table.deal?.trump || table.decided || isPlayedOut(table.deal)) return found;
  const deal = table.deal.laid.length ? table.deal : afterImpliedDraws(table.deal);
  const [held, isSecond] = [deal.held[seat], hasLaid(deal, seat)];
  if (!deal.sizes[seat] || !(dutiesHold(table, deal) || isSecond)) return found;
  const accusing = deal.watches.reduce((mask, watch) => (watch.seat === seat ? mask | watch.accusers : mask), 0n);
  const position = isSecond ? null : facing(deal.laid, seat, deal.trump, table.options);
  for (const card of cardsIn(deal.deck & ~goneOf(deal) & ~elsewhere(deal, seat))) {
    if (position && accusersOf(position, card) & held & ~BIT[card]) found.set(card, "unlawful");
    else if (accusing & BIT[card]) found.set(card, "accuses");
  }
  return found;
};

/** Cards that are certainly not in the hand of a seat. */
const elsewhere = (deal, seat) =>
  deal.seats.reduce((mask, other) => (other === seat ? mask : mask | deal.held[other]), deal.absent[seat]);
