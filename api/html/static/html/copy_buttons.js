// Buttons that copy what is in a field; without a clipboard the field is selected, to be copied by hand.

for (const button of document.querySelectorAll("button")) {
  const field = /** @type {HTMLInputElement | HTMLTextAreaElement | null} */ (
    document.getElementById(button.dataset.copy ?? "")
  );
  if (!field) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    field.select();
    await navigator.clipboard?.writeText(field.value).catch(() => {});
    button.textContent = button.dataset.done ?? "";
  });
}
