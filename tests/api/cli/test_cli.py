"""The command line for its user: JSON lines in and out, exit codes."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from api.cli.main import main
from api.server import wiring
from tests.support.places import ROOT
from tests.support.records.samples import sample_lines, samples

NO_LINE = "{bad\n"
NO_CARDS = {"players": 4, "hands": []}


def guinote(*words: str, given: str = "", data: Path | None = None) -> tuple[int, str, str]:
    """A command in this process; what is printed and the exit code are those of a process."""
    env = {"GUINOTE_DATA": str(data or "var-of-no-test")}
    done = CliRunner().invoke(main, words, input=given, env=env, catch_exceptions=False)
    return done.exit_code, done.stdout, done.stderr


def in_a_process(*words: str, given: str, data: Path) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "api.cli", *words],
        input=given,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "GUINOTE_DATA": str(data)},
    )
    return done.returncode, done.stdout, done.stderr


def lines(text: str) -> list[dict]:
    return [json.loads(line) for line in text.splitlines()]


def sample(deal: list[list[str]], stock: list[str], pinta: str, events: list[dict]) -> str:
    """A first deal in the format of the other engines."""
    hand = {
        "hand": "idas",
        "dealer": 3,
        "mano": 0,
        "deal": deal,
        "stock": stock,
        "trump_card": pinta,
        "trump": pinta[-1],
        "events": events,
        "result": {"complete": False},
    }
    result = {"points": [0, 0], "winner_team": None, "reason": ""}
    return json.dumps({"game": 7, "players": 4, "hands": [hand], "result": result})


TWO_PROFILES = ("--profile", "club", "--profile", "escuela")
DEAL = [
    "3B 7E 5E 2C 2B 11B".split(),
    "10O 6O 7C 7B 3E 1O".split(),
    "5C 1C 10C 11C 4O 11O".split(),
    "12E 2O 11E 10B 4B 10E".split(),
]
STOCK = "2E 6C 5B 3C 6E 12B 3O 5O 4E 1B 6B 1E 12C 7O 4C".split()


def play(seat: int, card: str) -> dict:
    return {"t": "play", "seat": seat, "card": card, "legal": [card]}


@pytest.mark.parametrize("given, words", [(NO_LINE, ("lawful",)), ("", ("profiles", "nobody"))])
def test_a_process_prints_and_ends_as_the_command_does(given, words, tmp_path):
    inside = guinote(*words, given=given, data=tmp_path)
    assert in_a_process(*words, given=given, data=tmp_path) == inside
    assert inside[0] == 1


def test_the_question_of_the_manual_gets_its_answer():
    question = (
        '{"profile":"club","options":{"undertrump":"forced"},"players":4,"trump":"O","seat":"A1",'
        '"hand":["AO","2E"],"trick":[{"seat":"B2","card":"RC"}]}'
    )
    code, out, _ = guinote("lawful", given=question + "\n{bad\n" + question + "\n")
    first, second, third = lines(out)
    assert code == 1
    assert (first["lawful"], first["duty"]) == (["AO"], "trump")
    assert set(first["article"]) == {"profile", "section", "basis"}
    assert set(second["error"]) == {"code", "field", "detail"}
    assert third == first


def test_a_trick_of_a_sample_is_judged_and_refusals_are_reported():
    events = [
        play(0, "3B"),
        play(1, "10O"),
        play(2, "4O"),
        play(3, "4B"),
        {"t": "trick", "n": 1, "winner": 1, "points": 13},
        play(1, "3B"),
        {"t": "draw", "seat": 1, "card": "2E"},
    ]
    code, out, _ = guinote("referee", "-", given=sample(DEAL, STOCK, "12O", events))
    (found,) = lines(out)
    assert code == 1
    assert (found["game"], found["file"]) == (7, "-")
    assert (found["winner"], found["how"]) == (None, "undecided")
    assert found["tricks"] == [["B1"]]
    assert found["points"] == {"A": 0, "B": 13}
    assert found["error"]["code"] == "card-played-before"
    assert len(found["errors"]) == 1


@pytest.mark.parametrize(
    ("words", "code", "field"),
    [
        (("--profile", "sin-mazo"), "profile", "hand_size"),
        (("--profile", "nobody"), "unknown_profile", "profile"),
        (("--option", "colour=red"), "unknown_option", "colour"),
        (("--option", "tute=perhaps"), "bad_value", "tute"),
        (("--option", "deck=48"), "profile", "deck"),
        (("--option", "players=2"), "profile", "players"),
    ],
)
def test_a_profile_that_cannot_hold_the_sample_names_the_option(words, code, field):
    status, out, _ = guinote("referee", *words, "-", given=sample(DEAL, STOCK, "12O", []))
    (found,) = lines(out)
    assert status == 1
    assert (found["error"]["code"], found["error"]["field"]) == (code, field)


def test_an_invalid_sample_is_reported_and_the_run_goes_on():
    given = "\n".join(["{}", json.dumps(NO_CARDS), "{", sample(DEAL, STOCK, "12O", [])])
    code, out, _ = guinote("referee", "-", given=given)
    *bad, good = lines(out)
    assert code == 1
    assert [line["error"]["code"] for line in bad] == ["malformed"] * 3
    assert good["how"] == "undecided"


def test_observed_leaves_out_what_only_an_open_record_tells():
    events = [play(0, "3B"), play(1, "7O")]  # the siete of oros is in the stock of the open record
    given = sample(DEAL, STOCK, "12O", events)
    assert lines(guinote("referee", "-", given=given)[1])[0]["error"]["code"] == "card-elsewhere"
    code, out, _ = guinote("referee", "--observed", "-", given=given)
    assert (code, "error" in lines(out)[0]) == (0, False)


def test_a_record_in_text_is_refereed_like_a_sample():
    file = ROOT / "tests" / "records" / "abierta.guinote"
    code, out, _ = guinote("referee", str(file))
    (found,) = lines(out)
    assert code == 0
    assert (found["winner"], found["how"]) == ("B", "claim")
    assert found["points"] == {"A": 100, "B": 117}


@pytest.mark.parametrize("words", [(), ("--observed",)])
def test_every_sample_has_the_winner_points_and_tricks_that_its_engine_found(tmp_path, words):
    file = tmp_path / "partidas.jsonl"
    file.write_text("\n".join(sample_lines()))
    code, out, _ = guinote("referee", *words, str(file))
    seats = ("A1", "B1", "A2", "B2")
    assert code == 0
    for given, found in zip(samples(), lines(out), strict=True):
        names = seats[: given["players"]]
        assert found["winner"] == "AB"[given["result"]["winner_team"]]
        assert list(found["points"].values()) == given["result"]["points"]
        assert found["tricks"] == [
            [names[e["winner"]] for e in hand["events"] if e["t"] == "trick"]
            for hand in given["hands"]
        ]
        sung = [sum(h["result"]["cantes"][side] for h in given["hands"]) for side in (0, 1)]
        assert list(found["cantes"].values()) == sung
        assert found["findings"] == []


def in_vueltas() -> dict:
    """A sample whose winner is known only after the vueltas."""
    return next(one for one in samples() if one["hands"][-1]["hand"] == "vueltas")


@pytest.mark.parametrize("reason", ["", "end of first deal", "una de vueltas"])
def test_the_declared_winner_at_the_target_decides_whatever_the_text(reason):
    given = in_vueltas()
    given["result"]["reason"] = reason
    code, out, _ = guinote("referee", "-", given=json.dumps(given))
    (found,) = lines(out)
    assert (code, found["how"]) == (0, "claim")
    assert found["winner"] == "AB"[given["result"]["winner_team"]]


@pytest.mark.parametrize(
    ("turned", "error"), [("other", "winner_below_target"), ("none", "malformed")]
)
@pytest.mark.parametrize("command", ["referee", "evidence"])
def test_a_declared_winner_of_vueltas_below_the_target_or_none_is_an_error(turned, error, command):
    given = in_vueltas()
    winner = given["result"]["winner_team"]
    given["result"]["winner_team"] = None if turned == "none" else 1 - winner
    code, out, _ = guinote(command, "-", given=json.dumps(given))
    (found,) = lines(out)
    assert (code, found["error"]["code"]) == (1, error)
    assert found["error"]["field"] == "winner_team"
    if turned == "other":
        points = dict(zip("AB", given["result"]["points"], strict=True))
        assert found["error"]["detail"] == f"A {points['A']}, B {points['B']}"
    assert "winner" not in found


@pytest.mark.parametrize("words", [("referee",), ("evidence",), ("compare", *TWO_PROFILES)])
def test_a_text_record_cannot_be_read_as_observed(words):
    file = str(ROOT / "tests" / "records" / "abierta.guinote")
    code, out, _ = guinote(*words, "--observed", file)
    (found,) = lines(out)
    assert (code, found["error"]["code"], found["error"]["field"]) == (
        1,
        "only_samples",
        "observed",
    )


def test_the_profiles_are_listed_and_shown():
    code, out, _ = guinote("profiles")
    ids = [row["id"] for row in lines(out)]
    assert code == 0
    assert sorted(ids) == ["baraja-francesa", "club", "escuela", "guinyot", "ludoteka", "sin-mazo"]
    shown = json.loads(guinote("profiles", "guinyot")[1])
    assert shown["options"]["min_malas"]["value"] == 30
    assert guinote("profiles", "nobody")[0] == 1


def test_the_token_is_kept_from_others_and_can_be_changed(tmp_path):
    first = guinote("token", "show", data=tmp_path)[1].strip()
    file = tmp_path / "owner.token"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert file.read_text().strip() == first
    second = guinote("token", "rotate", data=tmp_path)[1].strip()
    assert second != first
    assert guinote("token", "show", data=tmp_path)[1].strip() == second


def test_another_token_withdraws_what_was_offered_with_the_old_one(tmp_path):
    guinote("access", "invite", "--role", "admin", data=tmp_path)
    with closing(wiring.open_accounts(wiring.files_of_folder(tmp_path))) as keys:
        assert len(keys.offers()) == 1
    guinote("token", "rotate", data=tmp_path)
    with closing(wiring.open_accounts(wiring.files_of_folder(tmp_path))) as keys:
        assert keys.offers() == []


def test_a_token_of_an_app_is_made_listed_and_revoked(tmp_path):
    asked = ("--scope", "record", "--scope", "read:public", "--origin", "https://Club.example")
    _, secret, told = guinote("token", "make", "Marcador", *asked, data=tmp_path)
    secret = secret.strip()
    assert secret.startswith("guinote_")
    (line,) = guinote("token", "list", data=tmp_path)[1].splitlines()
    listed = json.loads(line)
    assert secret not in line
    assert told.strip() == f"id: {listed['id']}"
    assert listed["scopes"] == ["read:public", "record"]
    assert (listed["name"], listed["by"], listed["used"]) == ("Marcador", "owner", None)
    assert listed["origins"] == ["https://club.example"]
    assert guinote("token", "revoke", listed["id"], data=tmp_path)[0] == 0
    assert guinote("token", "list", data=tmp_path)[1] == ""
    assert guinote("token", "revoke", listed["id"], data=tmp_path)[0] == 1
    wrong = ("--scope", "record", "--origin", "club")
    assert "is no origin" in guinote("token", "make", "x", *wrong, data=tmp_path)[2]
    sites = [more for n in range(9) for more in ("--origin", f"https://{n}.example")]
    for name, more, fault in (
        (" ", (), "1 to 80"),
        ("x" * 81, (), "1 to 80"),
        ("x", ("--encuentro", "bogus"), "no such encuentro"),
        ("x", ("--encuentro", "0" * 32), "no such encuentro"),
        ("x", sites, "8 sites"),
    ):
        code, out, err = guinote("token", "make", name, "--scope", "record", *more, data=tmp_path)
        assert (code, out) == (1, "")
        assert fault in err
    kinds = [json.loads(one)["kind"] for one in guinote("security", data=tmp_path)[1].splitlines()]
    assert kinds == ["token_made", "revoked"]


def test_a_file_that_is_not_there_is_said_so():
    code, out, err = guinote("referee", "nowhere.jsonl")
    assert (code, out) == (1, "")
    assert "nowhere.jsonl" in err


RECORD = ROOT / "tests" / "records" / "abierta.guinote"


def test_an_encuentro_comes_in_is_verified_copied_restored_and_goes_out_again(tmp_path):
    first, second = tmp_path / "one", tmp_path / "two"
    code, out, _ = guinote("import", str(RECORD), data=first)
    encuentro = json.loads(out)["encuentro"]
    assert code == 0
    assert guinote("verify", data=first)[0] == 0
    exported = guinote("export", encuentro, data=first)[1]
    assert json.loads(guinote("rebuild", data=first)[1])["events"] > 80
    code, _, progress = guinote("backup", str(tmp_path / "copy"), data=first)
    assert (code, "backup" in progress) == (0, True)
    code, _, errors = guinote("restore", str(tmp_path / "copy"), data=second)
    told = (f"{second / 'persons.key'} is not there", "nothing is restored", "--without-key")
    assert (code, [word for word in told if word not in errors]) == (os.EX_CONFIG, [])
    assert not any(second.glob("*.sqlite"))
    code, _, errors = guinote("restore", "--without-key", str(tmp_path / "copy"), data=second)
    assert (code, f"{second / 'persons.key'} is not there" in errors) == (0, True)
    assert guinote("export", encuentro, data=second)[0] == os.EX_CONFIG
    shutil.copy(first / "persons.key", second)
    assert guinote("export", encuentro, data=second)[1] == exported
    assert guinote("restore", str(tmp_path / "copy"), data=second)[0] == 1
    code, out, _ = guinote("record", "print", given=exported)
    assert (code, out) == (0, exported)


def test_a_bad_record_is_reported_with_line_and_column():
    code, out, _ = guinote("record", "check", given='[Profile "club"]\nreparto B2\npinta 3X\n')
    (found,) = [line["error"] for line in lines(out)]
    assert code == 1
    assert (found["line"], found["column"]) == (3, 7)


def test_an_impossible_record_is_reported_with_its_place():
    given = '[Profile "club"]\nreparto B2\npinta 3O\nA1 AO\nB1 AO\n'
    code, out, _ = guinote("record", "check", given=given)
    (found,) = [line["error"] for line in lines(out)]
    assert code == 1
    assert (found["line"], found["column"]) == (5, 1)


def test_an_unknown_encuentro_is_said_so(tmp_path):
    code, _, err = guinote("export", "00000000-0000-4000-8000-000000000000", data=tmp_path)
    assert (code, "no encuentro" in err) == (1, True)
