// Terms agreed before the first deal: rules, scoring of the encuentro, deck, place and date.
import { prefix } from "../../html/prefix.js";
import { html } from "../vendor/ui.js";
import { lang, t, timeZone } from "../../html/words.js";
import { typing } from "../input.js";

/**
 * @type {Record<string, ["camas_per_coto" | "cotos_to_win" | "partidas_per_cama" | "fixed_partidas", number, number][]>}
 */
const MATCH = {
  cotos: [["camas_per_coto", 1, 8], ["cotos_to_win", 1, 3], ["partidas_per_cama", 1, 9]],
  fixed_partidas: [["fixed_partidas", 1, 99]],
};
/**
 * @typedef {object} MatchTerms how the encuentro is scored
 * @property {"cotos" | "fixed_partidas"} match_format
 * @property {number} camas_per_coto
 * @property {number} cotos_to_win
 * @property {number} partidas_per_cama
 * @property {number} fixed_partidas
 *
 * @typedef {{id: string, name: string, title: string, players: (2 | 3 | 4)[], decks: number[], pack: string, direction: string,
 *   match: MatchTerms}} ProfileView a profile that the service offers
 * @typedef {{players: 2 | 3 | 4, profile: ProfileView, match: MatchTerms, deck: number, place: string, date: string}} TermsForm
 */

const FORMATS = ["cotos", "fixed_partidas"];
const LONGEST = 80;

/** The day that it is in the club. Swedish writes days as the API does. */
export const today = () => new Intl.DateTimeFormat("sv-SE", { timeZone }).format(new Date());

/**
 * The profile for the API: unchanged, or with the options of the match that this table changes.
 * @type {(profile: ProfileView, match: MatchTerms, date: string) => object}
 */
export const profileIn = (profile, match, date) => {
  const known = new Map(Object.entries(profile.match));
  const changed = Object.entries(match).filter(([name, value]) => known.get(name) !== value);
  if (!changed.length) return { id: profile.id };
  return { id: profile.id, changes: Object.fromEntries(changed), as: { id: `${profile.id}-mesa`, edition: date || today() } };
};

/** @type {(name: string, match: MatchTerms) => string} */
const labelOf = (name, match) => t(`tablet.open.${name === "camas_per_coto" && match.partidas_per_cama === 1 ? "partidas_per_coto" : name}`);

/** How the match is scored, in a few words. @type {(match: MatchTerms) => string} */
export const matchWords = (match) => {
  if (match.match_format === "fixed_partidas") return t("tablet.open.to_partidas", { n: match.fixed_partidas });
  const facts = { cotos: match.cotos_to_win, n: match.camas_per_coto, m: match.partidas_per_cama };
  return t(match.partidas_per_cama === 1 ? "tablet.open.to_cotos" : "tablet.open.to_camas", facts);
};

/** All terms in one line. @type {(form: TermsForm) => string} */
export const termsWords = ({ profile, match, deck, place, date }) => {
  const day = date && new Date(`${date}T12:00`).toLocaleDateString(lang, { weekday: "short", day: "numeric", month: "short" });
  return [profile.name, matchWords(match), t("tablet.open.cards", { n: deck }), place, day].filter(Boolean).join(" · ");
};

/** Radio buttons for a few values. @param {{legend: string, name: string, values: any[], now: any, said: (value: any) => string, onPick: (value: any) => void}} given */
export const Choice = ({ legend, name, values, now, said, onPick }) => html`<fieldset class="pick">
  <legend>${legend}</legend>
  ${values.map((value) => html`<label><input type="radio" name=${name} checked=${value === now} onChange=${() => onPick(value)} /><span>${said(value)}</span></label>`)}
</fieldset>`;

/**
 * @param {{name: string, label: string, value: number, least: number, most: number, wrong?: string, onPick: (value: number) => void}} props
 */
