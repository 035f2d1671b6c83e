"""A log as data: whether it can be checked at all, and what it discloses of seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fracas.encounters.events import KNOWN
from fracas.encounters.log import FORMAT, VERSION
from fracas.encounters.sight import HIDDEN
from fracas.engine.fight_words import with_defaults
from fracas.engine.game import load_ruleset
from fracas.errors import InputError, suggestion
from fracas.kernel.turns import TurnRules

_Kinds = Mapping[str, type | tuple[type, ...]]

_FIELDS: _Kinds = {
    "title": str,
    "ruleset": str,
    "packs": list,
    "complete": bool,
    "closed": bool,
    "commitment": str,
    "seed": (str, type(None)),
    "draws": int,
    "counts": list,
    "events": list,
    "state": (dict, type(None)),
}

_LATER: _Kinds = {"head": str}
"""Fields that logs of version 1 do not have."""


def rules_of_log(log: Any) -> TurnRules:
    """The rules of a log that can be checked at all.

    Raises:
        InputError: it cannot; see `audit.verify`.
    """
    if not isinstance(log, Mapping) or log.get("format") != FORMAT:
        raise InputError.one("format", "no-log", f"this is no log of a fight: its format is not {FORMAT!r}")
    if type(log.get("version")) is not int or not 1 <= log["version"] <= VERSION:
        message = f"a log of version {log.get('version')!r}; version {VERSION} and those before are known"
        raise InputError.one("version", "unknown-version", message)
    known = {**_FIELDS, **(_LATER if log["version"] > 1 else {})}
    for name, kind in known.items():
        if not isinstance(log.get(name), kind):
            code = "wrong-type" if name in log else "missing-field"
            raise InputError.one(name, code, f"the log's {name!r} is missing or of the wrong kind")
    if not log["events"]:
        raise InputError.one("events", "missing-field", "the log has no events")
    for at, event in enumerate(log["events"]):
        _known_type(f"events[{at}]", event, log["complete"])
    rules = load_ruleset(log["ruleset"]).turns
    if rules is None:
        raise InputError.one("ruleset", "no-encounters", f"{log['ruleset']} has no encounters")
    return with_defaults(rules, log["ruleset"])


def _known_type(path: str, event: Any, complete: bool) -> None:
    if not isinstance(event, Mapping) or not isinstance(event.get("type"), str):
        raise InputError.one(path, "no-event", "an event with a type is expected")
    type = event["type"]
    if type == HIDDEN and not complete:
        return
    if type not in KNOWN:
        hint = suggestion(type, KNOWN)
        raise InputError.one(f"{path}.type", "unknown-event", f"no event of type {type!r} is known", hint)
    if event.get("v") not in range(1, KNOWN[type] + 1):
        message = f"version {event.get('v')!r} of {type!r} is not known; the newest is {KNOWN[type]}"
        raise InputError.one(f"{path}.v", "unknown-event-version", message)


def seeds_of(log: Mapping[str, Any]) -> Sequence[bytes | None]:
    """The seeds that the end of a fight discloses, the oldest first; None where it discloses none."""
    last = log["events"][-1]
    data = last.get("data") if last["type"] == "closed" else None
    former = data.get("former", ()) if isinstance(data, Mapping) else ()
    if not isinstance(former, Sequence) or not all(isinstance(seed, str) for seed in former):
        former = ("",)
    return (*map(_bytes, former), _bytes(log["seed"]))


def later_commitments(events: Sequence[Mapping[str, Any]]) -> list[Any]:
    """The commitments to seeds that came during the fight."""
    later = (event.get("data") for event in events if event["type"] == "reseeded")
    return [data.get("commitment") for data in later if isinstance(data, Mapping)]


def _bytes(seed: str | None) -> bytes | None:
    """A seed of the log; None if it is none."""
    try:
        found = bytes.fromhex(seed or "")
    except ValueError:
        return None
    return found if 16 <= len(found) <= 64 else None
