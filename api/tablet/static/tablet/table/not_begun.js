// A table that is open and whose first partida is not begun: who sits where, who deals, and the buttons to begin.
import { html } from "../vendor/ui.js";
import { t } from "../../html/words.js";
import { Next } from "./decided.js";
import { Felt } from "./felt.js";
import { Score } from "./score.js";
/** @import { Game } from "./game.js" */
/** @import { Say } from "../wording.js" */

/** @param {{game: Game, say: Say, begin: (sheet?: string) => void}} props */
export const NotBegun = ({ game, say, begin }) => html`
  <section class=${`table empty sides-${game.options.players === 3 ? 3 : 2}`} aria-label=${t("tablet.title")}>
    <h1 class="hidden">${game.seats.map(say.seat).join(", ")}</h1>
    <${Score} ...${{ game, say }} />
    <${Felt} ...${{ game, say }} deal=${null} turn=${null} dealer=${game.first_dealer} chosen="" replaced=${0} marks=${new Set()}
      shown=${{ plays: [], winning: null, closed: false }} onPlay=${() => {}} />
    <div class="decided">
      ${game.first_dealer && html`<p>${t("tablet.table.deals_first", { seat: say.seat(game.first_dealer) })}</p>`}
      <${Next} ...${{ begin }} word="first_partida" />
    </div>
  </section>`;
