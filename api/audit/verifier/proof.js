// The check of a proof file: each step of docs/operating/audit.md, "Checking a proof", and the resguardos and checkpoints of the user.

import { missingIn } from "./completeness.js";
import { bytesOf, fromBase64, isIncluded, leafHash, rootOf, same, sha } from "./hashing.js";
import { MalformedJson, canonical, read } from "./json.js";
import { InvalidNote, errorOf, readKey, readNote } from "./note.js";

/**
 * @import { MissingPart } from "./completeness.js"
 * @import { Key, Note, Resguardo } from "./note.js"
 *
 * @typedef {{index: number, stream: string, version: number, name: string, entry: string, path: string[],
 *   state: Record<string, any>}} ProofEvent
 * @typedef {{format: string, encuentro: string, key: string, checkpoint: string, recorded: number,
 *   events: ProofEvent[]}} Proof
 * @typedef {{what: string, index: number | null, stream: string | null, version: number | null}} Difference
 * @typedef {{entry: string, hash: Uint8Array}} Leaf
 * @typedef {{differences: Difference[], key: Key | null, checkpoint: Note | null,
 *   compared: {sameSize: number, otherSize: number}, missing: MissingPart[], isClosed: boolean}} Found
 */

const FORMAT = "guinote-proof/1";
const FIELDS = ["checkpoint", "encuentro", "events", "format", "key", "recorded"];
const EVENT = ["entry", "index", "name", "path", "state", "stream", "version"];
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** @type {(value: unknown) => boolean} */
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
/** @type {(value: any, names: string[]) => boolean} */
const hasFields = (value, names) =>
  isObject(value) && Object.keys(value).sort().join() === names.join();
/** @type {(value: unknown) => boolean} */
const isText = (value) => typeof value === "string";

/** @type {(one: any) => boolean} */
const isEvent = (one) =>
  hasFields(one, EVENT) &&
  [one.index, one.version].every(Number.isSafeInteger) &&
  [one.stream, one.name, one.entry].every(isText) &&
  isObject(one.state) &&
  Array.isArray(one.path) &&
  one.path.every(isText);

/** A proof from its bytes. @throws {MalformedJson} @param {Uint8Array} bytes @returns {Proof} */
export function readProof(bytes) {
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new MalformedJson("not UTF-8");
  }
  const proof = read(text);
  const isProof =
    hasFields(proof, FIELDS) &&
    proof.format === FORMAT &&
    [proof.encuentro, proof.key, proof.checkpoint].every(isText) &&
    UUID.test(proof.encuentro) &&
    Number.isSafeInteger(proof.recorded) &&
    Array.isArray(proof.events) &&
    proof.events.length > 0;
  if (!isProof) throw new MalformedJson("not a proof");
  proof.events.forEach((/** @type {unknown} */ one, /** @type {number} */ at) => {
    if (!isEvent(one)) throw new MalformedJson(`event ${at + 1}`);
  });
  return proof;
}

/**
 * A difference: its code, and the event that it concerns, if any.
 * @type {(what: string, one?: Partial<ProofEvent>) => Difference}
 */
const difference = (what, one) => ({
  what,
  index: one?.index ?? null,
  stream: one?.stream ?? null,
  version: one?.version ?? null,
});

