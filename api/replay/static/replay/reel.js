// The reel of a partida as the server tells it: frames unfolded, and what is asked of a moment. No DOM.

/**
 * @typedef {[seat: string, card: string, line: number]} Laid
 * @typedef {object} Frame the table after an act; what a step does not tell is as before
 * @property {number} deal
 * @property {Record<string, number>} score
 * @property {string} phase
 * @property {number} tricks that are closed
 * @property {Laid[]} laid
 * @property {string} [best] seat that wins so far
 * @property {string | null} [turn]
 * @property {number[]} [sizes] cards of each hand
 * @property {number} [stock]
 * @property {string} [pinta]
 * @property {boolean} [lies]
 * @property {boolean} [vueltas]
 *
 * @typedef {{profile: string, section: string, basis: string}} ArticleRef
 * @typedef {{line: number, kind: string, text: string, said?: string[], about?: number, article?: string,
 *   set: Partial<Frame>}} ReelStep
 * @typedef {{plays: Laid[], taker: string, points: number | null, line: number}} ReelTrick
 * @typedef {{number: number, line: number, dealer: string, mano: string, pinta: string, counts: boolean, cards: string[],
 *   tricks: ReelTrick[], items: [side: string, reason: string, points: number, line: number][]}} ReelDeal
 * @typedef {{line: number, seat: string, verdict: "lawful" | "unlawful" | "open", text: string, since?: number,
 *   article?: ArticleRef | null, settles?: {tricks: number[]}, proof?: {lines: number[], cards: string[]},
 *   slip?: {text: string, lines: number[]}}} ReelVerdict
 * @typedef {{line: number, text: string, article: ArticleRef | null}} ReelFinding
 * @typedef {{line: number, before: string | null, after: string | null}} ReelChange
 * @typedef {{line: number, text: string, stands: boolean, changes: ReelChange[]}} ReelAmendment
 * @typedef {{number: number, lines: number[], because: string,
 *   words: {verdict: {effect: string, ground: string} | null}}} ReelCase
 * @typedef {{line: number, answer: string, other_answer: string, by: string[]}} ReelCompared
 * @typedef {{answer: string, lower: number, upper: number, cantes: number[]}} ReelClaim
 *
 * @typedef {object} Reel
 * @property {number} players
 * @property {string[]} seats
 * @property {string} seat whose view it is, or ""
 * @property {Record<string, string>} names
 * @property {number} target
 * @property {ReelStep[]} steps
 * @property {ReelDeal[]} deals
 * @property {ReelVerdict[]} verdicts
 * @property {ReelFinding[]} findings
 * @property {ReelAmendment[]} amendments
 * @property {ReelCase[]} cases
 * @property {ReelClaim | null} claim
 * @property {{acts: ReelCompared[]} | null} [compared]
 *
 * @typedef {Reel & {frames: Frame[], momentOf: Map<number, number>, last: number, verdictOf: Map<number, ReelVerdict>,
 *   closing: number[]}} Film a reel made ready
 * @typedef {{seen: string[], deduced: string[], possible: string[], size: number}} HandAt
 * @typedef {{plays: Laid[], best?: string, closed?: boolean, points?: number | null}} TrickAt
 * @typedef {{verdict: ReelVerdict | undefined, findings: ReelFinding[], amendments: ReelAmendment[], rulings: ReelStep[],
 *   cases: ReelCase[], compared: ReelCompared | undefined}} Besides
 */

/** Seats round the table from the one at the bottom, in order of play. @type {Record<number, string[]>} */
const ROUND = { 2: ["south", "north"], 3: ["south", "east", "west"], 4: ["south", "east", "north", "west"] };
/** @type {Record<string, "seen" | "deduced" | "possible">} */
const LETTER = { s: "seen", d: "deduced", p: "possible" };

/**
 * A reel made ready: every frame whole, the moment of each line, verdicts and corrections by line.
 * Moments count from 0, which is before the first act; moment k is after the k-th.
 * @type {(reel: Reel) => Film}
 */
export const ready = (reel) => {
  /** @type {Frame[]} */
  const frames = [{ deal: 0, score: {}, phase: "waiting", tricks: 0, laid: [] }];
  for (const step of reel.steps) frames.push({ ...frames[frames.length - 1], ...step.set });
  const momentOf = new Map(reel.steps.map((step, index) => [step.line, index + 1]));
  return {
    ...reel,
    frames,
    momentOf,
    last: reel.steps.length,
    verdictOf: new Map(reel.verdicts.map((one) => [one.line, one])),
    closing: closingMoments(reel, momentOf),
  };
};

/**
 * The moments right after which a trick is closed or a deal begins: where a jump by tricks lands.
 * @type {(reel: Reel, momentOf: Map<number, number>) => number[]}
 */
