// Who is here: names are found while they are typed, those of last time are ticked by one tap, and tables are counted.
import { t } from "../html/words.js";

/** Text without accents and capitals. @type {(text: string) => string} */
const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** @type {(n: number, one: string, many: string) => string} */
const amount = (n, one, many) => (n === 1 ? t(`evening.${one}`) : t(`evening.${many}`, { n }));

/** Shows only those whose words begin like what is sought. @type {(who: Element, sought: string) => void} */
const find = (who, sought) => {
  const parts = folded(sought).split(/\s+/).filter(Boolean);
  for (const chip of who.querySelectorAll("label.chip")) {
    const words = folded(chip.getAttribute("data-name") ?? "").split(/\s+/);
    const fits = parts.every((part) => words.some((word) => word.startsWith(part)));
    const box = chip.querySelector("input");
    chip.toggleAttribute("hidden", !fits && !box?.checked);
  }
  if (parts.length) for (const more of who.querySelectorAll("details")) more.open = true;
};

/** Persons or pairs that are ticked or typed. @type {(form: HTMLFormElement, of: string) => number} */
const countOf = (form, of) => {
  const field = of === "pairs" ? "pair" : "person";
  const ticked = form.querySelectorAll(`input[name="${field}"]:checked`).length;
  const lines = form.querySelector(`textarea[name="names-${of}"]`);
  const typed = lines instanceof HTMLTextAreaElement ? lines.value.split("\n").filter((line) => line.trim()).length : 0;
  return ticked + typed;
};

/** What was pasted is seen whole, if it is no long list. @type {(form: HTMLFormElement) => void} */
const grow = (form) => {
  for (const lines of form.querySelectorAll("textarea[data-lines]")) {
    if (lines instanceof HTMLTextAreaElement) lines.rows = Math.min(Math.max(3, lines.value.split("\n").length + 1), 16);
  }
};

/** @type {(form: HTMLFormElement) => void} */
const count = (form) => {
  const chosen = form.querySelector('input[name="of"]:checked');
  for (const shown of form.querySelectorAll("[data-count]")) {
    const of = shown.getAttribute("data-count") ?? "persons";
    const each = Number(shown.getAttribute("data-at"));
    const n = countOf(form, of);
    const tables = Math.floor(n / each);
    const here = of === "pairs" ? amount(n, "pair", "pairs") : amount(n, "person", "persons");
    const parts = tables
      ? [here, amount(tables, "table", "tables"), ...(n % each ? [amount(n % each, "rest", "rests")] : [])]
      : [here, amount(each - n, "lack", "lacks")];
    const text = parts.join(" · ");
    if (shown.textContent !== text) shown.textContent = text;
    const isAsked = !(chosen instanceof HTMLInputElement) || chosen.value === of;
    const draw = form.querySelector('button[value="draw"]');
    if (isAsked && draw instanceof HTMLButtonElement) draw.disabled = tables === 0;
  }
};

for (const form of document.querySelectorAll("form[data-attendance]")) {
  if (!(form instanceof HTMLFormElement)) continue;
  form.classList.add("is-live");
  for (const field of form.querySelectorAll('input[type="search"]')) {
    if (!(field instanceof HTMLInputElement)) continue;
    field.addEventListener("input", () => find(field.closest(".who") ?? form, field.value));
    field.addEventListener("keydown", (event) => event.key === "Enter" && event.preventDefault());
  }
  for (const button of form.querySelectorAll("[data-same]")) {
    button.addEventListener("click", (event) => {
      event.preventDefault();
      const last = new Set((button.getAttribute("data-same") ?? "").split(" "));
      for (const box of form.querySelectorAll('.chip input[type="checkbox"]')) {
        if (box instanceof HTMLInputElement && last.has(box.value)) box.checked = true;
      }
      count(form);
    });
  }
  form.addEventListener("input", () => count(form));
  form.addEventListener("input", () => grow(form));
  form.addEventListener("change", () => count(form));
  count(form);
  grow(form);
}
