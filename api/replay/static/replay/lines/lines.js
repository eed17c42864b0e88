// Best play on the felt from the card that is shown, and other cards to try: what was not played, with one way back.
import { capital } from "../../html/grammar.js";
import { t } from "../../html/words.js";
import { analysedCard, lineCards } from "../analysis.js";
import { choicesOf } from "./choices.js";
import { el, leavesOf } from "../dom.js";
import { lineOf } from "./line.js";
import { personOf, sidesOf } from "../data.js";
import { signed, told } from "../numbers.js";
import { why } from "../study.js";
/** @import { ArrastreCard, LineCard } from "../analysis.js" */
/** @import { Child } from "../dom.js" */
/** @import { Replay, View } from "../data.js" */
/** @import { Study } from "../study.js" */

/**
 * What the lines do to the page: `go` shows a moment of a line, `back` one of the partida, `describe` says again what is shown.
 * @typedef {{go: (line: Replay, moment: number) => void, back: (moment: number) => void, describe: () => void}} Stage
 */

const SLOW_MS = 200;

/** The lines of a replay: at most one is on the felt. `banner` says that it was not played; the cards to try are in the study. */
export class Lines {
  /** @param {Replay} replay @param {Study} study @param {Stage} stage */
  constructor(replay, study, stage) {
    this.replay = replay;
    this.study = study;
    this.stage = stage;
    this.live = el("div", { "aria-live": "polite" });
    this.more = el("div", { class: "more" });
    this.banner = el("div", { class: "not-played" }, this.live, this.more);
    this.choices = study.choices;
    this.status = el("p", { class: "fine", role: "status" });
    /** @type {View} */
    this.view = { replay, moment: 0 };
    /** @type {LineCard[]} */
    this.line = [];
    this.isHere = true;
    /** How many cards were laid: only the last one counts. */
    this.asks = 0;
  }

  /** The card of a moment. @param {number} moment @returns {ArrastreCard | undefined} */
  cardAt(moment) {
    const { replay } = this.view;
    return replay.isUnplayed ? this.line[moment - replay.first] : this.study.cardAt(moment);
  }

  /** Whether other cards than that of a moment can be tried. @param {number} moment */
  hasChoices(moment) {
    const one = this.cardAt(moment);
    return one !== undefined && this.study.priced(one) !== null;
  }

  /** Show the moment that is on the felt. @param {View} view */
  follow(view) {
    this.view = view;
    this.status.replaceChildren();
    if (!view.replay.isUnplayed && this.line.length) {
      this.line = [];
      this.tell();
    }
    const one = this.cardAt(view.moment);
    this.choose(one);
    if (!one || this.study.priced(one) !== undefined) return;
    const again = () => {
      if (this.view !== view) return;
      this.choose(one);
      this.stage.describe();
    };
    this.study.pricesOf(one).then(again, () => {
      this.isHere = false;
      this.choose(undefined);
    });
  }

  /** Lay a card in place of the one of a moment, and show what best play makes of it. @param {string} card @param {number} moment */
  async lay(card, moment = this.view.moment) {
    const [one, asked, time] = [this.cardAt(moment), this.view, ++this.asks];
    if (!one) return;
    const isLast = () => this.view === asked && this.asks === time;
    const slow = setTimeout(() => { if (isLast()) this.status.replaceChildren(t("analysis.waiting")); }, SLOW_MS);
    const laid = await this.study.line(one.known, card);
    const isUnlawful = (await this.study.pricesOf(one))?.lawful.includes(card) === false;
    clearTimeout(slow);
    if (!isLast()) return;
    this.status.replaceChildren(laid ? "" : t("analysis.beyond"));
    if (!laid) return;
    const first = asked.replay.isUnplayed ? asked.replay.first : moment;
    const [tried, ...others] = lineCards(laid, one.made);
    this.line = [...this.line.slice(0, moment - first), { ...tried, isTried: true, isUnlawful }, ...others];
    const isFocused = this.choices.contains(document.activeElement);
    this.stage.go(lineOf(this.replay, first, this.line), moment);
    this.tell();
    if (isFocused && !this.choices.contains(document.activeElement)) /** @type {HTMLElement | null} */ (this.more.querySelector(".back"))?.focus();
    this.banner.scrollIntoView({ block: "nearest" });
  }

