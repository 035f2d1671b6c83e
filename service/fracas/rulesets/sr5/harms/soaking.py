"""The numbers with which a combatant resists damage, and the plan of it: rulebook sections 8.4, 8.5 and 11.6."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from fracas.kernel.monitors import half_up
from fracas.kernel.required import lacks
from fracas.kernel.ruleset import Asked
from fracas.kernel.tally import Entry, Tally
from fracas.rulesets.sr5.harms.armor import penetrating, worn_armor
from fracas.rulesets.sr5.harms.damage import Plan
from fracas.rulesets.sr5.harms.monitors import Monitors, physical_limit
from fracas.rulesets.sr5.rolls.dice_test import side_of

MakeTally = Callable[[str, list[Entry]], Tally]
"""A number of this name from these base lines."""

ARMOR, SOAK = "armor.value", "soak.pool"
TARGETS = {ARMOR: "Armor", SOAK: "Damage resistance pool"}
ARMOR_FLOOR = "Armor never falls below 0"
FLOOR = "A pool never falls below 0"


class Harm(NamedTuple):
    """Damage that a combatant resists.

    Attributes:
        value: Damage Value before net hits.
        track: ``physical`` or ``stun``.
        ap: (id, label, points) of all that penetrates.
        element: see `words.ELEMENTS`; "" for none.
        touch: net hits add nothing.
        defended: a defense was made.
        rounds, recoil: see `damage.Plan`.
    """

    value: int
    track: str
    ap: Sequence[tuple[str, str, int]] = ()
    element: str = ""
    touch: bool = False
    defended: bool = True
    rounds: int = 0
    recoil: int = 0


class Soaking(NamedTuple):
    """The modified armor, the resistance pool, and the plan of the stages that follow."""

    armor: Tally
    pool: Tally
    plan: Plan


def soaking(
    asked: Asked, tally: MakeTally, facts: Mapping[str, Any], harm: Harm, who: str = "target"
) -> Soaking:
    """How a combatant resists.

    Args:
        tally: makes ``armor.value`` and ``soak.pool``, under whatever names the procedure shows them.

    Raises:
        InputError: nothing is said of Body or armor.
    """
    if f"{who}.body" not in facts:
        raise lacks(f"{who}.body", "Body of the victim")
    worn = worn_armor(facts, who)
    penetrated = tally(ARMOR, [*worn, *penetrating(harm.ap)])
    armor = penetrated.at_least(0, ARMOR_FLOOR)
    rating = penetrated.total - sum(points for _, _, points in harm.ap)
    base = [Entry("body", "Body", facts[f"{who}.body"]), Entry("armor", "Modified armor", armor.total)]
    pool = tally(SOAK, base).at_least(0, FLOOR)
    return Soaking(armor, pool, _plan(asked, facts, harm, who, (armor, pool), rating))


def _plan(
    asked: Asked, facts: Mapping[str, Any], harm: Harm, who: str, numbers: tuple[Tally, Tally], rating: int
) -> Plan:
    """The plan of modified armor and pool; `rating`: the armor before anything penetrates it."""
    armor, pool = numbers
    vehicle, hardened = bool(facts.get(f"{who}.vehicle")), bool(facts.get(f"{who}.hardened_armor"))
    limit = None if vehicle else physical_limit(facts, who)
    return Plan(
        harm.value,
        armor.total,
        harm.track,
        side_of("soak", who, pool.total, facts, asked),
        facts.get(f"{who}.edge_points", 0),
        -1 if limit is None else limit,
        harm.defended,
        Monitors.of(facts, who),
        vehicle or hardened,
        half_up(max(0, rating)) if hardened else 0,
        vehicle,
        harm.element == "electricity",
        harm.touch,
        True,
        harm.rounds,
        harm.recoil,
        who,
        loss=facts.get("attacker.called_initiative", 0),
        loses_later=bool(asked.options.get("frozen_initiative")),
    )
