"""One partida for each profile, as a file that is both script and expected transcript.

The tags of each file say who won, how, with what totals, who took the tricks and what the cantes
were worth; its ``%`` lines are the findings. A profile without a playthrough fails.
"""

from __future__ import annotations

import pytest

from api.cli.referee_command import judgement
from projections.legality.evidence import partida_evidence_view
from referee.aggregates.encuentro import freeze_profile
from referee.aggregates.partida import Partida
from referee.errors import Refused
from referee.record import FindingText, parse_record, print_record
from referee.rules.profile.profile import profile, profiles
from tests.support.places import ROOT
from tests.support.records.asked import REFUSED_NOW, played, stored

ESCUELA = freeze_profile(profile("escuela"), 4)
FOLDER = ROOT / "tests" / "playthroughs"
LOGS = sorted((ROOT / "tests" / "logs").glob("*.guinote"))
"""Records that once showed a bug."""


def transcript(state: Partida) -> dict[str, str]:
    """What a file says in its tags."""
    found = judgement(state)
    sides = [
        " ".join(f"{s} {n}" for s, n in getattr(found, key).items()) for key in ("points", "cantes")
    ]
    return {
        "Winner": found.winner or "-",
        "How": found.how,
        "Totals": sides[0],
        "Cantes": sides[1],
        "Takers": " / ".join(" ".join(deal) for deal in found.tricks),
    }


def verdicts_in_short(state: Partida) -> str:
    """Verdicts that were not known to be lawful at once, and the claim: ``7 unlawful 9, 12 open``."""
    found = partida_evidence_view(state, None)
    rows = [
        f"{one.line} {one.verdict} {one.since or ''}".strip()
        for one in found.acts
        if (one.verdict, one.since) != ("lawful", one.line)
    ]
    claim = found.claim
    rows += [f"{claim['answer']} {claim['lower']} {claim['upper']}"] if claim else []
    return ", ".join(rows) or "-"


@pytest.mark.parametrize("name", [one.id for one in profiles()])
def test_a_playthrough_comes_out_as_it_is_written(name):
    text = (FOLDER / f"{name}.guinote").read_text(encoding="utf-8")
    record = parse_record(text)
    state = played(record)
    findings = {FindingText(f.line, f.rule, f.seat) for f in judgement(state).findings}
    assert record.profile == name
    assert transcript(state) == {key: record.tags[key] for key in transcript(state)}
    assert set(record.partidas[0].findings) == findings
    assert len(findings) >= 3
    assert print_record(record) == text


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_what_went_wrong_once_comes_out_as_it_is_written(path):
    text = path.read_text(encoding="utf-8")
    record = parse_record(text)
    state = stored(path.stem, record)
    findings = {FindingText(f.line, f.rule, f.seat) for f in judgement(state).findings}
    assert transcript(state) == {key: record.tags[key] for key in transcript(state)}
    assert set(record.partidas[0].findings) == findings
    assert partida_evidence_view(state, None).contradicted == []
    assert record.tags.get("Verdicts", verdicts_in_short(state)) == verdicts_in_short(state)
    assert print_record(record) == text


@pytest.mark.parametrize("name, rule", REFUSED_NOW.items())
def test_what_is_refused_now_is_kept_in_an_old_log(name, rule):
    record = parse_record((ROOT / "tests" / "logs" / f"{name}.guinote").read_text("utf-8"))
    with pytest.raises(Refused) as refused:
        played(record)
    assert refused.value.rule == rule


def test_talking_at_a_table_of_escuela_is_against_what_its_rulebook_states():
    """The case *trump* alone is inferred; the whole option counted so."""
    text = (ROOT / "tests" / "logs" / "hablar-en-la-escuela.guinote").read_text(encoding="utf-8")
    (row,) = [
        r for r in partida_evidence_view(played(parse_record(text)), ESCUELA).acts if r.line == 7
    ]
    assert row.article is not None
    assert (row.article.option, row.article.basis) == ("renuncio_cases", "stated")
