// The end of a partida: winner, totals, and the button for the next one.
import { prefix } from "../../html/prefix.js";
import { html } from "../vendor/ui.js";
import { SIDES } from "../rules/index.js";
import { t } from "../../html/words.js";
import { AskedNotice } from "../sheets/asked.js";
import { Later } from "../later.js";
import { saidTotal, reportedTotals, shownCount } from "./score.js";
/** @import { Context } from "./table.js" */

/**
 * Buttons for the next partida: recorded card by card, or only its outcome.
 * @param {{begin: (sheet?: string) => void, word: string}} props
 */
export const Next = ({ begin, word }) => html`
  <div class="choice next">
    <button class="main" onClick=${() => begin()}>${t(`tablet.table.${word}`)}</button>
    <button class="option" onClick=${() => begin("result")}>${t("tablet.result.only")}</button>
  </div>`;

/** @param {Context} props */
export const Decided = ({ id, guide, game, say, begin, open }) => {
  const { view, number } = game.now;
  if (!view.decided) return null;
  const { winner, how } = view.decided;
  const totals = shownCount(view) ? {} : reportedTotals(view);
  const sides = SIDES[game.options.players].filter((side) => side in totals);
  const { winner: encuentro, made } = game.score;
  const coto = made.find(({ partida }) => partida === number);
  return html`
    <section class="decided" aria-labelledby="decided">
      <p class="of">${t("tablet.table.partida_number", { n: number })}</p>
      <h2 id="decided">${t("tablet.table.wins", { side: say.side(winner) })}</h2>
      <p>${t(`how.${how}`)}</p>
      <${AskedNotice} ...${{ game, say, open }} />
      ${sides.length > 0 && html`<p class="result">${sides.map((side) => html`<span key=${side}>${say.side(side)} <b>${totals[side]}</b> ${saidTotal(totals[side])}</span>`)}</p>`}
      ${coto && html`<p class="coto">${t("tablet.result.coto", { n: coto.coto, side: say.side(coto.winner) })}</p>`}
      ${encuentro === null
        ? html`<${Next} ...${{ begin }} word="next_partida" />
          ${!guide && html`<p><a href=${`${prefix}/encuentro/${id}`}><img src=${`${prefix}/encuentro/${id}/qr.svg`} alt="" width="120" height="120" /> ${t("tablet.table.door")}</a></p>`}`
        : html`<p class="final">${encuentro ? t("tablet.table.wins_encuentro", { side: say.side(encuentro) }) : t("tablet.table.draw")}</p>
          <${Later} ...${{ id, game, say }} load=${() => import("../results/agreement.js")} part="Agreement" />`}
    </section>`;
};
