// Players and seats. Known names are suggested; two players change seats by dragging or by two taps.
import { prefix } from "../../html/prefix.js";
import { html, useEffect, useRef, useState } from "../vendor/ui.js";
import { ask } from "../outbox/asking.js";
import { t } from "../../html/words.js";
import { typing } from "../input.js";

/** @typedef {{name: string, person?: string}} Who a new person by name, or a known person */
/** @typedef {{tile: HTMLElement, seat: string, x: number, y: number, isDragged: boolean}} Dragged */

/** @type {Record<number, string[]>} */
export const SEATS = { 2: ["A1", "B1"], 3: ["A1", "B1", "C1"], 4: ["A1", "B1", "A2", "B2"] };
const PERSONS = `${prefix}/api/v1/persons`;
const SHOWN = 12;
const LATER_MS = 200;
const PATIENCE_MS = 3_000;
const DRAG_PX = 8;
const LONGEST_NAME = 80;

/** A text for comparison: without case and accents. @type {(text: string) => string} */
export const foldedOf = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim().replace(/\s+/g, " ");

/** Whether two entries are the same person: by id if both have one, else by name. @type {(one: Who, other: Who) => boolean} */
export const isSame = (one, other) => one.person && other.person ? one.person === other.person : foldedOf(one.name) === foldedOf(other.name);

/** One person for each name: the one who played last. @type {(persons: Who[]) => Who[]} */
const eachOnce = (persons) => [...new Map([...persons].reverse().map((one) => [foldedOf(one.name), one])).values()].reverse();

/**
 * The person with this name in the service; null if there is none, or if the service does not answer in time.
 * @type {(name: string) => Promise<Who | null>}
 */
const lookUp = async (name) => {
  /** @type {Promise<{outcome: "later", content?: undefined}>} */
  const late = new Promise((done) => setTimeout(done, PATIENCE_MS, { outcome: "later" }));
  const { outcome, content } = await Promise.race([ask(`${PERSONS}?q=${encodeURIComponent(name)}`), late]);
  /** @type {Who[]} */
  const items = outcome === "answered" ? content.items : [];
  return items.find((one) => foldedOf(one.name) === foldedOf(name)) ?? null;
};

/**
 * The same seats, with the person of the service for each typed name that it knows.
 * @type {(seats: Record<string, Who>) => Promise<Record<string, Who>>}
 */
export const recognised = async (seats) => {
  const whole = async (/** @type {Who} */ who) => (who.person ? who : ((await lookUp(who.name)) ?? who));
  const each = Object.entries(seats).map(async ([seat, who]) => /** @type {const} */ ([seat, await whole(who)]));
  return Object.fromEntries(await Promise.all(each));
};

/** @type {(name: string, sought: string) => boolean} */
const beginsLike = (name, sought) => {
  const words = foldedOf(name).split(" ");
  return foldedOf(sought).split(" ").every((one) => words.some((word) => word.startsWith(one)));
};

/** Known persons: the latest at once, the others when a text is typed. @type {(typed: string) => Who[]} */
const useKnown = (typed) => {
  const [known, learn] = useState({ persons: /** @type {Who[]} */ ([]), isWhole: false });
  useEffect(() => {
    ask(`${PERSONS}?limit=200`).then(({ outcome, content }) => {
      if (outcome === "answered") learn({ persons: eachOnce(content.items), isWhole: !content.next });
    });
  }, []);
  useEffect(() => {
    if (known.isWhole || !typed.trim()) return undefined;
    const timer = setTimeout(async () => {
      const { outcome, content } = await ask(`${PERSONS}?q=${encodeURIComponent(typed.trim())}`);
      if (outcome === "answered") learn((now) => ({ ...now, persons: eachOnce([...now.persons, ...content.items]) }));
    }, LATER_MS);
    return () => clearTimeout(timer);
  }, [typed, known.isWhole]);
  return known.persons;
};

/** The field for a name, with the list of known persons below it. @param {{seated: Who[], onName: (who: Who) => void, wrong: string}} given */
export const Names = ({ seated, onName, wrong }) => {
  const [typed, type] = useState("");
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const persons = useKnown(typed);
  const sought = typed.trim();
  const free = persons.filter((one) => !seated.some((who) => isSame(who, one)));
  const fitting = free.filter((one) => !sought || beginsLike(one.name, sought)).slice(0, SHOWN);
  const exact = persons.find((one) => foldedOf(one.name) === foldedOf(sought));
  const take = (/** @type {Who} */ who) => {
    onName(who);
    if (typed) field.current?.focus();
    type("");
  };
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (sought) take(exact ?? { name: sought.replace(/\s+/g, " ") });
  };
  const step = (/** @type {KeyboardEvent} */ event) => {
    const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!way) return;
    const all = [field.current, ...(list.current?.querySelectorAll("button") ?? [])];
    const at = all.findIndex((one) => one === document.activeElement);
    all[at + way]?.focus();
    event.preventDefault();
  };
  return html`<form class="people" onSubmit=${submit} onKeyDown=${step}>
    <label for="name">${t("tablet.open.name")}</label>
    <div class="typed">
      <input id="name" ref=${field} value=${typed} onInput=${typing(type)} maxlength=${LONGEST_NAME}
        autocomplete="off" autocapitalize="words" spellcheck="false" enterkeyhint="next" aria-describedby="wrong-name" aria-invalid=${Boolean(wrong)} />
      <button disabled=${!sought}>${t("tablet.open.seat_this")}</button>
    </div>
    <p id="wrong-name" class="wrong">${wrong}</p>
    <ul class="known" ref=${list} aria-label=${t("tablet.open.known")}>
      ${fitting.map((one) => html`<li key=${one.person}><button type="button" onClick=${() => take(one)}>${one.name}</button></li>`)}
    </ul>
    <p class="hidden" role="status">${sought && t("tablet.open.known_found", { n: fitting.length })}</p>
  </form>`;
};

