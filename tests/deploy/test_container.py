"""The container file and the compose file: their syntax, and whether what they name is there."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from api.cli.main import main
from tests.support.kit import own_wheel
from tests.support.places import ROOT
from tests.support.servers.long_runs import IS_LONG
from tests.support.servers.served import free_port
from tests.support.waiting import wait_for

FOLDER = ROOT / "deploy" / "container"
NO_BUILDER = "NO IMAGE: the container file was read only; make long builds it, with a builder that has the base"
KNOWN = frozenset(
    "ARG CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK RUN STOPSIGNAL USER VOLUME WORKDIR".split()
)
SERVICE = frozenset(
    "build cap_drop command depends_on entrypoint environment healthcheck image ports profiles "
    "read_only restart secrets security_opt shm_size stop_grace_period tmpfs volumes".split()
)
"""Keys of a service in the compose specification, those that are used here."""
QUIET = subprocess.DEVNULL
SETTING = re.compile(r"GUINOTE_[A-Z_]+")


def instructions() -> list[tuple[str, str]]:
    """Word and arguments of each instruction, with its continuation lines."""
    text = (FOLDER / "Containerfile").read_text()
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    joined = re.sub(r"\\\n\s*", " ", "\n".join(lines))
    found = [line.split(maxsplit=1) for line in joined.splitlines() if line.strip()]
    return [(word, rest) for word, rest in found]


def stages() -> list[list[tuple[str, str]]]:
    found: list[list[tuple[str, str]]] = []
    for word, rest in instructions():
        if word == "FROM":
            found.append([])
        found[-1].append((word, rest))
    return found


def last(word: str) -> str:
    """What an instruction says in the stage that runs."""
    (found,) = (rest for one, rest in stages()[-1] if one == word)
    return found


def parses(words: list[str]) -> bool:
    """Whether ``guinote`` has a command with these options; nothing is run."""
    with main.make_context("guinote", list(words)) as context:
        name, command, rest = main.resolve_command(context, words)
        assert command is not None, name
        for parameter in command.params:
            if isinstance(parameter.type, click.Path):
                parameter.type.exists = False  # of this machine it is not
        command.make_context(str(name), rest, parent=context)
    return True


def test_every_instruction_is_one() -> None:
    assert {word for word, _ in instructions()} <= KNOWN
    assert [stage[0][1].split()[-1] for stage in stages()] == ["build", "base", "scratch"]


def test_what_is_copied_is_there() -> None:
    ignored = (FOLDER / "Containerfile.dockerignore").read_text().splitlines()
    for word, rest in instructions():
        if word == "COPY" and not rest.startswith("--from="):
            *sources, _ = rest.split()
            assert all((ROOT / source).exists() for source in sources), rest
            assert {f"!{source}" for source in sources} <= set(ignored)


def test_the_files_that_are_copied_build_the_whole_wheel(wheel: Path, tmp_path: Path) -> None:
    """The steps of the first stage: its files alone in a folder, and the wheel built from them."""
    source = tmp_path / "source"
    for word, rest in stages()[0]:
        if word == "COPY":
            *names, target = rest.split()
            for name in names:
                to = source / (name if target == "./" else target)
                to.parent.mkdir(parents=True, exist_ok=True)
                copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
                copy(ROOT / name, to)
    assert "uv build" in dict(stages()[0])["RUN"]
    made = own_wheel.built(tmp_path / "wheel", source)
    with zipfile.ZipFile(made) as ours, zipfile.ZipFile(wheel) as whole:
        assert set(ours.namelist()) == set(whole.namelist())


def test_what_is_copied_from_a_stage_is_of_one_before() -> None:
    named: set[str] = set()
    for stage in stages():
        froms = {rest.split()[0] for word, rest in stage if word == "COPY" and "--from=" in rest}
        assert {one.removeprefix("--from=") for one in froms} <= named
        named.add(stage[0][1].split()[-1])


def test_the_image_has_no_more_than_the_service_and_is_no_root() -> None:
    assert last("USER") == "10001:10001"
    assert not [rest for word, rest in stages()[-1] if word == "RUN"]
    removed = " ".join(rest for word, rest in stages()[1] if word == "RUN")
    for path in ("/usr/bin/apt*", "/usr/bin/dpkg*", "/usr/local/bin/pip*", "site-packages/*"):
        assert path in removed


def test_what_is_started_is_a_command_of_the_wheel() -> None:
    assert json.loads(last("ENTRYPOINT")) == ["guinote"]
    assert parses(json.loads(last("CMD")))


def test_health_is_asked_where_it_is_answered() -> None:
    (path,) = re.findall(r"http://127\.0\.0\.1:8000(/\w+)", last("HEALTHCHECK"))
    from api.http.access.hosts import WATCHED

    assert path in WATCHED
    assert "GUINOTE_BIND=0.0.0.0:8000" in last("ENV")


def test_what_the_image_starts_is_healthy_by_its_own_question(wheel: Path, tmp_path: Path) -> None:
    """Entry point, command, environment and health check as they stand, beside other ports."""
    python = own_wheel.install(wheel, tmp_path / "opt")
    given = dict(one.split("=", 1) for one in shlex.split(last("ENV")))
    places = {"GUINOTE_DATA": tmp_path / "data", "GUINOTE_NOTARY": tmp_path / "notary"}
    assert {given[name] for name in places} <= set(json.loads(last("VOLUME")))
    port = free_port()
    env = {
        **given,
        "PATH": f"{python.parent}:{os.environ['PATH']}",
        **{name: str(place) for name, place in places.items()},
        "GUINOTE_BIND": given["GUINOTE_BIND"].replace("8000", str(port)),
    }
    check = json.loads(last("HEALTHCHECK").partition("CMD ")[2])
    asked = [word.replace(":8000", f":{port}") for word in check]
    command = json.loads(last("ENTRYPOINT")) + json.loads(last("CMD"))
    with subprocess.Popen(command, env=env, cwd=tmp_path, stdout=QUIET, stderr=QUIET) as served:
        try:
            wait_for(
                lambda: not subprocess.call(asked, env=env, stderr=QUIET), "an image in health"
            )
        finally:
            served.terminate()
    assert served.wait() == 0
    assert (tmp_path / "data" / "log.sqlite").exists()


def settings_of_the_page() -> set[str]:
    page = (ROOT / "docs" / "operating" / "operations.md").read_text()
    rows = re.findall(r"^\| (`GUINOTE_[^|]+)\|", page, re.MULTILINE)
    return {one for row in rows for one in SETTING.findall(row)}


@pytest.mark.parametrize(
    "path",
    [
        "container/Containerfile",
        "container/compose.yml",
        "systemd/guinote.env",
        "systemd/install.sh",
    ],
)
def test_every_setting_of_the_kit_is_one(path: str) -> None:
    assert set(SETTING.findall((ROOT / "deploy" / path).read_text())) <= settings_of_the_page()


# --- compose --------------------------------------------------------------------------------------

COMPOSED: dict[str, Any] = yaml.safe_load((FOLDER / "compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSED["services"]
OURS = [name for name in SERVICES if name != "db"]


def test_the_compose_file_has_known_keys_only() -> None:
    assert {key for key in COMPOSED if not key.startswith("x-")} <= {
        *("name", "services", "volumes", "secrets")
    }
    assert set().union(*SERVICES.values()) <= SERVICE


def mounted(service: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for one in service.get("volumes", ()):
        source, target = one.split(":")
        yield source, target


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_uses_what_is_defined(name: str) -> None:
    service = SERVICES[name]
    assert {source for source, _ in mounted(service)} <= set(COMPOSED["volumes"])
    assert set(service["secrets"]) <= set(COMPOSED["secrets"])
    read = re.findall(r"/run/secrets/([\w.]+)", json.dumps(service["environment"]))
    assert set(read) <= set(service["secrets"])
    for other, how in service.get("depends_on", {}).items():
        assert how == {"condition": "service_healthy"}
        assert SERVICES[other]["healthcheck"] != {"disable": True}


@pytest.mark.parametrize("name", OURS)
def test_a_service_of_ours_has_no_rights(name: str) -> None:
    service = SERVICES[name]
    assert (service["read_only"], service["cap_drop"]) == (True, ["ALL"])
    assert service["security_opt"] == ["no-new-privileges:true"]
    written = {target for _, target in mounted(service)} | set(service["tmpfs"])
    assert written <= {*json.loads(last("VOLUME")), "/tmp"}
    assert "entrypoint" in service or parses(service["command"])


def test_the_key_of_the_notary_is_mounted_there_alone() -> None:
    assert [name for name in OURS if "/notary" in dict(mounted(SERVICES[name])).values()] == [
        "notary"
    ]


def test_the_image_is_built_from_here() -> None:
    build = SERVICES["web"]["build"]
    assert (FOLDER / build["context"]).resolve() == ROOT
    assert (ROOT / build["dockerfile"]).exists()


BUILDERS = {
    "docker": (("image", "inspect"), ("build",)),
    "podman": (("image", "exists"), ("build", "--pull=never")),
    "buildah": (("inspect", "--type=image"), ("bud", "--pull-never")),
}
"""How a builder is asked whether it has an image, and how it builds one without fetching any."""


def test_the_image_is_built_where_a_builder_has_the_base() -> None:
    base = instructions()[0][1].split()[0]
    for name, (has, build) in BUILDERS.items() if IS_LONG else ():
        if shutil.which(name) and not subprocess.call(
            [name, *has, base], stdout=QUIET, stderr=QUIET
        ):
            command = [name, *build, "--file", str(FOLDER / "Containerfile"), "--tag", "guinote"]
            subprocess.run([*command, str(ROOT)], check=True, timeout=600)
            return
    pytest.skip(NO_BUILDER)
