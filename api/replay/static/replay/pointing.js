// The link that opens a case about the act of the moment, beside the list of acts.
const link = /** @type {HTMLAnchorElement | null} */ (document.querySelector(".open-case a"));

/** @type {(line: string) => void} */
const pointAt = (line) => {
  if (!link) return;
  const address = new URL(link.href);
  address.searchParams.set("lineas", line);
  link.href = address.href;
  if (link.parentElement) link.parentElement.hidden = !Number(line);
};

document.querySelector("#replay .felt")?.addEventListener("click", (event) => {
  const line = /** @type {Element} */ (event.target).closest(".trick li")?.getAttribute("data-line");
  const act = line && document.querySelector(`#replay .acts [data-line="${line}"]`);
  if (act instanceof HTMLElement) act.click();
});
if (link?.parentElement) document.querySelector("#replay .aside")?.append(link.parentElement);
pointAt(document.querySelector("#replay .acts [aria-current]")?.getAttribute("data-line") ?? "0");
document.addEventListener("moment", (event) => pointAt(String(/** @type {CustomEvent} */ (event).detail.line)));
