"""Lines with colours on a terminal, and without them in a pipe.

rich does what terminals differ in: it asks old consoles of Windows for their colours in their own way, and leaves
colours out where NO_COLOR is set or the terminal has none.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Sequence

from fracas.cli.options import say

PIPED_WIDTH = 120
"""Columns of a line that goes elsewhere than to a terminal, unless the variable COLUMNS says it."""

_HANGING = 4
"""Columns by which a line goes on deeper than it begins."""


def to_terminal() -> bool:
    """Whether people see the output as it is printed."""
    return sys.stdout.isatty()


def line_width() -> int:
    """Columns of the terminal, or of a line where there is none."""
    return shutil.get_terminal_size((PIPED_WIDTH, 24)).columns


def print_lines(lines: Iterable[Sequence[tuple[str, str]]]) -> None:
    """Print lines made of pieces, each with a style of rich or "".

    On a terminal, a line that is too long is broken between words and goes on deeper. In a pipe each stays whole.
    """
    if not to_terminal():
        for line in lines:
            say("".join(text for text, _ in line).rstrip())
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, width=line_width())
    for line in lines:
        whole = Text.assemble(*line)
        whole.rstrip()
        if whole.cell_len <= console.width:
            console.print(whole)
            continue
        indent = len(whole.plain) - len(whole.plain.lstrip()) + _HANGING
        first, *more = whole.wrap(console, max(console.width - indent, _HANGING))
        for at, part in enumerate((first, *more)):
            part.rstrip()
            console.print(Text(" " * indent if at else "").append_text(part))
