// Parts of the page of the service that a downloaded file lacks: the form, and link and QR code of the moment.

const form = /** @type {HTMLFormElement | null} */ (document.getElementById("wishes"));
form?.addEventListener("change", () => form.submit());

const link = /** @type {HTMLInputElement | null} */ (document.getElementById("link"));
const code = /** @type {HTMLImageElement | null} */ (document.getElementById("code"));
const share = /** @type {HTMLDetailsElement | null} */ (document.getElementById("share"));

const showAddress = () => {
  if (!share?.open || !link || !code) return;
  link.value = location.href;
  code.src = `${code.dataset.src}${location.search}`;
};

share?.addEventListener("toggle", showAddress);
document.addEventListener("moment", (event) => {
  const kept = /** @type {HTMLInputElement | null} */ (form?.elements.namedItem("linea") ?? null);
  if (kept) kept.value = String(/** @type {CustomEvent} */ (event).detail.line);
  showAddress();
});
link?.addEventListener("focus", () => link.select());
document.getElementById("print")?.addEventListener("click", () => print());
