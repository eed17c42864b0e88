"""Each task of the manual, done as its page says from the home page on; its pictures are taken on the way."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest
from playwright.sync_api import Browser

from api.help.pages import NAMED
from api.help.tasks import TASKS
from api.http.languages import texts_of_language
from tests.api.cli.test_cli import guinote
from tests.api.help.manual import arbiter, director, player, secretary
from tests.api.help.manual.house import ManualHouse
from tests.api.help.manual.newcomer import HOW, newcomer
from tests.api.help.manual.pictures import RENEWAL, Album
from tests.support.browser.in_browser import running

ELSEWHERE = {"copias-de-seguridad"}
"""Tasks that are not walked here, but of commands, which are run below."""
BESIDE = {"Cerrar", "Salir"}
"""Words that are pressed between the steps of a task, and that none has to quote."""
READERS = (secretary, arbiter, player, director)
"""Each says how their tasks are done."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One that draws letters alike whatever the machine does to make them sharp."""
    with running("--font-render-hinting=none") as started:
        yield started


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> ManualHouse:
    return ManualHouse(tmp_path_factory.mktemp("manual"))


@pytest.fixture(scope="module")
def album(browser: Browser) -> Album:
    return Album(browser)


def test_every_task_is_done_by_somebody() -> None:
    assert set(HOW) | ELSEWHERE == set(TASKS)
    assert {how.do.__module__ for how in HOW.values()} == {one.__name__ for one in READERS}


@pytest.mark.parametrize("reader", READERS, ids=lambda one: one.__name__.rpartition(".")[2])
def test_tasks_are_done_as_their_pages_say_on_the_screens_of_their_pictures(
    browser: Browser,
    house: ManualHouse,
    album: Album,
    reader: ModuleType,
    pytestconfig: pytest.Config,
) -> None:
    grown_old = []
    for task, how in HOW.items():
        if how.do.__module__ != reader.__name__:
            continue
        with (
            house.as_new(is_empty=how.is_new_house),
            newcomer(browser, house, how) as somebody,
        ):
            how.do(somebody)
        assert (task, somebody.taps) == (task, how.taps)
        assert (task, set(quoted(task)) - somebody.met) == (task, set(how.unmet))
        assert (task, in_order(task, somebody.used)) == (task, True), (quoted(task), somebody.used)
        assert (task, unquoted(task, somebody.pressed)) == (task, set())
        assert tuple(somebody.pictures) == TASKS[task].pictures
        if pytestconfig.getoption("--renew-pictures"):
            album.renew(somebody.pictures)
        grown_old += album.grown_old(somebody.pictures)
    assert grown_old == [], (
        f"pictures that grew old: {', '.join(grown_old)}; {RENEWAL} takes them again"
    )


def test_copies_are_made_checked_and_brought_back_by_the_commands_of_the_page(
    house: ManualHouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    data = shutil.copytree(house.folder, tmp_path / "data")
    its = "help.task.copias-de-seguridad."
    said = " ".join(text for key, text in texts_of_language("es").items() if key.startswith(its))
    key, backup, verify, restore, force = re.findall(r"`(?:guinote )?([^`]+)`", said)
    (tmp_path / backup.split()[1]).mkdir()
    assert (data / key).exists()
    assert guinote(*backup.split(), data=data)[0] == 0
    (made,) = (tmp_path / backup.split()[1]).iterdir()
    assert guinote(*verify.split(), data=data)[0] == 0
    (data / "log.sqlite").unlink()
    assert guinote(*restore.split(), str(made), force, data=data)[0] == 0
    assert guinote(*verify.split(), data=data)[0] == 0


def steps(task: str) -> list[str]:
    """Steps of a task, as the language file has them."""
    return [
        text
        for key, text in texts_of_language("es").items()
        if key.startswith(f"help.task.{task}.steps.")
    ]


def quoted(task: str) -> list[str]:
    """Keys of the words that the steps of a task quote, in their order, each once."""
    return list(dict.fromkeys(key for step in steps(task) for key in NAMED.findall(step)))


def in_order(task: str, used: list[str]) -> bool:
    """Whether words were tapped in the order in which the steps quote them, whatever came between."""
    left = iter(used)
    return all(key in left for key in quoted(task) if key in used)


def unquoted(task: str, pressed: set[str]) -> set[str]:
    """Words of the program that were pressed and that no step quotes."""
    words = {
        key: text for key, text in texts_of_language("es").items() if not key.startswith("demo.")
    }
    return (pressed & set(words.values())) - {words[key] for key in quoted(task)} - BESIDE


@pytest.fixture
def looked_at(browser: Browser, tmp_path: Path) -> Iterator[Callable[[str, str], list[str]]]:
    """Whether a page of one button has grown old since it was taken for the first time."""
    page = browser.new_page(viewport={"width": 390, "height": 200})
    album = Album(browser, tmp_path)

    def look(words: str, colour: str) -> list[str]:
        page.set_content(f"<h1>Jornadas</h1><button style='background:{colour}'>{words}</button>")
        taken = {"one": page.screenshot()}
        if not any(tmp_path.iterdir()):
            album.renew(taken)
        return album.grown_old(taken)

    yield look
    page.context.close()


def test_a_picture_grows_old_by_a_word_or_a_colour(
    looked_at: Callable[[str, str], list[str]],
) -> None:
    assert looked_at("Sortear mesas", "#1f5c43") == []
    assert looked_at("Sortear mesas", "#1f5c43") == []
    assert looked_at("Sortear", "#1f5c43") == ["one"]
    assert looked_at("Sortear mesas", "#8a2a1f") == ["one"]
    assert looked_at("Repartir mesas", "#1f5c43") == ["one"]
