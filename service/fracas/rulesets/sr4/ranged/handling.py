"""Handling firearms: setting one, which takes no dice, and the quick draw (rulebook sections 5.1, 5.2 and 8.8).

    test -> mishap (a decision) -> the weapon's state -> the shot, or the test of the second weapon

Pistols + Reaction against a threshold. Success draws and fires in one Simple Action; failure only draws; a glitch
leaves the weapon in the holster or on the ground.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from fracas.kernel.composing import ThenAlso, Wrapped, Wrapper
from fracas.kernel.fields import choice, fields, flag, text, vocabulary, whole
from fracas.kernel.forms import Outcome, Part, Waiting
from fracas.kernel.procedures import Attempt, Procedure, chance, where
from fracas.kernel.required import has_record, require
from fracas.kernel.ruleset import ContextField, DecisionInfo, Measure
from fracas.kernel.stage import Awaited, Decision, Effect, Facts, Option, Shared, Stage, share
from fracas.kernel.tally import Entry, Refusal
from fracas.kernel.vocabulary import Record
from fracas.rulesets.sr4.harms.damage import OF_A_HIT, Plan
from fracas.rulesets.sr4.ranged import ranged_attack, shooting
from fracas.rulesets.sr4.ranged.ranged_vocabulary import CATEGORY, FIRING_MODES, MODES, RANGED_ATTACK
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.sides import Reaching, RollRules, Side, Spent, side_of
from fracas.rulesets.sr4.sheet import derive_losses, make_pool, pool_entries, skill_entries, spent_edge
from fracas.rulesets.sr4.vocabulary import WEAPON_LOAD, combatant_fields, dice

MODE, CHOKE = "mode", "choke"
CHOKES = ("narrow", "medium", "wide")


class WeaponSetting(Procedure):
    """The mode of fire of a firearm, or the choke of a shotgun; no dice."""

    label = "Set a weapon"
    vocabulary = vocabulary(
        Record("tester", "Who sets it", "combatant"),
        Record("weapon", "Weapon", "weapon"),
        combatant_fields("tester"),
        fields(
            "weapon",
            name=text("Name", most=80, example="AK-97"),
            category=CATEGORY,
            modes=FIRING_MODES,
            features=WEAPON_LOAD["features"],
            mode=choice("Set to", "The mode of fire that it is set to now.", choices=MODES),
            choke=choice("Choke now", choices=CHOKES),
        ),
        fields(
            "",
            setting=choice("Setting", "What is set: the mode of fire unless given.", choices=(MODE, CHOKE)),
            mode=choice("New mode", "The next one that the weapon has if left out.", choices=MODES),
            choke=choice("New choke", "The next wider one if left out.", choices=CHOKES),
        ),
    )
    measures = (Measure("set", "Settings changed", lambda facts: 1.0),)

    def numbers(self, it: Attempt) -> None:
        """No numbers; whether the weapon can be set so."""
        facts = it.facts
        setting: str = facts.get("setting", MODE)
        there: Sequence[str] = CHOKES
        if setting == MODE:
            has = it.need("weapon.modes", "the modes in which the weapon fires", ())
            there = [mode for mode in MODES if mode in has]
        now = facts.get(f"weapon.{setting}", "")
        following = dict(zip(there, (*there[1:], *there[:1]), strict=True))  # after the last comes the first
        wanted = facts.get(setting) or following.get(now, there[0] if there else now)
        if wanted not in there or len(there) < 2:
            label = "The weapon has no other mode, or not this one"
            it.refused += [Refusal("mode_not_available", label)] * (not it.faults.problems)
        elif wanted == now:
            it.refused.append(Refusal("set_already", "The weapon is set to it already"))
        it.plan = setting, wanted

    def first(self, it: Attempt) -> Stage:
        return WeaponSet(*it.plan)


class WeaponSet(Outcome, kind="sr4.weapon-set"):
    """A weapon is set to something."""

    setting: str
    value: str

    def notes(self) -> Facts:
        return {self.setting: self.value}

    def effects(self) -> tuple[Effect, ...]:
        return (Effect("item", "tester", "weapon", None, ((self.setting, self.value),)),)


WEAPON, SECOND = "weapon", "weapon_2"

GLITCH, CRITICAL = "draw-glitch", "draw-critical-glitch"
STUCK, DROPPED, FLUNG, GOES_OFF = "stuck", "dropped", "flung", "goes-off"
_OPTIONS = {
    GLITCH: (Option(STUCK, "It is stuck in its holster"), Option(DROPPED, "It falls to the ground")),
    CRITICAL: (Option(FLUNG, "It flies across the room"), Option(GOES_OFF, "It goes off in its holster")),
}
"""What a glitch may mean; the first of the two where nobody says it."""


def _mishap(decision: str, name: str) -> DecisionInfo:
    ids = tuple(option.id for option in _OPTIONS[decision])
    weapon = ContextField("weapon", "Record of the weapon", (WEAPON, SECOND))
    return DecisionInfo(decision, f"What the {name} of the quick draw does", ids, ids[0], (weapon,))


MISHAPS = (_mishap(GLITCH, "glitch"), _mishap(CRITICAL, "critical glitch"))


class Drawing(Part, kind="sr4.drawing"):
    """What the stages after the test need.

    Attributes:
        weapon: the record of what is drawn.
        threshold: hits needed.
        shot: the first stage of the attack that follows; None where nobody is shot at.
        shot_without_edge: the same where the draw has taken the Edge of this action.
        own: what the shooter resists when it goes off in the holster; None where too little is known.
        second: the test of the second weapon, to be made afterwards; None without one.
        counts_rounds: what is fired is taken off the weapon.
        asks_glitch, asks_critical: whether a combatant says what a glitch means; otherwise the default.
    """

    weapon: str
    threshold: int
    shot: Shared[Any] | None
    shot_without_edge: Shared[Any] | None
    own: Shared[Plan] | None
    second: Shared[Side] | None
    counts_rounds: bool
    asks_glitch: bool
    asks_critical: bool
    rules: RollRules


class Draw(Reaching, kind="sr4.draw"):
    """Takes the test; a glitch is a mishap whatever the hits."""

    fact = "draw_threshold"
    drawing: Shared[Drawing]

    @property
    def threshold(self) -> int:
        return self.drawing.value.threshold

    def on_reported_result(self, net: int, scoreless: bool, glitch: int, edge_spent: Spent) -> Stage:
        drawing = self.drawing.value
        if not glitch:
            return _drawn(self.drawing, "success" if net >= self.threshold else "slow", edge_spent[0])
        critical = glitch == ranged_attack.CRITICAL_GLITCH
        mishap = Mishap(CRITICAL if critical else GLITCH, self.drawing, edge_spent[0])
        if drawing.asks_critical if critical else drawing.asks_glitch:
            return mishap
        return mishap.advance(_OPTIONS[mishap.decision][0].id)


class Mishap(Waiting, kind="sr4.draw-mishap"):
    """The attacker is asked what the glitch means; a gamemaster may answer for everybody."""

    decision: str
    drawing: Shared[Drawing]
    edge_spent: int

    @property
    def awaits(self) -> Awaited:
        options, about = _OPTIONS[self.decision], (("weapon", self.drawing.value.weapon),)
        return Decision(self.decision, "attacker", options, options[0].id, about)

    def advance(self, answer: str) -> Stage:
        return _drawn(self.drawing, answer, self.edge_spent)

    def notes(self) -> Facts:
        return {"draw_glitch": "critical" if self.decision == CRITICAL else "glitch"}


def _drawn(shared: Shared[Drawing], result: str, edge_spent: int) -> Stage:
    """Where the weapon is now, and what follows."""
    drawing = shared.value
    stage: Stage = Drawn(result, drawing.weapon, drawing.counts_rounds, edge_spent)
    shot = drawing.shot_without_edge if edge_spent else drawing.shot
    if result == "success" and shot is not None:
        return ThenAlso(stage, shot.value, "")
    if result == GOES_OFF and drawing.own is not None:
        rules = drawing.rules._replace(reports_glitch=False)
        struck = ranged_attack.struck(drawing.own, rules, may_use_edge=not edge_spent)
        stage = ThenAlso(stage, struck, "misfire_")
    if drawing.second is None:
        return stage
    side = drawing.second.value.without_edge() if edge_spent else drawing.second.value
    second = drawing._replace(weapon=SECOND, second=None, own=None)
    return First(dice_test.start(side, None, Draw(share(second)), drawing.rules)).put(stage)


class First(Wrapper, kind="sr4.first-draw"):
    """The mishap of the first weapon is played to its end before the second is drawn."""

    second: Any

    def put(self, stage: Stage) -> Stage:
        return ThenAlso(stage, self.second, "second_") if stage.awaits is None else Wrapped(stage, self)


class Drawn(Outcome, kind="sr4.drawn"):
    """Where a weapon is after a quick draw.

    Attributes:
        result: ``success`` (in hand, may fire), ``slow`` (in hand), ``stuck``, ``dropped``, ``flung`` or ``goes-off``.
        weapon: its record.
        counts_rounds: a round that goes off is taken off it.
        edge_spent: points of Edge spent on the draw.
    """

    result: str
    weapon: str
    counts_rounds: bool
    edge_spent: int

    def notes(self) -> Facts:
        return {"draw": self.result, "ready": self.result in ("success", "slow")}

    def changes(self) -> Iterator[Effect]:
        yield from spent_edge("attacker", self.edge_spent)
        if self.result in ("success", "slow"):
            yield Effect("item", "attacker", self.weapon, None, (("ready", True), ("dropped", False)))
        elif self.result in (DROPPED, FLUNG):
            yield ranged_attack.dropped("attacker", self.weapon)
        elif self.result == GOES_OFF and self.counts_rounds:
            yield Effect("item", "attacker", self.weapon, -1, (("state", "rounds"),))


POOL, THRESHOLD = "quick-draw.pool", "quick-draw.threshold"
ONE, TWO = 3, 4
"""Hits needed for one weapon, and for each of two."""


class QuickDraw(Procedure):
    """Pistols + Reaction against a threshold; a success fires at once, a glitch is a mishap with the weapon."""

    vocabulary = vocabulary(
        *(
            its._replace(optional=its.path == "target" or its.optional)
            for its in RANGED_ATTACK.records.values()
        ),
        Record(SECOND, "Second weapon", "weapon", "Drawn at the same time with the other hand."),
        RANGED_ATTACK.fields.values(),
        fields(
            "attacker",
            draw_pool=dice("Quick draw pool", "In place of Reaction and Pistols."),
            quick_draw_holster=flag("Quick-draw holster", "What is drawn is in one."),
        ),
        fields(SECOND, name=text("Name", most=80), category=CATEGORY),
        fields("draw", weapons=whole("Weapons drawn", least=1, most=2, derived_from=f"{SECOND}.name")),
    )
    decisions = (*dice_test.DECISIONS, *MISHAPS)
    targets = {POOL: "Quick draw pool", THRESHOLD: "Threshold", **shooting.TARGETS}
    owners = ranged_attack.OWNERS_OF_SHOTS
    measures = (
        chance("draw", "Chance to draw in time", "drawn", among=("success",)),
        *(where(measure, "result", None, holds=False) for measure in OF_A_HIT),  # something is fired
    )
    inner = tuple(shooting.TARGETS)

    def numbers(self, it: Attempt) -> None:
        facts, request = it.facts, it.request
        if "attacker.draw_pool" not in facts:
            require(facts, [("attacker.skills", "the skill ratings | attacker.draw_pool")])
        shooting.derive_plain(facts)
        modes, two = facts.get("weapon.modes", ()), has_record(facts, SECOND)
        only = "single-shot" if "SS" in modes and "SA" not in modes else "semi-automatic"
        mode = facts.setdefault("fire.mode", only)
        it.shown["draw.weapons"] = facts["draw.weapons"] = 2 if two else 1
        derive_losses(facts, it.options, "attacker")
        base = pool_entries(facts, "attacker", ("reaction",), "draw_pool")
        if "attacker.draw_pool" not in facts:
            base += skill_entries(facts["attacker.skills"], "pistols")
        make_pool(it, POOL, *base)
        needed = Entry("threshold", "Two weapons" if two else "One weapon", TWO if two else ONE)
        it.tally(THRESHOLD, needed, least=1, floor="A threshold never falls below 1")
        shot = without_edge = None
        if not two and has_record(facts, "target"):
            given = {**request.input.facts, "fire.mode": mode}
            attack = ranged_attack.RangedAttack()
            found = attack.prepare(request.with_facts(given))
            poorer = attack.prepare(request.with_facts({**given, "attacker.edge_points": 0}))
            if found.stage is not None and poorer.stage is not None:
                shot, without_edge = share(found.stage), share(poorer.stage)
            it.refused += found.refusals
            for tally in found.tallies:
                it.keep(tally)
        own = None  # what the shooter resists when it goes off in the holster, as far as that is known
        if all(path in facts for path, _ in shooting.needed_of_damage(facts)):
            reported = any(to.startswith("misfire.") for to in it.made)  # by the shot that follows
            fires = it.of("", {"fire.rounds": 1, **facts})
            own = ranged_attack.struck_by(fires, "attacker", "" if reported else "misfire")
        it.plan = shot, without_edge, own

    def first(self, it: Attempt) -> Stage:
        facts, request = it.facts, it.request
        shot, without_edge, own = it.plan
        rules = RollRules.of(request.options, reports_glitch=True)
        side = side_of("draw", "attacker", it.total(POOL), facts, request)
        threshold, second = it.total(THRESHOLD), share(side) if facts["draw.weapons"] > 1 else None
        asks, counts = (GLITCH in request.open, CRITICAL in request.open), shooting.fires_rounds(facts)
        drawing = Drawing(WEAPON, threshold, shot, without_edge, own, second, counts, *asks, rules)
        return dice_test.start(side, None, Draw(share(drawing)), rules)
