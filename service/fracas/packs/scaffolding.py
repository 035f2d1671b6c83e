"""Writing entries for people to fill in: every field of the schema, explained in comments.

A field that the entry has stands as it is; one that it may have stands behind a ``#``, with the schema's example. Above
each a comment says what it means and what it may be.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from fracas.errors import FracasError, PackError, Problem
from fracas.packs.entries import SLUG, Entry
from fracas.packs.files import PackFiles
from fracas.packs.schema_fields import Field, Form, completed, description_of, form
from fracas.packs.schemas import folder_of, names, schema
from fracas.packs.yaml_editing import EditError, append_entry
from fracas.packs.yaml_source import YamlError
from fracas.packs.yaml_writing import flow, mapping_lines

MARGIN = 4
"""Columns in front of the fields of an entry in its file."""

COMMENT_WIDTH = 100
"""Columns of a line of comment, with what stands in front of it."""


TO_FILL_IN = "# an example: put your own here"
"""Stands behind a value that is nothing but the schema's example, until the author takes it away."""

MADE_AFTER = "# Made after {}. Change it, or delete it."
"""Stands in front of an entry of a new pack, until the author takes it away."""

_LEFT = re.compile(
    rf"^ +(?:(?P<field>(?:- )?(?P<name>[a-z_]+):.*{re.escape(TO_FILL_IN)})"
    rf"|(?P<entry>{re.escape(MADE_AFTER).replace(re.escape('{}'), '.*')})"
    r"|- (?:slug|patch): *(?P<id>\S+))[ \r]*$",
    re.MULTILINE,
)
_MOST_LEFT = 5
"""Fields that a warning names."""


class Patch(NamedTuple):
    """What a patch changes.

    Attributes:
        values: the new values of fields.
        unset: fields that it takes away.
        examples: fields of `values` for which the author has to write a value.
    """

    values: Mapping[str, Any]
    unset: Sequence[str] = ()
    examples: Collection[str] = ()


class ScaffoldError(FracasError):
    """Something cannot be written for an author to fill in."""

    code = "cannot-scaffold"


def check_slug(slug: str, what: str = "slug") -> None:
    """
    Raises:
        ScaffoldError: it is no slug; the message proposes one.
    """
    if SLUG.fullmatch(slug):
        return
    proposal = re.sub(r"[^a-z0-9]+", "-", slug.casefold()).strip("-")[:64].rstrip("-")
    hint = f" (did you mean {proposal!r}?)" if proposal else ""
    message = f"{slug!r} is no {what}: small letters, digits and hyphens are expected, at most 64{hint}"
    raise ScaffoldError(message)


def check_text(text: str, what: str) -> None:
    """
    Raises:
        ScaffoldError: it is not text of one line that can be written to a file.
    """
    if any(not character.isprintable() for character in text):
        raise ScaffoldError(f"the {what} {text!r} holds a character that cannot be shown")


def with_article(word: str) -> str:
    """The name of a kind as it stands in a sentence: ``an action``, but ``armor``."""
    if word in ("armor", "ammunition"):
        return word
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"


def label_of(slug: str) -> str:
    """A first label for an entry: ``back-alley-special`` as ``Back alley special``."""
    return slug.replace("-", " ").capitalize()


