"""Writing data as block YAML, with the line and column of every key and value; independent of how they are read."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

Path = tuple[str | int, ...]


class Text(NamedTuple):
    """A text, and the places (line and column, from 1) of the keys and values in it."""

    text: str
    keys: dict[Path, tuple[int, int]]
    values: dict[Path, tuple[int, int]]


def dumped(data: Any) -> Text:
    """All text in quotes, mappings and lists in block style unless they are empty."""
    writer = _Writer()
    writer.value((), data, 0)
    return Text("".join(writer.parts) + "\n", writer.keys, writer.values)


class _Writer:
    def __init__(self) -> None:
        self.parts: list[str] = []
        self.line, self.column = 1, 1
        self.keys: dict[Path, tuple[int, int]] = {}
        self.values: dict[Path, tuple[int, int]] = {}

    def write(self, text: str) -> None:
        self.parts.append(text)
        self.column += len(text)

    def start_line(self, indent: int) -> None:
        self.parts.append("\n")
        self.line, self.column = self.line + 1, 1
        self.write(" " * indent)

    def value(self, path: Path, data: Any, indent: int) -> None:
        """At the present place, which is `indent` columns in."""
        self.values[path] = self.line, self.column
        if isinstance(data, dict) and data:
            for at, (key, part) in enumerate(data.items()):
                if at:
                    self.start_line(indent)
                self.keys[*path, key] = self.line, self.column
                self.write(f"{_scalar(key)}:")
                if isinstance(part, (dict, list)) and part:
                    self.start_line(indent + 2)
                else:
                    self.write(" ")
                self.value((*path, key), part, indent + 2)
        elif isinstance(data, list) and data:
            for at, item in enumerate(data):
                if at:
                    self.start_line(indent)
                self.write("- ")
                self.value((*path, at), item, indent + 2)
        else:
            self.write(_scalar(data))


def _scalar(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
