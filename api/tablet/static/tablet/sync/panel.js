// The panel of the bar: a conflict of two records, a refused act, what waits or is set aside, and missing guarantees of the browser.
import { prefix } from "../../html/prefix.js";
import { html, useEffect, useRef, useState } from "../vendor/ui.js";
import { isSecure, missing } from "../outbox/durable.js";
import { isKept } from "../outbox/store.js";
import { t } from "../../html/words.js";
import { HelpLink } from "../help.js";
import { onNewVersion, takeNewVersion } from "../offline.js";
import { areKept, fetched } from "../fetched.js";
import { speakerOf } from "../wording.js";
/** @import { OpenTable, Status, TableState } from "../outbox/table.js" */

/** @typedef {typeof import("./choices.js")} Choices */

const GRAVE = ["conflict", "refused"];

/**
 * What only commands that wait or are set aside need: loaded when there are some, and the file can be had.
 * @type {(isNeeded: boolean) => Choices | null}
 */
const useChoices = (isNeeded) => {
  const [found, find] = useState(/** @type {Choices | null} */ (null));
  useEffect(() => {
    if (isNeeded) fetched(() => import("./choices.js")).then(find);
  }, [isNeeded]);
  return found;
};

/**
 * Commands set aside: they can be viewed and sent later. None is deleted.
 * @param {{table: OpenTable, state: TableState, CommandText: Choices["CommandText"]}} props
 */
const Drawer = ({ table, state, CommandText }) => {
  const { aside } = state;
  const [isStuck, stick] = useState(0);
  const send = async (/** @type {number} */ seq) => stick((await table.sendAside(seq)) ? 0 : seq);
  return html`<section aria-labelledby="drawer">
    <h3 id="drawer">${t("tablet.sync.drawer", { n: aside.length })}</h3>
    <ul class="record">
      ${aside.map(
        (one) => html`<li key=${one.seq}>
          <${CommandText} command=${one} say=${speakerOf(state)} />
          <p class="why">${t(`tablet.sync.why.${one.why}`)}${one.problem?.status !== 412 && one.problem?.detail ? ` ${one.problem.detail}` : ""}</p>
          ${one.sort === "acts" && html`<button onClick=${() => send(one.seq)}>${t("tablet.sync.send_aside")}</button>`}
          ${isStuck === one.seq && html`<p role="alert">${t("tablet.sync.not_now")}</p>`}
        </li>`,
      )}
    </ul>
  </section>`;
};

/**
 * What the arbiter has to decide, what waits, and what they set aside.
 * @param {{table: OpenTable, state: TableState, status: Status}} props
 */
const Undecided = ({ table, state, status }) => {
  const isGrave = GRAVE.includes(status);
  const isAside = state.aside.length > 0;
  const isUnsent = isAside || state.queue.length > 0;
  const choices = useChoices(isGrave || isAside || (isUnsent && (areKept() || !state.since)));
  if (!choices || !isUnsent) return null;
  const { Conflict, RefusedCommand, CommandText, Waiting } = choices;
  return html`
    ${isGrave && html`<${status === "conflict" ? Conflict : RefusedCommand} ...${{ table, state }} />`}
    ${isAside && html`<${Drawer} ...${{ table, state, CommandText }} />`}
    <${Waiting} ...${{ state, status }} />`;
};

const SignedOut = () => {
  const back = encodeURIComponent(`${location.pathname}${location.hash}`);
  return html`<p>${t("tablet.sync.signed_out_about")}</p>
    <p><a class="button" href=${`${prefix}/entrar?next=${back}`}>${t("tablet.sync.sign_in")}</a></p>`;
};

/** Missing guarantees of this browser, and what the user can do. */
const Promises = () => {
  const [isPersisted, know] = useState(true);
  useEffect(() => {
    navigator.storage?.persisted?.().then(know);
  }, []);
  if (!isKept()) return html`<p class="wrong">${t("tablet.sync.unkept_about")}</p>`;
  if (isSecure()) return isPersisted ? null : html`<p class="lead">${t("tablet.sync.not_persisted")}</p>`;
  return html`<section class="unsafe-about">
    <h3>${t("tablet.sync.insecure")}</h3>
    <p>${t("tablet.sync.insecure_about")}</p>
    <ul>
      ${missing().map((one) => html`<li key=${one}>${t(`tablet.sync.missing.${one}`)}</li>`)}
    </ul>
  </section>`;
};

/**
 * Button for a new version of the program. It is disabled while a table is open.
 * @param {{table: OpenTable | null}} props
 */
const NewVersion = ({ table }) => {
  const [isWaiting, wait] = useState(false);
  useEffect(() => onNewVersion(wait), []);
  if (!isWaiting) return null;
  return html`<p>
    <button disabled=${table !== null} onClick=${takeNewVersion}>${t("tablet.sync.new_version")}</button>
    ${table && html` ${t("tablet.sync.new_version_later")}`}
  </p>`;
};

/** Buttons: back to the table, and sign out. @param {{grave: boolean, close: () => void}} props */
const Ways = ({ grave, close }) => {
  const leave = () => {
    close();
    location.hash = "#/salir";
  };
  return html`<p class="choices">
    <button class="quiet" onClick=${close}>${t(grave ? "tablet.sync.look_first" : "tablet.sync.close")}</button>
    ${!grave && html`<button class="quiet" onClick=${leave}>${t("leaving.link")}</button>`}
    <${HelpLink} task="sin-conexion" />
  </p>`;
};

/** The dialog. @param {{table: OpenTable | null, status: Status, close: () => void}} props */
export const Panel = ({ table, status, close }) => {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const heading = useRef(/** @type {HTMLElement | null} */ (null));
  const [state, see] = useState(table?.state());
  useEffect(() => {
    see(table?.state());
    return table?.subscribe(see);
  }, [table]);
  useEffect(() => {
    dialog.current?.showModal();
    heading.current?.focus();
  }, []);
  const grave = GRAVE.includes(status);
  const isLost = status === "conflict" && (state?.queue[0]?.problem?.lost ?? 0) > 0;
  const wasGrave = useRef(grave);
  useEffect(() => {
    if (wasGrave.current && !grave) close();
    wasGrave.current = grave;
  }, [grave]);
  return html`<dialog ref=${dialog} class="panel" role=${grave ? "alertdialog" : "dialog"} aria-labelledby="panel-title" onClose=${close}>
    <h2 id="panel-title" tabindex="-1" ref=${heading}>${t(`tablet.sync.title.${isLost ? "lost" : status}`)}</h2>
    ${status === "signed_out" ? html`<${SignedOut} />` : null}
    ${grave || status === "signed_out" ? null : html`<p>${t(`tablet.sync.about.${status}`)}</p>`}
    ${table && state && html`<${Undecided} ...${{ table, state, status }} />`}
    ${grave || status === "signed_out" ? null : html`<${Promises} />`}
    <${NewVersion} table=${table} />
    <${Ways} grave=${grave} close=${() => dialog.current?.close()} />
  </dialog>`;
};
