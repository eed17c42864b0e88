// The page: what the user brings, what was found, in the user's language.

import { base64 } from "./hashing.js";
import { Malformed } from "./json.js";
import { Wrong, readNote, readResguardo, splitNotes } from "./note.js";
import { check, readProof } from "./proof.js";
import { isConclusion, languages, nameOf, preferred, say, speak, spoken, describe } from "./words.js";

/**
 * @import { Note, Resguardo } from "./note.js"
 * @import { Difference, Found, Proof, ProofEvent } from "./proof.js"
 * @typedef {{notes: Note[], resguardos: Resguardo[]}} Papers
 */

/** An element of the page, which has it. @type {(id: string) => HTMLElement} */
const by = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** @type {(id: string) => HTMLInputElement} */
const input = (id) => /** @type {HTMLInputElement} */ (by(id));
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
 * What was brought: the bytes of the proof and its name, and what was found in other files.
 * @type {{bytes: Uint8Array | null, name: string, key: string, papers: string[]}}
 */
const brought = { bytes: null, name: "", key: "", papers: [] };

/**
 * An element with a text, and what else it carries.
 * @template {keyof HTMLElementTagNameMap} T @param {T} tag @param {string | undefined} text
 * @param {Partial<HTMLElementTagNameMap[T]>} more @returns {HTMLElementTagNameMap[T]}
 */
function made(tag, text, more = {}) {
  const found = document.createElement(tag);
  found.textContent = text ?? "";
  Object.assign(found, more);
  return found;
}

// --- what is brought ------------------------------------------------------------------------------

/** @param {File[]} files */
async function take(files) {
  for (const file of files) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const text = new TextDecoder().decode(bytes);
    if (KEY.test(text)) input("key").value = brought.key = text.trim();
    else if (RESGUARDO.test(text) || /^\u2014 /m.test(text)) brought.papers.push(text);
    else Object.assign(brought, { bytes, name: file.name });
  }
  if (brought.papers.length) {
    input("paper").value = brought.papers.join("\n");
    by("more").toggleAttribute("open", true);
  }
  brought.papers = [];
  show();
  if (!input("key").value) by("more").toggleAttribute("open", true);
  if (brought.bytes) by("verdict").scrollIntoView({ block: "start" });
}

/**
 * Notes and resguardos in a text; null if there is something else in it.
 * @param {string} text @returns {Papers | null}
 */
function papersIn(text) {
  const lines = text.replace(/\r\n/g, "\n").trim();
  try {
    const resguardos = lines.split("\n").filter((line) => RESGUARDO.test(line));
    const rest = lines.split("\n").filter((line) => !RESGUARDO.test(line)).join("\n").trim();
    const notes = rest ? splitNotes(`${rest}\n`).map(readNote) : [];
    return { notes, resguardos: resguardos.map((line) => readResguardo(line.trim())) };
  } catch (error) {
    if (error instanceof Wrong) return null;
    throw error;
  }
}

// --- what is shown --------------------------------------------------------------------------------

function show() {
  for (const one of document.querySelectorAll("[data-say]")) {
    one.textContent = say(one.getAttribute("data-say") ?? "");
  }
  document.title = `${say("verifier.title")} · Guiñote`;
  by("chosen").textContent = brought.name;
  const papers = papersIn(input("paper").value);
  by("paper-wrong").hidden = papers !== null;
  if (!brought.bytes) return;
  const key = input("key").value.trim();
  try {
    const proof = readProof(brought.bytes);
    const found = check(proof, { key, ...papers });
    showVerdict(found.differences.length ? "altered" : "unaltered", key, found);
    showFound(proof, found, key, papers);
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    showVerdict("malformed", key, null);
    by("differences").replaceChildren(differenceItem(null, { what: "proof_malformed" }));
  }
}

/** @param {"altered" | "unaltered" | "malformed"} verdict @param {string} key @param {Found | null} found */
function showVerdict(verdict, key, found) {
  const box = by("verdict");
  const isOwnWord = verdict === "unaltered" && !key;
  Object.assign(box.dataset, { verdict, key: key ? "given" : "own" });
  const words = isOwnWord ? "own" : verdict;
  /** @type {HTMLElement} */ (box.querySelector("h2")).textContent = say(`verifier.verdict_${words}`);
  by("meaning").textContent = say(`verifier.means_${words}`);
  box.hidden = false;
  by("found").hidden = !found;
}

