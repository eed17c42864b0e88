import assert from "node:assert/strict";
import test from "node:test";
import "../../javascript/node/page.mjs";
import { cardName, t } from "/static/html/words.js";

test("a card is named in words", () => {
  assert.equal(cardName("3O"), "tres de oros");
});

test("a text that is not there is its key", () => {
  assert.equal(t("no.such_text"), "no.such_text");
});
