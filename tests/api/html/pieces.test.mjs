import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import "../../javascript/node/page.mjs";
import { sendInPieces } from "/static/html/pieces.js";

const CONTENT = "abcdefghij";
const file = () => new File([CONTENT], "club.json");
const progress = () => ({ value: 0 });
/** A server that has what it was sent in turn; the answers of some requests, by their number, are lost. */
const serverOf = (...lost) => {
  const server = { has: "", asked: 0, ids: new Set() };
  server.send = async (id, at, piece) => {
    server.asked += 1;
    server.ids.add(id);
    if (at === server.has.length) server.has += await piece.text();
    return lost.includes(server.asked) ? null : { there: server.has.length };
  };
  return server;
};

beforeEach(() => {
  mock.restoreAll();
  mock.method(globalThis, "setTimeout", (done) => queueMicrotask(done));
});

test("a file arrives in its pieces under one id", async () => {
  const [server, bar] = [serverOf(), progress()];
  const became = await sendInPieces(file(), 4, server.send, bar);
  assert.deepEqual([server.has, server.asked, server.ids.size], [CONTENT, 3, 1]);
  assert.deepEqual([became.there, became.id], [10, [...server.ids][0]]);
  assert.match(became.id, /^[0-9a-f]{16}$/);
  assert.equal(bar.value, 0.8);
});

test("a piece whose answer was lost is sent again, and is in the file once", async () => {
  const server = serverOf(1, 3, 4);
  await sendInPieces(file(), 4, server.send, progress());
  assert.equal(server.has, CONTENT);
});

test("a server that never answers is given up", async () => {
  const server = serverOf(1, 2, 3, 4, 5, 6, 7, 8);
  assert.equal(await sendInPieces(file(), 4, server.send, progress()), null);
  assert.equal(server.asked, 5);
});

test("what the server refuses is not sent again", async () => {
  let asked = 0;
  const became = await sendInPieces(file(), 4, async () => ({ wrong: "no", n: (asked += 1) }), progress());
  assert.deepEqual([became.wrong, asked], ["no", 1]);
});
