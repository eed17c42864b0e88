// The engine of the analysis in a thread of its own: the first message brings its bytes, each other one a question.
import { WHOLE_DEAL_NODES, openEngine } from "./engine.js";
/** @import { Engine } from "./engine.js" */

/** @type {Promise<Engine> | null} */
let engine = null;

addEventListener("message", async ({ data: { bytes, question } }) => {
  try {
    engine ??= openEngine(bytes);
    const opened = await engine;
    postMessage({ answer: question ? opened.answer(question, WHOLE_DEAL_NODES) : null });
  } catch (error) {
    postMessage({ failed: String(error) });
  }
});
