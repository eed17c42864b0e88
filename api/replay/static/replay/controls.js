// Controls of a replay: buttons, slider, keys and swipes; all of them end in `to(moment)`.
import { t } from "../html/words.js";
import { el } from "./dom.js";
import { icon } from "./icons.js";
import { byTrick } from "./data.js";
/** @import { Replay } from "./data.js" */

/** @typedef {(moment: number) => void} To */
/** @typedef {{button: HTMLButtonElement, stop: () => void, toggle: () => void}} Player */

const BEAT_MS = 1400;
const SWIPE_PX = 40;

/**
 * The bar of buttons and slider, and the function that sets it to a moment.
 * @type {(replay: Replay, at: () => number, to: To) => {bar: HTMLElement, follow: To}}
 */
export const controls = (replay, at, to) => {
  const slider = el("input", { type: "range", min: 0, max: replay.last, value: at(), "aria-label": t("replay.moment") });
  slider.addEventListener("input", () => to(Number(slider.value)));
  const player = playing(replay, at, to);
  const ways = goings(replay, at, to);
  const button = (/** @type {string} */ name) => el("button", { type: "button", class: name, "aria-label": t(`replay.${name}`), title: t(`replay.${name}`), onclick: ways[name] }, icon(name));
  const count = el("span", { class: "count", "aria-hidden": "true" });
  const bar = el(
    "div",
    { class: "bar" },
    el("div", { class: "buttons", role: "group", "aria-label": t("replay.controls") },
      button("first"), button("trick_back"), button("back"), player.button, button("on"), button("trick_on"), button("last")),
    el("div", { class: "slide" }, slider, count),
  );
  /** @type {To} */
  const follow = (moment) => {
    slider.value = String(moment);
    slider.setAttribute("aria-valuetext", replay.steps[moment - 1]?.text ?? t("replay.start"));
    count.textContent = `${moment} / ${replay.last}`;
    if (moment === replay.last) player.stop();
  };
  listen(ways, player);
  return { bar, follow };
};

/** @type {(replay: Replay, at: () => number, to: To) => Record<string, () => void>} */
const goings = (replay, at, to) => ({
  first: () => to(0),
  last: () => to(replay.last),
  back: () => to(at() - 1),
  on: () => to(at() + 1),
  trick_back: () => to(byTrick(replay, at(), -1)),
  trick_on: () => to(byTrick(replay, at(), 1)),
});

/** @type {(replay: Replay, at: () => number, to: To) => Player} */
const playing = (replay, at, to) => {
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
    if (at() === replay.last) to(0);
    timer = setInterval(() => to(at() + 1), BEAT_MS);
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
 * @type {(felt: HTMLElement, at: () => number, to: To) => void}
 */
export const swipes = (felt, at, to) => {
  /** @type {Touch | null} */
  let from = null;
  felt.addEventListener("touchstart", (event) => { from = event.changedTouches[0]; }, { passive: true });
  felt.addEventListener("touchend", (event) => {
    const now = event.changedTouches[0];
    if (!from) return;
    const [dx, dy] = [now.clientX - from.clientX, now.clientY - from.clientY];
    if (Math.abs(dx) > SWIPE_PX && Math.abs(dx) > 2 * Math.abs(dy)) to(at() + (dx < 0 ? 1 : -1));
  }, { passive: true });
};
