// An open table: what is recorded and what waits, as the views of the tablet see it.
import { onTold } from "./alone.js";
import { pauseMs, server } from "./asking.js";
import { amending, entriesOf, recording } from "./commands.js";
import { askToPersist, isSecure, keepAwake } from "./durable.js";
import { pull } from "./following.js";
import { keepCommand, keepStart, keepUndo } from "./keeping.js";
import { fetchTheirs, isDivided, resolve, sendAside } from "./resolving.js";
import { STALE } from "./restored.js";
import { drain, underWay } from "./sending.js";
import { isKept, linesFrom, ofEncuentro, rangeOf, read } from "./store.js";

const STORES = ["tables", "partidas", "entries", "queue", "aside"];
const POLL_MS = 2_000;
const opened = new Map();

const look = (encuentro, held) =>
  read(STORES, async (tx) => {
    const table = await tx.objectStore("tables").get(encuentro);
    const partidas = await tx.objectStore("partidas").getAll(rangeOf(encuentro));
    const entries = await Promise.all(
      partidas.map(({ number }) => {
        const first = (held.get(number) ?? []).length + 1;
        return tx.objectStore("entries").getAll(linesFrom(encuentro, number, first));
      }),
    );
    const queue = await ofEncuentro(tx, "queue", encuentro);
    const aside = await ofEncuentro(tx, "aside", encuentro);
    return { table, partidas, entries, queue, aside };
  });

const statusOf = (encuentro, queue) => {
  const status = queue[0]?.problem?.status;
  if (status === STALE) return "conflict";
  if (status) return "refused";
  if (server.isSignedOut) return "signed_out";
  if (server.since) return "offline";
  if (underWay.has(encuentro)) return "sending";
  if (queue.length) return "here";
  return isSecure() ? "sent" : "insecure";
};

const partidaOf = ({ number, version, dealer_due }, rows, queue) => {
  const waiting = queue.filter((one) => one.partida === number).flatMap(entriesOf);
  return {
    number,
    dealer_due,
    version: version + waiting.length,
    entries: [
      ...rows.map(({ line, act }) => ({ line, act, queued: false })),
      ...waiting.map((entry) => ({ ...entry, queued: true })),
    ],
  };
};

const stateOf = (encuentro, { table, partidas, queue, aside }, held) => {
  const begun = queue.filter(({ sort }) => sort === "start");
  const all = [...partidas, ...begun.map(({ partida, due }) => ({ number: partida, version: 0, dealer_due: due ?? "" }))];
  const { view } = table;
  return {
    encuentro: view,
    options: view.profile.options,
    names: Object.fromEntries(Object.entries(view.seats).map(([seat, person]) => [seat, view.names[person] ?? ""])),
    partidas: all.map((one) => partidaOf(one, held.get(one.number) ?? [], queue)),
    answers: Object.fromEntries(
      partidas.map(({ number }) => [
        number,
        Object.fromEntries((held.get(number) ?? []).filter((row) => row.answer).map((row) => [row.line, row.answer])),
      ]),
    ),
    queue,
    aside,
    status: statusOf(encuentro, queue),
    since: server.since,
    isSecure: isSecure(),
    isKept: isKept(),
  };
};

/** Lines that the server lost are not recorded any more: they wait to be sent again. */
const forgetGone = (held, partidas) => {
  const versions = new Map(partidas.map(({ number, version }) => [number, version]));
  for (const [number, rows] of held) held.set(number, rows.slice(0, versions.get(number) ?? 0));
};

/** A table that was never seen here, and cannot be asked for. `code`: the outcome, or the code of the problem. */
const notHere = (code) => Object.assign(new Error(code), { code });

const made = async (encuentro) => {
  const held = new Map();
  const subscribers = new Set();
  let state = null;
  let turn = Promise.resolve();
  let next = null;
  let timer = 0;
  let letSleep = null;
  let isWhole = true;

  const refresh = async () => {
    const found = await look(encuentro, held);
    if (!found.table) return;
    forgetGone(held, found.partidas);
    found.partidas.forEach(({ number }, place) => held.set(number, [...(held.get(number) ?? []), ...found.entries[place]]));
    state = stateOf(encuentro, found, held);
    subscribers.forEach((subscriber) => subscriber(state));
  };
  /** Looks again, once for all who ask before it begins. */
  const renew = () => {
    next ??= turn = turn.then(() => {
      next = null;
      return refresh().catch(console.warn);
    });
    return next;
  };
  /** Whoever keeps something tells so: by then the state is being looked at again. */
  const done = async (kept) => {
    const result = await kept;
    await turn;
    return result;
  };

  const follow = async () => {
    clearTimeout(timer);
    if (!subscribers.size) return;
    if (document.visibilityState === "hidden") return void (timer = setTimeout(follow, POLL_MS));
    const before = statusOf(encuentro, []);
    const isAsked = isDivided(state.queue);
    const outcome = await (isAsked ? fetchTheirs(encuentro) : pull(encuentro, { isWhole })).catch(() => "later");
    if (outcome === "answered" && isWhole && !isAsked) {
      isWhole = false;
      turn = turn.then(() => held.clear());
      renew();
    } else if (statusOf(encuentro, []) !== before) renew();
    clearTimeout(timer);
    timer = setTimeout(follow, outcome === "later" ? pauseMs() : POLL_MS);
  };

  await refresh();
  if (!state) {
    const outcome = await pull(encuentro, { isWhole });
    await refresh();
    if (!state) throw notHere(outcome);
    isWhole = false;
  }
  onTold((changed) => changed === encuentro && renew());
  drain(encuentro);
  askToPersist().catch(console.warn);

  return {
    id: encuentro,
    state: () => state,
    subscribe: (subscriber) => {
      subscribers.add(subscriber);
      if (subscribers.size === 1) {
        letSleep = keepAwake();
        follow();
      }
      return () => {
        subscribers.delete(subscriber);
        if (!subscribers.size) letSleep();
      };
    },
    record: (partida, acts) => done(keepCommand(encuentro, recording(partida, acts))),
    amend: (partida, changes, because = "") => done(keepCommand(encuentro, amending(partida, changes, because))),
    undo: (partida) => done(keepUndo(encuentro, partida, amending)),
    start: (due = "") => done(keepStart(encuentro, due)),
    resolve: (choice) => done(resolve(encuentro, choice)),
    sendAside: (seq) => done(sendAside(encuentro, seq)),
  };
};

/**
 * A table, from what is kept here, or from the server if nothing is.
 *
 * `state()` and `subscribe(f)` give `{encuentro, options, names, partidas, answers, queue, aside, status, since, isSecure, isKept}`;
 * entries of a partida are `{line, act, queued}` as `standing` of the rules takes them. `record(n, acts)`,
 * `amend(n, changes, because)`, `undo(n)` and `start(due)` are done when they are on the disk here and in `state()`; `undo`
 * gives false if nothing stands. Rejects with a `code` (`later`, `signed_out`, `not_found`) if there is nothing to show.
 */
export const openTable = (encuentro) => {
  if (!opened.has(encuentro)) {
    const opening = made(encuentro);
    opened.set(encuentro, opening);
    opening.catch(() => opened.delete(encuentro));
  }
  return opened.get(encuentro);
};

/** Every encuentro that is kept here: `{id, view, waiting}`; `waiting` commands are not with the server yet. */
export const keptTables = () =>
  read(["tables", "queue"], async (tx) => {
    const tables = await tx.objectStore("tables").getAll();
    const queue = await tx.objectStore("queue").getAll();
    return tables.map(({ id, view }) => ({ id, view, waiting: queue.filter((one) => one.encuentro === id).length }));
  });
