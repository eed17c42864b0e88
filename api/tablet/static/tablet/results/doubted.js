// Doubts about a reported outcome, in words.
import { html } from "../vendor/ui.js";
import { findingText } from "../sheets/findings.js";
/** @import { Doubt } from "../rules/queries/reported.js" */
/** @import { Say } from "../wording.js" */

/** @param {{doubts: Doubt[], say: Say}} props */
export const DoubtList = ({ doubts, say }) => html`
  <div role="status" class="doubted">
    ${doubts.length > 0 && html`<ul>${doubts.map((one) => html`<li key=${one.rule} data-rule=${one.rule}>${findingText(one, say)}</li>`)}</ul>`}
  </div>`;
