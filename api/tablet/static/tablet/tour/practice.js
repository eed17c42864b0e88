// The table of the tour: it exists in this page only. Nothing of it is stored or sent, so it needs no service and no network.
import { addressed, amending, entriesOf, recording } from "../outbox/commands.js";
/** @import { Asking } from "../outbox/commands.js" */
/** @import { OpenTable, TableState } from "../outbox/table.js" */
/** @import { EncuentroView, Queued } from "../outbox/store.js" */

/** Id of the table of the tour; no encuentro of the service has it. */
export const PRACTICE = "prueba";

/** Players by their seats; those of a side have the same initial. @type {Record<string, string>} */
const NAMES = { A1: "Ana", B1: "Blas", A2: "Alicia", B2: "Berta" };

/** @type {() => EncuentroView} */
const encuentro = () => ({
  id: PRACTICE,
  version: 1,
  players: 4,
  profile: JSON.parse(document.getElementById("common-rules")?.textContent ?? "{}"),
  seats: Object.fromEntries(Object.keys(NAMES).map((seat) => [seat, seat])),
  names: NAMES,
  partidas: [],
  decided: null,
  result: { stage: "open", stands: false, missing: [] },
  standing: { partidas: {}, camas: {}, cotos: {}, made: [] },
});

/** The record of the only partida, in memory. @param {EncuentroView} view */
const recordOf = (view) => {
  /** @type {Set<(state: TableState) => void>} */
  const subscribers = new Set();
  /** Commands in order; those from `cut` on wait for a connection. @type {Queued[]} */
  let commands = [];
  let cut = Infinity;
  /** @type {string | null} */
  let since = null;
  /** @type {() => TableState} */
  const current = () => {
    const entries = commands.flatMap((one, place) => entriesOf(one).map((entry) => ({ ...entry, queued: place >= cut })));
    return {
      ...{ encuentro: view, options: view.profile.options, names: NAMES, answers: {}, aside: [] },
      ...{ status: since ? "offline" : "sent", since, isSecure: true, isKept: true },
      partidas: [{ number: 1, dealer_due: "", version: entries.length, entries }],
      queue: commands.slice(cut),
    };
  };
  let state = current();
  const changed = () => {
    state = current();
    subscribers.forEach((subscriber) => subscriber(state));
  };
  /** @type {(asked: Asking) => Promise<boolean>} */
  const keep = async (asked) => {
    const stamp = { encuentro: PRACTICE, expect: state.partidas[0].version, key: "", device: "", at: "" };
    commands = [...commands, { ...addressed(asked, stamp), seq: commands.length }];
    changed();
    return true;
  };
  const clear = () => {
    [commands, cut, since] = [[], Infinity, null];
    changed();
  };
  /** @param {boolean} is */
  const disconnect = (is) => {
    [cut, since] = is ? [commands.length, new Date().toISOString()] : [Infinity, null];
    changed();
  };
  return { state: () => state, subscribers, keep, clear, disconnect };
};

/** An open table as the views know it: `clear` empties it, `disconnect` makes acts wait as without a connection. */
const made = () => {
  const { state, subscribers, keep, clear, disconnect } = recordOf(encuentro());
  /** @type {OpenTable} */
  const table = {
    id: PRACTICE,
    state,
    subscribe: (subscriber) => {
      subscribers.add(subscriber);
      return () => subscribers.delete(subscriber);
    },
    record: (_, acts) => keep(recording(1, acts)),
    amend: (_, changes) => keep(amending(1, changes)),
    start: async () => false,
    resolve: async () => false,
    sendAside: async () => false,
  };
  return { table, clear, disconnect };
};

/** @type {ReturnType<typeof made> | null} */
let kept = null;

/** The table of the tour, the same for every view of this page. */
export const practice = () => (kept ??= made());
