/** Cards, written as tokens: rank then suit, "3O", "CC". A set of cards is a mask: a BigInt with a bit for each token. */
export const SUITS = "OCEB";
export const RANKS = "2456789CSR3A";

const RANK_POINTS = { A: 11, 3: 10, R: 4, S: 3, C: 2 };
export const DECK_POINTS = 120;

export const TOKENS = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));

export const BIT = Object.fromEntries(TOKENS.map((card, place) => [card, 1n << BigInt(place)]));

export const SUIT_MASK = Object.fromEntries(
  [...SUITS].map((suit) => [suit, [...RANKS].reduce((mask, rank) => mask | BIT[rank + suit], 0n)]),
);

export const CANTE_PAIR = Object.fromEntries([...SUITS].map((suit) => [suit, BIT["R" + suit] | BIT["S" + suit]]));

/** Suit of a card. */
export const suitOf = (card) => card[1];

/** Tantos that a card is worth. */
export const pointsOf = (card) => RANK_POINTS[card[0]] ?? 0;

/** Set of cards as a mask. */
export const maskOf = (cards) => {
  let mask = 0n;
  for (const card of cards) mask |= BIT[card];
  return mask;
};

/** Cards of a mask, in the order of the pad. */
export const cardsIn = (mask) => (mask ? TOKENS.filter((card) => mask & BIT[card]) : []);

/** How many cards a mask has. */
export const countOf = (mask) => {
  let count = 0;
  for (let left = mask; left; left &= left - 1n) count += 1;
  return count;
};

/** For each card, the higher cards of its suit. */
const above = (order) =>
  Object.fromEntries(
    TOKENS.map((card) => [card, maskOf([...order].slice(order.indexOf(card[0]) + 1).map((rank) => rank + card[1]))]),
  );

export const ABOVE = { sota_over_caballo: above(RANKS), caballo_over_sota: above("2456789SCR3A") };

const THREE = 3;

const isDosOut = (options) =>
  options.players === THREE && options.deck === 40 && options.three_deck === "one_dos_out";

/** Cards that are shuffled; `removed` is the dos that three players take out. */
export const deckMask = (options, removed = "2B") => {
  const cards = TOKENS.filter((card) => options.deck === 48 || !"89".includes(card[0]));
  return maskOf(cards) & ~(isDosOut(options) ? BIT[removed] : 0n);
};

/** Cards of the pad, suit by suit from the dos to the as. */
export const deckOf = (options) => cardsIn(deckMask(options));

/** Cards to draw after the deal, the pinta among them. */
export const stockSize = (options) => {
  if (options.pinta_from !== "first_stock_card") return 0;
  const out = options.players === THREE && options.deck === 40 ? 1 : 0;
  return options.deck - out - options.hand_size * options.players;
};

/** Card that may take the pinta. */
export const swapCard = (options, trump) => (options.deck === 48 ? "9" : "7") + trump;

/** The options in force at a table, by name, as the frozen profile has them. */
