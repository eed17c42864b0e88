// The data of a replay: complete frames, and queries about a moment. No DOM.
import { inWords, t } from "../html/words.js";
/** @import { Phrase } from "../html/grammar.js" */
/** @import { Arrastres } from "./analysis.js" */

/**
 * @typedef {[seat: string, card: string, line: number]} FramePlay
 * @typedef {object} Frame the table after an act; values that a step leaves out do not change
 * @property {number} deal
 * @property {Record<string, number>} score
 * @property {string} phase
 * @property {number} tricks number of closed tricks
 * @property {FramePlay[]} laid
 * @property {string} [best] seat that is winning the trick
 * @property {string | null} [turn]
 * @property {number[]} [sizes] number of cards of each hand
 * @property {number} [stock]
 * @property {string} [pinta]
 * @property {boolean} [lies]
 * @property {boolean} [vueltas]
 *
 * @typedef {{profile: string, section: string, basis: string}} ArticleRef
 * @typedef {{line: number, kind: string, text: string, name?: string, seat?: string, card?: string, said?: string[], about?: number, article?: string,
 *   set: Partial<Frame>}} ReplayStep
 * @typedef {{plays: FramePlay[], taker: string, points: number | null, line: number}} ReplayTrick
 * @typedef {{number: number, line: number, dealer: string, mano: string, pinta: string, counts: boolean, cards: string[],
 *   tricks: ReplayTrick[], items: [side: string, reason: string, points: number, line: number][]}} ReplayDeal
 * @typedef {{line: number, seat: string, verdict: "lawful" | "unlawful" | "open", text: string, since?: number,
 *   article?: ArticleRef | null, settles?: {tricks: number[]}, proof?: {lines: number[], cards: string[]},
 *   slip?: {text: string, lines: number[]}, plain?: string}} ReplayVerdict
 * @typedef {{line: number, text: string, article: ArticleRef | null}} ReplayFinding
 * @typedef {{line: number, before: string | null, after: string | null}} ReplayChange
 * @typedef {{line: number, name: string, text: string, stands: boolean, changes: ReplayChange[]}} ReplayAmendment
 * @typedef {{number: number, lines: number[], because: string,
 *   words: {verdict: {effect: string, ground: string} | null}}} ReplayCase
 * @typedef {{line: number, answer: string, other_answer: string, by: string[]}} ReplayCompared
 * @typedef {{answer: string, lower: number, upper: number, cantes: number[]}} ReplayClaim
 *
 * @typedef {object} ReplayData
 * @property {number} players
 * @property {"anticlockwise" | "clockwise"} [direction] of play; an older replay has none: anticlockwise
 * @property {string[]} seats
 * @property {string} seat whose view it is, or ""
 * @property {Record<string, string>} names
 * @property {Record<string, Phrase>} people seats and sides in words
 * @property {number} target
 * @property {ReplayStep[]} steps
 * @property {ReplayDeal[]} deals
 * @property {ReplayVerdict[]} verdicts
 * @property {ReplayFinding[]} findings
 * @property {ReplayAmendment[]} amendments
 * @property {ReplayCase[]} cases
 * @property {ReplayClaim | null} claim
 * @property {{acts: ReplayCompared[]} | null} [compared]
 * @property {Arrastres | null} [arrastres] of a decided partida; an older replay has none
 * @property {{line: number, text: string[]}[]} [judged] claims and concessions of a decided partida; an older replay has none
 *
 * @typedef {ReplayData & {frames: Frame[], momentOf: Map<number, number>, first: number, last: number,
 *   verdictOf: Map<number, ReplayVerdict>, closing: number[], isUnplayed?: boolean}} Replay data with whole frames and indexes;
 *   `first` and `last` moment that can be shown; `isUnplayed`: a line, which goes on from a card otherwise than it was played
 * @typedef {{replay: Replay, moment: number}} View what is on the felt: a moment of the partida, or of a line
 * @typedef {{seen: string[], deduced: string[], possible: string[], size: number}} HandAt
 * @typedef {{plays: FramePlay[], best?: string, closed?: boolean, points?: number | null}} TrickAt
 * @typedef {{verdict: ReplayVerdict | undefined, findings: ReplayFinding[], amendments: ReplayAmendment[], rulings: ReplayStep[],
 *   cases: ReplayCase[], compared: ReplayCompared | undefined}} Besides
 */

