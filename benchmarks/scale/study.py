"""The export of tables for study: rows a second, and the most memory, of data folders.

``python -m benchmarks.scale.study FOLDER …``: folders that ``benchmarks.scale.bulk`` wrote, which
agree to it first. Each export is a process of its own; its tables are removed again.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

GUINOTE = (sys.executable, "-m", "api.cli", "--data")


def measure(folder: Path) -> str:
    """Deals, rows, processor time and memory of one export."""
    subprocess.check_output([*GUINOTE, folder, "settings", "--study-consent", "given"])
    with tempfile.TemporaryDirectory() as made:
        command = [*GUINOTE, folder, "export", "--parquet", f"{made}/tables"]
        with Path(made, "said").open("w+") as said, Path(os.devnull).open("w") as nowhere:
            process = subprocess.Popen(command, stdout=said, stderr=nowhere)
            _, status, used = os.wait4(process.pid, 0)
            assert status == 0, status
            said.seek(0)
            rows = json.load(said)["rows"]
        size = sum(file.stat().st_size for file in Path(made, "tables").iterdir())
    total, took = sum(rows.values()), used.ru_utime + used.ru_stime
    return (
        f"{folder}: {rows['deals']:,} deals, {total:,} rows, {took:.1f} s of processor, "
        f"{total / took:,.0f} rows/s, {used.ru_maxrss / 1024:.0f} MB at most, {size / 1e6:.1f} MB"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    for folder in parser.parse_args().folders:
        print(measure(folder))


if __name__ == "__main__":
    main()