/**
 * Listeners for dragging a seat: when the pointer has moved far enough, the player is dragged to the seat under it.
 * @type {(onMove: (from: string, to: string) => void) => (seat: string, isTaken: boolean) => object}
 */
const useDragging = (onMove) => {
  const held = useRef(/** @type {Dragged | null} */ (null));
  const drop = (/** @type {PointerEvent} */ event) => {
    if (!held.current) return;
    const { tile, seat, isDragged } = held.current;
    held.current = null;
    tile.style.removeProperty("transform");
    tile.classList.remove("dragged");
    if (!isDragged || event.type !== "pointerup") return;
    tile.dataset.dropped = "true"; // the click event that follows is not a tap
    const under = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-place]")?.getAttribute("data-place");
    if (under && under !== seat) onMove(seat, under);
  };
  return (seat, isTaken) => ({
    onPointerDown: (/** @type {PointerEvent} */ event) => {
      if (!isTaken || event.button !== 0) return;
      const tile = /** @type {HTMLElement} */ (event.currentTarget);
      delete tile.dataset.dropped;
      tile.setPointerCapture(event.pointerId);
      held.current = { tile, seat, x: event.clientX, y: event.clientY, isDragged: false };
    },
    onPointerMove: (/** @type {PointerEvent} */ event) => {
      const one = held.current;
      if (!one) return;
      const [x, y] = [event.clientX - one.x, event.clientY - one.y];
      one.isDragged ||= Math.hypot(x, y) > DRAG_PX;
      if (!one.isDragged) return;
      one.tile.classList.add("dragged");
      one.tile.style.setProperty("transform", `translate(${x}px, ${y}px)`);
    },
    onPointerUp: drop,
    onPointerCancel: drop,
  });
};

/**
 * The table from above with its players. A tap selects a seat; a tap on a second seat swaps the two players.
 * @param {{players: number, direction: string, seats: Record<string, Who>, chosen: string, dealer: string, wrong: Record<string, string>,
 *   onChoose: (seat: string) => void, onSwap: (one: string, other: string) => void, onLeave: (seat: string) => void}} given
 */
export const Seats = ({ players, direction, seats, chosen, dealer, wrong, onChoose, onSwap, onLeave }) => {
  const drag = useDragging(onSwap);
  const tap = (/** @type {string} */ seat) => (/** @type {Event} */ event) => {
    const { dataset } = /** @type {HTMLElement} */ (event.currentTarget);
    if (dataset.dropped) return void delete dataset.dropped;
    if (chosen && chosen !== seat && (seats[chosen] || seats[seat])) onSwap(chosen, seat);
    else onChoose(chosen === seat ? "" : seat);
  };
  return html`<div class=${`round of${players} ${direction}`} role="group" aria-label=${t("tablet.open.seats")}>
    <div class="cloth" aria-hidden="true"></div>
    ${SEATS[players].map((seat) => {
      const who = seats[seat];
      const label = who ? t("tablet.open.taken", { seat, text: who.name }) : t("tablet.open.free", { seat });
      return html`<div key=${seat} class=${`place ${seat} ${seat[0]}`} data-place=${seat}>
        <button type="button" class=${`stool${who ? "" : " free"}`} aria-pressed=${chosen === seat} aria-label=${label} aria-describedby=${`wrong-${seat}`}
          onClick=${tap(seat)} ...${drag(seat, Boolean(who))}>
          <span class="of">${seat}</span> <span class="name">${who?.name ?? t("tablet.open.nobody")}</span>
          ${dealer === seat && html`<span class="tag live">${t("tablet.open.deals")}</span>`}
        </button>
        ${who && html`<button type="button" class="leave" aria-label=${t("tablet.open.leave", { text: who.name })} onClick=${() => onLeave(seat)}>×</button>`}
        <p id=${`wrong-${seat}`} class="wrong">${wrong[seat] ?? ""}</p>
      </div>`;
    })}
  </div>`;
};
