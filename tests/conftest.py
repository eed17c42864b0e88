"""What every test starts from: no settings of the machine, and examples that can be repeated."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

for name in [name for name in os.environ if name.startswith("GUINOTE_")]:
    del os.environ[name]

# Two busy cores say nothing about a rule: no deadline anywhere. In CI the same examples each time.
settings.register_profile("dev", deadline=None)
settings.register_profile(
    "ci",
    deadline=None,
    derandomize=True,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("ci" if os.environ.get("CI") else "dev")
