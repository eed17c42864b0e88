// Acts other than cards: the bar under the pad, and the sheets that it opens.
import { html, useState } from "../vendor/ui.js";
import { SUITS, claimBarred, next, refusal, sideOf, swapCard } from "../rules/index.js";
import { t } from "../../html/words.js";
import { Suit } from "../drawings.js";
import { HoldButton } from "../long_press.js";
import { Choice } from "../sheet.js";
import { WithoutCards, isUncounted, mayEnterTrick } from "../results/uncarded.js";
import { isBeforeArrastre } from "../table/takers.js";
/** @import { Seat } from "../rules/seats.js" */
/** @import { RunningTable } from "../rules/state.js" */
/** @import { DealView } from "../rules/queries/view.js" */
/** @import { Game, LastActs } from "../table/game.js" */
/** @import { Context } from "../table/table.js" */

/** The bar: a button for each frequent act, and one for all others. @param {Context & {last: LastActs | null}} props */
export const Bar = ({ deal, ui, view, waiting, last, say, open, undo }) => {
  const isOver = waiting || Boolean(view.decided);
  const { acts: [latest], mayUndo } = last ?? { acts: [] };
  const undoes = latest && (mayUndo ? say.act(latest.act) : t("tablet.table.not_here"));
  const findings = view.findings.length;
  return html`
  <div class="bar" role="toolbar" aria-label=${t("tablet.table.acts")}>
    <button class="undo" disabled=${!mayUndo} onClick=${() => undo(latest.line)}>
      <span aria-hidden="true">↶</span> ${t("tablet.table.undo")}<small>${undoes}</small>
    </button>
    ${!isOver && html`
      <button data-sheet="cante" onClick=${() => open("cante")}>${t("tablet.table.cante")}</button>
      <button data-sheet="swap" onClick=${() => open("swap")}>${t("tablet.table.swap")}</button>
      <button class="claim" onClick=${() => open("claim")}>${t("tablet.table.claim")}</button>
      ${deal && mayEnterTrick(view, deal) && !isBeforeArrastre(deal) && html`<button data-sheet="rest" onClick=${() => open("rest")}>${t("tablet.rest.button")}</button>`}`}
    ${!view.decided && (waiting || (isUncounted(view) && !ui.isHalf)) && html`<${WithoutCards} ...${{ deal, view, open }} />`}
    <button onClick=${() => open("log")}>${t("tablet.table.log")}</button>
    ${findings > 0 && html`<button class="quiet" data-sheet="findings" onClick=${() => open("findings")}><span class="mark" aria-hidden="true">!</span> ${t("tablet.table.findings", { n: findings })}</button>`}
    <button onClick=${() => open("more")} aria-haspopup="dialog">${t("tablet.table.more")}</button>
  </div>`;
};

/**
 * Seats by how likely they are to announce: first the taker of the last trick, then their partner.
 * @type {(game: Game, deal: DealView | null) => Seat[]}
 */
const likely = (game, deal) => {
  const taker = deal?.tricks[deal.tricks.length - 1]?.taker;
  const rank = (/** @type {Seat} */ seat) => (seat === taker ? 0 : taker && sideOf(seat) === sideOf(taker) ? 1 : 2);
  return [...game.seats].sort((one, other) => rank(one) - rank(other));
};

/** @type {[boolean | null, string][]} */
const SHOWN = [[true, "yes"], [false, "no"], [null, "unnoted"]];

/**
 * A row for each seat, a button for each suit: one tap records a cante. Whether it was shown can be chosen before.
 * @param {Context & {deal: DealView}} props
 */
