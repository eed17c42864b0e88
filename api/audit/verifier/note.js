// Keys and checkpoints: signed notes (C2SP signed-note and tlog-checkpoint), Ed25519.

import { Point, CURVE } from "./vendor/noble-ed25519-2.3.0/index.js";
import { sha512 } from "./vendor/noble-hashes-1.8.0/sha2.js";
import { bytesOf, fromBase64, hex, concatenated, same, sha } from "./hashing.js";

/**
 * @typedef {{origin: string, id: Uint8Array, point: Uint8Array, text: string}} Key
 * @typedef {{origin: string, size: number, root: Uint8Array, body: string,
 *   signatures: {name: string, id: Uint8Array, signature: Uint8Array}[]}} Note
 * @typedef {{note: Note, encuentro: string, count: number, head: Uint8Array}} Resguardo
 */

const ED25519 = 1;
const DASH = "\u2014";
const NAME = /^[^\s+\u0000-\u001f\u007f-\u009f\ufeff]{1,200}$/u;
const SIZE = /^(?:0|[1-9][0-9]{0,15})$/;

/** An invalid key or note; the message is one of the codes of docs/operating/audit.md. */
export class InvalidNote extends Error {}

/** @type {(text: string) => string} */
const trimmed = (text) => text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "");

/** A key from its text ORIGIN+HEX+BASE64. @throws {InvalidNote} @param {string} text @returns {Key} */
export function readKey(text) {
  const [, origin, id, rest] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/su.exec(trimmed(text)) ?? [];
  const bytes = rest === undefined ? null : fromBase64(rest);
  if (!bytes || bytes.length !== 33 || bytes[0] !== ED25519 || !NAME.test(origin)) {
    throw new InvalidNote("key_malformed");
  }
  const expected = sha(bytesOf(`${origin}\n`), bytes).slice(0, 4);
  if (hex(expected) !== id) throw new InvalidNote("key_malformed");
  return { origin, id: expected, point: bytes.slice(1), text: trimmed(text) };
}

/** @type {(bytes: Uint8Array) => bigint} */
const number = (bytes) => BigInt(`0x${hex([...bytes].reverse())}`);

/**
 * Whether a signature of 64 bytes is valid in the strict form: the point R has the same bytes.
 * @param {Uint8Array} signature @param {Uint8Array} message @param {Uint8Array} key
 */
export function isValidSignature(signature, message, key) {
  const [r, s] = [signature.slice(0, 32), signature.slice(32)];
  try {
    const scalar = number(sha512(concatenated(r, key, message))) % CURVE.n;
    const found = Point.BASE.multiply(number(s), false).add(
      Point.fromBytes(key, true).multiply(scalar, false).negate(),
    );
    return same(found.toBytes(), r);
  } catch {
    return false; // not a point of the curve, or a number out of range
  }
}

/**
 * Origin, size, root and signatures of a note; the signatures are not checked here. @throws {InvalidNote}
 * @param {string} text @returns {Note}
 */
export function readNote(text) {
  const end = text.lastIndexOf("\n\n");
  const body = text.slice(0, end + 1);
  const [origin, size, root] = body.slice(0, -1).split("\n");
  const rootBytes = fromBase64(root ?? "");
  const lines = text.slice(end + 2, -1).split("\n");
  const isWhole = end > 0 && text.endsWith("\n") && lines.every((line) => line.startsWith(DASH));
  const isBody = NAME.test(origin) && SIZE.test(size ?? "") && Number.isSafeInteger(Number(size));
  if (!isWhole || !isBody || rootBytes?.length !== 32) throw new InvalidNote("checkpoint_malformed");
  return { origin, size: Number(size), root: rootBytes, body, signatures: lines.map(readSignature) };
}

/** @param {string} line @returns {Note["signatures"][number]} */
function readSignature(line) {
  const [dash, name, text] = line.split(" ");
  const bytes = (dash === DASH && fromBase64(text ?? "")) || new Uint8Array();
  return { name, id: bytes.slice(0, 4), signature: bytes.slice(4) };
}

/**
 * Code of what is wrong with a note that should be signed with this key; null if nothing is.
 * @param {Note} note @param {Key} key @returns {string | null}
 */
export function errorOf(note, key) {
  if (note.origin !== key.origin) return "other_origin";
  const own = note.signatures.find((one) => one.name === key.origin && same(one.id, key.id));
  if (!own) return "not_signed_by_key";
  const { signature } = own;
  const isValid = signature.length === 64 && isValidSignature(signature, bytesOf(note.body), key.point);
  return isValid ? null : "bad_signature";
}

/** The texts of the notes of a file. @param {string} text @returns {string[]} */
export function splitNotes(text) {
  const notes = text.match(/(?:[^\n]+\n)+\n(?:\u2014 [^\n]+\n)+/g) ?? [];
  if (notes.join("") !== text.replace(/^\n+/, "")) throw new InvalidNote("checkpoint_malformed");
  return notes;
}

/** The resguardo in an address, as the code of an acta has it; another text as it is. @param {string} text */
export const resguardoIn = (text) =>
  new URLSearchParams(/#(resguardo=\S+)$/.exec(text)?.[1]).get("resguardo") ?? text;

/**
 * A resguardo from its line: its note, and the encuentro, number of events and root. @throws {InvalidNote}
 * @param {string} line @returns {Resguardo}
 */
export function readResguardo(line) {
  const [format, origin, size, root, signature, encuentro, count, head, ...more] = line.split(" ");
  const headBytes = fromBase64(head ?? "");
  const isValid = format === "guinote-resguardo/1" && SIZE.test(count ?? "") && more.length === 0;
  if (!isValid || headBytes?.length !== 32) throw new InvalidNote("resguardo_malformed");
  const note = readNote(`${origin}\n${size}\n${root}\n\n${DASH} ${origin} ${signature}\n`);
  return { note, encuentro, count: Number(count), head: headBytes };
}
