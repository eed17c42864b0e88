// The engine of the analysis in a thread of its own: the first message brings its bytes, each other one a position.
import { openEngine } from "./engine.js";
/** @import { Engine } from "./engine.js" */

/** @type {Promise<Engine> | null} */
let engine = null;

addEventListener("message", async ({ data: { bytes, known } }) => {
  try {
    engine ??= openEngine(bytes);
    const opened = await engine;
    if (known) postMessage({ prices: opened.prices(known) });
  } catch (error) {
    postMessage({ failed: String(error) });
  }
});
