"""The kit of an installation of many clubs: its proxy, its container, its copies."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from api.lobby.book import FILE as BOOK
from api.server.clubs.folder import ClubsFolder
from api.server.clubs.lobby import ASK
from tests.deploy.test_container import COMPOSED, SERVICE, SERVICES
from tests.support.places import ROOT

KIT = ROOT / "deploy" / "clubs"
UNIT = ROOT / "deploy" / "systemd" / "system" / "guinote-clubs.service"
WEB: dict[str, Any] = yaml.safe_load((KIT / "compose.yml").read_text())["services"]["web"]


def read(name: str) -> str:
    return (KIT / name).read_text()


def test_the_proxy_asks_the_service_which_names_may_have_a_certificate() -> None:
    written = read("Caddyfile")
    assert f"ask http://127.0.0.1:8000{ASK}\n" in written
    assert "on_demand\n" in written
    assert "flush_interval -1" in written


def test_the_proxy_reads_its_file() -> None:
    program = shutil.which("caddy")
    if program is None:
        pytest.skip("NO CADDY: the file of the installation was read, and not run; install caddy")
    command = [program, "validate", "--config", KIT / "Caddyfile", "--adapter", "caddyfile"]
    subprocess.run(command, check=True, capture_output=True)


def test_the_container_of_clubs_is_as_closed_as_that_of_a_house() -> None:
    house = SERVICES["web"]
    for key in ("image", "read_only", "cap_drop", "security_opt", "tmpfs", "stop_grace_period"):
        assert WEB[key] == house[key], key
    assert set(WEB) <= SERVICE
    assert WEB["build"] == house["build"]
    assert all(one.startswith("127.0.0.1:") for one in WEB["ports"])
    assert WEB["environment"]["GUINOTE_CLUBS"] in {one.split(":")[1] for one in WEB["volumes"]}
    assert COMPOSED["name"] != yaml.safe_load(read("compose.yml"))["name"]


def test_litestream_copies_each_database_that_a_backup_has_of_every_club() -> None:
    copied: dict[str, Any] = yaml.safe_load(read("litestream.yml"))
    folder = ClubsFolder(Path("/var/lib/guinote-clubs"))
    where = folder.files("penya")
    every = [one for one in copied["dbs"] if "dir" in one]
    assert [one["pattern"] for one in every] == [
        Path(one).name for one in (where.log, where.persons, where.accounts)
    ]
    assert {one["dir"] for one in every} == {str(where.folder.parent)}
    assert all(one["recursive"] and one["watch"] for one in every)
    assert [one["path"] for one in copied["dbs"] if "path" in one] == [str(folder.path / BOOK)]
    assert len({one["replica"]["url"] for one in copied["dbs"]}) == len(copied["dbs"])
    assert copied["snapshot"]["retention"] == "168h"


def test_the_unit_serves_the_folder_that_the_copies_are_made_of() -> None:
    (served,) = re.findall(r"serve --clubs (\S+)", UNIT.read_text())
    (state,) = re.findall(r"StateDirectory=(\S+)", UNIT.read_text())
    assert served == f"/var/lib/{state}"
    assert f"dir: {served}/clubs\n" in read("litestream.yml")


def test_the_settings_of_clubs_name_nothing_of_one_house() -> None:
    settings = (UNIT.parents[1] / "clubs.env").read_text()
    assert "GUINOTE_PROXIES=1" in settings
    for name in ("GUINOTE_DATA", "GUINOTE_LOG", "GUINOTE_PERSONS_KEY", "GUINOTE_HOST"):
        assert name not in settings
