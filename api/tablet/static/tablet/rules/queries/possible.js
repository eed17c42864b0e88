/** Impossible acts, which the service refuses. */
import { BIT, allBut, cardsIn, maskOf } from "../cards.js";
import { afterImpliedDraws, readOtherwise } from "../drawing.js";
import { heldByOthers, isPlayedOut } from "../state.js";
/** @import { Kind } from "../acts.js" */
/** @import { Card, Cards } from "../cards.js" */
/** @import { Seat } from "../seats.js" */
/** @import { Deal } from "../state.js" */
/** @import { TableView } from "./view.js" */

/**
 * Mask of the cards that no seat can play now: played ones, the pinta on the table, the stock.
 * @type {(deal: Deal) => Cards}
 */
export const goneOf = (deal) => {
  const { played, lies, pinta, stockCards } = beforeLaying(deal);
  return played | (lies ? BIT[pinta] : 0n) | maskOf(stockCards);
};

/** Mask of the cards that a seat cannot play. @type {(deal: Deal, seat: Seat) => Cards} */
export const barredFor = (deal, seat) =>
  goneOf(deal) | heldByOthers(beforeLaying(deal), seat) | beforeLaying(deal).absent[seat];

/**
 * Mask of the cards that a seat cannot play, in neither way in which the draws may be read.
 * @type {(deal: Deal, seat: Seat) => Cards}
 */
const barredInBoth = (deal, seat) =>
  waysOf(deal)
    .map((one) => barredFor(one, seat))
    .reduce((both, mask) => both & mask);

/** The deal, and what it may be otherwise. @type {(deal: Deal) => Deal[]} */
const waysOf = (deal) => (deal.otherwise ? [deal, readOtherwise(deal)] : [deal]);

/** @type {(deal: Deal) => Deal} */
const beforeLaying = (deal) => (deal.laid.length ? deal : afterImpliedDraws(deal));

/**
 * The rule by which the service would refuse a card; "" if it would accept it.
 * @type {(view: Pick<TableView, "state">, act: {seat: Seat, card: Card}) => string}
 */
export const impossible = ({ state: { deal, decided } }, { seat, card }) => {
  if (decided) return "partida-decided";
  if (!deal) return "no-deal";
  if (!deal.trump) return "no-pinta";
  if (isPlayedOut(deal)) return "deal-played-out";
  if (!(deal.deck & BIT[card])) return "card-not-in-deck";
  if (deal.played & BIT[card]) return "card-played-before";
  if (barredInBoth(deal, seat) & BIT[card]) return "card-elsewhere";
  return beforeLaying(deal).sizes[seat] ? "" : "no-cards-left";
};

/**
 * Cards that are certainly not in the hand of a seat, including those that are not in the deck.
 * @type {(view: Pick<TableView, "state">, seat: Seat) => Card[]}
 */
export const elsewhere = ({ state: { deal } }, seat) => (deal ? cardsIn(allBut(deal.deck) | barredInBoth(deal, seat)) : []);

const AFTER_DECISION = ["hand", "stock", "show", "denounce", "ruling"];
const AT_ANY_TIME = ["incident", "concede", "abandon", "time", "suspend", "result", "ruling"];
const AFTER_PINTA = ["card", "cante", "swap", "tute"];

/**
 * The rule by which the service would refuse every act of a kind; "" if one is possible.
 * @type {(view: Pick<TableView, "state">, kind: Kind) => string}
 */
export const refusal = ({ state: { deal, decided, suspended } }, kind) => {
  if (decided && !AFTER_DECISION.includes(kind)) return "partida-decided";
  if (kind === "resume") return suspended ? "" : "play-not-suspended";
  if (kind === "deal") return deal && !(isPlayedOut(deal) && deal.isCounted) ? "deal-running" : "";
  if (AT_ANY_TIME.includes(kind)) return "";
  if (!deal) return "no-deal";
  if (AFTER_PINTA.includes(kind) && !deal.trump) return "no-pinta";
  /** @type {Partial<Record<Kind, string | false>>} */
  const lacks = {
    swap: waysOf(deal).every(({ lies }) => !lies) && "no-stock",
    draw: waysOf(deal).every(({ stock, implied }) => !stock && !implied.length) && "no-stock",
    ask_suit: !deal.cantes.some(({ suit }) => !suit) && "no-hidden-cante",
    review: !deal.tricks.length && "trick-unknown",
  };
  return lacks[kind] || "";
};
