// The page: reads the files of the user, shows the result of the check in the language of the user.

import { grouped } from "./hashing.js";
import { MalformedJson } from "./json.js";
import { InvalidNote, readNote, readResguardo, resguardoIn, splitNotes } from "./note.js";
import { actsOfOnePrincipal } from "./principals.js";
import { check, readProof } from "./proof.js";
import { isConclusion, languages, languageName, preferredLanguage, say, setLanguage, currentLanguage, describe } from "./words.js";

/**
 * @import { MissingPart } from "./completeness.js"
 * @import { Note, Resguardo } from "./note.js"
 * @import { OnePrincipal } from "./principals.js"
 * @import { Difference, Found, Proof, ProofEvent } from "./proof.js"
 * @typedef {{notes: Note[], resguardos: Resguardo[]}} Papers
 */

/** The element with this id, which the page always has. @type {(id: string) => HTMLElement} */
const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** @type {(id: string) => HTMLInputElement} */
const input = (id) => /** @type {HTMLInputElement} */ (element(id));
const KEY = /^[^\s+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]+=*\s*$/;
const RESGUARDO = /^guinote-resguardo\//;
/** @type {[string, string[]][]} */
const STEPS = [
  ["signature", ["key_malformed", "other_key", "checkpoint_malformed", "other_origin", "not_signed_by_key", "bad_signature"]],
  ["content", ["entry_differs"]],
  ["included", ["not_included", "index_order"]],
  ["complete", ["version_gap", "count_differs"]],
  ["ours", ["foreign_stream", "stream_twice", "stream_missing"]],
];
const PAPERS = ["root_differs", "head_differs", "events_missing", "other_encuentro"];

/**
 * What the user loaded: the proof file and its name, a key, and texts of resguardos and checkpoints.
 * @type {{bytes: Uint8Array | null, name: string, key: string, papers: string[]}}
 */
const loaded = { bytes: null, name: "", key: "", papers: [] };

/**
 * A new element with a text and other properties.
 * @template {keyof HTMLElementTagNameMap} T @param {T} tag @param {string | undefined} text
 * @param {Partial<HTMLElementTagNameMap[T]>} more @returns {HTMLElementTagNameMap[T]}
 */
function created(tag, text, more = {}) {
  const found = document.createElement(tag);
  found.textContent = text ?? "";
  Object.assign(found, more);
  return found;
}

// --- files ----------------------------------------------------------------------------------------

/** @param {File[]} files */
async function readFiles(files) {
  for (const file of files) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const text = new TextDecoder().decode(bytes);
    if (KEY.test(text)) input("key").value = loaded.key = text.trim();
    else if (RESGUARDO.test(resguardoIn(text.trim())) || /^\u2014 /m.test(text)) loaded.papers.push(text);
    else Object.assign(loaded, { bytes, name: file.name });
  }
  if (loaded.papers.length) {
    input("paper").value = loaded.papers.join("\n");
    element("more").toggleAttribute("open", true);
  }
  loaded.papers = [];
  show();
  if (!input("key").value) element("more").toggleAttribute("open", true);
  if (loaded.bytes) element("verdict").scrollIntoView({ block: "start" });
}

/**
 * Notes and resguardos of a text; null if anything else is in it.
 * @param {string} text @returns {Papers | null}
 */
function parsePapers(text) {
  const lines = text.replace(/\r\n/g, "\n").trim().split("\n").map(resguardoIn);
  try {
    const resguardos = lines.filter((line) => RESGUARDO.test(line));
    const rest = lines.filter((line) => !RESGUARDO.test(line)).join("\n").trim();
    const notes = rest ? splitNotes(`${rest}\n`).map(readNote) : [];
    return { notes, resguardos: resguardos.map((line) => readResguardo(line.trim())) };
  } catch (error) {
    if (error instanceof InvalidNote) return null;
    throw error;
  }
}

// --- result ---------------------------------------------------------------------------------------

function show() {
  for (const one of document.querySelectorAll("[data-say]")) {
    one.textContent = say(one.getAttribute("data-say") ?? "");
  }
  document.title = `${document.querySelector("h1")?.textContent} · Guiñote`;
  element("chosen").textContent = loaded.name;
  const papers = parsePapers(input("paper").value);
  element("paper-wrong").hidden = papers !== null;
  if (!loaded.bytes) return;
  const key = input("key").value.trim();
  try {
    const proof = readProof(loaded.bytes);
    const found = check(proof, { key, ...papers });
    const whole = found.missing.length ? "incomplete" : "unaltered";
    showVerdict(found.differences.length ? "altered" : whole, key, found);
    showFound(proof, found, key, papers);
  } catch (error) {
    if (!(error instanceof MalformedJson)) throw error;
    showVerdict("malformed", key, null);
    element("differences").replaceChildren(differenceItem(null, { what: "proof_malformed" }));
  }
}

