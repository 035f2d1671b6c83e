"""Output in encodings that lack some characters, such as those of old consoles and of pipes on Windows."""

from __future__ import annotations

import codecs
import io
import sys
import unicodedata

LOOK_ALIKE = "fracas.look-alike"
"""The error handler of codecs that writes a character of ASCII which looks alike."""

_LOOK_ALIKES = {
    "█": "#",
    "▏": "|",
    "…": "~",  # one character, since it stands where a cell of a table is cut
    "−": "-",
    "–": "-",
    "—": "-",
    "×": "x",
    "→": "->",
    "≥": ">=",
    "≤": "<=",
    "≠": "!=",
    "⁄": "/",
    "†": "*",
    "‡": "**",
    "„": '"',
    "“": '"',
    "”": '"',
    "‘": "'",
    "’": "'",
}


def print_look_alikes() -> None:
    """Let no character stop what this process prints: where the encoding lacks it, print one that looks alike."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a program without a console has none
            stream.reconfigure(errors=LOOK_ALIKE)


def look_alike(error: UnicodeError) -> tuple[str, int]:
    """What to write for the characters that an encoding lacks, and where to go on; "?" for those like no other.

    Raises:
        UnicodeError: the error itself, if it is not one of encoding.
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_look_alike, error.object[error.start : error.end])), error.end


def _look_alike(character: str) -> str:
    parts = character if character in _LOOK_ALIKES else unicodedata.normalize("NFKD", character)
    return "".join(_LOOK_ALIKES.get(part, part if part.isascii() else "") for part in parts) or "?"


codecs.register_error(LOOK_ALIKE, look_alike)
