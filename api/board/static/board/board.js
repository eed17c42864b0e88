// A board: the HTML of the server, replaced part by part when it changes.
import { follow } from "./follow.js";

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const state = /** @type {HTMLElement} */ (document.getElementById("state"));

/** Parts of a page by their names, in order. @param {Element} page */
const partsOf = (page) =>
  new Map(
    Array.from(page.querySelectorAll("[data-part]"), (part) => [part.getAttribute("data-part"), part]),
  );

/** HTML of each part as the server sent it last; what is in the page may have been hidden by the pages of a wall. @param {Map<string | null, Element>} parts */
const sentBy = (parts) => new Map(Array.from(parts, ([name, part]) => [name, part.innerHTML]));

const MOMENT_MS = 7_000;

/** Cantes of a page, as they are sung. @param {HTMLElement} page */
const sungIn = (page) =>
  Array.from(
    /** @type {NodeListOf<HTMLElement>} */ (page.querySelectorAll("[data-sung]")),
    (one) => ({ one, words: one.dataset.sung ?? "" }),
  );

/** Show for a moment each cante that was not there before. @param {string[]} before */
const showSung = (before) => {
  for (const { one, words } of sungIn(main)) {
    const at = before.indexOf(words);
    if (at >= 0) {
      before.splice(at, 1);
      continue;
    }
    one.classList.add("now");
    setTimeout(() => one.classList.remove("now"), MOMENT_MS);
  }
};

let sent = sentBy(partsOf(main));

/** Replace the parts that changed. Equal parts stay in the page, so that focus and touches on them are not lost. @param {HTMLElement} fresh */
const put = (fresh) => {
  const [old, now] = [partsOf(main), partsOf(fresh)];
  const [before, after] = [sent, sentBy(now)];
  sent = after;
  const sung = sungIn(main).map(({ words }) => words);
  const focused = document.activeElement?.getAttribute("href");
  if ([...old.keys()].join() !== [...now.keys()].join()) main.replaceChildren(...fresh.childNodes);
  else
    for (const [name, part] of now) {
      if (before.get(name) === after.get(name)) continue;
      old.get(name)?.replaceWith(part);
      part.classList.add("fresh");
    }
  showSung(sung);
  if (focused && document.activeElement === document.body)
    /** @type {HTMLElement | null} */ (main.querySelector(`a[href="${CSS.escape(focused)}"]`))?.focus();
};

/** Fetch and show the current HTML of the server. After an update of the program the page is reloaded. */
const renew = async () => {
  const answer = await fetch(location.href, { cache: "no-store", signal: AbortSignal.timeout?.(10_000) });
  if (!answer.ok) throw new Error(String(answer.status));
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.getElementById("main");
  if (!fresh?.dataset.tag) throw new Error("no board");
  if (fresh.dataset.program !== main.dataset.program) location.reload();
  document.title = page.title;
  document.body.className = page.body.className;
  put(fresh);
  return fresh.dataset.tag;
};

/** Show how old the content may be. @type {import("./follow.js").Board["tell"]} */
const tell = (now, heard) => {
  if (now === "lost") {
    const time = /** @type {HTMLTimeElement} */ (state.querySelector("time"));
    const since = new Date(heard);
    time.dateTime = since.toISOString();
    time.textContent = since.toLocaleTimeString(document.documentElement.lang, {
      hour: "2-digit",
      minute: "2-digit",
      timeZone: document.documentElement.dataset.timeZone,
    });
  }
  if (state.dataset.state === now) return;
  state.dataset.state = now;
  for (const one of state.querySelectorAll("[data-when]"))
    one.toggleAttribute("hidden", one.getAttribute("data-when") !== now);
};

/** Keep the screen on, if the browser can. */
const stayAwake = () => {
  if (!document.hidden) navigator.wakeLock?.request("screen").catch(() => {});
};

/** Show the way home and the help, which a page without scripts has not: it hangs on a wall. */
document.querySelector(".leading-on")?.removeAttribute("hidden");
document.addEventListener("visibilitychange", stayAwake);
stayAwake();
follow({ view: main.dataset.view ?? "", tag: main.dataset.tag ?? "", renew, tell });
