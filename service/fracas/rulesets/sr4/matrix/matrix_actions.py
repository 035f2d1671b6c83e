"""Matrix actions: a skill with a program against a threshold, or against what opposes it (rulebook sections 21.2 to
21.6).

What is rolled, and against what, the action of the packs says in words: ``using: [hacking, spoof]``,
``against: [pilot, firewall]``. What follows from success, its ``outcomes`` say; only what depends on numbers is here.

Some take several rolls (sections 21.3 and 21.5): hits add up over Complex Actions, and so do those of a node that looks
for the intruder. Each roll is an action of its own, so a fight keeps the sums between them: the condition
``matrix-work``, towards the target. Programs that act by themselves, such as IC, are launched here, too (section 21.5).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fracas.kernel.fields import choice, entries, entry, fields, person, text, vocabulary, whole, words
from fracas.kernel.forms import Outcome, Part
from fracas.kernel.procedures import Attempt, Procedure, chance, mean
from fracas.kernel.required import facts_of, require
from fracas.kernel.ruleset import Measure
from fracas.kernel.stage import Effect, Fact, Facts, Shared, Stage, lasting, share
from fracas.kernel.steps import ended
from fracas.kernel.tables import row_of, source_of
from fracas.kernel.tally import Entry
from fracas.rulesets.sr4.matrix import icons
from fracas.rulesets.sr4.matrix.icons import DEVICE, RIGHTS, USING, WORDS, derive, dice_of, icon_fields
from fracas.rulesets.sr4.planes import PASSES, in_matrix, is_projecting
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.sides import Reaching, RollRules, Side, Spent, Striking, opposed, side_of
from fracas.rulesets.sr4.sheet import make_pool, spent_edges
from fracas.rulesets.sr4.vocabulary import BURN_EDGE

TEST, OPPOSITION = "matrix.pool", "matrix-opposition.pool"
_IN_HAND = entries("In hand", "Weapons that are ready.", entry_kind="weapon", most=20)
EJECT, REFLEXES = "eject-clip", "reflexes-off"
ORDERS = ("none", EJECT, REFLEXES)
SMARTGUN = "smartgun"
WORK_POOL, THRESHOLD = "matrix-work.pool", "matrix-work.threshold"
DETECTION, STEALTH = "detection.pool", "detection.threshold"
HACK, CRASH, MEDIC = "hack-node", "crash-node", "medic"
WORKS = (HACK, CRASH, "decrypt", "track", MEDIC)
ALERT, WORK, LOGGED_ON, NODE_DOWN = "under-alert", "matrix-work", "logged-on", "node-down"
ICON_CRASHED, THROWN_OUT = "icon-crashed", "thrown-out"
"""Conditions of the packs."""
_ACTS = icon_fields("tester", burn_edge=BURN_EDGE)
_SIDES = (DEVICE, _ACTS, fields("", using=USING), icon_fields("target"), icons.device_fields())
"""Who acts, and what may oppose it."""


class MatrixTest(dice_test.TestingProcedure):
    """A skill and a program against a threshold, or against ratings and programs of an icon or a device."""

    label = "Matrix Test"
    vocabulary = vocabulary(
        person("tester", "Who acts in the Matrix"),
        person("target", "Whose icon or device it is", optional=True),
        *_SIDES,
        fields("target", passes=PASSES, in_hand=_IN_HAND),
        fields(
            "",
            against=words(
                "Opposed by", "What resists; nothing where a threshold is to be reached.", choices=WORDS
            ),
            threshold=whole("Threshold", "Hits needed; 1 unless given.", most=60),
            order=choice("Order", "What the device does that obeys.", choices=ORDERS),
            crashes=choice("Program to crash", "Of the target.", choices=icons.PROGRAMS),
        ),
    )
    targets = {TEST: "Matrix pool", OPPOSITION: "Opposing pool"}
    owners = {TEST: "tester", OPPOSITION: "target"}
    measures = (chance("success", "Chance of success"), mean("net_hits", "Expected net hits", "hits"))

    def numbers(self, it: Attempt) -> None:
        derive(it, "tester", "target")
        require(it.facts, [("using", "what is rolled")])
        with it.faults.collect():
            make_pool(it, TEST, *dice_of(it, "tester", it.facts["using"]))
        if it.facts.get("against"):
            with it.faults.collect():
                make_pool(it, OPPOSITION, *dice_of(it, "target", it.facts["against"]))

    def first(self, it: Attempt) -> Stage:
        facts, order = it.facts, it.facts.get("order", "none")
        held = (one for one in facts.get("target.in_hand", ()) if SMARTGUN in one.data.get("features", ()))
        weapon = next((one.slug for one in held), "") if order == EJECT else ""
        passes = facts.get("target.passes", 1) if order == REFLEXES else 1
        names = (*facts.get("target.crashed", "").split(), facts.get("crashes", ""))
        crashed = " ".join(dict.fromkeys(names))
        does = Does(order, weapon, passes, facts.get("crashes", ""), crashed.strip())
        if it.known(OPPOSITION) is None:
            return dice_test.plain(it, "matrix", TEST, Reached(share(does), facts.get("threshold", 1)))
        sides = opposed(it, ("matrix", "tester", TEST), ("opposition", "target", OPPOSITION))
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
            ended = (("set_crashed", does.crashed),)
            yield Effect("add-condition", "target", "programs-crashed", None, ended)


class MatrixWork(dice_test.TestingProcedure):
    """One roll of a Matrix action whose hits add up; a node that is hacked looks for the intruder after each."""

    vocabulary = vocabulary(
        person("tester", "Who acts in the Matrix"),
        person("target", "Whose node it is", optional=True),
        *_SIDES,
        fields(
            "tester",
            work=text("Work begun", "What the hits so far are for.", most=40, example=HACK),
            work_hits=whole("Hits so far", "Of rolls made earlier.", most=200),
            detection_hits=whole("Hits of the node so far", "With which it looks for the intruder.", 0, 200),
        ),
        fields(
            "",
            work=choice("Work", "What the hits are for.", choices=WORKS),
            to_reach=words("To reach", "Ratings whose sum is the threshold.", choices=WORDS),
            rights=choice(
                "Rights", "Of the account that is hacked; those of a user unless given.", choices=RIGHTS
            ),
            threshold=whole("Threshold", "What is to be reached, or added to the ratings.", most=60),
        ),
    )
    targets = {
        WORK_POOL: "Matrix pool",
        THRESHOLD: "Hits needed",
        DETECTION: "Dice of the node that looks for the intruder",
        STEALTH: "Hits needed to find the intruder",
    }
    owners = {WORK_POOL: "tester", THRESHOLD: "target", DETECTION: "target", STEALTH: "tester"}
    measures = (
        chance("success", "Chance to be done with this roll"),
        mean("sum", "Expected hits so far", "hits"),
        chance("alert", "Chance of an alert"),
    )

    def numbers(self, it: Attempt) -> None:
        facts = it.facts
        derive(it, "tester", "target")
        require(facts, [("work", "what the hits are for"), ("using", "what is rolled")])
        work, using = facts["work"], facts["using"]
        if work == CRASH and it.options["crash_node_test"] == "attack":
            using = [{"exploit": "attack"}.get(word, word) for word in using]
        with it.faults.collect():
            make_pool(it, WORK_POOL, *dice_of(it, "tester", using))
        with it.faults.collect():
            lines = dice_of(it, "target", facts.get("to_reach", ()))
            if work == MEDIC:
                lines.append(Entry("boxes", "Matrix boxes", facts.get("tester.matrix_boxes", 0)))
            if work == HACK and (more := row_of(it.lookup, "access-rights", _rights(facts))["threshold"]):
                source = source_of(it.lookup, "access-rights")
                lines.append(Entry("rights", f"Rights of {_rights(facts)}", more, source=source))
            if given := facts.get("threshold", 0):
                lines.append(Entry("threshold", "Threshold given", given))
            make_pool(it, THRESHOLD, *lines)
        if work == HACK:
            with it.faults.collect():
                make_pool(it, DETECTION, *dice_of(it, "target", ("firewall", "analyze")))
                stealth = icons.program_rating(facts, "tester", "stealth")
                make_pool(it, STEALTH, Entry("stealth", "Stealth", stealth))

    def first(self, it: Attempt) -> Stage:
        facts, request, work = it.facts, it.request, it.facts["work"]
        begun = facts.get("tester.work") == work
        known = facts_of(facts, "target")
        looks = it.known(DETECTION)
        plan = WorkPlan(
            work=work,
            needed=it.total(THRESHOLD),
            before=facts.get("tester.work_hits", 0) if begun else 0,
            node=None if looks is None else side_of("detection", "target", looks, {}, request),
            seen_before=facts.get("tester.detection_hits", 0) if begun else 0,
            stealth=it.known(STEALTH) or 0,
            rights=_rights(facts),
            turns=facts.get("device.system", known.get("system", 1)) if work == CRASH else 0,
            dumped=work == CRASH and in_matrix(known) and not known.get("agent"),
            virtual=is_projecting(known),
            rules=RollRules.of(it.options),
        )
        return dice_test.plain(it, "matrix", WORK_POOL, Worked(share(plan)), reports_glitch=True)


def _rights(facts: Mapping[str, Fact]) -> str:
    return str(facts.get("rights", RIGHTS[0]))


class WorkPlan(Part, kind="sr4.matrix-work-plan"):
    """What the stages of a roll need.

    Attributes:
        needed, before: hits to be reached, and those of earlier rolls.
        node: who looks for the intruder; None for nobody.
        seen_before, stealth: hits of the node so far, and how many find the intruder.
        turns: Combat Turns that a node is down.
        dumped, virtual: a persona is thrown off it, and out of virtual reality.
        rules: of the roll of the node.
    """

    work: str
    needed: int
    before: int
    node: Side | None
    seen_before: int
    stealth: int
    rights: str
    turns: int
    dumped: bool
    virtual: bool
    rules: RollRules


class Worked(Reaching, kind="sr4.matrix-worked"):
    """Takes the roll of the one who works."""

    plan: Shared[WorkPlan]

    @property
    def threshold(self) -> int:
        plan = self.plan.value
        return max(0, plan.needed - plan.before)

    def on_reported_result(self, net: int, scoreless: bool, glitch: int, edge_spent: Spent) -> Stage:
        plan, glitched = self.plan.value, glitch > 0
        if plan.node is None:
            return WorkEnd(self.plan, plan.before + net, 0, glitched, edge_spent[0])
        looks = Noticing(self.plan, plan.before + net, glitched, edge_spent[0])
        return dice_test.start(plan.node, None, looks, plan.rules)


class Noticing(Reaching, kind="sr4.matrix-noticing"):
    """Takes the roll of the node that looks for the intruder."""

    fact = "detection_short"
    plan: Shared[WorkPlan]
    sum: int
    glitched: bool
    edge_spent: int

    @property
    def threshold(self) -> int:
        plan = self.plan.value
        return max(0, plan.stealth - plan.seen_before)

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        return WorkEnd(self.plan, self.sum, self.plan.value.seen_before + net, self.glitched, self.edge_spent)


class WorkEnd(Outcome, kind="sr4.matrix-work-end"):
    """How a roll ended. `sum`: hits so far. `seen`: hits of the node so far. `glitched`: which raises the alert."""

    plan: Shared[WorkPlan]
    sum: int
    seen: int
    glitched: bool
    edge_spent: int

    @property
    def done(self) -> bool:
        return self.sum >= self.plan.value.needed

    @property
    def alert(self) -> bool:
        plan = self.plan.value
        found = plan.node is not None and (self.glitched or self.seen >= plan.stealth)
        return found or plan.work == CRASH

    def notes(self) -> Facts:
        plan = self.plan.value
        facts: dict[str, Fact] = {"success": self.done, "work": plan.work, "sum": self.sum}
        facts["alert"] = self.alert
        if plan.node is not None:
            facts |= {"detection_sum": self.seen, "detection_threshold": plan.stealth}
        return facts

    def changes(self) -> Iterator[Effect]:
        plan = self.plan.value
        towards = ("towards", "target")
        yield from spent_edges(("tester",), (self.edge_spent,))
        if self.alert:
            yield Effect("add-condition", "tester", ALERT, None, (towards,))
        if plan.work == MEDIC:
            if healed := min(self.sum - plan.before, plan.needed):
                yield Effect("spend", "tester", "matrix", healed)
            return
        if not self.done:
            sums = (("set_work", plan.work), ("set_work_hits", self.sum), ("set_detection_hits", self.seen))
            yield Effect("add-condition", "tester", WORK, None, (towards, *sums))
            return
        if plan.before:
            yield Effect("remove-condition", "tester", WORK)
        if plan.work == HACK:
            yield Effect("add-condition", "tester", LOGGED_ON, None, (towards, ("set_account", plan.rights)))
        if plan.work == CRASH:
            yield lasting("target", NODE_DOWN, "turn", max(1, plan.turns))
            if plan.dumped:
                yield from dumped(plan.virtual)


def dumped(virtual: bool, who: str = "target") -> Iterator[Effect]:
    """An icon of a persona that is gone, until its owner logs on again; who was in virtual reality is thrown out."""
    yield Effect("add-condition", who, ICON_CRASHED)
    if virtual:
        yield Effect("add-condition", who, THROWN_OUT)


_AGENT, _LAUNCHED = "An agent or IC of the packs.", "the program that is launched"


class LaunchProgram(Procedure):
    """A program of the packs joins the fight on the side of the one who launches it; nothing is rolled."""

    label = "Launch a program"
    vocabulary = vocabulary(
        person("tester", "Who launches it"),
        fields("tester", name=text("Name", most=80)),
        fields(
            "",
            program=entry("Program", _AGENT, entry_kind="combatant", required=_LAUNCHED, example="hunter-4"),
        ),
    )
    measures = (Measure("launched", "Programs launched", lambda facts: 1.0),)

    def first(self, it: Attempt) -> Stage:
        return ended({"launched": True}, Effect("join", "tester", it.facts["program"].slug))
