// node engine_in_node.mjs ENGINE_JS ENGINE_WASM: a question a line of standard input, its answer a line of the output.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [script, module] = process.argv.slice(2);
const { openEngine } = await import(pathToFileURL(script));
const engine = await openEngine(readFileSync(module));
const most = 1_000_000;
for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const { known, asked, claimer, racer, need, rival, from } = JSON.parse(line);
  if (racer) {
    console.log(engine.reaches(known, racer, need, most, rival));
    continue;
  }
  if (from) {
    console.log(JSON.stringify(engine.line(known, from, most).map(({ card, then }) => [card, then.leader, then.laid, then.sung, then.winners])));
    continue;
  }
  if (claimer) {
    console.log(JSON.stringify([engine.claimOfRest(known, claimer), engine.reaches(known, claimer[0], 40)]));
    continue;
  }
  const value = engine.value(known, asked, most);
  const valueNodes = engine.nodes;
  const { values, lawful, nodes } = engine.prices(known, asked, most);
  console.log(JSON.stringify({ value, values, lawful, nodes: [valueNodes, nodes] }));
}
