"""The Morale check and the reaction roll: 2d6 against the Morale score, and 2d6 and Charisma (rulebook section 11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from fracas.dice.requests import Total
from fracas.errors import InputError
from fracas.kernel.required import lacks
from fracas.kernel.ruleset import Asked, DecisionInfo, Measure, Prepared
from fracas.kernel.stage import Awaited, Effect, Fact, Facts, Roll, Stage, stage_class
from fracas.kernel.tally import Entry, Tally
from fracas.kernel.vocabulary import Catalog, Field, Record, Vocabulary
from fracas.rulesets.cwn.checks.saves import attribute_fields, modifier_of
from fracas.rulesets.cwn.checks.skill_numbers import CHECK_DICE
from fracas.rulesets.cwn.harms.harm import lasting
from fracas.rulesets.cwn.vocabulary import DRUGS

TESTER, FACE = "tester", "face"
SCORE, REACTION = "morale.score", "reaction.bonus"
BROKEN = "morale-broken"
STEADIED = "olympus-steadied"
"""The condition of somebody whom Olympus has held once in this scene."""
TRIGGERS = ("ally-died", "half-down", "losing", "reversal")

MORALE = Vocabulary(
    (
        Record(TESTER, "Whose nerve", "combatant", "A combatant of the packs, or fields of one, or both."),
        Record("morale_check", "The check"),
    ),
    (
        Field(f"{TESTER}.name", "text", "Name", most=80, example="Thug"),
        Field(f"{TESTER}.morale", "whole", "Morale", "Score.", 2, 12, example=8),
        Field(f"{TESTER}.player", "flag", "Player character", "Never checks."),
        Field(f"{TESTER}.drugs", "words", "Drugs at work", choices=DRUGS),
        Field(
            f"{TESTER}.olympus_steadied",
            "flag",
            "Steadied by Olympus",
            "It has made one failed check of this scene be rolled again.",
        ),
        Field("morale_check.trigger", "choice", "What calls for it", choices=TRIGGERS),
        Field("morale_check.bonus", "whole", "The GM's word", "On the score.", -2, 2),
        Field(
            "morale_check.led",
            "whole",
            "Lead of the leader",
            "Level of the skill Lead of somebody with Authority 2 whom it follows.",
            most=10,
        ),
    ),
)
REACTION_ROLL = Vocabulary(
    (
        Record(FACE, "Who speaks", "combatant", "A combatant of the packs, or fields of one, or both."),
        Record("reaction", "The meeting"),
    ),
    (
        Field(f"{FACE}.name", "text", "Name", most=80, example="Wren"),
        *(field for field in attribute_fields(FACE) if field.path.startswith(f"{FACE}.charisma")),
        Field("reaction.bonus", "whole", "Circumstances", "Added to the roll.", -10, 10),
    ),
)


class MoraleProcedure:
    """2d6 against the Morale score."""

    id = "morale"
    label = "Morale check"
    doc = "2d6 against the Morale score of an NPC: whether it breaks and flees or gives up."
    vocabulary = MORALE
    decisions: Sequence[DecisionInfo] = ()
    targets: Mapping[str, str] = {SCORE: "Morale"}
    measures = (Measure("breaks", "Chance to break", lambda facts: float(bool(facts["breaks"]))),)

    def prepare(self, asked: Asked) -> Prepared:
        facts = asked.said.facts
        refusals = asked.rules.refusals(facts)
        if refusals:
            return Prepared(None, (), refusals)
        if f"{TESTER}.morale" not in facts:
            raise lacks(f"{TESTER}.morale", "the Morale score")
        base = [Entry("morale", "Morale", facts[f"{TESTER}.morale"])]
        if word := facts.get("morale_check.bonus", 0):
            base.append(Entry("gm", "The GM's word", word))
        tally = asked.rules.tally(SCORE, self.targets[SCORE], base, facts, asked.hand)
        steadies = "olympus" in facts.get(f"{TESTER}.drugs", ()) and not facts.get(
            f"{TESTER}.olympus_steadied"
        )

        def first(tally: Tally) -> Stage:
            least = tally.total + (asked.options["morale_break"] == "exceed")
            return Nerve(tally.total, least, steadies, False)

        return Prepared(first(tally), (tally,), (), {}, first)


@stage_class
class Nerve(NamedTuple):
    """Waits for the 2d6 of a Morale check.

    Attributes:
        least: the lowest roll that breaks.
        steadies: a failed check is rolled again, by Olympus.
        again: it is.
    """

    score: int
    least: int
    steadies: bool
    again: bool
    kind: Literal["cwn.morale"] = "cwn.morale"

    @property
    def awaits(self) -> Awaited:
        label = "morale_again" if self.again else "morale"
        return Roll((label,), (TESTER,), Total(CHECK_DICE, 0, self.least))

    def advance(self, answer: Any) -> Stage:
        if answer and self.steadies:
            return self._replace(steadies=False, again=True)
        return MoraleEnd(self.score, answer, self.again)

    def notes(self) -> Facts:
        return {}

    def effects(self) -> tuple[Effect, ...]:
        return ()


@stage_class
class MoraleEnd(NamedTuple):
    """How a Morale check ended; `again`: it was rolled a second time."""

    score: int
    breaks: bool
    again: bool
    kind: Literal["cwn.morale-end"] = "cwn.morale-end"

    @property
    def awaits(self) -> Awaited:
        return None

    def advance(self, answer: Any) -> Stage:
        raise AssertionError("an outcome does not advance")

    def notes(self) -> Facts:
        return {"breaks": self.breaks, "morale": self.score, "result": "breaks" if self.breaks else "holds"}

    def effects(self) -> tuple[Effect, ...]:
        steadied = (lasting(TESTER, STEADIED, "scene", 1),) if self.again else ()
        return (*steadied, Effect("add-condition", TESTER, BROKEN)) if self.breaks else steadied


class ReactionRollProcedure:
    """2d6 and the Charisma modifier of whoever speaks for the group."""

    id = "reaction-roll"
    label = "Reaction roll"
    doc = "2d6 and the Charisma modifier of whoever speaks: how strangers take to the group."
    vocabulary = REACTION_ROLL
    decisions: Sequence[DecisionInfo] = ()
    targets: Mapping[str, str] = {REACTION: "Reaction bonus"}
    measures = (
        Measure("hostile", "Chance of hostility", lambda facts: float("hostile" in str(facts["reaction"]))),
        Measure(
            "friendly", "Chance of friendship", lambda facts: float("friendly" in str(facts["reaction"]))
        ),
        Measure("total", "Expected total", lambda facts: float(facts["total"] or 0)),
    )

    def prepare(self, asked: Asked) -> Prepared:
        facts = asked.said.facts
        refusals = asked.rules.refusals(facts)
        if refusals:
            return Prepared(None, (), refusals)
        base = []
        charisma = modifier_of(facts, FACE, "charisma")
        if charisma is not None:  # NPCs have none as a rule
            base.append(Entry("charisma", "Charisma", charisma))
        if said := facts.get("reaction.bonus", 0):
            base.append(Entry("circumstances", "Circumstances", said))
        tally = asked.rules.tally(REACTION, self.targets[REACTION], base, facts, asked.hand)
        rows = reaction_rows(asked.catalog)

        def first(tally: Tally) -> Stage:
            return Meeting(tally.total, rows)

        return Prepared(first(tally), (tally,), (), {}, first)


def reaction_rows(catalog: Catalog) -> tuple[tuple[int, str], ...]:
    """(lowest total, reaction) of the packs' table, the lowest row first."""
    table = catalog.entry("table", "reactions")
    if table is None:
        raise InputError.one("situation", "missing-table", "the packs in use have no table 'reactions'")
    rows = [
        (-1000 if row["least"] is None else row["least"], slug) for slug, row in table.data["rows"].items()
    ]
    return tuple(sorted(rows))


@stage_class
class Meeting(NamedTuple):
    """Waits for the 2d6 of a reaction roll."""

    bonus: int
    rows: tuple[tuple[int, str], ...]
    kind: Literal["cwn.reaction-roll"] = "cwn.reaction-roll"

    @property
    def awaits(self) -> Awaited:
        return Roll(("reaction",), (FACE,), Total(CHECK_DICE, self.bonus))

    def advance(self, answer: Any) -> Stage:
        return ReactionEnd(answer, [word for least, word in self.rows if answer >= least][-1])

    def notes(self) -> Facts:
        return {}

    def effects(self) -> tuple[Effect, ...]:
        return ()


@stage_class
class ReactionEnd(NamedTuple):
    """How strangers react."""

    total: int
    reaction: str
    kind: Literal["cwn.reaction-end"] = "cwn.reaction-end"

    @property
    def awaits(self) -> Awaited:
        return None

    def advance(self, answer: Any) -> Stage:
        raise AssertionError("an outcome does not advance")

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {"total": self.total, "reaction": self.reaction}
        return facts

    def effects(self) -> tuple[Effect, ...]:
        return ()
