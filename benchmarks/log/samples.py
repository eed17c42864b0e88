"""Repeated import of samples through the services: durable acts per second.

Run as ``python -m benchmarks.log.samples [--times 100]``.
"""

from __future__ import annotations

import argparse
import secrets
import tempfile
import time
import uuid
from pathlib import Path

from api.cli.referee_command import FileReferee, freeze_profile_for_sample
from api.server import wiring
from referee.application import Referee
from referee.log.sqlite.recorder import create_tables
from referee.record.samples import parse_sample
from referee.rules.profile.profile import profile
from tests.support.records.samples import samples


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--times", type=int, default=100)
    args = asked.parse_args()
    played_elsewhere = [parse_sample(one) for one in samples()]
    club = profile("club")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log.sqlite"
        create_tables(path)
        referee = Referee(path, salt=secrets.token_bytes, new_id=uuid.uuid4)
        bench, acts = FileReferee(referee, wiring.now), 0
        wall, cpu = time.perf_counter(), time.process_time()
        for _ in range(args.times):
            for sample in played_elsewhere:
                played = [act for deal in sample.deals for act in deal]
                acts += len(played)
                view = bench.record_and_report_partida(
                    bench.open_encuentro(freeze_profile_for_sample(sample, club)), played
                )
                assert view["winner"], view
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        referee.close()
        size = path.stat().st_size / acts
    print(f"{acts} acts: {acts / wall:.0f} a second, {cpu / acts * 1000:.2f} ms CPU an act,")
    print(f"{size:.0f} bytes an act on disk")


if __name__ == "__main__":
    main()
