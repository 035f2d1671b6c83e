"""Healing in Shadowrun 4: first aid within the hour, rest (rulebook section 3), and regeneration (section 33.3).

Who is healed below a full monitor wakes. Stabilizing the dying is a Success Test of the packs' action ``stabilize``."""

from __future__ import annotations

from collections.abc import Iterator

from fracas.kernel.fields import choice, fields, person, vocabulary, whole
from fracas.kernel.forms import Outcome
from fracas.kernel.procedures import Attempt, chance, mean
from fracas.kernel.required import require
from fracas.kernel.stage import Effect, Fact, Facts, Stage
from fracas.kernel.steps import ended
from fracas.kernel.tally import Entry
from fracas.rulesets.sr4 import sheet
from fracas.rulesets.sr4.harms.harm import TREATED, healed, without
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.sides import CRITICAL_SUCCESS, Receiver, Spent
from fracas.rulesets.sr4.sheet import Monitors, make_pool, pool_entries, spent_edge
from fracas.rulesets.sr4.vocabulary import BURN_EDGE, SKILL_TEST, combatant_fields, dice

FIRST_AID_THRESHOLD = 2
"""Hits above it heal a box each."""
SKILL, AID, REST = "first-aid", "first-aid.pool", "rest.pool"
_BOXES = mean("boxes", "Expected boxes healed")
_FIRST = "Physical ones unless given; rest heals Stun first."
_TRACK = fields("", track=choice("Which wounds first", _FIRST, choices=("physical", "stun")))


class FirstAid(dice_test.TestingProcedure):
    """First Aid + Logic against a threshold, once for each set of wounds; net hits heal boxes, up to the skill."""

    vocabulary = vocabulary(
        person("tester", "Who helps", ""),
        person("patient", "Patient", ""),
        combatant_fields("tester", **SKILL_TEST),
        combatant_fields("patient"),
        _TRACK,
        fields("", minutes=whole("Minutes since the wounds", "Within an hour.", most=100_000, example=5)),
    )
    targets = {AID: "First aid pool"}
    measures = (chance("boxes", "Chance to heal anything", "success"), _BOXES)

    def numbers(self, it: Attempt) -> None:
        facts = it.facts
        _needs_patient(it, "patient")
        with it.faults.collect():
            base = sheet.pool_given(facts, "tester.pool")
            if not base:
                base = sheet.attribute_entries(facts, "tester", ("logic",), "tester.pool")
                require(facts, [("tester.skills", "the skill ratings")])
                base += sheet.skill_entries(facts["tester.skills"], SKILL, facts.get("tester.specialized"))
            _pool(it, AID, base)

    def first(self, it: Attempt) -> Stage:
        facts = it.facts
        most = facts["tester.skills"].get(SKILL, 0) if "tester.skills" in facts else -1
        monitors, track = _monitors(it, "patient"), facts.get("track", "physical")
        treatment = Treatment("patient", monitors, track, FIRST_AID_THRESHOLD, most, 0, True)
        return dice_test.plain(it, "first_aid", AID, treatment)


class Rest(dice_test.TestingProcedure):
    """An hour of rest with Body + Willpower heals Stun, a day with twice the Body heals Physical boxes."""

    vocabulary = vocabulary(
        person("tester", "Who rests", ""),
        combatant_fields(
            "tester",
            pool=dice("Pool", "In place of the attributes, before modifiers."),
            healing_dice=whole("Dice on healing", "When the combatant rests.", most=20),
        ),
        _TRACK,
    )
    targets = {REST: "Pool of rest"}
    measures = (_BOXES,)

    def numbers(self, it: Attempt) -> None:
        _needs_patient(it, "tester")
        it.plan = it.facts.get("track") or ("stun" if it.facts.get("tester.stun") else "physical")
        if not it.faults.problems:
            body, willpower = it.facts["tester.body"], it.facts["tester.willpower"]
            second = Entry("body-again", "Body again", body)
            if it.plan == "stun":
                second = Entry("willpower", "Willpower", willpower)
            given = sheet.pool_given(it.facts, "tester.pool")
            _pool(it, REST, given or [Entry("body", "Body", body), second])

    def first(self, it: Attempt) -> Stage:
        hours = 1 if it.plan == "stun" else 24
        treatment = Treatment("tester", _monitors(it, "tester"), it.plan, 0, -1, hours * 60 * 60, False)
        return dice_test.plain(it, "rest", REST, treatment)


def _needs_patient(it: Attempt, who: str) -> None:
    """Note what the rule lacks of the patient."""
    for name in ("physical", "stun", "body", "willpower"):
        it.need(f"{who}.{name}", f"{name.capitalize()} of the patient")


def _monitors(it: Attempt, who: str) -> sheet.Monitors:
    monitors = sheet.Monitors.of(it.facts, who, it.options)
    assert monitors is not None, "what it needs is there"
    return monitors


