// Goes on when the house is back: with its backup, or signed out, since the accounts are those of then.
import { prefix } from "../html/prefix.js";
const ASKED_EVERY_MS = 1_000;

const ask = async () => {
  const answer = await fetch(`${prefix}/casa/copias/vuelta`).catch(() => null);
  const isThere = answer !== null && answer.status < 500;
  const isJson = isThere && (answer.headers.get("Content-Type") ?? "").startsWith("application/json");
  if (!isThere || (isJson && answer.ok && (await answer.json()).waits)) {
    setTimeout(ask, ASKED_EVERY_MS);
    return;
  }
  location.replace(`${prefix}/casa/copias`);
};
ask();