/** Places around the table from the bottom one, anticlockwise. @type {Record<number, string[]>} */
const ROUND = { 2: ["south", "north"], 3: ["south", "east", "west"], 4: ["south", "east", "north", "west"] };
/** @type {Record<string, string>} */
const MIRRORED = { east: "west", west: "east" };
/** @type {Record<string, "seen" | "deduced" | "possible">} */
const LETTER = { s: "seen", d: "deduced", p: "possible" };

/**
 * A replay from its data: complete frames, the moment of each line, verdicts and corrections by line.
 * Moments count from 0, before the first act; moment k is after the k-th act.
 * @type {(data: ReplayData) => Replay}
 */
export const ready = (data) => {
  /** @type {Frame[]} */
  const frames = [{ deal: 0, score: {}, phase: "waiting", tricks: 0, laid: [] }];
  for (const step of data.steps) frames.push({ ...frames[frames.length - 1], ...step.set });
  const momentOf = new Map(data.steps.map((step, index) => [step.line, index + 1]));
  return {
    ...data,
    frames,
    momentOf,
    first: 0,
    last: data.steps.length,
    verdictOf: new Map(data.verdicts.map((one) => [one.line, one])),
    closing: closingMoments(data.deals, momentOf, data.steps.length),
  };
};

/** The player of a seat or the players of a side, to stand alone. @type {(replay: Replay, code: string) => string} */
export const personOf = (replay, code) => inWords(replay.people[code]);

/** What people call the act of a line. @type {(replay: Replay, line: number) => string} */
export const nameOfLine = (replay, line) => {
  const step = replay.steps[(replay.momentOf.get(line) ?? 0) - 1];
  if (step?.kind === "card") return t("called.card", { card: step.card, seat: replay.people[step.seat ?? ""] });
  return (step ?? replay.amendments.find((one) => one.line === line))?.name ?? t("called.gone");
};

/**
 * Moments at which a trick is closed or a deal begins: targets of a jump by tricks.
 * @type {(deals: ReplayDeal[], momentOf: Map<number, number>, last: number) => number[]}
 */
export const closingMoments = (deals, momentOf, last) => {
  const lines = deals.flatMap((deal) => [deal.line, ...deal.tricks.map((trick) => trick.line)]);
  return [0, ...lines.flatMap((line) => momentOf.get(line) || []), last]
    .sort((a, b) => a - b)
    .filter((one, index, all) => one !== all[index - 1]);
};

/**
 * Target of a jump by tricks, forward (1) or back (-1).
 * @type {(view: View, way: number) => number}
 */
export const byTrick = ({ replay, moment }, way) => {
  const far = replay.closing.filter((one) => (way > 0 ? one > moment : one < moment));
  return far.length ? far[way > 0 ? 0 : far.length - 1] : moment;
};

/**
 * The moment of a line. For a withdrawn line or a correction: the moment of the act that it concerned.
 * @type {(replay: Replay, line: number) => number}
 */
export const momentOfLine = (replay, line) => {
  const here = replay.momentOf.get(line);
  if (here !== undefined) return here;
  const amended = replay.amendments.find((one) => one.line === line);
  if (amended) return momentOfLine({ ...replay, amendments: [] }, amended.changes[0].line);
  const before = replay.steps.filter((step) => step.line < line);
  return before.length ? (replay.momentOf.get(before[before.length - 1].line) ?? 0) : 0;
};

