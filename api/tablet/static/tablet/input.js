// What somebody typed, from the event that tells of it.

/** Text of the field of an event. @param {Event} event */
export const textIn = (event) => /** @type {HTMLInputElement} */ (event.target).value;

/** A listener that hands on the text of its field. @param {(text: string) => void} then */
export const typing = (then) => (/** @type {Event} */ event) => then(textIn(event));
