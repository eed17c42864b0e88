// The seed of draws by the program. It stays the same until the table is open, so that repeating the draw gives the same result.
import { ours } from "../../html/prefix.js";
import { today } from "./terms.js";

const KEPT = ours("guinote.seed");

/** The seed of today for a table that is not open yet, or "". @type {() => string} */
export const standingSeed = () => {
  try {
    const { seed, day } = JSON.parse(localStorage.getItem(KEPT) ?? "null") ?? {};
    return day === today() ? seed : "";
  } catch {
    return "";
  }
};

/** Stores the seed until a table is opened. @type {(seed: string) => void} */
export const letSeedStand = (seed) => {
  try {
    localStorage.setItem(KEPT, JSON.stringify({ seed, day: today() }));
  } catch {
    // the browser has no storage: the seed stays as long as the page
  }
};

/** Deletes the seed: the table is open, and the next one gets another seed. */
export const dropSeed = () => {
  try {
    localStorage.removeItem(KEPT);
  } catch {
    // the browser has no storage
  }
};
