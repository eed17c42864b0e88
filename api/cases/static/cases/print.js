// The button that prints the page; without scripts a sentence stands in its place.
const button = /** @type {HTMLButtonElement | null} */ (document.querySelector("[data-print]"));
button?.removeAttribute("hidden");
button?.addEventListener("click", () => print());
