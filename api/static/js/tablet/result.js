// The outcome of a partida without cards: who won, how and, if wanted, the points.
import { html, useState } from "../../vendor/ui.js";
import { SIDES, completions, doubts, isPossible } from "../rules/index.js";
import { t } from "../words.js";
import { Doubted } from "./doubted.js";
import { Points, asTyped, typedTotals } from "./points.js";
import { Choice } from "./sheet.js";

const HOWS = ["first_deal", "claim", "false_claim", "renuncio", "concession", "unclaimed", "abandonment", "tute"];

const isOffered = (how, options) =>
  (how !== "tute" || options.tute) && (how !== "unclaimed" || options.unclaimed_at_end === "latest_trick");

/** What is told so far, completed and checked. */
const checked = ({ winner, how, typed, filled }, options, view) => {
  const record = { totals: view.totals, deals: view.deals.filter((deal) => deal.counted).length };
  const told = { winner, how, totals: typedTotals(typed) };
  if (!winner || !how) return { totals: told.totals, fills: [], found: [] };
  const isBegun = Object.keys(told.totals).length > 0;
  const fills = isBegun ? completions(told, options, record) : [];
  const untold = SIDES[options.players].find((side) => !(side in told.totals));
  const taken = fills.includes(filled) ? filled : fills[0];
  const totals = fills.length ? { ...told.totals, [untold]: taken } : told.totals;
  return { totals, fills, taken, found: doubts({ ...told, totals }, options, record) };
};

/** Asks for an outcome; `onAct` is told it. What cannot be so wants a reason. */
export const ResultForm = ({ game, view, say, initial = {}, done, onAct }) => {
  const { options } = game;
  const [told, tell] = useState({ winner: initial.winner ?? "", how: initial.how ?? "", typed: asTyped(initial.totals), text: initial.text ?? "" });
  const change = (more) => tell((now) => ({ ...now, ...more }));
  const { totals, fills, taken, found } = checked(told, options, view);
  const { winner, how, text } = told;
  const isOdd = !isPossible(found);
  const isReady = winner && how && (!isOdd || text.trim());
  const save = (event) => {
    event.preventDefault();
    const points = Object.keys(totals).length ? { totals } : {};
    if (isReady) onAct({ kind: "result", winner, how, ...points, ...(isOdd && { text: text.trim() }) });
  };
  return html`
    <form class="form result" onSubmit=${save}>
      <${Choice} label=${t("tablet.result.who")} value=${winner} onChoose=${(side) => change({ winner: side })}
        choices=${SIDES[options.players].map((side) => [side, say.side(side)])} />
      <${Choice} label=${t("tablet.result.how")} value=${how} onChoose=${(one) => change({ how: one })}
        choices=${HOWS.filter((one) => isOffered(one, options)).map((one) => [one, t(`how.${one}`)])} />
      <details open=${Object.keys(told.typed).length > 0}>
        <summary>${t("tablet.result.points")}</summary>
        <${Points} ...${{ game, say, fills }} typed=${told.typed} filled=${taken}
          onType=${(typed) => change({ typed, filled: undefined })} onFill=${(filled) => change({ filled })} />
      </details>
      <${Doubted} ...${{ doubts: found, say }} />
      ${isOdd && html`<label class="choice"><span class="label">${t("tablet.result.because")}</span>
        <input type="text" name="because" maxlength="500" required value=${text} onInput=${({ target }) => change({ text: target.value })} /></label>`}
      <button type="submit" class="main" disabled=${!isReady}>${done ?? t("tablet.result.save")}</button>
    </form>`;
};

/** The sheet of the running partida. */
export const ResultSheet = (props) => html`<${ResultForm} ...${props} onAct=${props.record} />`;