/** @param {"altered" | "unaltered" | "incomplete" | "malformed"} verdict @param {string} key @param {Found | null} found */
function showVerdict(verdict, key, found) {
  const box = element("verdict");
  const hasOwnKeyOnly = ["unaltered", "incomplete"].includes(verdict) && !key;
  Object.assign(box.dataset, { verdict, key: key ? "given" : "own" });
  const text = hasOwnKeyOnly ? "own" : verdict;
  /** @type {HTMLElement} */ (box.querySelector("h2")).textContent = say(`verifier.verdict_${text}`);
  element("meaning").textContent = say(`verifier.means_${text}`);
  box.hidden = false;
  element("found").hidden = !found;
}

/** @param {Proof} proof @param {Found} found @param {string} key @param {Papers | null} papers */
function showFound(proof, found, key, papers) {
  const codes = new Set(found.differences.map((one) => one.what));
  const facts = { origin: found.checkpoint?.origin ?? "", n: proof.events.length };
  const steps = STEPS.map(([step, wrong]) => {
    const isWrong = wrong.some((code) => codes.has(code));
    return created("li", say(`verifier.${step}${isWrong ? "_no" : ""}`, facts), { className: isWrong ? "no" : "" });
  });
  if (!key) steps.push(keyStep(found));
  if (found.isClosed) steps.push(created("li", say("verifier.closed")));
  steps.push(...found.missing.map((one) => missingStep(proof, one)));
  steps.push(...(found.differences.length ? [] : actsOfOnePrincipal(proof)).map(principalStep));
  const paperCount = (papers?.notes.length ?? 0) + (papers?.resguardos.length ?? 0);
  if (paperCount) steps.push(paperStep(codes, papers, found));
  element("steps").replaceChildren(...steps);
  element("wrong").hidden = !found.differences.length;
  element("differences").replaceChildren(...found.differences.map((one) => differenceItem(proof, one)));
  element("facts").replaceChildren(...factsOf(proof, found));
  element("acts").replaceChildren(...actsOf(proof, found.differences));
}

/** The key that the proof brings, to be compared by eye with the poster. @param {Found} found */
function keyStep({ key }) {
  const step = created("li", say("verifier.compare_key"), { className: "open" });
  if (!key) return step;
  const same = created("button", say("verifier.same_key"), { type: "button", id: "same-key" });
  same.addEventListener("click", () => {
    input("key").value = key.text;
    show();
  });
  step.append(created("code", grouped(key.point), { className: "groups" }), same);
  return step;
}

/** @param {Proof} proof @param {MissingPart} one */
function missingStep(proof, one) {
  const { line } = proof.events.find(({ index }) => index === one.index)?.state ?? {};
  const item = created("li", say(`verifier.missing_${one.what}`, { n: one.number ?? "", line: line ?? "" }), { className: "open" });
  item.dataset.missing = one.what;
  for (const name of /** @type {const} */ (["index", "stream", "version", "number"])) {
    if (one[name] !== null) item.dataset[name] = String(one[name]);
  }
  return item;
}

/** Note of an act by one principal where a club may require two. @param {OnePrincipal} one */
function principalStep({ noted, side, event }) {
  const item = created("li", say(`one_principal.${noted}`, { side }), { className: "open" });
  Object.assign(item.dataset, { noted, index: String(event.index) });
  return item;
}

/** @param {Set<string>} codes @param {Papers | null} papers @param {Found} found */
function paperStep(codes, papers, found) {
  const isWrong = PAPERS.some((code) => codes.has(code));
  const isCompared = (papers?.resguardos.length ?? 0) > 0 || found.compared.sameSize > 0;
  const step = isWrong ? "papers_no" : isCompared ? "papers" : "papers_elsewhen";
  return created("li", say(`verifier.${step}`), { className: isWrong ? "no" : isCompared ? "" : "open" });
}

/** @param {Proof | null} proof @param {Partial<Difference> & {what: string}} one */
function differenceItem(proof, one) {
  const item = created("li", say(`verifier.code_${one.what}`));
  item.dataset.what = one.what;
  const { index, stream, version } = one;
  for (const [name, value] of Object.entries({ index, stream, version })) {
    if (value !== null && value !== undefined) item.dataset[name] = String(value);
  }
  const event = proof?.events.find(({ index, stream, version }) =>
    index === one.index && stream === one.stream && version === one.version);
  if (proof && event) {
    const words = [titleOf(proof, event.stream), describe(event), say("verifier.leaf", one)];
    item.append(created("span", words.join(" · "), { className: "where" }));
  }
  return item;
}

