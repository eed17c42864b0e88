// An open table: recorded and waiting acts, as the views of the tablet get them.
import { onChange } from "./changes.js";
import { isOffline, pauseMs, server } from "./asking.js";
import { STALE, amending, entriesOf, isDivided, recording } from "./commands.js";
import { askToPersist, isSecure, keepAwake } from "./durable.js";
import { pull } from "./following.js";
import { keepCommand, keepStart, tryToKeep } from "./keeping.js";
import { drain, underWay } from "./sending.js";
import { fetched } from "../fetched.js";
import { PRACTICE, practice } from "../tour/practice.js";
import { isKept, linesFrom, ofEncuentro, rangeOf, read } from "./store.js";
/** @import { Act, Amendment, Change } from "../rules/acts.js" */
/** @import { Choice } from "./resolving.js" */

/** @import { Options } from "../rules/options.js" */
/** @import { LineAnswer, Aside, EncuentroView, EntryRow, PartidaRow, Queued, StoreName, TableRow } from "./store.js" */
/**
 * @typedef {"conflict" | "refused" | "signed_out" | "full" | "offline" | "sending" | "here" | "sent" | "insecure"} Status
 * @typedef {{line: number, act: Act | Amendment, queued: boolean}} EntryState
 * @typedef {{number: number, dealer_due: string, version: number, entries: EntryState[]}} PartidaState
 * @typedef {Map<number, EntryRow[]>} EntryCache entries already read, by partida
 * @typedef {{table: TableRow | undefined, partidas: PartidaRow[], entries: EntryRow[][], queue: Queued[], aside: Aside[]}} TableRecords
 *
 * @typedef {object} TableState
 * @property {EncuentroView} encuentro
 * @property {Options} options
 * @property {Record<string, string>} names name of the player, by seat
 * @property {PartidaState[]} partidas
 * @property {Record<number, Record<number, LineAnswer>>} answers of the service, by partida and line
 * @property {Queued[]} queue
 * @property {Aside[]} aside
 * @property {Status} status
 * @property {string | null} since
 * @property {boolean} isSecure
 * @property {boolean} isKept
 *
 * @typedef {object} OpenTable
 * @property {string} id
 * @property {() => TableState} state
 * @property {(subscriber: (state: TableState) => void) => () => void} subscribe
 * @property {(partida: number, acts: Act[]) => Promise<boolean>} record
 * @property {(partida: number, changes: Change[], because?: string) => Promise<boolean>} amend
 * @property {(due?: string) => Promise<boolean>} start
 * @property {(choice: Choice) => Promise<boolean>} resolve
 * @property {(seq: number) => Promise<boolean>} sendAside
 */

/** @type {StoreName[]} */
const STORES = ["tables", "partidas", "entries", "queue", "aside"];
const POLL_MS = 2_000;
/** What only a conflict, a refusal or a command set aside needs, of which the service has told. */
const resolving = () => fetched(() => import("./resolving.js"));
/** @type {Map<string, Promise<OpenTable>>} */
const opened = new Map();

/** @type {(encuentro: string, held: EntryCache) => Promise<TableRecords>} */
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

/** @type {(encuentro: string, queue: Queued[]) => Status} */
const statusOf = (encuentro, queue) => {
  const status = queue[0]?.problem?.status;
  if (status === STALE) return "conflict";
  if (status) return "refused";
  if (server.isSignedOut) return "signed_out";
  if (server.isFull && queue.length) return "full";
  if (isOffline()) return "offline";
  if (underWay.has(encuentro)) return "sending";
  if (queue.length) return "here";
  return isSecure() ? "sent" : "insecure";
};

/**
 * @type {(row: Pick<PartidaRow, "number" | "version" | "dealer_due">, rows: EntryRow[], queue: Queued[]) => PartidaState}
 */
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

/** @type {(encuentro: string, found: TableRecords & {table: TableRow}, held: EntryCache) => TableState} */
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
        Object.fromEntries((held.get(number) ?? []).flatMap(({ line, answer }) => (answer ? [[line, answer]] : []))),
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

/**
 * Removes entries that the server lost: they are in the queue again.
 * @type {(held: EntryCache, partidas: PartidaRow[]) => void}
 */
const forgetGone = (held, partidas) => {
  const versions = new Map(partidas.map(({ number, version }) => [number, version]));
  for (const [number, rows] of held) held.set(number, rows.slice(0, versions.get(number) ?? 0));
};

/**
 * Error for a table that is not stored here and could not be fetched. `code`: the outcome, or the code of the problem.
 * @type {(code: string) => Error}
 */
const notHere = (code) => Object.assign(new Error(code), { code });

/**
 * Reader of the stored state of a table; it reads again after each change.
 * @param {string} encuentro
 */
