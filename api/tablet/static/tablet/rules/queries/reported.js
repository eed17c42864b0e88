/** Reported outcomes of a partida: possible points of the other side, and doubts. */
import { DECK_POINTS, winnerOfFirst } from "../counting.js";
import { SIDES } from "../seats.js";
/** @import { How, Totals } from "../acts.js" */
/** @import { Score } from "../counting.js" */
/** @import { Options } from "../options.js" */
/** @import { Side } from "../seats.js" */

const CANTE = 20;
const MOST_CANTES = 100;
const LEAST_POINTS = 2;
const MOST_DEALS = 5;
const PLAYED_OUT = ["first_deal", "unclaimed"];
const REACHING = ["claim", "unclaimed", "target"];
const CLAIMS = ["claim", "false_claim"];
const AFTER_VUELTAS = [...CLAIMS, "unclaimed", "target"];
/** @type {SoFar} */
const NOTHING = { totals: {}, deals: 0 };

/**
 * @typedef {{winner: Side, how: How, totals: Totals}} ReportedResult totals of all sides, of some, or of none
 * @typedef {{totals: Totals, deals: number}} SoFar totals so far, and number of counted deals
 * @typedef {{rule: string, facts: Record<string, string>}} Doubt
 */

/**
 * All doubts about an outcome. `record`: totals so far, and the number of counted deals.
 * @type {(reported: ReportedResult, options: Options, record?: SoFar) => Doubt[]}
 */
export const doubts = (reported, options, record = NOTHING) => {
  const first = [...ofHow(reported, options, record), ...ofPoints(reported, record), ...ofSums(reported, options)];
  const second = first.length ? first : [...ofTarget(reported, options), ...ofVueltas(reported, options)];
  const third = second.length || reported.how !== "first_deal" ? second : ofFirstDeal(reported, options);
  return third.length ? third : ofRare(reported, options);
};

/** Whether none of these doubts is an impossibility. @type {(found: Doubt[]) => boolean} */
export const isPossible = (found) => found.every(({ rule }) => rule === "result-rare");

/**
 * Possible totals of the one side that was not reported, the one with fewest cantes first.
 * @type {(reported: ReportedResult, options: Options, record?: SoFar) => number[]}
 */
export const completions = (reported, options, record = NOTHING) => {
  const missing = SIDES[options.players].filter((side) => !(side in reported.totals));
  if (missing.length !== 1 || !PLAYED_OUT.includes(reported.how)) return [];
  const others = sumOf(reported.totals);
  const may = (/** @type {number} */ points) =>
    points >= 0 && isPossible(doubts({ ...reported, totals: { ...reported.totals, [missing[0]]: points } }, options, record));
  return sums(reported.how, options).map((total) => total - others).filter(may);
};

/** @type {(totals: Totals) => number} */
const sumOf = (totals) => Object.values(totals).reduce((sum, points) => sum + points, 0);

/** @type {(options: Options) => number} */
const dealPoints = (options) => DECK_POINTS + options.last_trick_points;

/**
 * Possible sums of the totals of all sides, if the last deal was played out.
 * @type {(how: How, options: Options) => number[]}
 */
const sums = (how, options) => {
  const isSure = SIDES[options.players].length === 2 && options.target <= dealPoints(options);
  return how === "first_deal" ? sumsAfter(1, 1, options) : sumsAfter(2, isSure ? 2 : MOST_DEALS, options);
};

/** @type {(least: number, most: number, options: Options) => number[]} */
const sumsAfter = (least, most, options) => {
  const found = new Set();
  for (let deals = least; deals <= most; deals += 1) {
    for (let cantes = 0; cantes <= deals * MOST_CANTES; cantes += CANTE) found.add(deals * dealPoints(options) + cantes);
  }
  return [...found].sort((a, b) => a - b);
};

/**
 * Doubts about totals called after so many played-out deals.
 * @type {(totals: Totals, options: Options, deals: number) => Doubt[]}
 */
