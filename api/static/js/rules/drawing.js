/** Draws: seen, taken for granted, late or wrong. */
import { BIT, cardsIn, maskOf } from "./cards.js";
import { learnt } from "./learning.js";
import { orderFrom } from "./seats.js";
import { NO_GAP, leaderOf, note, put } from "./state.js";

/** A seat draws, in its order or not. */
export const cardDrawn = (table, line, act) => {
  const { deal } = table;
  const { seat, card = "" } = act;
  if (deal.gap.implied.includes(seat)) {
    return withLateDraw(note(table, line, "draw-out-of-order", seat), line, act);
  }
  let noted = deal.gap.toDraw.includes(seat) ? overtaken(table, line, seat) : note(table, line, "drawn-twice", seat);
  if (card && card === deal.pinta && deal.lies && deal.stock > 1) {
    noted = note(noted, line, "wrong-draw", seat, { fault: "pinta_early" });
  }
  return withDraw(noted, line, seat, card);
};

/** Findings on those who were seen drawing before a seat that comes before them. */
const overtaken = (table, line, seat) => {
  const order = orderFrom(leaderOf(table.deal), table.seats.length);
  const { drew, drawnAt } = table.deal.gap;
  return drew.reduce((noted, other, place) => {
    const at = drawnAt[place];
    const isEarly = at > 0 && order.indexOf(other) > order.indexOf(seat);
    const isKnown = noted.findings.some((f) => f.line === at && f.rule === "draw-out-of-order");
    return isEarly && !isKnown ? note(noted, at, "draw-out-of-order", other, {}, line) : noted;
  }, table);
};

/** A draw noted after the lead: it was taken for granted then, and now its card is seen. */
const withLateDraw = (table, line, { seat, card = "" }) => {
  const { gap } = table.deal;
  let deal = { ...table.deal, gap: { ...gap, implied: gap.implied.filter((s) => s !== seat) } };
  if (card) {
    deal = withoutStockCard({ ...deal, lies: deal.lies && card !== deal.pinta }, card);
    deal = learnt(deal, seat, BIT[card], line, table.options);
  }
  return { ...table, deal };
};

/** A draw that the recorder reports as wrong. */
export const wrongDraw = (table, line, { seat, fault, card = "" }) => {
  let noted = note(table, line, "wrong-draw", seat, { fault });
  const { gap } = table.deal;
  if (fault === "none") {
    const toDraw = gap.toDraw.filter((s) => s !== seat);
    return { ...noted, deal: { ...table.deal, gap: { ...gap, toDraw } } };
  }
  if (fault === "two_cards" && gap.toDraw.includes(seat) && table.deal.stock > 1) {
    noted = withDraw(noted, line, seat, "");
  }
  const { deal } = noted;
  const seen = fault === "pinta_early" && deal.lies ? deal.pinta : card;
  const isSecond = fault === "two_cards" && deal.stock > 0;
  if (deal.gap.implied.includes(seat) && !isSecond) return withLateDraw(noted, line, { kind: "draw", seat, card: seen });
  return withDraw(noted, line, seat, seen);
};

const withDraw = (table, line, seat, card) => {
  const before = table.deal.held[seat];
  const deal = drawn(table.deal, seat, card, line);
  const more = deal.held[seat] & ~before;
  return { ...table, deal: more ? learnt(deal, seat, more, line, table.options) : deal };
};

/** The deal once a seat has drawn the next card of the stock, or the card seen. */
export const drawn = (deal, seat, seen, line = 0) => {
  const card = seen || nextCard(deal);
  const { gap } = deal;
  let next = {
    ...deal,
    absent: { ...deal.absent, [seat]: deal.absent[seat] & deal.apart & ~(card ? BIT[card] : 0n) },
    stock: deal.stock - 1,
    sizes: { ...deal.sizes, [seat]: deal.sizes[seat] + 1 },
    gap: {
      ...gap,
      toDraw: gap.toDraw.filter((other) => other !== seat),
      drew: [...gap.drew, seat],
      drawnAt: [...gap.drawnAt, line],
    },
  };
  if (card) {
    next = put(withoutStockCard(next, card), "held", seat, deal.held[seat] | BIT[card]);
    next.lies = deal.lies && card !== deal.pinta && deal.stock > 1;
  }
  return next;
};

/** The deal with a card gone from what is known of its stock. */
export const withoutStockCard = (deal, card) => ({
  ...deal,
  stockCards: deal.stockCards.filter((other) => other !== card),
});

/** Card on top of the stock, where the record tells it, or "". */
const nextCard = (deal) => {
  if (deal.stock === 1 && deal.lies) return deal.pinta;
  const isWhole = deal.stockCards.length === deal.stock - (deal.lies ? 1 : 0);
  return deal.stockCards.length && isWhole ? deal.stockCards[0] : "";
};

/** The deal once everybody who had to draw has drawn, seen or not. */
export const afterImpliedDraws = (deal) => {
  const { toDraw, swapped } = deal.gap;
  const done = toDraw.reduce(
    (now, seat) => (now.stock ? drawn(now, seat, "") : now),
    deal,
  );
  return { ...done, gap: { ...NO_GAP, implied: toDraw, swapped } };
};

/** The deal once a seat has drawn unseen, if one of these cards can be in its hand only so. */
export const afterOwnDraw = (deal, seat, cards) => {
  const waiting = deal.gap.toDraw;
  if (!waiting.includes(seat) || !(maskOf(deal.stockCards) & cards)) return deal;
  const first = waiting.slice(0, waiting.indexOf(seat) + 1);
  const done = first.reduce((now, other) => drawn(now, other, ""), deal);
  return { ...done, gap: { ...done.gap, implied: [...done.gap.implied, ...first] } };
};
