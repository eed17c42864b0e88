// @ts-check
// The reel of a partida as the server tells it: frames unfolded, and what is asked of a moment. No DOM.

/** Seats round the table from the one at the bottom, in order of play. */
const ROUND = { 2: ["south", "north"], 3: ["south", "east", "west"], 4: ["south", "east", "north", "west"] };
const LETTER = { s: "seen", d: "deduced", p: "possible" };

/**
 * A reel made ready: every frame whole, the moment of each line, verdicts and corrections by line.
 * Moments count from 0, which is before the first act; moment k is after the k-th.
 */
export const ready = (reel) => {
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

/** The moments right after which a trick is closed or a deal begins: where a jump by tricks lands. */
const closingMoments = (reel, momentOf) => {
  const lines = reel.deals.flatMap((deal) => [deal.line, ...deal.tricks.map((trick) => trick.line)]);
  return [0, ...lines.map((line) => momentOf.get(line)).filter(Boolean), reel.steps.length]
    .sort((a, b) => a - b)
    .filter((one, index, all) => one !== all[index - 1]);
};

/** The moment to go to by tricks, onwards (1) or back (-1). */
export const byTrick = (film, moment, way) => {
  const far = film.closing.filter((one) => (way > 0 ? one > moment : one < moment));
  return far.length ? far[way > 0 ? 0 : far.length - 1] : moment;
};

/** The moment of a line; a line that stands no more, or of a correction, leads to what it was about. */
export const momentOfLine = (film, line) => {
  if (film.momentOf.has(line)) return film.momentOf.get(line);
  const amended = film.amendments.find((one) => one.line === line);
  if (amended) return momentOfLine({ ...film, amendments: [] }, amended.changes[0].line);
  const before = film.steps.filter((step) => step.line < line);
  return before.length ? film.momentOf.get(before[before.length - 1].line) : 0;
};

/** Where each seat sits, the one whose view it is at the bottom. */
export const places = (film) => {
  const seats = film.seats;
  const first = Math.max(seats.indexOf(film.seat), 0);
  const round = [...seats.slice(first), ...seats.slice(0, first)];
  return round.map((seat, index) => ({ seat, at: ROUND[seats.length][index] }));
};

/** The deal of a frame; undefined before the first. */
export const dealOf = (film, frame) => film.deals[frame.deal - 1];

/** Cards of a hand at a moment: those seen in it, those deduced, those possible, and how many it has. */
export const handOf = (film, frame, seat) => {
  const hand = { seen: [], deduced: [], possible: [], size: frame.sizes?.[film.seats.indexOf(seat)] ?? 0 };
  const deal = dealOf(film, frame);
  [...(frame[seat] ?? "")].forEach((letter, index) => hand[LETTER[letter]]?.push(deal.cards[index]));
  return hand;
};

/** The trick in the middle: the one on the table, or the one that this act closed. */
export const trickOf = (film, moment) => {
  const frame = film.frames[moment];
  if (frame.laid?.length) return { plays: frame.laid, best: frame.best, closed: false };
  const line = film.steps[moment - 1]?.line;
  const closed = dealOf(film, frame)?.tricks.find((trick) => trick.line === line);
  return closed ? { plays: closed.plays, best: closed.taker, closed: true, points: closed.points } : { plays: [] };
};

/** The last trick that was closed by a moment, if it is not the one in the middle. */
export const lastTrick = (film, moment) => dealOf(film, film.frames[moment])?.tricks[film.frames[moment].tricks - 1];

/** Verdict on the act of a line as it was known at a moment: open until the line that settled it. */
export const verdictAt = (film, line, moment) => {
  const one = film.verdictOf.get(line);
  if (!one) return "";
  const since = one.since ? (film.momentOf.get(one.since) ?? 0) : 0;
  return one.verdict !== "open" && since > moment ? "open" : one.verdict;
};

/** Everything that is to be told beside the act of a line. */
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

/** Score of each side after every act: pairs of moment and points, where it changes. */
export const scoreLine = (film, side) => {
  const found = [];
  film.frames.forEach((frame, moment) => {
    const points = frame.score[side] ?? 0;
    if (!found.length || found[found.length - 1][1] !== points) found.push([moment, points]);
  });
  return found;
};

export const sidesOf = (film) => [...new Set(film.seats.map((seat) => seat[0]))];
