// Strict JSON and its canonical form (RFC 8785). JSON.parse is too lenient here: of two equal keys it
// takes the last one, and it rounds large numbers. Two readers could then read two different records.

/** A text that is not strict JSON; the message ends with the offset of the error. */
export class MalformedJson extends Error {}

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)/y;
const UNESCAPED = /[^"\\\u0000-\u001f]*/y;
const SURROGATE_PAIR = /[\ud800-\udbff][\udc00-\udfff]/g;
const SURROGATE = /[\ud800-\udfff]/;
/** @type {Record<string, string>} */
const ESCAPES = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };
/** @type {Record<string, [string, boolean | null]>} */
const LITERALS = { t: ["true", true], f: ["false", false], n: ["null", null] };
const MAX_DEPTH = 100;

/**
 * Value of a whole text. Objects have no prototype, numbers are whole. @throws {MalformedJson}
 * @param {string} text @returns {any}
 */
export function read(text) {
  const reader = new Reader(text);
  const value = reader.value(0);
  reader.skip(SPACE);
  if (reader.at !== text.length) reader.fail("more than one value");
  return value;
}

class Reader {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  /** @param {string} what @returns {never} */
  fail(what) {
    throw new MalformedJson(`${what} (${this.at})`);
  }

  /** Skip what a pattern matches here; returns the text, empty without a match. @param {RegExp} pattern */
  skip(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (!found) return "";
    this.at += found[0].length;
    return found[0];
  }

  /** Whether this character comes next; if so, it is consumed. @param {string} character */
  accepts(character) {
    this.skip(SPACE);
    if (this.text[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  /** @param {string} character */
  expects(character) {
    if (!this.accepts(character)) this.fail(`${character} expected`);
  }

  /** @param {number} depth @returns {any} */
  value(depth) {
    if (depth > MAX_DEPTH) this.fail("nested too deeply");
    if (this.accepts("{")) return this.object(depth);
    if (this.accepts("[")) return this.list(depth);
    if (this.accepts('"')) return this.string();
    const literal = LITERALS[this.text[this.at]];
    if (literal && this.text.startsWith(literal[0], this.at)) {
      this.at += literal[0].length;
      return literal[1];
    }
    return this.number();
  }

  /** @param {number} depth @returns {Record<string, any>} */
  object(depth) {
    const found = Object.create(null);
    if (this.accepts("}")) return found;
    do {
      this.expects('"');
      const key = this.string();
      if (key in found) this.fail(`duplicate key: ${key}`);
      this.expects(":");
      found[key] = this.value(depth + 1);
    } while (this.accepts(","));
    this.expects("}");
    return found;
  }

  /** @param {number} depth @returns {any[]} */
  list(depth) {
    /** @type {any[]} */
    const found = [];
    if (this.accepts("]")) return found;
    do found.push(this.value(depth + 1));
    while (this.accepts(","));
    this.expects("]");
    return found;
  }

  number() {
    const digits = this.skip(NUMBER);
    if (!digits || /[.eE0-9]/.test(this.text[this.at] ?? "")) this.fail("not a whole number");
    const value = Number(digits);
    if (!Number.isSafeInteger(value)) this.fail("too large a number");
    return value === 0 ? 0 : value;
  }

  string() {
    let found = "";
    for (;;) {
      found += this.skip(UNESCAPED);
      const character = this.text[this.at];
      this.at += 1;
      if (character === '"') break;
      if (character !== "\\") this.fail("unterminated string");
      found += this.escape();
    }
    if (SURROGATE.test(found.replace(SURROGATE_PAIR, ""))) this.fail("lone surrogate");
    return found;
  }

  escape() {
    const character = this.text[this.at];
    this.at += 1;
    if (character in ESCAPES) return ESCAPES[character];
    const digits = this.text.slice(this.at, this.at + 4);
    if (character !== "u" || !/^[0-9a-fA-F]{4}$/.test(digits)) this.fail("unknown escape");
    this.at += 4;
    return String.fromCharCode(parseInt(digits, 16));
  }
}

/** Canonical text of a value: keys sorted by their UTF-16 units, no spaces. @param {any} value @returns {string} */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
  return `{${members.join(",")}}`;
}
