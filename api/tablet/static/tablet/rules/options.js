/**
 * Options of a table by name, from its frozen profile. `referee/rules/profile/options.py` explains each.
 * @typedef {object} Options
 * @property {2 | 3 | 4} players
 * @property {40 | 48} deck
 * @property {"one_dos_out" | "leftover_on_table"} three_deck
 * @property {"spanish" | "french_queen_sota" | "french_queen_caballo"} pack
 * @property {"anticlockwise" | "clockwise"} direction
 * @property {"sota_over_caballo" | "caballo_over_sota"} sota_caballo
 * @property {6 | 10 | 13} hand_size
 * @property {"3+3" | "one_by_one"} deal_packets
 * @property {"first_stock_card" | "dealers_last_card" | "leftover_card"} pinta_from
 * @property {number} cut_min
 * @property {"redeal" | "redeal_then_pass"} misdeal
 * @property {"stock_empty" | "first_trick"} duties_from
 * @property {boolean} beat_partner
 * @property {boolean} trump_partner
 * @property {boolean} beat_after_trumped
 * @property {boolean} overtrump
 * @property {"free" | "forced"} undertrump
 * @property {boolean} swap
 * @property {"qualifying_side" | "leader"} swap_by
 * @property {"before_draw" | "before_lead" | "before_rival_card" | "before_next_trick_closes"} swap_window
 * @property {"last_trick" | "any_trick" | "none"} swap_needs_trick
 * @property {boolean} swap_only_for_value
 * @property {"normal" | "not_with_partner"} swap_last_draw
 * @property {boolean} two_for_seven
 * @property {"before_draw" | "before_lead" | "before_rival_card"} cante_window
 * @property {boolean} cante_before_swap
 * @property {"last_trick" | "any_trick"} cante_needs_trick
 * @property {number} cantes_per_player
 * @property {number} cantes_per_side
 * @property {boolean} cante_in_arrastre
 * @property {"always" | "not_in_arrastre" | "suit_named" | "suit_on_request_in_arrastre"} cante_20_shown
 * @property {"free" | "never"} [cante_40_shown]
 * @property {boolean} tute
 * @property {number} last_trick_points
 * @property {number} target
 * @property {"last_trick" | "highest_total"} both_reach_target
 * @property {number} min_malas
 * @property {"cards_and_ultimas" | "cards"} [min_malas_of]
 * @property {"always" | "both_over_target"} min_malas_applies
 * @property {boolean} cantes_need_min_malas
 * @property {"vueltas" | "any_deal"} claim_in
 * @property {"claim" | "at_target"} [vueltas_end]
 * @property {"any_player" | "trick_winner" | "trick_winner_side"} claim_by
 * @property {"latest_trick" | "another_deal"} unclaimed_at_end
 * @property {"first_and_last" | "none"} tricks_viewable_in_vueltas
 * @property {"last_trick_winner"} vueltas_dealer
 * @property {"last_trick_winner" | "next_in_order"} next_dealer
 * @property {readonly ("follow" | "beat" | "trump" | "out_of_turn_in_arrastre" | "talk")[]} renuncio_cases
 * @property {"lose_partida" | "lose_match" | "replay_deal"} renuncio_penalty
 * @property {"when_denounced" | "when_proved"} [renuncio_costs]
 * @property {"next_trick" | "end_of_deal" | "end_of_partida"} renuncio_until
 * @property {"none" | "warning" | "lose_partida"} false_accusation
 * @property {"annul" | "annul_and_warn" | "lose_partida"} false_cante
 * @property {"reverse" | "reverse_and_warn" | "lose_partida"} wrong_swap
 * @property {"cotos" | "fixed_partidas"} match_format
 * @property {number} partidas_per_cama
 * @property {number} camas_per_coto
 * @property {number} cotos_to_win
 * @property {number} fixed_partidas
 */

/**
 * Whether a profile is from before edition 2026-2. A cante then keeps its points when the cards disprove it or when it had to
 * be shown and was not. What the cards prove is the same under every edition.
 * @type {(options: Options) => boolean}
 */
export const isOfEarlierLaw = (options) => options.vueltas_end === undefined;
