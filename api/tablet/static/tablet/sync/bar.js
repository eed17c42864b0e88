// The bar with the state of synchronisation, in words and as a shape, and the button that opens its panel.
import { html, useEffect, useRef, useState } from "../vendor/ui.js";
import { onChange } from "../outbox/changes.js";
import { isOffline, server } from "../outbox/asking.js";
import { isSecure } from "../outbox/durable.js";
import { isKept } from "../outbox/store.js";
import { keptTables } from "../outbox/table.js";
import { lang, t, timeZone } from "../../html/words.js";
import { useTable } from "../open_table.js";
import { Panel } from "./panel.js";
/** @import { Status, TableState } from "../outbox/table.js" */
/** @import { OpenedTable } from "../open_table.js" */

/** @typedef {{status: Status, waiting: number, since: string | null}} BarState values that the bar shows */

/** @type {Record<Status, string>} */
const SHAPES = {
  sent: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm-1.4 13.2-4-4 1.6-1.6 2.4 2.4 5.2-5.2 1.6 1.6Z",
  here: "M4 4h16v16H4Zm7 3v6H8l4 5 4-5h-3V7Z",
  sending: "M12 3 4 12h5v9h6v-9h5Z",
  offline: "m4 2 18 18-2 2-4-4H7a5 5 0 0 1-1-9.9L2 4Zm6 3a6 6 0 0 1 8 4.2 4.5 4.5 0 0 1 3 7Z",
  full: "M4 4h16v16H4Zm7 3v7h2V7Zm0 8.6V18h2v-2.4Z",
  conflict: "M2 5h11v4h-7v6H2Zm9 4h11v10H11Z",
  refused: "M12 2 23 21H1Zm-1.2 6v7h2.4V8Zm0 8.6V19h2.4v-2.4Z",
  signed_out: "M14 2a6 6 0 1 0-4.5 9.9L11 14h2v2h2v2h2v2h4v-4l-6-6a6 6 0 0 0-1-8Zm-4 3a2 2 0 1 1 0 4 2 2 0 0 1 0-4Z",
  insecure: "M6 10V8a6 6 0 0 1 11-3.3l-2 1.3A3.5 3.5 0 0 0 8.5 8v2H20v11H4V10Z",
};

/**
 * States that need an action of the arbiter. Screen readers announce them, and their end.
 * @type {(Status | undefined)[]}
 */
const GRAVE = ["conflict", "refused", "signed_out", "full", "offline"];

/** @param {{of: Status}} props */
const Shape = ({ of }) =>
  html`<svg class="shape" viewBox="0 0 24 24" aria-hidden="true"><path fill-rule="evenodd" d=${SHAPES[of]} /></svg>`;

/** Hour and minute of a time. @type {(at: string | number) => string} */
export const hourOf = (at) => new Intl.DateTimeFormat(lang, { hour: "2-digit", minute: "2-digit", timeZone }).format(new Date(at));

/** A state in words. @type {(seen: BarState) => string} */
const said = ({ status, waiting, since }) => {
  const here = t(isKept() ? "tablet.sync.here" : "tablet.sync.here_only", { n: waiting });
  const kept = waiting ? ` · ${here}` : "";
  if (status === "offline") return t("tablet.sync.offline", { time: hourOf(since ?? Date.now()) }) + kept;
  if (status === "here") return here;
  if (status === "sending") return t("tablet.sync.sending", { n: waiting });
  return t(`tablet.sync.${status}`) + (["signed_out", "full", "insecure"].includes(status) ? kept : "");
};

/** State of all tables together, for a page without an open table. @type {() => Promise<BarState>} */
const overall = async () => {
  const waiting = (await keptTables()).reduce((sum, one) => sum + one.waiting, 0);
  const calm = waiting ? "here" : isSecure() ? "sent" : "insecure";
  const silent = server.isFull && waiting ? "full" : isOffline() ? "offline" : calm;
  return { status: server.isSignedOut ? "signed_out" : silent, waiting, since: server.since };
};

/**
 * Values of the bar for the open table, or for all tables while none is open; read again after each try to open one.
 * @type {(found: OpenedTable) => BarState | null}
 */
const useSeen = (found) => {
  const [seen, see] = useState(/** @type {BarState | null} */ (null));
  useEffect(() => {
    const { table } = found;
    if (table) {
      const show = (/** @type {TableState} */ { status, queue, since }) => see({ status, waiting: queue.length, since });
      show(table.state());
      return table.subscribe(show);
    }
    const show = () => {
      overall().then(see).catch(console.warn);
    };
    show();
    return onChange(show);
  }, [found]);
  return seen;
};

/** What is wrong beside the state. @type {(shape: Status, text: string, more?: object) => object} */
const unsafe = (shape, text, more) =>
  html`<span class="sync unsafe" ...${more}><${Shape} of=${shape} />${t(text)}</span>`;

/** The bar, and the panel it opens; `id` of the encuentro that is shown, or "". @param {{id: string}} props */
export const Sync = ({ id }) => {
  const found = useTable(id);
  const seen = useSeen(found);
  const [isOpen, open] = useState(false);
  const [news, tell] = useState("");
  const before = useRef(/** @type {Status} */ ("sent"));
  const status = seen?.status;
  useEffect(() => {
    if (!seen || !status || status === before.current) return;
    if (GRAVE.includes(status) || GRAVE.includes(before.current)) tell(said(seen));
    if (status === "conflict" || status === "refused") open(true);
    before.current = status;
  }, [status]);
  const isAtRisk = !isKept() && (seen?.waiting ?? 0) > 0;
  useEffect(() => {
    if (!isAtRisk) return undefined;
    const ask = (/** @type {Event} */ event) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [isAtRisk]);
  if (!seen) return null;
  return html`
    <button class="sync" data-status=${status} aria-haspopup="dialog" aria-expanded=${isOpen} onClick=${() => open(true)}>
      <${Shape} of=${status} /><span>${said(seen)}</span>
    </button>
    ${!isSecure() && status !== "insecure" && unsafe("insecure", "tablet.sync.insecure")}
    ${server.isApart && unsafe("refused", "tablet.sync.clock", { role: "alert" })}
    ${!isKept() && unsafe("refused", "tablet.sync.unkept", { class: "sync unsafe unkept", role: "alert" })}
    <p class="hidden" role="status">${news}</p>
    ${isOpen && html`<${Panel} ...${{ table: found.table, status, close: () => open(false) }} />`}
  `;
};