def _pool(it: Attempt, to: str, base: list[Entry]) -> None:
    """The pool, with the wounds of the one who rolls."""
    wounds = it.facts["tester.wound_modifier"] = sheet.wounds_of(it.facts, "tester", it.options)
    sheet.make_pool(it, to, *base, *sheet.by_rule("wounds", "Wounds", wounds))


class Treatment(Receiver, kind="sr4.treatment"):
    """Takes the hits: those above the threshold heal a box each.

    Attributes:
        who: the record of the one who is healed.
        track: whose boxes are healed first; first aid goes on with the other.
        most: boxes at most; -1 for no limit.
        seconds: that it takes; 0: not given.
        once: the same wounds are not treated again.
    """

    who: str
    monitors: sheet.Monitors
    track: str
    threshold: int
    most: int
    seconds: int
    once: bool

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        return HealingEnd(self, net, edge_spent[0])

    def hits_needed(self, net: int, scoreless: bool) -> int:
        """Until one box is healed."""
        return self.threshold + 1 - net

    def critical(self) -> int:
        return self.threshold + CRITICAL_SUCCESS

    def notes(self) -> Facts:
        return {"threshold": self.threshold} if self.threshold else {}

    def healed(self, hits: int) -> tuple[int, int]:
        """The Physical and Stun boxes that so many hits heal."""
        boxes = max(0, hits - self.threshold)
        boxes = boxes if self.most < 0 else min(boxes, self.most)
        first, other = self.monitors.physical, self.monitors.stun
        if self.track == "stun":
            first, other = other, first
        mended = min(boxes, first)
        rest = min(boxes - mended, other) if self.once else 0
        return (mended, rest) if self.track == "physical" else (rest, mended)


class HealingEnd(Outcome, kind="sr4.healing-end"):
    """How it ended."""

    treatment: Treatment
    hits: int
    edge_spent: int

    def notes(self) -> Facts:
        treatment = self.treatment
        physical, stun = treatment.healed(self.hits)
        now = without(treatment.monitors, physical, stun).after(0, "physical")
        success, boxes = self.hits >= max(1, treatment.threshold), physical + stun
        facts: dict[str, Fact] = {"success": success, "hits": self.hits, "boxes": boxes}
        facts |= {"physical_after": now.physical, "stun_after": now.stun}
        facts |= {"unconscious": now.unconscious, "dying": now.dying}
        return facts | ({"seconds": treatment.seconds} if treatment.seconds else {})

    def changes(self) -> Iterator[Effect]:
        treatment = self.treatment
        yield from spent_edge("tester", self.edge_spent)
        yield from healed(treatment.who, treatment.monitors, *treatment.healed(self.hits))
        if treatment.once:
            yield Effect("add-condition", treatment.who, TREATED)


POOL = "regeneration.pool"
_LASTS = "By magic or allergens: they do not heal."


class Regenerate(dice_test.TestingProcedure):
    """Magic + Body of a critter that regenerates: each hit heals a box, Physical ones first."""

    vocabulary = vocabulary(
        person("tester", "Critter"),
        combatant_fields(
            "tester",
            pool=dice("Pool", "Dice before modifiers, in place of Magic + Body."),
            burn_edge=BURN_EDGE,
            lasting_boxes=whole("Boxes that last", _LASTS, most=200),
        ),
    )
    targets = {POOL: "Regeneration pool"}
    measures = (mean("healed", "Expected boxes healed"),)

    def numbers(self, it: Attempt) -> None:
        make_pool(it, POOL, *pool_entries(it.facts, "tester", ("magic", "body")))
        lacking = {one.path for one in it.faults.problems}
        for name in ("physical", "stun", "body", "willpower"):
            if f"tester.{name}" not in lacking:
                it.need(f"tester.{name}", f"{name.capitalize()} of the critter, for its monitors")
        it.plan = Monitors.of(it.facts, "tester", it.options)

    def first(self, it: Attempt) -> Stage:
        then = Regenerates(it.plan, it.facts.get("tester.lasting_boxes", 0))
        return dice_test.plain(it, "regeneration", POOL, then)


class Regenerates(Receiver, kind="sr4.regenerates"):
    """Takes the hits. `lasting`: boxes that do not heal."""

    monitors: Monitors
    lasting: int

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        physical = min(net, max(0, self.monitors.physical - self.lasting))
        stun = min(net - physical, self.monitors.stun)
        now, effects = without(self.monitors, physical, stun), [*spent_edge("tester", edge_spent[0])]
        if physical or stun:
            effects += healed("tester", self.monitors, physical, stun)
        after = {"physical_after": now.physical, "stun_after": now.stun}
        return ended({"healed": physical + stun, **after}, *effects)
