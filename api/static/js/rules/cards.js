/**
 * Cards, written as tokens: rank then suit, "3O", "CC". A set of cards is a mask: a BigInt with a bit for each token.
 * @typedef {string} Card
 * @typedef {bigint} Mask
 * @typedef {string} Suit "O", "C", "E" or "B"; "" for none, or one that was not named
 */
export const SUITS = "OCEB";
export const RANKS = "2456789CSR3A";
/** @type {Record<string, number>} */
const RANK_POINTS = { A: 11, 3: 10, R: 4, S: 3, C: 2 };
export const DECK_POINTS = 120;

export const TOKENS = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));
/** @type {Record<Card, Mask>} */
export const BIT = Object.fromEntries(TOKENS.map((card, place) => [card, 1n << BigInt(place)]));
/** @type {Record<Suit, Mask>} */
export const SUIT_MASK = Object.fromEntries(
  [...SUITS].map((suit) => [suit, [...RANKS].reduce((mask, rank) => mask | BIT[rank + suit], 0n)]),
);
/** @type {Record<Suit, Mask>} */
export const CANTE_PAIR = Object.fromEntries([...SUITS].map((suit) => [suit, BIT["R" + suit] | BIT["S" + suit]]));

/** Suit of a card. @param {Card} card */
export const suitOf = (card) => card[1];

/** Tantos that a card is worth. @param {Card} card */
export const pointsOf = (card) => RANK_POINTS[card[0]] ?? 0;

/** Set of cards as a mask. @param {Iterable<Card>} cards @returns {Mask} */
export const maskOf = (cards) => {
  let mask = 0n;
  for (const card of cards) mask |= BIT[card];
  return mask;
};

/** Cards of a mask, in the order of the pad. @param {Mask} mask @returns {Card[]} */
export const cardsIn = (mask) => (mask ? TOKENS.filter((card) => mask & BIT[card]) : []);

/** How many cards a mask has. @param {Mask} mask */
export const countOf = (mask) => {
  let count = 0;
  for (let left = mask; left; left &= left - 1n) count += 1;
  return count;
};

/** For each card, the higher cards of its suit. @param {string} order */
const above = (order) =>
  Object.fromEntries(
    TOKENS.map((card) => [card, maskOf([...order].slice(order.indexOf(card[0]) + 1).map((rank) => rank + card[1]))]),
  );
/** @type {Record<string, Record<Card, Mask>>} */
export const ABOVE = { sota_over_caballo: above(RANKS), caballo_over_sota: above("2456789SCR3A") };

const THREE = 3;
/** @param {Options} options */
const isDosOut = (options) =>
  options.players === THREE && options.deck === 40 && options.three_deck === "one_dos_out";

/**
 * Cards that are shuffled; `removed` is the dos that three players take out.
 * @param {Options} options @param {Card} [removed] @returns {Mask}
 */
export const deckMask = (options, removed = "2B") => {
  const cards = TOKENS.filter((card) => options.deck === 48 || !"89".includes(card[0]));
  return maskOf(cards) & ~(isDosOut(options) ? BIT[removed] : 0n);
};

/** Cards of the pad, suit by suit from the dos to the as. @param {Options} options @returns {Card[]} */
export const deckOf = (options) => cardsIn(deckMask(options));

/** Cards to draw after the deal, the pinta among them. @param {Options} options */
export const stockSize = (options) => {
  if (options.pinta_from !== "first_stock_card") return 0;
  const out = options.players === THREE && options.deck === 40 ? 1 : 0;
  return options.deck - out - options.hand_size * options.players;
};

/** Card that may take the pinta. @param {Options} options @param {Suit} trump @returns {Card} */
export const swapCard = (options, trump) => (options.deck === 48 ? "9" : "7") + trump;

/**
 * The options in force at a table, by name, as the frozen profile has them.
 * @typedef {Record<string, any>} Options
 */