def new_values(
    kind: str, ruleset: str, slug: str, label: str, source: str, like: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The values of a new entry.

    Args:
        kind: ``weapons``.
        source: id of a source of the pack.
        like: data of another entry to begin with; without it the required fields get the schema's examples.
    """
    own = {"slug": slug, "label": label, "source": {"ref": source}}
    return completed(kind, ruleset, {**(like or {}), **own})


def explained_lines(
    kind: str, ruleset: str, values: Mapping[str, Any], examples: Collection[str] = ()
) -> list[str]:
    """The lines of an entry with all its fields explained, as `yaml_editing.append_entry` takes them.

    What such an entry is stands in front of its first field.

    Args:
        examples: fields whose values are examples that the author has to replace; they are marked.
    """
    shape = form(kind, ruleset, values)
    lines = [*_comment(_heading(shape)), *_comment(_HOW_TO_USE)]
    for field in shape.fields:
        lines += _explanation(field)
        if field.name in values:
            first, *more = mapping_lines({field.name: values[field.name]}, MARGIN)
            lines += [f"{first}  {TO_FILL_IN}" if field.name in examples else first, *more]
        else:
            lines.append(f"#{field.name}: {flow(field.example)}")
    return lines


def left_examples(files: PackFiles) -> Iterator[Problem]:
    """What is still as it was written for the author: a warning for each entry with values that `explained_lines` or
    `patch_lines` marked, and one for all entries that are the examples of a new pack."""
    whole: list[str] = []
    for name in files.names:
        try:
            text = files.read(name).decode("utf-8", "replace")
        except OSError:
            continue  # the reading of the pack reports it
        id, marked = "", dict[str, list[tuple[str, str]]]()
        for found in _LEFT.finditer(text):
            start = found.start() + len(found[0]) - len(found[0].lstrip())
            line = text.count("\n", 0, start) + 1
            where = f"{files.name(name)}:{line}:{start - text.rfind(chr(10), 0, start)}"
            if found["entry"]:
                whole.append(where)
            elif found["field"]:
                marked.setdefault(id, []).append((where, found["name"]))
            else:
                id = found["id"]
        for entry, fields in marked.items():
            named = ", ".join(field for _, field in fields[:_MOST_LEFT])
            more = f" and {len(fields) - _MOST_LEFT} more" if len(fields) > _MOST_LEFT else ""
            message = f"{entry} still has values that 'fracas new' wrote as examples: {named}{more}"
            hint = "write your own, and take away the comment behind each"
            yield Problem(fields[0][0], "example-left", message, hint)
    if whole:
        count = "1 entry is" if len(whole) == 1 else f"{len(whole)} entries are"
        hint = "change or delete each, and take away the comment 'Made after ...' in front of it"
        yield Problem(whole[0], "example-left", f"{count} still as 'fracas new pack' wrote examples", hint)


def plain_lines(kind: str, ruleset: str, values: Mapping[str, Any]) -> list[str]:
    """The lines of an entry without comments, its fields in the order of the schema."""
    order = [field.name for field in form(kind, ruleset, values).fields]
    return mapping_lines({name: values[name] for name in order if name in values}, MARGIN)


def patch_lines(entry: Entry, ruleset: str, patch: Patch, source: str) -> list[str]:
    """The lines of a patch of an entry, as `yaml_editing.append_entry` takes them.

    Fields that stay as they are stand behind a ``#``, with their values.

    Args:
        source: id of a source of the pack that changes it.
    """
    kind = folder_of(entry.kind)
    titles = {field.name: field.title for field in form(kind, ruleset, entry.data).fields}
    now = {"label": entry.label, **{name: entry.data[name] for name in titles if name in entry.data}}
    there = {**entry.meta, **now}
    expected = {name: there[name] for name in (*patch.values, *patch.unset) if name in there}
    lines = _comment(f"Patch of {entry.label}: it changes fields of that entry and leaves all others.")
    lines += mapping_lines({"patch": entry.id})
    if expected:
        lines += _comment(
            f"Expects: what these fields are now. The check reports it if {entry.pack} changes one."
        )
        lines += ["expects:", *(f"  {line}" for line in mapping_lines(expected, MARGIN + 2))]
    if patch.values:
        lines += _comment("Set: the new values. To change another field, take the # in front of it away.")
        lines.append("set:")
        for name in (*now, *(name for name in patch.values if name not in now)):
            if name in patch.values:
                first, *more = mapping_lines({name: patch.values[name]}, MARGIN + 2)
                note = TO_FILL_IN if name in patch.examples else f"# {titles.get(name, name)}"
                lines += [f"  {first}  {note}", *(f"  {line}" for line in more)]
            elif name not in patch.unset:
                lines.append(f"  #{name}: {flow(now[name])}")
    if patch.unset:
        lines += mapping_lines({"unset": list(patch.unset)}, MARGIN)
    return [*lines, *mapping_lines({"source": {"ref": source}}, MARGIN)]


def new_file(kind: str, ruleset: str, schemas: str) -> str:
    """A file without entries, with the line that shows editors where its schema is.

    Args:
        schemas: path or address of the folder of schemas, as seen from the file.
    """
    lines = [
        f"# yaml-language-server: $schema={schemas.rstrip('/')}/{kind}.schema.json",
        *_wrapped(f"# {description_of(kind)}", COMMENT_WIDTH, "# "),
        f"kind: {kind}",
        f"ruleset: {ruleset}",
        "entries:",
    ]
    return "\n".join(lines) + "\n"


def with_entry(
    before: bytes | None, name: str, kind: str, ruleset: str, schemas: str, lines: Sequence[str]
) -> str:
    """A file of entries with one more, as `explained_lines` gives it.

    Args:
        before: what is in the file; None for a new one.
        name: what to call it in messages.
        schemas: for a new file, as in `new_file`.

    Raises:
        PackError: nothing can be added to what is there.
    """
    try:
        if before is None:
            return append_entry(new_file(kind, ruleset, schemas), lines)
        return append_entry(before.decode(), ["", *lines])
    except UnicodeDecodeError as error:
        raise PackError([Problem(name, "not-text", "the file is not UTF-8", "save it as UTF-8")]) from error
    except EditError as error:
        line, column = error.position
        raise PackError([Problem(f"{name}:{line}:{column}", "cannot-append", error.message)]) from error
    except YamlError as error:
        raise PackError(
            Problem(f"{name}:{line}:{column}", code, message, hint)
            for code, message, (line, column), hint in error.problems
        ) from error


# --- Comments -------------------------------------------------------------------------------------------


_HOW_TO_USE = "Fields behind a # are left out. Take the # away to use one."


def _heading(shape: Form) -> str:
    return f"{shape.title}: {_continued(shape.description)}" if shape.description else shape.title


def _explanation(field: Field) -> list[str]:
    meaning = f"{field.title}: {_continued(field.description)}" if field.description else f"{field.title}."
    together = _comment(f"{meaning} {field.allowed}".rstrip())
    if len(together) == 1:
        return together
    return _comment(meaning) + [f"#   {line[2:].lstrip()}" for line in _comment(field.allowed, 2)]


def _comment(text: str, indent: int = 0) -> list[str]:
    return _wrapped(f"# {text}", COMMENT_WIDTH - MARGIN - indent, "#   ") if text else []


def _wrapped(text: str, width: int, following: str) -> list[str]:
    return textwrap.wrap(
        text, width, subsequent_indent=following, break_long_words=False, break_on_hyphens=False
    )


def _continued(sentences: str) -> str:
    """Sentences as they go on behind a colon: in a small letter, unless the first word is one of the game's terms."""
    first = re.match(r"[A-Z](?=[a-z]|\b)[a-z]*", sentences)
    if first is None or first.group() in _terms():
        return sentences
    return sentences[0].lower() + sentences[1:]


@cache
def _terms() -> frozenset[str]:
    """Words that the schemas write with a capital in the middle of sentences."""
    inner = re.compile(r"(?<=[a-z,;)] )[A-Z][a-z]+\b")
    return frozenset(
        word for name in names() for text in _descriptions(schema(name)) for word in inner.findall(text)
    )


def _descriptions(part: Any) -> Iterator[str]:
    if isinstance(part, Mapping):
        if isinstance(part.get("description"), str):
            yield part["description"]
        for inner in part.values():
            yield from _descriptions(inner)
    elif isinstance(part, Sequence) and not isinstance(part, str):
        for inner in part:
            yield from _descriptions(inner)
