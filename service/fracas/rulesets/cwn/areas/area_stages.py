"""What strikes several people does to each of them: save, Trauma Die, reductions, Soak, hit points, conditions.

    who is reached -> save -> (damage) -> Trauma Die -> how long conditions last -> injury -> `Struck`

Rulebook sections 5.1 (the order), 5.6, 5.7 and 17 (R4, R9, R11). All rolls before are shared by everybody.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fracas.dice.totals import Total
from fracas.kernel.forms import Outcome, Part, Waiting, rolls
from fracas.kernel.scattering import way
from fracas.kernel.stage import Awaited, Decision, Effect, Fact, Facts, Shared, Stage, lasting
from fracas.rulesets.cwn.attacks.blows import DiceParts, TraumaDie
from fracas.rulesets.cwn.attacks.rolling import IRON_HAND, OPTIONS
from fracas.rulesets.cwn.checks.saves import d20
from fracas.rulesets.cwn.harms.harm import Body, Hurt, Risk, after_harm

HALF, NOTHING = "half", "nothing"
HIT, SAVED, PROTECTED, OUTSIDE = "hit", "saved", "protected", "outside"
SHOCKED = "shocked"

LATER = {"main-action-lost": "main-action-lost-later"}
"""Conditions of those whose Main Action is spent in a turn that still goes on: they begin with the next round."""

Lasting = tuple[str, DiceParts, int]
"""A condition: its slug, the dice of the rounds that it lasts (none: as the packs say), and what is added to them."""


class Area(Part, kind="cwn.area"):
    """What strikes, the same for everybody.

    Attributes:
        dice, plus: the damage; no dice for what does none.
        shared: it is rolled once for all (R11).
        halved: the one who is struck at all takes half, rounded up: suppressive fire.
        on_save: `HALF` or `NOTHING`.
        round_up: halves are rounded up (R4).
        soakable: Soak absorbs it.
        reach: metres; None: the one who is named is in reach.
        conditions: of those who fail the save, or of all where there is none.
        saved: of those who make it.
        inside: of all in reach in any case.
        lasts: rounds for which `inside` holds; 0 as the packs say.
    """

    dice: DiceParts
    plus: int
    shared: bool
    halved: bool
    on_save: str
    round_up: bool
    soakable: bool
    reach: float | None
    conditions: tuple[Lasting, ...] = ()
    saved: tuple[Lasting, ...] = ()
    inside: tuple[Lasting, ...] = ()
    lasts: int = 0

    @property
    def request(self) -> Total:
        return Total(self.dice, self.plus)

    @property
    def greatest(self) -> int:
        """The most that the damage can be."""
        return max(0, sum(count * sides for count, sides in self.dice) + self.plus)

    def half(self, points: int) -> int:
        return (points + 1) // 2 if self.round_up else points // 2


class Victim(Part, kind="cwn.area-victim"):
    """A combatant that it may reach.

    Attributes:
        who: the record.
        measured: metres from where it strikes, whatever the scatter; None where that follows from the scatter.
        distance: metres from the point aimed at.
        bearing: degrees from there; 0 is beyond the point, as the attacker sees it.
        save: what the d20 must show; None for who makes no save.
        less: points that armor takes off in the end.
        cover: cover halves what is left.
        held: takes the most that it can do, without a save.
        stopped: the word of what keeps it from this victim altogether; "" for nothing.
        trauma: the Trauma Die; None where none is rolled.
        wards: may ward it off with an Iron Hand Aegis.
        main_gone: has spent its Main Action in a turn that still goes on.
    """

    who: str
    measured: float | None
    distance: float
    bearing: float
    save: int | None
    less: int
    cover: bool
    held: bool
    stopped: str
    trauma: TraumaDie | None
    body: Body
    risk: Risk
    wards: bool = False
    main_gone: bool = False

    def way(self, scatter: float, direction: int) -> float:
        """Metres from where it strikes."""
        if self.measured is not None:
            return self.measured
        return way(self.distance, self.bearing, scatter, direction)


def reached(area: Shared[Area], victim: Shared[Victim], scatter: int, direction: int) -> bool:
    """Whether a combatant is within reach of where it strikes."""
    reach = area.value.reach
    return reach is None or round(victim.value.way(scatter, direction), 6) <= reach


def shares_damage(area: Shared[Area], victim: Shared[Victim]) -> bool:
    """Whether a combatant within reach suffers the shared roll of damage, if anything."""
    one = victim.value
    return bool(area.value.dice) and area.value.shared and not one.held and not one.stopped


def strike(area: Shared[Area], victim: Shared[Victim], damage: int) -> Stage:
    """What it does to a combatant that it reaches; `damage` is the shared roll, as far as there is one."""
    one = victim.value
    if one.stopped:
        return Struck(PROTECTED, area, victim, one.stopped, None, ())
    if one.save is not None and not one.held:
        return Save(area, victim, damage)
    return _harmed(area, victim, area.value.greatest if one.held else damage)


def untouched(area: Shared[Area], victim: Shared[Victim]) -> Stage:
    """A combatant who is out of reach."""
    return Struck(OUTSIDE, area, victim, "", None, ())


class Save(Waiting, kind="cwn.area-save"):
    """Waits for a combatant's saving throw; `damage` is the shared roll."""

    area: Shared[Area]
    victim: Shared[Victim]
    damage: int
    awaits = rolls("save", lambda self: self.victim.value.who, lambda self: d20(self.victim.value.save))

    def advance(self, answer: Any) -> Stage:
        if not answer:
            then = Warding if self.victim.value.wards else _harmed
            return then(self.area, self.victim, self.damage)
        if self.area.value.on_save == NOTHING:
            return _ended(self.area, self.victim, True, None)
        return _harmed(self.area, self.victim, self.damage, True)


