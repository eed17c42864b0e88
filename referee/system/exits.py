"""Exit codes of ``sysexits``, by which whoever supervises a service tells its ends apart.

Python has them under ``os`` where the system has them, which Windows has not.
"""

from __future__ import annotations

from typing import Final

EX_DATAERR: Final = 65
EX_NOINPUT: Final = 66
EX_UNAVAILABLE: Final = 69
EX_CANTCREAT: Final = 73
EX_IOERR: Final = 74
EX_TEMPFAIL: Final = 75
EX_NOPERM: Final = 77
EX_CONFIG: Final = 78
