/** Cotos and the match: the standing of an encuentro from its partidas. */
import { dealerOfNextPartida } from "../concluding.js";
import { SIDES } from "../seats.js";
/** @import { How } from "../acts.js" */
/** @import { Options } from "../options.js" */
/** @import { Side } from "../seats.js" */
/** @import { TableView } from "./view.js" */

/** @type {Outcome} */
const UNDECIDED = { how: "undecided" };

/**
 * Standing of an encuentro. `encuentro` is its official view (profile.options and partidas: partida, winner, how,
 * whole_match); `tables` has the table of each partida that is read here, by its number, and overrides the view.
 * `winner` is "" for a draw and null while the match goes on; `another`: a partida may be started now.
 *
 * @typedef {{winner?: Side, how: How | "undecided", whole_match?: boolean}} Outcome
 * @typedef {{number: number} & Outcome} NumberedOutcome
 * @typedef {Record<Side, number>} Counts
 * @typedef {{partidas: Counts, camas: Counts, cotos: Counts, made: {coto: number, winner: Side, partida: number}[],
 *   winner: Side | null, beyond: number[]}} MatchStanding
 * @typedef {MatchStanding & {outcomes: NumberedOutcome[], next: number, another: boolean, dealer_due: string}} MatchScore
 * @typedef {{profile: {options: Options}, partidas: ({partida: number} & Outcome)[]}} Match
 * @type {(encuentro: Match, tables?: Record<number, TableView>) => MatchScore}
 */
export const score = (encuentro, tables = {}) => {
  const { options } = encuentro.profile;
  const numbers = [...encuentro.partidas.map((one) => one.partida), ...Object.keys(tables).map(Number)];
  const outcomes = [...new Set(numbers)].sort((one, other) => one - other).map((number) => {
    const known = encuentro.partidas.find((one) => one.partida === number) ?? UNDECIDED;
    return { number, ...(tables[number] ? (tables[number].decided ?? UNDECIDED) : known) };
  });
  const decided = outcomes.filter(({ how }) => how !== "undecided");
  const standing = standingOf(decided, options);
  const isRunning = decided.length < outcomes.length;
  const last = tables[numbers.length ? Math.max(...numbers) : 0];
  return {
    ...standing,
    outcomes,
    next: outcomes.length + 1,
    another: !isRunning && standing.winner === null,
    dealer_due: last?.decided ? dealerOfNextPartida(last.state) : "",
  };
};

/**
 * Standing after the decided partidas, in order. A partida with winner "" counts for no side.
 * @type {(decided: NumberedOutcome[], options: Options) => MatchStanding}
 */
const standingOf = (decided, options) => {
  /** @type {() => Counts} */
  const zero = () => Object.fromEntries(SIDES[options.players].map((side) => [side, 0]));
  let [partidas, camas, counted] = [zero(), zero(), 0];
  /** @type {MatchStanding} */
  const found = { partidas, camas, cotos: zero(), made: [], winner: null, beyond: [] };
  const { cotos, made, beyond } = found;
  /** @type {Side | null} */
  let winner = null;
  for (const { number, winner: side, whole_match: isWhole } of decided) {
    if (winner !== null) {
      beyond.push(number);
      continue;
    }
    counted += 1;
    if (side) partidas[side] += 1;
    if (isWhole) winner = side ?? null;
    else if (options.match_format === "fixed_partidas") {
      if (counted === options.fixed_partidas) winner = leaderOf(partidas);
    } else if (side && partidas[side] === options.partidas_per_cama) {
      partidas = zero();
      camas[side] += 1;
      if (camas[side] === options.camas_per_coto) {
        camas = zero();
        cotos[side] += 1;
        made.push({ coto: made.length + 1, winner: side, partida: number });
        if (cotos[side] === options.cotos_to_win) winner = side;
      }
    }
  }
  return { ...found, partidas, camas, winner };
};

/** Side with most partidas, "" if several have as many. @type {(partidas: Record<Side, number>) => Side | ""} */
const leaderOf = (partidas) => {
  const most = Math.max(...Object.values(partidas));
  const leaders = Object.keys(partidas).filter((side) => partidas[side] === most);
  return leaders.length === 1 ? leaders[0] : "";
};
