"""Answers of the rules at random positions, to test the rules in the browser."""

from __future__ import annotations

import json
import random
import zlib
from dataclasses import replace
from typing import Any

import msgspec

from projections.scores.partidas import partida_view
from referee.aggregates.partida import Partida, dealer_due_next_partida, fold
from referee.rules.cards import BIT, DECKS, SUITS, TOKENS, cards_in, index_of_winning_card, mask_of
from referee.rules.duties import lawful_plays, position_before_play, rule_of_narrowing_duty
from referee.rules.evidence.sights import Swapped
from referee.rules.profile.options import EARLIER_LAW, LAW, Options, option_values
from referee.rules.profile.options import options_from_values as read_options
from referee.rules.profile.values import SPECS, plain_value
from referee.rules.seats import SEATS, order_from
from referee.table.accusations import renuncios_to_ask
from referee.table.draws import deal_after_implied_draws
from referee.table.state import Deal
from tests.support.records.dealt_out import TABLES, Player, opened
from tests.support.records.playing import Crowd, options_of

OF_DUTIES = ("sota_caballo", "beat_partner", "trump_partner", "beat_after_trumped", "overtrump")
OF_DUTIES += ("undertrump",)
OF_THE_TABLE = (
    *OF_DUTIES,
    *("misdeal", "swap", "swap_by", "swap_window", "swap_needs_trick", "swap_only_for_value"),
    *("swap_last_draw", "two_for_seven", "cante_window", "cante_before_swap", "cante_needs_trick"),
    *("cantes_per_player", "cantes_per_side", "cante_in_arrastre", "cante_20_shown", "tute"),
    *("both_reach_target", "min_malas", "min_malas_applies", "cantes_need_min_malas", "claim_in"),
    *("claim_by", "unclaimed_at_end", "tricks_viewable_in_vueltas", "next_dealer"),
    *("min_malas_of", "vueltas_end", "renuncio_costs"),
    *("renuncio_cases", "renuncio_penalty", "renuncio_until", "false_accusation"),
)
NOT_OF_THE_TABLE = ("encuentro", "number", "version", "profile_hash", "packets")


def frozen_values(options: Options) -> dict[str, Any]:
    """Options as an encuentro freezes them."""
    return {name: plain_value(value) for name, value in option_values(options).items()}


def changed(options: Options, chance: random.Random, names: tuple[str, ...], most: int) -> Options:
    """The same with some options at another value."""
    for name in chance.sample(names, chance.randint(0, most)):
        spec = SPECS[name]
        value: Any = chance.choice([True, False])
        if spec.kind == "choice":
            value = chance.choice(spec.choices)
        if spec.kind == "number":
            value = chance.choice([spec.low, spec.high, 30 if spec.high >= 30 else spec.low])
        if spec.kind == "set":
            value = tuple(one for one in spec.choices if chance.random() < 0.7)
        options = replace(options, **{name: value})
    return read_options(frozen_values(replace(options, law=chance.choice([EARLIER_LAW, LAW, LAW]))))


