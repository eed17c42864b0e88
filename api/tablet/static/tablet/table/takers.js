// Half records: until arrastre one tap says who takes each trick; and the rest of a deal, taken by one seat.
import { ours } from "../../html/prefix.js";
import { html, useState } from "../vendor/ui.js";
import { t } from "../../html/words.js";
import { mayEnterTrick } from "../results/uncarded.js";
import { Choice } from "../sheet.js";
/** @import { Act } from "../rules/acts.js" */
/** @import { DealView, TableView } from "../rules/queries/view.js" */
/** @import { Context } from "./table.js" */

const KEPT = ours("guinote-half");

/** Whether this tablet notes tricks before arrastre by their takers alone. @type {() => boolean} */
export const usesTakers = () => {
  try {
    return localStorage.getItem(KEPT) !== null;
  } catch {
    return false;
  }
};

/** @type {(isHalf: boolean) => void} */
export const keepTakers = (isHalf) => {
  try {
    if (isHalf) localStorage.setItem(KEPT, "1");
    else localStorage.removeItem(KEPT);
  } catch {
    // Without storage it holds until the page is closed.
  }
};

/** Whether cards will still be drawn after the next trick. @type {(deal: DealView) => boolean} */
export const isBeforeArrastre = ({ stock, to_draw: due }) => stock > due.length;

/** Whether the next trick is noted by its taker. @type {(context: Pick<Context, "deal" | "ui" | "view" | "waiting">) => boolean} */
export const isByTaker = ({ deal, ui, view, waiting }) =>
  Boolean(ui.isHalf && deal && !waiting && mayEnterTrick(view, deal) && !ui.chosen && !ui.correcting && isBeforeArrastre(deal));

/** A button for each seat in the place of the pad; the second click of a double one is none. @param {Context} props */
export const Takers = ({ game, say, record, halve }) => html`
  <div class="pad takers" role="group" aria-label=${t("tablet.result.trick_who")}>
    ${game.seats.map((seat) => html`<button class="option" key=${seat} data-taker=${seat} onClick=${(/** @type {MouseEvent} */ { detail }) => detail < 2 && record({ kind: "trick", seat })}>${say.seat(seat)}</button>`)}
    <button class="plain" onClick=${() => halve(false)}>${t("tablet.result.with_cards")}</button>
  </div>`;

/** How many tricks are left in arrastre. @type {(deal: DealView) => number} */
const tricksLeft = ({ hands, to_draw: due }) =>
  Math.max(...Object.entries(hands).map(([seat, { size }]) => size + Number(due.includes(seat))));

/** Why the rest cannot be given now; "" if it can. @type {(view: TableView, deal: DealView) => string} */
const reasonToPlay = (view, deal) => {
  if (deal.on_table.length) return "trick";
  if (isBeforeArrastre(deal)) return "stock";
  return mayEnterTrick(view, deal) ? "" : "over";
};

/** Who says that the rest is theirs, and whether the others give it to them: then it is theirs at once. @param {Context & {deal: DealView}} props */
export const RestSheet = ({ game, deal, view, say, record }) => {
  const why = reasonToPlay(view, deal);
  const [isGiven, tell] = useState(!why);
  const left = tricksLeft(deal);
  const given = (/** @type {string} */ seat) => Array.from({ length: isGiven ? left : 0 }, () => /** @type {Act} */ ({ kind: "trick", seat }));
  const answers = [true, false].map((one) => [one, t(`tablet.rest.${one ? "given" : "played"}`, { n: left })]);
  return html`
    ${why ? html`<p>${t(`tablet.rest.why_${why}`)}</p>` : html`<${Choice} label=${t("tablet.rest.others")} value=${isGiven} onChoose=${tell} choices=${answers} />`}
    <div class="choice" role="group" aria-label=${t("tablet.rest.who")}>
      <span class="label" aria-hidden="true">${t("tablet.rest.who")}</span>
      ${game.seats.map((seat) => html`<button class="option" key=${seat} data-seat=${seat} onClick=${() => record({ kind: "claim_rest", seat }, ...given(seat))}>${say.seat(seat)}</button>`)}
    </div>`;
};
