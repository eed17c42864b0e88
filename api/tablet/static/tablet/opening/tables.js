// The list of tables of the club: first the running ones with their standing, then the finished ones.
import { prefix } from "../../html/prefix.js";
import { html, useEffect, useState } from "../vendor/ui.js";
import { ask } from "../outbox/asking.js";
import { read } from "../outbox/store.js";
import { club, lang, t } from "../../html/words.js";
import { useHelp } from "../help.js";
import { typing } from "../input.js";
import { foldedOf } from "./people.js";
/** @import { EncuentroView } from "../outbox/store.js" */
/** @import { Who } from "./people.js" */
/**
 * @typedef {Pick<EncuentroView, "id" | "players" | "profile" | "seats" | "names" | "decided" | "standing" | "table" | "place" | "date">
 *   & {partidas: number, running: number | null}} TableSummary a table as a row of the list
 * @typedef {{rows: TableSummary[] | null, next: string | null, outcome: string, waiting: Record<string, number>}} TableList
 */

const LIST = `${prefix}/api/v1/encuentros`;
const AGAIN_MS = 15_000;
const PAGE = 200;
/** @type {Record<number, string[]>} */
const SIDES = { 2: ["A", "B"], 3: ["A", "B", "C"], 4: ["A", "B"] };

/**
 * Tables stored in this browser, as rows of the list; and the number of waiting acts of each.
 * @type {() => Promise<{rows: TableSummary[], waiting: Record<string, number>}>}
 */
const knownHere = () =>
  read(["tables", "queue"], async (tx) => {
    const rows = await tx.objectStore("tables").getAll();
    const queue = await tx.objectStore("queue").getAll();
    /** @type {Record<string, number>} */
    const waiting = {};
    for (const { encuentro } of queue) waiting[encuentro] = (waiting[encuentro] ?? 0) + 1;
    return { rows: rows.map(({ view }) => rowOf(view)), waiting };
  }).catch(() => ({ rows: [], waiting: {} }));

/** @type {(view: EncuentroView) => TableSummary} */
const rowOf = (view) => ({
  ...view,
  partidas: view.partidas.length,
  running: view.partidas.find(({ how }) => how === "undecided")?.partida ?? null,
});

/**
 * Pages of the list until there are at least so many tables: `{rows, next, outcome}`.
 * @type {(least: number) => Promise<{rows: TableSummary[], next: string | null, outcome: string}>}
 */
const listed = async (least) => {
  /** @type {TableSummary[]} */
  const rows = [];
  let next = "";
  do {
    const { outcome, content } = await ask(`${LIST}?limit=${PAGE}${next ? `&cursor=${next}` : ""}`);
    if (outcome !== "answered") return { rows, next: null, outcome };
    rows.push(...content.items);
    next = content.next;
  } while (next && rows.length < least);
  return { rows, next, outcome: "answered" };
};

/** The persons of a table, the same in any order; empty if one of them is new. @type {(seats: Record<string, Who>) => string} */
export const personsOf = (seats) => {
  const persons = Object.values(seats).map(({ person }) => person ?? "");
  return persons.every(Boolean) ? persons.sort().join(" ") : "";
};

/** Address of a running table of this day at which exactly these persons sit; empty if there is none. @type {(persons: string, date: string) => Promise<string>} */
export const playingNow = async (persons, date) => {
  const { rows } = persons ? await listed(1) : { rows: [] };
  const isSame = (/** @type {TableSummary} */ row) => !row.decided && (!row.date || row.date === date) && Object.values(row.seats).sort().join(" ") === persons;
  const found = rows.find(isSame);
  return found ? addressOf(found) : "";
};

/** Names of the players of a side, or its letter if nobody sits there. @type {(row: TableSummary, side: string) => string} */
const namesOf = (row, side) =>
  Object.entries(row.seats).filter(([seat]) => seat.startsWith(side)).map(([, person]) => row.names[person] ?? t("grammar.nameless")).join(" · ") || side;

/** @type {(row: TableSummary) => boolean} */
const isFixed = (row) => row.profile.options?.match_format === "fixed_partidas";

/** Standing of a table: cotos and partidas of each side. @param {{row: TableSummary}} props */
const Score = ({ row }) => {
  const sides = SIDES[row.players];
  const { cotos, partidas, camas, made } = row.standing;
  const said = (/** @type {string} */ key, /** @type {Record<string, number>} */ values) => html`<span>${t(`tablet.open.${key}`)} <b>${sides.map((side) => values[side]).join("–")}</b></span>`;
  // where a partida is a cama, as by default, the partidas of the coto are counted as camas
  const isFlat = !isFixed(row) && (row.profile.options?.partidas_per_cama ?? 1) === 1;
  const hasCotos = made.length > 0 || (!isFixed(row) && sides.some((side) => cotos[side]));
  const hasCamas = !isFlat && !isFixed(row) && sides.some((side) => camas[side] > 0);
  const played = isFlat ? camas : partidas;
  const hasPartidas = !hasCotos || !row.decided || sides.some((side) => played[side]);
  return html`<span class="stand">
    ${hasCotos && said("cotos", cotos)} ${hasCamas && said("camas", camas)} ${hasPartidas && said("partidas", played)}
  </span>`;
};

