// Buttons that share what is in a field, as the telephone does; else it is copied or selected.
import { copyField } from "./copy_buttons.js";

for (const button of document.querySelectorAll("button")) {
  const name = button.dataset.share;
  if (!name) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const field = document.getElementById(name); // a live page puts another one in its place
    if (!(field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement)) return;
    if ("share" in navigator) await navigator.share({ text: field.value }).catch(() => {});
    else await copyField(field, button);
  });
}
