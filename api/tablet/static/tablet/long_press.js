// Long presses, by finger or by key: to confirm an action, to show something while it is held, or for a second action.
import { html, useEffect, useRef, useState } from "./vendor/ui.js";
import { HELD_MS, vibrate } from "./vibration.js";

const PRESS_MS = 450;
/** How long the button of a claim must be held. */
export const HOLD_MS = 1000;
const KEYS = ["Enter", " "];
const NEXT = ["click", "pointerdown", "keydown"];

/**
 * Listeners for a short tap and a long press on the same thing; a key and a click are a short tap.
 * @type {(long: () => void, short: () => void) => object}
 */
export const usePress = (long, short) => {
  const timer = useRef(0);
  const wasLong = useRef(false);
  const stop = () => clearTimeout(timer.current);
  useEffect(() => stop, []);
  return {
    onPointerDown: () => {
      wasLong.current = false;
      stop();
      timer.current = setTimeout(() => {
        wasLong.current = true;
        long();
      }, PRESS_MS);
    },
    onPointerUp: stop,
    onPointerLeave: stop,
    onPointerCancel: stop,
    onContextMenu: (/** @type {Event} */ event) => event.preventDefault(),
    onClick: () => {
      if (!wasLong.current) short();
      wasLong.current = false;
    },
  };
};

/**
 * Listeners that call `begin` and `end` when an element starts and stops being held, by finger or by key.
 * @type {(begin: () => void, end: () => void) => object}
 */
const holding = (begin, end) => ({
  onPointerDown: (/** @type {PointerEvent} */ event) => {
    /** @type {Element} */ (event.currentTarget).setPointerCapture?.(event.pointerId);
    begin();
  },
  onPointerUp: end,
  onPointerCancel: end,
  onLostPointerCapture: end,
  onBlur: end,
  onContextMenu: (/** @type {Event} */ event) => event.preventDefault(),
  onKeyDown: (/** @type {KeyboardEvent} */ event) => {
    if (!KEYS.includes(event.key)) return;
    event.preventDefault();
    if (!event.repeat) begin();
  },
  onKeyUp: (/** @type {KeyboardEvent} */ event) => KEYS.includes(event.key) && end(),
});

/** The finger that held is lifted over what lies there then: that click means nothing. */
const ignoreLift = () => {
  const over = (/** @type {Event} */ event) => {
    if (event instanceof KeyboardEvent && event.repeat) return;
    if (event.type === "click") {
      event.stopPropagation();
      event.preventDefault();
    }
    for (const kind of NEXT) removeEventListener(kind, over, true);
  };
  for (const kind of NEXT) addEventListener(kind, over, true);
};

/**
 * A button that acts only after it was held for a second; a ring shows the progress.
 * @param {{label: unknown, onHeld: () => void, [attribute: string]: unknown}} props
 */
export const HoldButton = ({ label, onHeld, ...more }) => {
  const [held, setHeld] = useState(false);
  const timer = useRef(0);
  const end = () => {
    clearTimeout(timer.current);
    setHeld(false);
  };
  const begin = () => {
    end();
    setHeld(true);
    timer.current = setTimeout(() => {
      end();
      vibrate(HELD_MS);
      ignoreLift();
      onHeld();
    }, HOLD_MS);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return html`
    <button class=${`hold${held ? " held" : ""}`} aria-describedby="hold-help" ...${holding(begin, end)} ...${more}>
      <svg class="ring" viewBox="0 0 40 40" aria-hidden="true"><circle cx="20" cy="20" r="16" /><circle class="fill" cx="20" cy="20" r="16" pathLength="1" /></svg>
      ${label}
    </button>`;
};

/**
 * A button that shows its content only while it is held. `children` is a function of whether it is shown.
 * @param {{label: string, children: (isShown: boolean) => unknown}} props
 */
export const Peek = ({ label, children }) => {
  const [shows, setShows] = useState(false);
  const listeners = holding(() => setShows(true), () => setShows(false));
  return html`<button class="peek" aria-label=${shows ? undefined : label} ...${listeners}>${children(shows)}</button>`;
};
