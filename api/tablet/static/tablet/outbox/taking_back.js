// Taking back what other devices recorded, so that only the record of this one remains. Pure functions.
import { standing } from "../rules/index.js";
import { withdrawn } from "../rules/standing.js";
/** @import { Change, Recorded } from "../rules/acts.js" */

/**
 * Lines to withdraw, so that no act after a line stands and no later amendment changes an act up to it.
 * @type {(log: Recorded[], upTo: number) => number[]}
 */
const linesAfter = (log, upTo) => {
  const gone = withdrawn(log);
  const amendments = log.filter(({ line, act }) => line > upTo && act.kind === "amend" && !gone.has(line) && act.changes.some((change) => change.line <= upTo));
  return [...new Set([...standing(log), ...amendments].map(({ line }) => line))].filter((line) => line > upTo);
};

/**
 * Amendments, one after another, that take back everything recorded after a line. There are several where an amendment that
 * is taken back had itself withdrawn such an act.
 * @type {(log: Recorded[], upTo: number) => Change[][]}
 */
export const takingBack = (log, upTo) => {
  /** @type {Change[][]} */
  const found = [];
  let now = log;
  for (let lines = linesAfter(now, upTo); lines.length; lines = linesAfter(now, upTo)) {
    const changes = lines.map((line) => /** @type {Change} */ ({ line, how: "withdraw" }));
    found.push(changes);
    now = [...now, { line: 1 + Math.max(upTo, ...now.map((entry) => entry.line)), act: { kind: "amend", changes } }];
  }
  return found;
};
