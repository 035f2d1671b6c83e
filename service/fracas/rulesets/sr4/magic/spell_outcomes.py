"""What spells do and how they end: on those whom they strike, on whoever they help, and on their caster.

Rulebook sections 4.5, 11.7 and 16. Damage that meets armor ends as that of any attack does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.kernel.forms import Outcome, Part
from fracas.kernel.procedures import Attempt
from fracas.kernel.required import lacks
from fracas.kernel.ruleset import Asked
from fracas.kernel.stage import Effect, Fact, Facts, Shared, Stage
from fracas.kernel.tables import rows_of
from fracas.kernel.vocabulary import Catalog
from fracas.rulesets.sr4.composing import spent_edge
from fracas.rulesets.sr4.harms.damage import Plan
from fracas.rulesets.sr4.harms.harm import facts_after, healed, knocks_down, marks
from fracas.rulesets.sr4.magic.spell_facts import (
    ARMOR,
    ATTRIBUTE,
    BARRIER,
    CASTER,
    HEAL,
    MANA_BARRIER,
    PEOPLE,
    REFLEXES,
    SENSE,
    said_of,
)
from fracas.rulesets.sr4.rolls.sides import Receiver, Side, side_of
from fracas.rulesets.sr4.sheet import Monitors

SUSTAINING = "sustaining-spell"
"""The condition of the packs of somebody who keeps up a spell; one for each."""


class Drain(Part, kind="sr4.drain"):
    """What the spell takes from its caster.

    Attributes:
        value: its DV before net hits that cost drain; it is at least 1.
        track: ``stun``, or ``physical`` of a spell with more Force than Magic.
        resist: the test, Willpower + the attribute of the tradition.
    """

    value: int
    track: str
    resist: Side
    monitors: Monitors | None


def drain_of(it: Attempt, value: int, dice: int, *, physical: bool) -> Drain:
    """What a spell or spirit takes from its caster, who resists with so many dice."""
    return Drain(
        value,
        "physical" if physical else "stun",
        side_of("drain", CASTER, dice, it.facts, it.asked),
        Monitors.of(it.facts, CASTER, it.options),
    )


class Aid(Part, kind="sr4.spell-aid"):
    """What a spell does that is no attack.

    Attributes:
        who: the record of whom it is cast on.
        threshold: hits that it takes.
        does: see `spell_vocabulary`; "" for what people see to.
        condition: slug that it puts on somebody; "" for none.
        steps: what the condition sets its field to, by hits: at `threshold`, one more, and so on; the last one stays.
            Empty: as many as hits.
        field: the field that the condition sets, or of an attribute adds to.
        sustained: the caster keeps it up.
        monitors: of whom it is cast on, to be healed.
    """

    who: str
    threshold: int
    does: str
    condition: str
    field: str
    steps: tuple[int, ...]
    sustained: bool
    monitors: Monitors | None


class NotTouched(Outcome, kind="sr4.not-touched"):
    """Nothing is cast, since the target could not be touched: the end for the target, and for the caster.

    Attributes:
        who: the record of one of them.
        defended: it made a defense.
        edge_spent: its points of Edge.
    """

    who: str
    defended: bool
    edge_spent: int

    def notes(self) -> Facts:
        if self.who == CASTER:
            return {"drain": 0, "drain_damage": 0, "drain_track": None}
        return {"result": "not-touched", "damage": 0}

    def changes(self) -> Iterator[Effect]:
        yield from spent_edge(self.who, self.edge_spent)
        if self.defended:
            yield Effect("gain", self.who, "defenses-made", 1)


class Outside(Outcome, kind="sr4.outside-spell"):
    """Too far from the center."""

    def notes(self) -> Facts:
        return {"result": "outside", "damage": 0}


class Overwhelmed(Outcome, kind="sr4.overwhelmed"):
    """What a direct spell did to somebody: Force and net hits in boxes, without armor and resistance.

    Attributes:
        net: net hits; none: it was resisted.
        used: net hits that raise the damage.
        edge_spent: points of Edge of the target.
    """

    net: int
    used: int
    plan: Shared[Plan]
    edge_spent: int

    @property
    def damage(self) -> int:
        return self.plan.value.value + self.used if self.net else 0

    @property
    def knockdown(self) -> bool:
        plan = self.plan.value
        return plan.falls and knocks_down(self.damage, plan.knockdown)

    def notes(self) -> Facts:
        plan = self.plan.value
        facts: dict[str, Fact] = {
            "result": "hit" if self.net else "resisted",
            "net_hits": self.net,
            "damage": self.damage,
            "track": plan.track if self.net else None,
        }
        if self.net:
            facts["knockdown"] = self.knockdown
        if plan.monitors is not None:
            facts |= facts_after(plan.monitors.after(self.damage, plan.track))
        return facts

    def changes(self) -> Iterator[Effect]:
        plan = self.plan.value
        yield from spent_edge(plan.who, self.edge_spent)
        yield from marks(plan.who, plan.monitors, self.damage, plan.track)
        if self.knockdown:
            yield Effect("add-condition", plan.who, "prone")


class AidEnd(Outcome, kind="sr4.spell-aid-end"):
    """What came of a spell that is no attack."""

    aid: Aid
    hits: int

    @property
    def success(self) -> bool:
        return self.hits >= self.aid.threshold

    @property
    def strength(self) -> int:
        """What the spell's condition sets its field to."""
        steps, over = self.aid.steps, self.hits - self.aid.threshold
        if not self.success:
            return 0
        return steps[min(over, len(steps) - 1)] if steps else self.hits

    @property
    def boxes(self) -> int:
        """Physical boxes that are healed."""
        monitors = self.aid.monitors
        return min(self.hits, monitors.physical) if monitors is not None and self.aid.does == HEAL else 0

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {"success": self.success, "hits": self.hits}
        if self.aid.does == HEAL:
            facts["healed"] = self.boxes
        elif self.aid.field:
            facts["raised" if self.aid.does == ATTRIBUTE else self.aid.field] = self.strength
        return facts

    def changes(self) -> Iterator[Effect]:
        aid = self.aid
        if not self.success:
            return
        if aid.monitors is not None and self.boxes:
            yield from healed(aid.who, aid.monitors, self.boxes, 0)
        if aid.condition:
            how = "add" if aid.does == ATTRIBUTE else "set"
            detail = ((f"{how}_{aid.field}", self.strength), ("towards", CASTER))
            yield Effect("add-condition", aid.who, aid.condition, None, detail)
        if aid.sustained:
            yield Effect("add-condition", CASTER, SUSTAINING)


