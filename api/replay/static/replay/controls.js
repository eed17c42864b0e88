// Controls of a replay: buttons, slider, keys and swipes; all of them end in `to(moment)`.
import { t } from "../html/words.js";
import { el } from "./dom.js";
import { icon } from "./icons.js";
import { byTrick } from "./data.js";
/** @import { View } from "./data.js" */

/** @typedef {(moment: number) => void} To */
/** @typedef {{button: HTMLButtonElement, stop: () => void, toggle: () => void}} Player */

const BEAT_MS = 1400;
const SWIPE_PX = 40;

/**
 * The bar of buttons and slider, and the function that sets it to what is shown.
 * @type {(shown: () => View, to: To) => {bar: HTMLElement, follow: () => void}}
 */
export const controls = (shown, to) => {
  const slider = el("input", { type: "range", min: 0, value: 0, "aria-label": t("replay.moment") });
  slider.addEventListener("input", () => to(Number(slider.value)));
  const player = playing(shown, to);
  const ways = goings(shown, to);
  const button = (/** @type {string} */ name) => el("button", { type: "button", class: name, "aria-label": t(`replay.${name}`), title: t(`replay.${name}`), onclick: ways[name] }, icon(name));
  const count = el("span", { class: "count", "aria-hidden": "true" });
  const bar = el(
    "div",
    { class: "bar" },
    el("div", { class: "buttons", role: "group", "aria-label": t("replay.controls") },
      button("first"), button("trick_back"), button("back"), player.button, button("on"), button("trick_on"), button("last")),
    el("div", { class: "slide" }, slider, count),
  );
  const follow = () => {
    const { replay, moment } = shown();
    const { first, last } = replay;
    [slider.min, slider.max, slider.value] = [first, last, moment].map(String);
    slider.setAttribute("aria-valuetext", replay.steps[moment - 1]?.text ?? t("replay.start"));
    count.textContent = `${moment - first} / ${last - first}`;
    if (moment === last) player.stop();
  };
  listen(ways, player);
  return { bar, follow };
};

/** @type {(shown: () => View, to: To) => Record<string, () => void>} */
const goings = (shown, to) => ({
  first: () => to(shown().replay.first),
  last: () => to(shown().replay.last),
  back: () => to(shown().moment - 1),
  on: () => to(shown().moment + 1),
  trick_back: () => to(byTrick(shown(), -1)),
  trick_on: () => to(byTrick(shown(), 1)),
});

/** @type {(shown: () => View, to: To) => Player} */
const playing = (shown, to) => {
  let timer = 0;
  const button = el("button", { type: "button", class: "play" });
  const show = () => {
    button.replaceChildren(icon(timer ? "pause" : "play"));
    button.setAttribute("aria-label", t(timer ? "replay.pause" : "replay.play"));
    button.setAttribute("title", t(timer ? "replay.pause" : "replay.play"));
  };
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    show();
  };
  const toggle = () => {
    if (timer) return stop();
    if (shown().moment === shown().replay.last) to(shown().replay.first);
    timer = setInterval(() => to(shown().moment + 1), BEAT_MS);
    return show();
  };
  button.addEventListener("click", toggle);
  show();
  return { button, stop, toggle };
};

/** @type {Record<string, string>} */
const KEYS = { ArrowLeft: "back", ArrowRight: "on", ArrowUp: "back", ArrowDown: "on", PageUp: "trick_back", PageDown: "trick_on", Home: "first", End: "last" };
const ACROSS = ["ArrowLeft", "ArrowRight", "Home", "End"];

/** @type {(ways: Record<string, () => void>, player: Player) => void} */
const listen = (ways, player) => {
  document.addEventListener("keydown", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest("select, textarea, input:not([type=range])")) return;
    const isTheatre = target.closest(".theatre");
    if (event.key === " " && !target.closest("button, a, summary")) {
      event.preventDefault();
      player.toggle();
    } else if (KEYS[event.key] && (isTheatre || ACROSS.includes(event.key) || event.key.startsWith("Page"))) {
      event.preventDefault();
      player.stop();
      ways[KEYS[event.key]]();
    }
  });
};

/**
 * Swipes on the table: left is forward, right is back.
 * @type {(felt: HTMLElement, shown: () => View, to: To) => void}
 */
export const swipes = (felt, shown, to) => {
  /** @type {Touch | null} */
  let from = null;
  felt.addEventListener("touchstart", (event) => { from = event.changedTouches[0]; }, { passive: true });
  felt.addEventListener("touchend", (event) => {
    const now = event.changedTouches[0];
    if (!from) return;
    const [dx, dy] = [now.clientX - from.clientX, now.clientY - from.clientY];
    if (Math.abs(dx) > SWIPE_PX && Math.abs(dx) > 2 * Math.abs(dy)) to(shown().moment + (dx < 0 ? 1 : -1));
  }, { passive: true });
};
