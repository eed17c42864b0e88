// Sign-out on this device: waiting commands are sent or saved as a file, then the data is cleared and the session ends.
import { prefix } from "../../html/prefix.js";
import { html, useEffect, useRef, useState } from "../vendor/ui.js";
import { isReached, server } from "../outbox/asking.js";
import { onChange } from "../outbox/changes.js";
import { drainAll } from "../outbox/sending.js";
import { t } from "../../html/words.js";
import { clearHere, showLeft, unsentHere, waitingHere } from "./clearing.js";
import { Handing } from "./handed.js";
/** @import { Leaving, Unsent } from "./clearing.js" */

const PATIENCE_MS = 8_000;
const LOOK_MS = 200;

/** @type {(ms: number) => Promise<void>} */
const pause = (ms) => new Promise((go) => setTimeout(go, ms));

/** Sends the waiting commands, until all are sent or sending fails. */
const sent = async () => {
  const until = Date.now() + PATIENCE_MS;
  await drainAll();
  for (;;) {
    const waiting = await waitingHere();
    const isStuck = waiting.some(({ problem }) => problem) || server.since !== null || server.isSignedOut;
    if (!waiting.length || isStuck || Date.now() > until) return;
    await pause(LOOK_MS);
  }
};

/**
 * Commands that are still not sent after a try, without those that are sent meanwhile; null until that is known. `look` tries again.
 * @type {() => {unsent: Unsent[] | null, waiting: number, look: () => Promise<Unsent[]>}}
 */
const useUnsent = () => {
  const [unsent, find] = useState(/** @type {Unsent[] | null} */ (null));
  const [waiting, count] = useState(0);
  const look = async () => {
    find(null);
    count((await waitingHere()).length);
    await sent();
    const left = await unsentHere();
    find(left);
    return left;
  };
  useEffect(() => {
    const renew = (/** @type {Unsent[]} */ left) => find((known) => (known && known.length !== left.length ? left : known));
    return onChange(() => unsentHere().then(renew, console.warn));
  }, []);
  return { unsent, waiting, look };
};

/** Notice of the commands that could not be sent. @param {{unsent: Unsent[], look: () => void, onHanded: () => void, isHanded: boolean}} props */
const Waiting = ({ unsent, look, onHanded, isHanded }) => html`<section class="unsent">
  <h2>${t("leaving.waiting", { n: unsent.length })}</h2>
  <p>${t("leaving.waiting_about")}</p>
  <p class="choices">
    <${Handing} ...${{ unsent, onHanded }} />
    <button class="quiet" onClick=${look}>${t("leaving.again")}</button>
  </p>
  <p role="status">${isHanded && t("leaving.downloaded")}</p>
</section>`;

/**
 * `isAsked`: the arbiter already pressed the sign-out button on another page, so no confirmation is asked if nothing waits.
 * @param {{isAsked?: boolean}} props
 */
export const View = ({ isAsked = false }) => {
  const { unsent, waiting, look } = useUnsent();
  const [handed, hand] = useState(/** @type {Unsent[] | null} */ (null));
  const form = useRef(/** @type {HTMLFormElement | null} */ (null));
  const leave = async (/** @type {Unsent[]} */ given) => {
    const isOnline = await isReached();
    const left = /** @type {Leaving} */ ({ why: "left", isOpen: !isOnline });
    if (!(await clearHere(given, left))) return void look();
    if (isOnline) form.current?.submit();
    else showLeft(left);
  };
  useEffect(() => {
    look().then((left) => isAsked && !left.length && leave([]), console.warn);
  }, []);
  const isReady = unsent !== null && (!unsent.length || handed === unsent);
  return html`<div class="leaving">
    <h1>${t("leaving.title")}</h1>
    <p>${t("leaving.about")}</p>
    ${unsent === null && html`<p role="status">${t(waiting ? "leaving.sending" : "leaving.looking", { n: waiting })}</p>`}
    ${unsent !== null && unsent.length > 0 && html`<${Waiting} ...${{ unsent, look, isHanded: handed === unsent, onHanded: () => hand(unsent) }} />`}
    <form ref=${form} method="post" action=${`${prefix}/salir`}><input type="hidden" name="cleared" value="yes" /></form>
    <p class="choices">
      <button disabled=${!isReady} onClick=${() => leave(unsent ?? [])}>${t("leaving.leave")}</button>
      <a href=${`${prefix}/arbitro/#/`}>${t("leaving.stay")}</a>
    </p>
  </div>`;
};
