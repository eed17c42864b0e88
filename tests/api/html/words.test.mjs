import assert from "node:assert/strict";
import test from "node:test";
import "../../javascript/node/page.mjs";
import { phraseOf } from "/static/html/grammar.js";
import { cardName, listed, t } from "/static/html/words.js";

test("a card is named in words", () => {
  assert.equal(cardName("3O"), "tres de oros");
});

test("a text that is not there is its key", () => {
  assert.equal(t("no.such_text"), "no.such_text");
});

test("names stand in a row as they are said, whatever their capitals and accents", () => {
  const row = (...names) => listed(names.map((name) => phraseOf(name)));
  assert.equal(row("Ana", "Luis", "Inés"), "Ana, Luis e Inés");
  assert.equal(row("Ana", "Íñigo"), "Ana e Íñigo");
  assert.equal(row("Inés", "Ana"), "Inés y Ana");
});