  /** Lay a card that was tapped in a hand: of the seat on turn, or another one than lies on the table. @param {string} seat @param {string} card */
  layOf(seat, card) {
    const { replay, moment } = this.view;
    const next = replay.isUnplayed ? moment + 1 : this.study.momentAfter(moment);
    const found = [next, moment].find((at) => this.cardAt(at)?.seat === seat && this.cardAt(at)?.known.hands[seat].includes(card));
    if (found !== undefined) this.lay(card, found);
  }

  /** Back to the partida, at the card that the line began with. */
  leave() {
    if (!this.line.length) return;
    this.stage.back(this.view.replay.first);
    /** @type {HTMLElement | null} */ (this.choices.querySelector(".show-line"))?.focus();
  }

  /** What is said of the card of a line. @returns {Child} */
  said() {
    const { replay, moment } = this.view;
    const [step, one] = [replay.steps[moment - 1], this.line[moment - replay.first]];
    const prices = this.study.priced(one);
    const isOurs = one.seat[0] === this.line[0].seat[0];
    return [
      el("p", { class: "act" }, step.text),
      (step.said ?? []).map((text) => el("p", { class: "said" }, text)),
      prices && (isOurs || replay.players !== 3) ? told(analysedCard(one, prices)) : null,
    ];
  }

  /** Say what the line is, and give a way back; or say nothing, where there is none. */
  tell() {
    const hasLine = this.line.length > 0;
    this.banner.classList.toggle("on", hasLine);
    this.live.replaceChildren(...(hasLine ? leavesOf(toldOf(this.replay, this.study, this.view.replay.first, this.line)) : []));
    this.more.replaceChildren(...(hasLine ? [el("button", { type: "button", class: "back", onclick: () => this.leave() }, t("analysis.back")), why(this.replay)] : []));
  }

  /** Show the cards to choose from; the focus stays where it was. @param {ArrastreCard | undefined} one */
  choose(one) {
    const had = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.card;
    const lay = (/** @type {string} */ card) => { this.lay(card); };
    const shown = one ? choicesOf(this.view, one, this.study.priced(one), lay) : [el("p", { class: "fine" }, t("analysis.no_choice"))];
    this.choices.replaceChildren(...(this.isHere ? leavesOf([shown, this.status]) : []));
    if (had) /** @type {HTMLElement | null} */ (this.choices.querySelector(`[data-card="${had}"]`))?.focus();
  }
}

/** What a line is: from which card, beside which it stands, and how the deal ends by it. @type {(replay: Replay, study: Study, first: number, line: LineCard[]) => Child[]} */
const toldOf = (replay, study, first, line) => {
  const tried = line.filter((one) => one.isTried);
  const from = tried.map((one) => `${t("called.card", { card: one.card, seat: replay.people[one.seat] })}${one.isUnlawful ? ` (${t("analysis.not_lawful")})` : ""}`);
  const ends = sidesOf(replay).map((side) => `${personOf(replay, side)} ${line[line.length - 1].after[side]}`);
  return [
    el("p", null, el("strong", null, `${t("analysis.not_played")}.`), " ", t("analysis.best_play", { text: from.join("; ") })),
    instead(study, first, line[0]),
    el("p", { class: "ends" }, t("analysis.ends", { text: ends.join(" · ") })),
    replay.players === 3 ? el("p", { class: "fine" }, t("analysis.three")) : null,
  ];
};

/** The first card of a line beside the one that was played. @type {(study: Study, first: number, tried: LineCard) => Child} */
const instead = (study, first, tried) => {
  const played = study.cardAt(first);
  const prices = played && study.priced(played);
  if (!prices || played.card === tried.card) return null;
  const points = signed(prices.values[tried.card] - prices.values[played.card]);
  return el("p", null, capital(t("analysis.instead", { card: tried.card, other: played.card, points })));
};
