// The short name of an address follows the name of the club until somebody types it, and is told at once if no club can have it.
import { prefix } from "../html/prefix.js";

const ASKED_AFTER_MS = 300;
const LONGEST = 30;
const name = /** @type {HTMLInputElement} */ (document.getElementById("name"));
const short = /** @type {HTMLInputElement} */ (document.getElementById("short"));
const taken = /** @type {HTMLElement} */ (document.getElementById("taken"));
let isOwn = short.value !== "";
let waiting = 0;

/** @param {string} text */
const shortNameOf = (text) =>
  text
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, LONGEST)
    .replace(/-+$/, "");

const ask = async () => {
  const asked = short.value.trim().toLowerCase();
  const lang = document.documentElement.lang;
  const answer = asked && (await fetch(`${prefix}/libre?corto=${encodeURIComponent(asked)}&lang=${lang}`).catch(() => null));
  const fault = answer && answer.ok ? (await answer.json()).fault : "";
  if (asked !== short.value.trim().toLowerCase()) return;
  taken.textContent = fault;
  taken.hidden = !fault;
  short.setAttribute("aria-invalid", String(Boolean(fault)));
  short.setAttribute("aria-describedby", taken.id);
  document.getElementById("wrong-short")?.remove();
};

const askSoon = () => {
  clearTimeout(waiting);
  waiting = window.setTimeout(ask, ASKED_AFTER_MS);
};

name.addEventListener("input", () => {
  if (isOwn) return;
  short.value = shortNameOf(name.value);
  askSoon();
});
short.addEventListener("input", () => {
  isOwn = short.value !== "";
  askSoon();
});
