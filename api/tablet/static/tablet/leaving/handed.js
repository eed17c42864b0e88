// Requests that were not sent, complete and in order, as a file for the user.
import { html, useMemo } from "../vendor/ui.js";
import { headersOf } from "../outbox/asking.js";
import { t } from "../../html/words.js";
/** @import { Aside, Queued } from "../outbox/store.js" */
/** @import { Unsent } from "./clearing.js" */

/** A command as it would be sent, and the reason why it was not. @type {(command: Queued | Aside) => object} */
const requestOf = (command) => ({
  method: "POST",
  path: command.path,
  headers: headersOf(command),
  body: JSON.parse(command.body),
  asked_at: command.at,
  ...(command.problem ? { refused: { status: command.problem.status, code: command.problem.code } } : {}),
  ...("why" in command ? { set_aside: command.why } : {}),
});

/** @type {(unsent: Unsent[]) => string} */
const fileOf = (unsent) =>
  JSON.stringify(
    {
      format: "guinote-outbox/1",
      made_at: new Date().toISOString(),
      requests: unsent.map((one) => ("opening" in one ? { opening: one.opening } : requestOf(one))),
    },
    null,
    2,
  );

/**
 * The link that saves the file.
 * @param {{unsent: Unsent[], onHanded?: () => void}} props
 */
export const Handing = ({ unsent, onHanded }) => {
  const address = useMemo(() => URL.createObjectURL(new Blob([fileOf(unsent)], { type: "application/json" })), [unsent]);
  return html`<a class="button" href=${address} download="guinote-sin-enviar.json" onClick=${onHanded}>
    ${t("leaving.download", { n: unsent.length })}
  </a>`;
};
