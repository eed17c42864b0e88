// A line that was not played, as a replay: the partida until a card, and best play from there. No DOM.
import { capital } from "../../html/grammar.js";
import { t } from "../../html/words.js";
import { closingMoments, dealOf } from "../data.js";
/** @import { LineCard } from "../analysis.js" */
/** @import { Frame, FramePlay, Replay, ReplayDeal, ReplayStep, ReplayTrick, ReplayVerdict } from "../data.js" */

/**
 * The replay of a line whose first card lies on the table at a moment of the partida; its cards have lines below 0.
 * @type {(replay: Replay, first: number, cards: LineCard[]) => Replay}
 */
export const lineOf = (replay, first, cards) => {
  const before = replay.frames[first - 1];
  const deal = /** @type {ReplayDeal} */ (dealOf(replay, before));
  const frames = replay.frames.slice(0, first);
  /** @type {ReplayTrick[]} */
  const tricks = deal.tricks.slice(0, before.tricks);
  cards.forEach((card, index) => {
    const plays = laidOn(frames[frames.length - 1], card, -1 - index);
    if (card.isClosing) tricks.push({ plays, taker: card.winner, points: null, line: -1 - index });
    frames.push(frameAfter(replay, deal, frames[frames.length - 1], { card, plays }));
  });
  const steps = [...replay.steps.slice(0, first - 1), ...cards.map((card, index) => stepOf(replay, card, -1 - index))];
  const deals = replay.deals.map((one) => (one === deal ? { ...deal, tricks } : one));
  const momentOf = new Map(steps.map((step, index) => [step.line, index + 1]));
  const unlawful = cards.flatMap(({ seat, isUnlawful }, index) => (isUnlawful ? [{ line: -1 - index, seat, verdict: /** @type {const} */ ("unlawful"), text: "" }] : []));
  const verdictOf = new Map([...replay.verdictOf, ...unlawful.map((one) => /** @type {[number, ReplayVerdict]} */ ([one.line, one]))]);
  return { ...replay, frames, steps, deals, momentOf, verdictOf, first, last: steps.length, closing: closingMoments(deals, momentOf, steps.length), isUnplayed: true };
};

/** Cards of the trick when a card is laid on it. @type {(frame: Frame, card: LineCard, line: number) => FramePlay[]} */
const laidOn = (frame, { known, seat, card }, line) => [...(known.laid?.length ? frame.laid : []), [seat, card, line]];

/** @type {(replay: Replay, deal: ReplayDeal, last: Frame, laid: {card: LineCard, plays: FramePlay[]}) => Frame} */
const frameAfter = (replay, deal, last, { card, plays }) => {
  const { then, winner, isClosing } = card;
  const isOver = replay.seats.every((seat) => !then.hands[seat].length);
  const letters = (/** @type {string} */ seat) => deal.cards.map((one) => (then.hands[seat].includes(one) ? "s" : "-")).join("");
  const next = replay.seats[(replay.seats.indexOf(card.seat) + 1) % replay.seats.length];
  return {
    ...last,
    ...Object.fromEntries(replay.seats.map((seat) => [seat, letters(seat)])),
    laid: isClosing ? [] : plays,
    best: winner,
    tricks: last.tricks + (isClosing ? 1 : 0),
    turn: isOver ? null : isClosing ? winner : next,
    sizes: replay.seats.map((seat) => then.hands[seat].length),
  };
};

/** @type {(replay: Replay, card: LineCard, line: number) => ReplayStep} */
const stepOf = (replay, { seat, card, sung }, line) => {
  const said = sung.map((one) => `${t("act.cante", { seat: replay.people[one.seat], suit: one.suit })} (${one.points})`);
  return { line, kind: "card", seat, card, text: capital(t("act.card", { seat: replay.people[seat], card })), said, set: {} };
};
