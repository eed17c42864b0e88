// The result of a finished encuentro: reported by one side, confirmed by the other, then official.
import { prefix } from "../../html/prefix.js";
import { html, useEffect, useState } from "../vendor/ui.js";
import { sideOf } from "../rules/index.js";
import { t } from "../../html/words.js";
import { HoldButton } from "../long_press.js";
import { confirmHere, report, resultOf } from "./results.js";
/** @import { EncuentroView } from "../outbox/store.js" */
/** @import { Seat, Side } from "../rules/seats.js" */
/** @import { Say } from "../wording.js" */
/** @import { Context } from "../table/table.js" */

/** @typedef {(wrong: string | Promise<string>) => void} OnDone */

const AGAIN_MS = 2_000;
const OPEN = ["open", "provisional"];
const OF_THIS_MACHINE = ["localhost", "127.0.0.1", "[::1]"];

/**
 * The encuentro with its result from the service, polled until the other side has confirmed; null before the first answer.
 * @type {(id: string) => [EncuentroView | null, () => void]}
 */
const useResult = (id) => {
  const [view, see] = useState(/** @type {EncuentroView | null} */ (null));
  const [asked, ask] = useState(0);
  useEffect(() => {
    let timer = 0;
    let isGone = false;
    const look = async () => {
      const found = await resultOf(id);
      if (isGone) return;
      if (found) see(found);
      if (!found || OPEN.includes(found.result.stage)) timer = setTimeout(look, AGAIN_MS);
    };
    look();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [id, asked]);
  return [view, () => ask((n) => n + 1)];
};

/** @param {Pick<Context, "id" | "game" | "say">} props */
export const Agreement = ({ id, game, say }) => {
  const [view, again] = useResult(id);
  const [wrong, tell] = useState("");
  if (!view || view.result.stage === "open") return html`<p role="status">${t("tablet.agree.waits")}</p>`;
  const { result } = view;
  /** @type {OnDone} */
  const done = async (asked) => {
    tell(await asked);
    again();
  };
  const seats = game.seats.filter((seat) => result.missing.includes(sideOf(seat)));
  const isAsked = result.stage === "provisional";
  return html`
    <section class="agreement" aria-label=${t("tablet.agree.title")}>
      <p><span class="tag" data-stage=${result.stage}>${t("tablet.agree.result")} ${t(`result.${result.stage}`)}</span></p>
      ${isAsked && !result.stands && html`<${Report} ...${{ view, say, done }} seats=${game.seats} />`}
      ${isAsked && result.stands && result.missing.map((side) => html`
        <${Confirm} key=${side} ...${{ id, view, side, say, done }} seats=${seats.filter((seat) => sideOf(seat) === side)} />`)}
      ${wrong && html`<p class="wrong" role="alert">${wrong}</p>`}
      <p><a href=${`${prefix}/e/${id}`}>${t("tablet.agree.page")}</a></p>
    </section>`;
};

/** Buttons to report the result. @param {{view: EncuentroView, seats: Seat[], say: Say, done: OnDone}} props */
const Report = ({ view, seats, say, done }) => html`
  <div class="choice" role="group" aria-label=${t("tablet.agree.who_reports")}>
    <span class="label" aria-hidden="true">${t("tablet.agree.who_reports")}</span>
    ${seats.map((seat) => html`<button class="option" key=${seat} data-report=${seat} onClick=${() => done(report(view, seat))}>${say.seat(seat)}</button>`)}
  </div>`;

/**
 * The other side confirms, on its phone or on this tablet. Where the club requires two persons, the
 * tablet that reported does not count as the second: it asks for the code on the card of that side.
 * @param {{id: string, view: EncuentroView, side: Side, seats: Seat[], say: Say, done: OnDone}} props
 */
const Confirm = ({ id, view, side, seats, say, done }) => {
  const [code, type] = useState("");
  const wantsCode = view.four_eyes === "required";
  return html`
    <section class="confirms">
      <h3>${t("tablet.agree.confirms", { side: say.side(side) })}</h3>
      <${OnPhone} ...${{ id }} />
      ${wantsCode && html`<label class="card-code">${t("tablet.agree.card_code")}
        <input data-code=${side} value=${code} maxlength="9" autocomplete="off" autocapitalize="characters" spellcheck=${false} onInput=${(/** @type {InputEvent} */ event) => type(/** @type {HTMLInputElement} */ (event.target).value.trim())} /></label>`}
      <p id="hold-help">${t(wantsCode ? "tablet.agree.hold_with_code" : "tablet.agree.hand_over")}</p>
      <div class="claims">
        ${seats.map((seat) => html`<${HoldButton} key=${seat} data-confirm=${seat} onHeld=${() => done(wantsCode && !code ? t("tablet.agree.code_missing") : confirmHere(view, seat, code))} label=${t("tablet.agree.agrees", { player: say.seat(seat) })} />`)}
      </div>
    </section>`;
};

/** @param {{id: string}} props */
const OnPhone = ({ id }) => {
  const isFound = !OF_THIS_MACHINE.includes(location.hostname);
  return html`
    <div class="on-phone">
      ${isFound && html`<img src=${`${prefix}/r/${id}/qr.svg`} alt=${t("tablet.agree.qr")} width="160" height="160" />`}
      <p>${t("tablet.agree.go_to")} <b class="address">${`${location.host}${prefix}/r/${id}`}</b></p>
    </div>`;
};
