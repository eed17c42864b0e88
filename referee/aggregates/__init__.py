"""Aggregates: the state of each kind of stream, how it is folded, and what it decides.

Each module has a ``State``-like frozen struct with ``INITIAL``, ``evolve`` (total: it never
refuses) and ``decide`` (commands in, events out, or ``Refused``). No clock, no log, no randomness.
"""
