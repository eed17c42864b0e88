// node --import statics.mjs asked.mjs: each line of the input is a script and what it is given; a line of the output is what it
// gives back, as `evaluate` of a browser's driver does it.
import { createInterface } from "node:readline";
import { openPage } from "./page.mjs";

globalThis.openPage = openPage;
console.log = console.info = console.debug = console.error; // the output is for answers

// Node 20 fails so when the time of a stream is over that a page has left long ago: nothing waits for it.
process.on("uncaughtException", (error) => {
  if (!error?.stack?.includes("onParserTimeout")) throw error;
});

/** Answer of a script: its value, or what its function returns. */
const answerOf = async ({ script, given }) => {
  const value = (0, eval)(`(${script}\n)`);
  return typeof value === "function" ? value(given) : value;
};

for await (const line of createInterface({ input: process.stdin })) {
  let said;
  try {
    said = { answer: (await answerOf(JSON.parse(line))) ?? null };
  } catch (error) {
    said = { error: String(error?.stack ?? error) };
  }
  process.stdout.write(`${JSON.stringify(said)}\n`);
}
process.exit();
