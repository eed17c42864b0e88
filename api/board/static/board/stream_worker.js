// The stream of events of all pages of a browser, in a worker that they share.
import { ViewsStream } from "./views_stream.js";

const stream = new ViewsStream();

globalThis.addEventListener("connect", (event) => {
  const [port] = /** @type {MessageEvent} */ (event).ports;
  port.onmessage = ({ data: view }) => stream.hear(port, view, (message) => port.postMessage(message));
});
