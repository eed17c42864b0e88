"""The system: what POSIX and Windows do each in their own way, under one name for both.

``ports`` is the side of this computer: that of POSIX where its modules are, else that of Windows.
No other module asks the system for what only one of them has.
"""

from __future__ import annotations

try:
    from referee.system import posix as ports
except ModuleNotFoundError:  # fcntl
    from referee.system import windows as ports  # type: ignore[no-redef]  # as posix has it

__all__ = ("ports",)
