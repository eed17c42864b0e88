// Opening a table: players, seats and terms.
import { ours, prefix } from "../../html/prefix.js";
import { html, useEffect, useState } from "../vendor/ui.js";
import { ask } from "../outbox/asking.js";
import { t } from "../../html/words.js";
import { DrawPanel } from "./draw.js";
import { Names, SEATS, Seats, isSame, recognised } from "./people.js";
import { carryOut, dropPlan, faultsOf, keptPlan, planFrom, planOf } from "./plan.js";
import { dropSeed } from "./seed.js";
import { personsOf, playingNow } from "./tables.js";
import { Choice, Terms, profileIn, termsWords, today } from "./terms.js";

const USUAL = ours("guinote.opening");
const HOW_MANY = [4, 3, 2];

/**
 * @import { EncuentroView } from "../outbox/store.js"
 * @import { MadeDraw, Plan, SeatedPeople } from "./plan.js"
 * @import { Who } from "./people.js"
 * @import { MatchTerms, ProfileView, TermsForm } from "./terms.js"
 *
 * @typedef {TermsForm & {seats: Record<string, Who>, draw: MadeDraw | null, dealer: string}} OpeningForm
 * @typedef {EncuentroView & {form: {players: 2 | 3 | 4, seats: Record<string, Who>}}} HalfOpen
 * @typedef {{plan: Plan, isLeft?: boolean, outcome?: string}} PendingPlan a plan that was not finished, or is not answered yet
 * @typedef {Record<string, string>} FieldErrors errors by field
 * @typedef {{players: number, profile: string, match: MatchTerms, deck: number, place: string, encuentro: string}} UsualTerms
 */

/** @type {() => Partial<UsualTerms>} */
const usual = () => {
  try {
    return JSON.parse(localStorage.getItem(USUAL) ?? "null") ?? {};
  } catch {
    return {};
  }
};

/** @type {(form: OpeningForm, encuentro: string) => void} */
const keepUsual = ({ players, profile, match, deck, place }, encuentro) => {
  try {
    localStorage.setItem(USUAL, JSON.stringify({ players, profile: profile.id, match, deck, place, encuentro }));
  } catch {
    // the browser has no storage: the form starts empty the next time
  }
};

/** The value used last if it is among these, else the first of them. @template T @param {T[]} those @param {unknown} last @returns {T} */
const usualOf = (those, last) => those.find((one) => one === last) ?? those[0];

/** The form with the values used last in this browser, and no players. @type {(profiles: ProfileView[]) => OpeningForm} */
const begun = (profiles) => {
  const last = usual();
  const profile = profiles.find(({ id }) => id === last.profile) ?? profiles[0];
  const players = usualOf(profile.players, last.players);
  const deck = usualOf(profile.decks, last.deck);
  return { players, profile, match: { ...profile.match, ...last.match }, deck, place: last.place ?? "", date: today(), seats: {}, draw: null, dealer: "" };
};

/**
 * The form after a change, with its consequences: another profile brings its match and decks, other seats cancel the draw.
 * @type {(form: OpeningForm, more: Partial<OpeningForm>, profiles: ProfileView[]) => OpeningForm}
 */
const chosen = (form, asked, profiles) => {
  const next = { ...form, ...asked };
  const { players } = asked;
  const isOther = players && !next.profile.players.includes(players);
  const profile = isOther ? profiles.find((one) => one.players.includes(players)) : asked.profile;
  if (profile) Object.assign(next, { profile, match: profile.match, deck: profile.decks[0] });
  next.seats = Object.fromEntries(Object.entries(next.seats).filter(([seat]) => SEATS[next.players].includes(seat)));
  const undoes = players || profile || asked.deck || asked.seats;
  return undoes && !("draw" in asked) ? { ...next, draw: null, dealer: "" } : next;
};

/** @type {(seats: Record<string, Who>) => SeatedPeople} */
const seatsIn = (seats) => Object.fromEntries(Object.entries(seats).map(([seat, { name, person }]) => [seat, person ? { person } : { name }]));

/** @type {(form: OpeningForm, encuentro: HalfOpen | null) => Plan} */
const planned = (form, encuentro) => {
  const names = Object.values(form.seats).map(({ name }) => name).join(", ");
  const seats = seatsIn(form.seats);
  if (encuentro) return planFrom({ encuentro: encuentro.id, version: encuentro.version, seats: Object.keys(encuentro.seats).length ? null : seats, names });
  const { players, deck, place, date, draw } = form;
  const body = { profile: profileIn(form.profile, form.match, date), players, deck, ...(place.trim() ? { place: place.trim() } : {}), ...(date ? { date } : {}) };
  return planOf({ body, seats, draw, names });
};

