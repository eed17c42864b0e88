// Vibration of the tablet, where it can: an answer to each tap, which is felt without looking.

const TAP_MS = 12;
/** Of an action that needed a long press. */
export const HELD_MS = 40;
const TAPPED = "button, summary, a.button";

/** Vibrates, except for people who asked their device for less motion. @type {(forMs: number) => void} */
export const vibrate = (forMs) => {
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) navigator.vibrate?.(forMs);
};

/** Answers every tap on something that can be tapped. */
export const answerTaps = () =>
  addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest(TAPPED)) vibrate(TAP_MS);
  });
