"""Reading a pack's manifest, ``pack.yaml``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fracas.errors import Problem, suggestion
from fracas.packs.entries import SLUG, HouseRule, Manifest
from fracas.packs.yaml_source import Located

SCHEMA_VERSION = 2
STATUSES = ("ready", "wip", "deprecated")
RULE_TYPES = ("flag", "choice", "whole")
_SEMVER = re.compile(r"\d+\.\d+\.\d+([-+][0-9A-Za-z.+-]+)?")
_RULE_ID = re.compile(r"[a-z][a-z0-9_]{0,63}")
_FIELDS = ("id", "title", "version", "schema_version", "ruleset", "status")


def place(located: Located, path: Sequence[str | int]) -> str:
    """``file:line:column`` of a value."""
    position = located.position(path)
    return f"{located.name}:{position.line}:{position.column}"


def read_manifest(located: Located, problems: list[Problem]) -> Manifest | None:
    """The manifest, or None with its faults among the problems."""
    raw = located.data
    if not isinstance(raw, Mapping):
        problems.append(Problem(place(located, ()), "bad-manifest", "a manifest is a mapping"))
        return None
    faults = [
        Problem(place(located, ()), "missing-field", f"the manifest lacks {name!r}")
        for name in _FIELDS
        if name not in raw
    ]
    faults += _plain_faults(located, raw)
    options = _options(located, raw.get("options") or {}, faults)
    caps = raw.get("stack_caps") or {}
    if not isinstance(caps, Mapping) or not all(_is_whole(cap) for cap in caps.values()):
        faults.append(
            Problem(place(located, ("stack_caps",)), "wrong-type", "stack_caps maps types to whole numbers")
        )
    if faults:
        problems.extend(faults)
        return None
    return Manifest(
        raw["id"],
        raw["title"],
        raw["version"],
        raw["schema_version"],
        raw["ruleset"],
        raw["status"],
        options,
        caps,
        raw,
    )


def _plain_faults(located: Located, raw: Mapping[str, Any]) -> Iterable[Problem]:
    for name, fits, wanted in (
        (
            "id",
            lambda value: isinstance(value, str) and SLUG.fullmatch(value),
            "small letters, digits and hyphens",
        ),
        ("title", lambda value: isinstance(value, str) and value, "text"),
        (
            "version",
            lambda value: isinstance(value, str) and _SEMVER.fullmatch(value),
            "three numbers such as 1.0.0",
        ),
        (
            "schema_version",
            lambda value: value == SCHEMA_VERSION and _is_whole(value),
            f"the number {SCHEMA_VERSION}",
        ),
        ("ruleset", lambda value: isinstance(value, str) and SLUG.fullmatch(value), "the id of a ruleset"),
        ("status", lambda value: value in STATUSES, " or ".join(STATUSES)),
    ):
        if name in raw and not fits(raw[name]):
            yield Problem(place(located, (name,)), "bad-manifest", f"{name} is {wanted}, not {raw[name]!r}")


def _options(located: Located, raw: Any, faults: list[Problem]) -> tuple[HouseRule, ...]:
    if not isinstance(raw, Mapping):
        faults.append(
            Problem(place(located, ("options",)), "wrong-type", "options is a mapping of house rules")
        )
        return ()
    rules = []
    for id, rule in raw.items():
        fault = _rule_fault(id, rule)
        if fault:
            message, hint = fault
            faults.append(Problem(place(located, ("options", id)), "bad-option", message, hint))
        else:
            choices = tuple(rule.get("choices", ()))
            label, doc = str(rule.get("label", id)), str(rule.get("doc", ""))
            rules.append(HouseRule(id, rule["type"], rule["default"], label, doc, choices))
    return tuple(rules)


def _rule_fault(id: str, rule: Any) -> tuple[str, str | None] | None:
    """What is wrong with a house rule, and a hint."""
    if not _RULE_ID.fullmatch(id):
        return f"{id!r} is no name of an option: small letters, digits and underscores", None
    if not isinstance(rule, Mapping) or "default" not in rule:
        return f"the option {id!r} is a mapping with a type and a default", None
    kind, default, choices = rule.get("type"), rule["default"], rule.get("choices", [])
    if kind not in RULE_TYPES:
        return f"{kind!r} is no type of an option", suggestion(kind, RULE_TYPES)
    if kind == "choice":
        words = isinstance(choices, list) and all(isinstance(word, str) for word in choices)
        if not words or default not in choices:
            return f"the choices of {id!r} are a list of words with the default among them", None
    elif not (isinstance(default, bool) if kind == "flag" else _is_whole(default)):
        return f"the default of {id!r} is {'true or false' if kind == 'flag' else 'a whole number'}", None
    return None


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
