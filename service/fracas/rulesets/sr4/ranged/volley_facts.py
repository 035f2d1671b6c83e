"""What a request may say of several attacks in one action, and each of them told as if it were the only one.

Rulebook sections 8.4 (full bursts at several targets), 8.6 (recoil), 8.8 (chokes) and 8.9 (further targets, two
firearms). A volley is a ranged attack with further targets or a second firearm, in records of their own, so that every
modifier of an attack counts for each of its attacks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from fracas.errors import InputError
from fracas.kernel.fields import choice, fields, flag, number, person, vocabulary, whole
from fracas.kernel.required import has_record, lacks, reported_as
from fracas.kernel.ruleset import Asked
from fracas.kernel.tables import row_of
from fracas.kernel.vocabulary import Field, Record
from fracas.rulesets.sr4.ranged import shot
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


def _burst_of(record: str, which: str) -> Field:
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
    _burst_of("fire_2", "second"),
    _burst_of("fire_3", "third"),
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


Facts = Mapping[str, Any]

_SHORT, _LONG = "short-burst", "long-burst"
_ROWS = {2: "two-targets", 3: "three-targets"}
_MODES = {
    "SA": ("semi-automatic",),
    "SS": ("single-shot",),
    "BF": ("short-burst",),
    "FA": ("short-burst", "long-burst", "full-burst"),
}
"""What each mode of a weapon allows, the one with the fewest rounds first."""

_FURTHER = (*(f"{who}." for who in TARGETS[1:]), f"{SECOND_WEAPON}.")
_FIRST_ONLY: Mapping[str, Any] = {
    "attacker.take_aim": 0,
    "attacker.magnification": False,
    "called_shot.kind": "none",
    "called_shot.dv": None,
}
"""What is done for one attack alone, the first one, as it is for all others."""


class Attack(NamedTuple):
    """One attack of a volley.

    Attributes:
        branch: its name among them: the record of its target, or of its weapon where the target is attacked again.
        target, weapon: their records.
        facts: those said and derived, as of a single attack.
    """

    branch: str
    target: str
    weapon: str
    facts: dict[str, Any]


class Volley(NamedTuple):
    """Everything that is fired with one action.

    Attributes:
        kind: ``spread-shot``, ``split-burst`` or ``two-firearms``.
        stray: rounds that are spent beside those of the attacks.
    """

    kind: str
    attacks: tuple[Attack, ...]
    stray: int = 0

    def record(self, at: int) -> str:
        """After what the numbers of the attack at this place are named: the first one's have plain names."""
        return self.attacks[at].branch if at else ""


def derive(asked: Asked) -> Volley:
    """The attacks of a volley.

    Raises:
        InputError: the request lacks something that the rule cannot do without.
    """
    said = dict(asked.said.facts)
    kind = said.setdefault("volley", _kind(said))
    people = _people(said)
    said["volley.targets"] = len(people)
    if kind != SPLIT_BURST and "fire.mode" not in said and (mode := _usual_mode(said, WEAPON)):
        said["fire.mode"] = mode
    if kind == SPREAD_SHOT:
        return _spread(asked, said, people)
    if kind == SPLIT_BURST:
        return _split(asked, said, people)
    return _two_firearms(asked, said, people)


def _kind(said: Facts) -> str:
    if has_record(said, SECOND_WEAPON):
        return TWO_FIREARMS
    return SPREAD_SHOT if "fire.choke" in said else SPLIT_BURST


def _usual_mode(said: Facts, weapon: str) -> str:
    """How a firearm fires where nothing is said: as the first one does, a single round, or else a short burst."""
    modes = said.get(f"{weapon}.modes", ())
    usual = [word for word in _MODES if word in modes]
    found = [name for word in usual for name in _MODES[word]]
    first: str = said.get("fire.mode", "")
    if first and (first in found or not usual):
        return first
    return found[0] if found else ""


def _people(said: Facts) -> list[str]:
    """The records of the people shot at, in order."""
    found = [who for who in TARGETS if has_record(said, who)]
    if found != list(TARGETS[: len(found)]) or not found:
        missing = next(who for who in TARGETS if who not in found)
        raise lacks(missing, "a first target, before any further one")
    return found


def _limits(said: dict[str, Any], most: int, within: float | None) -> None:
    """How many targets there may be, and how far they stand from each other."""
    said["volley.most_targets"] = most
    if within is not None and "apart" in said:
        said["volley.too_far"] = max(0, said["apart"] - within)


# One roll, compared with each.


def _spread(asked: Asked, said: dict[str, Any], people: Sequence[str]) -> Volley:
    """The same shot at everybody; no further target costs dice (section 8.8)."""
    if "fire.choke" not in said:
        raise lacks("fire.choke", "the choke of a shotgun that fires shot")
    row = row_of(asked.catalog, "shotgun-chokes", said["fire.choke"])
    _limits(said, row["targets"], row.get("within"))
    attacks = [Attack(who, who, WEAPON, _alone(asked, said, who)) for who in people]
    return Volley(SPREAD_SHOT, tuple(attacks))


# Attacks one after the other.


