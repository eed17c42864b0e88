// The seed of draws by the program: that of the first press stands, so that nobody can repeat the draw until they like the result.
import { today } from "./terms.js";

const KEPT = "guinote.seed";

/** The seed that was drawn from today for a table that is not open yet, or "". @type {() => string} */
export const standingSeed = () => {
  try {
    const { seed, day } = JSON.parse(localStorage.getItem(KEPT) ?? "null") ?? {};
    return day === today() ? seed : "";
  } catch {
    return "";
  }
};

/** It stands until a table is opened. @type {(seed: string) => void} */
export const letSeedStand = (seed) => {
  try {
    localStorage.setItem(KEPT, JSON.stringify({ seed, day: today() }));
  } catch {
    // a browser that keeps nothing: it stands as long as the page
  }
};

/** A table is open: the next one is drawn from another seed. */
export const dropSeed = () => localStorage.removeItem(KEPT);
