// Commands made anew for a record that is another than they were made for. Pure.
import { addressed, streamOf, versionAfter } from "./commands.js";

/**
 * Commands in their order, with the versions and lines that they have after what was recorded meanwhile.
 *
 * A line up to the old version stays what it is; one of a command in the queue moves with it. What refers to an act that is
 * not there any more cannot be sent: it is an orphan.
 *
 * @param {any[]} queue commands in order
 * @param {{old: Record<number, number>, now: Record<number, number>, same?: Map<string, number>, gone?: Set<number>,
 *   newKey: () => string}} given
 *   `old`, `now`: version of the encuentro (0) and of each partida, as the queue has it and as it is; `same`: "seq:place"
 *   of an act to the line where others recorded it; `gone`: commands that are not sent
 * @returns {{queue: any[], orphans: any[]}}
 */
export const renumbered = (queue, { old, now, same = new Map(), gone = new Set(), newKey }) => {
  const found = { queue: [], orphans: [] };
  const places = {};
  const unbegun = new Set();
  for (const command of queue) {
    const placesOf = (places[command.partida] ??= new Map());
    const isRecorded = (line) => line <= (old[command.partida] ?? 0);
    const lineNow = (line) => (isRecorded(line) ? line : placesOf.get(line));
    const acts = command.acts
      .map((act, place) => ({ act, was: command.expect + 1 + place, is: same.get(`${command.seq}:${place}`) }))
      .map((one) => ({ ...one, act: referring(one.act, lineNow) }));
    const isOrphan = unbegun.has(command.partida) || acts.some(({ act }) => act === null);
    if (gone.has(command.seq) || isOrphan) {
      if (command.sort === "start") unbegun.add(command.partida);
      if (!gone.has(command.seq)) found.orphans.push(command);
      continue;
    }
    const left = acts.filter(({ is }) => is === undefined);
    const expect = versionAfter(now[streamOf(command)] ?? 0, found.queue, streamOf(command));
    acts.filter(({ is }) => is !== undefined).forEach(({ was, is }) => placesOf.set(was, is));
    left.forEach(({ was }, place) => placesOf.set(was, expect + 1 + place));
    if (same.has(`${command.seq}:start`) || (command.sort !== "start" && !left.length)) continue;
    const { problem: _, ...asked } = command;
    found.queue.push(addressed({ ...asked, acts: left.map(({ act }) => act) }, { ...asked, expect, key: newKey() }));
  }
  return found;
};

/** An act whose references to lines are those of now; null if one of them is gone. */
const referring = (act, lineNow) => {
  const moved = { ...act };
  if (act.kind === "ruling" && act.line) moved.line = lineNow(act.line);
  if (act.kind === "amend") {
    moved.changes = act.changes.map((change) => ({
      ...change,
      line: lineNow(change.line),
      ...(change.act ? { act: referring(change.act, lineNow) } : {}),
    }));
    if (moved.changes.some((change) => !change.line || change.act === null)) return null;
  }
  return "line" in moved && !moved.line && act.line ? null : moved;
};
