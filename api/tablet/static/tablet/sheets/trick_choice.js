// Choice of a trick by its cards: people at a table know the cards, not the number.
import { html } from "../vendor/ui.js";
import { t } from "../../html/words.js";
import { Face } from "../drawings.js";
/** @import { DealView } from "../rules/queries/view.js" */
/** @import { Play } from "../rules/state.js" */
/** @import { Say } from "../wording.js" */
/** @import { FieldProps } from "./fields.js" */
/** @typedef {{number: number, plays: Play[], taker?: string}} ChosenTrick */

/** Closed tricks of a deal, and the one on the table. @type {(deal: DealView | null | undefined, isClosed: boolean) => ChosenTrick[]} */
const tricksOf = (deal, isClosed) => {
  if (!deal) return [];
  const onTable = isClosed || !deal.on_table.length ? [] : [{ number: deal.tricks.length + 1, plays: deal.on_table }];
  return [...deal.tricks, ...onTable];
};

/** A button for each trick, with its cards; that of the accused seat is marked. @param {FieldProps & {label: string}} props */
export const TrickChoice = ({ label, type, must, value, onChange, act, deal, deals, say }) => {
  const meant = deals.find(({ number }) => number === act.deal) ?? deal;
  return html`
    <div class="choice tricks" role="group" aria-label=${label}>
      <span class="label" aria-hidden="true">${label}</span>
      ${tricksOf(meant, type === "closed").map((trick) => html`
        <button type="button" class="option" key=${trick.number} data-trick=${trick.number} aria-label=${nameOf(trick, say)}
          aria-pressed=${trick.number === value} onClick=${() => onChange(trick.number === value && !must ? undefined : trick.number)}>
          ${trick.plays.map((play) => html`
            <span key=${play.line} class=${play.seat === act.against ? "meant" : ""}><${Face} pack=${say.pack} card=${play.card} /></span>`)}
          <small>${captionOf(trick, say)}</small>
        </button>`)}
    </div>`;
};

/** Its number, or "this one" for the trick on the table; who took a trick without cards. @type {(trick: ChosenTrick, say: Say) => string} */
const captionOf = ({ number, plays, taker }, say) => {
  if (!taker) return t("tablet.table.this_trick");
  return plays.length ? String(number) : `${number} · ${say.seat(taker)}`;
};

/** A trick in words, by its cards. @type {(trick: ChosenTrick, say: Say) => string} */
const nameOf = (trick, say) => [...trick.plays.map((play) => say.card(play.card)), captionOf(trick, say)].join(", ");