class Warding(Waiting, kind="cwn.area-warding"):
    """Those who have failed the save may ward the bullets off (10.3)."""

    area: Shared[Area]
    victim: Shared[Victim]
    damage: int

    @property
    def awaits(self) -> Awaited:
        options = OPTIONS[IRON_HAND]
        return Decision(IRON_HAND, self.victim.value.who, options, options[0].id, reaction=True)

    def advance(self, answer: Any) -> Stage:
        if answer == OPTIONS[IRON_HAND][0].id:
            return _harmed(self.area, self.victim, self.damage)
        return Struck(PROTECTED, self.area, self.victim, IRON_HAND, None, ())

    def notes(self) -> Facts:
        return {"saved": False}


class OwnDamage(Waiting, kind="cwn.area-damage"):
    """Waits for the damage to one victim, where each has a roll of its own (R11)."""

    area: Shared[Area]
    victim: Shared[Victim]
    saved: bool
    awaits = rolls("damage", "attacker", lambda self: self.area.value.request)

    def advance(self, answer: Any) -> Stage:
        return _traumatized(self.area, self.victim, dealt(self.area.value, answer), self.saved)

    def notes(self) -> Facts:
        return {"saved": self.saved}


class AreaTrauma(Waiting, kind="cwn.area-trauma"):
    """Waits for the Trauma Die of one victim."""

    area: Shared[Area]
    victim: Shared[Victim]
    damage: int
    saved: bool
    awaits = rolls("trauma", "attacker", lambda self: self.victim.value.trauma.request)

    def advance(self, answer: Any) -> Stage:
        return _settled(self.area, self.victim, self.damage, self.saved, answer)

    def notes(self) -> Facts:
        return {"saved": self.saved}


def dealt(area: Area, total: int) -> int:
    """The damage of a roll: never below 0, and of suppressive fire only half."""
    points = max(0, total)
    return (points + 1) // 2 if area.halved else points


