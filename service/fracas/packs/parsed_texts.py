"""Texts of packs that were parsed before in this process.

``fracas check`` and ``fracas new`` read the built-in packs several times, and a service reads them again when packs
change. Most of that time is the parser's, and most of the texts are the same as before.
"""

from __future__ import annotations

import marshal
from collections import OrderedDict
from threading import Lock
from typing import Final

from fracas.packs.yaml_source import Located, load

LARGEST: Final = 8_000_000
"""Bytes of the texts that are remembered; those that were not asked for the longest go first."""


class ParsedTexts:
    """What `load` made of texts without faults.

    Args:
        largest: see `LARGEST`.
    """

    def __init__(self, largest: int = LARGEST) -> None:
        self._known: OrderedDict[bytes, bytes] = OrderedDict()
        self._left = largest
        self._guard = Lock()

    def __len__(self) -> int:
        return len(self._known)

    def load(self, text: bytes, name: str) -> Located:
        """As `yaml_source.load`; each call gives data of its own, which may be changed.

        Raises:
            YamlError: the text has faults.
        """
        with self._guard:
            known = self._known.get(text)
            if known is not None:
                self._known.move_to_end(text)
        if known is not None:
            data, where = marshal.loads(known)
            return Located(data, where, name)
        located = load(text, name)
        assert not callable(located.where)  # of a text that was parsed just now
        self._remember(text, marshal.dumps((located.data, located.where)))
        return located

    def _remember(self, text: bytes, made: bytes) -> None:
        with self._guard:
            if text not in self._known:
                self._known[text] = made
                self._left -= len(text)
            while self._left < 0:
                forgotten, _ = self._known.popitem(last=False)
                self._left += len(forgotten)


PARSED: Final = ParsedTexts()
"""Those of this process."""
