// Details of an act: its verdict with article and proof, corrections, rulings.
import { capital } from "../html/grammar.js";
import { cited, t } from "../html/words.js";
import { el } from "./dom.js";
import { besides, nameOfLine, verdictAt } from "./data.js";
/** @import { Child } from "./dom.js" */
/** @import { ArticleRef, Replay, ReplayAmendment, ReplayCase, ReplayChange, ReplayClaim, ReplayCompared, ReplayStep, ReplayVerdict } from "./data.js" */

/** Sign of each verdict, shown with a word, so that it does not depend on colour. @type {Record<string, string>} */
export const MARKS = { unlawful: "✕", open: "?", lawful: "" };

/** Details of the act at a moment. @type {(replay: Replay, moment: number) => Child[]} */
export const detailsOf = (replay, moment) => {
  const step = replay.steps[moment - 1];
  if (!step) return [el("p", { class: "act" }, t("replay.start"))];
  const found = besides(replay, step.line);
  return [
    el("p", { class: "act" }, step.text, " ", el("small", { class: "fine" }, String(step.line))),
    (step.said ?? []).map((text) => el("p", { class: "said" }, text)),
    found.verdict ? judged(replay, found.verdict, moment) : null,
    found.compared ? otherwise(found.compared) : null,
    found.findings.map((one) => el("p", { class: "finding" }, el("span", { class: "mark", "aria-hidden": "true" }, "!"), one.text, article(one.article))),
    found.amendments.map((one) => amended(replay, one, step.line)),
    found.rulings.map((one) => ruled(replay, one)),
    found.cases.map(disputed),
    step.kind === "claim" && replay.claim ? claimed(replay, replay.claim) : null,
    (replay.judged ?? []).filter((one) => one.line === step.line).map((one) => el("div", { class: "judged" }, one.text.map((text) => el("p", null, text)))),
    step.about ? el("p", null, toLine(replay, step.about)) : null,
  ].flat(2);
};

/** @type {(replay: Replay, one: ReplayVerdict, moment: number) => Element | null} */
const judged = (replay, one, moment) => {
  const now = verdictAt(replay, one.line, replay.last);
  if (now === "lawful") return settledLater(one, moment, replay);
  const settles = one.settles?.tricks?.length ? t("replay.turn_over", { tricks: one.settles.tricks }) : "";
  return el(
    "div",
    { class: `verdict ${now}` },
    el("p", null, el("strong", null, el("span", { class: "mark", "aria-hidden": "true" }, MARKS[now]), t(`replay.${now}`)), " ", one.plain ?? one.text, " ", settles),
    article(one.article),
    one.plain ? el("details", { class: "why" }, el("summary", null, t("replay.how_known")), shown(replay, one)) : shown(replay, one),
  );
};

/** What shows that it is so, and how it may be a slip. @type {(replay: Replay, one: ReplayVerdict) => Child} */
const shown = (replay, one) => [
  one.plain ? el("p", null, one.text) : null,
  one.since && one.since !== one.line ? el("p", null, t("replay.since"), " ", toLine(replay, one.since)) : null,
  one.proof && one.proof.lines.length > 1 ? el("p", null, t("replay.proof"), " ", one.proof.lines.map((line) => [toLine(replay, line), " "])) : null,
  one.slip ? el("p", { class: "slip" }, t("slip.lead"), " ", one.slip.text, " ", one.slip.lines.map((line) => [toLine(replay, line), " "])) : null,
];

/** @type {(one: ReplayVerdict, moment: number, replay: Replay) => Element | null} */
const settledLater = (one, moment, replay) =>
  one.since && (replay.momentOf.get(one.since) ?? 0) > moment
    ? el("p", { class: "verdict lawful" }, t("replay.lawful"), ", ", t("replay.since"), " ", toLine(replay, one.since))
    : null;

/** @type {(one: ArticleRef | null | undefined) => Element | null} */
const article = (one) => {
  return one ? el("p", { class: "article" }, cited(one)) : null;
};

/** @type {(one: ReplayCompared) => Element} */
const otherwise = (one) =>
  el(
    "p",
    { class: "other" },
    t("replay.otherwise", { before: t(`replay.${one.answer}`), after: t(`replay.${one.other_answer}`) }),
    one.by.length ? ` ${t("replay.by", { options: one.by.join("; ") })}` : "",
  );

/** @type {(replay: Replay, one: ReplayAmendment, line: number) => Element} */
const amended = (replay, one, line) =>
  el(
    "div",
    { class: `amended${one.stands ? "" : " withdrawn"}` },
    el("p", null, el("span", { class: "mark", "aria-hidden": "true" }, "✎"), t("replay.corrected"), " ", el("small", { class: "fine" }, String(one.line)), one.stands ? "" : ` (${t("replay.withdrawn")})`, one.text ? `: ${one.text}` : ""),
    one.changes
      .filter((change) => change.line === line || one.line === line)
      .map((change) => changed(replay, change, line)),
  );

/** @type {(replay: Replay, change: ReplayChange, line: number) => Element} */
const changed = (replay, change, line) =>
  el(
    "dl",
    null,
    change.line === line ? null : [el("dt", null, t("replay.line_of")), el("dd", null, toLine(replay, change.line))],
    change.before ? [el("dt", null, t("replay.before")), el("dd", null, el("del", null, change.before))] : null,
    el("dt", null, t("replay.after")),
    el("dd", null, change.after ? el("ins", null, change.after) : t("replay.taken_away")),
  );

/** @type {(replay: Replay, step: ReplayStep) => Element} */
const ruled = (replay, step) =>
  el("p", { class: "ruled" }, el("span", { class: "mark", "aria-hidden": "true" }, "§"), step.text, step.article ? ` (${step.article})` : "", " ", toLine(replay, step.line));

/** @type {(one: ReplayCase) => Element} */
const disputed = (one) =>
  el(
    "div",
    { class: "ruled" },
    el("p", null, el("span", { class: "mark", "aria-hidden": "true" }, "§"), el("strong", null, caseLink(one.number)), one.because ? `: ${one.because}` : ""),
    one.words.verdict ? el("p", null, one.words.verdict.effect, " ", one.words.verdict.ground) : null,
  );

/**
 * The name of a case; a link to its page on the service, plain text in a downloaded file.
 * @type {(number: number) => Element | string}
 */
const caseLink = (number) => {
  const cases = document.getElementById("replay")?.dataset.cases;
  const name = t("replay.case", { n: number });
  return cases ? el("a", { href: `${cases}/${number}` }, name) : name;
};

/** @type {(replay: Replay, claim: ReplayClaim) => Element} */
const claimed = (replay, claim) =>
  el(
    "div",
    { class: "verdict" },
    el("p", null, t(`replay.claim_${claim.answer}`, { lower: claim.lower, upper: claim.upper })),
    claim.cantes.length ? el("p", null, t("replay.open_cantes"), " ", claim.cantes.map((line) => [toLine(replay, line), " "])) : null,
  );

/**
 * A link to the moment of a line, by what people call its act; the page handles its click.
 * @type {(replay: Replay, line: number) => HTMLAnchorElement}
 */
export const toLine = (replay, line) =>
  el("a", { href: `?linea=${line}`, "data-line": line }, capital(nameOfLine(replay, line)));
