"""The attack in the Matrix: on icons by program, on their users by black IC (rulebook sections 21.4 and 21.6).

Cybercombat + program against Response + Firewall. What comes through is resisted with System + Armor and fills the
monitor of the icon; of black IC, Willpower + Biofeedback Filter resists, and the body has the boxes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.kernel.fields import choice, fields, flag, person, vocabulary
from fracas.kernel.forms import Outcome, Part
from fracas.kernel.procedures import Attempt, chance, mean
from fracas.kernel.required import require
from fracas.kernel.stage import Effect, Fact, Facts, Shared, Stage, share
from fracas.kernel.tally import Entry, Refusal
from fracas.rulesets.sr4 import planes
from fracas.rulesets.sr4.harms import harm
from fracas.rulesets.sr4.matrix.icons import derive, dice_of, icon_fields, monitor
from fracas.rulesets.sr4.matrix.matrix_actions import dumped
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.sides import Resisting, RollRules, Side, Spent, Striking, opposed, side_of
from fracas.rulesets.sr4.sheet import Monitors, make_pool, spent_edges
from fracas.rulesets.sr4.vocabulary import BURN_EDGE, DEFENSES_MADE

ATTACK, DEFENSE = "matrix-attack.pool", "matrix-defense.pool"
VALUE, RESIST = "matrix-damage.value", "matrix-resistance.pool"
BLACK_HAMMER, BLACKOUT = "black-hammer", "blackout"
MATRIX = "matrix"
"""The track of the monitor of an icon."""
CRASHED, JAMMED, JAMMING = "crashed", "jammed", "jamming"
"""Conditions: of an agent whose monitor is full, and of those whom black IC has joined."""


class MatrixAttack(dice_test.TestingProcedure):
    """Cybercombat and an attack program against Response and Firewall; the icon or, by black IC, its user resists."""

    vocabulary = vocabulary(
        person("attacker", "Attacker"),
        person("target", "Target"),
        icon_fields("attacker", burn_edge=BURN_EDGE),
        icon_fields(
            "target",
            defenses_made=DEFENSES_MADE,
            matrix_full_defense=flag("Full Matrix defense", "Until the next Action Phase."),
            undefended=flag(
                "Defends in another node", "Of those who are in several at once: no defense here."
            ),
        ),
        fields(
            "",
            program=choice(
                "Program", "With which the icon attacks.", choices=("attack", BLACK_HAMMER, BLACKOUT)
            ),
        ),
    )
    targets = {
        ATTACK: "Matrix attack pool",
        DEFENSE: "Matrix defense pool",
        VALUE: "Damage Value before net hits",
        RESIST: "Damage resistance pool",
    }
    owners = {DEFENSE: "target", RESIST: "target", VALUE: "attacker"}
    measures = (
        chance("result", "Chance to hit", "hit", among=("hit",)),
        mean("damage", "Expected boxes"),
        chance("icon_crashes", "Chance that the icon crashes"),
    )
    inner = (VALUE, RESIST)

    def numbers(self, it: Attempt) -> None:
        facts = it.facts
        derive(it, "attacker", "target")
        require(facts, [("program", "the program that attacks")])
        program, black = facts["program"], facts["program"] != "attack"
        if black and not facts.get("target.agent"):
            it.need("target.world", "where the target is: black IC strikes those in virtual reality")
        if black and not planes.is_projecting(_sheet(facts)):
            black = False
            if it.options["black_ic_in_ar"] == "none":
                label = "Black IC does nothing to programs, nor to those in augmented reality"
                it.refused.append(Refusal("no_effect", label))
        it.plan = black
        with it.faults.collect():
            make_pool(it, ATTACK, *dice_of(it, "attacker", ("cybercombat", program)))
            make_pool(it, VALUE, *dice_of(it, "attacker", (program,)))
        if not facts.get("target.undefended"):
            with it.faults.collect():
                own = dice_of(it, "target", ("response", "firewall"))
                make_pool(it, DEFENSE, *own, *_full_defense(facts))
        with it.faults.collect():
            named = ("willpower", "biofeedback-filter") if black else ("system", "armor")
            make_pool(it, RESIST, *dice_of(it, "target", named))

    def first(self, it: Attempt) -> Stage:
        facts, black = it.facts, it.plan
        world, program = planes.name_of(_sheet(facts)), facts["program"]
        hot, agent = world in planes.HOT_SIM, bool(facts.get("target.agent"))
        if black:
            track = "physical" if hot and program == BLACK_HAMMER else "stun"
        else:
            track = "stun" if world == "technomancer" else MATRIX
        response = [line.value or 0 for line in dice_of(it, "attacker", ("response",))] if black else []
        plan = Plan(
            value=it.total(VALUE),
            resist=side_of("soak", "target", it.total(RESIST), facts, it.request),
            edge_points=facts.get("target.edge_points", 0),
            track=track,
            jam=it.total(VALUE) + sum(response) if black else 0,
            spares=black and program == BLACKOUT,
            defended=it.known(DEFENSE) is not None,
            agent=agent,
            virtual=planes.is_projecting(_sheet(facts)),
            boxes=facts.get("target.matrix_boxes", 0),
            most=monitor(facts, "target") or 0,
            monitors=Monitors.of({"target.physical": 0, "target.stun": 0, **facts}, "target", it.options),
        )
        rules = RollRules.of(it.options)
        sides = opposed(it, ("attack", "attacker", ATTACK), ("defense", "target", DEFENSE))
        return dice_test.start(*sides, Struck(share(plan), rules), rules)


def _sheet(facts: Mapping[str, object]) -> dict[str, object]:
    return {name: facts[f"target.{name}"] for name in ("world", "agent") if f"target.{name}" in facts}


def _full_defense(facts: Mapping[str, Any]) -> list[Entry]:
    """What full defense adds: Hacking, or the Pilot of a program."""
    if not facts.get("target.matrix_full_defense"):
        return []
    if facts.get("target.agent"):
        return [Entry("full-defense", "Full defense: Pilot", facts.get("target.pilot", 0))]
    rating = facts.get("target.skills", {}).get("hacking", 0)
    return [Entry("full-defense", "Full defense: Hacking", rating)]


class Plan(Part, kind="sr4.matrix-plan"):
    """What the stages after the opposed test need.

    Attributes:
        value: DV before net hits.
        resist, edge_points: the resistance test, and the target's Edge points left before the attack.
        track: ``matrix``, ``stun`` or ``physical``.
        jam: what holds the connection open after a hit of black IC; 0 of others.
        spares: never beyond the Stun monitor.
        agent, virtual: the target is a program; it is in virtual reality.
        boxes, most: filled boxes of the monitor of the icon, and all; 0 where the System is not known.
        monitors: of the body; None where they are not known.
    """

    value: int
    resist: Side
    edge_points: int
    track: str
    jam: int
    spares: bool
    defended: bool
    agent: bool
    virtual: bool
    boxes: int
    most: int
    monitors: Monitors | None


class Struck(Striking, kind="sr4.matrix-struck"):
    """Takes the opposed test; a tie is the defender's."""

    plan: Shared[Plan]
    rules: RollRules

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        plan = self.plan.value
        if net <= 0:
            return MatrixAttackEnd(self.plan, "miss", 0, edge_spent)
        side = plan.resist if plan.edge_points > edge_spent[1] else plan.resist.without_points()
        return dice_test.start(side, None, Withstood(self.plan, net, edge_spent), self.rules)

    def on_skip(self) -> Stage:
        return MatrixAttackEnd(self.plan, "no-attack", 0, (0, 0))


