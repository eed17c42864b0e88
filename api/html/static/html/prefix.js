// What stands before every address of the house, such as "/guinote"; usually nothing. A page says it, a worker has it in its own address.
const { document: page, location: place } = globalThis;
export const prefix = (page ? page.documentElement.dataset.prefix : place?.pathname.split("/static/")[0]) ?? "";

/** Name of what a browser keeps for a whole host: a house below another prefix has another. @type {(name: string) => string} */
export const ours = (name) => (prefix ? `${prefix} ${name}` : name);
