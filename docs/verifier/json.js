// Strict JSON and its canonical form (RFC 8785). The browser's own reader is too lenient here: it
// takes the last of two equal keys and rounds large numbers, so two readers could see two records.

/** What is not JSON as a proof has it, with the place where it stops being that. */
export class Malformed extends Error {}

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)/y;
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const WHOLE_PAIR = /[\ud800-\udbff][\udc00-\udfff]/g;
const HALF = /[\ud800-\udfff]/;
/** @type {Record<string, string>} */
const ESCAPED = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };
/** @type {Record<string, [string, boolean | null]>} */
const WORDS = { t: ["true", true], f: ["false", false], n: ["null", null] };
const DEEPEST = 100;

/**
 * Value of a whole text. Objects have no prototype, numbers are whole. @throws {Malformed}
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
    throw new Malformed(`${what} (${this.at})`);
  }

  /** What a pattern takes from here; empty if nothing. @param {RegExp} pattern */
  skip(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (!found) return "";
    this.at += found[0].length;
    return found[0];
  }

  /** Whether this sign comes next; it is taken then. @param {string} sign */
  takes(sign) {
    this.skip(SPACE);
    if (this.text[this.at] !== sign) return false;
    this.at += 1;
    return true;
  }

  /** @param {string} sign */
  wants(sign) {
    if (!this.takes(sign)) this.fail(`${sign} expected`);
  }

  /** @param {number} depth @returns {any} */
  value(depth) {
    if (depth > DEEPEST) this.fail("too deep");
    if (this.takes("{")) return this.object(depth);
    if (this.takes("[")) return this.list(depth);
    if (this.takes('"')) return this.string();
    const word = WORDS[this.text[this.at]];
    if (word && this.text.startsWith(word[0], this.at)) {
      this.at += word[0].length;
      return word[1];
    }
    return this.number();
  }

  /** @param {number} depth @returns {Record<string, any>} */
  object(depth) {
    const found = Object.create(null);
    if (this.takes("}")) return found;
    do {
      this.wants('"');
      const key = this.string();
      if (key in found) this.fail(`twice: ${key}`);
      this.wants(":");
      found[key] = this.value(depth + 1);
    } while (this.takes(","));
    this.wants("}");
    return found;
  }

  /** @param {number} depth @returns {any[]} */
  list(depth) {
    /** @type {any[]} */
    const found = [];
    if (this.takes("]")) return found;
    do found.push(this.value(depth + 1));
    while (this.takes(","));
    this.wants("]");
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
      found += this.skip(PLAIN);
      const sign = this.text[this.at];
      this.at += 1;
      if (sign === '"') break;
      if (sign !== "\\") this.fail("a string without end");
      found += this.escape();
    }
    if (HALF.test(found.replace(WHOLE_PAIR, ""))) this.fail("half a sign");
    return found;
  }

  escape() {
    const sign = this.text[this.at];
    this.at += 1;
    if (sign in ESCAPED) return ESCAPED[sign];
    const digits = this.text.slice(this.at, this.at + 4);
    if (sign !== "u" || !/^[0-9a-fA-F]{4}$/.test(digits)) this.fail("no such escape");
    this.at += 4;
    return String.fromCharCode(parseInt(digits, 16));
  }
}

/** The one text of a value: keys sorted by their UTF-16 units, no blanks. @param {any} value @returns {string} */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
  return `{${members.join(",")}}`;
}
