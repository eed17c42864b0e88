// A problem as the replay draws a table: every hand open, a moment for each card laid.
import { RANKS, seatToPlay } from "../replay/engine.js";
import { openTrick, winning } from "./play.js";
/** @import { Replay } from "../replay/data.js" */
/** @import { Goal, Puzzle, PuzzleState } from "./play.js" */

const SEATS = ["A1", "B1", "A2", "B2"];
const SUITS = "OCEB";
const NOTHING_SAID = { verdicts: [], findings: [], amendments: [], cases: [], claim: null, closing: [] };
/** By suit, the strongest first. @type {(one: string, other: string) => number} */
const inHand = (one, other) => SUITS.indexOf(one[1]) - SUITS.indexOf(other[1]) || RANKS.indexOf(other[0]) - RANKS.indexOf(one[0]);

/**
 * The replay of what was laid; `people`: names of the places.
 * @type {(puzzle: Puzzle, state: PuzzleState, people: Record<string, any>) => Replay}
 */
export const replayOf = ({ known, goal }, state, people) => {
  const laid = openTrick(known).map(([seat, card], index) => /** @type {[string, string, number]} */ ([seat, card, -1 - index]));
  const cards = Object.values(known.hands).flat().sort(inHand);
  let hands = known.hands;
  let open = laid;
  /** @type {any[]} */
  const tricks = [];
  const frames = [frame(cards, { hands, open, best: open.length ? winning(known, openTrick(known)) : "", turn: "A1", closed: 0, goal })];
  state.plays.forEach(({ seat, card, taker, best }, index) => {
    hands = { ...hands, [seat]: hands[seat].filter((one) => one !== card) };
    open = [...open, [seat, card, index + 1]];
    if (taker) {
      tricks.push({ plays: open, taker, points: null, line: index + 1 });
      open = [];
    }
    const next = state.plays[index + 1]?.seat ?? (state.won === null ? seatToPlay(state.known) : "");
    frames.push(frame(cards, { hands, open, best, turn: next, closed: tricks.length, goal }));
  });
  const steps = state.plays.map(({ seat, card }, index) => ({ line: index + 1, kind: "card", text: "", seat, card, set: {} }));
  return /** @type {Replay} */ (/** @type {unknown} */ ({
    players: 4,
    direction: known.options.direction,
    seats: SEATS,
    seat: "A1",
    names: {},
    people,
    target: known.options.target,
    steps,
    deals: [{ number: 1, line: 0, dealer: "", mano: "", pinta: "", counts: true, cards, tricks, items: [] }],
    ...NOTHING_SAID,
    frames,
    momentOf: new Map(steps.map(({ line }) => [line, line])),
    last: steps.length,
    verdictOf: new Map(),
  }));
};

/** @typedef {{hands: Record<string, string[]>, open: [string, string, number][], best: string, turn: string, closed: number, goal: Goal}} Now */

/** @type {(cards: string[], now: Now) => any} */
const frame = (cards, { hands, open, best, turn, closed, goal }) => ({
  deal: 1,
  score: {},
  phase: "arrastre",
  tricks: closed,
  laid: open,
  best,
  turn,
  sizes: SEATS.map((seat) => hands[seat].length),
  stock: 0,
  pinta: "",
  lies: false,
  vueltas: goal === "race",
  ...Object.fromEntries(SEATS.map((seat) => [seat, cards.map((card) => (hands[seat].includes(card) ? "s" : ".")).join("")])),
});