class Withstood(Resisting, kind="sr4.matrix-withstood"):
    """Takes the resistance test."""

    plan: Shared[Plan]
    net: int
    edge_spent: Spent
    reports = (("net_hits", "net"), ("modified_dv", "dv"), "dv")

    @property
    def dv(self) -> int:
        return self.plan.value.value + self.net

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        plan, damage = self.plan.value, max(0, self.dv - net)
        if plan.spares and plan.monitors is not None:
            damage = min(damage, max(0, plan.monitors.stun_boxes - plan.monitors.stun))
        spent = (self.edge_spent[0], self.edge_spent[1] + edge_spent[0])
        return MatrixAttackEnd(self.plan, "hit", damage, spent)


class MatrixAttackEnd(Outcome, kind="sr4.matrix-attack-end"):
    """How an attack in the Matrix ended: ``hit``, ``miss`` or ``no-attack``."""

    plan: Shared[Plan]
    result: str
    damage: int
    edge_spent: Spent

    @property
    def crashes(self) -> bool:
        """The monitor of the icon is full."""
        plan = self.plan.value
        return plan.track == MATRIX and 0 < plan.most <= plan.boxes + self.damage and self.damage > 0

    def notes(self) -> Facts:
        plan, hit = self.plan.value, self.result == "hit"
        track = plan.track if hit else None
        facts: dict[str, Fact] = {"result": self.result, "damage": self.damage, "track": track}
        if hit and plan.track == MATRIX:
            facts["icon_crashes"] = self.crashes
        elif hit and plan.monitors is not None:
            facts |= harm.facts_after(plan.monitors, self.damage, plan.track)
        return facts | ({"jammed": True} if hit and plan.jam else {})

    def changes(self) -> Iterator[Effect]:
        plan = self.plan.value
        yield from spent_edges(("attacker", "target"), self.edge_spent)
        if plan.defended and self.result != "no-attack":
            yield Effect("gain", "target", "defenses-made", 1)
        if plan.track != MATRIX:
            yield from harm.marks("target", plan.monitors, self.damage, plan.track)
        elif self.damage:
            yield Effect("mark", "target", MATRIX, self.damage)
        if self.result == "hit" and plan.jam:
            by = (("towards", "attacker"), ("set_jam", plan.jam))
            yield Effect("add-condition", "target", JAMMED, None, by)
            yield Effect("add-condition", "attacker", JAMMING, None, (("towards", "target"),))
        if self.crashes and plan.agent:
            yield Effect("add-condition", "target", CRASHED)
        elif self.crashes:
            yield from dumped(plan.virtual)
