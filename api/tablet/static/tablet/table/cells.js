// State of each card on the pad, and the phase of a partida.
import { deckOf, elsewhere, tint } from "../rules/index.js";
/** @import { Act } from "../rules/acts.js" */
/** @import { Card } from "../rules/cards.js" */
/** @import { DealView, TableView } from "../rules/queries/view.js" */
/** @import { Ui } from "./actions.js" */
/** @import { Reading } from "./game.js" */
/** @typedef {{gone: boolean, cannot?: boolean, tint?: string}} Cell state of a card on the pad; `cannot`: its seat cannot have it */

/**
 * The deal on the table; none before the first, nor once it is counted.
 * @type {(view: TableView) => DealView | null}
 */
export const runningDeal = (view) => {
  const deal = view.deals[view.deals.length - 1];
  return deal && !deal.counted ? deal : null;
};

/** The deal on the table, or the one that was counted last. @type {(view: TableView) => DealView | null} */
export const lastDeal = (view) => view.deals[view.deals.length - 1] ?? null;

/** Whether the next act is the pinta of a deal. @type {(view: TableView) => boolean} */
export const isWaiting = (view) => view.phase === "waiting" || view.phase === "dealing";

/**
 * State of each card on the pad. During a correction every card can be chosen.
 * @type {(reading: Reading, ui: Pick<Ui, "correcting" | "chosen">) => (card: Card) => Cell}
 */
export const cellsOf = ({ view, entries, setting: { options } }, { correcting, chosen }) => {
  const deal = runningDeal(view);
  const begun = entries.find(({ line }) => line === deal?.line)?.act;
  const deck = new Set(deckOf(options, begun?.kind === "deal" ? begun.removed : ""));
  const seen = new Set(deal && !correcting && !isWaiting(view) ? deal.seen : []);
  const isPlay = deal && !correcting && !isWaiting(view);
  const seat = chosen || deal?.turn;
  const tints = isPlay && seat ? tint(view, seat) : new Map();
  const barred = new Set(isPlay && seat ? elsewhere(view, seat) : []);
  return (card) => ({ gone: seen.has(card) || !deck.has(card), cannot: barred.has(card), tint: tints.get(card) ?? "" });
};

const OF_A_HAND = ["show", "hand", "card"];
const DRAWN = ["draw", "wrong_draw"];

/**
 * Whether an act of a form cannot name a card: it was played, or it is certainly elsewhere. A played card can be part of a hand as dealt.
 * @type {(view: TableView) => (card: Card, act: {kind: string, seat?: string, moment?: string}) => boolean}
 */
export const goneFrom = (view) => (card, { kind, seat, moment }) => {
  const deal = runningDeal(view);
  if (!deal) return false;
  if (DRAWN.includes(kind)) return deal.seen.includes(card) && card !== deal.pinta;
  if (!OF_A_HAND.includes(kind)) return false;
  const plays = [...deal.tricks.flatMap((trick) => trick.plays), ...deal.on_table];
  const isOwn = plays.some((play) => play.card === card && play.seat === seat) || deal.swaps.some(({ gave }) => gave === card);
  if (moment === "dealt" && isOwn) return false;
  return seat ? elsewhere(view, seat).includes(card) : deal.seen.includes(card);
};
