"""The projector as a process of its own: ``python -m projections [LOG [VIEWS]]``."""

import sys

from referee.needs import require_posix

require_posix()

from projections.process import main  # noqa: E402 - it imports what Windows lacks

main(sys.argv[1:])
