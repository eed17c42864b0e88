// Brings the file of a club in pieces before its form is sent, if it is too large for a request.
import { sendInPieces } from "../html/pieces.js";
import { prefix } from "../html/prefix.js";
const PIECE = 128 * 1024;

/** @type {(piece: Blob) => Promise<string>} */
const base64Of = async (piece) => {
  const bytes = new Uint8Array(await piece.arrayBuffer());
  return btoa(Array.from(bytes, (one) => String.fromCharCode(one)).join(""));
};

/** @type {(size: number) => import("../html/pieces.js").SendPiece} */
const senderOf = (size) => async (upload, at, blob) => {
  const body = JSON.stringify({ upload, at, size, piece: await base64Of(blob) });
  const asked = { method: "POST", body, headers: { "Content-Type": "application/json" } };
  const answer = await fetch(`${prefix}/api/v1/rankings/files?lang=${document.documentElement.lang}`, asked).catch(() => null);
  if (answer === null) return null;
  const said = await answer.json().catch(() => ({}));
  return answer.ok ? said : { wrong: said.detail };
};

for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form[data-pieces]"))) {
  const input = /** @type {HTMLInputElement} */ (form.querySelector("input[type=file]"));
  const upload = /** @type {HTMLInputElement} */ (form.querySelector("input[name=upload]"));
  const button = /** @type {HTMLButtonElement} */ (form.querySelector("button"));
  const progress = /** @type {HTMLProgressElement} */ (form.querySelector("progress"));
  const wrong = /** @type {HTMLElement} */ (form.querySelector("[role=alert]"));
  form.addEventListener("submit", async (event) => {
    const [file] = input.files ?? [];
    if (!file || file.size <= PIECE) return;
    event.preventDefault();
    [button.disabled, progress.hidden, wrong.hidden, progress.value] = [true, false, true, 0];
    const became = await sendInPieces(file, PIECE, senderOf(file.size), progress);
    if (became?.there === file.size) {
      upload.value = became.id;
      input.disabled = true;
      form.submit();
      return;
    }
    [button.disabled, progress.hidden, wrong.hidden] = [false, true, false];
    wrong.textContent = became?.wrong ?? form.dataset.failed ?? "";
  });
}
