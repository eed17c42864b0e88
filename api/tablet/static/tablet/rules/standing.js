/** The acts of a log as they stand after all corrections. */
import { isAct } from "./reading.js";
/** @import { Act, Change, Entry, Recorded } from "./acts.js" */

/**
 * The acts as they stand, in order of play. `log` holds acts and amendments as they were recorded, `{line, act}` each;
 * entries of the audit trail, `{line, fact}`, are accepted too. An undo is recorded as an amendment.
 * @type {(log: (Recorded | {line: number, fact: Recorded["act"]})[]) => Entry[]}
 */
export const standing = (log) => {
  const recorded = log.map((one) => ({ line: one.line, act: "act" in one ? one.act : one.fact }));
  const takenBack = withdrawn(recorded);
  /** @type {{line: number, act: Act | null}[]} */
  const entries = [];
  for (const { line, act } of recorded) {
    if (isAct(act)) entries.push({ line, act });
    if (act.kind !== "amend" || takenBack.has(line)) continue;
    for (const change of act.changes) correct(entries, line, change);
  }
  return entries.flatMap(({ line, act }) => (act ? [{ line, act }] : []));
};

/** Lines of amendments that a later standing amendment takes back. @type {(recorded: Recorded[]) => Set<number>} */
export const withdrawn = (recorded) => {
  const takenBack = new Set();
  for (const { line, act } of [...recorded].reverse()) {
    if (act.kind !== "amend" || takenBack.has(line)) continue;
    for (const change of act.changes) if (change.how === "withdraw") takenBack.add(change.line);
  }
  return takenBack;
};

/**
 * Applies one correction. A withdrawn act keeps its place, so that others can be inserted before it.
 * @type {(entries: {line: number, act: Act | null}[], line: number, change: Change) => void}
 */
const correct = (entries, line, { line: at, how, act }) => {
  const place = entries.findIndex((entry) => entry.line === at);
  if (place < 0) return;
  if (how === "insert") entries.splice(place, 0, { line, act });
  else entries[place] = { line: at, act: how === "replace" ? act : null };
};
