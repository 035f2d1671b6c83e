"""What one blow does to a combatant: Soak, hit points, and what 0 of them mean; and the hit points of an NPC.

Rulebook sections 1.3 (hit points, R21), 5.1 (steps 5 to 7), 5.5 (Soak), 9.1 (0 hit points), 9.3 (what a Traumatic Hit
may lead to).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol

from fracas.dice.totals import Total
from fracas.kernel.fields import fields, flag, person, text, vocabulary, whole, words
from fracas.kernel.forms import Outcome, Part, Waiting, rolls
from fracas.kernel.procedures import Attempt, Procedure, chance, mean
from fracas.kernel.ruleset import AttemptRequest
from fracas.kernel.stage import Effect, Fact, Facts, Stage, lasting
from fracas.kernel.tally import Entry, Tally
from fracas.kernel.vocabulary import EntryLookup, Field
from fracas.rulesets.cwn.checks import saves
from fracas.rulesets.cwn.vocabulary import FOCUS_LEVELS, implants, trauma_sources

NOBODY_DOWN = "none"
MORTALLY_WOUNDED, INCAPACITATED, DEAD, DEFEATED = "mortally-wounded", "incapacitated", "dead", "defeated"
FALLS = (MORTALLY_WOUNDED, INCAPACITATED, DEAD, DEFEATED)
"""What becomes of people and drones at 0 hit points."""
WRECKED = "wrecked"
"""What becomes of a vehicle, of which people may be aboard: its condition keeps the damage that destroyed it (R20)."""
FULL_BODY = "full-body-conversion"
UNKNOWN = "unknown"
"""A Major Injury that is unknown: the request does not say what the save needs."""


class Body(Part, kind="cwn.body"):
    """What damage meets.

    Attributes:
        soak: points of Soak left.
        soaks_shock: Soak absorbs Shock (R3).
        armor: points of vehicle Armor off each hit.
        hp: hit points left; None when the request did not say.
        fall: what becomes of its owner at 0 HP.
    """

    soak: int
    soaks_shock: bool
    armor: int
    hp: int | None
    fall: str


class Hurt(Part, kind="cwn.hurt"):
    """What a blow did.

    Attributes:
        damage: after everything but Soak.
        soaked: points that Soak absorbed; `loss` is the rest, `lost` what of it there were hit points for.
        hp: hit points before; None when the request did not say.
        down: what became of the victim: ``none``, ``incapacitated``, ``mortally-wounded``, ``dead``, ``wrecked`` or
            ``defeated``; "" when its hit points are not known.
        traumatic: a Traumatic Hit.
        injury: row of the table ``major-injuries``, ``none`` for a save that was made, `UNKNOWN`, or "" where there
            was nothing to save against.
        injured: the condition that the injury brings; "" for none.
    """

    damage: int
    soaked: int
    loss: int
    hp: int | None
    down: str
    traumatic: bool = False
    injury: str = ""
    injured: str = ""

    @classmethod
    def by(cls, body: Body, damage: int, soakable: int, traumatic: bool = False) -> Hurt:
        """Vehicle Armor, Soak and hit points; `soakable` is the part of the damage that Soak absorbs."""
        damage = max(0, damage - body.armor)
        soaked = min(body.soak, soakable, damage)
        loss = damage - soaked
        down = "" if body.hp is None else body.fall if loss and loss >= body.hp else NOBODY_DOWN
        return cls(damage, soaked, loss, body.hp, down, traumatic)

    @property
    def lost(self) -> int:
        """Hit points that are gone: no more than there were."""
        return self.loss if self.hp is None else min(self.loss, self.hp)

    def facts(self) -> dict[str, Fact]:
        facts: dict[str, Fact] = {"traumatic": self.traumatic, "damage": self.damage}
        facts |= {"soak_absorbed": self.soaked, "hp_loss": self.loss}
        if self.loss > self.lost:
            facts["overkill"] = self.loss - self.lost
        if self.hp is not None:
            facts |= {"hp_after": max(0, self.hp - self.loss), "down": self.down}
        if self.injury:
            facts["major_injury"] = self.injury
        return facts

    def effects(self, who: str) -> Iterator[Effect]:
        """What to apply to `who`, a record of the procedure."""
        if self.soaked:
            yield Effect("spend", who, "soak", self.soaked)
        if self.lost:
            yield Effect("mark", who, "hp", self.lost)
        if self.traumatic:
            yield lasting(who, "traumatic-hit", "scene", 1)
        if self.down == MORTALLY_WOUNDED:
            yield lasting(who, self.down, "round", 6, ("from", "next"))
        elif self.down == INCAPACITATED:
            yield lasting(who, self.down, "minute", 10, ("hp_then", 1))
        elif self.down == WRECKED:
            yield Effect("add-condition", who, WRECKED, None, (("set_wreck_damage", self.damage),))
        elif self.down not in ("", NOBODY_DOWN):
            yield Effect("add-condition", who, self.down)
        if self.injured:
            yield Effect("add-condition", who, self.injured)


def hp_lost(facts: Mapping[str, Any]) -> float:
    """Hit points that an outcome costs: no more than there were."""
    return float(facts.get("hp_loss") or 0) - float(facts.get("overkill") or 0)


def fall_of(facts: Mapping[str, Any], who: str, *, lethal: bool) -> str:
    """What 0 hit points mean for a combatant (section 9.1); nothing new for the one who is Mortally Wounded already."""
    if facts.get(f"{who}.mortally_wounded"):
        return NOBODY_DOWN
    if facts.get(f"{who}.machine"):
        vehicle = f"{who}.vehicle_armor" in facts or f"{who}.immune" in facts
        return WRECKED if vehicle else DEFEATED
    if facts.get(f"{who}.frail"):
        return DEAD
    if not lethal:
        return INCAPACITATED
    return {True: MORTALLY_WOUNDED, False: DEAD, None: DEFEATED}[facts.get(f"{who}.named")]


NPC, BONUS = "npc", "hit-points.bonus"
HARD_TO_KILL, HARDER = "hard-to-kill", 2
"""The edge, and what it adds for each Hit Die of an NPC."""


class HitPoints(Procedure):
    """A die for each Hit Die, and more for an NPC that is Hard to Kill."""

    label = "Hit points of an NPC"
    vocabulary = vocabulary(
        person(NPC, "NPC"),
        fields(
            NPC,
            name=text("Name", most=80, example="Gunman"),
            hit_dice=whole("Hit Dice", "", 1, 50, example=2),
            trauma_sources=trauma_sources("Those who are hard to kill have more hit points, too."),
        ),
    )
    targets = {BONUS: "Added to the hit points"}
    measures = (mean("hit_points", "Expected hit points", "hit-points"),)

    def numbers(self, it: Attempt) -> None:
        number = it.need(f"{NPC}.hit_dice", "the Hit Dice")
        hard = HARD_TO_KILL in it.facts.get(f"{NPC}.trauma_sources", ())
        it.tally(BONUS, *([Entry(HARD_TO_KILL, "Hard to Kill", HARDER * number)] if hard else ()))

    def first(self, it: Attempt) -> Stage:
        sides = int(str(it.options["npc_hit_die"]).removeprefix("d"))
        return HitDice(it.facts[f"{NPC}.hit_dice"], sides, it.total(BONUS))


class HitDice(Waiting, kind="cwn.hit-dice"):
    """Waits for the Hit Dice: their number and sides, and what is added."""

    number: int
    sides: int
    bonus: int
    awaits = rolls("hit_dice", NPC, lambda self: Total(((self.number, self.sides),), self.bonus))

    def advance(self, answer: Any) -> Stage:
        return HitPointsEnd(max(1, answer))


class HitPointsEnd(Outcome, kind="cwn.hit-points"):
    """Hit points, 1 at least; they are for the one who makes the stat block, so nothing in a fight changes by them."""

    hit_points: int
    reports = ("hit_points",)


DIE = 12
TABLE = "major-injuries"
ABSORBED = "redundant-systems-broken"
"""What becomes of Redundant Systems that take an injury upon themselves: a condition, and the word for the injury."""
PLACES = ("head", "eyes", "right-leg", "left-leg", "right-arm", "left-arm")


class InjuryRow(Part, kind="cwn.injury-row"):
    """A row of the table: rolls from `least` to `most`, and the condition that it brings ("" for none)."""

    least: int
    most: int
    slug: str
    condition: str


class Risk(Part, kind="cwn.risk"):
    """What a combatant risks by falling.

    Attributes:
        save: target of the Physical save; None when the request does not report it.
        before: a Traumatic Hit came earlier in this scene.
        modifier: of the d12.
        exempt: suffers no Major Injuries at all.
        absorbs: Redundant Systems that are whole.
        rows: the table; those that do nothing to this body have no condition.
    """

    save: int | None
    before: bool
    modifier: int
    exempt: bool
    absorbs: bool
    rows: tuple[InjuryRow, ...]


def injury_fields(who: str) -> tuple[Field, ...]:
    """What `risk_of` reads of a combatant."""
    return (
        *fields(
            who,
            traumatic_before=flag(
                "Traumatic Hit before", "Suffered one earlier in this scene. Left out: none."
            ),
            mortally_wounded=flag(
                "Mortally Wounded", "And not stabilized yet; a further blow begins nothing anew."
            ),
            injury_roll=whole("Modifier of the Major Injury", "Of the d12; the drug Avalanche: -1.", -12, 12),
            augmentations=implants("skull-citadel"),
            durable=words(
                "Durable cyberware", "Limbs and eyes with the mod Durable System.", choices=PLACES[1:]
            ),
            redundancy_broken=flag(
                "Redundant Systems broken", "They have taken an injury upon themselves already."
            ),
        ),
        *saves.save_fields(who),
    )


def risk_of(
    request: AttemptRequest, facts: Mapping[str, Any], who: str, record: str = ""
) -> tuple[Risk, Tally | None]:
    """What a combatant risks, and the tally of the save; None where the request does not report what it needs.
    `record`: for the name of the tally, see `save_tally`."""
    reported = saves.save_base(facts, who, saves.PHYSICAL) is not None
    tally = saves.save_tally(request, facts, who, saves.PHYSICAL, record=record) if reported else None
    had = {entry.slug for entry in facts.get(f"{who}.augmentations", ())}
    foci = facts.get(f"{who}.foci", {})
    converted = FULL_BODY in {*had, *facts.get(f"{who}.trauma_sources", ())}
    spared = {*facts.get(f"{who}.durable", ()), *(("head", "eyes") if "skull-citadel" in had else ())}
    before, modifier = bool(facts.get(f"{who}.traumatic_before")), facts.get(f"{who}.injury_roll", 0)
    absorbs = "redundant-systems" in had and not facts.get(f"{who}.redundancy_broken")
    exempt, rows = converted or foci.get("all-natural", 0) >= 1, injury_rows(request.lookup, spared)
    return Risk(None if tally is None else tally.total, before, modifier, exempt, absorbs, rows), tally


def injury_rows(lookup: EntryLookup, spared: Iterable[str] = ()) -> tuple[InjuryRow, ...]:
    """The table of the packs; injuries of the places that are spared count as its last row."""
    table = lookup.entry("table", TABLE)
    raw = table.data["rows"] if table else {}
    places, last, found = set(spared), next(reversed(raw), ""), []
    for slug, row in raw.items():
        counts = last if row.get("place") in places else slug
        found.append(InjuryRow(row["least"], row["most"], counts, raw[counts].get("condition") or ""))
    return tuple(found)


class HurtEnd(Stage, Protocol):
    """An outcome with the `Hurt` of a combatant."""

    @property
    def hurt(self) -> Any: ...

    def _replace(self, *, hurt: Hurt) -> HurtEnd: ...


def after_harm(end: HurtEnd, who: str, risk: Risk) -> Stage:
    """Goes on from an outcome: the save and the injury, where the harm calls for them."""
    hurt: Hurt = end.hurt
    fallen = hurt.down == MORTALLY_WOUNDED and (hurt.traumatic or risk.before)
    if not fallen or risk.exempt:
        return end
    return InjurySave(end, who, risk) if risk.save is not None else _ended(end, injury=UNKNOWN)


def injured(hurt: Hurt, risk: Risk, rolled: int) -> Hurt:
    """The harm with the injury of this total of the d12."""
    at = max(1, min(DIE, rolled))
    row = next((row for row in risk.rows if row.least <= at <= row.most), None)
    if row is None:
        return hurt._replace(injury=UNKNOWN)
    if row.condition == DEAD:
        return hurt._replace(injury=row.slug, down=DEAD)
    return hurt._replace(injury=row.slug, injured=row.condition)


class InjurySave(Waiting, kind="cwn.injury-save"):
    """Waits for the Physical save of those who have fallen; `end` is the outcome that it belongs to."""

    end: HurtEnd
    who: str
    risk: Risk
    awaits = rolls("injury_save", lambda self: self.who, lambda self: saves.d20(self.risk.save))
    reports = (("down", "end.hurt.down"),)

    def advance(self, answer: Any) -> Stage:
        if answer:
            return _ended(self.end, injury="none")
        if self.risk.absorbs:
            return _ended(self.end, injury=ABSORBED, injured=ABSORBED)
        return Injury(self.end, self.who, self.risk)


class Injury(Waiting, kind="cwn.injury"):
    """Waits for the d12 of a Major Injury; the rest as in `InjurySave`."""

    end: HurtEnd
    who: str
    risk: Risk
    awaits = rolls("major_injury", lambda self: self.who, lambda self: Total(((1, DIE),), self.risk.modifier))

    def advance(self, answer: Any) -> Stage:
        return self.end._replace(hurt=injured(self.end.hurt, self.risk, answer))

    def notes(self) -> Facts:
        return {"injury_saved": False}


def _ended(end: HurtEnd, **of_hurt: str) -> Stage:
    return end._replace(hurt=end.hurt._replace(**of_hurt))


VICTIM = "victim"


class MajorInjury(Procedure):
    """The Physical save of a victim Mortally Wounded after a Traumatic Hit, and the d12 of the injury."""

    label = "Major Injury"
    vocabulary = vocabulary(
        person(VICTIM, "Victim"),
        injury_fields(VICTIM),
        fields(
            VICTIM,
            foci=FOCUS_LEVELS,
            trauma_sources=trauma_sources("Full Body Conversion spares all Major Injuries."),
        ),
    )
    targets = saves.save_targets(saves.PHYSICAL, records=(VICTIM,))
    measures = (
        chance("major_injury", "Chance of a Major Injury", "injury", but=("none", "flesh-wound")),
        chance("down", "Chance to die at once", "dead", among=(DEAD,)),
    )

    def numbers(self, it: Attempt) -> None:
        if saves.number_of_save(it, VICTIM, saves.PHYSICAL):
            it.shown["save"] = saves.total_of_save(it, VICTIM)
        it.need(f"{VICTIM}.traumatic_before", "whether a Traumatic Hit came in this scene")

    def first(self, it: Attempt) -> Stage:
        risk, _ = risk_of(it.request, it.facts, VICTIM, VICTIM)
        fallen = InjuryEnd(Hurt(0, 0, 0, None, MORTALLY_WOUNDED))
        return after_harm(fallen, VICTIM, risk._replace(save=saves.total_of_save(it, VICTIM)))


class InjuryEnd(Outcome, kind="cwn.injury-end"):
    """What the fall left behind, in `hurt`."""

    hurt: Hurt

    def notes(self) -> Facts:
        hurt = self.hurt
        return {"major_injury": hurt.injury or "none", "rolled": bool(hurt.injury), "down": hurt.down}

    def changes(self) -> Iterator[Effect]:
        """The fall itself has been applied when it came."""
        if self.hurt.down == DEAD:
            yield Effect("add-condition", VICTIM, DEAD)
        if self.hurt.injured:
            yield Effect("add-condition", VICTIM, self.hurt.injured)