/** Errors of the names, by seat. @type {(wrong: FieldErrors) => FieldErrors} */
const seatFaults = (wrong) => Object.fromEntries(Object.entries(wrong).filter(([name]) => name.startsWith("seats.")).map(([name, text]) => [name.slice("seats.".length), text]));

const OF_TERMS = ["place", "date", "profile", "profile.id"];
const isOfTerms = (/** @type {string} */ name) => OF_TERMS.includes(name) || name.startsWith("match.");

/** Errors that no field shows. @param {{wrong: FieldErrors}} props */
const Elsewhere = ({ wrong }) =>
  Object.entries(wrong)
    .filter(([name]) => !name.startsWith("seats.") && !isOfTerms(name))
    .map(([, text]) => html`<p class="wrong" role="alert">${text}</p>`);

/** Players and seats of the table that was opened last in this browser. @type {() => Promise<{seats: Record<string, Who>, players: 2 | 3 | 4} | null>} */
const lastSeats = async () => {
  const { encuentro } = usual();
  const found = encuentro ? await ask(`${prefix}/api/v1/encuentros/${encuentro}`) : null;
  if (found?.outcome !== "answered" || !found.content.seats) return null;
  const { seats, names, players } = /** @type {EncuentroView} */ (found.content);
  const sat = Object.fromEntries(Object.entries(seats).map(([seat, person]) => [seat, { person, name: names[person] }]));
  return Object.values(sat).every(({ name }) => name) ? { seats: sat, players } : null;
};

/**
 * Notice of an unfinished plan, which can be continued or dropped.
 * @param {{plan: Plan, wrong: FieldErrors, onCarry: () => void, onDrop: () => void}} props
 */
const UnfinishedPlan = ({ plan, wrong, onCarry, onDrop }) => html`<div class="note" role="status">
  <p>${t("tablet.open.left", { text: plan.names })}</p>
  <button type="button" onClick=${onCarry}>${t("tablet.open.carry_on")}</button> <button type="button" class="plain" onClick=${onDrop}>${t("tablet.open.drop")}</button>
</div><${Elsewhere} wrong=${wrong} />`;

/**
 * The form and the functions that change it. `said` is announced by screen readers, `seat` is the selected seat.
 * @param {ProfileView[]} profiles @param {HalfOpen | null} encuentro
 */
const useForm = (profiles, encuentro) => {
  const [form, set] = useState(() => ({ ...begun(profiles), ...encuentro?.form }));
  const [seat, choose] = useState("");
  const [said, say] = useState("");
  const free = SEATS[form.players].filter((one) => !form.seats[one]);
  const change = (/** @type {Partial<OpeningForm>} */ more) => set((now) => chosen(now, more, profiles));

  /** Gives a player a free seat; false if there is none. @param {Who} who */
  const sit = (who) => {
    const taken = Object.entries(form.seats).find(([, one]) => isSame(one, who));
    const place = seat || free[0];
    if (taken || !place) {
      say(taken ? t("tablet.open.sits_already", { text: who.name }) : t("tablet.open.full"));
      return false;
    }
    change({ seats: { ...form.seats, [place]: who } });
    choose("");
    say(t("tablet.open.sat", { text: who.name, seat: place }));
    return true;
  };
  /** @param {string} one @param {string} other */
  const swap = (one, other) => {
    const { [one]: first, [other]: second, ...rest } = form.seats;
    change({ seats: { ...rest, ...(second ? { [one]: second } : {}), ...(first ? { [other]: first } : {}) } });
    choose("");
    say([t("tablet.open.swapped", { text: `${one}, ${other}` }), form.draw ? t("tablet.open.draw_undone") : ""].join(" "));
  };
  /** @param {string} one */
  const leave = (one) => {
    const { [one]: _, ...rest } = form.seats;
    change({ seats: rest });
    choose(one);
  };
  /** @param {MadeDraw} made @param {Record<string, string>} outcome */
  const drawn = (made, { dealer, ...outcome }) => {
    const isDealer = made.purpose === "dealer";
    const byCandidate = Object.fromEntries(Object.values(form.seats).map((who) => [who.person ?? who.name, who]));
    const seats = isDealer ? form.seats : Object.fromEntries(Object.entries(outcome).map(([place, one]) => [place, byCandidate[one]]));
    set({ ...form, seats, draw: made, dealer: isDealer ? dealer : "A1" });
  };
  return { form, seat, said, free, change, choose, sit, swap, leave, drawn };
};

/**
 * Runs plans: the one that waits for an answer, the errors, and whether a request is running.
 * @param {OpeningForm} form @param {HalfOpen | null} encuentro
 */
