// Text of a field, from its events.

/** Text of the field in which an event happened. @param {Event} event */
export const textIn = (event) => /** @type {HTMLInputElement} */ (event.target).value;

/** A listener that calls `then` with the text of its field. @param {(text: string) => void} then */
export const typing = (then) => (/** @type {Event} */ event) => then(textIn(event));
