"""The second opinion on sr5: weapons, loads, firing modes and zones (9.5, 10, 11). See `second_opinion_sr5`."""

from __future__ import annotations

from typing import Any

from second_opinion_sr5_people import entries
from second_opinions import Entry

WORDS = "attacker target weapon load fire distance environment range"
FURTHER = "target_2 target_3 target_4 target_5 target_6"
FIRE = {
    "single-shot": ("SS", 1, False, 0),
    "semi-automatic": ("SA", 1, True, 0),
    "semi-automatic-burst": ("SA", 3, True, -2),
    "burst": ("BF", 3, True, -2),
    "long-burst": ("BF", 6, True, -5),
    "full-automatic": ("FA", 6, True, -5),
    "long-full-automatic": ("FA", 10, True, -9),
    "suppressive": ("", 20, False, 0),
}
"""Mode of the weapon, rounds, whether they are recoil, dice of the defender (section 10)."""
COMPENSATION = {"stock": 1, "shock-pad": 1, "gas-vent-1": 1, "gas-vent-2": 2, "gas-vent-3": 3}
SET_UP = {"folding-stock": 1, "bipod": 2, "tripod": 6, "gyro-mount": 6}
PISTOLS = ("taser", "holdout", "light-pistol", "heavy-pistol", "machine-pistol")
LONG_GUNS = ("carbine", "assault-rifle", "sporting-rifle", "sniper-rifle", "shotgun")
HEAVY = ("light-machine-gun", "medium-machine-gun", "heavy-machine-gun", "assault-cannon")
ZONES = ("hand", "close", "near", "far", "extreme")
NO = None
ZONE_DICE: dict[str, tuple[int | None, ...]] = {
    **dict.fromkeys(PISTOLS, (0, 0, -4, NO, NO)),
    "submachine-gun": (0, 0, -2, NO, NO),
    "shotgun": (-2, 0, -2, NO, NO),
    **dict.fromkeys(("carbine", "assault-rifle", "sporting-rifle"), (-2, 0, 0, -4, NO)),
    "sniper-rifle": (-4, -2, 0, -2, -4),
    **dict.fromkeys(HEAVY, (-4, -2, 0, -4, -6)),
    **dict.fromkeys(("bow", "crossbow"), (-4, 0, -2, NO, NO)),
    "grenade-launcher": (NO, 0, 0, -4, NO),
    "rocket": (NO, NO, 0, -2, NO),
    "missile": (NO, NO, 0, -2, -2),
    **dict.fromkeys(("throwing-weapon", "grenade"), (0, 0, -4, NO, NO)),
}
"""Zones of the short list (9.5)."""
HOUSE_SKILLS = {"pistols": "handguns", "automatics": "longarms"}


def armed(said: Any) -> Entry:
    """A weapon with its printed figures."""
    said = {"use": said} if isinstance(said, str) else dict(said)
    base = entries("weapons")[said["use"]] if "use" in said else {}
    return {**base, **said}


def loaded(said: Any, weapon: Entry) -> Entry:
    """What it is loaded with."""
    said = weapon.get("ammunition") if said is None else said
    if said is None:
        return {}
    said = {"use": said} if isinstance(said, str) else dict(said)
    base = entries("ammunition")[said["use"]] if "use" in said else {}
    return {**base, **said}


def dealt(whole: int, said: list[int | None]) -> list[int]:
    """Dice of a split pool: what is not said is dealt equally, the first ones more."""
    open_ = sum(dice is None for dice in said)
    rest = whole - sum(dice or 0 for dice in said)
    shares = iter([rest // open_ + (at < rest % open_) for at in range(open_)] if open_ else ())
    return [next(shares) if dice is None else dice for dice in said]