def duties(chance: random.Random, many: int) -> list[dict[str, Any]]:
    """Tables with their options, each with positions: hand, trick, and what may be laid."""
    return [_duties_of(chance, options_of(chance.choice(TABLES))) for _ in range(many // 50)]


def _duties_of(chance: random.Random, options: Options) -> dict[str, Any]:
    options = changed(options, chance, OF_DUTIES, 4)
    positions = []
    for _ in range(50):
        cards = cards_in(DECKS[options.deck])
        chance.shuffle(cards)
        leader, trump = chance.choice(SEATS[options.players]), chance.randrange(len(SUITS))
        order = order_from(leader, options.players)
        plays = [(seat, cards.pop()) for seat in order[: chance.randrange(options.players)]]
        seat = order[len(plays)]
        hand = mask_of(cards[: chance.randint(1, 10)])
        position = position_before_play(plays, seat, trump, options)
        may = hand if position is None else lawful_plays(position, hand)
        rule = "lead" if position is None else rule_of_narrowing_duty(position, hand) or "free"
        positions.append(
            {
                "trump": SUITS[trump],
                "hand": [TOKENS[card] for card in cards_in(hand)],
                "trick": [{"seat": seat, "card": TOKENS[card]} for seat, card in plays],
                "lawful": [TOKENS[card] for card in cards_in(may)],
                "duty": str(rule),
            }
        )
    return {"options": frozen_values(options), "positions": positions}


# --- histories -------------------------------------------------------------------------------


def partida_played(seed: int) -> tuple[Options, list[Any]]:
    """A partida played out, observed or open, perhaps with breaches."""
    chance = random.Random(seed)
    options = changed(options_of(TABLES[seed % len(TABLES)]), chance, OF_THE_TABLE, 4)
    player = Player(options, seed, observed=chance.random() < 0.7)
    player.breaches_left = chance.choice([0, 1, 3])
    return options, list(player.partida())


def state_of_play(seed: int) -> Partida:
    """Log of a partida played out."""
    options, acts = partida_played(seed)
    return fold(acts, fold([opened(options)]))


def state_of_crowd(seed: int, acts: int = 90) -> Partida:
    """Log of a crowd at a table, with its amendments."""
    options = changed(options_of(TABLES[seed % len(TABLES)]), random.Random(seed), OF_THE_TABLE, 4)
    crowd = Crowd(options, seed)
    for _ in range(acts):
        crowd.tries(crowd.command())
    return crowd.state


def log_of(state: Partida) -> dict[str, Any]:
    """A log as the browser reads it, and who deals the next partida."""
    assert state.opened is not None
    return {
        "setting": {"options": state.opened.options, "dealer_due": state.opened.dealer_due},
        "log": [{"line": r.line, "act": msgspec.to_builtins(r.act)} for r in state.log],
        "next_dealer": dealer_due_next_partida(state),
    }


def history(state: Partida) -> dict[str, Any]:
    """A log as the browser reads it, with the digest of the view after each line."""
    lines = []
    part = fold([state.opened])
    for recorded in state.log:
        part = fold([recorded.act], part)
        part = msgspec.structs.replace(part, stated=part.conclusions_from_acts)
        lines.append({"digest": digest(view(part))})
    return {**log_of(state), "lines": lines}


def view(state: Partida) -> dict[str, Any]:
    """Expected view of the browser: the official view, and further data for pages."""
    found = {
        name: v
        for name, v in msgspec.to_builtins(partida_view(state)).items()
        if name not in NOT_OF_THE_TABLE
    }
    table = state.table
    found["asked"] = [
        {"line": one.line, "seat": one.seat, "rule": one.rule.value, "trick": one.trick}
        for one in renuncios_to_ask(table)
    ]
    for deal, seen in zip(table.all_deals, found["deals"], strict=True):
        seen["order"] = list(deal.seats_from_mano)
        seen["seen"] = [TOKENS[card] for card in cards_in(gone(deal))]
        cards = [play.card for play in deal.laid]
        best = index_of_winning_card(cards, deal.trump, table.options.sota_caballo) if cards else 0
        seen["winning"] = deal.laid[best].seat if cards else None
        seen["phase"] = phase_of(deal)
        seen["to_draw"] = list(deal.gap.to_draw)
        seen["swaps"] = [
            {
                "line": s.line,
                "seat": deal.seats[s.seat],
                "gave": TOKENS[s.gave],
                "took": TOKENS[s.took],
            }
            for s in deal.sights
            if isinstance(s, Swapped)
        ]
    found["claim"] = table.claim and {"line": table.claim.line, "seat": table.claim.seat}
    return found


def phase_of(deal: Deal) -> str:
    """Phase of a deal."""
    if deal.is_played_out:
        return "over"
    if deal.trump < 0:
        return "pinta"
    return "stock" if deal.stock else "arrastre"


def gone(deal: Deal) -> int:
    """Cards that nobody can lay."""
    now = deal if deal.laid else deal_after_implied_draws(deal)
    pinta = BIT[now.pinta] if now.lies and now.pinta >= 0 else 0
    return now.played | pinta | mask_of(now.stock_cards)


def digest(value: Any) -> int:
    """Checksum of a value, whatever the order of its keys."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return zlib.crc32(text.encode())
