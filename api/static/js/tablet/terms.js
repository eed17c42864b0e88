// What is agreed before the first deal: rules, how the encuentro is scored, deck, place and date.
import { html } from "../../vendor/ui.js";
import { lang, t } from "../words.js";

const MATCH = {
  cotos: [["camas_per_coto", 1, 8], ["cotos_to_win", 1, 3], ["partidas_per_cama", 1, 9]],
  fixed_partidas: [["fixed_partidas", 1, 99]],
};
const FORMATS = ["cotos", "fixed_partidas"];
const LONGEST = 80;

/** Today where the table stands. */
export const today = () => {
  const now = new Date();
  return new Date(now - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
};

/** The profile as the API wants it: as it is, or with what this table changes in the match. */
export const profileIn = (profile, match, date) => {
  const changed = Object.entries(match).filter(([name, value]) => profile.match[name] !== value);
  if (!changed.length) return { id: profile.id };
  return { id: profile.id, changes: Object.fromEntries(changed), as: { id: `${profile.id}-mesa`, edition: date || today() } };
};

const labelOf = (name, match) => t(`tablet.open.${name === "camas_per_coto" && match.partidas_per_cama === 1 ? "partidas_per_coto" : name}`);

/** How the match is scored, in a few words. */
export const matchWords = (match) => {
  if (match.match_format === "fixed_partidas") return t("tablet.open.to_partidas", { n: match.fixed_partidas });
  const facts = { cotos: match.cotos_to_win, n: match.camas_per_coto, m: match.partidas_per_cama };
  return t(match.partidas_per_cama === 1 ? "tablet.open.to_cotos" : "tablet.open.to_camas", facts);
};

/** Everything agreed in a line. */
export const termsWords = ({ profile, match, deck, place, date }) => {
  const day = date && new Date(`${date}T12:00`).toLocaleDateString(lang, { weekday: "short", day: "numeric", month: "short" });
  return [profile.id, matchWords(match), t("tablet.open.cards", { n: deck }), place, day].filter(Boolean).join(" · ");
};

/** A choice of a few. @param {{legend: string, name: string, values: any[], now: any, said: (value: any) => string, onPick: (value: any) => void}} given */
export const Choice = ({ legend, name, values, now, said, onPick }) => html`<fieldset class="pick">
  <legend>${legend}</legend>
  ${values.map((value) => html`<label><input type="radio" name=${name} checked=${value === now} onChange=${() => onPick(value)} /><span>${said(value)}</span></label>`)}
</fieldset>`;

const Steps = ({ name, label, value, least, most, wrong, onPick }) => {
  const set = (to) => onPick(Math.min(most, Math.max(least, to)));
  return html`<div class="number" role="group" aria-label=${label}>
    <span>${label}</span>
    <button type="button" disabled=${value <= least} aria-label=${t("tablet.open.fewer", { text: label })} onClick=${() => set(value - 1)}>−</button>
    <output id=${name} aria-live="polite">${value}</output>
    <button type="button" disabled=${value >= most} aria-label=${t("tablet.open.more_of", { text: label })} onClick=${() => set(value + 1)}>+</button>
    ${wrong && html`<p class="wrong">${wrong}</p>`}
  </div>`;
};

const Line = ({ name, label, wrong, ...more }) => html`<p class="line">
  <label for=${name}>${label}</label>
  <input id=${name} ...${more} aria-describedby=${`wrong-${name}`} aria-invalid=${Boolean(wrong)} />
  <span id=${`wrong-${name}`} class="wrong">${wrong}</span>
</p>`;

/** The terms of a table. `onPick` gets what is another now. */
export const Terms = ({ profiles, form, wrong, onPick }) => {
  const { profile, players, match, deck } = form;
  const name = (one) => [one.id, one.title || t("tablet.open.common")].join(" · ");
  return html`<div class="terms">
    <p class="line rules">
      <label for="profile">${t("tablet.open.rules")}</label>
      <select id="profile" value=${profile.id} onChange=${(event) => onPick({ profile: profiles.find(({ id }) => id === event.target.value) })}
        aria-describedby="wrong-profile">
        ${profiles.map((one) => html`<option key=${one.id} value=${one.id} disabled=${!one.players.includes(players)} selected=${one.id === profile.id}>${name(one)}</option>`)}
      </select>
      <span id="wrong-profile" class="wrong">${wrong.profile ?? wrong["profile.id"]}</span>
      <span class="links">
        <a href=${`/reglas/${profile.id}`} target="_blank">${t("tablet.open.rules_read")}</a>
        ${profile.id !== "club" && html`<a href=${`/reglas/club/y/${profile.id}`} target="_blank">${t("tablet.open.rules_difference")}</a>`}
      </span>
    </p>
    <${Choice} legend=${t("tablet.open.format")} name="format" values=${FORMATS} now=${match.match_format} said=${(one) => t(`tablet.open.by_${one}`)}
      onPick=${(match_format) => onPick({ match: { ...match, match_format } })} />
    <div class="numbers">${MATCH[match.match_format].map(([option, least, most]) => html`<${Steps} key=${option} name=${option} label=${labelOf(option, match)} value=${match[option]}
      least=${least} most=${most} wrong=${wrong[`match.${option}`]} onPick=${(value) => onPick({ match: { ...match, [option]: value } })} />`)}</div>
    ${profile.decks.length > 1 && html`<${Choice} legend=${t("tablet.open.deck")} name="deck" values=${profile.decks} now=${deck} said=${(n) => t("tablet.open.cards", { n })}
      onPick=${(deck) => onPick({ deck })} />`}
    <div class="where">
      <${Line} name="place" label=${t("tablet.open.place")} value=${form.place} maxlength=${LONGEST} autocomplete="off" wrong=${wrong.place} onInput=${(event) => onPick({ place: event.target.value })} />
      <${Line} name="date" label=${t("tablet.open.date")} type="date" value=${form.date} wrong=${wrong.date} onInput=${(event) => onPick({ date: event.target.value })} />
    </div>
  </div>`;
};
