"""What all documents of Foundry have: stable ids, keys, and flags that say which entry they are of."""

from __future__ import annotations

import hashlib
import json
import re
import string
from collections.abc import Mapping
from html import escape
from typing import Any, TypeAlias

from fracas.packs.entries import Entry, Pack

Document: TypeAlias = dict[str, Any]

README = "readme"
MODULE = "fracas"
CORE_VERSION = "13.351"
"""The version of Foundry whose form the documents have; 14 brings them up to date by itself."""

COLLECTIONS = {
    "Actor": "actors",
    "Folder": "folders",
    "JournalEntry": "journal",
    "RollTable": "tables",
    "Macro": "macros",
    "Item": "items",
}
EMBEDDED = ("pages", "results", "effects", "categories", "items")
"""Fields of documents that hold further documents. Those of these are empty."""

_DIGITS = string.digits + string.ascii_uppercase + string.ascii_lowercase
_ID_LENGTH = 16


def document_id(type: str, name: str) -> str:
    """The id of the document of a type that is made of something: always the same, so that it is updated.

    Args:
        name: the id of an entry, or another name that nothing else has.

    Returns:
        16 letters and digits, as Foundry demands it.
    """
    number = int.from_bytes(hashlib.sha256(f"{type} {name}".encode()).digest(), "big")
    found = ""
    for _ in range(_ID_LENGTH):
        number, digit = divmod(number, len(_DIGITS))
        found += _DIGITS[digit]
    return found


_RUN = re.compile(r"(\[|[@&]\w+)(?=\[)")
"""What Foundry would run when it shows a text, even an escaped one: rolls, links to documents, and the like."""


def text_html(text: str) -> str:
    """A text as HTML, in which nothing is taken for tags, and nothing is run."""
    return escape(_RUN.sub("\\1\u2060", text))


def entry_flags(pack: Pack, entry: Entry, **more: Any) -> dict[str, Any]:
    """Which entry of which pack a document was made of."""
    return {"pack": pack.id, "entry": entry.id, "version": pack.manifest.version, **more}


def pack_flags(pack: Pack, name: str) -> dict[str, Any]:
    """The same of a document that stands for more than one entry."""
    return {"pack": pack.id, "entry": name, "version": pack.manifest.version}


def finished(
    type: str,
    document: Mapping[str, Any],
    flags: Mapping[str, Any],
    system: tuple[str, str] | None = None,
) -> Document:
    """A document with all that Foundry wants, and a hash of its content in its flags.

    Args:
        document: its own fields, with its ``_id`` and the documents in it, which `embedded` made.
        flags: ours.
        system: id and version of the game system that its type belongs to, so that the system brings nothing up to
            date that is; None for types that every system has.
    """
    collection, id = COLLECTIONS[type], document["_id"]
    found: Document = {"_key": f"!{collection}!{id}", "folder": None, "sort": 0, **document}
    for field in EMBEDDED:
        if field in found:
            keys = (f"!{collection}.{field}!{id}.{each['_id']}" for each in found[field])
            found[field] = [{"_key": key, **each} for key, each in zip(keys, found[field], strict=True)]
    found["ownership"] = {"default": 0}
    found["_stats"] = stats(system)
    return embedded(found, flags)


def stats(system: tuple[str, str] | None) -> dict[str, Any]:
    """Which version of Foundry, and of the game system, a document has the form of."""
    id, version = system or (None, None)
    return {"coreVersion": CORE_VERSION, "systemId": id, "systemVersion": version}


def embedded(document: Mapping[str, Any], flags: Mapping[str, Any]) -> Document:
    """A document in another one, with a hash of its content in its flags."""
    return {**document, "flags": {MODULE: {**flags, "hash": _fingerprint(document, flags)}}}


def _fingerprint(document: Mapping[str, Any], flags: Mapping[str, Any]) -> str:
    """32 hexadecimal digits of the SHA-256 of what a pack says: they change when, and only when, that does.

    So neither the version of the pack counts, nor the order among others, nor when it was written.
    """
    content = {name: value for name, value in document.items() if name not in ("_key", "_stats", "sort")}
    for field in EMBEDDED:
        if field in content:
            content[field] = [(each["_id"], each["flags"][MODULE]["hash"]) for each in content[field]]
    content["flags"] = {name: value for name, value in flags.items() if name != "version"}
    text = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
