"""The systemd units of the kit: checked by its own tools, and run by a systemd that is booted."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.kit import own_systemd
from tests.support.kit.own_systemd import Machine, booted
from tests.support.places import ROOT
from tests.support.waiting import wait_for

UNITS = ROOT / "deploy" / "systemd" / "system"
SERVICES = sorted(path.name for path in UNITS.glob("*.service"))
RUNNING = ("guinote-web", "guinote-projector", "guinote-notary")
RECORD = "tests/records/mano-a-mano.guinote"
DATA, BACKUPS = "/var/lib/guinote", "/var/lib/guinote-backups"
MOST_EXPOSED = {"guinote-notary.service": 2.2}
"""Exposure by ``systemd-analyze security``, from 0 to 10; the notary is root with two rights."""
USUAL_EXPOSURE = 1.2

ANALYZED = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None,
    reason="NO SYSTEMD-ANALYZE: the units of the kit were not checked; install systemd",
)


@ANALYZED
def test_systemd_finds_no_fault_in_the_units(tmp_path: Path) -> None:
    units = shutil.copytree(UNITS, tmp_path / "system")
    for path in units.rglob("*.service"):
        path.write_text(path.read_text().replace("/opt/guinote/bin/", "/usr/bin/env "))
    named = [path for path in units.iterdir() if path.is_file()]
    assert len(named) == 9
    command = ["systemd-analyze", "verify", "--man=no", *named]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


@ANALYZED
@pytest.mark.parametrize("unit", SERVICES)
def test_a_unit_is_hardly_exposed(unit: str) -> None:
    most = MOST_EXPOSED.get(unit, USUAL_EXPOSURE)
    command = ["systemd-analyze", "security", "--offline=yes", f"--threshold={most * 10:.0f}"]
    done = subprocess.run([*command, UNITS / unit], capture_output=True, text=True)
    assert f"Overall exposure level for {unit}" in done.stdout
    assert done.returncode == 0, done.stdout.splitlines()[-1]


# --- run ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def machine(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """A machine with the kit installed as the page says, that serves a table."""
    if not own_systemd.may_boot():
        pytest.skip(own_systemd.NO_SYSTEMD)
    with booted(tmp_path_factory.mktemp("machine"), wheel) as found:
        if found is None:
            pytest.skip(own_systemd.NO_SYSTEMD)
        for line in commands_of_the_page()[1:]:
            found.run("sh", "-c", line)
        wait_for(lambda: is_ready(found), "a service that is ready")
        found.run("sh", "-c", f"guinote import - <{RECORD}")
        yield found


def commands_of_the_page() -> list[str]:
    """What the page has somebody type; the first makes the environment, which is there already."""
    page = (ROOT / "docs" / "operating" / "deploy.md").read_text()
    (block,) = re.findall(r"(?ms)^## systemd\n.*?^```sh\n(.*?)^```", page)
    lines = [line for line in block.splitlines() if not line.startswith(("editor", "journalctl"))]
    assert "pip install" in lines[0]
    return lines


def is_ready(machine: Machine) -> bool:
    return "ready" in asked(machine, "/readyz")


def asked(machine: Machine, path: str) -> str:
    """The content of an answer; nothing if there is none."""
    program = f"import urllib.request as u; print(u.urlopen('http://127.0.0.1:8000{path}').read())"
    return machine.run("/opt/guinote/bin/python", "-c", program, check=False)


def test_every_unit_runs(machine: Machine) -> None:
    units = ("web.service", "projector.service", "backup.timer", "trial-restore.timer")
    for unit in units:
        assert machine.show(f"guinote-{unit}", "ActiveState") == "active", unit
    assert machine.is_so("systemctl", "is-enabled", "guinote.target")


@pytest.mark.parametrize("unit", ["guinote-web", "guinote-projector"])
def test_a_process_has_no_rights_but_those_of_its_user(machine: Machine, unit: str) -> None:
    status = machine.run("cat", f"/proc/{machine.show(unit, 'MainPID')}/status")
    held = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    assert set(held["Uid"].split()) == {machine.run("id", "-u", "guinote").strip()}
    assert int(held["CapEff"], 16) == int(held["CapBnd"], 16) == 0
    assert (held["NoNewPrivs"], held["Seccomp"]) == ("1", "2")


@pytest.mark.parametrize("name", ["guinote.env", "persons.key"])
def test_settings_and_key_are_for_one_user(machine: Machine, name: str) -> None:
    assert machine.run("stat", "-c", "%a", f"/etc/guinote/{name}") == "600\n"


def test_the_notary_signs_with_a_key_that_the_server_cannot_read(machine: Machine) -> None:
    machine.run("systemctl", "restart", "guinote-notary")
    wait_for(lambda: "guinote" in asked(machine, "/api/v1/log/checkpoint"), "a checkpoint")
    key = machine.run("find", "/var/lib/guinote-notary", "-name", "notary.key").strip()
    assert key
    assert not machine.is_so("runuser", "-u", "guinote", "--", "cat", key)
    others = machine.run("find", DATA, "!", "-user", "guinote", "-name", "*.sqlite*")
    assert others == "", "the notary left files that the server cannot open"


def test_a_server_that_is_killed_comes_back(machine: Machine) -> None:
    before = machine.show("guinote-web", "MainPID")
    machine.run("systemctl", "kill", "--signal=KILL", "guinote-web")
    wait_for(
        lambda: machine.show("guinote-web", "MainPID") not in (before, "0") and is_ready(machine),
        "the server again",
    )
    assert machine.show("guinote-web", "NRestarts") == "1"


def test_a_server_whose_data_are_of_a_later_release_is_not_tried_again(machine: Machine) -> None:
    for unit in RUNNING:
        assert machine.show(unit, "RestartPreventExitStatus") == str(os.EX_CONFIG)


def test_a_backup_is_kept_and_a_trial_that_fails_fails_its_unit(machine: Machine) -> None:
    machine.run("systemctl", "start", "guinote-backup")
    (backup,) = machine.run("ls", BACKUPS).split()
    machine.run("systemctl", "start", "guinote-trial-restore")
    assert f"{backup} can be restored" in machine.run("tail", "-1", "/var/log/guinote")
    assert machine.run("find", "/var/cache/guinote-trial-restore", "-mindepth", "1") == ""
    machine.run("truncate", "--size=-100", f"{BACKUPS}/{backup}")
    assert not machine.is_so("systemctl", "start", "guinote-trial-restore")
    assert machine.show("guinote-trial-restore", "ActiveState") == "failed"
    assert "cannot be restored" in machine.run("tail", "-1", "/var/log/guinote")


def test_a_command_has_the_settings_and_the_user_of_the_service(machine: Machine) -> None:
    assert "0 differences" in machine.run("guinote", "verify")
    owners = machine.run("find", DATA, "-newer", "/etc/guinote/guinote.env", "-printf", "%u %f\n")
    strangers = [line for line in owners.splitlines() if not line.startswith("guinote ")]
    assert not [line for line in strangers if line.split()[1] not in ("log.checkpoint", "log.vkey")]


def test_installing_again_keeps_settings_and_key_and_the_target_restarts_all(
    machine: Machine,
) -> None:
    machine.run("sh", "-c", "echo '# ours' >>/etc/guinote/guinote.env")
    files = ("sha256sum", "/etc/guinote/guinote.env", "/etc/guinote/persons.key")
    before = machine.run(*files)
    started = {unit: machine.show(unit, "MainPID") for unit in RUNNING}
    machine.run("sh", "deploy/systemd/install.sh")
    assert machine.run(*files) == before
    machine.run("systemctl", "restart", "guinote.target")
    wait_for(lambda: is_ready(machine), "the service again")
    assert not [unit for unit in RUNNING if machine.show(unit, "MainPID") == started[unit]]