/** @type {(row: TableSummary) => string} */
const stageOf = (row) => {
  if (row.decided) return row.decided.winner ? t("tablet.open.won_by", { text: namesOf(row, row.decided.winner) }) : t("tablet.open.drawn_match");
  if (row.running) return t("tablet.open.partida_n", { n: row.running });
  return t(row.partidas ? "tablet.open.between" : "tablet.open.not_begun");
};

/** @type {(row: TableSummary) => string | undefined} */
const dateOf = (row) => row.date ? new Date(`${row.date}T12:00`).toLocaleDateString(lang, { day: "numeric", month: "short", year: "numeric" }) : undefined;

/** @type {(row: TableSummary) => boolean} */
const isSeated = (row) => Object.keys(row.seats).length > 0;

/** Address of a table: where it is keyed, or where it begins. @type {(row: TableSummary) => string} */
const addressOf = (row) => row.partidas || row.decided ? `#/mesa/${row.id}` : `#/nueva/${row.id}`;

/** @param {{row: TableSummary, waiting: number}} props */
const Row = ({ row, waiting }) => html`<li>
  <a class=${`entry${row.decided ? " over" : ""}`} href=${addressOf(row)}>
    <span class="who">${SIDES[row.players].map((side) => html`<span class=${`pair ${side}`}>${isSeated(row) ? namesOf(row, side) : "–"}</span>`)}</span>
    <${Score} row=${row} />
    <span class="about">
      ${row.table ? html`<b>${t("tablet.open.table_n", { n: row.table })}</b>` : null}
      <span class=${`tag${row.running ? " live" : ""}`}>${stageOf(row)}</span>
      ${waiting > 0 && html`<span class="tag unsent">${t("tablet.open.unsent", { n: waiting })}</span>`}
      <span>${[row.place, dateOf(row)].filter(Boolean).join(" · ")}</span>
    </span>
  </a>
</li>`;

/** @type {(row: TableSummary, sought: string) => boolean} */
const fits = (row, sought) => {
  const text = foldedOf([...Object.values(row.names), row.table ? t("tablet.open.table_n", { n: row.table }) : "", row.place ?? "", row.date ?? "", dateOf(row) ?? ""].join(" "));
  return foldedOf(sought).split(" ").every((one) => text.includes(one));
};

/** @param {{title: string, rows: TableSummary[], waiting: Record<string, number>}} props */
const List = ({ title, rows, waiting }) =>
  rows.length > 0 && html`<section class="tables"><h2>${title}</h2><ul>${rows.map((row) => html`<${Row} key=${row.id} row=${row} waiting=${waiting[row.id] ?? 0} />`)}</ul></section>`;

/** The way to the tour. */
const TourOffer = () => html`<p class="offer"><a class="button plain" href="#/prueba">${t("tablet.tour.offer")}</a> <span>${t("tablet.tour.offer_about")}</span></p>`;

/** All tables of the club. */
export const View = () => {
  useHelp("abrir-mesa");
  const [{ rows, next, outcome, waiting }, show] = useState(/** @type {TableList} */ ({ rows: null, next: null, outcome: "", waiting: {} }));
  const [sought, seek] = useState("");
  const [least, want] = useState(1);
  useEffect(() => {
    let isShown = true;
    const look = async () => {
      const here = await knownHere();
      const found = await listed(sought ? Infinity : least);
      if (!isShown) return;
      const rows = found.outcome === "answered" ? found.rows : here.rows;
      show({ ...found, rows, waiting: here.waiting });
    };
    look();
    const timer = setInterval(() => document.visibilityState === "visible" && look(), AGAIN_MS);
    addEventListener("online", look);
    return () => {
      isShown = false;
      clearInterval(timer);
      removeEventListener("online", look);
    };
  }, [Boolean(sought), least]);
  const found = (rows ?? []).filter((row) => !sought.trim() || fits(row, sought.trim()));
  return html`<div class="club">
    ${club && html`<p class="whose">${club}</p>`}
    <div class="title"><h1>${t("tablet.open.tables")}</h1><a class="button" href="#/nueva">${t("tablet.open.new")}</a></div>
    ${outcome === "later" && html`<p class="note" role="status">${t("tablet.open.offline")}</p>`}
    ${outcome === "signed_out" && html`<p class="note" role="status"><a href=${`${prefix}/entrar?next=${prefix}/arbitro/`}>${t("tablet.open.sign_in")}</a></p>`}
    ${(rows?.length ?? 0) > 1 && html`<label class="search"><span>${t("tablet.open.search")}</span><input type="search" value=${sought} onInput=${typing(seek)} /></label>`}
    <p class="hidden" role="status">${sought && t("tablet.open.found", { n: found.length })}</p>
    ${rows === null && html`<p role="status">${t("tablet.loading")}</p>`}
    ${rows?.length === 0 && html`<p class="lead">${t("tablet.open.no_tables")}</p>`}
    ${rows && rows.length > 0 && found.length === 0 && html`<p class="lead">${t("tablet.open.none_found")}</p>`}
    <${List} title=${t("tablet.open.running")} rows=${found.filter((row) => !row.decided)} waiting=${waiting} />
    <${List} title=${t("tablet.open.finished")} rows=${found.filter((row) => row.decided)} waiting=${waiting} />
    ${next && html`<button type="button" onClick=${() => want((rows?.length ?? 0) + 1)}>${t("tablet.open.more")}</button>`}
    ${rows && html`<${TourOffer} />`}
  </div>`;
};
