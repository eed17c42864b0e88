// The page of a problem: the reader lays the cards of one seat, the engine those of the other three.
import { cardSvg } from "../html/cards.js";
import { cardName, t } from "../html/words.js";
import { el } from "../replay/dom.js";
import { seatToPlay } from "../replay/engine.js";
import { feltAt } from "../replay/felt.js";
import { bestOf } from "./judging.js";
import { after, begun } from "./play.js";
import { replayOf } from "./table.js";
/** @import { Judged } from "./judging.js" */
/** @import { Puzzle, PuzzleState } from "./play.js" */

const PACE_MS = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 700;
const ME = "A1";

/** @type {(id: string) => any} */
const read = (id) => JSON.parse(document.getElementById(id)?.textContent ?? "null");

/** How the engine is asked: one question at a time. A Worker that did not arrive fails without words, and is fetched again at the next question. @type {(holder: HTMLElement) => (state: PuzzleState) => Promise<Judged>} */
const asking = (holder) => {
  const bytes = Uint8Array.from(atob(holder.textContent ?? ""), (letter) => letter.charCodeAt(0));
  const fetched = () => {
    const worker = new Worker(/** @type {string} */ (holder.dataset.worker), { type: "module" });
    worker.postMessage({ bytes });
    return worker;
  };
  /** @type {Worker | null} */
  let worker = null;
  return (state) =>
    new Promise((found, fail) => {
      worker ??= fetched();
      worker.onmessage = ({ data }) => ("failed" in data ? fail(new Error(data.failed)) : found(data.judged));
      worker.onerror = (event) => { worker = null; fail(new Error(event.message)); };
      worker.postMessage({ state });
    });
};

/** @type {(ms: number) => Promise<void>} */
const pause = (ms) => new Promise((next) => setTimeout(next, ms));

/** A problem on its felt: the game of the reader, or the solution step by step. */
class PuzzleTable {
  /** @param {Puzzle} puzzle @param {(state: PuzzleState) => Promise<Judged>} ask */
  constructor(puzzle, ask) {
    this.puzzle = puzzle;
    this.ask = ask;
    this.people = read("people");
    this.state = begun(puzzle);
    this.moment = 0;
    /** A new game ends what the last one still waits for. */
    this.game = 0;
    /** What the engine says of the reader's cards; null while it is not their turn. @type {Judged | null} */
    this.judged = null;
    /** What a wrong card has cost; empty while there was none. */
    this.slip = "";
    this.felt = el("div", { class: "felt players-4" });
    this.said = el("div", { class: "said", role: "status" });
    this.back = button(t("puzzle.back"), () => this.step(-1));
    this.forth = button(t("puzzle.forth"), () => this.step(1));
    this.ways = el("p", { class: "ways" }, button(t("puzzle.again"), () => this.play()), button(t("puzzle.solution"), () => this.solve()), this.back, this.forth);
  }

  /** The first card, or again. */
  play() {
    this.begin(begun(this.puzzle), "ready", t("puzzle.ready"));
    this.show();
    this.follow(this.game).catch((error) => this.fail(error));
  }

  /** The line of the solution, before its first card. */
  solve() {
    const { line, card } = this.puzzle;
    const whole = line.reduce((sum, [, laid]) => after(sum, laid), begun(this.puzzle));
    this.begin(whole, "solved", `${t("puzzle.solved", { card })} ${t("puzzle.hindsight")}`);
    this.step(0);
  }

  /** @param {PuzzleState} state @param {string} kind @param {string} words */
  begin(state, kind, words) {
    this.game += 1;
    this.judged = null;
    this.slip = "";
    this.state = state;
    this.moment = 0;
    this.back.hidden = this.forth.hidden = kind !== "solved";
    this.tell(kind, words);
  }

  /** @param {number} by */
  step(by) {
    const last = this.state.plays.length;
    this.moment = Math.min(Math.max(this.moment + by, 0), last);
    this.back.disabled = this.moment === 0;
    this.forth.disabled = this.moment === last;
    this.show();
  }

  show() {
    this.felt.replaceChildren(...feltAt(replayOf(this.puzzle, this.state, this.people), this.moment, true));
    if (this.moment < this.state.plays.length) return;
    for (const place of this.felt.querySelectorAll(".south .hand li")) {
      const card = place.querySelector("use")?.getAttribute("href")?.slice(1) ?? "";
      const isOpen = this.judged?.lawful.includes(card) ?? false;
      place.replaceChildren(el("button", { type: "button", class: "lay", "data-card": card, disabled: !isOpen, onclick: () => this.lay(card) }, cardSvg(card, cardName(card))));
    }
  }

  /** No answer of the engine: it did not arrive, or this browser has none. @param {Error} error */
  fail(error) {
    this.tell("none", t(error.message ? "puzzle.none_here" : "puzzle.not_arrived"));
  }

  /** @param {string} kind @param {string} words */
  tell(kind, words) {
    this.said.dataset.told = kind;
    this.said.replaceChildren(el("p", null, words));
  }

  /** The reader lays a card. @param {string} card */
  lay(card) {
    if (!this.judged) return;
    const { reaching, values } = this.judged;
    this.judged = null;
    if (reaching.includes(card)) this.tell("good", t("puzzle.good", { card }));
    else if (reaching.length) {
      const cost = Math.max(...reaching.map((one) => values[one])) - values[card];
      this.slip = t(`puzzle.slip${cost > 1 ? "" : cost === 1 ? "_1" : "_0"}`, { card, n: cost });
      this.tell("slip", this.slip);
    }
    this.advance(card);
    this.follow(this.game).catch((error) => this.fail(error));
  }

  /** @param {string} card */
  advance(card) {
    this.state = after(this.state, card);
    this.moment = this.state.plays.length;
    this.show();
  }

  /** The others lay their cards, until it is the reader's turn or all is settled. @param {number} game */
  async follow(game) {
    while (this.state.won === null) {
      const found = await this.ask(this.state);
      const isMine = seatToPlay(this.state.known) === ME;
      if (!isMine) await pause(PACE_MS);
      if (game !== this.game) return;
      if (isMine) {
        this.judged = found;
        this.show();
        return;
      }
      this.advance(bestOf(found));
    }
    const how = this.state.won ? "won" : "lost";
    this.tell(how, `${t(`puzzle.${how}_${this.puzzle.goal}`)} ${this.slip}`);
  }
}

/** @type {(words: string, onclick: () => void) => HTMLButtonElement} */
const button = (words, onclick) => el("button", { type: "button", class: "way", onclick }, words);

const stage = document.getElementById("puzzle");
const holder = document.getElementById("engine");
const data = read("puzzle-data");
if (stage && holder && data) {
  const table = new PuzzleTable(data, asking(holder));
  stage.replaceChildren(table.felt, table.said, table.ways);
  table.play();
}
