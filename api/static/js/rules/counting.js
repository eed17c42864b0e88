/** Counting: points as items with their reason and line, a total as the sum of items. */
import { SIDES, sideOf } from "./seats.js";
import { allDeals, isPlayedOut, orderOf } from "./state.js";

export const CANTE_OF_TRUMP = 40;
export const CANTE_OF_ANOTHER = 20;
const MALAS = 50;
const FIELDS = { cards: "cards", ultimas: "ultimas", cante: "cantes", ruling: "ruled" };

/** Points of a deal so far, in order of play: closed tricks only. */
export const itemsOf = (table, deal) => {
  const items = [];
  const add = (trick, side, reason, { points, line }) => items.push([trick, { side, reason, points, line }]);
  deal.tricks.forEach((trick, place) => {
    if (trick.points) add(place + 1, sideOf(trick.taker), "cards", trick);
  });
  if (isPlayedOut(deal) && deal.tricks.length) {
    const { taker, line } = deal.tricks[deal.tricks.length - 1];
    add(deal.tricks.length, sideOf(taker), "ultimas", { points: table.options.last_trick_points, line });
  }
  const counts = (one) => !table.ruledOut.includes(one.line);
  for (const cante of deal.cantes.filter(counts)) {
    if (!cante.void) add(cante.trick, sideOf(cante.seat), "cante", cante);
  }
  for (const ruled of deal.ruled.filter(counts)) add(ruled.trick, ruled.side, "ruling", ruled);
  return items.sort(([one], [other]) => one - other).map(([, item]) => item);
};

/** Score of each side over these deals. */
export const partidaScores = (table, deals) => {
  const found = Object.fromEntries(
    SIDES[table.seats.length].map((side) => [side, { cards: 0, ultimas: 0, cantes: 0, ruled: 0 }]),
  );
  for (const { side, reason, points } of deals.flatMap((deal) => itemsOf(table, deal))) {
    (found[side])[FIELDS[reason]] += points;
  }
  return found;
};

/** Points without cantes. */
export const baseOf = (score) => score.cards + score.ultimas + score.ruled;

/** Points that count: cantes only above the minimum where the profile says so. */
export const totalOf = (score, options) => {
  const isShort = options.cantes_need_min_malas && baseOf(score) < options.min_malas;
  return baseOf(score) + (isShort ? 0 : score.cantes);
};

/** Totals of all sides. */
export const totalsOf = (scores, options) =>
  Object.fromEntries(Object.entries(scores).map(([side, score]) => [side, totalOf(score, options)]));

/** Total of each side over these deals, or over all of the partida. */
export const partidaTotals = (table, deals = allDeals(table)) => ({
  ...totalsOf(partidaScores(table, deals), table.options),
  ...calledOf(deals),
});

/** Totals called at the table, where the tricks of a record without cards were not counted. */
export const calledOf = (deals) => (deals.some(hasUnknownPoints) ? deals[deals.length - 1].called : {});

/** Whether the points of some trick are not known. */
export const hasUnknownPoints = (deal) =>
  deal.isEntered && deal.tricks.some((trick) => trick.points === null);

/** Seats that took the closed tricks of these deals, in order. */
export const takersOf = (deals) => deals.flatMap((deal) => deal.tricks.map((trick) => trick.taker));

/** Sides by their latest closed trick, then in order of play from mano. */
export const byLatest = (table, deals = allDeals(table)) => {
  const order = deals.length ? orderOf(deals[deals.length - 1]) : table.seats;
  return [...new Set([...takersOf(deals).reverse(), ...order].map(sideOf))];
};

/** A total as it is said: the number, and whether it is buenas. */
export const malasYBuenas = (points) =>
  points > MALAS ? { points: points - MALAS, buenas: true } : { points, buenas: false };
