"""What a request may say of several Shadowrun 4 attacks in one action: rulebook sections 8.4, 8.8 and 8.9.

A volley is a ranged attack with further targets or a second firearm, in records of their own, so that every modifier of
an attack counts for each of its attacks.
"""

from __future__ import annotations

from collections.abc import Iterator

from fracas.kernel.fields import choice, fields, flag, number, person, vocabulary, whole
from fracas.kernel.vocabulary import Field, Record
from fracas.rulesets.sr4.ranged.ranged_vocabulary import FIRE_MODES, RANGED_ATTACK

SPREAD_SHOT, SPLIT_BURST, TWO_FIREARMS = "spread-shot", "split-burst", "two-firearms"
VOLLEYS = (SPREAD_SHOT, SPLIT_BURST, TWO_FIREARMS)

TARGET, SECOND, THIRD = "target", "target_2", "target_3"
TARGETS = (TARGET, SECOND, THIRD)
"""The records of the people shot at, in order."""
WEAPON, SECOND_WEAPON = "weapon", "weapon_2"


def _as(record: str, like: str) -> Iterator[Field]:
    """The fields of a record that is like one of a ranged attack."""
    for field in RANGED_ATTACK.fields.values():
        if field.path.startswith(f"{like}."):
            derived = field.derived_from and field.derived_from.replace(f"{like}.", f"{record}.", 1)
            yield field._replace(path=field.path.replace(f"{like}.", f"{record}.", 1), derived_from=derived)


def _further(who: str) -> Iterator[Field]:
    yield from _as(who, TARGET)
    yield from fields(
        who,
        distance=number(
            "Distance of this target",
            "Metres; distance if left out, for targets that stand together.",
            most=10_000,
        ),
        attacked_before=flag("Attacked before", "Was a target in this Action Phase already."),
    )


def _spread(record: str, which: str) -> Field:
    return RANGED_ATTACK.fields["fire.spread"]._replace(
        path=f"{record}.spread",
        label=f"Burst of the {which} attack",
        doc="Narrow raises damage, wide hampers defense; as the first if left out.",
    )


RANGED_VOLLEY = vocabulary(
    *RANGED_ATTACK.records.values(),
    Record(SECOND_WEAPON, "Second firearm", "weapon", "In the other hand."),
    person(SECOND, "Second target"),
    person(THIRD, "Third target"),
    Record("fire_2", "How the second attack is fired"),
    Record("fire_3", "How the third attack is fired"),
    RANGED_ATTACK.fields.values(),
    _as(SECOND_WEAPON, WEAPON),
    _further(SECOND),
    _further(THIRD),
    fields(
        "",
        volley=choice(
            "Several attacks",
            "Shot that spreads, a full burst at several targets, or a firearm in each hand. If "
            "left out: two firearms "
            "with a second weapon, a spread with a choke, a split burst otherwise.",
            choices=VOLLEYS,
        ),
        apart=number("Distance between the targets", "Metres, the greatest.", most=1000),
        long_first=flag("Long burst first", "Of a full burst at two targets; the short one if not."),
    ),
    fields(
        "fire_2",
        mode=choice("Firing mode of the second firearm", "As the first if left out.", choices=FIRE_MODES),
    ),
    _spread("fire_2", "second"),
    _spread("fire_3", "third"),
    fields(
        "attacker",
        specialized_2=flag(
            "Specialized with the second firearm", "As with the first if left out and both use one skill."
        ),
        rounds_before_2=whole(
            "Rounds of the second firearm before",
            "Of all the rounds fired in this Action Phase, those that were its.",
            most=60,
        ),
    ),
    fields(
        "volley",
        targets=whole("Targets", derived_from="target_2.reaction"),
        most_targets=whole("Most targets", derived_from="volley"),
        too_far=number("Targets too far apart", "Metres beyond the limit.", derived_from="apart"),
        whole_pool=whole("Pool that is split", derived_from="attacker.skills"),
        loaded=whole("Rounds loaded before", derived_from="weapon.rounds"),
    ),
)
