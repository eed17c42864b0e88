// Loaded with `node --import`: the modules of the pages are found as the service serves them.
// "/static/tablet/main.js" lies in api/tablet/static/tablet/main.js, and so does "../tablet/main.js" of another room, also below a prefix.
// What a module with "?load=2" imports has that too: a page that is loaded again has all modules anew.
import { existsSync } from "node:fs";
import { register } from "node:module";
import { pathToFileURL } from "node:url";

const API = new URL("../../../api/", import.meta.url);
const SERVED = /(?:^(?:\/[a-z0-9-]+)?|\/api\/[^/]+)\/static\/(([^/]+)\/.*)$/;
const ASKED = /^(?:\/[a-z0-9-]+)?\/static\/|^\.{1,2}\//;

/** Address of the file behind an address as a page has it. */
export const resolve = (specifier, context, next) => {
  const from = context.parentURL ?? pathToFileURL(`${process.cwd()}/`).href;
  const { search } = new URL(specifier, from).search ? new URL(specifier, from) : new URL(from);
  const isServed = ASKED.test(specifier);
  const asked = isServed ? new URL(specifier, from).pathname : "";
  const [, path, room] = SERVED.exec(asked) ?? [];
  const file = path && new URL(`${room}/static/${path}`, API);
  return file && existsSync(file) ? { url: `${file.href}${search}`, format: "module", shortCircuit: true } : next(specifier, context);
};

if (!process.env.GUINOTE_STATICS) {
  process.env.GUINOTE_STATICS = "registered"; // this file is its own hook, which is loaded once more in its thread
  register(import.meta.url);
}
