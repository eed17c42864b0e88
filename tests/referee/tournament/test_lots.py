"""The draw of a tournament: commitment, verification, detection of altered fields."""

from __future__ import annotations

import json
import stat
from contextlib import chdir
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from api.cli.main import main
from referee.aggregates.tournament.lots import (
    Lots,
    LotsCommitment,
    RevealedLots,
    commitment_of_lots,
    lots_differences,
    reveal_lots,
)
from referee.errors import Refused

SEED = "0123456789abcdef"
SIX = ("Ana y Blas", "Celia y Diego", "Elsa y Fran", "Gil e Inés", "Julia y Karim", "Luz y Marta")


def lots(kind: str = "knock_out", **more) -> Lots:
    return Lots("Torneo de San Blas", kind, more.pop("pairs", SIX), **more)


def drawn(asked: Lots, word: str = "") -> dict:
    return msgspec.to_builtins(reveal_lots(commitment_of_lots(asked, SEED), SEED, word))


def read(made: dict):
    return msgspec.convert(made, RevealedLots)


def refused(act, *given) -> tuple[str, dict]:
    with pytest.raises(Refused) as error:
        act(*given)
    return error.value.rule, dict(error.value.facts)


def test_the_draw_is_the_same_on_every_machine():
    """The figures come from an independent implementation of the page."""
    made = drawn(lots(seeded_count=2, word_from="the first number of the raffle"), "4711")
    hashed = "7a83c49778cc9e062486fe7291f5017ed78283831e66591585daa0f91dc33c81"
    assert made["commitment"] == hashed
    drawn_behind = ("Julia y Karim", "Gil e Inés", "Luz y Marta", "Elsa y Fran")
    assert made["outcome"]["order"] == (*SIX[:2], *drawn_behind)


def test_seeded_pairs_keep_their_places_and_have_the_byes():
    made = drawn(lots(seeded_count=2))
    assert made["outcome"]["order"][:2] == SIX[:2]
    assert sorted(made["outcome"]["order"]) == sorted(SIX)
    byes = [one for one in made["outcome"]["ties"] if "" in one]
    assert byes == [(SIX[0], ""), (SIX[1], "")]


def test_groups_are_filled_in_alternating_direction():
    groups = drawn(lots("groups", seeded_count=6, groups=2))["outcome"]["groups"]
    assert groups == ((SIX[0], SIX[3], SIX[4]), (SIX[1], SIX[2], SIX[5]))


def changed(value: object) -> object:
    """Another value of the same form."""
    match value:
        case str():
            return value[::-1] if value[::-1] != value else value + "x"
        case int():
            return value + 1
        case tuple() | list() if not value:
            return [SIX[:2]]
        case _:
            return list(value)[::-1]


def paths(made: dict, of: tuple[str, ...] = ()):
    for name, value in made.items():
        if isinstance(value, dict):
            yield from paths(value, (*of, name))
        else:
            yield (*of, name)


@pytest.mark.parametrize(
    ("asked", "word"),
    [
        (lots(seeded_count=2), ""),
        (lots("groups", seeded_count=1, groups=2, word_from="the raffle"), "4711"),
        (lots("order", pairs=SIX[:2]), ""),
    ],
)
def test_whatever_field_is_altered_is_found(asked, word):
    made = drawn(asked, word)
    assert not lots_differences(read(made))
    found = []
    for path in paths(made):
        altered = json.loads(json.dumps(made))
        inside = altered
        for name in path[:-1]:
            inside = inside[name]
        inside[path[-1]] = changed(inside[path[-1]])
        try:
            assert lots_differences(read(altered)), path
        except (msgspec.ValidationError, Refused):
            pass  # no draw at all: reported as such
        found.append(path)
    assert len(found) == 14


def test_a_draw_made_again_has_another_commitment_than_the_published_one():
    hung = commitment_of_lots(lots(), SEED).commitment
    forged = read(
        msgspec.to_builtins(reveal_lots(commitment_of_lots(lots(), SEED[::-1]), SEED[::-1]))
    )
    assert not lots_differences(forged)
    assert [one.field for one in lots_differences(forged, hung)] == ["published"]


def test_a_draw_that_cannot_be_made_says_why():
    assert refused(commitment_of_lots, lots(pairs=(*SIX, SIX[0])), SEED) == (
        "pair-twice",
        {"pair": SIX[0]},
    )
    assert refused(commitment_of_lots, lots(pairs=(*SIX, "")), SEED) == (
        "pair-unnamed",
        {"index": 6},
    )
    assert refused(commitment_of_lots, lots(pairs=SIX[:1]), SEED)[0] == "pairs-number"
    assert refused(commitment_of_lots, lots(seeded_count=7), SEED)[0] == "heads-number"
    assert refused(commitment_of_lots, lots(groups=2), SEED)[0] == "groups-not-drawn"
    assert refused(commitment_of_lots, lots("groups", groups=4), SEED)[0] == "groups-number"
    assert refused(commitment_of_lots, lots(), "short")[0] == "seed-too-short"
    before = commitment_of_lots(lots(), SEED)
    assert refused(reveal_lots, before, SEED + "!")[0] == "seed-not-committed"
    assert refused(reveal_lots, before, SEED, "4711")[0] == "word-unexpected"
    assert (
        refused(reveal_lots, commitment_of_lots(lots(word_from="raffle"), SEED), SEED)[0]
        == "word-missing"
    )


