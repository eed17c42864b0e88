"""A club that signs and publishes results, made without a house."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec

from referee.aggregates.publication import digest_of_month, fingerprint_of_club_key
from referee.audit.checkpoint import SigningKey
from referee.audit.proofs import ProvedEvent
from referee.audit.result_files import (
    FORMAT,
    PublishedPerson,
    SignedResults,
    digests_of_names,
)
from referee.events.rankings import Month, ResultsIssued, StatedResult
from referee.kinds import PUBLICATION_ID
from referee.log.merkle import (
    canonical_json,
    entry_bytes_of_event,
    inclusion_path,
    leaf_hash,
    root_of_leaves,
)


class SigningClub:
    """A club whose log has nothing but what it published. ``number``: its key depends on it."""

    def __init__(self, number: int) -> None:
        self._key = SigningKey(f"club-{number}.example", number.to_bytes(32, "big"))
        self._leaves: list[bytes] = []
        self.key = self._key.public.text
        self.fingerprint = fingerprint_of_club_key(self.key)

    def publish(
        self,
        people: Sequence[PublishedPerson],
        months: Mapping[Month, tuple[StatedResult, ...]],
        at: datetime,
    ) -> SignedResults:
        """Sign the next publication."""
        index = len(self._leaves)
        names, nonce = [(one.person, one.name) for one in people], f"nonce {index}"
        issued = ResultsIssued(
            tuple(one.person_without_name for one in people),
            digests_of_names(self._key.name, names, nonce),
            {month: digest_of_month(month, results) for month, results in months.items()},
            nonce,
        )
        envelope = {"by": "", "on": "program", "line": index + 1, "salt": f"{index:022}"}
        state = {"at": at.isoformat(), **envelope, "fact": msgspec.to_builtins(issued)}
        stored = (PUBLICATION_ID.hex, index + 1, "ResultsIssued.1")
        entry = entry_bytes_of_event(*stored, canonical_json(state))
        self._leaves.append(leaf_hash(entry))
        path = inclusion_path(index, index + 1, lambda a, b: root_of_leaves(self._leaves[a:b]))
        proved = ProvedEvent(index, *stored, state, entry.decode(), _in_base64(path))
        checkpoint = self._key.sign_checkpoint(index + 1, root_of_leaves(self._leaves))
        return SignedResults(
            *(FORMAT, self._key.name, nonce, tuple(people), months),
            *(self.key, checkpoint, proved),
        )


def _in_base64(path: Sequence[bytes]) -> tuple[str, ...]:
    return tuple(msgspec.to_builtins(path))
