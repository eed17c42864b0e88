// Rare acts. One that is impossible now gives the reason.
import { prefix } from "../../html/prefix.js";
import { html, useState } from "../vendor/ui.js";
import { refusal } from "../rules/index.js";
import { t } from "../../html/words.js";
import { Later } from "../later.js";
import { goneFrom, lastDeal, runningDeal } from "../table/cells.js";
import { FORMS, Form } from "./forms.js";
import { Choice } from "../sheet.js";
import { WithoutCards } from "../results/uncarded.js";
/** @import { Act, Kind } from "../rules/acts.js" */
/** @import { Options } from "../rules/options.js" */
/** @import { TableView } from "../rules/queries/view.js" */
/** @import { FieldSpec } from "./forms.js" */
/** @import { Context } from "../table/table.js" */

/** @type {[string, string[]][]} */
const GROUPS = [
  ["faults", ["denounce", "incident", "wrong_draw", "misdeal", "review"]],
  ["cards", ["show", "hand", "draw", "tute", "ask_suit", "deal"]],
  ["game", ["suspend", "resume", "time", "claim_rest", "concede", "abandon", "annul", "substitute"]],
];
/** Acts that are possible before the pinta too: they record the deal first, as a tap on the pinta would. @type {string[]} */
const FROM_THE_DEAL = ["wrong_deal", "misdeal", "hand"];
/** What a wrong deal leads to, each an act of its own: it is dealt again, or played on. */
const WRONG_DEALS = ["misdeal", "wrong_deal"];

/** Why an act cannot be recorded now, in words; "" if it can. @type {(kind: string, view: TableView) => string} */
const reasonAgainst = (kind, view) => {
  if (kind === "substitute") return "";
  const deal = lastDeal(view);
  const rule = refusal(view, /** @type {Kind} */ (kind));
  const opens = !runningDeal(view) && FROM_THE_DEAL.includes(kind);
  if (!rule && kind === "claim_rest" && !runningDeal(view)) return t("rule.no-deal");
  if (!rule && !opens && kind === "show" && deal?.phase === "over") return t("rule.deal-played-out", { deal: deal.number });
  if (!rule || (rule !== "partida-decided" && (opens || kind === "deal"))) return "";
  return rule === "trick-unknown" ? t("tablet.table.no_trick_yet") : t(`rule.${rule}`);
};

/** Why what leads to an act cannot be chosen now; "" if it can. @type {(kind: string, view: TableView) => string} */
const whyNot = (kind, view) => {
  const reasons = (kind === "misdeal" ? WRONG_DEALS : [kind]).map((one) => reasonAgainst(one, view));
  return reasons.includes("") ? "" : reasons[0];
};

/**
 * Note beside an act that is recorded but has no effect.
 * @type {(kind: string, options: Options) => string}
 */
const warning = (kind, { tute }) => (kind === "tute" && !tute ? t("rule.tute-barred") : "");

/** @param {Context} props */
export const MoreSheet = (props) => {
  const [kind, choose] = useState("");
  const { id, game, deal, halve, record, open, ui, view } = props;
  if (kind) {
    const ways = WRONG_DEALS.includes(kind) ? WRONG_DEALS.filter((one) => !reasonAgainst(one, view)) : [];
    return html`
      <h3>${t(`tablet.table.kind.${ways.length ? "misdeal" : kind}`)}</h3>
      ${ways.length > 0 && html`<${Choice} label=${t("tablet.table.then")} value=${kind} onChoose=${choose} choices=${ways.map((one) => [one, t(`tablet.table.after.${one}`)])} />`}
      ${kind === "substitute" ? html`<${Later} ...${props} load=${() => import("./substitute.js")} part="Substitute" />` : html`<${ActForm} key=${kind} ...${{ ...props, kind }} />`}
      <button class="plain" onClick=${() => choose("")}>${t("tablet.table.back")}</button>`;
  }
  const tapped = (/** @type {string} */ one) => {
    if (one === "claim_rest") open("rest");
    else if (one === "deal" && deal) open("edit", { number: game.now.number, line: deal.line });
    else if (one === "misdeal") choose(WRONG_DEALS.find((way) => !reasonAgainst(way, view)) ?? one);
    else if (one === "substitute" || FORMS[one].length) choose(one);
    else record(/** @type {Act} */ ({ kind: one }));
  };
  const isMeant = (/** @type {string} */ one) => one !== (view.suspended ? "suspend" : "resume");
  return html`
    ${GROUPS.map(([group, kinds]) => html`
      <section key=${group}><h3>${t(`tablet.table.group.${group}`)}</h3>
        <${Offers} kinds=${kinds.filter(isMeant)} ...${{ view, tapped }} />
      </section>`)}
    ${!view.decided && html`<section><h3>${t("tablet.result.without_cards")}</h3>
      <div class="choice"><${WithoutCards} ...${{ view, open }} deal=${runningDeal(view)} />
        <button class="option" aria-pressed=${ui.isHalf} onClick=${() => halve(!ui.isHalf)}>${t("tablet.result.half")}</button></div></section>`}
    <p><a class="button" href=${`${prefix}/e/${id}/c`}>${t("tablet.table.cases")}</a></p>`;
};

/** @param {{kinds: string[], view: TableView, tapped: (kind: string) => void}} props */
const Offers = ({ kinds, view, tapped }) => {
  /** @type {Map<string, string[]>} */
  const reasons = new Map();
  for (const one of kinds) {
    const why = whyNot(one, view);
    reasons.set(why, [...(reasons.get(why) ?? []), one]);
  }
  const said = (/** @type {string} */ one) => t(`tablet.table.kind.${one}`);
  const barred = [...reasons].filter(([why]) => why);
  return html`
    <div class="choice">${(reasons.get("") ?? []).map((one) => html`
      <button class="option" key=${one} data-kind=${one} onClick=${() => tapped(one)}>${said(one)}</button>`)}</div>
    ${barred.map(([why, those]) => html`<p class="why-not" key=${why}>${those.map(said).join(", ")}: ${why}</p>`)}`;
};

/** The form of an act, preceded by the deal if that is not recorded yet. @param {Context & {kind: string}} props */
const ActForm = ({ kind, view, game, say, ui, record }) => {
  const running = runningDeal(view);
  const opens = !running && !view.decided && FROM_THE_DEAL.includes(kind);
  const deal = opens ? null : lastDeal(view);
  /** @type {FieldSpec[]} */
  const fields = opens ? [["dealer", "seat", true], ...FORMS[kind]] : FORMS[kind];
  const isDealing = opens || kind === "deal";
  const initial = isDealing ? { dealer: ui.chosen || view.dealer_due || undefined } : {};
  const onAct = (/** @type {any} */ { dealer, ...act }) => (opens ? record({ kind: "deal", dealer }, act) : record(dealer ? { ...act, dealer } : act));
  const warned = warning(kind, game.options);
  return html`
    ${kind === "denounce" && html`<p>${t("tablet.table.denounce_help")}</p>`}
    ${warned && html`<p>${warned}</p>`}
    <${Form} ...${{ kind, initial, fields, game, deal, deals: view.deals, say, onAct }} gone=${goneFrom(view)} />`;
};