def test_pairs_of_one_bar_are_apart_under_a_version_of_its_own_and_are_committed_to():
    asked = lots(pairs=tuple("abcdefgh"), apart=(("a", "b", "c"), ("d", "e")))
    made = drawn(asked)
    assert made["version"] == "guinote-draw-2"
    assert not lots_differences(read(made))
    plain = drawn(lots(pairs=tuple("abcdefgh")))
    assert plain["version"] == "guinote-draw-1"
    assert "apart" not in plain["draw"]
    assert plain["commitment"] != made["commitment"]
    altered = {**made, "draw": {**made["draw"], "apart": (("a", "b"), ("d", "e"))}}
    assert "commitment" in {one.field for one in lots_differences(read(altered))}
    older = {**made, "version": "guinote-draw-1"}
    assert {one.field for one in lots_differences(read(older))} == {"version", "seal"}


def test_pairs_of_one_bar_that_cannot_be_kept_apart_by_the_draw_are_refused():
    for apart, rule in (
        ((("Ana y Blas", "nobody"),), "pair-unknown"),
        ((SIX[:2], SIX[1:3]), "pair-twice"),
    ):
        assert refused(commitment_of_lots, lots(apart=apart), SEED)[0] == rule
    apart = (SIX[:2],)
    assert refused(commitment_of_lots, lots("order", apart=apart), SEED)[0] == "not-in-this-format"


@given(st.data(), st.integers(2, 70), st.text(min_size=16, max_size=20))
def test_pairs_of_one_bar_meet_only_where_the_bar_has_more_pairs_than_ties(data, pairs, seed):
    """As many pairs of a bar as ties at most, and no seeded ones: no two of them meet."""
    names = [str(number) for number in range(1, pairs + 1)]
    ties = 1 << max(0, (pairs - 1).bit_length() - 1)
    rest, apart = data.draw(st.permutations(names)), []
    while rest:
        many = data.draw(st.integers(1, min(ties, len(rest))))
        apart.append(tuple(rest[:many]))
        rest = rest[many:]
    asked = lots(pairs=tuple(names), apart=tuple(apart))
    made = reveal_lots(commitment_of_lots(asked, seed), seed).outcome
    bars = {pair: bar for bar, group in enumerate(apart) for pair in group}
    assert sorted(made.order) == sorted(names)
    assert not [tie for tie in made.ties if "" not in tie and bars[tie[0]] == bars[tie[1]]]


@given(
    st.lists(st.text(min_size=1, max_size=8), min_size=2, max_size=40, unique=True),
    st.text(min_size=16, max_size=40),
    st.data(),
)
def test_the_same_seed_draws_the_same_and_the_heads_stay(pairs, seed, data):
    seeded = data.draw(st.integers(0, len(pairs)))
    asked = lots("order", pairs=tuple(pairs), seeded_count=seeded)
    made = reveal_lots(commitment_of_lots(asked, seed), seed)
    assert made == reveal_lots(commitment_of_lots(asked, seed), seed)
    assert list(made.outcome.order[:seeded]) == pairs[:seeded]
    assert sorted(made.outcome.order) == sorted(pairs)
    assert not lots_differences(made)


# --- the command ---------------------------------------------------------------------------------


def guinote(*words: str, given: str = "", cwd: Path) -> tuple[int, str, str]:
    """The command in this process."""
    with chdir(cwd):
        done = CliRunner().invoke(main, ["draw", *words], input=given, catch_exceptions=False)
    return done.exit_code, done.stdout, done.stderr


ASKED = json.dumps({"tournament": "San Blas", "kind": "groups", "pairs": SIX, "groups": 2})


def test_commit_make_verify(tmp_path):
    code, published, _ = guinote("commit", "--seed-file", "seed", given=ASKED, cwd=tmp_path)
    assert code == 0
    seed = (tmp_path / "seed").read_text().strip()
    assert seed not in published
    assert stat.S_IMODE((tmp_path / "seed").stat().st_mode) == 0o600
    (tmp_path / "published.json").write_text(published)
    code, made, _ = guinote("make", "published.json", "--seed-file", "seed", cwd=tmp_path)
    assert code == 0
    assert json.loads(made)["seed"] == seed
    hung = json.loads(published)["commitment"]
    code, found, _ = guinote("verify", "-", "--commitment", hung, given=made, cwd=tmp_path)
    assert (code, json.loads(found)) == (
        0,
        {"verified": True, "commitment": hung, "differences": []},
    )
    code, found, _ = guinote("verify", "--commitment", "0" * 64, given=made, cwd=tmp_path)
    assert code == 1
    assert [one["field"] for one in json.loads(found)["differences"]] == ["published"]


def test_a_seed_that_is_kept_is_never_written_over(tmp_path):
    (tmp_path / "seed").write_text("the seed of another draw")
    code, out, err = guinote("commit", "--seed-file", "seed", given=ASKED, cwd=tmp_path)
    assert (code, out) == (1, "")
    assert "seed: File exists" in err
    assert (tmp_path / "seed").read_text() == "the seed of another draw"


def test_an_invalid_draw_file_is_reported_in_a_line(tmp_path):
    before = msgspec.json.encode(commitment_of_lots(lots(), SEED)).decode()
    assert isinstance(msgspec.json.decode(before, type=LotsCommitment), LotsCommitment)
    altered = {**drawn(lots()), "rank": 1}
    cases = [
        (("verify",), "{", "Input data was truncated"),
        (("verify",), before, "missing required field `seed`"),
        (("verify",), json.dumps(altered), "unknown field `rank`"),
        (("verify", "nowhere.json"), "", "nowhere.json: No such file"),
        (("commit", "--seed-file", "s"), ASKED.replace("2}", "9}"), "groups-number: found 9"),
        (("commit", "--seed-file", "s"), ASKED.replace("2}", "-1}"), "`$.groups`"),
    ]
    for words, given_text, message in cases:
        code, out, err = guinote(*words, given=given_text, cwd=tmp_path)
        assert (code, out) == (1, ""), words
        assert message in err
        assert "Traceback" not in err
    assert not (tmp_path / "s").exists()
