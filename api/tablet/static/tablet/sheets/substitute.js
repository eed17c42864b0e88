// A substitution: another person takes a seat. It belongs to the encuentro, so it is sent at once; without a network nothing is stored.
import { prefix } from "../../html/prefix.js";
import { html, useRef, useState } from "../vendor/ui.js";
import { newKey } from "../outbox/keys.js";
import { ask } from "../outbox/asking.js";
import { pull } from "../outbox/following.js";
import { openTable } from "../outbox/table.js";
import { t } from "../../html/words.js";
import { Form } from "./forms.js";
/** @import { Context } from "../table/table.js" */
/** @import { FieldSpec } from "./forms.js" */

/** @type {FieldSpec[]} */
const FIELDS = [["seat", "seat", true], ["name", "text", true], ["text", "text"]];

/**
 * The request; null while earlier acts wait to be sent.
 * @type {(id: string, act: {seat: string, name: string, text?: string}) => Promise<{body: string, version: number} | null>}
 */
const asking = async (id, { seat, name, text }) => {
  const { encuentro, partidas, queue } = (await openTable(id)).state();
  const last = partidas[partidas.length - 1];
  if (queue.length) return null;
  const body = JSON.stringify({ seat, name, partida: last?.number ?? 0, line: last?.entries.length ?? 0, ...(text && { because: text }) });
  return { body, version: encuentro.version };
};

/** @param {Context} props */
export const Substitute = ({ id, game, say, close }) => {
  const [problem, tell] = useState("");
  const isAsking = useRef(false);
  /** The last request without an answer. It is sent again with the same key, so the service does it once. */
  const unsure = useRef(/** @type {{body: string, version: number, key: string} | null} */ (null));
  const once = async (/** @type {{seat: string, name: string, text?: string}} */ act) => {
    const found = await asking(id, act);
    if (!found) return tell(t("tablet.table.waits_for_service"));
    const asked = unsure.current?.body === found.body ? unsure.current : { ...found, key: newKey() };
    const headers = { "Content-Type": "application/json", "Idempotency-Key": asked.key, "If-Match": `"${asked.version}"` };
    const { outcome, content } = await ask(`${prefix}/api/v1/encuentros/${id}/substitutions`, { method: "POST", body: asked.body, headers });
    unsure.current = outcome === "later" ? asked : null;
    if (outcome !== "answered") return tell(content?.detail ?? content?.title ?? t("tablet.table.waits_for_service"));
    close();
    await pull(id);
  };
  const onAct = async (/** @type {{seat: string, name: string, text?: string}} */ act) => {
    if (isAsking.current) return;
    isAsking.current = true;
    await once(act).finally(() => (isAsking.current = false));
  };
  return html`
    <${Form} kind="substitute" fields=${FIELDS} ...${{ game, say, onAct }} />
    ${problem && html`<p role="alert">${problem}</p>`}`;
};
