// The rare acts: what each of them asks, and a form for any of them.
import { html, useState } from "../../vendor/ui.js";
import { SIDES, SUITS } from "../rules/index.js";
import { t } from "../words.js";
import { Pad } from "./pad.js";
import { Choice } from "./sheet.js";

const INCIDENTS = ["talk", "signal", "exposed", "wrong_gathering", "late", "other"];
const FAULTS = ["out_of_order", "two_cards", "none", "pinta_early"];

/** Fields of each act: `[name, type, must be given]`. */
export const FORMS = {
  denounce: [["by", "seat", true], ["against", "seat", true], ["trick", "trick"]],
  incident: [["incident", "incident", true], ["seat", "seat"], ["card", "card"], ["text", "text"]],
  show: [["seat", "seat", true], ["cards", "cards"], ["void", "suits"], ["whole", "truth"]],
  hand: [["seat", "seat", true], ["cards", "cards", true], ["moment", "moment", true]],
  tute: [["seat", "seat", true], ["rank", "rank", true], ["shown", "truth"]],
  draw: [["seat", "seat", true], ["card", "card"]],
  wrong_draw: [["seat", "seat", true], ["fault", "fault", true], ["card", "card"]],
  review: [["seat", "seat", true], ["trick", "trick", true]],
  wrong_deal: [["seat", "seat", true], ["cards", "number", true]],
  misdeal: [],
  annul: [["replayed", "truth"], ["text", "text"]],
  suspend: [["text", "text"]],
  resume: [],
  time: [],
  concede: [["side", "side", true]],
  abandon: [["side", "side", true]],
  card: [["seat", "seat", true], ["card", "card", true]],
  cante: [["seat", "seat", true], ["suit", "suit"], ["shown", "truth"]],
  swap: [["seat", "seat", true]],
  claim: [["seat", "seat", true]],
  deal: [["dealer", "seat", true]],
  pinta: [["card", "card", true]],
};

const DEFAULTS = { moment: "now" };

/** A form for an act of a kind; `onAct` is told the act. */
export const Form = ({ kind, initial = {}, game, deal, say, done, onAct }) => {
  const fields = FORMS[kind];
  const [act, change] = useState({ kind, ...defaultsOf(fields), ...initial });
  const isReady = fields.every(([name, , must]) => !must || isGiven(act[name]));
  const submit = (event) => {
    event.preventDefault();
    if (isReady) onAct(cleaned(act));
  };
  return html`
    <form class="form" onSubmit=${submit}>
      ${fields.map(([name, type, must]) => html`
        <${Field} key=${name} ...${{ name, type, must, game, deal, say }} value=${act[name]}
          onChange=${(value) => change((now) => ({ ...now, [name]: value }))} />`)}
      <button type="submit" class="main" disabled=${!isReady}>${done ?? t("tablet.table.note_it")}</button>
    </form>`;
};

const defaultsOf = (fields) =>
  Object.fromEntries(fields.filter(([name]) => name in DEFAULTS).map(([name]) => [name, DEFAULTS[name]]));

const isGiven = (value) => value !== undefined && value !== null && value !== "" && !(Array.isArray(value) && !value.length);

/** The act without what was left empty. */
const cleaned = (act) => Object.fromEntries(Object.entries(act).filter(([, value]) => isGiven(value)));

const Field = ({ name, type, must, value, onChange, game, deal, say }) => {
  const label = t(`tablet.table.field.${name}`);
  const choices = choicesOf(type, game, deal, say);
  if (choices) {
    const toggled = (one) => onChange(one === value && !must ? undefined : one);
    return html`<${Choice} ...${{ label, choices, value }} onChoose=${toggled} />`;
  }
  if (type === "text") {
    return html`<label class="choice"><span class="label">${label}</span>
      <input type="text" maxlength="500" value=${value ?? ""} onInput=${(event) => onChange(event.target.value.trim())} /></label>`;
  }
  if (type === "number") {
    return html`<label class="choice"><span class="label">${label}</span>
      <input type="number" inputmode="numeric" min="0" max="47" value=${value ?? ""} onInput=${(event) => onChange(numberOf(event.target.value))} /></label>`;
  }
  if (type === "suits") return html`<${Suits} ...${{ label, value, onChange, say }} />`;
  return html`<${Cards} ...${{ label, value, onChange, game, say }} single=${type === "card"} />`;
};

const numberOf = (text) => (/^\d+$/.test(text) ? Number(text) : undefined);

const choicesOf = (type, game, deal, say) => {
  const worded = (values, word) => values.map((one) => [one, word(one)]);
  switch (type) {
    case "seat":
      return game.seats.map((seat) => [seat, say.seat(seat)]);
    case "side":
      return SIDES[game.options.players].map((side) => [side, say.side(side)]);
    case "trick":
      return (deal?.tricks ?? []).map(({ number }) => [number, String(number)]).concat(onTable(deal));
    case "incident":
      return worded(INCIDENTS, (one) => t(`incident.${one}`));
    case "fault":
      return worded(FAULTS, (one) => t(`tablet.table.fault.${one}`));
    case "moment":
      return worded(["dealt", "now"], (one) => t(`tablet.table.moment.${one}`));
    case "rank":
      return ["R", "S"].map((rank) => [rank, say.pack.rankName(rank)]);
    case "suit":
      return [...[...SUITS].map((suit) => [suit, say.pack.suitName(suit)]), ["", t("tablet.table.hidden")]];
    case "truth":
      return [[true, t("tablet.table.yes")], [false, t("tablet.table.no")]];
    default:
      return null;
  }
};

const onTable = (deal) =>
  deal?.on_table.length ? [[deal.tricks.length + 1, t("tablet.table.this_trick")]] : [];

const Suits = ({ label, value = [], onChange, say }) => html`
  <div class="choice" role="group" aria-label=${label}>
    <span class="label" aria-hidden="true">${label}</span>
    ${[...SUITS].map((suit) => html`
      <button type="button" class="option" key=${suit} aria-pressed=${value.includes(suit)}
        onClick=${() => onChange(toggled(value, suit))}>${say.pack.suitName(suit)}</button>`)}
  </div>`;

const toggled = (list, one) => (list.includes(one) ? list.filter((other) => other !== one) : [...list, one]);

const Cards = ({ label, value, single, onChange, game, say }) => {
  const chosen = single ? [value].filter(Boolean) : (value ?? []);
  const onCard = (card) => onChange(single ? (card === value ? undefined : card) : toggled(chosen, card));
  return html`
    <details class="choice cards" open=${chosen.length > 0}>
      <summary>${label}: ${chosen.map(say.card).join(", ") || "–"}</summary>
      <${Pad} deck=${game.options.deck} cells=${() => ({})} ...${{ say, onCard, chosen, label }} />
    </details>`;
};
