// Buttons that copy what is in a field; without a clipboard the field is selected, to be copied by hand.

/** Copies a field, and says so on the button. @type {(field: HTMLInputElement | HTMLTextAreaElement, button: HTMLButtonElement) => Promise<void>} */
export const copyField = async (field, button) => {
  field.select();
  await Object(navigator).clipboard?.writeText(field.value).catch(() => {});
  button.textContent = button.dataset.done ?? "";
};

for (const button of document.querySelectorAll("button")) {
  const field = /** @type {HTMLInputElement | HTMLTextAreaElement | null} */ (
    document.getElementById(button.dataset.copy ?? "")
  );
  if (!field) continue;
  button.hidden = false;
  button.addEventListener("click", () => copyField(field, button));
}
