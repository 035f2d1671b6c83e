"""Stages of the forms are tuples like those written out, and inherit what these repeat."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from typing import Any, ClassVar, Literal, NamedTuple

import pytest

from fracas.dice.totals import Total
from fracas.kernel.forms import Continuation, Outcome, Part, Waiting, rolls
from fracas.kernel.odds import Transitions, odds
from fracas.kernel.readers import DefaultPolicy
from fracas.kernel.stage import Awaited, Effect, Facts, Roll, Stage, from_json, share, stage_class, to_json
from fracas.kernel.steps import Choice, Score, Scored, Throw


class Wound(Outcome, kind="forms.wound"):
    """Points and where."""

    points: int
    where: str = "body"
    deep: bool = False

    def notes(self) -> Facts:
        return {"points": self.points}

    def changes(self) -> Iterator[Effect]:
        if self.points:
            yield Effect("mark", "target", "hp", self.points)


class Nothing(Outcome, kind="forms.nothing"):
    """Without fields."""


@stage_class
class ByHand(NamedTuple):
    """The same as `Wound`, written out."""

    points: int
    where: str = "body"
    deep: bool = False
    kind: Literal["forms.by-hand"] = "forms.by-hand"


class Halved(Continuation, kind="forms.halved"):
    factor: int

    def on_result(self, rolled: int) -> Stage:
        return Wound(rolled // self.factor)


class Rolled(Waiting, kind="forms.rolled"):
    dice: int
    then: Any
    most: ClassVar[int] = 9

    @property
    def awaits(self) -> Awaited:
        return Roll(("damage",), ("attacker",), Total(((self.dice, 6),)))

    def advance(self, answer: int) -> Stage:
        then: Stage = self.then.on_result(answer)
        return then


class RolledBy(Waiting, kind="forms.rolled-by"):
    """The same as `Rolled`, with its roll declared."""

    dice: int
    then: Any

    awaits = rolls("damage", "attacker", lambda self: Total(((self.dice, 6),)))

    def advance(self, answer: int) -> Stage:
        return Rolled(self.dice, self.then).advance(answer)


class RolledByEither(Waiting, kind="forms.rolled-by-either"):
    """Its label and who rolls follow from the stage."""

    by: str
    again: bool
    awaits = rolls(
        lambda self: "again" if self.again else "first", lambda self: self.by, lambda self: Total(((1, 6),))
    )

    def advance(self, answer: int) -> Stage:
        return Wound(answer)


class Aimed(Outcome):
    """A base: its fields stand before those of the classes that inherit."""

    who: str
    range: int = 5

    def notes(self) -> Facts:
        return {"who": self.who, "far": self.range > 5}


class Missed(Aimed, kind="forms.missed"):
    by: int = 0


class Struck(Aimed, kind="forms.struck"):
    range: int = 7
    points: int = 0


class Bruised(Outcome, kind="forms.bruised"):
    points: int
    where: str
    reports = ("where", "badly")

    @property
    def badly(self) -> bool:
        return self.points > 3


class Bandaged(Outcome, kind="forms.bandaged"):
    wound: Bruised
    reports = (("spot", "wound.where"),)


class Plan(Part, kind="forms.plan"):
    name: str
    wounds: tuple[Wound, ...] = ()


THROWN = Throw("damage", "attacker", Total(((2, 6),)), Halved(2))
OFFERED = Choice(
    "again", "attacker", (("keep", "Keep it", (), Nothing()), ("spend", "Again", (("luck", 1),), THROWN))
)
MADE = (
    *(Wound(3), Nothing(), Halved(2), Rolled(2, Halved(2)), Missed("a"), Struck("b", points=2), Plan("c")),
    *(THROWN, OFFERED, Score(), Scored("score", 7)),
)


def test_facts_are_the_fields_and_properties_that_are_named() -> None:
    assert Bruised(4, "arm").notes() == {"where": "arm", "badly": True}
    assert Bandaged(Bruised(4, "arm")).notes() == {"spot": "arm"}
    assert Bruised._fields == ("points", "where", "kind")
    assert Nothing().notes() == {}


def test_it_is_the_tuple_that_would_be_written_out() -> None:
    wound, by_hand = Wound(3, deep=True), ByHand(3, deep=True)
    assert tuple(wound) == (3, "body", True, "forms.wound")
    assert tuple(wound)[:-1] == tuple(by_hand)[:-1]
    assert (wound._fields, wound._field_defaults["where"]) == (by_hand._fields, "body")
    assert (wound.points, wound.where, wound.deep, wound.kind) == (3, "body", True, "forms.wound")
    assert repr(wound) == repr(by_hand).replace("ByHand", "Wound").replace("by-hand", "wound")
    assert not hasattr(wound, "__dict__")
    assert Wound.__doc__ == "Points and where."


@pytest.mark.parametrize("made", MADE, ids=lambda made: made.kind)
def test_equal_values_are_equal_and_survive(made: Any) -> None:
    again = from_json(to_json(made))
    assert (again, type(again), hash(again)) == (made, type(made), hash(made))
    assert pickle.loads(pickle.dumps(made)) == made
    assert copy.deepcopy(made) == made
    assert share(made) is share(again)


def test_the_kind_tells_classes_with_equal_fields_apart() -> None:
    assert Missed("a", 5, 0) != Struck("a", 5, 0)
    assert len({Missed("a", 5, 0), Struck("a", 5, 0), Missed("a")}) == 2


def test_a_field_is_replaced_and_an_unknown_one_refused() -> None:
    wound = Wound(3)
    assert wound._replace(points=4) == Wound(4)
    assert type(wound._replace(points=4)) is Wound
    with pytest.raises((TypeError, ValueError), match="pints"):
        wound._replace(pints=4)
    with pytest.raises(AttributeError):
        wound.points = 4  # type: ignore[misc]
    with pytest.raises(TypeError):
        Wound()  # type: ignore[call-arg]


def test_an_outcome_waits_for_nothing_and_gives_its_changes_at_once() -> None:
    wound = Wound(3)
    assert wound.awaits is None
    assert wound.effects() == (Effect("mark", "target", "hp", 3),)
    assert (Wound(0).effects(), Nothing().effects(), Nothing().notes()) == ((), (), {})
    with pytest.raises(AssertionError):
        wound.advance(1)


def test_what_waits_has_no_facts_and_no_effects_yet() -> None:
    stage = Rolled(2, Halved(2))
    assert (stage.notes(), stage.effects(), Halved(2).notes()) == ({}, (), {})
    assert stage._fields == ("dice", "then", "kind")  # a class variable is no field


def test_a_base_gives_its_fields_and_methods() -> None:
    assert Missed("a")._fields == ("who", "range", "by", "kind")
    assert (Missed("a").range, Struck("a").range) == (5, 7)
    assert Struck("b", 9, 2).notes() == {"who": "b", "far": True}


def test_odds_go_through_the_forms() -> None:
    found = odds(Rolled(1, Halved(2)), Transitions(DefaultPolicy())).only
    chances = {stage.points: found.chance(lambda one, it=stage: one == it) for stage in found.outcomes}  # type: ignore[attr-defined, misc]
    assert {points: int(chance * 6) for points, chance in chances.items()} == {0: 1, 1: 2, 2: 2, 3: 1}


def test_a_kind_is_taken_once() -> None:
    with pytest.raises(TypeError, match="two stage classes"):

        class Other(Outcome, kind="forms.wound"):
            points: int


def test_a_match_takes_the_fields_in_order() -> None:
    match Wound(3, "arm"):
        case Wound(points, where):
            assert (points, where) == (3, "arm")


def test_a_choice_leads_to_throws_and_the_first_way_is_taken_where_nobody_chooses() -> None:
    awaited = OFFERED.awaits
    assert (awaited.default, [option.cost for option in awaited.options]) == ("keep", [(), (("luck", 1),)])
    assert OFFERED.advance("keep") == Nothing()
    assert OFFERED.advance("spend").advance(9) == Wound(4)
    assert THROWN.awaits == Rolled(2, Halved(2)).awaits
    assert Score("total").on_result(7).notes() == {"total": 7}


def test_a_declared_roll_is_that_of_a_property() -> None:
    assert RolledBy(2, Halved(2)).awaits == Rolled(2, Halved(2)).awaits
    assert RolledBy._fields == ("dice", "then", "kind")
    assert RolledByEither("target", True).awaits == Roll(("again",), ("target",), Total(((1, 6),)))
    assert RolledByEither("other", False).awaits == Roll(("first",), ("other",), Total(((1, 6),)))
    assert odds(RolledBy(2, Halved(2)), Transitions(DefaultPolicy())) == odds(
        Rolled(2, Halved(2)), Transitions(DefaultPolicy())
    )
