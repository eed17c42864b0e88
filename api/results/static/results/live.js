// Keeps the tables of a page up to date: parts marked data-live are replaced when they change on the server.
import { follow } from "../board/follow.js";
import { countUndos } from "./undo.js";

const root = /** @type {HTMLElement | null} */ (document.querySelector("[data-view]"));

/** What a part shows, without what is new in every answer. @param {Element} part */
const content = (part) => {
  const copy = /** @type {Element} */ (part.cloneNode(true));
  for (const one of copy.querySelectorAll("form.undo, input[name=key]")) one.remove();
  return copy.innerHTML;
};

/** Whether somebody is in the middle of something in a part. @param {Element} part */
const isUsed = (part) => {
  const fields = Array.from(part.querySelectorAll("input[type=number]"));
  const isTyped = fields.some((one) => one instanceof HTMLInputElement && one.value !== one.defaultValue);
  return isTyped || part.querySelector("details[open]") !== null;
};

/** Whether a part is older than the last answer, since somebody uses it. */
let isBehind = false;

/** Put what changed into the page. @param {Document} fresh */
const put = (fresh) => {
  isBehind = false;
  for (const part of document.querySelectorAll("[data-live]")) {
    const now = fresh.getElementById(part.id);
    if (!now || content(now) === content(part)) continue;
    if (isUsed(part)) {
      isBehind = true;
      continue;
    }
    const hadFocus = part.contains(document.activeElement);
    part.innerHTML = now.innerHTML;
    part.setAttribute("data-tag", now.getAttribute("data-tag") ?? "");
    if (hadFocus) /** @type {HTMLElement | null} */ (part.querySelector("button, a, summary"))?.focus();
  }
};

/** Fetch the page again; returns the tag of what it shows, which is none while a part is behind. */
const renew = async () => {
  const answer = await fetch(location.href, { cache: "no-store", signal: AbortSignal.timeout?.(10_000) });
  if (!answer.ok) throw new Error(String(answer.status));
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  put(page);
  countUndos();
  return isBehind ? "" : (page.querySelector("[data-view]")?.getAttribute("data-tag") ?? "");
};

/** What could not be replaced is, once it is folded again. */
const renewLater = () => {
  if (isBehind) renew().catch(console.warn);
};

countUndos();
document.addEventListener("toggle", renewLater, { capture: true }); // it does not bubble
if (root)
  follow({ view: root.dataset.view ?? "", tag: root.dataset.tag ?? "", renew, tell: () => {} });
