/** The table as a page sees it: plain values, cards as tokens; the official view of a partida, and a little more. */
import { BIT, cardsIn, maskOf } from "./cards.js";
import { itemsOf, malasYBuenas, partidaScores, partidaTotals } from "./counting.js";
import { afterImpliedDraws } from "./drawing.js";
import { winningIndex } from "./playing.js";
import { allDeals, isPlayedOut, orderOf, turnOf } from "./state.js";

/** The view of a table; `state` is the table itself, for the functions of this port. */
export const viewed = (table) => {
  const totals = partidaTotals(table);
  const said = Object.fromEntries(Object.entries(totals).map(([side, points]) => [side, malasYBuenas(points)]));
  return {
    state: table,
    players: table.seats.length,
    phase: phaseOf(table),
    in_vueltas: table.deals.length > 0,
    suspended: table.suspended,
    dealer_due: table.dealerDue,
    totals,
    said,
    claim: table.claim,
    decided: table.decided,
    conclusions: table.conclusions,
    deals: allDeals(table).map((deal) => dealView(table, deal)),
    findings: table.findings,
    warnings: table.warnings,
  };
};

/** Where a partida is: waiting, dealing, free, arrastre, counting or decided. */
const phaseOf = ({ deal, decided, claim }) => {
  if (decided) return "decided";
  if (!deal || deal.isCounted) return "waiting";
  if (isPlayedOut(deal) || claim) return "counting";
  if (!deal.trump) return "dealing";
  return deal.stock ? "free" : "arrastre";
};

/** Where a deal is: pinta, stock, arrastre or over. */
const phaseOfDeal = (deal) => {
  if (isPlayedOut(deal)) return "over";
  if (!deal.trump) return "pinta";
  return deal.stock ? "stock" : "arrastre";
};

const dealView = (table, deal) => ({
  number: deal.number,
  line: deal.line,
  dealer: deal.dealer,
  mano: orderOf(deal)[0],
  order: orderOf(deal),
  phase: phaseOfDeal(deal),
  turn: table.decided ? null : turnOf(deal),
  winning: deal.laid.length ? deal.laid[winningIndex(deal, table.options)].seat : null,
  trump: deal.trump,
  pinta: deal.pinta,
  pinta_lies: deal.lies,
  stock: deal.stock,
  hands: Object.fromEntries(
    deal.seats.map((seat) => [seat, { size: deal.sizes[seat], known: cardsIn(deal.held[seat]) }]),
  ),
  seen: cardsIn(goneOf(deal)),
  on_table: deal.laid,
  tricks: deal.tricks.map((trick, place) => ({ number: place + 1, ...trick })),
  cantes: deal.cantes.map(({ line, seat, suit, points, void: isVoid }) => ({ line, seat, suit, points, void: isVoid })),
  swaps: deal.swaps,
  to_draw: deal.gap.toDraw,
  items: itemsOf(table, deal),
  scores: partidaScores(table, [deal]),
  counted: deal.isCounted,
});

/** Cards that nobody can lay any more, or not yet: laid, lying as pinta, in the stock. A mask. */
export const goneOf = (deal) => {
  const { played, lies, pinta, stockCards } = deal.laid.length ? deal : afterImpliedDraws(deal);
  return played | (lies && pinta ? BIT[pinta] : 0n) | maskOf(stockCards);
};