const usePlans = (form, encuentro) => {
  const [wrong, blame] = useState(/** @type {FieldErrors} */ ({}));
  const [pending, wait] = useState(/** @type {PendingPlan | null} */ (null));
  const [isBusy, busy] = useState(false);
  const [playing, meet] = useState({ address: "", persons: "" });
  useEffect(() => {
    keptPlan().then((plan) => plan && wait({ plan, isLeft: true }));
  }, []);

  const carry = async (/** @type {Plan} */ plan) => {
    busy(true);
    blame({});
    /** @type {Awaited<ReturnType<typeof carryOut>>} */
    const found = await carryOut(plan).catch(() => ({ outcome: "later", plan }));
    busy(false);
    if ("encuentro" in found) {
      keepUsual(form, found.encuentro);
      dropSeed();
      location.replace(`#/mesa/${found.encuentro}`);
    } else if (found.problem) {
      blame(faultsOf(found.problem));
      wait(found.plan.encuentro ? { plan: found.plan, isLeft: true } : null);
    } else wait({ plan: found.plan, outcome: found.outcome });
  };
  const open = async (/** @type {string[]} */ free) => {
    if (free.length) return blame({ "": t("tablet.open.missing", { text: free.join(", ") }) });
    busy(true);
    const seats = form.draw ? form.seats : await recognised(form.seats);
    const persons = personsOf(seats);
    const other = encuentro || persons === playing.persons ? "" : await playingNow(persons, form.date);
    if (!other) return carry(planned({ ...form, seats }, encuentro));
    meet({ address: other, persons });
    return busy(false);
  };
  const drop = () => dropPlan().then(() => wait(null));
  return { wrong, blame, pending, playing: playing.address, isBusy, busy, carry, open, drop };
};

/**
 * The parts of the form: names, seats, draw and terms.
 * @param {{profiles: ProfileView[], encuentro: HalfOpen | null, desk: ReturnType<typeof useForm>,
 *   plans: ReturnType<typeof usePlans>, last: Awaited<ReturnType<typeof lastSeats>>, onDraw: () => void}} props
 */
const Candidates = ({ profiles, encuentro, desk, plans, last, onDraw }) => {
  const { form, free, change, sit } = desk;
  const { wrong, blame } = plans;
  const onName = (/** @type {Who} */ who) => sit(who) && blame({});
  const { draw } = form;
  return html`<div class="who">
    ${free.length > 0 && html`<${Names} seated=${Object.values(form.seats)} onName=${onName} wrong=${wrong.name} />`}
    ${last && free.length === SEATS[form.players].length && html`<button type="button" class="plain same" onClick=${() => change(encuentro ? { seats: last.seats } : last)}>${t("tablet.open.same_again")} <span>${Object.values(last.seats).map(({ name }) => name).join(", ")}</span></button>`}
    ${!free.length && !encuentro && html`<button type="button" class="plain" onClick=${onDraw}>${t(form.players === 4 ? "tablet.open.draw_partners" : "tablet.open.draw_dealer")}</button>`}
    ${draw && html`<p class="help">${t("tablet.open.drawn_by", { text: t(`tablet.open.${draw.method}`) })}${draw.seed && html` · ${t("tablet.open.from_seed")} <code>${draw.seed}</code>`}</p>`}
    ${!encuentro && html`<details open=${Object.keys(wrong).some(isOfTerms)}><summary><span><b>${t("tablet.open.terms")}</b>${termsWords(form)}</span><span class="change">${t("tablet.open.change")}</span></summary>
      <${Terms} profiles=${profiles} form=${form} wrong=${wrong} onPick=${change} /></details>`}
  </div>`;
};

/** The error of the last try, and the button that opens the table. @param {{desk: ReturnType<typeof useForm>, plans: ReturnType<typeof usePlans>, isDrawing: boolean}} props */
const Foot = ({ desk, plans, isDrawing }) => {
  const { wrong, pending, playing, isBusy, carry, open } = plans;
  const isOut = pending?.outcome === "signed_out";
  const word = isBusy ? "opening" : pending ? "again" : playing ? "open_another" : "open";
  return html`<div class="open">
    <p class="hidden" role="status">${desk.said}</p>
    <${Elsewhere} wrong=${wrong} />
    ${playing && !pending && html`<p class="note" role="alert">${t("tablet.open.playing")} <a class="button" href=${playing}>${t("tablet.open.go_there")}</a></p>`}
    ${pending && !isBusy && html`<p class="note" role="alert">${t(isOut ? "tablet.open.must_sign_in" : "tablet.open.no_answer")} ${isOut && html`<a href=${`${prefix}/entrar?next=${prefix}/arbitro/`}>${t("tablet.open.sign_in")}</a>`}</p>`}
    <a class="button plain" href="#/">${t("tablet.open.back")}</a>
    <button type="button" class="main" disabled=${isBusy || isDrawing} onClick=${() => (pending ? carry(pending.plan) : open(desk.free))}>${t(`tablet.open.${word}`)}</button>
  </div>`;
};