export const doubtsOfCount = (totals, options, deals) => {
  const [total, may] = [sumOf(totals), sumsAfter(deals, deals, options)];
  const isRight = isWhole({ totals }, options) ? may.includes(total) : total <= may[may.length - 1];
  return [...ofNobody(totals), ...(isRight ? [] : [wrongSum(total, may)])];
};

/** @type {(reported: ReportedResult, options: Options, record: SoFar) => Doubt[]} */
const ofHow = ({ how }, options, { deals }) => {
  const mayClaim = options.vueltas_end !== "at_target" || options.claim_in === "any_deal";
  const target = options.vueltas_end === "at_target";
  /** @type {Partial<Record<How, boolean>>} */
  const isKnown = { claim: mayClaim, false_claim: mayClaim, target, tute: options.tute, unclaimed: options.unclaimed_at_end === "latest_trick", first_deal: deals === 0 };
  return isKnown[how] ?? true ? [] : [{ rule: "result-how", facts: { how } }];
};

/** @type {(reported: Pick<ReportedResult, "totals">, record: SoFar) => Doubt[]} */
const ofPoints = ({ totals }, record) => [
  ...ofNobody(totals),
  ...Object.entries(totals)
    .map(([side, points]) => ({ side, points, counted: record.totals[side] ?? 0 }))
    .filter(({ points, counted }) => points < counted)
    .map(({ side, points, counted }) => ({ rule: "result-record", facts: { side, points: String(points), counted: String(counted) } })),
];

/** Points that nobody can have. @type {(totals: Totals) => Doubt[]} */
const ofNobody = (totals) =>
  Object.entries(totals)
    .filter(([, points]) => points > 0 && points < LEAST_POINTS)
    .map(([side, points]) => ({ rule: "result-points", facts: { side, points: String(points) } }));

/** @type {(reported: Pick<ReportedResult, "totals">, options: Options) => boolean} */
const isWhole = ({ totals }, options) => Object.keys(totals).length === SIDES[options.players].length;

/** @type {(reported: ReportedResult, options: Options) => Doubt[]} */
const ofSums = (reported, options) => {
  const [total, may] = [sumOf(reported.totals), sums(reported.how, options)];
  const most = may[may.length - 1];
  const isOut = PLAYED_OUT.includes(reported.how);
  if (isOut && isWhole(reported, options) ? may.includes(total) : total <= most) return [];
  return [wrongSum(total, isOut ? may : [most])];
};

/** Doubt about a sum, with the nearest possible sums. @type {(total: number, may: number[]) => Doubt} */
const wrongSum = (total, may) => {
  const nearest = [...may.filter((one) => one < total).slice(-1), ...may.filter((one) => one > total).slice(0, 1)];
  return { rule: "result-sum", facts: { sum: String(total), nearest: nearest.join(", ") } };
};

/** @type {(reported: ReportedResult, options: Options) => Doubt[]} */
const ofTarget = (reported, { target, players }) => {
  const { winner, how, totals } = reported;
  if (REACHING.includes(how) && totals[winner] < target) return [atTarget("result-short", winner, totals, target)];
  const others = SIDES[players].filter((side) => side !== winner);
  const isReached = how === "false_claim" && others.every((side) => (totals[side] ?? 0) >= target);
  return isReached ? [atTarget("result-reached", others[0], totals, target)] : [];
};

/** @type {(rule: string, side: Side, totals: Totals, target: number) => Doubt} */
const atTarget = (rule, side, totals, target) => ({ rule, facts: { side, points: String(totals[side]), target: String(target) } });

/**
 * Points that each of two sides certainly has when no side won the first deal.
 * @type {(options: Options) => number}
 */
const leastInVueltas = (options) => {
  if (SIDES[options.players].length !== 2) return 0;
  const least = Math.max(0, dealPoints(options) - (options.target - 1));
  return options.min_malas_applies === "always" ? Math.max(least, options.min_malas) : least;
};

