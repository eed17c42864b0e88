// A wall: what is shown is never taller than the screen. It is as large as it fits; what does not fit is shown page by page.

const TURN_MS = 12_000;
const REST_MS = 60_000; // a pointer that rests so long holds the page no longer: it was forgotten on a television
const STEPS = 6; // sizes of the style sheet, the largest first
const NAMES = ["full", "short"];
const WIDE = matchMedia("(min-width: 60rem) and (min-height: 30rem) and (orientation: landscape)");

const root = document.documentElement;
const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const turns = /** @type {HTMLElement} */ (document.getElementById("turns"));
const told = /** @type {HTMLElement} */ (turns.querySelector("[data-text]"));
const holder = /** @type {HTMLElement} */ (turns.querySelector("[data-hold]"));

/** @type {HTMLElement[][]} */
let pages = [];
let at = 0;
let isHeld = false;
let moved = -REST_MS;
/** @type {Set<string>} */
let known = new Set();

/** What is shown piece by piece: calls, tables, parts of a bracket, rows. @returns {HTMLElement[]} */
const items = () => Array.from(main.querySelectorAll("[data-item]"));

/** Sections whose heading is shown with any piece of theirs. @returns {HTMLElement[]} */
const sections = () => Array.from(main.querySelectorAll(":scope > section:not([data-item])"));

/** Show some pieces only. @param {Iterable<HTMLElement>} shown */
const showOnly = (shown) => {
  const these = new Set(shown);
  for (const one of items()) one.hidden = !these.has(one);
  for (const one of sections()) one.hidden = !one.querySelector("[data-item]:not([hidden])");
};

/** Whether all pieces that are shown are inside the screen, and no word is wider than its place. */
const fits = () => {
  const end = main.getBoundingClientRect().bottom - parseFloat(getComputedStyle(main).paddingBottom);
  const isInside = Array.from(main.children).every((one) => one.getBoundingClientRect().bottom <= end + 1);
  return isInside && Array.from(main.querySelectorAll(".names")).every((one) => one.scrollWidth <= one.clientWidth + 1);
};

/** Whether a piece begins a page of its own: the first of a section that is apart. @param {HTMLElement} one */
const isApart = (one) => {
  const section = one.closest("[data-apart]");
  return section !== null && section.querySelector("[data-item]") === one;
};

/**
 * Pages at a size; none if a piece alone is too large for the screen, or if there are more pages than wanted.
 * @param {HTMLElement[]} every
 * @param {number} most
 */
const pagesOf = (every, most) => {
  /** @type {HTMLElement[][]} */
  const found = [];
  showOnly([]);
  for (const one of every) {
    const last = found.at(-1);
    showOnly([...(last ?? []), one]);
    if (last && !isApart(one) && fits()) last.push(one);
    else {
      showOnly([one]);
      if (found.push([one]) > most || (most < Infinity && !fits())) return null;
    }
  }
  return found;
};

/** Set size and form of names. @param {number} step @param {string} names */
const setSize = (step, names) => {
  root.dataset.step = String(step);
  root.dataset.names = names;
};

/** The pages: as few as with the smallest size and short names, in the largest size and the fullest names that have no more. @param {HTMLElement[]} every */
const layOut = (every) => {
  setSize(STEPS, "short");
  const least = pagesOf(every, Infinity) ?? [];
  for (let step = 1; step <= STEPS; step++)
    for (const names of NAMES) {
      setSize(step, names);
      const found = pagesOf(every, least.length);
      if (found) return found;
    }
  return least;
};

/** @param {number} page */
const show = (page) => {
  at = (page + pages.length) % pages.length;
  showOnly(pages[at] ?? []);
  turns.dataset.at = String(at + 1);
  turns.dataset.of = String(pages.length);
  told.textContent = (told.dataset.text ?? "").replace("{n}", String(at + 1)).replace("{of}", String(pages.length));
};

/** Show another page, and mark it as new, for its animation. @param {number} page */
const turn = (page) => {
  show(page);
  main.classList.remove("turned");
  requestAnimationFrame(() => main.classList.add("turned"));
};

/** @param {HTMLElement} one */
const nameOf = (one) => one.dataset.item ?? "";

/** Pages anew after a change or with another size of the window. The page that is shown stays, unless somebody was called. */
const again = () => {
  const first = pages[at]?.[0]?.dataset.item;
  const every = items();
  const isCalled = every.some((one) => one.classList.contains("called") && !known.has(nameOf(one)));
  known = new Set(every.map(nameOf));
  root.toggleAttribute("data-paged", WIDE.matches);
  pages = WIDE.matches ? layOut(every) : [every];
  turns.hidden = pages.length < 2;
  const same = pages.findIndex((page) => page.some((one) => nameOf(one) === first));
  show(isCalled ? 0 : Math.max(0, same));
};

let next = 0;
const wait = () => {
  clearInterval(next);
  next = setInterval(() => {
    const isRead = main.contains(document.activeElement) || performance.now() - moved < REST_MS;
    if (!isHeld && !isRead && pages.length > 1) turn(at + 1);
  }, TURN_MS);
};

/** @param {number} by */
const go = (by) => {
  turn(at + by);
  wait();
};

/** Stop the pages, or let them go on. */
const hold = () => {
  isHeld = !isHeld;
  holder.setAttribute("aria-pressed", String(isHeld));
};

/** @type {Record<string, () => void>} */
const KEYS = {
  ArrowRight: () => go(1),
  PageDown: () => go(1),
  ArrowLeft: () => go(-1),
  PageUp: () => go(-1),
  " ": hold,
};

document.addEventListener("keydown", (event) => {
  const control = event.target instanceof HTMLElement ? event.target.closest("a, button") : null;
  const isOfButton = control !== null && control.getClientRects().length > 0; // one of a page that was turned is not seen
  if (pages.length < 2 || event.ctrlKey || event.altKey || event.metaKey || (event.key === " " && isOfButton)) return;
  const act = KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});
turns.addEventListener("click", (event) => {
  const button = event.target instanceof HTMLElement ? event.target.closest("button") : null;
  if (button === holder) hold();
  else if (button) go(Number(button.dataset.turn));
});
main.addEventListener("pointermove", () => {
  moved = performance.now();
});
main.addEventListener("pointerleave", () => {
  moved = -REST_MS;
});
addEventListener("resize", again);
new MutationObserver(again).observe(main, { childList: true, subtree: true });
again();
wait();
document.fonts?.ready.then(again);