const readerOf = (encuentro) => {
  /** @type {EntryCache} */
  const held = new Map();
  /** @type {Set<(state: TableState) => void>} */
  const subscribers = new Set();
  /** @type {TableState | null} */
  let state = null;
  let turn = Promise.resolve();
  /** @type {Promise<void> | null} */
  let next = null;

  const refresh = async () => {
    const { table, ...found } = await look(encuentro, held);
    if (!table) return;
    forgetGone(held, found.partidas);
    found.partidas.forEach(({ number }, place) => held.set(number, [...(held.get(number) ?? []), ...found.entries[place]]));
    const seen = (state = stateOf(encuentro, { ...found, table }, held));
    subscribers.forEach((subscriber) => subscriber(seen));
  };
  /** Reads again, once for all calls before it begins. */
  const renew = () => {
    next ??= turn = turn.then(() => {
      next = null;
      return refresh().catch(console.warn);
    });
    return next;
  };
  /** Reads everything again. */
  const again = () => {
    turn = turn.then(() => held.clear());
    renew();
  };
  /** Waits for a write, and for the reading that it starts: a write announces its change before it resolves. @param {Promise<boolean>} kept */
  const done = async (kept) => {
    const result = await kept;
    await turn;
    return result;
  };
  return { state: () => /** @type {TableState} */ (state), subscribers, refresh, renew, again, done };
};

/**
 * Polls the server while the table is shown; the first time for the whole record, if `isWhole`.
 * @param {string} encuentro @param {ReturnType<typeof readerOf>} reader @param {boolean} isWhole
 */
const followerOf = (encuentro, { state, subscribers, renew, again }, isWhole) => {
  let timer = 0;
  const follow = async () => {
    clearTimeout(timer);
    if (!subscribers.size) return;
    if (document.visibilityState === "hidden") return void (timer = setTimeout(follow, POLL_MS));
    const isAsked = isDivided(state().queue);
    const outcome = await (isAsked ? resolving().then((found) => found.fetchTheirs(encuentro)) : pull(encuentro, { isWhole })).catch(() => "later");
    if (outcome === "answered" && isWhole && !isAsked) {
      isWhole = false;
      again();
    } else if (statusOf(encuentro, state().queue) !== state().status) renew();
    clearTimeout(timer);
    timer = setTimeout(follow, outcome === "later" ? pauseMs() : POLL_MS);
  };
  return follow;
};

/** @type {(encuentro: string) => Promise<OpenTable>} */
const made = async (encuentro) => {
  const reader = readerOf(encuentro);
  const { state, subscribers, refresh, renew, done } = reader;
  await tryToKeep().catch(console.warn);
  await refresh();
  const isWhole = Boolean(state());
  if (!isWhole) {
    const outcome = await pull(encuentro, { isWhole: true });
    await refresh();
    if (!state()) throw notHere(outcome);
  }
  const follow = followerOf(encuentro, reader, isWhole);
  let letSleep = () => {};
  onChange((changed) => changed === encuentro && renew());
  drain(encuentro);
  askToPersist().catch(console.warn);

  return {
    id: encuentro,
    state,
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
    start: (due = "") => done(keepStart(encuentro, due)),
    resolve: async (choice) => done((await resolving()).resolve(encuentro, choice)),
    sendAside: async (seq) => done((await resolving()).sendAside(encuentro, seq)),
  };
};

/**
 * A table, from the database of this browser, or from the server if it is not stored here; that of the tour from this page.
 * `state()` and `subscribe(f)` give `{encuentro, options, names, partidas, answers, queue, aside, status, since, isSecure, isKept}`;
 * entries of a partida are `{line, act, queued}` as `standing` of the rules takes them. `record(n, acts)`,
 * `amend(n, changes, because)` and `start(due)` resolve when the change is on the disk and in `state()`. Rejects with a `code` (`later`, `signed_out`, `not_found`) if there is no table.
 * @type {(encuentro: string) => Promise<OpenTable>}
 */
export const openTable = (encuentro) => {
  if (encuentro === PRACTICE) return Promise.resolve(practice().table);
  const known = opened.get(encuentro);
  if (known) return known;
  const opening = made(encuentro);
  opened.set(encuentro, opening);
  opening.catch(() => opened.delete(encuentro));
  return opening;
};

/**
 * Every encuentro stored here: `{id, view, waiting}`; `waiting` is the number of commands that the server does not have yet.
 * @type {() => Promise<{id: string, view: EncuentroView, waiting: number}[]>}
 */
export const keptTables = () =>
  read(["tables", "queue"], async (tx) => {
    const tables = await tx.objectStore("tables").getAll();
    const queue = await tx.objectStore("queue").getAll();
    return tables.map(({ id, view }) => ({ id, view, waiting: queue.filter((one) => one.encuentro === id).length }));
  });
