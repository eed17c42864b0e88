// Rare acts: the fields of each, and one form for all.
import { html, useState } from "../vendor/ui.js";
import { t } from "../../html/words.js";
import { Field, isGiven } from "./fields.js";
/** @import { Kind } from "../rules/acts.js" */
/** @import { Card } from "../rules/cards.js" */
/** @import { DealView } from "../rules/queries/view.js" */
/** @import { Game } from "../table/game.js" */
/** @import { Say } from "../wording.js" */

/**
 * @typedef {"seat" | "side" | "deal" | "trick" | "closed" | "incident" | "fault" | "moment" | "rank" | "packets" | "singer" | "answer" | "suit" | "suits" | "dos" | "truth"
 *   | "card" | "cards" | "face" | "text" | "held" | "hands" | "cut"} FieldType
 * @typedef {{kind: string, seat?: string, fault?: string, cards?: unknown, moment?: string} & Record<string, any>} FormAct
 *   an act that is being filled in
 * @typedef {{game: Game, deal: DealView | null, deals: DealView[]}} FormTable table of the form, with the deals of its partida
 * @typedef {[name: string, type: FieldType, must?: boolean | "any", when?: (act: FormAct, at: FormTable) => boolean]} FieldSpec
 * @typedef {object} FormProps
 * @property {string} kind
 * @property {object} [initial]
 * @property {FieldSpec[]} [fields] instead of the usual ones
 * @property {Game} game
 * @property {DealView | null} deal
 * @property {DealView[]} [deals] those of the partida, where an act may be about an earlier one
 * @property {Say} say
 * @property {string} [done] text of the button
 * @property {(card: string, act: FormAct) => boolean} [gone]
 * @property {(act: any) => void} onAct
 */

const WITH_CARD = ["out_of_order", "two_cards"];

/** @type {(at: FormTable) => boolean} */
const takesDosOut = ({ game: { options } }) => options.players === 3 && options.deck === 40 && options.three_deck === "one_dos_out";
/** @type {(at: FormTable) => boolean} */
const mayMeanAnEarlierDeal = ({ deals, game: { options } }) => deals.length > 1 && options.renuncio_until === "end_of_partida";
/** @type {(at: Pick<FormTable, "deal">) => boolean} */
const wasPlayed = ({ deal }) => Boolean(deal && (deal.tricks.length || deal.on_table.length));

/**
 * Fields of each act: `[name, type, must, when]`. `must` is true, or "any": at least one of these. A field is shown only
 * if `when` returns true for the act so far and the table.
 * @type {Record<string, FieldSpec[]>}
 */
export const FORMS = {
  denounce: [["by", "seat", true], ["against", "seat", true], ["deal", "deal", false, (_, at) => mayMeanAnEarlierDeal(at)], ["trick", "trick"]],
  incident: [["incident", "incident", true], ["seat", "seat"], ["card", "card"], ["text", "text"]],
  show: [["seat", "seat", true], ["cards", "cards", "any"], ["void", "suits", "any"], ["whole", "truth", false, ({ cards }) => isGiven(cards)]],
  hand: [["seat", "seat", true], ["moment", "moment", true, (_, at) => wasPlayed(at)], ["cards", "cards", true]],
  tute: [["seat", "seat", true], ["rank", "rank", true], ["shown", "truth"]],
  draw: [["seat", "seat", true], ["card", "face"]],
  wrong_draw: [["seat", "seat", true], ["fault", "fault", true], ["card", "card", false, ({ fault = "" }) => WITH_CARD.includes(fault)]],
  review: [["seat", "seat", true], ["trick", "closed", true]],
  wrong_deal: [["seat", "seat", true], ["cards", "held", true]],
  misdeal: [["hands", "hands"]],
  annul: [["replayed", "truth"], ["text", "text"]],
  suspend: [["text", "text"]],
  resume: [],
  time: [],
  claim_rest: [["seat", "seat", true]],
  concede: [["side", "side", true]],
  abandon: [["side", "side", true]],
  card: [["seat", "seat", true], ["card", "face", true]],
  cante: [["seat", "seat", true], ["suit", "suit"], ["shown", "truth"]],
  ask_suit: [["seat", "singer", true], ["by", "seat", true], ["suit", "answer"]],
  swap: [["seat", "seat", true]],
  claim: [["seat", "seat", true]],
  deal: [["dealer", "seat", true], ["cutter", "seat"], ["cut", "cut"], ["packets", "packets"], ["removed", "dos", false, (_, at) => takesDosOut(at)]],
  pinta: [["card", "face", true]],
};

/**
 * Default values: a hand of which no card was played is the hand as dealt.
 * @type {Record<string, (at: Pick<FormTable, "deal">) => object>}
 */
const DEFAULTS = { hand: (at) => ({ moment: wasPlayed(at) ? "now" : "dealt" }) };

/**
 * A form for an act of a kind; `onAct` gets the act. `deal` is the one on the table, or the last one; `gone` tells whether
 * the act so far cannot name a card; `fields` replaces the usual fields.
 * @param {FormProps} props
 */
export const Form = ({ kind, initial = {}, fields = FORMS[kind], game, deal, deals = [], say, done, gone = () => false, onAct }) => {
  const [act, change] = useState(/** @type {FormAct} */ ({ kind, ...DEFAULTS[kind]?.({ deal }), ...initial }));
  const asked = fields.filter(([, , , when]) => !when || when(act, { game, deal, deals }));
  const missing = missingOf(asked, act);
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!missing.length) onAct(cleaned(act, fields, asked));
  };
  return html`
    <form class="form" onSubmit=${submit}>
      ${asked.map(([name, type, must]) => html`
        <${Field} key=${name} ...${{ name, type, act, game, deal, deals, say, gone }} must=${must === true} value=${act[name]}
          onChange=${(/** @type {unknown} */ value) => change((now) => ({ ...now, ...(name === "deal" && { trick: undefined }), [name]: value }))} />`)}
      ${missing.length > 0 && html`<p class="missing">${t("tablet.table.missing", { what: missing.join(", ") })}</p>`}
      <button type="submit" class="main" disabled=${missing.length > 0}>${done ?? t("tablet.table.note_it")}</button>
    </form>`;
};

/**
 * Names of the fields that are still empty, in words.
 * @type {(fields: FieldSpec[], act: FormAct) => string[]}
 */
const missingOf = (fields, act) => {
  const named = (/** @type {FieldSpec[]} */ list) => list.map(([name]) => t(`tablet.table.field.${name}`));
  const must = fields.filter(([name, , is]) => is === true && !isGiven(act[name]));
  const any = fields.filter(([, , is]) => is === "any");
  const lacksAll = any.length > 0 && any.every(([name]) => !isGiven(act[name]));
  return [...named(must), ...(lacksAll ? [named(any).join(` ${t("tablet.table.or")} `)] : [])];
};

/**
 * The act without empty fields, and without fields that are not shown.
 * @type {(act: FormAct, fields: FieldSpec[], asked: FieldSpec[]) => any}
 */
const cleaned = (act, fields, asked) => {
  const unasked = fields.filter((field) => !asked.includes(field) && field[2] !== true).map(([name]) => name);
  const kept = Object.entries(act).map(([name, value]) => [name, typeof value === "string" ? value.trim() : value]);
  return Object.fromEntries(kept.filter(([name, value]) => isGiven(value) && !unasked.includes(name)));
};
