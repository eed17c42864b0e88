"""Older revisions of the program, to be compared with the present one."""

from __future__ import annotations

import io
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.servers.served import ROOT


@contextmanager
def programs(revision: str | None) -> Iterator[dict[str, Path]]:
    """Folders of the programs: an older revision, if one is given, and the present one."""
    if revision is None:
        yield {"now": ROOT}
        return
    packed = subprocess.run(
        ["git", "archive", revision], cwd=ROOT, capture_output=True, check=True
    ).stdout
    with (
        tempfile.TemporaryDirectory() as folder,
        tarfile.open(fileobj=io.BytesIO(packed)) as archive,
    ):
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # since 3.11.4
        archive.extractall(folder)  # noqa: S202 - of this repository
        yield {revision: Path(folder), "now": ROOT}
