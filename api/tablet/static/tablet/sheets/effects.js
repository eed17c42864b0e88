// What would change, in words; points that players must not be told are shown only while their button is held.
import { html } from "../vendor/ui.js";
import { t } from "../../html/words.js";
import { Peek } from "../long_press.js";

/** @typedef {{words: string[], secret: string[]}} Told all of what changes, and what of it is secret */

/** @param {Told} props */
export const Effects = ({ words, secret }) => html`
  <ul class="changes">${words.filter((one) => !secret.includes(one)).map((one) => html`<li key=${one}>${one}</li>`)}</ul>
  ${secret.length > 0 && html`<${Peek} label=${t("tablet.table.hold_to_see")}>
    ${(/** @type {boolean} */ isShown) => (isShown ? secret.join(" · ") : t("tablet.table.hold_to_see"))}<//>`}`;