/** @param {{profiles: ProfileView[], encuentro: HalfOpen | null}} props */
const Form = ({ profiles, encuentro }) => {
  const desk = useForm(profiles, encuentro);
  const { form, seat, free, change } = desk;
  const plans = usePlans(form, encuentro);
  const { wrong, pending, isBusy, busy } = plans;
  const [isDrawing, draw] = useState(false);
  const [last, recall] = useState(/** @type {Awaited<ReturnType<typeof lastSeats>>} */ (null));
  useEffect(() => {
    lastSeats().then(recall);
  }, []);
  const beginDraw = async () => {
    busy(true);
    change({ seats: await recognised(form.seats) });
    busy(false);
    draw(true);
  };
  const onDrawn = (/** @type {MadeDraw} */ made, /** @type {Record<string, string>} */ outcome) => {
    desk.drawn(made, outcome);
    draw(false);
  };
  if (pending?.isLeft && !isBusy) {
    return html`<${UnfinishedPlan} plan=${pending.plan} wrong=${wrong} onCarry=${() => plans.carry(pending.plan)} onDrop=${plans.drop} />`;
  }
  return html`
    <fieldset class=${isDrawing ? "all drawing" : "all"} disabled=${Boolean(pending) || isBusy}>
      <legend class="hidden">${t("tablet.open.new")}</legend>
      <div class="sits">
        ${!encuentro && html`<${Choice} legend=${t("tablet.open.how_many")} name="players" values=${HOW_MANY} now=${form.players} said=${String} onPick=${(/** @type {2 | 3 | 4} */ players) => change({ players })} />`}
        <${Seats} players=${form.players} direction=${form.profile.direction} seats=${form.seats} chosen=${seat} dealer=${form.dealer} wrong=${seatFaults(wrong)}
          onChoose=${desk.choose} onSwap=${desk.swap} onLeave=${desk.leave} />
        <p class="help">${t(free.length ? "tablet.open.help_names" : "tablet.open.help_seats")}</p>
      </div>
      ${isDrawing
        ? html`<${DrawPanel} pack=${form.profile.pack} table=${{ profile: profileIn(form.profile, form.match, form.date) }} seats=${Object.fromEntries(SEATS[form.players].map((one) => [one, form.seats[one]]))}
            players=${form.players} deck=${form.deck} onDrawn=${onDrawn} onClose=${() => draw(false)} />`
        : html`<${Candidates} ...${{ profiles, encuentro, desk, plans, last }} onDraw=${beginDraw} />`}
    </fieldset>
    <${Foot} ...${{ desk, plans, isDrawing }} />`;
};

/** An encuentro that is open and not begun, with its values for the form. @type {(id: string) => Promise<HalfOpen | null>} */
const halfOpen = async (id) => {
  const { outcome, content } = await ask(`${prefix}/api/v1/encuentros/${id}`);
  if (outcome !== "answered") return null;
  const view = /** @type {EncuentroView} */ (content);
  const seats = Object.fromEntries(Object.entries(view.seats).map(([seat, person]) => [seat, { person, name: view.names[person] ?? t("grammar.nameless") }]));
  return { ...view, form: { players: view.players, seats } };
};

/** The view for a new table, or for one that was opened and not begun. @param {{id: string}} props */
export const View = ({ id }) => {
  const [found, show] = useState(/** @type {{profiles: ProfileView[], encuentro: HalfOpen | null, isThere: boolean} | null} */ (null));
  useEffect(() => {
    Promise.all([ask(`${prefix}/api/v1/profiles`), id ? halfOpen(id) : null]).then(([{ outcome, content }, encuentro]) => {
      const isThere = outcome === "answered" && (!id || encuentro !== null);
      show({ profiles: isThere ? content.items : [], encuentro, isThere });
    });
  }, [id]);
  return html`<div class="opening">
    <h1>${t("tablet.open.new")}</h1>
    ${!found && html`<p role="status">${t("tablet.loading")}</p>`}
    ${found && !found.isThere && html`<p class="note" role="alert">${t("tablet.open.no_network")}</p>`}
    ${found?.isThere && html`<${Form} profiles=${found.profiles} encuentro=${found.encuentro} />`}
  </div>`;
};
