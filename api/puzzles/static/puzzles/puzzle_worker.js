// The engine in a thread of its own: the first message brings its bytes, each other one a state of a problem.
import { openEngine } from "../replay/engine.js";
import { judged } from "./judging.js";
/** @import { Engine } from "../replay/engine.js" */

/** @type {Promise<Engine> | null} */
let engine = null;

addEventListener("message", async ({ data: { bytes, state } }) => {
  try {
    engine ??= openEngine(bytes);
    const opened = await engine;
    if (state) postMessage({ judged: judged(opened, state) });
  } catch (error) {
    postMessage({ failed: String(error) });
  }
});