const Steps = ({ name, label, value, least, most, wrong, onPick }) => {
  const set = (/** @type {number} */ to) => onPick(Math.min(most, Math.max(least, to)));
  return html`<div class="number" role="group" aria-label=${label}>
    <span>${label}</span>
    <button type="button" disabled=${value <= least} aria-label=${t("tablet.open.fewer", { text: label })} onClick=${() => set(value - 1)}>−</button>
    <output id=${name} aria-live="polite">${value}</output>
    <button type="button" disabled=${value >= most} aria-label=${t("tablet.open.more_of", { text: label })} onClick=${() => set(value + 1)}>+</button>
    ${wrong && html`<p class="wrong">${wrong}</p>`}
  </div>`;
};

/** @param {{name: string, label: string, wrong?: string, [attribute: string]: unknown}} props */
const Line = ({ name, label, wrong, ...more }) => html`<p class="line">
  <label for=${name}>${label}</label>
  <input id=${name} ...${more} aria-describedby=${`wrong-${name}`} aria-invalid=${Boolean(wrong)} />
  <span id=${`wrong-${name}`} class="wrong">${wrong}</span>
</p>`;

/**
 * The terms of a table. `onPick` gets the changed values.
 * @param {{profiles: ProfileView[], form: TermsForm, wrong: Record<string, string>, onPick: (more: Partial<TermsForm>) => void}} props
 */
export const Terms = ({ profiles, form, wrong, onPick }) => {
  const { profile, players, match, deck } = form;
  const name = (/** @type {ProfileView} */ one) => [one.name, one.title].filter((words, at) => words && (at === 0 || words !== one.name)).join(" · ");
  return html`<div class="terms">
    <p class="line rules">
      <label for="profile">${t("tablet.open.rules")}</label>
      <select id="profile" value=${profile.id} onChange=${typing((id) => onPick({ profile: profiles.find((one) => one.id === id) }))}
        aria-describedby="wrong-profile">
        ${profiles.map((one) => html`<option key=${one.id} value=${one.id} disabled=${!one.players.includes(players)} selected=${one.id === profile.id}>${name(one)}</option>`)}
      </select>
      <span id="wrong-profile" class="wrong">${wrong.profile ?? wrong["profile.id"]}</span>
      <span class="links">
        <a href=${`${prefix}/reglas/${profile.id}`} target="_blank">${t("tablet.open.rules_read")}</a>
        ${profile.id !== "club" && html`<a href=${`${prefix}/reglas/club/y/${profile.id}`} target="_blank">${t("tablet.open.rules_difference")}</a>`}
      </span>
    </p>
    <${Choice} legend=${t("tablet.open.format")} name="format" values=${FORMATS} now=${match.match_format} said=${(/** @type {string} */ one) => t(`tablet.open.by_${one}`)}
      onPick=${(/** @type {MatchTerms["match_format"]} */ match_format) => onPick({ match: { ...match, match_format } })} />
    <div class="numbers">${MATCH[match.match_format].map(([option, least, most]) => html`<${Steps} key=${option} name=${option} label=${labelOf(option, match)} value=${match[option]}
      least=${least} most=${most} wrong=${wrong[`match.${option}`]} onPick=${(/** @type {number} */ value) => onPick({ match: { ...match, [option]: value } })} />`)}</div>
    ${profile.decks.length > 1 && html`<${Choice} legend=${t("tablet.open.deck")} name="deck" values=${profile.decks} now=${deck} said=${(/** @type {number} */ n) => t("tablet.open.cards", { n })}
      onPick=${(/** @type {number} */ deck) => onPick({ deck })} />`}
    <div class="where">
      <${Line} name="place" label=${t("tablet.open.place")} value=${form.place} maxlength=${LONGEST} autocomplete="off" wrong=${wrong.place} onInput=${typing((place) => onPick({ place }))} />
      <${Line} name="date" label=${t("tablet.open.date")} type="date" value=${form.date} wrong=${wrong.date} onInput=${typing((date) => onPick({ date }))} />
    </div>
  </div>`;
};
