// Puts the fragment of the address (after the #) into the field of the page that expects it. A fragment is not sent to the
// server and is in no log.

const field = /** @type {HTMLInputElement | null} */ (document.querySelector("[data-fragment]"));
const brought = decodeURIComponent(location.hash.slice(1));
if (field && brought) {
  field.value = brought;
  history.replaceState(null, "", location.pathname + location.search);
}
