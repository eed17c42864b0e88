// Random idempotency keys.

/** 32 random hexadecimal digits. `crypto.randomUUID` does not exist on plain http. @type {() => string} */
export const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
