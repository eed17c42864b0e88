// Bytes, hashes, and the tree over the log (RFC 6962, RFC 9162).

import { sha256 } from "./vendor/noble-hashes-1.8.0/sha2.js";

const encoder = new TextEncoder();
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** UTF-8 of a text. @type {(text: string) => Uint8Array} */
export const bytesOf = (text) => encoder.encode(text);

/** The byte arrays, one after another. @param {...Uint8Array} parts @returns {Uint8Array} */
export function concatenated(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, one) => sum + one.length, 0));
  let at = 0;
  for (const one of parts) {
    whole.set(one, at);
    at += one.length;
  }
  return whole;
}

/** Whether two byte arrays are equal. @type {(one: Uint8Array, other: Uint8Array) => boolean} */
export const same = (one, other) =>
  one.length === other.length && one.every((byte, at) => byte === other[at]);

/** Base64 with padding. @type {(bytes: Uint8Array) => string} */
export const base64 = (bytes) => btoa(String.fromCharCode(...bytes));

/**
 * Bytes of canonical base64 with padding; null for any other text.
 * @param {string} text @returns {Uint8Array | null}
 */
export function fromBase64(text) {
  if (!BASE64.test(text)) return null;
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return base64(bytes) === text ? bytes : null;
}

/** Lower-case hexadecimal digits. @type {(bytes: Iterable<number>) => string} */
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Bytes as two people compare them: hexadecimal, in groups of four digits, four groups in a line. @type {(bytes: Uint8Array) => string} */
export const grouped = (bytes) => hex(bytes).replace(/.{4}(?=.)/g, "$& ").replace(/(.{19}) /g, "$1\n");

/** SHA-256 of several byte arrays, one after another. @type {(...parts: Uint8Array[]) => Uint8Array} */
export const sha = (...parts) => sha256(concatenated(...parts));

/** Hash of a leaf. @type {(entry: Uint8Array) => Uint8Array} */
export const leafHash = (entry) => sha(Uint8Array.of(0), entry);

/** Hash of a node of the tree. @type {(left: Uint8Array, right: Uint8Array) => Uint8Array} */
export const nodeHash = (left, right) => sha(Uint8Array.of(1), left, right);

/** @type {(number: number) => boolean} */
const isOdd = (number) => number % 2 === 1;
/** @type {(number: number) => number} */
const half = (number) => Math.floor(number / 2);

/**
 * Whether an inclusion proof leads from a leaf to the root (RFC 9162, 2.1.3.2).
 * @param {Uint8Array} leaf @param {number} index @param {number} size @param {Uint8Array[]} path @param {Uint8Array} root
 */
export function isIncluded(leaf, index, size, path, root) {
  if (index < 0 || index >= size) return false;
  let [place, last, found] = [index, size - 1, leaf];
  for (const one of path) {
    if (last === 0) return false;
    if (isOdd(place) || place === last) {
      found = nodeHash(one, found);
      while (!isOdd(place) && place !== 0) [place, last] = [half(place), half(last)];
    } else {
      found = nodeHash(found, one);
    }
    [place, last] = [half(place), half(last)];
  }
  return last === 0 && same(found, root);
}

/** Root of the tree of these leaves (RFC 9162, 2.1.1). @param {Uint8Array[]} leaves @returns {Uint8Array} */
export function rootOf(leaves) {
  if (leaves.length === 0) return sha();
  if (leaves.length === 1) return leaves[0];
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return nodeHash(rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)));
}