/** @param {Proof} proof @param {Found} found */
function factsOf(proof, { checkpoint, key }) {
  /** @type {[string, string | null | undefined, boolean?][]} */
  const rows = [
    ["encuentro", proof.encuentro, true],
    ["events", String(proof.events.length)],
    ["origin", checkpoint?.origin],
    ["size", checkpoint && String(checkpoint.size)],
    ["root", checkpoint && grouped(checkpoint.root), true],
    ["key_groups", key && grouped(key.point), true],
    ["key", key?.text, true],
  ];
  return rows
    .filter(([, value]) => value)
    .flatMap(([name, value, isCode]) => [
      created("dt", say(`verifier.fact_${name}`)),
      created("dd", value ?? "", { className: isCode ? "code" : "" }),
    ]);
}

// --- events ---------------------------------------------------------------------------------------

/** @param {Proof} proof @param {Difference[]} differences */
function actsOf(proof, differences) {
  const bad = new Set(differences.map((one) => one.index));
  /** @type {Map<string, ProofEvent[]>} */
  const streams = new Map();
  for (const one of proof.events) {
    streams.set(one.stream, [...(streams.get(one.stream) ?? []), one]);
  }
  return [...streams].map(([stream, events]) => {
    const block = created("details", "");
    const day = shownTime(timeOf(events[0]), { dateStyle: "medium" });
    const about = [titleOf(proof, stream), day, events.length].filter((word) => word);
    block.append(created("summary", about.join(" · ")));
    const list = created("ol", "");
    list.append(...events.map((one) => actItem(one, bad.has(one.index))));
    block.append(list);
    return block;
  });
}

/** @param {Proof} proof @param {string} stream @returns {string} */
function titleOf(proof, stream) {
  if (stream === proof.encuentro.replace(/-/g, "")) return say("page.encuentro");
  const first = /** @type {ProofEvent} */ (proof.events.find((one) => one.stream === stream));
  const number = first.state.fact?.number;
  const isPartida = first.name.startsWith("PartidaOpened.") && Number.isInteger(number);
  return isPartida ? `${say("page.partida")} ${number}` : describe(first);
}

/** A time with its zone, which is that of this device: a proof names none. @type {Intl.DateTimeFormatOptions} */
const WITH_ZONE = { hour: "2-digit", minute: "2-digit", timeZoneName: "short" };

/** @type {(event: ProofEvent) => string} */
const timeOf = ({ state }) => (typeof state.at === "string" ? state.at : "");

/**
 * A time in the format of this device; a text that is not a time is shown unchanged.
 * @param {string} at @param {Intl.DateTimeFormatOptions} form
 */
function shownTime(at, form) {
  const moment = new Date(at);
  return Number.isNaN(moment.getTime()) ? at : new Intl.DateTimeFormat(currentLanguage(), form).format(moment);
}

/** @param {ProofEvent} one @param {boolean} isBad */
function actItem(one, isBad) {
  const { line, by: author, on } = one.state;
  const item = created("li", "");
  const description = created("span", describe(one), { className: isConclusion(one) ? "concluded" : "" });
  const time = created("time", shownTime(timeOf(one), WITH_ZONE), { dateTime: timeOf(one) });
  time.title = [timeOf(one), author, on].filter((word) => typeof word === "string").join(" · ");
  item.append(created("span", isConclusion(one) ? "" : String(line ?? "")), description, time);
  if (isBad) item.className = "bad";
  return item;
}

/** The proof that the page brings, and the resguardo in its address (`#resguardo=…`), as the code of an acta has it. */
function readInside() {
  const proof = element("proof").textContent;
  if (proof) loaded.bytes = new TextEncoder().encode(proof);
  const paper = resguardoIn(location.hash);
  if (RESGUARDO.test(paper)) input("paper").value = paper;
}

// --- start ----------------------------------------------------------------------------------------

function start() {
  // A saved copy is on no site that has these pages.
  element("leading-on").hidden = !location.protocol.startsWith("http") || !location.pathname.endsWith("/verificador");
  readInside();
  const { lang, className } = document.documentElement; // a page that tells something has a language of its own
  setLanguage((className ? lang : preferredLanguage()) ?? "");
  const menu = input("language");
  menu.append(...languages.map((code) => created("option", languageName(code), { value: code })));
  menu.value = currentLanguage();
  menu.addEventListener("change", () => {
    setLanguage(menu.value);
    show();
  });
  input("files").addEventListener("change", () => readFiles([...(input("files").files ?? [])]));
  for (const id of ["key", "paper"]) element(id).addEventListener("input", show);
  element("brought").addEventListener("submit", (event) => event.preventDefault());
  for (const kind of ["dragover", "dragleave", "drop"]) {
    document.addEventListener(kind, (event) => {
      event.preventDefault();
      document.body.classList.toggle("over", kind === "dragover");
      if (event instanceof DragEvent && kind === "drop") readFiles([...(event.dataTransfer?.files ?? [])]);
    });
  }
  show();
}

start();