/**
 * Place of each seat; the seat whose view it is is at the bottom.
 * @type {(replay: Replay) => {seat: string, at: string}[]}
 */
export const places = (replay) => {
  const seats = replay.seats;
  const first = Math.max(seats.indexOf(replay.seat), 0);
  const round = [...seats.slice(first), ...seats.slice(0, first)];
  const clockwise = replay.direction === "clockwise";
  return round.map((seat, index) => {
    const at = ROUND[seats.length][index];
    return { seat, at: clockwise ? (MIRRORED[at] ?? at) : at };
  });
};

/** The deal of a frame; undefined before the first. @type {(replay: Replay, frame: Frame) => ReplayDeal | undefined} */
export const dealOf = (replay, frame) => replay.deals[frame.deal - 1];

/**
 * Cards of a hand at a moment: those seen in it, those deduced, those possible, and how many it has.
 * @type {(replay: Replay, frame: Frame, seat: string) => HandAt}
 */
export const handOf = (replay, frame, seat) => {
  /** @type {HandAt} */
  const hand = { seen: [], deduced: [], possible: [], size: frame.sizes?.[replay.seats.indexOf(seat)] ?? 0 };
  const deal = dealOf(replay, frame);
  const known = /** @type {Frame & Record<string, any>} */ (frame)[seat] ?? "";
  if (deal) [...known].forEach((letter, index) => hand[LETTER[letter]]?.push(deal.cards[index]));
  return hand;
};

/**
 * The trick in the middle: the open one, or the one that this act closed.
 * @type {(replay: Replay, moment: number) => TrickAt}
 */
export const trickOf = (replay, moment) => {
  const frame = replay.frames[moment];
  if (frame.laid?.length) return { plays: frame.laid, best: frame.best, closed: false };
  const line = replay.steps[moment - 1]?.line;
  const closed = dealOf(replay, frame)?.tricks.find((trick) => trick.line === line);
  return closed ? { plays: closed.plays, best: closed.taker, closed: true, points: closed.points } : { plays: [] };
};

/**
 * The last trick closed at a moment, if it is not the one in the middle.
 * @type {(replay: Replay, moment: number) => ReplayTrick | undefined}
 */
export const lastTrick = (replay, moment) => dealOf(replay, replay.frames[moment])?.tricks[replay.frames[moment].tricks - 1];

/**
 * Verdict on the act of a line as it was known at a moment: open until the line that settled it.
 * @type {(replay: Replay, line: number, moment: number) => "" | "lawful" | "unlawful" | "open"}
 */
export const verdictAt = (replay, line, moment) => {
  const one = replay.verdictOf.get(line);
  if (!one) return "";
  const since = one.since ? (replay.momentOf.get(one.since) ?? 0) : 0;
  return one.verdict !== "open" && since > moment ? "open" : one.verdict;
};

/** All details of the act of a line. @type {(replay: Replay, line: number) => Besides} */
export const besides = (replay, line) => ({
  verdict: replay.verdictOf.get(line),
  findings: replay.findings.filter((one) => one.line === line),
  amendments: replay.amendments.filter(
    (one) => one.line === line || one.changes.some((change) => change.line === line),
  ),
  rulings: replay.steps.filter((step) => step.about === line),
  cases: replay.cases.filter((one) => one.lines.includes(line)),
  compared: replay.compared?.acts.find((one) => one.line === line),
});

/**
 * Score of each side after every act: pairs of moment and points, where it changes.
 * @type {(replay: Replay, side: string) => [number, number][]}
 */
export const scoreLine = (replay, side) => {
  /** @type {[number, number][]} */
  const found = [];
  replay.frames.forEach((frame, moment) => {
    const points = frame.score[side] ?? 0;
    if (!found.length || found[found.length - 1][1] !== points) found.push([moment, points]);
  });
  return found;
};

/** @type {(replay: Replay) => string[]} */
export const sidesOf = (replay) => [...new Set(replay.seats.map((seat) => seat[0]))];
