// Question to the arbiter about a renuncio that everybody saw, where the rules punish it without a denunciation.
import { html, useEffect, useState } from "../vendor/ui.js";
import { t } from "../../html/words.js";
import { Findings } from "./findings.js";
import { readingOf } from "../table/game.js";
import { asked as askService } from "../service.js";
/** @import { Game, Reading } from "../table/game.js" */
/** @import { AskedRenuncio } from "../rules/queries/view.js" */
/** @import { Context } from "../table/table.js" */

/** Whether the service asks about a line. @type {(said: {asked?: AskedRenuncio[]}, line: number) => boolean} */
const isAsked = ({ asked = [] }, line) => asked.some((one) => one.line === line);

/**
 * Renuncios to ask about, without those that, by the service, a slip of the recorder would explain.
 * @type {(id: string, reading: Reading) => AskedRenuncio[]}
 */
const useAsked = (id, { number, view }) => {
  const [explained, keep] = useState(/** @type {number[]} */ ([]));
  const lines = view.asked.map(({ line }) => line).join(" ");
  useEffect(() => {
    if (!lines) return undefined;
    const gone = new AbortController();
    askService(id, number, "", { signal: gone.signal })
      .then((said) => keep(said ? lines.split(" ").map(Number).filter((line) => !isAsked(said, line)) : []))
      .catch(() => {});
    return () => gone.abort();
  }, [id, number, lines]);
  return view.asked.filter(({ line }) => !explained.includes(line));
};

/** Notice of the earliest renuncio without an answer. @param {Pick<Context, "id" | "game" | "say" | "open">} props */
export const AskedNotice = ({ id, game, say, open }) => {
  const [first] = useAsked(id, game.now);
  if (!first) return null;
  const { line, seat, trick } = first;
  return html`<p class="asked" role="alert"><span>${t("tablet.asked.found", { seat: say.seat(seat), n: trick })}</span>
    <button class="main" onClick=${() => open("asked", { number: game.now.number, line })}>${t("tablet.asked.look")}</button></p>`;
};

/** The sheet of that renuncio: its proof, and the answers. @param {Context} props */
export const AskedSheet = ({ id, game, sheet: { number = 0, line = 0 }, say, record }) => {
  const { renuncio_penalty: penalty } = /** @type {Game} */ (game).options;
  const rule = (/** @type {"renuncio" | "annul_act"} */ effect) =>
    record({ kind: "ruling", effect, line, text: t(`tablet.asked.${effect}_text`) });
  return html`
    <${Findings} ...${{ id, say, line }} reading=${readingOf(game, number)} onLine=${null} />
    <p>${t(`tablet.accused.costs.${penalty}`)}</p>
    <div class="choice">
      <button class="main" onClick=${() => rule("renuncio")}>${t("tablet.asked.renuncio")}</button>
      <button class="option" onClick=${() => rule("annul_act")}>${t("tablet.asked.annul_act")}</button>
    </div>`;
};
