// The page after the data was cleared: the user signed out, or the access was revoked.
import { prefix } from "../../html/prefix.js";
import { html, useEffect, useState } from "../vendor/ui.js";
import { t } from "../../html/words.js";
import { clearHere, unsentHere } from "./clearing.js";
import { Handing } from "./handed.js";
/** @import { Leaving, Unsent } from "./clearing.js" */

/** Commands that may not be sent from here any more: saved as a file, then cleared. */
const Kept = () => {
  const [unsent, find] = useState(/** @type {Unsent[]} */ ([]));
  const [isHanded, hand] = useState(false);
  const look = () => {
    unsentHere().then(find, console.warn);
  };
  useEffect(look, []);
  if (!unsent.length) return null;
  const clear = async () => {
    if (await clearHere(unsent, { why: "revoked" })) find([]);
    else look();
  };
  return html`<section class="unsent">
    <p class="wrong" role="alert">${t("leaving.revoked_waiting", { n: unsent.length })}</p>
    <p class="choices">
      <${Handing} unsent=${unsent} onHanded=${() => hand(true)} />
      <button class="quiet" disabled=${!isHanded} onClick=${clear}>${t("leaving.clear")}</button>
    </p>
  </section>`;
};

/** @param {Leaving} left */
export const Left = ({ why, isOpen, waits }) => html`<div class="leaving">
  <h1>${t(`leaving.${why}`)}</h1>
  <p>${t(`leaving.${why}_about`)}</p>
  ${isOpen && html`<p>${t("leaving.left_later")}</p>`}
  ${waits && html`<${Kept} />`}
  <p><a class="button" href=${`${prefix}/entrar?next=${prefix}/arbitro/`}>${t("leaving.sign_in")}</a></p>
</div>`;
