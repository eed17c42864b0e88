/** The deal: who deals, the pinta, hands and stock of an open record, deals gone wrong. */
import { BIT, SUIT_MASK, deckMask, maskOf, stockSize, suitOf } from "./cards.js";
import { afterOwnDraw, withoutStockCard } from "./drawing.js";
import { excluded, learnt } from "./learning.js";
import { nextSeat } from "./seats.js";
import { allDeals, newDeal, note, put, swappedAway } from "./state.js";

const REDEALS_ALLOWED = 1;

/** A new deal; the one before it, if any, joins those that count. */
export const dealStarted = (table, line, { dealer, cut, removed }) => {
  const { options, dealerDue } = table;
  let noted = table;
  if (dealerDue && dealer !== dealerDue) noted = note(noted, line, "wrong-dealer", dealer, { due: dealerDue });
  if (cut != null && cut < options.cut_min) noted = note(noted, line, "cut-too-small", dealer, { cut: String(cut) });
  const deals = allDeals(table);
  const deck = deckMask(options, removed || undefined);
  return {
    ...noted,
    deals,
    deal: newDeal(table, { number: deals.length + 1, line, dealer, deck, stock: stockSize(options) }),
    dealerDue: "",
    ruledDealer: "",
    claim: null,
    misdeals: table.deal ? 0 : table.misdeals,
  };
};

/** The deal is void; the same dealer deals again, or passes the pack on at the second time. */
export const misdealt = (table, line, { hands = {} }) => {
  const { dealer } = table.deal;
  const dealt = Object.entries(hands).map(([seat, cards]) => `${seat} ${cards}`);
  const noted = note(table, line, "misdeal", dealer, { hands: dealt.join(" ") });
  const passes = table.options.misdeal === "redeal_then_pass" && table.misdeals >= REDEALS_ALLOWED;
  const due = passes ? nextSeat(dealer, table.seats.length) : dealer;
  return { ...withoutDeal(noted, due), misdeals: passes ? 0 : table.misdeals + 1 };
};

/** The table with its running deal taken away; this seat is due to deal. */
export const withoutDeal = (table, due) => ({
  ...table,
  deal: null,
  dealerDue: due,
  claim: null,
  endings: table.endings.filter((ending) => !ending.ofDeal),
  misdeals: 0,
});

/** A seat holds a wrong number of cards, and play goes on with them. */
export const wrongDealFound = (table, line, { seat, cards }) => wronglyDealt(table, line, seat, cards);

const wronglyDealt = (table, line, seat, cards, more = cards - table.deal.sizes[seat]) => ({
  ...note(table, line, "wrong-deal", seat, { cards: String(cards) }),
  deal: resized(table.deal, seat, more),
});

const resized = (deal, seat, more) => ({
  ...put(deal, "sizes", seat, Math.max(deal.sizes[seat] + more, 0)),
  stock: deal.stock ? Math.max(deal.stock - more, 0) : 0,
});

/** The trump is known; the pinta lies under the stock, or is the dealer's last card. */
export const pintaTurned = (table, line, { card }) => {
  const lies = table.options.pinta_from !== "dealers_last_card";
  const deal = withoutStockCard({ ...table.deal, trump: suitOf(card), pinta: card, lies }, card);
  return { ...table, deal: lies ? deal : learnt(deal, deal.dealer, BIT[card], line, table.options) };
};

/** Cards of a seat become known: those it still holds of the hand dealt, or its hand now. */
export const handEntered = (table, line, act) => (act.moment === "now" ? handNow : handDealt)(table, line, act);

const handDealt = (table, line, { seat, cards }) => {
  const { deal, options } = table;
  const isWrong = cards.length !== options.hand_size && !deal.tricks.length && !deal.laid.length;
  const noted = isWrong ? wronglyDealt(table, line, seat, cards.length) : table;
  const held = maskOf(cards) & ~maskOf(swappedAway(deal)) & ~deal.played;
  if (deal.isEntered) return { ...noted, deal: excluded(noted.deal, seat, held) };
  return { ...noted, deal: learnt(noted.deal, seat, held, line, options) };
};

const handNow = (table, line, { seat, cards }) => {
  const deal = afterOwnDraw(table.deal, seat, maskOf(cards));
  const unseen = deal.gap.toDraw.includes(seat) ? 1 : 0;
  const more = cards.length - deal.sizes[seat] - unseen;
  const now = { ...table, deal };
  const noted = more > 0 ? wronglyDealt(now, line, seat, cards.length, more) : now;
  return { ...noted, deal: learnt(noted.deal, seat, maskOf(cards), line, table.options) };
};

/** The order of the stock becomes known; a wrong number of cards is noticed. */
export const stockEntered = (table, line, { cards }) => {
  const { stock, lies, trump } = table.deal;
  const expected = Math.max(stock - (lies || !trump ? 1 : 0), 0);
  const isWrong = cards.length !== expected;
  const noted = isWrong ? note(table, line, "wrong-deal", "", { cards: String(cards.length) }) : table;
  return { ...noted, deal: { ...table.deal, stockCards: cards } };
};

/** Cards shown are known to be held; a suit shown void, or a whole hand, excludes the others. */
export const cardsShown = (table, line, { seat, cards = [], void: lacking = [], whole = false }) => {
  const mask = maskOf(cards);
  const deal = afterOwnDraw(table.deal, seat, mask);
  let absent = lacking.reduce((all, suit) => all | SUIT_MASK[suit], 0n);
  if (whole) absent |= deal.deck & ~(mask | deal.held[seat]);
  const shown = learnt(deal, seat, mask, line, table.options);
  return { ...table, deal: put(shown, "absent", seat, shown.absent[seat] | absent) };
};
