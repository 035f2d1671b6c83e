"""A reader of what Roll20 documents about its chat, written apart from the writers that it judges.

It finds what Roll20 would find in a message: further messages, commands, rolls, references, questions, fields of a
template, buttons. HTML entities are characters for the browser only, so that they are read last.
"""

from __future__ import annotations

import re
from html import unescape
from typing import NamedTuple

_ENTITY = re.compile(r"&(?:#[0-9]+|#x[0-9a-fA-F]+|[a-zA-Z]+);")
_MARK = "\ue000"
"""Stands for an entity while the rest is read: nothing that Roll20 looks for."""

_LIVE = {
    "roll": re.compile(r"\[\[|\]\]"),
    "attribute": re.compile(r"@\{"),
    "ability": re.compile(r"%\{"),
    "query": re.compile(r"\?\{"),
    "macro": re.compile(r"#[^\s#]"),
    "result": re.compile(r"\$\[\["),
    "comment": re.compile(r"<|>"),
    "link": re.compile(r"[a-zA-Z]+://|www\."),
}
_FIELD = re.compile(r"\{\{(.*?)\}\}", re.S)
_BUTTON = re.compile(r"\[([^\[\]]*)\]\(([^()]*)\)")


class Message(NamedTuple):
    """What Roll20 makes of one line.

    Attributes:
        kind: ``command`` (for Mods), ``slash``, ``template`` or ``text``.
        fields: of a template, as a browser shows them; buttons as their labels.
        buttons: label and command of each.
        live: what else Roll20 would act upon, outside of buttons.
    """

    kind: str
    template: str
    fields: tuple[tuple[str, str], ...]
    buttons: tuple[tuple[str, str], ...]
    live: tuple[str, ...]


def messages(text: str) -> list[Message]:
    """What Roll20 makes of a text that is pasted into its chat: a message a line."""
    return [_message(line) for line in re.split(r"[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]", text) if line.strip()]


def _message(line: str) -> Message:
    entities = _ENTITY.findall(line)
    plain = _ENTITY.sub(_MARK, line)
    if plain.lstrip().startswith("!"):
        return Message("command", "", (), (), _live(plain))
    if plain.lstrip().startswith("/"):
        return Message("slash", "", (), (), _live(plain))
    buttons = tuple((label, command) for label, command in _BUTTON.findall(plain))
    without = _BUTTON.sub(lambda found: found[1], plain)
    opened = re.match(r"&\{template:([a-z]+)\} ", without)
    if not opened:
        return Message("text", "", (), buttons, _live(without))
    rest = without[opened.end() :]
    fields = _FIELD.findall(rest)
    left = _FIELD.sub("", rest)
    live = _live(" ".join([left, *fields]))
    if re.search(r"[{}&@%?\[\]]", left + "".join(fields)):
        live += ("bare",)
    found = iter(entities)
    shown = []
    for field in fields:
        key, equals, value = field.partition("=")
        assert equals, f"a field without a value: {field!r}"
        shown.append((_shown(key, found), _shown(value, found)))
    return Message("template", opened[1], tuple(shown), buttons, live)


def _shown(text: str, entities: object) -> str:
    """As a browser shows it, without the stars of bold letters."""
    restored = re.sub(_MARK, lambda _: next(entities), text)  # type: ignore[call-overload]
    return unescape(restored.replace("**", ""))


def _live(text: str) -> tuple[str, ...]:
    return tuple(name for name, found in _LIVE.items() if found.search(text))
