// Opening a table: who plays and where, under which terms; and then it is open.
import { html, useEffect, useState } from "../../vendor/ui.js";
import { ask } from "../outbox/asking.js";
import { t } from "../words.js";
import { DrawPanel } from "./draw.js";
import { Names, SEATS, Seats, isSame, recognised } from "./people.js";
import { carryOut, dropPlan, faultsOf, keptPlan, planFrom, planOf } from "./plan.js";
import { dropSeed } from "./seed.js";
import { Choice, Terms, profileIn, termsWords, today } from "./terms.js";

const USUAL = "guinote.opening";
const HOW_MANY = [4, 3, 2];

const usual = () => {
  try {
    return JSON.parse(localStorage.getItem(USUAL)) ?? {};
  } catch {
    return {};
  }
};

const keepUsual = ({ players, profile, match, deck, place }, encuentro) => {
  try {
    localStorage.setItem(USUAL, JSON.stringify({ players, profile: profile.id, match, deck, place, encuentro }));
  } catch {
    // a browser that keeps nothing asks again
  }
};

/** The form as it was the last time here, nobody seated. */
const begun = (profiles) => {
  const last = usual();
  const profile = profiles.find(({ id }) => id === last.profile) ?? profiles[0];
  const players = profile.players.includes(last.players) ? last.players : profile.players[0];
  const deck = profile.decks.includes(last.deck) ? last.deck : profile.decks[0];
  return { players, profile, match: { ...profile.match, ...last.match }, deck, place: last.place ?? "", date: today(), seats: {}, draw: null, dealer: "" };
};

/** What else changes with a choice: other rules have their own match and decks, other seats undo a draw. */
const chosen = (form, more, profiles) => {
  const next = { ...form, ...more };
  if (more.players && !next.profile.players.includes(more.players)) more = { ...more, profile: profiles.find(({ players }) => players.includes(more.players)) };
  if (more.profile) Object.assign(next, { profile: more.profile, match: more.profile.match, deck: more.profile.decks[0] });
  next.seats = Object.fromEntries(Object.entries(next.seats).filter(([seat]) => SEATS[next.players].includes(seat)));
  const undoes = more.players || more.profile || more.deck || more.seats;
  return undoes && !("draw" in more) ? { ...next, draw: null, dealer: "" } : next;
};

const seatsIn = (seats) => Object.fromEntries(Object.entries(seats).map(([seat, { name, person }]) => [seat, person ? { person } : { name }]));

const planned = (form, encuentro) => {
  const names = Object.values(form.seats).map(({ name }) => name).join(", ");
  const seats = seatsIn(form.seats);
  if (encuentro) return planFrom({ encuentro: encuentro.id, version: encuentro.version, seats: Object.keys(encuentro.seats).length ? null : seats, names });
  const { players, deck, place, date, draw } = form;
  const body = { profile: profileIn(form.profile, form.match, date), players, deck, ...(place.trim() ? { place: place.trim() } : {}), ...(date ? { date } : {}) };
  return planOf({ body, seats, draw, names });
};

/** Faults of the names of seats, by seat. */
const seatFaults = (wrong) => Object.fromEntries(Object.entries(wrong).filter(([name]) => name.startsWith("seats.")).map(([name, text]) => [name.slice("seats.".length), text]));

const known = new Set(["place", "date", "profile", "profile.id"]);
const elsewhere = (wrong) => Object.entries(wrong).filter(([name]) => !name.startsWith("seats.") && !name.startsWith("match.") && !known.has(name)).map(([, text]) => text);

/** Who sat at the table that was opened here last. */
const lastSeats = async () => {
  const { encuentro } = usual();
  const { outcome, content } = encuentro ? await ask(`/api/v1/encuentros/${encuentro}`) : {};
  if (outcome !== "answered" || !content.seats) return null;
  const seats = Object.fromEntries(Object.entries(content.seats).map(([seat, person]) => [seat, { person, name: content.names[person] }]));
  return Object.values(seats).every(({ name }) => name) ? { seats, players: content.players } : null;
};

