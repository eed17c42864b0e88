// Scales a chosen picture in the browser, so that a small PNG is sent, and shows a chosen colour at once.
import { prefix } from "../html/prefix.js";

const KINDS = ["image/png", "image/jpeg", "image/webp"];
const SIDES = [192, 128, 96];
const LARGEST = 48 * 1024;

const file = /** @type {HTMLInputElement} */ (document.getElementById("logo"));
const canvas = /** @type {HTMLCanvasElement} */ (document.getElementById("scaled"));
const bad = /** @type {HTMLElement} */ (document.getElementById("bad"));
const colour = /** @type {HTMLInputElement} */ (document.getElementById("colour"));
const own = /** @type {HTMLInputElement} */ (document.getElementById("own"));
const preview = /** @type {HTMLLinkElement} */ (
  document.getElementById("preview") ?? document.createElement("link")
);
preview.rel = "stylesheet";

/** The picture in a square, as a PNG. @param {ImageBitmap} picture @param {number} side @returns {Promise<Blob | null>} */
const drawn = (picture, side) => {
  canvas.width = canvas.height = side;
  const scale = Math.min(side / picture.width, side / picture.height);
  const [width, height] = [picture.width * scale, picture.height * scale];
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.imageSmoothingQuality = "high";
  pen.drawImage(picture, (side - width) / 2, (side - height) / 2, width, height);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
};

/** The largest PNG of a picture that is small enough. @param {File} chosen */
const scaled = async (chosen) => {
  if (!KINDS.includes(chosen.type)) return null;
  const picture = await createImageBitmap(chosen).catch(() => null);
  if (!picture) return null;
  for (const side of SIDES) {
    const found = await drawn(picture, side);
    if (found && found.size <= LARGEST) return found;
  }
  return null;
};

file.addEventListener("change", async () => {
  const chosen = file.files?.[0];
  const found = chosen ? await scaled(chosen) : null;
  const sent = new DataTransfer();
  if (found) sent.items.add(new File([found], "logo.png", { type: "image/png" }));
  file.files = sent.files;
  canvas.hidden = !found;
  bad.hidden = Boolean(found) || !chosen;
});

const show = () => {
  preview.remove();
  if (!own.checked) return;
  preview.href = `${prefix}/marca/${colour.value.slice(1)}.css`;
  document.head.append(preview);
};
colour.addEventListener("input", () => {
  own.checked = true;
  show();
});
own.addEventListener("change", show);
