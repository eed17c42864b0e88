// Sends a backup in pieces, each as large as a request may be; a piece that was lost is sent again.
import { prefix } from "../html/prefix.js";
const PIECE = 192 * 1024;
const MOST_TRIES = 5;
const TRIED_AGAIN_MS = 1_000;

/** @typedef {{there?: number, page?: string, wrong?: string}} Uploaded */

const form = /** @type {HTMLFormElement} */ (document.querySelector("form[data-upload]"));
const input = /** @type {HTMLInputElement} */ (form.querySelector("input"));
const button = /** @type {HTMLButtonElement} */ (form.querySelector("button"));
const progress = /** @type {HTMLProgressElement} */ (form.querySelector("progress"));
const wrong = /** @type {HTMLElement} */ (form.querySelector("[role=alert]"));

/** What became of a piece; null if nobody answered. @type {(file: File, id: string, at: number) => Promise<Uploaded | null>} */
const send = async (file, id, at) => {
  const asked = new URLSearchParams({ id, at: String(at), size: String(file.size), name: file.name });
  const body = file.slice(at, at + PIECE);
  const headers = { "Content-Type": "application/octet-stream" };
  const answer = await fetch(`${prefix}/casa/copias/subida?${asked}`, { method: "POST", body, headers }).catch(() => null);
  const isTaken = answer !== null && (answer.ok || answer.status === 409 || answer.status === 422);
  return isTaken ? answer.json() : null;
};

/** @type {(file: File) => Promise<Uploaded>} */
const bring = async (file) => {
  const id = [...crypto.getRandomValues(new Uint8Array(8))].map((one) => one.toString(16).padStart(2, "0")).join("");
  let at = 0;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const became = await send(file, id, at);
    if (became?.page || became?.wrong) return became;
    if (became?.there !== undefined && became.there !== at) {
      at = became.there;
      progress.value = at / file.size;
      tries = -1;
    } else await new Promise((resolve) => setTimeout(resolve, TRIED_AGAIN_MS));
  }
  return { wrong: form.dataset.failed };
};

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const [file] = input.files ?? [];
  if (!file) return;
  [button.disabled, progress.hidden, wrong.hidden, progress.value] = [true, false, true, 0];
  const became = await bring(file);
  if (became.page) location.assign(became.page);
  [button.disabled, progress.hidden, wrong.hidden] = [false, true, !became.wrong];
  wrong.textContent = became.wrong ?? "";
});
button.disabled = false;
