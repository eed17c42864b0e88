// Question to the arbiter about a renuncio that everybody saw, where the rules punish it without a denunciation.
import { html } from "../vendor/ui.js";
import { t } from "../../html/words.js";
import { Findings } from "./findings.js";
import { readingOf } from "../table/game.js";
/** @import { Game, Reading } from "../table/game.js" */
/** @import { Context } from "../table/table.js" */

/** Notice of the earliest renuncio without an answer. @param {Pick<Context, "game" | "say" | "open">} props */
export const AskedNotice = ({ game, say, open }) => {
  const [first] = game.now.view.asked;
  if (!first) return null;
  const { line, seat, trick } = first;
  return html`<p class="asked" role="alert"><span>${t("tablet.asked.found", { seat: say.seat(seat), n: trick })}</span>
    <button class="main" onClick=${() => open("asked", { number: game.now.number, line })}>${t("tablet.asked.look")}</button></p>`;
};

/** The sheet of that renuncio: its proof, and the answers. @param {Context} props */
export const AskedSheet = ({ id, game, sheet: { number = 0, line = 0 }, say, record }) => {
  const { renuncio_penalty: penalty } = /** @type {Game} */ (game).options;
  const rule = (/** @type {"renuncio" | "annul_act"} */ effect) =>
    record({ kind: "ruling", effect, line, text: t(`tablet.asked.${effect}_text`) });
  return html`
    <${Findings} ...${{ id, say, line }} reading=${readingOf(game, number)} onLine=${null} />
    <p>${t(`tablet.accused.costs.${penalty}`)}</p>
    <div class="choice">
      <button class="main" onClick=${() => rule("renuncio")}>${t("tablet.asked.renuncio")}</button>
      <button class="option" onClick=${() => rule("annul_act")}>${t("tablet.asked.annul_act")}</button>
    </div>`;
};
