/** The acts of a log as they stand after all corrections. */
import { isAct } from "./reading.js";

/**
 * The acts as they stand, in order of play. `log` holds acts and amendments as they were recorded, `{line, act}` each;
 * entries of the audit trail, `{line, fact}`, will do. An undo is recorded as an amendment.
 */
export const standing = (log) => {
  const recorded = log.map(({ line, act, fact }) => ({ line, act: act ?? fact }));
  const takenBack = withdrawn(recorded);
  const entries = [];
  for (const { line, act } of recorded) {
    if (isAct(act)) entries.push({ line, act });
    if (act.kind !== "amend" || takenBack.has(line)) continue;
    for (const change of act.changes) correct(entries, line, change);
  }
  return entries.filter((entry) => entry.act);
};

/** Lines of amendments that a later standing amendment takes back. */
const withdrawn = (recorded) => {
  const takenBack = new Set();
  for (const { line, act } of [...recorded].reverse()) {
    if (act.kind !== "amend" || takenBack.has(line)) continue;
    for (const change of act.changes) if (change.how === "withdraw") takenBack.add(change.line);
  }
  return takenBack;
};

/** One correction; a withdrawn act keeps its place, so that others can be put before it. */
const correct = (entries, line, { line: at, how, act }) => {
  const place = entries.findIndex((entry) => entry.line === at);
  if (place < 0) return;
  if (how === "insert") entries.splice(place, 0, { line, act });
  else entries[place] = { line: at, act: how === "replace" ? act : null };
};
