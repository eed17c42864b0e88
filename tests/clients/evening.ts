/** An evening of a club, played with the TypeScript client of the document: `node evening.js ADDRESS TOKEN`. */

import { client, given, writing, writingAt } from "./client.js";

/** The other side did not come: side A wins, and says so. Position of that on the log. */
async function report(encuentro_id: string, wait: number): Promise<number> {
  const path = { encuentro_id };
  const params = { path, query: { wait } };
  const table = given(await client.GET("/api/v1/encuentros/{encuentro_id}", { params }));
  const ruled = given(
    await client.POST("/api/v1/encuentros/{encuentro_id}/rulings", {
      params: { path, header: writingAt(table.version) },
      body: { winner: "A", because: "No se presentan." },
    }),
  );
  const reported = given(
    await client.POST("/api/v1/encuentros/{encuentro_id}/result/reports", {
      params: { path, header: writingAt(ruled.version) },
      body: { by: { name: "Ana" }, side: "A" },
    }),
  );
  return reported.position;
}

const players: string[] = [];
for (const name of ["Ana", "Blas", "Celia", "Diego"]) {
  const params = { header: writing() };
  const enrolled = given(await client.POST("/api/v1/players", { params, body: { name } }));
  players.push(...enrolled.players);
}
const present = players.map((person) => ({ person }));
const evening = given(
  await client.POST("/api/v1/sessions", {
    params: { header: writing() },
    body: { date: "2026-11-21", profile: { id: "club" }, present },
  }),
);
const path = { session_id: evening.id };
const begun = { path, query: { wait: evening.position } };
const seen = given(await client.GET("/api/v1/sessions/{session_id}", { params: begun }));
const drawn = given(
  await client.POST("/api/v1/sessions/{session_id}/draws", {
    params: { path, header: writingAt(seen.version) },
    body: { method: "seed", seed: "a-seed-of-ours" },
  }),
);
const opened = given(
  await client.POST("/api/v1/sessions/{session_id}/tables", {
    params: { path, header: writingAt(drawn.version) },
  }),
);
let wait = opened.position;
for (const encuentro of opened.encuentros) {
  wait = await report(encuentro, wait);
}
const query = { wait };
const table = given(await client.GET("/api/v1/sessions/{session_id}", { params: { path, query } }));
for (const row of table.standings) {
  console.log(`${row.name} ${row.points}`);
}
