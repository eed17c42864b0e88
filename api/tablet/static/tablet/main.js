// The tablet: shows the view that the address names, and registers the service worker.
import { html, render, useEffect, useState } from "./vendor/ui.js";
import { onRevoked } from "./outbox/asking.js";
import { keepSending } from "./outbox/sending.js";
import { onLost } from "./outbox/store.js";
import { keepTidy } from "./outbox/tidying.js";
import { t } from "../html/words.js";
import { fetched, opened, styled } from "./fetched.js";
import { leftHere, loseAccess, onLeaving } from "./leaving/clearing.js";
import { Left } from "./leaving/left.js";
import { keepOffline } from "./offline.js";
import { Sync } from "./sync/bar.js";
import { lastTable, remember } from "./resume.js";
import { PRACTICE } from "./tour/practice.js";
import { answerTaps } from "./vibration.js";

/**
 * A view and the style sheet that it alone needs.
 * @type {(sheet: string, view: Promise<{View: Function}>) => Promise<{View: Function}>}
 */
const dressed = async (sheet, view) => (await Promise.all([view, styled(sheet)]))[0];

/**
 * Views by the first part of the address after `#/`. The second part is their property `id`.
 * @type {Record<string, () => Promise<{View: Function}>>}
 */
const VIEWS = {
  "": () => dressed("opening", import("./opening/tables.js")),
  nueva: () => dressed("opening", import("./opening/opening.js")),
  mesa: () => import("./table/table.js"),
  prueba: () => dressed("tour", import("./tour/tour.js")),
  salir: () => import("./leaving/leaving.js"),
};

/** View and id in the address: `{view, id}`. @type {() => {view: string, id: string}} */
const place = () => {
  const [view = "", id = ""] = location.hash.replace(/^#\/?/, "").split("/");
  return view in VIEWS ? { view, id } : { view: "", id: "" };
};

/** The table that the address names, or "". */
const tableShown = () => {
  const { view, id } = place();
  if (view === "prueba") return PRACTICE;
  return view === "mesa" ? id : "";
};

/** Draws the bar above every view, and sets the links to other languages to the same view. */
const showBar = () => {
  render(html`<${Sync} id=${tableShown()} />`, /** @type {HTMLElement} */ (document.getElementById("sync")));
  for (const link of document.querySelectorAll("header nav a")) /** @type {HTMLAnchorElement} */ (link).hash = location.hash;
};

const App = () => {
  const [shown, show] = useState(/** @type {{View: Function, id: string, key: string} | null} */ (null));
  useEffect(() => {
    let latest = 0;
    const turn = async () => {
      showBar();
      const mine = ++latest;
      const { view, id } = place();
      if (view === "mesa") remember(id);
      const { View } = await fetched(VIEWS[view]);
      opened();
      if (mine === latest) show({ View, id, key: `${view}/${id}` });
    };
    const begin = async () => {
      const last = location.hash ? "" : await lastTable();
      if (last) history.replaceState(null, "", `#/mesa/${last}`);
      turn();
    };
    addEventListener("hashchange", turn);
    begin();
    return () => removeEventListener("hashchange", turn);
  }, []);
  if (!shown) return html`<h1>${t("tablet.title")}</h1><p role="status">${t("tablet.loading")}</p>`;
  return html`<${shown.View} key=${shown.key} id=${shown.id} />`;
};

const main = /** @type {HTMLElement} */ (document.getElementById("main"));

/** Replaces the view by the page that says why no table is shown any more. @param {import("./leaving/clearing.js").Leaving} left */
const showLeft = (left) => {
  opened();
  render(null, /** @type {HTMLElement} */ (document.getElementById("sync")));
  render(html`<${Left} ...${left} />`, main);
};

const AGAIN_MS = 10_000;

/** Installs the worker again, which may have been cleared with the data, as soon as there is a network. */
const keepAgain = () => {
  keepOffline().catch(() => setTimeout(keepAgain, AGAIN_MS));
};

const start = async () => {
  onLeaving(showLeft);
  addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
  const left = await leftHere();
  if (left) return showLeft(left);
  onRevoked(() => loseAccess().then(showLeft, console.warn));
  render(html`<${App} />`, main);
  answerTaps();
  keepSending();
  keepTidy(tableShown);
  onLost(keepAgain);
  return keepOffline();
};

start();
