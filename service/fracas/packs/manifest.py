"""Reading a pack's manifest, ``pack.yaml``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fracas.errors import Problem, suggestion
from fracas.packs import certainty
from fracas.packs.entries import LAYERS, SLUG, HouseRule, Location, Manifest, Other
from fracas.packs.yaml_source import Located

SCHEMA_VERSION = 2
STATUSES = ("ready", "wip", "deprecated")
RULE_TYPES = ("flag", "choice", "whole")
_SEMVER = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9}){2}([-+][0-9A-Za-z.+-]{1,60})?")
_RULE_ID = re.compile(r"[a-z][a-z0-9_]{0,63}")
_CONDITION = r"(==|!=|<=|>=|<|>)[0-9]{1,9}(\.[0-9]{1,9}){0,2}"
_VERSIONS = re.compile(f"{_CONDITION}(,{_CONDITION})*")
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
    faults += _cap_faults(located, caps, [rule.id for rule in options if rule.type == "whole"])
    defaults = raw.get("option_defaults") or {}
    if not isinstance(defaults, Mapping):
        message = "option_defaults maps options to values"
        faults.append(Problem(place(located, ("option_defaults",)), "wrong-type", message))
    requires = _others(located, "requires", faults)
    conflicts = _others(located, "conflicts", faults)
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
        Location(located, ()),
        raw.get("layer", "core"),
        requires,
        conflicts,
        defaults,
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
        ("ruleset", lambda value: isinstance(value, str) and SLUG.fullmatch(value), "the id of a ruleset"),
        ("status", lambda value: value in STATUSES, " or ".join(STATUSES)),
        ("layer", lambda value: value in LAYERS, " or ".join(LAYERS)),
    ):
        if name in raw and not fits(raw[name]):
            yield Problem(place(located, (name,)), "bad-manifest", f"{name} is {wanted}, not {raw[name]!r}")
    folder = located.name.rpartition("/")[0] or "."
    if "schema_version" in raw and (fault := _version_fault(raw["schema_version"], folder)):
        yield Problem(place(located, ("schema_version",)), *fault)


def _version_fault(version: Any, folder: str) -> tuple[str, str, str | None] | None:
    if not _is_whole(version) or version < 1:
        return "bad-manifest", f"schema_version is the number {SCHEMA_VERSION}, not {version!r}", None
    if version < SCHEMA_VERSION:
        message = f"the pack has schema_version {version}, and this is {SCHEMA_VERSION}"
        return "old-schema-version", message, f"run: fracas migrate {folder}"
    if version > SCHEMA_VERSION:
        message = f"the pack has schema_version {version}; this Fracas knows versions up to {SCHEMA_VERSION}"
        return "new-schema-version", message, "update Fracas"
    return None


def _cap_faults(located: Located, caps: Any, counted: Sequence[str]) -> Iterable[Problem]:
    """What is wrong with caps: each is a whole number, or the house rule of the pack that is one."""
    if not isinstance(caps, Mapping):
        message = "stack_caps maps types to whole numbers"
        yield Problem(place(located, ("stack_caps",)), "wrong-type", message)
        return
    for stack, cap in caps.items():
        if not _is_whole(cap) and cap not in counted:
            message = f"a cap is a whole number, or an option of this pack that is one, not {cap!r}"
            location = place(located, ("stack_caps", stack))
            yield Problem(location, "wrong-type", message, suggestion(str(cap), counted))


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
            part, message, hint = fault
            faults.append(Problem(place(located, ("options", id, *part)), "bad-option", message, hint))
        else:
            choices = tuple(rule.get("choices", ()))
            label, doc = str(rule.get("label", id)), str(rule.get("doc", ""))
            former, labels = dict(rule.get("former") or {}), dict(rule.get("labels") or {})
            about = {name: rule[name] for name in ("source", *certainty.FIELDS) if name in rule}
            rules.append(
                HouseRule(id, rule["type"], rule["default"], label, doc, choices, former, about, labels)
            )
    return tuple(rules)


def _rule_fault(id: str, rule: Any) -> tuple[tuple[str, ...], str, str | None] | None:
    """What is wrong with a house rule: in which part of it, what, and a hint."""
    if not _RULE_ID.fullmatch(id):
        return (), f"{id!r} is no name of an option: small letters, digits and underscores", None
    if not isinstance(rule, Mapping) or "default" not in rule:
        return (), f"the option {id!r} is a mapping with a type and a default", None
    kind, choices = rule.get("type"), rule.get("choices", [])
    if kind not in RULE_TYPES:
        return ("type",), f"{kind!r} is no type of an option", suggestion(kind, RULE_TYPES)
    words = isinstance(choices, list) and all(isinstance(word, str) for word in choices)
    if kind == "choice" and not words:
        return ("choices",), f"the choices of {id!r} are a list of words with the default among them", None
    former = rule.get("former") or {}
    if not isinstance(former, Mapping) or any(now not in choices for now in former.values()):
        return (
            ("former",),
            f"the former names of {id!r} are words, each with the choice that it stands for",
            None,
        )
    labels = rule.get("labels") or {}
    if not isinstance(labels, Mapping) or any(choice not in choices for choice in labels):
        return ("labels",), f"the labels of {id!r} are texts, each for one of its choices", None
    complaint = value_fault(HouseRule(id, kind, None, id, "", tuple(choices or ())), rule["default"])
    return (("default",), f"the default of {id!r}: {complaint[0]}", complaint[1]) if complaint else None


def value_fault(rule: HouseRule, value: Any) -> tuple[str, str | None] | None:
    """Why a house rule cannot have a value, and a hint; None if it can."""
    if rule.type == "choice":
        if rule.current(value) not in rule.choices:
            return f"{value!r} is not known here", suggestion(value, rule.choices)
    elif rule.type == "flag":
        if not isinstance(value, bool):
            return f"true or false is expected, not {_shown(value)}", None
    elif not _is_whole(value):
        return f"a whole number is expected, not {_shown(value)}", None
    elif not -1000 <= value <= 1000:
        return f"a whole number from -1000 to 1000 is expected, not {value}", None
    return None


def _shown(value: Any) -> str:
    """A value as YAML has it."""
    return str(value).lower() if isinstance(value, bool) else repr(value)


def _others(located: Located, field: str, faults: list[Problem]) -> tuple[Other, ...]:
    raw = located.data.get(field) or []
    if not isinstance(raw, list):
        faults.append(Problem(place(located, (field,)), "wrong-type", f"{field} is a list of packs"))
        return ()
    found = []
    for at, item in enumerate(raw):
        versions = item.get("version", "") if isinstance(item, Mapping) else ""
        if not isinstance(item, Mapping) or not isinstance(item.get("id"), str):
            message = f"an item of {field} is a mapping with the id of a pack"
            faults.append(Problem(place(located, (field, at)), "bad-manifest", message))
        elif versions and not (isinstance(versions, str) and _VERSIONS.fullmatch(versions)):
            message = f"versions are conditions such as >=0.1,<1, not {versions!r}"
            faults.append(Problem(place(located, (field, at, "version")), "bad-manifest", message))
        else:
            found.append(Other(item["id"], versions))
    return tuple(found)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