const closingMoments = (reel, momentOf) => {
  const lines = reel.deals.flatMap((deal) => [deal.line, ...deal.tricks.map((trick) => trick.line)]);
  return [0, ...lines.flatMap((line) => momentOf.get(line) || []), reel.steps.length]
    .sort((a, b) => a - b)
    .filter((one, index, all) => one !== all[index - 1]);
};

/**
 * The moment to go to by tricks, onwards (1) or back (-1).
 * @type {(film: Film, moment: number, way: number) => number}
 */
export const byTrick = (film, moment, way) => {
  const far = film.closing.filter((one) => (way > 0 ? one > moment : one < moment));
  return far.length ? far[way > 0 ? 0 : far.length - 1] : moment;
};

/**
 * The moment of a line; a line that stands no more, or of a correction, leads to what it was about.
 * @type {(film: Film, line: number) => number}
 */
export const momentOfLine = (film, line) => {
  const here = film.momentOf.get(line);
  if (here !== undefined) return here;
  const amended = film.amendments.find((one) => one.line === line);
  if (amended) return momentOfLine({ ...film, amendments: [] }, amended.changes[0].line);
  const before = film.steps.filter((step) => step.line < line);
  return before.length ? (film.momentOf.get(before[before.length - 1].line) ?? 0) : 0;
};

/**
 * Where each seat sits, the one whose view it is at the bottom.
 * @type {(film: Film) => {seat: string, at: string}[]}
 */
export const places = (film) => {
  const seats = film.seats;
  const first = Math.max(seats.indexOf(film.seat), 0);
  const round = [...seats.slice(first), ...seats.slice(0, first)];
  return round.map((seat, index) => ({ seat, at: ROUND[seats.length][index] }));
};

/** The deal of a frame; undefined before the first. @type {(film: Film, frame: Frame) => ReelDeal | undefined} */
export const dealOf = (film, frame) => film.deals[frame.deal - 1];

/**
 * Cards of a hand at a moment: those seen in it, those deduced, those possible, and how many it has.
 * @type {(film: Film, frame: Frame, seat: string) => HandAt}
 */
export const handOf = (film, frame, seat) => {
  /** @type {HandAt} */
  const hand = { seen: [], deduced: [], possible: [], size: frame.sizes?.[film.seats.indexOf(seat)] ?? 0 };
  const deal = dealOf(film, frame);
  const known = /** @type {Frame & Record<string, any>} */ (frame)[seat] ?? "";
  if (deal) [...known].forEach((letter, index) => hand[LETTER[letter]]?.push(deal.cards[index]));
  return hand;
};

/**
 * The trick in the middle: the one on the table, or the one that this act closed.
 * @type {(film: Film, moment: number) => TrickAt}
 */
export const trickOf = (film, moment) => {
  const frame = film.frames[moment];
  if (frame.laid?.length) return { plays: frame.laid, best: frame.best, closed: false };
  const line = film.steps[moment - 1]?.line;
  const closed = dealOf(film, frame)?.tricks.find((trick) => trick.line === line);
  return closed ? { plays: closed.plays, best: closed.taker, closed: true, points: closed.points } : { plays: [] };
};

/**
 * The last trick that was closed by a moment, if it is not the one in the middle.
 * @type {(film: Film, moment: number) => ReelTrick | undefined}
 */
export const lastTrick = (film, moment) => dealOf(film, film.frames[moment])?.tricks[film.frames[moment].tricks - 1];

/**
 * Verdict on the act of a line as it was known at a moment: open until the line that settled it.
 * @type {(film: Film, line: number, moment: number) => "" | "lawful" | "unlawful" | "open"}
 */
export const verdictAt = (film, line, moment) => {
  const one = film.verdictOf.get(line);
  if (!one) return "";
  const since = one.since ? (film.momentOf.get(one.since) ?? 0) : 0;
  return one.verdict !== "open" && since > moment ? "open" : one.verdict;
};

/** Everything that is to be told beside the act of a line. @type {(film: Film, line: number) => Besides} */
export const besides = (film, line) => ({
  verdict: film.verdictOf.get(line),
  findings: film.findings.filter((one) => one.line === line),
  amendments: film.amendments.filter(
    (one) => one.line === line || one.changes.some((change) => change.line === line),
  ),
  rulings: film.steps.filter((step) => step.about === line),
  cases: film.cases.filter((one) => one.lines.includes(line)),
  compared: film.compared?.acts.find((one) => one.line === line),
});

/**
 * Score of each side after every act: pairs of moment and points, where it changes.
 * @type {(film: Film, side: string) => [number, number][]}
 */
export const scoreLine = (film, side) => {
  /** @type {[number, number][]} */
  const found = [];
  film.frames.forEach((frame, moment) => {
    const points = frame.score[side] ?? 0;
    if (!found.length || found[found.length - 1][1] !== points) found.push([moment, points]);
  });
  return found;
};

/** @type {(film: Film) => string[]} */
export const sidesOf = (film) => [...new Set(film.seats.map((seat) => seat[0]))];
