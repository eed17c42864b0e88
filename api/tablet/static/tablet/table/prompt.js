// The line above the pad: whose card is expected or what is asked, with a button to cancel.
import { html } from "../vendor/ui.js";
import { t } from "../../html/words.js";
import { readingOf } from "./game.js";
import { otherSeat } from "./replace.js";
import { AskedNotice } from "../sheets/asked.js";
import { CaseLink, isSent } from "../sheets/case_link.js";
import { isUncounted } from "../results/uncarded.js";
import { isByTaker } from "./takers.js";
/** @import { LineOfPartida } from "./actions.js" */
/** @import { Context } from "./table.js" */

/** @param {Context} props */
export const Prompt = (props) => {
  if (props.ui.correcting) return html`<${Correcting} ...${props} />`;
  const { view, record, waiting, open } = props;
  const { chosen } = props.ui;
  const isUsual = !waiting && !view.suspended && !chosen && !isByTaker(props) && view.phase !== "counting";
  return html`
    <${AskedNotice} ...${props} />
    <div class=${`prompt${isUsual ? " usual" : ""}`}>
      <p>${expected(props)}</p>
      ${view.suspended && html`<button class="main" onClick=${() => record({ kind: "resume" })}>${t("tablet.table.kind.resume")}</button>`}
      ${view.phase === "counting" && html`<button class="main" onClick=${() => (isUncounted(view) ? open("count") : record({ kind: "count" }))}>${t("tablet.table.count_it")}</button>`}
    </div>`;
};

/** @type {(context: Context) => string} */
const expected = (context) => {
  const { view, deal, ui: { chosen }, say, waiting } = context;
  if (isByTaker(context)) return t("tablet.result.trick_n_who", { n: (deal?.tricks.length ?? 0) + 1 });
  if (view.suspended) return t("tablet.table.suspended");
  if (waiting) {
    const dealer = deal?.dealer || chosen || view.dealer_due;
    return dealer ? t("tablet.table.tap_pinta", { seat: say.seat(dealer) }) : t("tablet.table.who_deals");
  }
  if (view.phase === "counting") return t("tablet.table.to_count");
  if (!deal) return "";
  if (chosen && chosen !== deal.turn) return t("tablet.table.out_of_turn", { seat: say.seat(chosen) });
  const { tricks, on_table: laid } = deal;
  const last = tricks[tricks.length - 1];
  if (!laid.length && last) return t("tablet.table.leads_after", { seat: say.seat(deal.turn ?? ""), taker: say.seat(last.taker) });
  return t(laid.length ? "tablet.table.plays" : "tablet.table.leads", { seat: say.seat(deal.turn ?? "") });
};

/** Buttons for a card, or another act, that was recorded wrongly. @param {Context} props */
const Correcting = ({ id, ui, game, say, propose, leave, open }) => {
  const { number, line } = /** @type {LineOfPartida} */ (ui.correcting);
  const reading = readingOf(game, number);
  const { act } = reading.entries.find((entry) => entry.line === line) ?? {};
  if (!act) return null;
  const isCard = act.kind === "card";
  const found = reading.view.findings.filter((one) => one.line === line).length;
  const give = (/** @type {string} */ seat) => propose(number, otherSeat(reading.entries, reading.view, line, seat));
  return html`
    <div class="prompt asks">
      <p><b>${say.act(act)}</b> ${isCard || act.kind === "pinta" ? t("tablet.table.which_really") : ""}</p>
      <div class="choice">
        ${isCard && html`<span class="label">${t("tablet.table.was_of")}</span>
          ${game.seats.filter((seat) => seat !== act.seat).map((seat) => html`<button class="option" key=${seat} onClick=${() => give(seat)}>${say.seat(seat)}</button>`)}
          <button class="option" onClick=${() => open("insert", { number, line })}>${t("tablet.table.one_missing")}</button>`}
        ${!isCard && act.kind !== "pinta" && html`<button class="option" onClick=${() => open("edit", { number, line })}>${t("tablet.table.change")}</button>`}
        ${found > 0 && html`<button class="option" onClick=${() => open("findings", { number, line })}>
          <span class="mark" aria-hidden="true">!</span> ${t("tablet.table.findings", { n: found })}</button>`}
        <button class="option" onClick=${() => propose(number, [{ line, how: "withdraw" }])}>${t("tablet.table.was_not")}</button>
        ${isCard && reading === game.now && html`<button class="option" onClick=${() => open("accuse", { number, line })}>${t("tablet.table.accuse")}</button>`}
        <${CaseLink} ...${{ id, number }} lines=${[line]} isSent=${isSent(reading, line)} />
        <button class="option main" onClick=${leave}>${t("tablet.table.cancel")}</button>
      </div>
    </div>`;
};
