"""The projector as a process of its own: ``python -m projections [LOG [VIEWS]]``."""

import sys

from projections.process import main

main(sys.argv[1:])
