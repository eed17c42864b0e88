"""What all handlers share: the writer."""

from __future__ import annotations

from referee.log.writer import Writer


class Handler:
    """Handles commands to streams of some kinds, each command in one transaction of the writer.

    A method that records hands ``Writer.plan_and_save`` the function that plans what is written,
    with its arguments: if another writer was first, it is planned again on what that one left.
    """

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
