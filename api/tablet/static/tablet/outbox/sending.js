// Sending the queue of an encuentro: one command after another, and none after one that the server refused.
import { announceChange } from "./changes.js";
import { withLock } from "./locks.js";
import { hope, pauseMs, send } from "./asking.js";
import { entriesOf, versionAfter } from "./commands.js";
import { ofEncuentro, read, write } from "./store.js";
/** @import { Command, Problem } from "./commands.js" */
/** @import { LineAnswer, PartidaRow, Queued, StoreName, TableRow, Tx } from "./store.js" */

/** @type {StoreName[]} */
const STORES = ["queue", "tables", "partidas", "entries"];

/** Encuentros with a running request. @type {Set<string>} */
export const underWay = new Set();
/** @type {Set<string>} */
const asked = new Set();
/** @type {Map<string, ReturnType<typeof setTimeout>>} */
const timers = new Map();

/**
 * Sends the queue of an encuentro; while that runs, at most one more call waits.
 * @type {(encuentro: string) => void}
 */
export const drain = (encuentro) => {
  if (asked.has(encuentro)) return;
  asked.add(encuentro);
  clearTimeout(timers.get(encuentro));
  withLock(encuentro, async () => {
    asked.delete(encuentro);
    await sendAll(encuentro);
  }).catch((error) => {
    asked.delete(encuentro);
    again(encuentro);
    console.warn(error);
  });
};

/** @type {(encuentro: string) => void} */
const again = (encuentro) => {
  clearTimeout(timers.get(encuentro));
  timers.set(encuentro, setTimeout(drain, pauseMs(), encuentro));
};

/** @type {(encuentro: string) => Promise<void>} */
const sendAll = async (encuentro) => {
  try {
    for (let isGoingOn = true; isGoingOn; ) {
      const [command] = await read(["queue"], (tx) => ofEncuentro(tx, "queue", encuentro));
      isGoingOn = command && !command.problem && (await sendOne(command));
    }
  } finally {
    underWay.delete(encuentro);
    announceChange(encuentro);
  }
};

/** Sends one command; whether the next may be sent. @type {(command: Queued) => Promise<boolean>} */
const sendOne = async (command) => {
  underWay.add(command.encuentro);
  announceChange(command.encuentro);
  const { outcome, answer, content } = await send(command);
  if (outcome === "answered" && isFor(command, content)) {
    await write(STORES, (tx) => recorded(tx, command, content));
    return true;
  }
  if (outcome === "wrong") await write(["queue"], (tx) => refused(tx, command, { ...content, status: answer.status }));
  else again(command.encuentro);
  return false;
};

/**
 * Whether an answer fits this command, and is not the JSON of another server.
 * @type {(command: Command, answer: {version: number, lines: unknown}) => boolean}
 */
const isFor = (command, { version, lines }) =>
  version === versionAfter(command.expect, [command], command.sort === "start" ? 0 : command.partida) &&
  Array.isArray(lines);

/**
 * Moves a command from the queue to the recorded entries; nothing if another tab did so already.
 * @type {(tx: Tx, command: Queued, answer: LineAnswer & {version: number}) => Promise<void>}
 */
const recorded = async (tx, command, { findings, conclusions, decided, version }) => {
  const { encuentro, partida, seq, key } = command;
  const kept = await tx.objectStore("queue").get(seq);
  if (kept?.key !== key) return;
  tx.objectStore("queue").delete(seq);
  if (command.sort === "start") {
    const table = /** @type {TableRow} */ (await tx.objectStore("tables").get(encuentro));
    tx.objectStore("tables").put({ ...table, version, tag: "" });
    tx.objectStore("partidas").put({ encuentro, number: partida, version: 0, dealer_due: command.due ?? "" });
    return;
  }
  const row = /** @type {PartidaRow} */ (await tx.objectStore("partidas").get([encuentro, partida]));
  tx.objectStore("partidas").put({ ...row, version });
  const entries = entriesOf(command);
  entries.forEach(({ line, act }, place) => {
    const answer = place === entries.length - 1 ? { answer: { findings, conclusions, decided } } : {};
    tx.objectStore("entries").put({ encuentro, partida, line, act, ...answer });
  });
};

/** @type {(tx: Tx, command: Queued, problem: Problem) => Promise<void>} */
const refused = async (tx, command, problem) => {
  const kept = await tx.objectStore("queue").get(command.seq);
  if (kept?.key === command.key) tx.objectStore("queue").put({ ...kept, problem });
};

/** Sends the queue of every encuentro. */
export const drainAll = async () => {
  const waiting = await read(["queue"], (tx) => tx.objectStore("queue").getAll());
  new Set(waiting.map(({ encuentro }) => encuentro)).forEach(drain);
};

const look = () => {
  if (document.visibilityState === "hidden") return;
  hope();
  drainAll().catch(console.warn);
};

/** Sends now, when the network is back, and when the page becomes visible. */
export const keepSending = () => {
  addEventListener("online", look);
  addEventListener("focus", look);
  addEventListener("pageshow", look);
  document.addEventListener("visibilitychange", look);
  look();
};
