"""Execution attacks with weapons, to see that they work: see `fracas.rulesets.cwn.trials`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.kernel.ruleset import Trial
from fracas.kernel.vocabulary import Catalog, PackEntry
from fracas.rulesets.cwn.maneuvers.execution import DIFFICULTIES


def execution_trials(weapon: PackEntry, trial: Trial, catalog: Catalog) -> Iterator[Trial]:
    """The attack of a trial once more, against somebody who suspects nothing; none for what is aimed at a point, or
    without the table of difficulties."""
    data = weapon.data
    if catalog.entry("table", DIFFICULTIES) is None:
        return
    if "skills" not in data or data.get("area") or data.get("type") == "grenade":
        return
    said: dict[str, Any] = dict(trial.situation)
    attack: Mapping[str, Any] = said["attack"]
    if "burst" in attack:
        return
    unsuspecting = {"unsuspecting": True, "foci": {}, "save": 14}
    said["target"] = {**said["target"], **unsuspecting}
    yield Trial("execution-attack", {**said, "attack": {**attack, "prepared": True}})


def strikes_only_by_itself(weapon: PackEntry) -> bool:
    """Whether it makes no attack roll: only in execution attacks, or in a grapple."""
    return "skills" in weapon.data and "attributes" not in weapon.data
