"""What entries say with the labels that people know: of requirements, of procedures, and of the entries they name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fracas.exports.readable import Line, lines, readable
from fracas.packs.attached import FIGHTS
from fracas.packs.entries import Entry
from fracas.packs.flows import flows, path_of
from fracas.packs.library import RulesetPacks
from fracas.packs.references import reference_fields


class Labels:
    """The labels of the packs of a ruleset."""

    def __init__(self, packs: RulesetPacks) -> None:
        self._packs = packs
        self._needs: dict[str, str] = {}
        for pack in packs.packs:
            if FIGHTS in pack.attached:
                declared: Mapping[str, Any] = pack.attached[FIGHTS].data.get("needs", {})
                self._needs |= {word: need["label"] for word, need in declared.items()}
        self._procedures = flows(packs.ruleset) if path_of(packs.ruleset).is_file() else {}

    def lines(self, entry: Entry) -> list[Line]:
        """`readable.lines` of an entry, with labels in place of the words that only packs use."""
        return [line._replace(text=self._shown(entry, line)) for line in lines(entry, self._packs.ruleset)]

    def _shown(self, entry: Entry, line: Line) -> str:
        value = entry.data[line.name]
        if entry.kind == "action" and line.name == "needs":
            return "; ".join(self._needs.get(word) or _in_words(word) for word in value)
        if line.name == "procedure":
            flow = self._procedures.get(value)
            return flow.nodes[0].title if flow else _in_words(value)
        kind = reference_fields(self._packs.ruleset, entry.kind).get((line.name,))
        if kind is None or isinstance(value, Mapping):
            return line.text
        return readable(list(self._named(kind, [value] if isinstance(value, str) else value)))

    def _named(self, kind: str, references: Iterable[Any]) -> Iterable[Any]:
        for reference in references:
            found = self._packs.entry(kind, reference) if isinstance(reference, str) else None
            yield found.label if found else reference


def _in_words(slug: str) -> str:
    return slug.replace("-", " ")