class Drained(Receiver, kind="sr4.drained"):
    """Takes the resistance to drain. `edge_spent`: points of the caster on the tests before."""

    drain: Drain
    value: int
    edge_spent: int

    def take(self, net: int, scoreless: bool, edge_spent: tuple[int, int]) -> Stage:
        damage = max(0, self.value - net)
        return DrainEnd(self.drain, self.value, damage, self.edge_spent + edge_spent[0])

    def short(self, net: int, scoreless: bool) -> int:
        return self.value - net

    def critical(self) -> int:
        return self.value


class DrainEnd(Outcome, kind="sr4.drain-end"):
    """What the drain did to the caster; it knocks nobody down."""

    drain: Drain
    value: int
    damage: int
    edge_spent: int

    def notes(self) -> Facts:
        drain = self.drain
        facts: dict[str, Fact] = {
            "drain": self.value,
            "drain_damage": self.damage,
            "drain_track": drain.track,
        }
        if drain.monitors is not None:
            after = facts_after(drain.monitors.after(self.damage, drain.track))
            facts |= {f"drain_{name}": fact for name, fact in after.items()}
        return facts

    def changes(self) -> Iterator[Effect]:
        yield from spent_edge(CASTER, self.edge_spent)
        yield from marks(CASTER, self.drain.monitors, self.damage, self.drain.track)


CONDITIONS = {
    REFLEXES: ("increased-reflexes", "reflex_boost"),
    ARMOR: ("armor-spell", "spell_armor"),
    SENSE: ("combat-sense", "combat_sense"),
    BARRIER: ("physical-barrier", "spell_barrier"),
    MANA_BARRIER: ("mana-barrier", "mana_barrier"),
}
"""Of what a sustained spell does: the condition of the packs, and the field that it sets. A raised attribute has a
condition of its own for each attribute, to which it adds."""


def condition_and_field(facts: Mapping[str, Any]) -> tuple[str, str]:
    """The condition of the packs that a spell puts on somebody, and the field that this changes; "" for none.

    Raises:
        InputError: the spell raises an attribute, and nobody says which.
    """
    does = facts.get("spell.does", "")
    if does != ATTRIBUTE:
        return CONDITIONS.get(does, ("", ""))
    attribute = facts.get("attribute")
    if attribute is None:
        raise lacks("attribute", "the attribute that it raises")
    return f"increased-{attribute}", attribute


def aid_of(facts: Mapping[str, Any], asked: Asked) -> Aid:
    """What a spell will do that is no attack.

    Raises:
        InputError: see `condition_and_field`.
    """
    does = facts.get("spell.does", "")
    condition, field = condition_and_field(facts)
    threshold = facts.get("spell.threshold", 1)
    steps: tuple[int, ...] = ()
    if does == REFLEXES:
        by_hits = _reflexes(asked.catalog)
        threshold = min(by_hits)
        steps = tuple(by_hits.get(hits, 0) for hits in range(threshold, max(by_hits) + 1))
    return Aid(
        "target" if said_of(asked.said.facts, PEOPLE[:1]) else CASTER,
        threshold,
        does,
        condition,
        field,
        steps,
        bool(facts.get("spell.sustained")),
        Monitors.of(facts, "target", asked.options) if does == HEAL else None,
    )


def _reflexes(catalog: Catalog) -> Mapping[int, int]:
    """What Increase Reflexes adds to Initiative and passes, by hits (section 4.5)."""
    rows = rows_of(catalog, "increase-reflexes")
    return {int(name.removeprefix("hits-")): int(row["passes"]) for name, row in rows.items()}