export const CanteSheet = ({ game, deal, view, say, record }) => {
  const [shown, tell] = useState(/** @type {boolean | null} */ (null));
  const sing = (/** @type {Seat} */ seat, /** @type {string} */ suit) => record({ kind: "cante", seat, ...(suit && { suit }), ...(shown !== null && { shown }) });
  const { cante: may = {} } = next(view);
  const isLikely = (/** @type {Seat} */ seat, /** @type {string} */ suit) => may[seat]?.includes(suit);
  return html`
    <${Choice} label=${t("tablet.table.field.shown")} value=${shown} onChoose=${tell} choices=${SHOWN.map(([value, word]) => [value, t(`tablet.table.${word}`)])} />
    ${likely(game, deal).map((seat) => html`
      <div class="singer" key=${seat} role="group" aria-label=${say.seat(seat)}>
        <b>${say.seat(seat)}</b>
        ${[...SUITS].map((suit) => html`
          <button key=${suit} data-cante=${seat + suit} class=${isLikely(seat, suit) ? "" : "unlikely"} onClick=${() => sing(seat, suit)}
            aria-label=${`${say.pack.suitName(suit)}: ${suit === deal.trump ? 40 : 20}${isLikely(seat, suit) ? "" : `, ${t("tablet.table.barred")}`}`}>
            <${Suit} pack=${say.pack} suit=${suit} /> <b>${suit === deal.trump ? 40 : 20}</b>
          </button>`)}
        <button data-cante=${seat} class=${isLikely(seat, "") ? "" : "unlikely"} onClick=${() => sing(seat, "")}>${t("tablet.table.hidden_short")}</button>
      </div>`)}`;
};

/** A button for each seat: one tap records that it swapped for the pinta. @param {Context & {deal: DealView}} props */
export const SwapSheet = ({ game, deal, view, say, record }) => {
  const rule = refusal(view, "swap");
  if (rule) return html`<p>${t(`rule.${rule}`)}</p>`;
  const usual = swapCard(game.options, deal.trump);
  const isUsual = deal.pinta !== usual;
  const card = isUsual ? usual : `2${deal.trump}`;
  const { swap, two_for_seven: mayDos } = game.options;
  const barred = !swap ? "swap-barred" : !isUsual && !mayDos ? "two-for-seven-barred" : "";
  const { swap: may = {} } = next(view);
  const isLikely = (/** @type {Seat} */ seat) => may[seat]?.includes(card);
  const label = (/** @type {Seat} */ seat) => `${say.seat(seat)}${isLikely(seat) ? "" : `, ${t("tablet.table.barred")}`}`;
  return html`
    ${barred && html`<p>${t(`rule.${barred}`)}</p>`}
    <p>${t("tablet.table.swap_what", { card: say.card(card), pinta: say.card(deal.pinta) })}</p>
    <div class="choice">
      ${likely(game, deal).map((seat) => html`
        <button class=${`option${isLikely(seat) ? "" : " unlikely"}`} key=${seat} data-seat=${seat} aria-label=${label(seat)}
          onClick=${() => record({ kind: "swap", seat, ...(!isUsual && { card }) })}>${say.seat(seat)}</button>`)}
    </div>`;
};

/** Who accuses the seat of a card of a renuncio in its trick: one tap. @param {Context} props */
export const AccuseSheet = ({ game, view, sheet, say, record }) => {
  const tricks = view.deals.flatMap(({ number, tricks, on_table: laid }) =>
    [...tricks.map(({ plays }) => plays), laid].map((plays, place) => ({ deal: number, trick: place + 1, plays })));
  const found = tricks.find(({ plays }) => plays.some(({ line }) => line === sheet.line));
  const play = found?.plays.find(({ line }) => line === sheet.line);
  if (!found || !play) return null;
  const { deal, trick } = found;
  const isEarlier = deal < view.deals.length;
  return html`
    <p>${t("tablet.table.accuse_help", { seat: say.seat(play.seat), card: say.card(play.card) })}</p>
    <div class="choice">${game.seats.filter((seat) => sideOf(seat) !== sideOf(play.seat)).map((seat) => html`
      <button class="option" key=${seat} data-seat=${seat} onClick=${() => record({ kind: "denounce", by: seat, against: play.seat, trick, ...(isEarlier && { deal }) })}>${say.seat(seat)}</button>`)}</div>`;
};

/** Buttons for a claim. They must be held for a second, so that an accidental touch does not claim. @param {Context} props */
export const ClaimSheet = ({ game, deal, view, say, record }) => {
  const barred = game.seats.map((seat) => claimBarred(/** @type {RunningTable} */ (view.state), seat));
  return html`
  ${barred.every(Boolean) && html`<p><b>${t(`rule.${barred[0]}`)}</b> ${t("tablet.table.claim_anyway")}</p>`}
  <p id="hold-help">${t("tablet.table.hold_to_claim")}</p>
  <div class="claims">
    ${likely(game, deal).map((seat) => html`
      <${HoldButton} key=${seat} data-seat=${seat} onHeld=${() => record({ kind: "claim", seat })}
        label=${html`<span><b>${say.seat(seat)}</b> ${t("tablet.table.claim")}</span>`} />`)}
  </div>`;
};
