// Missing parts of a proof without differences: step 9 of docs/operating/audit.md, "Checking a proof".

import { rootOf, same } from "./hashing.js";
import { canonical } from "./json.js";

/**
 * @import { Note, Resguardo } from "./note.js"
 * @import { Leaf, Proof, ProofEvent } from "./proof.js"
 *
 * @typedef {{what: string, index: number | null, stream: string | null, version: number | null,
 *   number: number | null}} MissingPart
 */

const FOLLOWED = ["OutcomeFollowed", "CaseFollowed"];
const OFFICIAL = "ResultMadeOfficial";

/** Stored name without its version. @type {(one: ProofEvent) => string} */
const kindOf = ({ name }) => name.slice(0, Math.max(name.lastIndexOf("."), 0));
/** @type {(value: any) => Record<string, any>} */
const object = (value) => (value !== null && typeof value === "object" && !Array.isArray(value) ? value : {});
/** @type {(one: ProofEvent) => Record<string, any>} */
const factOf = ({ state }) => object(state.fact);
/** @type {(value: unknown) => number | null} */
const whole = (value) => (Number.isSafeInteger(value) ? Number(value) : null);

/** @param {string} what @param {ProofEvent | null} one @param {number | null} number @returns {MissingPart} */
const part = (what, one, number = null) => ({
  what,
  index: one?.index ?? null,
  stream: one?.stream ?? null,
  version: one?.version ?? null,
  number,
});

/**
 * Events of each partida or case, by its number.
 * @param {ProofEvent[]} events @param {string} first @returns {Map<number | null, ProofEvent[]>}
 */
function numbered(events, first) {
  /** @type {Map<string, ProofEvent[]>} */
  const streams = new Map();
  for (const one of events) streams.set(one.stream, [...(streams.get(one.stream) ?? []), one]);
  const found = [...streams.values()].filter(([one]) => kindOf(one) === first);
  return new Map(found.map((list) => [whole(factOf(list[0]).number), list]));
}

/** Whether the last state of an encuentro is signed. @param {ProofEvent[]} own */
function isClosed(own) {
  const ends = own.map(kindOf).filter((kind) => kind === OFFICIAL || kind === "ResultReopened");
  return ends.at(-1) === OFFICIAL;
}

/**
 * Partidas and cases that the encuentro names, and whose events are missing.
 * @param {ProofEvent[]} own @param {string} kind @param {string} field
 * @param {Map<number | null, ProofEvent[]>} there @param {string} what
 */
function* streamsLeftOut(own, kind, field, there, what) {
  const seen = new Set();
  for (const one of own) {
    const number = whole(factOf(one)[field]);
    if (kindOf(one) !== kind || there.has(number) || seen.has(number)) continue;
    seen.add(number);
    yield part(what, one, number);
  }
}

/** The latest outcome of a partida, if the encuentro has no event that follows it. @param {number | null} number @param {ProofEvent[]} events @param {ProofEvent[]} own */
function* outcomeLeftOut(number, events, own) {
  /** @type {(fact: Record<string, any>) => string} */
  const outcome = (fact) => canonical([fact.winner ?? null, fact.how ?? null]);
  const undecided = outcome({ winner: "", how: "undecided" });
  let [won, at] = [undecided, /** @type {ProofEvent | null} */ (null)];
  for (const one of events) {
    const fact = factOf(one);
    if (kindOf(one) === "PartidaWon") [won, at] = [outcome(fact), one];
    else if (kindOf(one) === "ConclusionRevised" && object(fact.revised).kind === "partida_won") {
      [won, at] = [undecided, one];
    }
  }
  const last = own
    .filter((one) => kindOf(one) === "OutcomeFollowed" && whole(factOf(one).partida) === number)
    .at(-1);
  const isBehind = at !== null && (!last || last.index < at.index);
  if (isBehind && (last ? outcome(factOf(last)) : undecided) !== won) yield part("outcome_left_out", at, number);
}

/** A case that names lines which its partida does not have. @param {ProofEvent[]} events @param {Map<number | null, ProofEvent[]>} partidas */
function* linesLeftOut(events, partidas) {
  const number = whole(factOf(events[0]).partida);
  const partida = partidas.get(number);
  if (!partida) return;
  const last = partida.reduce((line, one) => Math.max(line, whole(one.state.line) ?? 0), 0);
  for (const one of events) {
    const { seen, act, acts } = factOf(one);
    const told = [seen, act, ...(Array.isArray(acts) ? acts : [])];
    if (told.every((line) => (whole(line) ?? 0) <= last)) continue;
    yield part("lines_left_out", one, number);
    return;
  }
}

/** Whether a resguardo of the same time or later has exactly these events. @param {Note} note @param {Leaf[]} leaves @param {Resguardo[]} resguardos */
function isCounted(note, leaves, resguardos) {
  const head = rootOf(leaves.map((one) => one.hash));
  return resguardos.some((one) => one.note.size >= note.size && same(one.head, head));
}

/**
 * Missing parts of a proof, and whether it includes the signature of the result.
 * @param {Proof} proof @param {Leaf[]} leaves @param {Note} note @param {Resguardo[]} resguardos
 * @returns {{missing: MissingPart[], isClosed: boolean}}
 */
export function missingIn(proof, leaves, note, resguardos) {
  const own = proof.events.filter((one) => one.stream === proof.encuentro.replace(/-/g, ""));
  const [partidas, cases] = [numbered(proof.events, "PartidaOpened"), numbered(proof.events, "CaseOpened")];
  const indices = new Set(proof.events.map((one) => one.index));
  /** @type {MissingPart[]} */
  const found = [];
  const more = proof.recorded - proof.events.length;
  if (more > 0) found.push(part("not_all_recorded", null, more));
  found.push(...streamsLeftOut(own, "PartidaStarted", "number", partidas, "partida_left_out"));
  found.push(...streamsLeftOut(own, "CaseFollowed", "case", cases, "case_left_out"));
  for (const one of own) {
    if (FOLLOWED.includes(kindOf(one)) && !indices.has(one.index - 1)) {
      found.push(part("cause_left_out", one, whole(factOf(one).partida)));
    }
  }
  for (const [number, events] of partidas) found.push(...outcomeLeftOut(number, events, own));
  for (const events of cases.values()) found.push(...linesLeftOut(events, partidas));
  const closed = isClosed(own);
  if (!closed && !isCounted(note, leaves, resguardos)) found.push(part("end_unknown", own.at(-1) ?? null));
  return { missing: found, isClosed: closed };
}
