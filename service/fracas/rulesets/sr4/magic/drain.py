"""Drain, which the one who casts a spell or calls a spirit resists, and what else casters have in common.

Rulebook section 16: Magic and a skill, foci, and Willpower with the attribute of the tradition against drain.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.kernel.fields import Declared, choice, flag, whole
from fracas.kernel.forms import Outcome, Part
from fracas.kernel.procedures import Attempt, chance, mean
from fracas.kernel.stage import Effect, Fact, Facts, Stage
from fracas.kernel.tables import row_of
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import EntryLookup
from fracas.rulesets.sr4.harms.harm import facts_after, marks
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.sides import Resisting, RollRules, Side, Spent, side_of
from fracas.rulesets.sr4.sheet import SPECIALIZATION, Monitors, make_pool, pool_given, spent_edge
from fracas.rulesets.sr4.vocabulary import dice

CASTER = "caster"
AGAINST_DRAIN = "drain.pool"
MOST_FORCE = 2
"""Times Magic."""
OF_DRAIN = (
    mean("drain_damage", "Expected boxes of drain", "drain"),
    chance("drain_unconscious", "Chance that drain takes the caster out", "spent"),
)
_AGAINST_DRAIN = ("logic", "charisma", "intuition", "willpower", "magic", "body")
_TRADITION = "Which attribute resists drain; other traditions say drain_attribute."
DRAIN_FIELDS: Mapping[str, Declared] = {
    "tradition": choice("Tradition", _TRADITION, choices=("hermetic", "shamanic")),
    "drain_attribute": choice(
        "Attribute against drain", "Beside Willpower, in place of the tradition's.", choices=_AGAINST_DRAIN
    ),
    "drain_pool": dice("Drain pool", "Dice before modifiers, in place of the attributes."),
}
"""What gives a caster dice against drain."""
FOCI = ("spellcasting", "counterspelling", "summoning", "banishing", "power")
"""Kinds of foci that add dice; a power focus adds them to all that the others do."""


def foci(*kinds: str) -> dict[str, Declared]:
    """What a sheet says of foci of these kinds."""
    doc = "The foci are active; of several that could add to one test the strongest does."
    force = "Its Force, which it adds in dice."
    its = {f"{kind}_focus": whole(f"{kind.capitalize()} focus", force, most=20) for kind in kinds}
    return {**its, "focus_active": flag("Active foci", doc)}


def needed_of_caster(facts: Mapping[str, Any], lookup: EntryLookup) -> Iterator[tuple[str, str]]:
    """(field, what the rule needs) of the test of a caster and of the resistance to drain."""
    yield "caster.magic", "Magic of the caster"
    if "caster.pool" not in facts:
        yield "caster.skills", "the skill ratings of the caster | caster.pool"
    if "caster.drain_pool" in facts:
        return
    yield "caster.willpower", "Willpower of the caster | caster.drain_pool"
    if second := _drain_attribute(facts, lookup):
        yield f"caster.{second}", f"{second.capitalize()} of the caster | caster.drain_pool"
    else:
        yield "caster.tradition", "the tradition of the caster | caster.drain_attribute"


def _drain_attribute(facts: Mapping[str, Any], lookup: EntryLookup) -> str:
    """The attribute beside Willpower: the one given, or that of the tradition by the packs; "" for none."""
    given: str = facts.get("caster.drain_attribute", "")
    tradition = facts.get("caster.tradition")
    return given if given or tradition is None else str(row_of(lookup, "traditions", tradition)["attribute"])


def magic_base(facts: Mapping[str, Any], label: str, rating: str) -> list[Entry]:
    """Magic and a skill, which nobody defaults on; `rating`: the fact of its rating."""
    return pool_given(facts, "caster.pool") or [
        Entry("magic", "Magic", facts["caster.magic"]),
        Entry("skill", label, facts[rating]),
        *(SPECIALIZATION if facts.get("caster.specialized") else ()),
    ]


def number_against_drain(it: Attempt) -> None:
    """Make the dice against drain."""
    base = pool_given(it.facts, "caster.drain_pool") or [
        Entry(name, name.capitalize(), it.facts[f"caster.{name}"])
        for name in dict.fromkeys(("willpower", _drain_attribute(it.facts, it.lookup)))
    ]
    make_pool(it, AGAINST_DRAIN, *base)


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

    @classmethod
    def of(cls, it: Attempt, value: int = 0) -> Drain:
        """What a spell or spirit takes from its caster, whose dice against it are made."""
        track = "physical" if it.facts["force"] > it.facts["caster.magic"] else "stun"
        resist = side_of("drain", CASTER, it.total(AGAINST_DRAIN), it.facts, it.request)
        return cls(value, track, resist, Monitors.of(it.facts, CASTER, it.options))

    def resisted(self, value: int, edge_spent: int, rules: RollRules) -> tuple[str, Stage]:
        """The branch of the resistance; a point of Edge that was spent before was that of the whole action."""
        resist = self.resist.without_edge() if edge_spent else self.resist
        return CASTER, dice_test.start(resist, None, Drained(self, value, edge_spent), rules)


class Drained(Resisting, kind="sr4.drained"):
    """Takes the resistance to drain. `edge_spent`: points of the caster on the tests before."""

    drain: Drain
    dv: int
    edge_spent: int

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        return DrainEnd(self.drain, self.dv, max(0, self.dv - net), self.edge_spent + edge_spent[0])


def facts_of_drain(value: int, damage: int, track: str, monitors: Monitors | None) -> dict[str, Fact]:
    """Drain and its damage, and the monitors after it where they are known."""
    facts: dict[str, Fact] = {"drain": value, "drain_damage": damage, "drain_track": track}
    after = facts_after(monitors, damage, track) if monitors is not None else {}
    return facts | {f"drain_{name}": fact for name, fact in after.items()}


class DrainEnd(Outcome, kind="sr4.drain-end"):
    """What the drain did to the caster; it knocks nobody down."""

    drain: Drain
    value: int
    damage: int
    edge_spent: int

    def notes(self) -> Facts:
        return facts_of_drain(self.value, self.damage, self.drain.track, self.drain.monitors)

    def changes(self) -> Iterator[Effect]:
        yield from spent_edge(CASTER, self.edge_spent)
        yield from marks(CASTER, self.drain.monitors, self.damage, self.drain.track)
