// Types of ui.js, which `make vendor` puts together from docs/vendor/ui.js.
import type { VNode } from "preact";

export { Fragment, h, render } from "preact";
export { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
export { openDB } from "idb";

/** A tree of elements from a template. */
export const html: (strings: TemplateStringsArray, ...values: unknown[]) => VNode;
