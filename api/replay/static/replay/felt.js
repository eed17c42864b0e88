// The table at a moment: hands, the trick in the middle, stock, pinta and turn.
import { cardSvg } from "../html/cards.js";
import { cardName, t } from "../html/words.js";
import { el } from "./dom.js";
import { dealOf, handOf, lastTrick, personOf, places, trickOf, verdictAt } from "./data.js";
/** @import { Replay, Frame, TrickAt } from "./data.js" */

const MANY = 14;

/**
 * The table at a moment; `showsAll`: also long lists of possible cards.
 * @type {(replay: Replay, moment: number, showsAll: boolean) => Element[]}
 */
export const feltAt = (replay, moment, showsAll) => {
  const frame = replay.frames[moment];
  const trick = trickOf(replay, moment);
  return [
    ...(replay.isUnplayed ? [el("p", { class: "not-so" }, t("analysis.not_played"))] : []),
    ...places(replay).map(({ seat, at }) => seatAt(replay, moment, { seat, at, trick, showsAll })),
    el("div", { class: "middle" }, laid(replay, moment, trick), pile(frame), phase(replay, frame)),
  ];
};

/**
 * @type {(replay: Replay, moment: number, of: {seat: string, at: string, trick: TrickAt, showsAll: boolean}) => Element}
 */
const seatAt = (replay, moment, { seat, at, trick, showsAll }) => {
  const frame = replay.frames[moment];
  const hand = handOf(replay, frame, seat);
  const deal = dealOf(replay, frame);
  const proof = proved(replay, moment, seat);
  const later = proof.filter((card) => hand.possible.includes(card));
  const hidden = Math.max(hand.size - hand.seen.length - hand.deduced.length - later.length, 0);
  const isTurn = frame.turn === seat && !trick.closed;
  return el(
    "section",
    { class: `seat ${at}${isTurn ? " turn" : ""}`, "data-seat": seat, "aria-label": personOf(replay, seat) },
    el(
      "p",
      { class: "who" },
      el("span", { class: "name" }, personOf(replay, seat)),
      el("small", { class: "fine" }, seat),
      deal?.dealer === seat ? el("span", { class: "badge" }, t("replay.deals")) : null,
      deal?.mano === seat ? el("span", { class: "badge" }, t("replay.mano")) : null,
      isTurn ? el("span", { class: "badge now" }, t("replay.turn")) : null,
    ),
    el(
      "ul",
      { class: "hand", "aria-label": t("replay.hand", { n: hand.size }) },
      hand.seen.map((card) => held(card, "seen", proof)),
      hand.deduced.map((card) => held(card, "deduced", proof)),
      later.map((card) => held(card, "deduced", proof)),
      Array.from({ length: hidden }, (_, index) => back(index, hidden)),
    ),
    hidden ? possible(hand.possible, showsAll) : null,
  );
};

/**
 * Cards that prove that the act of this moment was a breach: its seat certainly held them.
 * @type {(replay: Replay, moment: number, seat: string) => string[]}
 */
const proved = (replay, moment, seat) => {
  const line = replay.steps[moment - 1]?.line;
  const one = replay.verdictOf.get(line);
  return one?.seat === seat && one.verdict === "unlawful" ? (one.proof?.cards ?? []) : [];
};

/** @type {(card: string, how: "seen" | "deduced", proof: string[]) => Element} */
const held = (card, how, proof) => {
  const isProof = proof.includes(card);
  const label = isProof ? t("replay.proof_card", { card }) : t(`replay.${how}_card`, { card });
  return el("li", { class: `${how}${isProof ? " proof" : ""}`, "data-card": card }, cardSvg(card, label));
};

/** @type {(index: number, hidden: number) => Element} */
const back = (index, hidden) =>
  el("li", { class: "unseen" }, cardSvg(null, index ? "" : t("replay.unseen", { n: hidden })));

/** @type {(cards: string[], showsAll: boolean) => Element} */
const possible = (cards, showsAll) => {
  if (cards.length > MANY && !showsAll) return el("p", { class: "possible" }, t("replay.possible", { n: cards.length }));
  return el(
    "ul",
    { class: "possible", "aria-label": t("replay.possible", { n: cards.length }) },
    cards.map((card) => el("li", null, cardSvg(card, t("replay.possible_card", { card })))),
  );
};

/** @type {(replay: Replay, moment: number, trick: TrickAt) => Element} */
const laid = (replay, moment, trick) =>
  el(
    "ol",
    { class: `trick${trick.closed ? " closed" : ""}`, "aria-label": t("replay.on_table") },
    trick.plays.map(([seat, card, line]) => {
      const at = places(replay).find((place) => place.seat === seat)?.at;
      const isBest = trick.best === seat;
      const isWrong = verdictAt(replay, line, replay.last) === "unlawful";
      const name = personOf(replay, seat);
      const says = isBest ? t(trick.closed ? "replay.took" : "replay.wins", { seat: replay.people[seat] }) : name;
      return el(
        "li",
        { class: `${at}${isBest ? " best" : ""}${isWrong ? " wrong" : ""}`, "data-line": line },
        cardSvg(card, `${name}: ${cardName(card)}${isBest ? `, ${says}` : ""}`),
        el("span", { "aria-hidden": "true" }, says),
      );
    }),
    trick.plays.length ? null : resting(replay, moment),
  );

/** Between two tricks: who took the last one. @type {(replay: Replay, moment: number) => Element | null} */
const resting = (replay, moment) => {
  const last = lastTrick(replay, moment);
  return last ? el("li", { class: "resting" }, t("replay.took", { seat: replay.people[last.taker] })) : null;
};

/** @type {(frame: Frame) => Element | null} */
const pile = (frame) => {
  if (!frame.pinta) return null;
  return el(
    "div",
    { class: `pile${frame.lies ? "" : " gone"}` },
    cardSvg(frame.pinta, t(frame.lies ? "replay.pinta" : "replay.pinta_gone", { card: frame.pinta })),
    el("span", null, frame.stock ? t("replay.stock", { n: frame.stock }) : t("replay.arrastre")),
  );
};

/** @type {(replay: Replay, frame: Frame) => Element | null} */
const phase = (replay, frame) => {
  const deal = dealOf(replay, frame);
  const said = deal && !deal.counts ? t("replay.annulled") : frame.vueltas ? t("replay.vueltas") : "";
  return said ? el("p", { class: "phase" }, said) : null;
};