def _harmed(area: Shared[Area], victim: Shared[Victim], damage: int, saved: bool = False) -> Stage:
    if not area.value.dice:
        return _ended(area, victim, saved, None)
    if not area.value.shared and not victim.value.held:
        return OwnDamage(area, victim, saved)
    return _traumatized(area, victim, damage, saved)


def _traumatized(area: Shared[Area], victim: Shared[Victim], damage: int, saved: bool) -> Stage:
    if victim.value.trauma is None:
        return _settled(area, victim, damage, saved, False)
    return AreaTrauma(area, victim, damage, saved)


def _settled(area: Shared[Area], victim: Shared[Victim], damage: int, saved: bool, traumatic: bool) -> Stage:
    """Multiplied, halved, lessened by armor, and then Soak: in this order (R9)."""
    one, what = victim.value, area.value
    if traumatic and one.trauma is not None:
        damage *= one.trauma.rating
    for halves in (saved, one.cover):
        damage = what.half(damage) if halves else damage
    damage = max(0, damage - one.less)
    hurt = Hurt.by(one.body, damage, damage if what.soakable else 0, traumatic)
    return _ended(area, victim, saved, hurt)


def _ended(area: Shared[Area], victim: Shared[Victim], saved: bool, hurt: Hurt | None) -> Stage:
    end = Struck(SAVED if saved else HIT, area, victim, "", hurt, ())
    return _lasting(end, area.value.saved if saved else area.value.conditions)


def _lasting(end: Struck, conditions: tuple[Lasting, ...]) -> Stage:
    """The outcome with conditions, of which the next that lasts for a roll asks for it; the injury comes last."""
    for at, (slug, dice, plus) in enumerate(conditions):
        if dice:
            return Duration(end, slug, dice, plus, conditions[at + 1 :])
        end = end._replace(lasting=(*end.lasting, (slug, 0)))
    if end.hurt is None:
        return end
    return after_harm(end, end.victim.value.who, end.victim.value.risk)


class Struck(Outcome, kind="cwn.area-struck"):
    """What became of a combatant.

    Attributes:
        result: `HIT`, `SAVED`, `PROTECTED` or `OUTSIDE`.
        by: what protected.
        hurt: None where no damage was done.
        lasting: conditions with the rounds that they last; 0: as the packs say.
    """

    result: str
    area: Shared[Area]
    victim: Shared[Victim]
    by: str
    hurt: Hurt | None
    lasting: tuple[tuple[str, int], ...]

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {"result": self.result}
        if self.by:
            facts["by"] = self.by
        if self.result in (HIT, SAVED):
            facts["saved"] = self.result == SAVED
        facts |= self.hurt.facts() if self.hurt is not None else {"damage": 0, "hp_loss": 0}
        for slug, rounds in self.lasting:
            facts[slug.replace("-", "_")] = rounds or True
        return facts

    def changes(self) -> Iterator[Effect]:
        one, area = self.victim.value, self.area.value
        for slug, _, _ in area.inside if self.result != OUTSIDE else ():
            yield lasting(one.who, slug, "round", area.lasts)
        if self.by == IRON_HAND:
            yield Effect("spend", one.who, IRON_HAND, 1)
        if self.hurt is not None:
            yield from self.hurt.effects(one.who)
        for slug, rounds in self.lasting:
            began = LATER.get(slug, slug) if one.main_gone and not rounds else slug
            yield lasting(one.who, began, "round", rounds)


class Duration(Waiting, kind="cwn.area-duration"):
    """Waits for the rounds that a condition lasts; `later` are the conditions after it."""

    end: Struck
    slug: str
    dice: DiceParts
    plus: int
    later: tuple[Lasting, ...]
    awaits = rolls("rounds", "attacker", lambda self: Total(self.dice, self.plus))

    def advance(self, answer: Any) -> Stage:
        end = self.end._replace(lasting=(*self.end.lasting, (self.slug, max(1, answer))))
        return _lasting(end, self.later)
