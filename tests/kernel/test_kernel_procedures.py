"""The form of procedures: what is missing, what is refused, and the odds without a line follow from the numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from fracas.errors import InputError
from fracas.kernel.entry_kinds import entry_field_schema
from fracas.kernel.field import field_schema
from fracas.kernel.fields import fields, flag, person, text, vocabulary, whole
from fracas.kernel.forms import Outcome
from fracas.kernel.intents import Participant, StepContext, Table
from fracas.kernel.predicates import Compiler
from fracas.kernel.procedures import Attempt, Procedure, chance, known_of_people, mean, owners_of, people_of
from fracas.kernel.required import lacks
from fracas.kernel.ruleset import AttemptRequest
from fracas.kernel.stage import Facts, Stage
from fracas.kernel.tally import Entry, HandModifier, Modifier, Refusal, Rules
from fracas.kernel.values import compile_value
from fracas.kernel.vocabulary import Field, Input, Record, Vocabulary

POOL, DEFENSE, COVER = "attack.pool", "attack.defense", "attack.cover"
WORDS = Vocabulary(
    (Record("attacker", "Attacker"), Record("target", "Target")),
    (
        Field("attacker.agility", "whole", "Agility"),
        Field("attacker.running", "flag", "Running"),
        Field("target.reaction", "whole", "Reaction"),
        Field("target.away", "flag", "Away"),
    ),
)


class Shot(Outcome, kind="procedures.shot"):
    pool: int
    defense: int
    cover: int

    def notes(self) -> Facts:
        return {"net": self.pool - self.defense, "hit": self.pool > self.defense}


class Shooting(Procedure):
    """Agility against Reaction, of which cover, a number of its own, is taken."""

    id = "shooting"
    label = "Shooting"
    doc = "A shot."
    vocabulary = WORDS
    targets: Mapping[str, str] = {POOL: "Pool", DEFENSE: "Defense", COVER: "Cover"}
    measures = (chance("hit", "Chance to hit"), mean("net", "Expected net", "net-pool"))
    inner = (COVER,)

    def numbers(self, it: Attempt) -> None:
        agility = it.need("attacker.agility", "Agility of the attacker")
        reaction = it.need("target.reaction", "Reaction of the target")
        if it.facts.get("target.away"):
            it.refused.append(Refusal("away", "The target is away"))
        it.tally(POOL, Entry("agility", "Agility", agility), least=0, floor="A pool is never below 0")
        cover = it.tally(COVER)
        it.tally(
            DEFENSE,
            Entry("reaction", "Reaction", reaction),
            Entry("cover", "Cover", cover.total, origin="rule"),
        )
        it.shown["quick"] = reaction > 5

    def first(self, it: Attempt) -> Stage:
        return Shot(it.total(POOL), it.total(DEFENSE), it.total(COVER))


def modifier(id: str, to: str, value: int, when: Any, refuses: str = "") -> Modifier:
    compiler = Compiler(WORDS)
    made = Modifier(
        id, id, (to,), compiler.predicate(when), compile_value(value, compiler), refuses=refuses, source=id
    )
    assert compiler.problems == []
    return made


RULES = Rules(
    {
        POOL: [modifier("running", POOL, -3, "attacker:running")],
        COVER: [modifier("wall", COVER, 2, {"not": "target:away"})],
        "refusal": [modifier("no-running", "refusal", 0, {"all": ["attacker:running", "target:away"]}, "no")],
    },
    {},
)


def asked(rules: Rules = RULES, hand: tuple[HandModifier, ...] = (), **facts: Any) -> AttemptRequest:
    named = {name.replace("_", ".", 1): fact for name, fact in facts.items()}
    catalog: Any = None
    return AttemptRequest(Input(named, {}), {}, hand, frozenset(), rules, catalog)


def test_the_first_stage_is_made_of_the_totals() -> None:
    prepared = Shooting().prepare(asked(attacker_agility=5, target_reaction=3, target_away=False))
    assert [(tally.to, tally.total) for tally in prepared.tallies] == [(POOL, 5), (COVER, 2), (DEFENSE, 5)]
    assert (prepared.stage, prepared.facts) == (Shot(5, 5, 2), {"quick": False})
    assert prepared.refusals == ()


def test_everything_that_is_missing_is_reported_at_once() -> None:
    with pytest.raises(InputError) as caught:
        Shooting().prepare(asked(attacker_running=True))
    assert [(problem.path, problem.code) for problem in caught.value.problems] == [
        ("situation.attacker.agility", "missing-field"),
        ("situation.target.reaction", "missing-field"),
    ]


def test_what_is_refused_shows_its_numbers_and_needs_nothing_more() -> None:
    prepared = Shooting().prepare(
        asked(attacker_running=True, target_away=True, target_reaction=3, attacker_agility=4)
    )
    assert [refusal.code for refusal in prepared.refusals] == ["no", "away"]
    assert (prepared.stage, prepared.rebuild) == (None, None)
    assert [tally.to for tally in prepared.tallies] == [POOL, COVER, DEFENSE]
    assert prepared.facts == {"quick": False}
    lacking = Shooting().prepare(asked(attacker_running=True, target_away=True, target_reaction=3))
    assert (lacking.refusals, lacking.tallies) == (prepared.refusals, ())


def test_what_is_refused_is_still_wrong_where_it_contradicts_itself() -> None:
    class Strict(Shooting):
        def numbers(self, it: Attempt) -> None:
            super().numbers(it)
            it.faults.wrong("target.away", "contradiction", "nobody is away")

    with pytest.raises(InputError) as caught:
        Strict().prepare(asked(attacker_running=True, target_away=True))
    assert [problem.code for problem in caught.value.problems] == ["contradiction"]


def rebuilt(prepared: Any, to: str, id: str) -> Stage | None:
    assert prepared.rebuild is not None
    tally = next(tally for tally in prepared.tallies if tally.to == to)
    rules = RULES.remembering()
    Shooting().prepare(asked(rules, attacker_agility=1, attacker_running=True, target_reaction=3))
    found: Stage | None = prepared.rebuild(rules.retally(tally, id))
    return found


def test_odds_without_a_line_raise_the_number_to_its_floor_again() -> None:
    hand = (HandModifier(POOL, "Dark", -2),)
    prepared = Shooting().prepare(
        asked(hand=hand, attacker_agility=1, attacker_running=True, target_reaction=3, target_away=False)
    )
    assert prepared.stage == Shot(0, 5, 2)
    assert rebuilt(prepared, POOL, "running") == Shot(0, 5, 2)  # 1 - 2, raised
    assert rebuilt(prepared, POOL, "hand-1") == Shot(0, 5, 2)


def test_a_number_that_others_depend_on_is_prepared_again() -> None:
    prepared = Shooting().prepare(
        asked(attacker_agility=4, attacker_running=True, target_reaction=3, target_away=False)
    )
    assert rebuilt(prepared, POOL, "running") == Shot(4, 5, 2)
    assert rebuilt(prepared, COVER, "wall") is None


def test_what_the_rule_did_to_a_sum_is_done_again() -> None:
    class Halving(Shooting):
        def numbers(self, it: Attempt) -> None:
            super().numbers(it)
            made = it.made[DEFENSE]
            it.keep(made.plus(Entry("half", "Half", made.total // 2 - made.total, origin="rule")), self.half)

        @staticmethod
        def half(changed: Any) -> Any:
            rest = changed._replace(entries=tuple(one for one in changed.entries if one.id != "half"))
            total = sum(one.value or 0 for one in rest.entries)
            return rest.plus(Entry("half", "Half", total // 2 - total, origin="rule"))

    facts = {"attacker_agility": 4, "target_reaction": 4, "target_away": False}
    hand = (HandModifier(DEFENSE, "Slow", -2),)
    prepared = Halving().prepare(asked(hand=hand, **facts))
    assert prepared.stage == Shot(4, 2, 2)
    rules = RULES.remembering()
    Halving().prepare(asked(rules, hand=hand, **facts))
    assert prepared.rebuild is not None
    assert prepared.rebuild(rules.retally(prepared.tallies[2], "hand-1")) == Shot(4, 3, 2)


def test_each_of_several_has_numbers_of_its_own_by_the_same_modifiers() -> None:
    class Volley(Shooting):
        targets: Mapping[str, str] = {**Shooting.targets, "other.attack.pool": "Other: Pool"}

        def numbers(self, it: Attempt) -> None:
            super().numbers(it)
            it.of("other", {**it.facts, "attacker.running": True}).tally(POOL, Entry("given", "Given", 9))

        def first(self, it: Attempt) -> Stage:
            return Shot(it.total(POOL), it.of("other", {}).total(POOL), it.total(COVER))

    hand = (HandModifier(POOL, "Dark", -2), HandModifier("other.attack.pool", "Near", 1))
    facts: dict[str, Any] = {
        "attacker_agility": 4,
        "target_reaction": 4,
        "attacker_running": False,
        "target_away": False,
    }
    rules = RULES.remembering()
    prepared = Volley().prepare(asked(rules, hand=hand, **facts))
    assert (prepared.stage, prepared.rebuild is not None) == (Shot(2, 9 - 3 + 1, 2), True)
    assert [(tally.to, tally.label) for tally in prepared.tallies][-1] == ("other.attack.pool", "Other: Pool")
    again = prepared.rebuild and prepared.rebuild(rules.retally(prepared.tallies[-1], "running"))
    assert again == Shot(2, 9 + 1, 2)
    it = Attempt(asked(hand=hand, **facts), Volley.targets).of("other", {}, common=(POOL,))
    assert it.known(POOL) is None
    assert (it.tally(POOL, Entry("given", "Given", 9)).total, it.known(POOL), [*it.made]) == (7, 7, [POOL])


@pytest.mark.parametrize(
    ("facts", "values"),
    [({"hit": True, "net": 3}, (1, 3)), ({"hit": False, "net": None}, (0, 0)), ({}, (0, 0))],
)
def test_measures_read_facts_that_may_be_missing(facts: dict[str, Any], values: tuple[float, float]) -> None:
    hit, net = Shooting.measures
    assert (hit.id, net.id) == ("hit", "net-pool")
    assert (hit.of(facts), net.of(facts)) == values


@pytest.mark.parametrize(
    ("down", "dropped", "dead"), [("none", 0, 0), ("", 0, 0), (None, 0, 0), ("dying", 1, 0), ("dead", 1, 1)]
)
def test_a_chance_is_that_of_some_values_of_a_fact(down: str | None, dropped: float, dead: float) -> None:
    facts = {} if down is None else {"down": down}
    assert chance("down", "Chance to drop", but=("none",)).of(facts) == dropped
    assert chance("down", "Chance to kill", "dead", among=("dead",)).of(facts) == dead
    of_stun = chance("down", "Chance to kill by Stun", "stun", among=("dead",), where={"track": "stun"})
    assert [of_stun.of({**facts, "track": track}) for track in ("stun", "physical")] == [dead, 0]


class PlainBlow(Procedure):
    """A blow,
    and nothing else."""


def test_a_procedure_without_a_name_has_that_of_its_class() -> None:
    assert (PlainBlow.id, PlainBlow().label, PlainBlow().doc) == (
        "plain-blow",
        "Plain blow",
        "A blow, and nothing else.",
    )


class Ambush(Procedure):
    id = "ambush"
    vocabulary = vocabulary(person("sniper", "Sniper"), person("guard", "Guard"), Record("shot", "The shot"))
    targets: Mapping[str, str] = {"shot.pool": "Pool", "guard.armor": "Armor", "shot.notice": "Notice"}
    owners: Mapping[str, str] = {"shot.notice": "guard"}


def test_a_number_is_that_of_its_record_or_of_the_first_person_unless_the_procedure_says_whose() -> None:
    assert people_of(Ambush()) == ["sniper", "guard"]
    assert owners_of([Ambush()]) == {"shot.pool": "sniper", "guard.armor": "guard", "shot.notice": "guard"}


def test_a_fight_knows_of_people_what_is_read_and_their_sheets_do_not_have() -> None:
    sniper, guard = Participant("s", "S", "a", True, {"agility": 3}), Participant("g", "G", "b", False, {})
    step = StepContext(Table(1, 1, {}), sniper, None, "shooting", {}, {"target": guard})
    at_first = {"agility": 1, "running": False, "reaction": 2, "asleep": True}
    people = Record("attacker", "Attacker", "combatant"), Record("target", "Target", "combatant")
    derived = Field("target.running", "flag", "Running", derived_from="target.reaction")
    procedure = Shooting()
    procedure.vocabulary = Vocabulary(people, (*WORDS.fields.values(), derived))
    known = known_of_people(procedure, step, lambda who: at_first)
    assert known == {"attacker": {"running": False}, "target": {"reaction": 2}}


def test_a_procedure_may_say_itself_on_which_numbers_others_depend_and_is_told_which_one_changed() -> None:
    class Leading(Shooting):
        def leads_on(self, it: Attempt, to: str) -> bool:
            return bool(to == POOL and it.facts.get("target.reaction") == 3)

        def first(self, it: Attempt) -> Stage:
            told.append(it.instead and it.instead.to)
            if it.instead is not None:  # it takes the place of the number wherever that is made again
                assert it.tally(POOL, Entry("other", "Other", 99)) is it.instead
            return super().first(it)

    told: list[str | None] = []
    for reaction, known in ((3, [None]), (4, [None, POOL])):
        told.clear()
        prepared = Leading().prepare(asked(attacker_agility=4, target_reaction=reaction))
        assert prepared.rebuild is not None
        again = prepared.rebuild(prepared.tallies[0])
        assert (told, again) == (known, None if reaction == 3 else prepared.stage)


class Firm(Shooting):
    """What its fields require is asked for without a word of the procedure."""

    vocabulary = vocabulary(
        Record("attacker", "Attacker"),
        Record("target", "Target"),
        Record("weapon", "Weapon", optional=True),
        fields("attacker", agility=whole("Agility"), die=whole("Die", required="the die of the attacker")),
        fields("target", reaction=whole("Reaction"), away=flag("Away")),
        fields("weapon", weight=whole("Weight", unit="kilograms", required="the weight of the weapon")),
        fields("weapon", name=text("Name")),
    )


class Hasty(Firm):
    """It gives up at the first thing that is missing."""

    def numbers(self, it: Attempt) -> None:
        raise lacks("target.reaction", "Reaction of the target")


def lacking(procedure: Procedure, **facts: Any) -> list[tuple[str, str]]:
    flat = {path.replace("__", "."): value for path, value in facts.items()}
    with pytest.raises(InputError) as error:
        procedure.prepare(AttemptRequest(Input(flat, {})))
    return [(problem.path.removeprefix("situation."), problem.message) for problem in error.value.problems]


def test_what_fields_require_is_reported_with_all_else_that_is_missing() -> None:
    die = ("attacker.die", "the rule needs the die of the attacker")
    reaction = ("target.reaction", "the rule needs Reaction of the target")
    agility = ("attacker.agility", "the rule needs Agility of the attacker")
    assert lacking(Firm()) == [die, agility, reaction]
    assert lacking(Firm(), attacker__agility=3, attacker__die=6) == [reaction]
    # Of a record that may be left out it is asked for where there is any of it.
    weight = ("weapon.weight", "the rule needs the weight of the weapon")
    assert lacking(Firm(), attacker__agility=3, attacker__die=6, weapon__name="Bow") == [weight, reaction]
    # Also where the numbers cannot be made any further.
    assert lacking(Hasty()) == [die, reaction]


def test_a_field_says_its_unit_and_what_needs_it_in_schemas() -> None:
    words = Firm.vocabulary
    assert words.needed == {
        "attacker.die": "the die of the attacker",
        "weapon.weight": "the weight of the weapon",
    }
    weight = words.fields["weapon.weight"]
    assert field_schema(weight)["description"] == "In kilograms."
    assert field_schema(weight)["x-unit"] == "kilograms"
    assert field_schema(weight)["x-needed"] == "the weight of the weapon"
    assert field_schema(weight._replace(doc="Of all.", unit=""))["description"] == "Of all."
    assert entry_field_schema(weight._replace(doc="Of all."))["description"] == "Of all. In kilograms."
    assert "x-unit" not in field_schema(words.fields["attacker.die"])
