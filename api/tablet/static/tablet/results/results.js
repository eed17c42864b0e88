// Requests to the service about the result of an encuentro. They need a network.
import { prefix } from "../../html/prefix.js";
import { newKey } from "../outbox/keys.js";
import { ask } from "../outbox/asking.js";
import { deviceName } from "../outbox/keeping.js";
import { write } from "../outbox/store.js";
import { sideOf } from "../rules/index.js";
import { t } from "../../html/words.js";
/** @import { EncuentroView } from "../outbox/store.js" */
/** @import { Seat } from "../rules/seats.js" */

/** @type {(id: string) => string} */
const addressOf = (id) => `${prefix}/api/v1/encuentros/${id}`;

/** Latest version of an encuentro in an answer: a view may be older. @type {Map<string, number>} */
const versions = new Map();

/** @type {(view: EncuentroView) => number} */
const versionOf = ({ id, version }) => Math.max(version, versions.get(id) ?? 0);

/** The official view of an encuentro; null without an answer. @type {(id: string) => Promise<EncuentroView | null>} */
export const resultOf = async (id) => {
  const { outcome, content } = await ask(addressOf(id));
  return outcome === "answered" ? content : null;
};

/**
 * The answer; `wrong` is the error if there is none.
 * @type {(view: EncuentroView, path: string, body: object) => Promise<{content: any, wrong: string}>}
 */
const post = async (view, path, body) => {
  const { id } = view;
  const device = await write(["about"], deviceName);
  const headers = { "Content-Type": "application/json", "Idempotency-Key": newKey(), "If-Match": `"${versionOf(view)}"`, "Guinote-Device": device };
  const { outcome, content } = await ask(`${addressOf(id)}/result/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  if (outcome === "answered") {
    versions.set(id, content.version);
    return { content, wrong: "" };
  }
  return { content: {}, wrong: content?.detail ?? t("tablet.agree.later") };
};

/**
 * A player reports the result as it stands, for their side.
 * @type {(view: EncuentroView, seat: Seat) => Promise<string>}
 */
export const report = async (view, seat) =>
  (await post(view, "reports", { by: { person: view.seats[seat] }, side: sideOf(seat) })).wrong;

/**
 * A player confirms on this tablet, with the code on the card of their side if it is given.
 * @type {(view: EncuentroView, seat: Seat, code: string) => Promise<string>}
 */
export const confirmHere = async (view, seat, code) => {
  const body = { by: { person: view.seats[seat] }, side: sideOf(seat), ...(code && { code }) };
  return (await post(view, "confirmations", body)).wrong;
};
