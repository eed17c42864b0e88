// Brings a backup in pieces.
import { sendInPieces } from "../html/pieces.js";
import { prefix } from "../html/prefix.js";
const PIECE = 192 * 1024;

const form = /** @type {HTMLFormElement} */ (document.querySelector("form[data-upload]"));
const input = /** @type {HTMLInputElement} */ (form.querySelector("input"));
const button = /** @type {HTMLButtonElement} */ (form.querySelector("button"));
const progress = /** @type {HTMLProgressElement} */ (form.querySelector("progress"));
const wrong = /** @type {HTMLElement} */ (form.querySelector("[role=alert]"));

/** @type {(file: File) => import("../html/pieces.js").SendPiece} */
const senderOf = (file) => async (id, at, body) => {
  const asked = new URLSearchParams({ id, at: String(at), size: String(file.size), name: file.name });
  const headers = { "Content-Type": "application/octet-stream" };
  const answer = await fetch(`${prefix}/casa/copias/subida?${asked}`, { method: "POST", body, headers }).catch(() => null);
  const isTaken = answer !== null && (answer.ok || answer.status === 409 || answer.status === 422);
  return isTaken ? answer.json() : null;
};

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const [file] = input.files ?? [];
  if (!file) return;
  [button.disabled, progress.hidden, wrong.hidden, progress.value] = [true, false, true, 0];
  const became = await sendInPieces(file, PIECE, senderOf(file), progress);
  if (became?.page) location.assign(became.page);
  const why = became ? became.wrong : form.dataset.failed;
  [button.disabled, progress.hidden, wrong.hidden] = [false, true, !why];
  wrong.textContent = why ?? "";
});
button.disabled = false;
