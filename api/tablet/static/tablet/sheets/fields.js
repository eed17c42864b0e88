// Fields of the forms: buttons for seats and words, a pad for cards, a stepper for numbers.
import { html } from "../vendor/ui.js";
import { RANKS, SIDES, SUITS } from "../rules/index.js";
import { t } from "../../html/words.js";
import { typing } from "../input.js";
import { Pad } from "../table/pad.js";
import { Choice } from "../sheet.js";
import { TrickChoice } from "./trick_choice.js";
/** @import { DealView } from "../rules/queries/view.js" */
/** @import { FieldType, FormAct } from "./forms.js" */
/** @import { Game } from "../table/game.js" */
/** @import { Say } from "../wording.js" */

/**
 * @typedef {[value: any, label: string]} ChoiceOf
 * @typedef {{name: string, type: FieldType, must: boolean, value: any, onChange: (value: any) => void, act: FormAct, game: Game,
 *   deal: DealView | null, deals: DealView[], say: Say, gone: (card: string, act: FormAct) => boolean}} FieldProps
 */

const INCIDENTS = ["talk", "signal", "exposed", "to_partner", "wrong_gathering", "late", "other"];
/** Fields with a few fixed choices, each with its text. @type {Record<string, [string[], (one: string) => string]>} */
const FIXED = {
  moment: [["dealt", "now"], (one) => t(`tablet.table.moment.${one}`)],
  packets: [["3+3", "one_by_one"], (one) => t(`tablet.table.packets.${one}`)],
};
const FAULTS = ["out_of_order", "two_cards", "none", "pinta_early"];

/** Whether a value is not empty. @type {(value: unknown) => boolean} */
export const isGiven = (value) =>
  value !== undefined && value !== null && value !== "" && !(typeof value === "object" && !Object.keys(value).length);

/** One field of a form, by its type. @param {FieldProps} props */
export const Field = (props) => {
  const { name, type, must, value, onChange } = props;
  const label = t(`tablet.table.field.${name}`);
  const choices = choicesOf(props);
  if (choices) {
    const onChoose = (/** @type {unknown} */ one) => onChange(one === value && !must ? undefined : one);
    return html`<${Choice} ...${{ label, choices, value, onChoose }} />`;
  }
  return html`<${DRAWN[type]} ...${props} label=${label} />`;
};

/** A line of text. @param {{label: string, value?: string, onChange: (text: string) => void}} props */
export const Text = ({ label, value, onChange }) => html`
  <label class="choice"><span class="label">${label}</span>
    <input type="text" maxlength="500" value=${value ?? ""} onInput=${typing(onChange)} /></label>`;

/** @type {(props: FieldProps) => ChoiceOf[] | null} */
const choicesOf = ({ type, game, deal, deals, say }) => {
  /** @type {(values: string[], word: (one: string) => string) => ChoiceOf[]} */
  const worded = (values, word) => values.map((one) => [one, word(one)]);
  if (type in FIXED) return worded(...FIXED[type]);
  switch (type) {
    case "seat":
      return worded(game.seats, say.seat);
    case "side":
      return worded(SIDES[game.options.players], say.side);
    case "deal":
      return deals.map(({ number }) => [number, t("tablet.table.deal_number", { n: number })]);
    case "incident":
      return worded(INCIDENTS, (one) => t(`incident.${one}`));
    case "fault":
      return worded(faultsOf(deal), (one) => t(`tablet.table.fault.${one}`));
    case "rank":
      return worded(["R", "S"], say.pack.rankName);
    case "singer":
      return worded(game.seats.filter((seat) => deal?.cantes.some((cante) => cante.seat === seat && !cante.suit)), say.seat);
    case "answer":
      return worded([...SUITS].filter((suit) => suit !== deal?.trump), say.pack.suitName);
    case "suit":
      return [...worded([...SUITS], say.pack.suitName), ["", t("tablet.table.hidden")]];
    case "dos":
      return worded([...SUITS].map((suit) => RANKS[0] + suit), say.card);
    case "truth":
      return [[true, t("tablet.table.yes")], [false, t("tablet.table.no")]];
    default:
      return null;
  }
};

/**
 * Kinds of wrong draws that are possible: with an empty stock, only a draw that was not made.
 * @type {(deal: DealView | null) => string[]}
 */
const faultsOf = (deal) => FAULTS.filter((one) => one === "none" || (one === "pinta_early" ? deal?.pinta_lies : deal?.stock));

