// The link that opens a case about acts of a partida, for those who may open one.
import { prefix } from "../../html/prefix.js";
import { html, useEffect, useState } from "../vendor/ui.js";
import { t } from "../../html/words.js";
import { mayOpenCases } from "../service.js";
/** @import { Reading } from "../table/game.js" */

/** Whether the service has a line of a partida. @type {(reading: Reading, line: number) => boolean} */
export const isSent = ({ log }, line) => log.some((entry) => entry.line === line && !entry.queued);

let wasAllowed = false;
/** @type {Promise<boolean> | null} */
let asking = null;

/** The answer of the service, one for all links that ask at once. @type {(id: string) => Promise<boolean>} */
const answered = (id) => {
  asking ??= mayOpenCases(id).finally(() => {
    asking = null;
  });
  return asking;
};

/** Whether the user of this tablet may open a case, as the service said last; asked anew by each view. @type {(id: string) => boolean} */
export const useMayOpenCases = (id) => {
  const [may, allow] = useState(wasAllowed);
  useEffect(() => {
    answered(id)
      .then((answer) => allow((wasAllowed = answer)))
      .catch(() => {});
  }, []);
  return may;
};

/**
 * A link to the form with these lines; nothing for a line that the service does not have yet.
 * @param {{id: string, number: number, lines: number[], isSent: boolean}} props
 */
export const CaseLink = ({ id, number, lines, isSent }) => {
  const may = useMayOpenCases(id);
  if (!may || !isSent) return null;
  return html`<a class="button plain case" href=${`${prefix}/e/${id}/c?partida=${number}&lineas=${lines.join()}`}>${t("tablet.table.open_case")}</a>`;
};
