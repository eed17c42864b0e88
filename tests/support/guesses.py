"""Guesses at secrets by others, until a limit is reached."""

from __future__ import annotations

from flask import Flask

from referee.access.attempts import Subjects, strong_secret_attempt_subjects


def use_up(app: Flask, subjects: Subjects) -> None:
    """Book wrong secrets until the limits of a minute are reached."""
    tried = app.extensions["guinote"]().attempts
    while tried.book_or_refuse(subjects).over is None:
        pass


def use_up_strong(app: Flask, address: str = "127.0.0.1") -> None:
    """All that an address may get wrong in a minute: tokens, invitations, private addresses."""
    use_up(app, strong_secret_attempt_subjects(address))
