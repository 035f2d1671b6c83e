"""What time and implants make of a body: a night's rest, the end of Frailty, a Skull Citadel, Zombie Wires.

Rulebook sections 1.6, 9.2, 9.4 and 10.3. A Skull Citadel brings back a dead combatant for ten minutes at most; an
attribute chosen by chance loses 2 points for good. That the one who is brought back is as after stabilizing,
unconscious, then awake with 1 hit point and Frail, is this project's own. With Zombie Wires a combatant at 0 hit points
moves on for six rounds: the damage that kills, a quarter of the hit points when whole, is kept as hit points of the
walking body, which is as good as Frail.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fracas.dice.totals import Total
from fracas.kernel.fields import choice, entries, fields, flag, person, vocabulary, whole
from fracas.kernel.forms import Outcome, Waiting, rolls
from fracas.kernel.procedures import Attempt, Procedure, chance, mean
from fracas.kernel.stage import Awaited, Effect, Facts, Roll, Stage, lasting
from fracas.kernel.tables import row_of
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import Record
from fracas.rulesets.cwn.checks import saves
from fracas.rulesets.cwn.checks.skill_check import check_request, number_of_check
from fracas.rulesets.cwn.harms import care, harm, healing
from fracas.rulesets.cwn.vocabulary import LEVEL, NAME, SIX

SLEEPER = "sleeper"
FRAIL = "frail"
BED_REST, TREATMENT, UNATTENDED = "bed-rest", "treatment", "unattended"
WAYS = (BED_REST, TREATMENT, UNATTENDED)
TREATED = "frailty-treated"
"""The condition of a combatant whose one attempt at treatment is made."""
NIGHT, BONUS = "rest.hp", "frailty.bonus"


class Rest(Procedure):
    """A night of rest: hit points by level or Hit Dice unless Frail, and less System Strain."""

    label = "Night's rest"
    vocabulary = vocabulary(
        person(SLEEPER, "Who rests"),
        Record("rest", "The rest"),
        care.patient_fields(SLEEPER),
        fields(SLEEPER, level=LEVEL, hit_dice=whole("Hit Dice", "Of an NPC.", 1, 50, example=2)),
        fields("rest", uncomfortable=flag("Uncomfortable", "Short, wet or noisy: no Strain goes.")),
    )
    targets = {NIGHT: "Hit points of a night"}
    measures = (mean("healed", "Hit points healed"),)

    def numbers(self, it: Attempt) -> None:
        facts, leveled = it.facts, f"{SLEEPER}.level" in it.facts
        level = facts.get(f"{SLEEPER}.hit_dice", 0)
        if leveled or f"{SLEEPER}.hit_dice" not in facts:
            level = it.need(f"{SLEEPER}.level", "the level, or the Hit Dice of an NPC")
        base = [Entry("level", "Level" if leveled else "Hit Dice", level)]
        if facts.get(f"{SLEEPER}.frail"):
            base.append(Entry("frail", "Frail: none", -level, origin="rule"))
        if care.is_converted(facts, SLEEPER):
            base = [Entry("converted", "Full Body Conversion: none", 0, origin="rule")]
        it.tally(NIGHT, *base)

    def first(self, it: Attempt) -> Stage:
        facts = it.facts
        had = facts.get(f"{SLEEPER}.system_strain", 0)
        less = min(1, max(0, had - facts.get(f"{SLEEPER}.permanent_strain", 0)))
        hp, most = facts.get(f"{SLEEPER}.hp"), facts.get(f"{SLEEPER}.hp_maximum")
        points = care.healed(hp, most, max(0, it.total(NIGHT)))
        return RestEnd(points, 0 if facts.get("rest.uncomfortable") else less)


class RestEnd(Outcome, kind="cwn.rest-end"):
    """What a night gives: hit points, and System Strain that goes."""

    healed: int
    less_strain: int

    def notes(self) -> Facts:
        return {"healed": self.healed, "strain_less": self.less_strain, "hours": 8}

    def changes(self) -> Iterator[Effect]:
        yield from care.healing_effects(SLEEPER, self.healed)
        if self.less_strain:
            yield Effect("spend", SLEEPER, care.STRAIN, self.less_strain)


class Frailty(Procedure):
    """Rest in bed with a medic, a treatment with a check of Heal, or a save without any care."""

    vocabulary = vocabulary(
        person(care.HEALER, "Who helps", "A patient without care is alone here."),
        person(care.PATIENT, "Patient", "Frail.", optional=True),
        Record("frailty", "How it is treated"),
        care.healer_fields(),
        saves.save_fields(care.HEALER),
        saves.save_fields(care.PATIENT),
        fields(care.HEALER, care.PATIENT, frailty_treated=flag("Treated before", "The one attempt is made.")),
        fields("frailty", way=choice("Way", choices=WAYS), medkit=flag("Medkit")),
    )
    targets = {BONUS: "Check to end Frailty", **saves.save_targets(saves.PHYSICAL, records=(care.HEALER,))}
    measures = (chance("ended", "Chance that it ends"),)

    def numbers(self, it: Attempt) -> None:
        it.facts = care.with_skill(it.facts)
        way = it.need("frailty.way", f"the way: {', '.join(WAYS)}", None)
        if way == TREATMENT:
            number_of_check(it, BONUS, care.HEALER, (care.SKILL,), care.ATTRIBUTES)
        elif way == UNATTENDED:
            saves.number_of_save(it, care.HEALER, saves.PHYSICAL)

    def first(self, it: Attempt) -> Stage:
        way = it.facts["frailty.way"]
        if way == BED_REST:
            return FrailtyEnd(care.PATIENT, way, True)
        if way == UNATTENDED:
            return Treatment(way, saves.total_of_save(it, care.HEALER), 0)
        return Treatment(way, it.total(BONUS), row_of(it.lookup, "ending-frailty", way)["difficulty"])


class Treatment(Waiting, kind="cwn.frailty"):
    """Waits for the check of an hour's treatment, or the save of a combatant unattended. `number`: what is added to the
    check, or the target of the save. `difficulty`: of the check."""

    way: str
    number: int
    difficulty: int

    @property
    def awaits(self) -> Awaited:
        if self.way == UNATTENDED:
            return Roll(("save",), (care.HEALER,), saves.d20(self.number))
        return Roll(("check",), (care.HEALER,), check_request(self.number, False, self.difficulty))

    def advance(self, answer: Any) -> Stage:
        return FrailtyEnd(care.HEALER if self.way == UNATTENDED else care.PATIENT, self.way, answer)


class FrailtyEnd(Outcome, kind="cwn.frailty-end"):
    """How it ended; `success` of a combatant unattended: a month more, otherwise death within a week."""

    who: str
    way: str
    success: bool

    def notes(self) -> Facts:
        alone = self.way == UNATTENDED
        days = {"days": 30 if self.success else 7} if alone else {}
        return {"success": self.success, "ended": self.success and not alone, **days}

    def changes(self) -> Iterator[Effect]:
        if self.way == TREATMENT:
            yield Effect("add-condition", self.who, TREATED)
        if self.success and self.way != UNATTENDED:
            yield Effect("remove-condition", self.who, FRAIL)
        if self.way == UNATTENDED and not self.success:
            yield Effect("add-condition", self.who, "wasting-away")


OWNER, REVIVED, LOSS = "owner", "revived", "revival.loss"
LOST = 2
"""Points that an attribute loses."""


class Revival(Procedure):
    """Brings back a character who has just died; 1d6 decides which attribute loses points."""

    label = "Revival by a Skull Citadel"
    vocabulary = vocabulary(
        person(OWNER, "Owner"),
        Record("revival", "How it is done"),
        fields(OWNER, name=NAME, augmentations=entries("Implants", "", entry_kind="augmentation")),
        saves.attribute_fields(OWNER),
        fields(
            "revival",
            minutes=whole("Minutes since death", "Left out: soon enough.", most=100_000),
            citadel=flag("Skull Citadel", derived_from=f"{OWNER}.augmentations"),
        ),
    )
    targets = {LOSS: "Points that an attribute loses"}
    measures = (mean("lost", "Points of an attribute lost"),)

    def numbers(self, it: Attempt) -> None:
        if (implants := it.facts.get(f"{OWNER}.augmentations")) is not None:
            it.facts["revival.citadel"] = "skull-citadel" in {entry.slug for entry in implants}
        it.tally(LOSS, Entry("revived", "Back from death", LOST))

    def first(self, it: Attempt) -> Stage:
        scores = tuple((name, it.facts[f"{OWNER}.{name}"]) for name in SIX if f"{OWNER}.{name}" in it.facts)
        return Awakening(scores, max(0, it.total(LOSS)))


class Awakening(Waiting, kind="cwn.awakening"):
    """Waits for the die that shows which attribute suffers, in the order of the sheet. `scores`: those that are known.
    `loss`: points that go; no score falls below 1."""

    scores: tuple[tuple[str, int], ...]
    loss: int
    awaits = rolls("attribute", OWNER, lambda self: Total(((1, len(SIX)),)))

    def advance(self, answer: Any) -> Stage:
        name = SIX[answer - 1]
        score = dict(self.scores).get(name)
        return RevivalEnd(name, self.loss if score is None else min(self.loss, score - 1), score is not None)


class RevivalEnd(Outcome, kind="cwn.revival-end"):
    """Alive, with less of one attribute; `noted`: its score is known; if not, people note it."""

    attribute: str
    lost: int
    noted: bool
    reports = ("attribute", "lost")

    def changes(self) -> Iterator[Effect]:
        yield Effect("remove-condition", OWNER, harm.DEAD)
        yield Effect("remove-condition", OWNER, harm.MORTALLY_WOUNDED)
        yield lasting(OWNER, healing.STABILIZED, "minute", 10)
        change = ((f"add_{self.attribute}", -self.lost),) if self.noted else ()
        yield Effect("add-condition", OWNER, REVIVED, None, change)


WALKING, WALK = "zombie-walking", "zombie.hp"
COST, PART = 2, 4
"""System Strain of a use; the part of the hit points whose loss kills."""


class ZombieWires(Procedure):
    """The body moves on at 0 hit points for some rounds; what it can take is a part of the highest hit points."""

    label = "Zombie Wires"
    vocabulary = vocabulary(
        person(OWNER, "Owner"),
        fields(
            OWNER,
            name=NAME,
            hp=whole("Hit points left", "Hit points of an unhurt combatant.", example=0),
            hp_maximum=whole("Hit points when whole", "", 1, 1000, example=14),
        ),
    )
    targets = {WALK: "Hit points that it walks with"}
    measures = (mean("walks_with", "Hit points that it walks with", "hit-points"),)

    def numbers(self, it: Attempt) -> None:
        whole = it.need(f"{OWNER}.hp_maximum", "the hit points when whole")
        quarter = Entry("quarter", "A quarter of the hit points when whole", -(-whole // PART))
        it.tally(WALK, quarter, least=1, floor="A body that walks has hit points")

    def first(self, it: Attempt) -> Stage:
        return ZombieWalk(it.total(WALK))


class ZombieWalk(Outcome, kind="cwn.zombie-walk"):
    """The body walks with so many hit points."""

    hp: int
    reports = (("walks_with", "hp"),)

    def changes(self) -> Iterator[Effect]:
        yield Effect("gain", OWNER, care.STRAIN, COST)
        yield Effect("gain", OWNER, "hp", self.hp)
        yield Effect("add-condition", OWNER, WALKING)