/** The entry of an event, computed again from its content. @param {ProofEvent} event */
function entryOf({ state, name, stream, version }) {
  const hash = sha(bytesOf(canonical({ s: state, t: name })));
  const url = btoa(String.fromCharCode(...hash)).replace(/\+/g, "-").replace(/\//g, "_");
  return canonical({ c: url.replace(/=+$/, ""), o: stream, v: version });
}

/**
 * The key to check with: the given one, else that of the proof; and the differences found in both.
 * @param {Proof} proof @param {string | undefined} given @returns {[Key | null, Difference[]]}
 */
function chosenKey(proof, given) {
  /** @type {Difference[]} */
  const found = [];
  const keys = [given, proof.key].map((text) => {
    try {
      return text ? readKey(text) : null;
    } catch (error) {
      if (!(error instanceof InvalidNote)) throw error;
      found.push(difference(error.message));
      return null;
    }
  });
  if (keys[0] && keys[1] && keys[0].text !== keys[1].text) found.push(difference("other_key"));
  return [given ? keys[0] : keys[1], found];
}

/** @param {string} text @param {Key | null} key @returns {[Note | null, Difference[]]} */
function checkedNote(text, key) {
  try {
    const note = readNote(text);
    const error = key && errorOf(note, key);
    return [note, error ? [difference(error)] : []];
  } catch (error) {
    if (!(error instanceof InvalidNote)) throw error;
    return [null, [difference(error.message)]];
  }
}

/** @param {ProofEvent[]} events @param {Leaf[]} leaves @param {Note | null} note */
function* errorsOfLeaves(events, leaves, note) {
  for (const [at, one] of events.entries()) {
    if (leaves[at].entry !== one.entry) yield difference("entry_differs", one);
    if (!note) continue;
    const path = one.path.map((text) => fromBase64(text) ?? new Uint8Array());
    const isInTree =
      path.every((hash) => hash.length === 32) &&
      isIncluded(leaves[at].hash, one.index, note.size, path, note.root);
    if (!isInTree) yield difference("not_included", one);
  }
}

/** @param {ProofEvent[]} events */
function* errorsOfOrder(events) {
  const versions = new Map();
  let before = -1;
  for (const one of events) {
    if (one.index <= before) yield difference("index_order", one);
    before = one.index;
    if (one.version !== (versions.get(one.stream) ?? 0) + 1) yield difference("version_gap", one);
    versions.set(one.stream, one.version);
  }
}

/** @param {Proof} proof */
function* errorsOfStreams(proof) {
  const own = proof.encuentro.replace(/-/g, "");
  const [firsts, seen] = [new Map(), new Set()];
  for (const one of proof.events) {
    const known = firsts.get(one.stream);
    if (!known || (one.version === 1 && known.version !== 1)) firsts.set(one.stream, one);
  }
  for (const [stream, first] of firsts) {
    if (stream === own) continue;
    const fact = isObject(first.state.fact) ? first.state.fact : {};
    if (first.version !== 1 || fact.encuentro !== proof.encuentro) {
      yield difference("foreign_stream", first);
      continue;
    }
    const kind = first.name.slice(0, Math.max(first.name.lastIndexOf("."), 0));
    const identity = canonical([kind, fact.number ?? null]);
    if (seen.has(identity)) yield difference("stream_twice", first);
    seen.add(identity);
  }
  if (!firsts.has(own)) yield difference("stream_missing", { stream: own });
}

/**
 * Code of the difference between a resguardo and the proof; null if there is none.
 * @param {Resguardo} resguardo @param {Proof} proof @param {Leaf[]} leaves
 */
function errorOfResguardo({ encuentro, count, head }, proof, leaves) {
  if (encuentro !== proof.encuentro) return "other_encuentro";
  if (leaves.length < count) return "events_missing";
  const found = rootOf(leaves.slice(0, count).map((one) => one.hash));
  return same(found, head) ? null : "head_differs";
}

/**
 * All differences of a proof, by the codes of docs/operating/audit.md; without any it is unaltered,
 * and then `missing` lists missing parts.
 * `given`: the published key, and notes and resguardos that the user kept.
 * @param {Proof} proof @param {{key?: string, notes?: Note[], resguardos?: Resguardo[]}} given @returns {Found}
 */
export function check(proof, given = {}) {
  const [key, found] = chosenKey(proof, given.key);
  const [checkpoint, errors] = checkedNote(proof.checkpoint, key);
  const leaves = proof.events.map((one) => {
    const entry = entryOf(one);
    return { entry, hash: leafHash(bytesOf(entry)) };
  });
  const trusted = errors.length ? null : checkpoint;
  found.push(...errors, ...errorsOfLeaves(proof.events, leaves, trusted));
  found.push(...errorsOfOrder(proof.events), ...errorsOfStreams(proof));
  if (proof.recorded < proof.events.length) found.push(difference("count_differs"));
  const compared = { sameSize: 0, otherSize: 0 };
  for (const note of [...(given.notes ?? []), ...(given.resguardos ?? []).map((one) => one.note)]) {
    const error = key && errorOf(note, key);
    if (error) found.push(difference(error));
    else if (trusted && note.size === trusted.size) {
      compared.sameSize += 1;
      if (!same(note.root, trusted.root)) found.push(difference("root_differs"));
    } else compared.otherSize += 1;
  }
  for (const one of given.resguardos ?? []) {
    const error = errorOfResguardo(one, proof, leaves);
    if (error) found.push(difference(error));
  }
  const isWhole = found.length || !trusted ? { missing: [], isClosed: false } : missingIn(proof, leaves, trusted, given.resguardos ?? []);
  return { differences: found, key, checkpoint, compared, ...isWhole };
}
