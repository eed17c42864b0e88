"""The documentation site: ``python3 dev.py docs [FOLDER] [--serve]``.

Its pages are those of ``docs``, and what is made here from the program itself: the manual, the
reference of HTTP, of commands and settings, and of the library. Everything that the site needs is
in its folder: it can be read from a disk, without a server and without the internet.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import shutil
import subprocess
import sys
import tempfile
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from string import Template
from typing import Final

from docs.site import http_reference, manual, program_reference
from docs.site.staging import ROOT, copy_pages

HERE: Final = Path(__file__).resolve().parent
ADDRESS: Final = ("127.0.0.1", 8001)


class BuildWarning(Exception):  # noqa: N818 - it says what there was
    """What mkdocs printed when it had a warning."""


def stage(folder: Path) -> Path:
    """Write the pages of the site, before they are HTML, and their configuration; its file."""
    pages = folder / "pages"
    copy_pages(pages)
    shutil.copytree(HERE / "assets", pages / "assets")
    made = {
        "http": http_reference.write(pages),
        "program": program_reference.write(pages),
        "library": program_reference.write_library(pages),
        "manual": manual.write(pages),
        "source": str(ROOT),
        "docstrings": str(HERE / "docstrings.py"),
    }
    filled = {name: json.dumps(of, ensure_ascii=False) for name, of in made.items()}
    text = Template((HERE / "mkdocs.yml").read_text(encoding="utf-8")).substitute(filled)
    config = folder / "mkdocs.yml"
    config.write_text(text, encoding="utf-8")
    return config


def build(mkdocs: Path, folder: Path) -> None:
    """Build the site into a folder. ``mkdocs``: the program, which ``dev.py`` installs.

    :raises BuildWarning: mkdocs has a warning
    """
    with tempfile.TemporaryDirectory() as staged:
        config = stage(Path(staged))
        command = (mkdocs, "build", "--strict", "-f", config, "-d", folder.resolve())
        done = subprocess.run(  # noqa: S603 - the program that dev.py installed
            command,
            check=False,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        )
    if done.returncode:
        raise BuildWarning(done.stdout)


def server_of(folder: Path, address: tuple[str, int] = ADDRESS) -> ThreadingHTTPServer:
    """A server that shows a site that was built."""
    handler = functools.partial(SimpleHTTPRequestHandler, directory=str(folder))
    return ThreadingHTTPServer(address, handler)


def main() -> None:
    """Build, and show it if that is asked for."""
    parser = argparse.ArgumentParser(prog="dev.py docs", description="The documentation site.")
    parser.add_argument("mkdocs", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "build" / "docs")
    parser.add_argument("--serve", action="store_true", help=f"show it at port {ADDRESS[1]}")
    asked = parser.parse_args()
    try:
        build(asked.mkdocs, asked.folder)
    except BuildWarning as warning:
        sys.exit(str(warning))
    print(asked.folder / "index.html", flush=True)
    if asked.serve:
        print(f"http://{ADDRESS[0]}:{ADDRESS[1]}/", flush=True)
        server_of(asked.folder).serve_forever()


if __name__ == "__main__":
    main()
