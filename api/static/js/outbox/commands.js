// Commands: what is asked of the server, and the versions it will be asked for. Pure.

/**
 * @typedef {{kind: string, [field: string]: any}} Act an act of the table, or `{kind: "amend", changes, text?}`
 * @typedef {{line: number, act: Act}} Entry
 * @typedef {{encuentro: string, partida: number, sort: "acts" | "amend" | "start", acts: Act[], expect: number,
 *   key: string, device: string, path: string, body: string, at: string, due?: string, problem?: any, seq?: number}} Command
 *   `partida` of a start is the one it begins; `expect` is the version in `If-Match`
 */

/** What a command is, before it is known where it goes. */
export const recording = (partida, acts) => ({ partida, sort: "acts", acts });
export const amending = (partida, changes, text) => ({
  partida,
  sort: "amend",
  acts: [{ kind: "amend", changes, ...(text ? { text } : {}) }],
});
export const starting = (partida, due) => ({ partida, sort: "start", acts: [], due });

const ADDRESS = { acts: "acts", amend: "amendments" };

/** A command as it will be sent, unchanged, however often. @returns {Command} */
export const addressed = (asked, { encuentro, expect, key, device, at }) => ({
  ...asked,
  ...{ encuentro, expect, key, device, at },
  path: `/api/v1/encuentros/${encuentro}/partidas${ADDRESS[asked.sort] ? `/${asked.partida}/${ADDRESS[asked.sort]}` : ""}`,
  body: JSON.stringify(bodyOf(asked)),
});

const bodyOf = ({ sort, acts }) => {
  if (sort === "start") return {};
  if (sort === "acts") return { acts };
  const [{ changes, text }] = acts;
  return { changes, ...(text ? { because: text } : {}) };
};

/** Acts that a command adds to the encuentro itself, or to a partida. */
const addedTo = (command, number) => {
  if (number === 0) return command.sort === "start" ? 1 : 0;
  return command.partida === number ? command.acts.length : 0;
};

/** Version that an encuentro (number 0) or a partida will have once these commands are recorded. */
export const versionAfter = (base, queue, number) =>
  queue.reduce((version, command) => version + addedTo(command, number), base);

/** What a command is asked of: 0 for the encuentro, or a partida. */
export const streamOf = ({ sort, partida }) => (sort === "start" ? 0 : partida);

/** Entries that a command will make, at the lines they will take. @returns {Entry[]} */
export const entriesOf = ({ acts, expect }) => acts.map((act, place) => ({ line: expect + 1 + place, act }));

/** Line that undo takes back, or null: one undo after the other steps further back. @param {Entry[]} log */
export const latestLine = (log) => {
  const lines = [];
  log.forEach(({ line, act }, place) => {
    const top = isWithdrawal(act) ? topOf(lines, log.slice(0, place)) : null;
    const isStep = top !== null && act.changes.length === 1 && act.changes[0].line === top;
    if (isStep) lines.splice(lines.indexOf(top), 1);
    else lines.push(line);
  });
  return topOf(lines, log);
};

const isWithdrawal = ({ kind, changes }) => kind === "amend" && changes.every(({ how }) => how === "withdraw");

const topOf = (lines, log) => {
  const stands = standingLines(log);
  return [...lines].reverse().find((line) => stands.has(line)) ?? null;
};

/** Lines that can be taken back: acts that stand, and amendments that were not taken back. */
const standingLines = (log) => {
  const gone = new Set();
  for (const { line, act } of [...log].reverse()) {
    if (act.kind !== "amend" || gone.has(line)) continue;
    for (const change of act.changes) if (change.how === "withdraw") gone.add(change.line);
  }
  return new Set(log.map(({ line }) => line).filter((line) => !gone.has(line)));
};

/** An act as one compares it: empty fields are as if they were not there. */
const bare = (value) => {
  if (Array.isArray(value)) return value.map(bare);
  if (value === null || typeof value !== "object") return value;
  const kept = Object.entries(value).filter(([, one]) => !isEmpty(one));
  return Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, one]) => [name, bare(one)]));
};
const isEmpty = (value) =>
  value === null || value === "" || value === undefined || (typeof value === "object" && !Object.keys(value).length);

const printed = (act) => JSON.stringify(bare(act));

/**
 * Acts of mine that others recorded alike, in the same order: place in mine to the line of theirs.
 * @param {Entry[]} theirs @param {Act[]} mine @returns {Map<number, number>}
 */
export const alike = (theirs, mine) => {
  const found = new Map();
  let from = 0;
  mine.forEach((act, place) => {
    const at = theirs.findIndex((one, index) => index >= from && printed(one.act) === printed(act));
    if (at < 0) return;
    found.set(place, theirs[at].line);
    from = at + 1;
  });
  return found;
};
