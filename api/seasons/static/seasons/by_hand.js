// Tables by hand: a tap on a name and a tap on its place, the same with the keyboard, or the name is dragged.
import { t } from "../html/words.js";

const FAR = 8;
/**
 * @typedef {{id: string, name: string, number: HTMLSelectElement, side: HTMLSelectElement}} Unit a person or a pair, and its two fields
 * @typedef {{board: Element, units: Unit[], first: number, tables: number, room: number, sides: string[], chosen: string}} Hand
 *   `room`: how many sit at a side; `chosen`: id of the name that was tapped
 */

/** @type {(form: HTMLFormElement) => Unit[]} */
const unitsOf = (form) =>
  [...form.querySelectorAll("[data-unit]")].map((label) => {
    const id = label.getAttribute("data-unit") ?? "";
    const field = (/** @type {string} */ name) => /** @type {HTMLSelectElement} */ (form.elements.namedItem(`${name}-${id}`));
    return { id, name: label.textContent ?? "", number: field("table"), side: field("side") };
  });

/** Those at a side of a table. @type {(hand: Hand, number: number, side: string) => Unit[]} */
const at = ({ units }, number, side) => units.filter((one) => one.number.value === String(number) && one.side.value === side);

/** @type {(unit: Unit, number: string, side: string) => void} */
const put = (unit, number, side) => {
  unit.number.value = number;
  unit.side.value = side;
};

/** Somebody takes a place; the next name has the focus. @type {(hand: Hand, id: string, place: string) => void} */
const sit = (hand, id, place) => {
  const [number, side] = place.split(" ");
  const unit = hand.units.find((one) => one.id === id);
  if (!unit || !side || at(hand, Number(number), side).length >= hand.room) return;
  put(unit, number, side);
  hand.chosen = "";
  draw(hand, ".pool button");
};

/** @type {(hand: Hand, id: string) => void} */
const choose = (hand, id) => {
  hand.chosen = hand.chosen === id ? "" : id;
  draw(hand, hand.chosen ? ".seat:not(.full)" : `[data-id="${id}"]`);
};

/** @type {(className: string, text: string) => HTMLButtonElement} */
const buttonOf = (className, text) => {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className, textContent: text });
  return button;
};

/** @type {(hand: Hand, number: number, side: string, place: number) => HTMLElement} */
const seat = (hand, number, side, place) => {
  const unit = at(hand, number, side)[place];
  const said = unit?.name ?? t("evening.free");
  const button = buttonOf(unit ? "seat full" : "seat", said);
  button.dataset.seat = `${number} ${side}`;
  const isAlone = hand.board.closest("[data-alone]") !== null;
  button.setAttribute("aria-label", t(isAlone ? "evening.place_alone" : "evening.place", { n: number, side, names: said }));
  button.addEventListener("click", () => {
    if (!unit) return sit(hand, hand.chosen, `${number} ${side}`);
    put(unit, "", "");
    return draw(hand, `[data-id="${unit.id}"]`);
  });
  return button;
};

/** The place under a finger. @type {(event: PointerEvent) => string} */
const under = ({ clientX, clientY }) => document.elementFromPoint(clientX, clientY)?.closest("[data-seat]")?.getAttribute("data-seat") ?? "";

/** A name is dragged to a place. @type {(hand: Hand, button: HTMLElement, down: PointerEvent) => void} */
const follow = (hand, button, down) => {
  const move = (/** @type {PointerEvent} */ event) => {
    const [x, y] = [event.clientX - down.clientX, event.clientY - down.clientY];
    if (Math.hypot(x, y) >= FAR) button.classList.add("dragged");
    if (button.classList.contains("dragged")) button.style.transform = `translate(${x}px, ${y}px)`;
  };
  const end = (/** @type {PointerEvent} */ event) => {
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", end);
    removeEventListener("pointercancel", end);
    const isDragged = button.classList.contains("dragged");
    const place = under(event);
    button.classList.remove("dragged");
    button.style.transform = "";
    if (!isDragged || event.type === "pointercancel") return;
    hand.chosen = "";
    sit(hand, button.dataset.id ?? "", place);
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
};

/** @type {(hand: Hand, unit: Unit) => HTMLElement} */
const name = (hand, { id, name: said }) => {
  const button = buttonOf("name", said);
  button.dataset.id = id;
  button.setAttribute("aria-pressed", String(hand.chosen === id));
  button.addEventListener("pointerdown", (down) => follow(hand, button, down));
  button.addEventListener("click", () => choose(hand, id));
  return button;
};

/** @type {(hand: Hand, number: number) => HTMLElement} */
const table = (hand, number) => {
  const box = document.createElement("div");
  const title = document.createElement("h4");
  title.textContent = t("evening.table_n", { n: number });
  const places = [...Array(hand.room).keys()];
  box.append(title, ...hand.sides.flatMap((side) => places.map((place) => seat(hand, number, side, place))));
  return box;
};

/** @type {(hand: Hand, focus?: string) => void} */
const draw = (hand, focus = "") => {
  const [pool, seats] = [document.createElement("div"), document.createElement("div")];
  pool.className = "pool";
  pool.setAttribute("role", "group");
  pool.setAttribute("aria-label", t("evening.pool"));
  seats.className = "seats";
  pool.append(...hand.units.filter((one) => !one.number.value).map((one) => name(hand, one)));
  seats.append(...[...Array(hand.tables).keys()].map((place) => table(hand, hand.first + place)));
  hand.board.replaceChildren(pool, seats);
  const next = focus ? hand.board.querySelector(focus) : null;
  if (next instanceof HTMLElement) next.focus({ preventScroll: true });
};

for (const form of document.querySelectorAll("form[data-by-hand]")) {
  const board = form.querySelector("[data-board]");
  if (!(form instanceof HTMLFormElement) || !board) continue;
  form.querySelector("[data-selects]")?.setAttribute("hidden", "");
  form.querySelector("[data-help]")?.removeAttribute("hidden");
  const [first, tables, room] = ["first", "tables", "room"].map((one) => Number(form.getAttribute(`data-${one}`)));
  const sides = (form.getAttribute("data-sides") ?? "").split(" ");
  draw({ board, units: unitsOf(form), first, tables, room, sides, chosen: "" });
}
