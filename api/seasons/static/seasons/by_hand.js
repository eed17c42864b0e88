// Tables by hand: a tap on a name and a tap on its place, the same with the keyboard, or the name is dragged.
import { t } from "../html/words.js";

const FAR = 8;
/**
 * @typedef {{id: string, name: string, number: HTMLSelectElement, side: HTMLSelectElement}} Unit a person or a pair, and its two fields
 */

/** @type {(form: HTMLFormElement) => Unit[]} */
const unitsOf = (form) =>
  [...form.querySelectorAll("[data-unit]")].map((label) => {
    const id = label.getAttribute("data-unit") ?? "";
    const field = (/** @type {string} */ name) => /** @type {HTMLSelectElement} */ (form.elements.namedItem(`${name}-${id}`));
    return { id, name: label.textContent ?? "", number: field("table"), side: field("side") };
  });

/** @type {(form: HTMLFormElement, board: Element) => void} */
const begin = (form, board) => {
  const units = unitsOf(form);
  const [first, tables, room] = ["first", "tables", "room"].map((name) => Number(form.getAttribute(`data-${name}`)));
  const sides = (form.getAttribute("data-sides") ?? "").split(" ");
  let chosen = "";

  /** Those at a side of a table. @type {(number: number, side: string) => Unit[]} */
  const at = (number, side) => units.filter((one) => one.number.value === String(number) && one.side.value === side);

  /** @type {(unit: Unit, number: string, side: string) => void} */
  const put = (unit, number, side) => {
    unit.number.value = number;
    unit.side.value = side;
  };

  /** Somebody takes a place, or leaves it; the next step has the focus. @type {(id: string, number: number, side: string) => void} */
  const sit = (id, number, side) => {
    const unit = units.find((one) => one.id === id);
    if (!unit || at(number, side).length >= room) return;
    put(unit, String(number), side);
    chosen = "";
    draw(".pool button");
  };

  /** @type {(id: string) => void} */
  const choose = (id) => {
    chosen = chosen === id ? "" : id;
    draw(chosen ? ".seat:not(.full)" : `[data-id="${id}"]`);
  };

  /** @type {(number: number, side: string, place: number) => HTMLElement} */
  const seat = (number, side, place) => {
    const unit = at(number, side)[place];
    const button = document.createElement("button");
    button.type = "button";
    button.className = unit ? "seat full" : "seat";
    button.dataset.seat = `${number} ${side}`;
    button.textContent = unit?.name ?? t("evening.free");
    button.setAttribute("aria-label", t("evening.place", { n: number, side, names: unit?.name ?? t("evening.free") }));
    button.addEventListener("click", () => {
      if (unit) {
        put(unit, "", "");
        draw(`[data-id="${unit.id}"]`);
      } else if (chosen) sit(chosen, number, side);
    });
    return button;
  };

  /** A name is dragged to a place. @type {(button: HTMLElement, id: string) => void} */
  const follow = (button, id) => {
    button.addEventListener("pointerdown", (down) => {
      const move = (/** @type {PointerEvent} */ event) => {
        const [x, y] = [event.clientX - down.clientX, event.clientY - down.clientY];
        if (Math.hypot(x, y) < FAR && !button.classList.contains("dragged")) return;
        button.classList.add("dragged");
        button.style.transform = `translate(${x}px, ${y}px)`;
      };
      const end = (/** @type {PointerEvent} */ event) => {
        removeEventListener("pointermove", move);
        const isDragged = button.classList.contains("dragged");
        const under = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-seat]");
        button.classList.remove("dragged");
        button.style.transform = "";
        if (!isDragged || event.type === "pointercancel") return;
        button.addEventListener("click", (click) => click.stopImmediatePropagation(), { once: true, capture: true });
        const [number, side] = (under?.getAttribute("data-seat") ?? "").split(" ");
        if (side) sit(id, Number(number), side);
      };
      addEventListener("pointermove", move);
      addEventListener("pointerup", end, { once: true });
      addEventListener("pointercancel", end, { once: true });
    });
  };

  /** @type {(unit: Unit) => HTMLElement} */
  const name = ({ id, name }) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "name";
    button.dataset.id = id;
    button.textContent = name;
    button.setAttribute("aria-pressed", String(chosen === id));
    follow(button, id);
    button.addEventListener("click", () => choose(id));
    return button;
  };

  /** @type {(number: number) => HTMLElement} */
  const table = (number) => {
    const box = document.createElement("div");
    const title = document.createElement("h4");
    title.textContent = t("evening.table_n", { n: number });
    const seats = sides.flatMap((side) => [...Array(room).keys()].map((place) => seat(number, side, place)));
    box.append(title, ...seats);
    return box;
  };

  /** @type {(focus?: string) => void} */
  const draw = (focus = "") => {
    const [pool, seats] = [document.createElement("div"), document.createElement("div")];
    pool.className = "pool";
    pool.setAttribute("role", "group");
    pool.setAttribute("aria-label", t("evening.pool"));
    seats.className = "seats";
    pool.append(...units.filter((one) => !one.number.value).map(name));
    seats.append(...[...Array(tables).keys()].map((place) => table(first + place)));
    board.replaceChildren(pool, seats);
    const next = focus ? board.querySelector(focus) : null;
    if (next instanceof HTMLElement) next.focus({ preventScroll: true });
  };

  draw();
};

for (const form of document.querySelectorAll("form[data-by-hand]")) {
  const board = form.querySelector("[data-board]");
  if (!(form instanceof HTMLFormElement) || !board) continue;
  form.querySelector("[data-selects]")?.setAttribute("hidden", "");
  form.querySelector("[data-help]")?.removeAttribute("hidden");
  begin(form, board);
}