/** A plan that was left half-way: carried on, or given up. */
const Left = ({ plan, onCarry, onDrop }) => html`<div class="note" role="status">
  <p>${t("tablet.open.left", { text: plan.names })}</p>
  <button type="button" onClick=${onCarry}>${t("tablet.open.carry_on")}</button> <button type="button" class="plain" onClick=${onDrop}>${t("tablet.open.drop")}</button>
</div>`;

const Form = ({ profiles, encuentro }) => {
  const [form, set] = useState(() => ({ ...begun(profiles), ...encuentro?.form }));
  const [seat, choose] = useState("");
  const [isDrawing, draw] = useState(false);
  const [said, say] = useState("");
  const [wrong, blame] = useState({});
  const [pending, wait] = useState(null);
  const [isBusy, busy] = useState(false);
  const [last, recall] = useState(null);
  const free = SEATS[form.players].filter((one) => !form.seats[one]);
  const change = (more) => set((now) => chosen(now, more, profiles));
  useEffect(() => {
    keptPlan().then((plan) => plan && wait({ plan, isLeft: true }));
    lastSeats().then(recall);
  }, []);

  const sit = (who) => {
    const taken = Object.entries(form.seats).find(([, one]) => isSame(one, who));
    if (taken) return say(t("tablet.open.sits_already", { text: who.name }));
    const place = seat || free[0];
    if (!place) return say(t("tablet.open.full"));
    change({ seats: { ...form.seats, [place]: who } });
    blame({});
    choose("");
    return say(t("tablet.open.sat", { text: who.name, seat: place }));
  };
  const swap = (one, other) => {
    const { [one]: first, [other]: second, ...rest } = form.seats;
    change({ seats: { ...rest, ...(second ? { [one]: second } : {}), ...(first ? { [other]: first } : {}) } });
    choose("");
    say([t("tablet.open.swapped", { text: `${one}, ${other}` }), form.draw ? t("tablet.open.draw_undone") : ""].join(" "));
  };
  const leave = (one) => {
    const { [one]: _, ...rest } = form.seats;
    change({ seats: rest });
    choose(one);
  };
  const drawn = (made, { dealer, ...outcome }) => {
    const byCandidate = Object.fromEntries(Object.values(form.seats).map((who) => [who.person ?? who.name, who]));
    const seats = made.purpose === "dealer" ? form.seats : Object.fromEntries(Object.entries(outcome).map(([place, one]) => [place, byCandidate[one]]));
    set({ ...form, seats, draw: made, dealer: made.purpose === "dealer" ? dealer : "A1" });
    draw(false);
  };
  const carry = async (plan) => {
    busy(true);
    blame({});
    const found = await carryOut(plan).catch(() => ({ outcome: "later", plan }));
    busy(false);
    if (found.encuentro) {
      keepUsual(form, found.encuentro);
      dropSeed();
      location.replace(`#/mesa/${found.encuentro}`);
    } else if (found.problem) {
      blame(faultsOf(found.problem));
      wait(found.plan.encuentro ? { plan: found.plan, isLeft: true } : null);
    } else wait({ plan: found.plan, outcome: found.outcome });
  };
  const open = async () => {
    if (free.length) return blame({ "": t("tablet.open.missing", { text: free.join(", ") }) });
    busy(true);
    return carry(planned({ ...form, seats: form.draw ? form.seats : await recognised(form.seats) }, encuentro));
  };
  const beginDraw = async () => {
    busy(true);
    change({ seats: await recognised(form.seats) });
    busy(false);
    draw(true);
  };
  const dropLeft = () => dropPlan().then(() => wait(null));
  if (pending?.isLeft && !isBusy) {
    return html`<${Left} plan=${pending.plan} onCarry=${() => carry(pending.plan)} onDrop=${dropLeft} />${elsewhere(wrong).map((text) => html`<p class="wrong" role="alert">${text}</p>`)}`;
  }
  const isLocked = Boolean(pending) || isBusy;
  return html`
    <fieldset class="all" disabled=${isLocked}>
      <legend class="hidden">${t("tablet.open.new")}</legend>
      <div class="sits">
        ${!encuentro && html`<${Choice} legend=${t("tablet.open.how_many")} name="players" values=${HOW_MANY} now=${form.players} said=${String} onPick=${(players) => change({ players })} />`}
        <${Seats} players=${form.players} direction=${form.profile.direction} seats=${form.seats} chosen=${seat} dealer=${form.dealer} wrong=${seatFaults(wrong)}
          onChoose=${choose} onSwap=${swap} onLeave=${leave} />
        <p class="help">${t(free.length ? "tablet.open.help_names" : "tablet.open.help_seats")}</p>
      </div>
      ${isDrawing
        ? html`<${DrawPanel} pack=${form.profile.pack} table=${{ profile: profileIn(form.profile, form.match, form.date) }} seats=${Object.fromEntries(SEATS[form.players].map((one) => [one, form.seats[one]]))}
            players=${form.players} deck=${form.deck} onDrawn=${drawn} onClose=${() => draw(false)} />`
        : html`<div class="who">
            ${free.length > 0 && html`<${Names} seated=${Object.values(form.seats)} onName=${sit} wrong=${wrong.name} />`}
            ${last && free.length === SEATS[form.players].length && html`<button type="button" class="plain same" onClick=${() => change(encuentro ? { seats: last.seats } : last)}>${t("tablet.open.same_again")} <span>${Object.values(last.seats).map(({ name }) => name).join(", ")}</span></button>`}
            ${!free.length && !encuentro && html`<button type="button" class="plain" onClick=${beginDraw}>${t(form.players === 4 ? "tablet.open.draw_partners" : "tablet.open.draw_dealer")}</button>`}
            ${form.draw && html`<p class="help">${t("tablet.open.drawn_by", { text: t(`tablet.open.${form.draw.method}`) })}${form.draw.seed && html` · ${t("tablet.open.from_seed")} <code>${form.draw.seed}</code>`}</p>`}
            ${!encuentro && html`<details open=${Object.keys(wrong).some((name) => known.has(name) || name.startsWith("match."))}><summary><span><b>${t("tablet.open.terms")}</b>${termsWords(form)}</span><span class="change">${t("tablet.open.change")}</span></summary>
              <${Terms} profiles=${profiles} form=${form} wrong=${wrong} onPick=${change} /></details>`}
          </div>`}
    </fieldset>
    <div class="open">
      <p class="hidden" role="status">${said}</p>
      ${elsewhere(wrong).map((text) => html`<p class="wrong" role="alert">${text}</p>`)}
      ${pending && !isBusy && html`<p class="note" role="alert">${t(pending.outcome === "signed_out" ? "tablet.open.must_sign_in" : "tablet.open.no_answer")} ${pending.outcome === "signed_out" && html`<a href="/entrar?next=/arbitro/">${t("tablet.open.sign_in")}</a>`}</p>`}
      <a class="button plain" href="#/">${t("tablet.open.back")}</a>
      <button type="button" class="main" disabled=${isBusy || isDrawing} onClick=${() => (pending ? carry(pending.plan) : open())}>${t(isBusy ? "tablet.open.opening" : pending ? "tablet.open.again" : "tablet.open.open")}</button>
    </div>`;
};

/** An encuentro that is open and not begun, as a form. */
const halfOpen = async (id) => {
  const { outcome, content } = await ask(`/api/v1/encuentros/${id}`);
  if (outcome !== "answered") return null;
  const seats = Object.fromEntries(Object.entries(content.seats).map(([seat, person]) => [seat, { person, name: content.names[person] ?? seat }]));
  return { ...content, form: { players: content.players, seats } };
};

/** A new table, or one that was left before it began. */
export const View = ({ id }) => {
  const [found, show] = useState(null);
  useEffect(() => {
    Promise.all([ask("/api/v1/profiles"), id ? halfOpen(id) : null]).then(([{ outcome, content }, encuentro]) => {
      const isThere = outcome === "answered" && (!id || encuentro);
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
