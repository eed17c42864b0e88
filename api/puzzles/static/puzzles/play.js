// A problem in play: whose turn it is, what a card does, when it is settled. No DOM and no engine.
import { RANKS, pointsOf, seatToPlay, seatsOf } from "../replay/engine.js";
/** @import { KnownPosition } from "../replay/engine.js" */

/**
 * @typedef {"first_deal" | "save" | "race"} Goal
 * @typedef {object} Puzzle a position with A1 to play
 * @property {KnownPosition & {laid: string[]}} known
 * @property {Goal} goal
 * @property {number} need points that the side of A1 still has to make
 * @property {number} rival before the other side makes these; 0: no matter
 * @property {Record<string, number>} scores
 * @property {string} card the one lawful card that does it
 * @property {[seat: string, card: string][]} line one way to go on with best play of all
 *
 * @typedef {{seat: string, card: string, taker: string, best: string}} Played `taker` of the trick it closes, else empty; `best`: who wins so far
 * @typedef {object} PuzzleState
 * @property {KnownPosition & {laid: string[]}} known
 * @property {number} need
 * @property {number} rival
 * @property {boolean | null} won null: not settled yet
 * @property {Played[]} plays
 */

const HIGH_CABALLO = "2456789SCR3A";

/** A problem before its first card. @type {(puzzle: Puzzle) => PuzzleState} */
export const begun = ({ known, need, rival }) => ({ known, need, rival, won: null, plays: [] });

/** The seat that wins a trick as far as it is laid. @type {(known: KnownPosition, plays: [seat: string, card: string][]) => string} */
export const winning = (known, plays) => {
  const order = known.options.sota_caballo === "caballo_over_sota" ? HIGH_CABALLO : RANKS;
  /** @type {(card: string, other: string) => boolean} */
  const beats = (card, other) =>
    card[1] === other[1] ? order.indexOf(card[0]) > order.indexOf(other[0]) : card[1] === known.trump;
  return plays.reduce((best, play) => (beats(play[1], best[1]) ? play : best))[0];
};

/** The open trick, each card with its seat. @type {(known: KnownPosition) => [seat: string, card: string][]} */
export const openTrick = (known) => {
  const seats = seatsOf(known);
  const first = seats.indexOf(known.leader);
  return (known.laid ?? []).map((card, index) => [seats[(first + index) % seats.length], card]);
};

/** The state after a card of the seat whose turn it is. @type {(state: PuzzleState, card: string) => PuzzleState} */
export const after = (state, card) => {
  const { known } = state;
  const seat = seatToPlay(known);
  const hands = { ...known.hands, [seat]: known.hands[seat].filter((one) => one !== card) };
  /** @type {[seat: string, card: string][]} */
  const plays = [...openTrick(known), [seat, card]];
  const best = winning(known, plays);
  if (plays.length < Object.keys(hands).length)
    return { ...state, known: { ...known, hands, laid: [...known.laid, card] }, plays: [...state.plays, { seat, card, taker: "", best }] };
  const isLast = !hands[seat].length;
  const points = plays.reduce((sum, play) => sum + pointsOf(play[1]), isLast ? known.options.last_trick_points : 0);
  const need = state.need - (best[0] === "A" ? points : 0);
  const rival = state.rival - (best[0] !== "A" && state.rival ? points : 0);
  const isLost = isLast || (state.rival > 0 && rival <= 0);
  return {
    known: { ...known, hands, laid: [], leader: best, winners: [...new Set([...(known.winners ?? []), best[0]])] },
    need,
    rival,
    won: need <= 0 ? true : isLost ? false : null,
    plays: [...state.plays, { seat, card, taker: best, best }],
  };
};