/** @type {(reported: ReportedResult, options: Options) => Doubt[]} */
const ofVueltas = ({ how, totals }, options) => {
  const isIn = AFTER_VUELTAS.includes(how) && (!CLAIMS.includes(how) || options.claim_in !== "any_deal");
  const least = isIn ? leastInVueltas(options) : 0;
  return Object.entries(totals)
    .filter(([, points]) => points < least)
    .map(([side, points]) => ({ rule: "result-vueltas", facts: { side, points: String(points), least: String(least) } }));
};

/**
 * Whether some deal of these totals gives the partida to this winner.
 * @type {(reported: ReportedResult, options: Options) => Doubt[]}
 */
const ofFirstDeal = (reported, options) => {
  const { winner, totals } = reported;
  const isShort = totals[winner] < options.target;
  const other = [isShort ? atTarget("result-short", winner, totals, options.target) : { rule: "result-other-wins", facts: { side: winner } }];
  if (!isWhole(reported, options)) {
    const missing = SIDES[options.players].length - Object.keys(totals).length;
    return missing === 1 && !completions(reported, options).length ? other : [];
  }
  const winners = new Set(ways(totals, options));
  if (!winners.size) return [wrongSum(sumOf(totals), sums(reported.how, options))];
  return winners.has(winner) ? [] : other;
};

/**
 * Winner of each possible played-out deal with these totals.
 * @param {Totals} totals @param {Options} options @returns {Generator<Side | null>}
 */
function* ways(totals, options) {
  const sides = Object.keys(totals);
  for (const sung of shares(sides.length, MOST_CANTES)) {
    for (const latest of orders(sides)) {
      const bases = sides.map((side, place) => baseOf(totals[side], sung[place], options, side === latest[0]));
      if (bases.some((base) => base < 0) || bases.reduce((a, b) => a + b) !== dealPoints(options)) continue;
      const scores = scoresOf(sides, bases, sung, latest[0], options);
      const areCards = Object.values(scores).every(({ cards }) => cards === 0 || cards >= LEAST_POINTS);
      if (areCards) yield winnerOfFirst(scores, options, latest);
    }
  }
}

/**
 * Every distribution of cantes, worth at most so much, over so many sides.
 * @type {(many: number, most: number) => number[][]}
 */
const shares = (many, most) => {
  if (!many) return [[]];
  const found = [];
  for (let own = 0; own <= most; own += CANTE) {
    for (const rest of shares(many - 1, most - own)) found.push([own, ...rest]);
  }
  return found;
};

/** @type {(sides: Side[]) => Side[][]} */
const orders = (sides) =>
  sides.length < 2 ? [sides] : sides.flatMap((one) => orders(sides.filter((other) => other !== one)).map((rest) => [one, ...rest]));

/**
 * Points without cantes of a side with this total and cantes worth so much; below 0: impossible. `isLast`: it took the last
 * trick, whose points the minimum may exclude.
 * @type {(total: number, cantes: number, options: Options, isLast: boolean) => number}
 */
const baseOf = (total, cantes, options, isLast) => {
  const apart = options.min_malas && options.min_malas_of === "cards" && isLast ? options.last_trick_points : 0;
  const least = options.cantes_need_min_malas ? options.min_malas + apart : 0;
  if (total < least) return total;
  return total - cantes >= least ? total - cantes : -1;
};

/** @type {(sides: Side[], bases: number[], sung: number[], last: Side, options: Options) => Record<Side, Score>} */
const scoresOf = (sides, bases, sung, last, { last_trick_points: ten }) =>
  Object.fromEntries(sides.map((side, place) => {
    const ultimas = side === last ? ten : 0;
    return [side, { cards: bases[place] - ultimas, ultimas, cantes: sung[place], ruled: 0 }];
  }));

/** @type {(reported: ReportedResult, options: Options) => Doubt[]} */
const ofRare = (reported, options) => {
  const all = Object.entries(reported.totals).sort();
  if (reported.how !== "first_deal" || !isWhole(reported, options)) return [];
  const isRare = sumOf(reported.totals) - dealPoints(options) >= MOST_CANTES || all.some(([, points]) => !points);
  return isRare ? [{ rule: "result-rare", facts: { totals: all.map(([, points]) => points).join("-") } }] : [];
};
