"""How weapons that strike several people are put to use once, to see that they work."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.kernel.ruleset import Trial
from fracas.kernel.vocabulary import PackEntry
from fracas.rulesets.cwn.areas.area_vocabulary import AT_POINT, AT_TARGET, GOES_OFF, SET

Situation = Mapping[str, Any]
_BESIDE = {"distance": 3, "bearing": 90}
_GRENADE = "grenade-frag"


def area_trials(weapon: PackEntry, attacker: Situation, victim: Situation) -> Iterator[Trial]:
    """In every way in which it strikes several: at a point, at somebody, going off, laid, as suppressive fire."""
    data = weapon.data
    blast = data.get("blast")
    use: dict[str, Any] = {"use": weapon.id, "ready": True}
    if isinstance(blast, Mapping) and (data.get("area") or data.get("rocket")):
        said: dict[str, Any] = {"attacker": attacker, "weapon": use, "target": victim}
        if data.get("skills") is None or (data.get("thrown") is False and data.get("type") == "grenade"):
            yield Trial("blast", {**said, "aim": GOES_OFF, "victim_1": victim})
            yield Trial("blast", {"attacker": attacker, "weapon": use, "aim": SET, "fuse_rounds": 2})
            return
        if "reach" not in blast and "like" not in blast:
            said["blast"] = {"like": _GRENADE}
        said["distance"] = data.get("range_normal", 10)
        said["attack"] = {"rested": True}
        if "damage" in data and ("like" in blast or "damage" in blast):
            yield Trial("blast", {**said, "aim": AT_TARGET, "victim_1": victim})
        if data.get("area"):
            yield Trial("blast", {**said, "aim": AT_POINT, "victim_1": {**victim, **_BESIDE}})
    if data.get("can_suppress"):
        mounts = list(data.get("suppress_needs", ()))[:1]
        said = {"attacker": attacker, "weapon": use, "target": victim, "fire": {"mounts": mounts}}
        yield Trial("suppressive-fire", {**said, "victim_1": victim, "attack": {"rested": True}})
    if data.get("shock") is not None and not data.get("execution_only"):
        said = {"attacker": attacker, "weapon": use, "target": victim}
        yield Trial("whirlwind", {**said, "victim_1": victim})
