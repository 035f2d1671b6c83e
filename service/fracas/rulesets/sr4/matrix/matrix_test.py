"""A Matrix action: a skill with a program against a threshold, or against what opposes it (rulebook sections 21.2 to
21.6).

What is rolled, and against what, the action of the packs says in words: ``using: [hacking, spoof]``,
``against: [pilot, firewall]``. What follows from success, its ``outcomes`` say; only what depends on numbers is here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fracas.kernel.fields import choice, entries, fields, person, vocabulary, whole, words
from fracas.kernel.forms import Outcome, Part
from fracas.kernel.procedures import Attempt, Procedure, chance, mean
from fracas.kernel.required import require
from fracas.kernel.stage import Effect, Fact, Facts, Shared, Stage, share
from fracas.rulesets.sr4.matrix.icons import (
    DEVICE,
    PROGRAMS,
    WORDS,
    derive,
    device_fields,
    dice_of,
    icon_fields,
    tester_fields,
)
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.sides import Reaching, RollRules, Spent, Striking, opposed
from fracas.rulesets.sr4.sheet import make_pool, spent_edges

POOL, OPPOSITION = "matrix.pool", "matrix-opposition.pool"
EJECT, REFLEXES = "eject-clip", "reflexes-off"
ORDERS = ("none", EJECT, REFLEXES)
SMARTGUN = "smartgun"


class MatrixTest(Procedure):
    """A skill and a program against a threshold, or against ratings and programs of an icon or a device."""

    label = "Matrix Test"
    vocabulary = vocabulary(
        person("tester", "Who acts in the Matrix"),
        person("target", "Whose icon or device it is", optional=True),
        DEVICE,
        icon_fields("tester"),
        tester_fields(),
        icon_fields("target"),
        fields(
            "target",
            passes=whole("Initiative Passes", "In each Combat Turn.", least=1, most=10),
            in_hand=entries("In hand", "Weapons that are ready.", entry_kind="weapon", most=20),
        ),
        device_fields(),
        fields(
            "",
            against=words(
                "Opposed by", "What resists; nothing where a threshold is to be reached.", choices=WORDS
            ),
            threshold=whole("Threshold", "Hits needed; 1 unless given.", most=60),
            order=choice("Order", "What the device does that obeys.", choices=ORDERS),
            crashes=choice("Program to crash", "Of the target.", choices=PROGRAMS),
        ),
    )
    decisions = dice_test.DECISIONS
    targets: Mapping[str, str] = {POOL: "Matrix pool", OPPOSITION: "Opposing pool"}
    owners: Mapping[str, str] = {POOL: "tester", OPPOSITION: "target"}
    measures = (chance("success", "Chance of success"), mean("net_hits", "Expected net hits", "hits"))

    def numbers(self, it: Attempt) -> None:
        derive(it, "tester", "target")
        require(it.facts, [("using", "what is rolled")])
        with it.faults.collect():
            make_pool(it, POOL, *dice_of(it, "tester", it.facts["using"]))
        if it.facts.get("against"):
            with it.faults.collect():
                make_pool(it, OPPOSITION, *dice_of(it, "target", it.facts["against"]))

    def first(self, it: Attempt) -> Stage:
        facts, order = it.facts, it.facts.get("order", "none")
        held = (one for one in facts.get("target.in_hand", ()) if SMARTGUN in one.data.get("features", ()))
        weapon = next((one.slug for one in held), "") if order == EJECT else ""
        passes = facts.get("target.passes", 1) if order == REFLEXES else 1
        crashed = " ".join(
            dict.fromkeys((*facts.get("target.crashed", "").split(), facts.get("crashes", "")))
        )
        does = Does(order, weapon, passes, facts.get("crashes", ""), crashed.strip())
        if it.known(OPPOSITION) is None:
            return dice_test.plain(it, "matrix", POOL, Reached(share(does), facts.get("threshold", 1)))
        sides = opposed(it, ("matrix", "tester", POOL), ("opposition", "target", OPPOSITION))
        return dice_test.start(*sides, Contested(share(does)), RollRules.of(it.options))


class Does(Part, kind="sr4.matrix-does"):
    """What success does beyond the outcomes that the action says.

    Attributes:
        order: what a device does, see `ORDERS`.
        weapon: the smartgun that it concerns; "" where the fight does not know.
        passes: Initiative Passes of the target.
        crashes: the program that ends; "" for none.
        crashed: all that have ended then.
    """

    order: str
    weapon: str
    passes: int
    crashes: str
    crashed: str


class Contested(Striking, kind="sr4.matrix-contested"):
    """Takes an opposed Matrix Test."""

    does: Shared[Does]

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        return MatrixEnd(self.does, net > 0, max(0, net), edge_spent)


class Reached(Reaching, kind="sr4.matrix-reached"):
    """Takes a Matrix Test against a threshold; `hits` are facts of what is looked at."""

    does: Shared[Does]
    threshold: int

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        return MatrixEnd(self.does, net >= self.threshold, max(0, net - self.threshold), edge_spent, net)


class MatrixEnd(Outcome, kind="sr4.matrix-end"):
    """How a Matrix action ended. `hits`: of a test that nobody opposes; -1 of others."""

    does: Shared[Does]
    success: bool
    net: int
    edge_spent: Spent
    hits: int = -1

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {"success": self.success, "net_hits": self.net}
        if self.hits >= 0:
            facts |= {"hits": self.hits}
        does = self.does.value
        if self.success and does.crashes:
            facts |= {"crashes": does.crashes}
        return facts

    def changes(self) -> Iterator[Effect]:
        yield from spent_edges(("tester", "target"), self.edge_spent)
        if not self.success:
            return
        does = self.does.value
        if does.weapon:
            yield Effect("item", "target", does.weapon, None, (("loaded", False), ("rounds", 0)))
        if does.order == REFLEXES:
            boost = does.passes - 1  # each pass of a boost is a point of Reaction, too
            lost = (("set_passes", 1), ("add_reaction", -boost))
            yield Effect("add-condition", "target", REFLEXES, None, lost)
        if does.crashes:
            yield Effect(
                "add-condition", "target", "programs-crashed", None, (("set_crashed", does.crashed),)
            )
