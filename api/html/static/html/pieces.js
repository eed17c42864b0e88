// Sends a file in pieces, since a request has a bound; a piece that was lost is sent again.
const MOST_TRIES = 5;
const TRIED_AGAIN_MS = 1_000;

/** @typedef {{there?: number, page?: string, wrong?: string}} Uploaded */
/** What became of a piece; null if nobody answered. @typedef {(id: string, at: number, piece: Blob) => Promise<Uploaded | null>} SendPiece */

/** What became of a file, by its id; null if nobody answers any more. @type {(file: File, most: number, send: SendPiece, progress: HTMLProgressElement) => Promise<(Uploaded & {id: string}) | null>} */
export const sendInPieces = async (file, most, send, progress) => {
  const id = [...crypto.getRandomValues(new Uint8Array(8))].map((one) => one.toString(16).padStart(2, "0")).join("");
  let at = 0;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const became = await send(id, at, file.slice(at, at + most));
    if (became?.page || became?.wrong || became?.there === file.size) return { ...became, id };
    if (became?.there !== undefined && became.there !== at) {
      at = became.there;
      progress.value = at / file.size;
      tries = -1;
    } else await new Promise((resolve) => setTimeout(resolve, TRIED_AGAIN_MS));
  }
  return null;
};
