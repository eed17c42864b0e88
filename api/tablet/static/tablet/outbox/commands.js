// Commands: requests to the server with the versions that they expect. Pure functions.
import { prefix } from "../../html/prefix.js";

/**
 * @import { Act, Amendment, Change, Recorded } from "../rules/acts.js"
 * @import { News } from "./store.js"
 * @typedef {{partida: number, sort: "acts" | "amend" | "start", acts: (Act | Amendment)[], due?: string}} Asking
 *   a request before it has its address and version; `partida` of a start is the one that it starts
 * @typedef {{encuentro: string, expect: number, key: string, device: string, at: string}} Stamp `expect` is the version
 *   in `If-Match`
 * @typedef {{status: number, code?: string, title?: string, detail?: string, rule?: string, theirs?: News, lost?: number}} Problem why a
 *   command was not recorded; `theirs`: what other devices recorded instead
 * @typedef {Asking & Stamp & {path: string, body: string, problem?: Problem, seq?: number}} Command
 */

export const STALE = 412;
const NOT_FOUND = 404;

/**
 * Whether the first waiting command met a changed record that was not fetched yet.
 * @type {(queue: Command[]) => boolean}
 */
export const isDivided = ([head]) =>
  [STALE, NOT_FOUND].includes(head?.problem?.status ?? 0) && !head.problem?.theirs;

/** A request to record acts. @type {(partida: number, acts: Act[]) => Asking} */
export const recording = (partida, acts) => ({ partida, sort: "acts", acts });
/** @type {(partida: number, changes: Change[], text?: string) => Asking} */
export const amending = (partida, changes, text) => ({
  partida,
  sort: "amend",
  acts: [{ kind: "amend", changes, ...(text ? { text } : {}) }],
});
/** @type {(partida: number, due?: string) => Asking} */
export const starting = (partida, due) => ({ partida, sort: "start", acts: [], due });

/** @type {Record<Asking["sort"], string>} */
const ADDRESS = { acts: "acts", amend: "amendments", start: "" };

/**
 * A command as it is sent, unchanged at each try.
 * @template {Asking} A @param {A} asked @param {Stamp} about @returns {A & Stamp & {path: string, body: string}}
 */
export const addressed = (asked, { encuentro, expect, key, device, at }) => ({
  ...asked,
  ...{ encuentro, expect, key, device, at },
  path: `${prefix}/api/v1/encuentros/${encuentro}/partidas${ADDRESS[asked.sort] ? `/${asked.partida}/${ADDRESS[asked.sort]}` : ""}`,
  body: JSON.stringify(bodyOf(asked)),
});

/** @type {(asked: Asking) => object} */
const bodyOf = ({ sort, acts }) => {
  if (sort === "start") return {};
  if (sort === "acts") return { acts };
  const [{ changes, text }] = /** @type {Amendment[]} */ (acts);
  return { changes, ...(text ? { because: text } : {}) };
};

/**
 * Number of acts that a command adds to the encuentro (number 0) or to a partida.
 * @type {(command: Asking, number: number) => number}
 */
const addedTo = (command, number) => {
  if (number === 0) return command.sort === "start" ? 1 : 0;
  return command.partida === number ? command.acts.length : 0;
};

/**
 * Version that an encuentro (number 0) or a partida will have once these commands are recorded.
 * @type {(base: number, queue: Asking[], number: number) => number}
 */
export const versionAfter = (base, queue, number) =>
  queue.reduce((version, command) => version + addedTo(command, number), base);

/**
 * Stream that a command changes: 0 for the encuentro, or the number of a partida.
 * @type {(asked: Pick<Asking, "sort" | "partida">) => number}
 */
export const streamOf = ({ sort, partida }) => (sort === "start" ? 0 : partida);

/**
 * Entries that a command will record, with the lines that they will have.
 * @type {(command: Pick<Command, "acts" | "expect">) => Recorded[]}
 */
export const entriesOf = ({ acts, expect }) => acts.map((act, place) => ({ line: expect + 1 + place, act }));

/**
 * Line that an undo takes back, or null. Each further undo takes back an earlier line.
 * @type {(log: Recorded[]) => number | null}
 */
export const latestLine = (log) => {
  /** @type {number[]} */
  let lines = [];
  log.forEach(({ line, act }, place) => {
    const top = isWithdrawal(act) ? topOf(lines, log.slice(0, place)) : null;
    const gone = act.kind === "amend" ? act.changes.map((change) => change.line) : [];
    if (top !== null && gone.includes(top)) lines = lines.filter((one) => !gone.includes(one));
    else lines.push(line);
  });
  return topOf(lines, log);
};

/** @type {(act: Act | Amendment) => boolean} */
const isWithdrawal = (act) => act.kind === "amend" && act.changes.every(({ how }) => how === "withdraw");

/** @type {(lines: number[], log: Recorded[]) => number | null} */
const topOf = (lines, log) => {
  const stands = standingLines(log);
  return [...lines].reverse().find((line) => stands.has(line)) ?? null;
};

/**
 * Lines that can be taken back: acts that stand, and amendments that were not taken back.
 * @type {(log: Recorded[]) => Set<number>}
 */
const standingLines = (log) => {
  const gone = new Set();
  for (const { line, act } of [...log].reverse()) {
    if (act.kind !== "amend" || gone.has(line)) continue;
    for (const change of act.changes) if (change.how === "withdraw") gone.add(change.line);
  }
  return new Set(log.map(({ line }) => line).filter((line) => !gone.has(line)));
};

/** An act for comparison: without its empty fields. @type {(value: unknown) => unknown} */
const bare = (value) => {
  if (Array.isArray(value)) return value.map(bare);
  if (value === null || typeof value !== "object") return value;
  const kept = Object.entries(value).filter(([, one]) => !isEmpty(one));
  return Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, one]) => [name, bare(one)]));
};
/** @type {(value: unknown) => boolean} */
const isEmpty = (value) =>
  value === null || value === "" || value === undefined || (typeof value === "object" && !Object.keys(value).length);

/** @type {(act: Act | Amendment) => string} */
const printed = (act) => JSON.stringify(bare(act));

/**
 * Acts of this device that another device recorded too, in the same order: from the place here to the line there.
 * @type {(theirs: Recorded[], mine: (Act | Amendment)[]) => Map<number, number>}
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
