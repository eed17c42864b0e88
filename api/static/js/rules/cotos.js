/** Cotos and the match: what the partidas of an encuentro add up to. */
import { dealerOfNextPartida } from "./concluding.js";
import { SIDES } from "./seats.js";

/**
 * How an encuentro stands. `encuentro` is its official view (profile.options and partidas: partida, winner, how,
 * whole_match); `tables` has the table of each partida that is folded here, by its number, and goes before the view.
 * `winner` is "" for a draw and null while the match goes on; `another`: a partida may be started now.
 */
export const score = (encuentro, tables = {}) => {
  const { options } = encuentro.profile;
  const numbers = [...encuentro.partidas.map((one) => one.partida), ...Object.keys(tables).map(Number)];
  const outcomes = [...new Set(numbers)].sort((one, other) => one - other).map((number) => {
    const known = encuentro.partidas.find((one) => one.partida === number);
    return { number, ...(tables[number] ? (tables[number].decided ?? { how: "undecided" }) : known) };
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

/** Standing after the decided partidas, in order. A winner "" counts for nobody. */
const standingOf = (decided, options) => {
  const zero = () => Object.fromEntries(SIDES[options.players].map((side) => [side, 0]));
  let [partidas, camas, counted, winner] = [zero(), zero(), 0, null];
  const [cotos, made, beyond] = [zero(), [], []];
  for (const { number, winner: side, whole_match: isWhole } of decided) {
    if (winner !== null) {
      beyond.push(number);
      continue;
    }
    counted += 1;
    if (side) partidas[side] += 1;
    if (isWhole) winner = side;
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
  return { partidas, camas, cotos, made, winner, beyond };
};

/** Side with most partidas, "" if several have as many. */
const leaderOf = (partidas) => {
  const most = Math.max(...Object.values(partidas));
  const leaders = Object.keys(partidas).filter((side) => partidas[side] === most);
  return leaders.length === 1 ? leaders[0] : "";
};
