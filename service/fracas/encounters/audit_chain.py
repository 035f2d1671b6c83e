"""The chain of a log: each event carries the hash of the one before, and the log that of the last."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from fracas.encounters.audit_dice import DiffersError
from fracas.encounters.events import NOTHING_BEFORE, digest

_HASH = re.compile(r"[0-9a-f]{64}")
_SALT = re.compile(r"[0-9a-f]{32}")


class Chain:
    """Follows the hashes of a log.

    Args:
        complete: the log shows everything; of what is left out, the hash cannot be recomputed.
        known: the log is of a version that has hashes.

    Attributes:
        first: the version of the first event that has one; 0 for none.
        heads: the hash of each event, as far as the log has it, by its version.
    """

    def __init__(self, complete: bool, known: bool) -> None:
        self.first = 0
        self.heads: dict[int, str] = {}
        self._complete = complete
        self._known = known

    def event(self, version: int, raw: Mapping[str, Any]) -> None:
        """One more event.

        Raises:
            DiffersError: it does not carry the hash of the one before.
        """
        reported = raw.get("previous")
        if reported is None and not self.first:
            if self._complete and "salt" in raw:
                raise DiffersError("chain", "salt", "an event without a hash has none")
            if self._complete:
                self.heads[version] = digest(raw)
            return
        if not self._known:
            raise DiffersError("chain", "previous", "logs of this version have no hashes")
        if not isinstance(reported, str) or not _HASH.fullmatch(reported):
            raise DiffersError("chain", "previous", "it carries no hash of the event before")
        self.first = self.first or version
        if self._complete:
            if not isinstance(raw.get("salt"), str) or not _SALT.fullmatch(raw["salt"]):
                raise DiffersError("chain", "salt", "32 hexadecimal digits are expected")
            before = self.heads[version - 1] if version > 1 else NOTHING_BEFORE
            if reported != before:
                where = "previous, the hash of the event before"
                raise DiffersError("chain", where, found=reported, expected=before)
            self.heads[version] = digest(raw)
        else:
            self.heads[version - 1] = reported

    def end(self, version: int, head: Any) -> None:
        """The log is over.

        Raises:
            DiffersError: its head is not the hash of its last event.
        """
        if not self._known:
            return
        expected = self.heads.get(version)
        if not isinstance(head, str) or not _HASH.fullmatch(head):
            raise DiffersError("chain", "head", "it is no hash: 64 hexadecimal digits are")
        if expected is not None and head != expected:
            raise DiffersError("chain", "head, the hash of the last event", found=head, expected=expected)
        self.heads[version] = head

    def noted(self, head: str) -> int:
        """The event whose hash a player noted, or its beginning.

        Raises:
            DiffersError: no event has it.
        """
        for version, known in self.heads.items():
            if version and known.startswith(head):
                return version
        raise DiffersError("chain", "head, as it was noted", "no event of the log has this hash", head, None)