/** @param {FieldProps & {label: string}} props */
const Suits = ({ label, value = [], onChange, say }) => html`
  <div class="choice" role="group" aria-label=${label}>
    <span class="label" aria-hidden="true">${label}</span>
    ${[...SUITS].map((suit) => html`
      <button type="button" class="option" key=${suit} data-suit=${suit} aria-pressed=${value.includes(suit)}
        onClick=${() => onChange(toggled(value, suit))}>${say.pack.suitName(suit)}</button>`)}
  </div>`;

/** @template T @param {T[]} list @param {T} one @returns {T[]} */
const toggled = (list, one) => (list.includes(one) ? list.filter((other) => other !== one) : [...list, one]);

/**
 * Cards on a pad. The pad of `card` is closed at first, since few of these acts name a card.
 * @param {FieldProps & {label: string}} props
 */
const Cards = ({ label, type, value, act, onChange, game, say, gone }) => {
  const isMany = type === "cards";
  /** @type {string[]} */
  const chosen = isMany ? (value ?? []) : [value].filter(Boolean);
  const isGone = (/** @type {string} */ card) => gone(card, act) && !chosen.includes(card);
  const onCard = (/** @type {string} */ card) => {
    if (!isGone(card)) onChange(isMany ? toggled(chosen, card) : card === value ? undefined : card);
  };
  const names = chosen.map(say.card).join(", ") || "–";
  return html`
    <details class="choice cards" open=${type !== "card" || chosen.length > 0}>
      <summary>${label}${isMany && ` (${chosen.length})`}: ${names}</summary>
      <${Pad} deck=${game.options.deck} cells=${(/** @type {string} */ card) => ({ gone: isGone(card) })} ...${{ say, onCard, chosen, label }} />
    </details>`;
};

/**
 * A number of cards, beginning with the usual number, which is not sent.
 * @param {{label: string, name: string, value: number | undefined, usual: number, most: number,
 * onChange: (value: number | undefined) => void}} props
 */
const Stepper = ({ label, name, value, usual, most, onChange }) => {
  const now = value ?? usual;
  const step = (/** @type {number} */ by) => () => onChange(now + by === usual ? undefined : now + by);
  return html`
    <div class="choice stepper" role="group" aria-label=${label} data-steps=${name}>
      <span class="label" aria-hidden="true">${label}</span>
      <button type="button" class="option" aria-label=${`${label}: ${t("tablet.table.one_less")}`} disabled=${now <= 0} onClick=${step(-1)}>−</button>
      <output class=${value === undefined ? "usual" : ""}>${now}</output>
      <button type="button" class="option" aria-label=${`${label}: ${t("tablet.table.one_more")}`} disabled=${now >= most} onClick=${step(1)}>+</button>
    </div>`;
};

/** Number of cards of a seat, beginning with the right number. @param {FieldProps & {label: string}} props */
const HeldCards = ({ label, name, value, act, deal, game, onChange }) => {
  const usual = deal?.hands[act.seat ?? ""]?.size ?? game.options.hand_size;
  return html`<${Stepper} ...${{ label, name, value, usual, onChange }} most=${game.options.deck - 1} />`;
};

/** Number of cards dealt to each seat; a seat with the right number is left out. @param {FieldProps & {label: string}} props */
const Hands = ({ label, value = {}, game, say, onChange }) => html`
  <p class="label">${label}</p>
  ${game.seats.map((seat) => html`
    <${Stepper} key=${seat} label=${say.seat(seat)} name=${seat} value=${value[seat]} usual=${game.options.hand_size} most=${game.options.deck}
      onChange=${(/** @type {number | undefined} */ cards) => onChange(without({ ...value, [seat]: cards }))} />`)}`;

/** @type {(hands: Record<string, number | undefined>) => object} */
const without = (hands) => Object.fromEntries(Object.entries(hands).filter(([, cards]) => cards !== undefined));

/** Cards of the smaller part of the cut. @param {FieldProps & {label: string}} props */
const Cut = ({ label, name, value, game, onChange }) =>
  html`<${Stepper} ...${{ label, name, value, onChange }} usual=${game.options.cut_min} most=${game.options.deck / 2} />`;

/** @type {Record<string, (props: FieldProps & {label: string}) => unknown>} */
const DRAWN = { trick: TrickChoice, closed: TrickChoice, text: Text, suits: Suits, cards: Cards, card: Cards, face: Cards, held: HeldCards, hands: Hands, cut: Cut };
