/** A whole partida, recorded with the TypeScript client: opening and acts come as JSON in a third argument. */

import { client, given, writing, writingAt } from "./client.js";
import type { components } from "./schema.js";

type Schemas = components["schemas"];
type RecordSent = { opening: Schemas["EncuentroIn"]; acts: Schemas["Act"][] };

const MOST = 100;
const { opening, acts } = JSON.parse(process.argv[4] ?? "") as RecordSent;
const opened = given(
  await client.POST("/api/v1/encuentros", { params: { header: writing() }, body: opening }),
);
const encuentro = { encuentro_id: opened.id };
given(
  await client.POST("/api/v1/encuentros/{encuentro_id}/partidas", {
    params: { path: encuentro, header: writingAt(opened.version) },
  }),
);
const path = { ...encuentro, n: 1 };
let [version, wait] = [0, 0];
for (let first = 0; first < acts.length; first += MOST) {
  const recorded = given(
    await client.POST("/api/v1/encuentros/{encuentro_id}/partidas/{n}/acts", {
      params: { path, header: writingAt(version) },
      body: { acts: acts.slice(first, first + MOST) },
    }),
  );
  version = recorded.version;
  wait = recorded.position;
}
const view = given(
  await client.GET("/api/v1/encuentros/{encuentro_id}/partidas/{n}", {
    params: { path, query: { wait } },
  }),
);
console.log(`${view.decided?.winner} ${JSON.stringify(view.totals)}`);
