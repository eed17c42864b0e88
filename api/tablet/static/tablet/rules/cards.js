/**
 * Cards, written as tokens: rank then suit, "3O", "CC". A set of cards is a mask, a BigInt with a bit for each token.
 * `options` are the options of a table by name, from its frozen profile.
 * @import { Options } from "./options.js"
 * @typedef {string} Card
 * @typedef {string} Suit
 * @typedef {string} Rank
 * @typedef {bigint} Cards
 */
export const SUITS = "OCEB";
export const RANKS = "2456789CSR3A";
/** @type {Record<Rank, number>} */
const POINTS = { A: 11, 3: 10, R: 4, S: 3, C: 2 };
const THREE = 3;

export const TOKENS = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));
/** @type {Record<Card, Cards>} */
export const BIT = Object.fromEntries(TOKENS.map((card, place) => [card, 1n << BigInt(place)]));

/** Set of cards as a mask. @type {(cards: readonly Card[]) => Cards} */
export const maskOf = (cards) => cards.reduce((mask, card) => mask | BIT[card], 0n);

/** @type {(ranks: Iterable<Rank>) => Record<Suit, Cards>} */
const bySuit = (ranks) => Object.fromEntries([...SUITS].map((suit) => [suit, maskOf([...ranks].map((r) => r + suit))]));
export const SUIT_MASK = bySuit(RANKS);
export const CANTE_PAIR = bySuit("RS");

/** For each card, the higher cards of its suit. @type {(order: string) => Record<Card, Cards>} */
const above = (order) =>
  Object.fromEntries(TOKENS.map((card) => [card, bySuit(order.slice(order.indexOf(card[0]) + 1))[card[1]]]));
export const ABOVE = { sota_over_caballo: above(RANKS), caballo_over_sota: above("2456789SCR3A") };

/** @type {(card: Card) => Suit} */
export const suitOf = (card) => card[1];
/** @type {(card: Card) => number} */
export const pointsOf = (card) => POINTS[card[0]] ?? 0;

/** Cards of a mask, in the order of the pad: suit by suit, from the dos to the as. @type {(mask: Cards) => Card[]} */
export const cardsIn = (mask) => (mask ? TOKENS.filter((card) => mask & BIT[card]) : []);

/** Every card except these. @type {(mask: Cards) => Cards} */
export const allBut = (mask) => ~mask;

/** How many cards a mask has. @type {(mask: Cards) => number} */
export const countOf = (mask) => {
  let count = 0;
  for (let left = mask; left; left &= left - 1n) count += 1;
  return count;
};

/** @type {(options: Options) => boolean} */
const hasCardOver = ({ players, deck }) => players === THREE && deck === 40;

/**
 * Cards of the deck in use; `removed` is the dos that three players take out.
 * @type {(options: Options, removed?: Card) => Cards}
 */
export const deckMask = (options, removed) => {
  const deck = maskOf(TOKENS.filter((card) => options.deck === 48 || !"89".includes(card[0])));
  return hasCardOver(options) && options.three_deck === "one_dos_out" ? deck & ~BIT[removed || "2B"] : deck;
};

/** Cards of the pad. @type {(options: Options, removed?: Card) => Card[]} */
export const deckOf = (options, removed = "") => cardsIn(deckMask(options, removed));

/** Cards to draw after the deal, the pinta among them. @type {(options: Options) => number} */
export const stockSize = (options) => {
  if (options.pinta_from !== "first_stock_card") return 0;
  return options.deck - (hasCardOver(options) ? 1 : 0) - options.hand_size * options.players;
};

/** Card that may take the pinta. @type {(options: Options, trump: Suit) => Card} */
export const swapCard = (options, trump) => (options.deck === 48 ? "9" : "7") + trump;
