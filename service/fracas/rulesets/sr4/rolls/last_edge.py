"""Edge at death's door in Shadowrun 4: the Dead Man's Trigger, and survival bought for ever (rulebook section 2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fracas.errors import InputError
from fracas.kernel.fields import fields, person, vocabulary, whole
from fracas.kernel.forms import Outcome
from fracas.kernel.monitors import DEAD, DYING, STABILIZED
from fracas.kernel.procedures import Attempt, Procedure, chance, mean
from fracas.kernel.stage import Effect, Facts, Stage
from fracas.kernel.tally import Entry
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.sides import Burn, Reaching, RollRules, Side, Spent, needs_edge
from fracas.rulesets.sr4.sheet import Monitors, by_rule, make_pool, pool_entries, spent_edge, wounds_of
from fracas.rulesets.sr4.vocabulary import combatant_fields, dice

LAST_ACTION = 3
"""Hits that one more action takes."""

POOL, BOXES = "last-action.pool", "escape-death.boxes"
_LEFT = "Physical boxes left filled"
_TESTER = person("tester", "Tester", "")


class DeadMansTrigger(Procedure):
    """Struck down with an action still to come in this turn: a point of Edge and a test of Body + Willpower for it."""

    label = "Dead Man's Trigger"
    vocabulary = vocabulary(
        _TESTER,
        combatant_fields("tester"),
        fields("tester", pool=dice("Pool", "In place of Body + Willpower, before modifiers.")),
    )
    targets: Mapping[str, str] = {POOL: "Pool for a last action"}
    measures = (chance("success", "Chance of a last action"), mean("hits", "Expected hits"))

    def numbers(self, it: Attempt) -> None:
        needs_edge(it.facts, "tester", "edge_points", "no point of Edge is left for it")
        wounds = it.facts["tester.wound_modifier"] = wounds_of(it.facts, "tester", it.options)
        with it.faults.collect():
            base = pool_entries(it.facts, "tester", ("body", "willpower"))
            make_pool(it, POOL, *base, *by_rule("wounds", "Wounds", wounds))

    def first(self, it: Attempt) -> Stage:
        side = Side("last_action", "tester", it.total(POOL))
        return dice_test.start(side, None, LastAction(), RollRules.of(it.options))


class LastAction(Reaching, kind="sr4.last-action"):
    """Takes the hits."""

    threshold = LAST_ACTION

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        return LastActionEnd(net)


class LastActionEnd(Outcome, kind="sr4.last-action-end"):
    """How it ended. On a success there is one action, without movement."""

    hits: int

    def notes(self) -> Facts:
        return {"success": self.hits >= LAST_ACTION, "hits": self.hits}

    def changes(self) -> Iterator[Effect]:
        yield from spent_edge("tester", 1)
        if self.hits >= LAST_ACTION:
            yield Effect("add-condition", "tester", "last-action")


class EscapeDeath(Procedure):
    """Burns a point of the Edge attribute: a dying or dead character lives, stable, with the monitor full."""

    label = "Escape certain death"
    vocabulary = vocabulary(
        _TESTER,
        combatant_fields("tester"),
        fields(
            "",
            boxes=whole(
                _LEFT, "What the gamemaster finds plausible; the whole monitor unless given.", most=200
            ),
        ),
    )
    targets: Mapping[str, str] = {BOXES: _LEFT}
    measures = (mean("physical_after", _LEFT, "boxes"),)

    def numbers(self, it: Attempt) -> None:
        facts = it.facts
        needs_edge(facts, "tester", "edge", "no Edge is left to burn")
        for name in ("physical", "body", "willpower"):
            it.need(f"tester.{name}", name.capitalize())
        it.plan = monitors = Monitors.of({"tester.stun": 0, **facts}, "tester", it.options)
        if monitors is None:
            return
        if not monitors.after(0, "physical").dying:
            filled = f"{monitors.physical} of {monitors.physical_boxes} boxes are filled"
            message = f"{filled}: nobody is about to die"
            raise InputError.one("situation.tester.physical", "not-dying", message)
        given, full = facts.get("boxes"), Entry("monitor", "The whole monitor", _whole(monitors))
        entry = full if given is None else Entry("boxes", "Boxes given", given)
        it.tally(BOXES, entry, least=0, floor="No fewer boxes than none")

    def first(self, it: Attempt) -> Stage:
        monitors: Monitors = it.plan
        left = min(it.total(BOXES), monitors.physical)
        burn = Burn(it.facts["tester.edge"], shared=bool(it.facts.get("tester.edge_group")))
        return EscapeEnd(burn, monitors.physical, left, left >= _whole(monitors))


def _whole(monitors: Monitors) -> int:
    """The Physical monitor; with one for both kinds, Stun boxes keep their places in it."""
    return monitors.physical_boxes - (monitors.stun if monitors.single else 0)


class EscapeEnd(Outcome, kind="sr4.escape-death-end"):
    """A combatant lives.

    Attributes:
        burn: the Edge of which a point is burned.
        boxes: filled Physical boxes before.
        left: filled boxes afterwards.
        down: the monitor is still full: unconscious, but stable.
    """

    burn: Burn
    boxes: int
    left: int
    down: bool
    reports = (("physical_after", "left"),)

    def changes(self) -> Iterator[Effect]:
        yield self.burn.effect("tester")
        if self.left < self.boxes:
            yield Effect("mark", "tester", "physical", self.left - self.boxes)
        for state in (DYING, DEAD):
            yield Effect("remove-condition", "tester", state)
        if self.down:
            yield Effect("add-condition", "tester", STABILIZED)