def _split(asked: Asked, said: dict[str, Any], people: Sequence[str]) -> Volley:
    """The parts of a full burst, each at another target, further off its aim with each round (section 8.4)."""
    if len(people) < 2:
        raise lacks(SECOND, "at least two targets for a burst that is split")
    if said.setdefault("fire.mode", "full-burst") != "full-burst":
        message = "it is a full burst that is split: full-burst, or nothing, is expected"
        raise InputError.one("situation.fire.mode", "out-of-range", message)
    row = row_of(asked.catalog, "full-burst-spread", _ROWS[len(people)])
    bursts = [_SHORT] * row["short"] + [_LONG] * row["long"]
    if said.get("long_first"):
        bursts.reverse()
    _limits(said, len(TARGETS), row["within"])
    loaded = said.get("weapon.rounds")
    if loaded is not None:
        said["volley.loaded"] = loaded
    attacks: list[Attack] = []
    fired = 0
    for at, (who, burst) in enumerate(zip(people, bursts, strict=True)):
        changed = {**said, "fire.mode": burst, **_spread_of(said, at), **_after(said, at, people)}
        if at:
            changed["attacker.rounds_before"] = said.get("attacker.rounds_before", 0) + fired
            changed["attacker.bursts_before"] = said.get("attacker.bursts_before", 0) + at
        if loaded is not None:
            changed["weapon.rounds"] = loaded - fired
        attacks.append(Attack(who, who, WEAPON, _alone(asked, changed, who)))
        fired += attacks[-1].facts["fire.rounds"]
    whole = row["rounds"]
    stray = max(0, min(whole, whole if loaded is None else loaded) - fired)
    return Volley(SPLIT_BURST, tuple(attacks), stray if said.get("weapon.feed") != "none" else 0)


def _two_firearms(asked: Asked, said: dict[str, Any], people: Sequence[str]) -> Volley:
    """A shot of each firearm, the one in the better hand first (section 8.9)."""
    if not has_record(said, SECOND_WEAPON):
        raise lacks(SECOND_WEAPON, "the firearm in the other hand")
    _limits(said, 2, None)
    if "fire_2.mode" not in said and (mode := _usual_mode(said, SECOND_WEAPON)):
        said["fire_2.mode"] = mode
    said["attacker.two_firearms"] = True
    other = people[1] if len(people) > 1 else TARGET
    off_hand = bool(said.get("attacker.off_hand"))
    own, others = _rounds_before(said)
    first = {**said, "attacker.off_hand": off_hand, "attacker.rounds_before": own}
    second = {**said, **_after(said, 1, people), **_spread_of(said, 1), "fire.mode": said.get("fire_2.mode")}
    second |= {"attacker.off_hand": not off_hand, "attacker.rounds_before": others}
    second["fire_2.mode"] = said.get("fire.mode")  # of the other one, seen from here
    specialized = said.get("attacker.specialized") and said.get("weapon.skill") == said.get("weapon_2.skill")
    second["attacker.specialized"] = bool(said.get("attacker.specialized_2", specialized))
    if other == TARGET:
        second["target.defenses_made"] = said.get("target.defenses_made", 0) + 1
    elif f"{other}.distance" not in said:
        second.pop("distance", None)  # nothing says that this one stands near the other
    return Volley(
        TWO_FIREARMS,
        (
            Attack(TARGET, TARGET, WEAPON, _alone(asked, first, TARGET)),
            Attack(
                other if other != TARGET else SECOND_WEAPON,
                other,
                SECOND_WEAPON,
                _alone(asked, second, other, SECOND_WEAPON),
            ),
        ),
    )


def _rounds_before(said: Facts) -> tuple[int | None, int | None]:
    """The rounds that each of two firearms has fired in this Action Phase; None where that cannot be told."""
    total, second = said.get("attacker.rounds_before"), said.get("attacker.rounds_before_2")
    if total is None or (total and second is None):
        return None, second
    return max(0, total - (second or 0)), second or 0


def _spread_of(said: Facts, at: int) -> dict[str, Any]:
    """Narrow or wide, of the attack at this place: as the first where nothing else is said."""
    spread = said.get(f"fire_{at + 1}.spread", said.get("fire.spread"))
    return {"fire.spread": spread} if spread is not None else {}


def _after(said: Facts, at: int, people: Sequence[str]) -> dict[str, Any]:
    """What the attacks before this one change: further targets cost dice, and what was for the first alone is gone.

    Whoever was attacked in this Action Phase already is among those whom `attacker.targets_before` counts.
    """
    if not at:
        return {}
    changed = dict(_FIRST_ONLY)
    before = people[1 : at + 1]
    if before:
        known: int = said.get("attacker.targets_before", 0)
        again = sum(bool(said.get(f"{who}.attacked_before")) for who in before)
        changed["attacker.targets_before"] = max(0, known + len(before) - again)
    return changed


# Each told as the only one.


def _alone(asked: Asked, said: Facts, target: str, weapon: str = WEAPON) -> dict[str, Any]:
    """The facts of one attack, under the names that those of a single attack have.

    Raises:
        InputError: something is missing, under the name that the request has for it.
    """
    facts = {name: fact for name, fact in said.items() if not name.startswith(_FURTHER) and fact is not None}
    for record, like in ((target, TARGET), (weapon, WEAPON)):
        if record != like:
            facts = {name: fact for name, fact in facts.items() if not name.startswith(f"{like}.")}
            facts |= _renamed(said, record, like)
    if f"{target}.distance" in said and target != TARGET:
        facts["distance"] = said[f"{target}.distance"]
    with reported_as(records_of(target, weapon)):
        return shot.derive(asked.saying(facts))


def records_of(target: str, weapon: str) -> Mapping[str, str]:
    """The records of a request that stand in the place of those of a single attack."""
    return {TARGET: target, WEAPON: weapon, **({"fire": "fire_2"} if weapon != WEAPON else {})}


def _renamed(said: Facts, record: str, like: str) -> Iterator[tuple[str, Any]]:
    return (
        (f"{like}.{name.removeprefix(f'{record}.')}", fact)
        for name, fact in said.items()
        if name.startswith(f"{record}.")
    )