/** @param {Proof} proof @param {Found} found @param {string} key @param {Papers | null} papers */
function showFound(proof, found, key, papers) {
  const codes = new Set(found.differences.map((one) => one.what));
  const facts = { origin: found.checkpoint?.origin ?? "", n: proof.events.length };
  const steps = STEPS.map(([step, wrong]) => {
    const isWrong = wrong.some((code) => codes.has(code));
    return made("li", say(`verifier.${step}${isWrong ? "_no" : ""}`, facts), { className: isWrong ? "no" : "" });
  });
  if (!key) steps.push(made("li", say("verifier.compare_key"), { className: "open" }));
  const pending = proof.recorded - proof.events.length;
  if (pending > 0) steps.push(made("li", say("verifier.pending", { n: pending }), { className: "open" }));
  const brings = (papers?.notes.length ?? 0) + (papers?.resguardos.length ?? 0);
  if (brings) steps.push(paperStep(codes, papers, found));
  by("steps").replaceChildren(...steps);
  by("wrong").hidden = !found.differences.length;
  by("differences").replaceChildren(...found.differences.map((one) => differenceItem(proof, one)));
  by("facts").replaceChildren(...factsOf(proof, found));
  by("acts").replaceChildren(...actsOf(proof, found.differences));
}

/** @param {Set<string>} codes @param {Papers | null} papers @param {Found} found */
function paperStep(codes, papers, found) {
  const isWrong = PAPERS.some((code) => codes.has(code));
  const isCompared = (papers?.resguardos.length ?? 0) > 0 || found.compared.same > 0;
  const step = isWrong ? "papers_no" : isCompared ? "papers" : "papers_elsewhen";
  return made("li", say(`verifier.${step}`), { className: isWrong ? "no" : isCompared ? "" : "open" });
}

/** @param {Proof | null} proof @param {Partial<Difference> & {what: string}} one */
function differenceItem(proof, one) {
  const item = made("li", say(`verifier.code_${one.what}`));
  item.dataset.what = one.what;
  const { index, stream, version } = one;
  for (const [name, value] of Object.entries({ index, stream, version })) {
    if (value !== null && value !== undefined) item.dataset[name] = String(value);
  }
  const event = proof?.events.find(({ index, stream, version }) =>
    index === one.index && stream === one.stream && version === one.version);
  if (proof && event) {
    const words = [titleOf(proof, event.stream), describe(event), say("verifier.leaf", one)];
    item.append(made("span", words.join(" · "), { className: "where" }));
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
    ["root", checkpoint && base64(checkpoint.root), true],
    ["key", key?.text, true],
  ];
  return rows
    .filter(([, value]) => value)
    .flatMap(([name, value, isCode]) => [
      made("dt", say(`verifier.fact_${name}`)),
      made("dd", value ?? "", { className: isCode ? "code" : "" }),
    ]);
}

// --- the acts -------------------------------------------------------------------------------------

/** @param {Proof} proof @param {Difference[]} differences */
function actsOf(proof, differences) {
  const bad = new Set(differences.map((one) => one.index));
  /** @type {Map<string, ProofEvent[]>} */
  const streams = new Map();
  for (const one of proof.events) {
    streams.set(one.stream, [...(streams.get(one.stream) ?? []), one]);
  }
  return [...streams].map(([stream, events]) => {
    const block = made("details", "");
    const day = shownTime(timeOf(events[0]), { dateStyle: "medium" });
    const about = [titleOf(proof, stream), day, events.length].filter((word) => word);
    block.append(made("summary", about.join(" · ")));
    const list = made("ol", "");
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

/** @type {(event: ProofEvent) => string} */
const timeOf = ({ state }) => (typeof state.at === "string" ? state.at : "");

/**
 * A moment as this device writes it; one that is no moment as it stands.
 * @param {string} at @param {Intl.DateTimeFormatOptions} form
 */
function shownTime(at, form) {
  const moment = new Date(at);
  return Number.isNaN(moment.getTime()) ? at : new Intl.DateTimeFormat(spoken(), form).format(moment);
}

/** @param {ProofEvent} one @param {boolean} isBad */
function actItem(one, isBad) {
  const { line, by: author, on } = one.state;
  const item = made("li", "");
  const words = made("span", describe(one), { className: isConclusion(one) ? "concluded" : "" });
  const time = made("time", shownTime(timeOf(one), { timeStyle: "short" }), { dateTime: timeOf(one) });
  time.title = [timeOf(one), author, on].filter((word) => typeof word === "string").join(" · ");
  item.append(made("span", isConclusion(one) ? "" : String(line ?? "")), words, time);
  if (isBad) item.className = "bad";
  return item;
}

// --- the page -------------------------------------------------------------------------------------

function begin() {
  speak(preferred() ?? "");
  const menu = input("language");
  menu.append(...languages.map((code) => made("option", nameOf(code), { value: code })));
  menu.value = spoken();
  menu.addEventListener("change", () => {
    speak(menu.value);
    show();
  });
  input("files").addEventListener("change", () => take([...(input("files").files ?? [])]));
  for (const id of ["key", "paper"]) by(id).addEventListener("input", show);
  by("brought").addEventListener("submit", (event) => event.preventDefault());
  for (const kind of ["dragover", "dragleave", "drop"]) {
    document.addEventListener(kind, (event) => {
      event.preventDefault();
      document.body.classList.toggle("over", kind === "dragover");
      if (event instanceof DragEvent && kind === "drop") take([...(event.dataTransfer?.files ?? [])]);
    });
  }
  show();
}

begin();
