"""The steps that games share: their odds are those that counting out every throw gives, and what they say is right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from fracas.dice.pools import Opposed, Pool
from fracas.dice.sources import SuppliedDice
from fracas.dice.totals import Kept, Total
from fracas.kernel import readers
from fracas.kernel.forms import Continuation, Outcome
from fracas.kernel.harm import Body
from fracas.kernel.odds import Transitions, odds
from fracas.kernel.readers import DefaultPolicy, Policy
from fracas.kernel.scattering import Area, Scatter, Spot
from fracas.kernel.stage import Decision, Effect, Facts, Roll, Stage, from_json, to_json
from fracas.kernel.steps import (
    Again,
    Against,
    Choice,
    Contest,
    Filling,
    ForEach,
    Score,
    Scored,
    Throw,
    each_in_turn,
    ended,
    save_for_half,
)

D6 = Total(((1, 6),))


class Ended(Outcome, kind="steps-test.ended"):
    value: int
    body: Body | None = None

    def notes(self) -> Facts:
        return {"value": self.value}

    def changes(self) -> Iterator[Effect]:
        if self.body is not None:
            yield from self.body.hurt(self.value)


class Ending(Continuation, kind="steps-test.ending"):
    body: Body | None = None

    def on_result(self, answer: Any) -> Stage:
        return Ended(int(answer), self.body)


class Always:
    """Chooses an option wherever it is offered."""

    def __init__(self, option: str) -> None:
        self.option = option

    def choose(self, decision: Decision) -> tuple[str, str]:
        return self.option, "policy"


def counted(first: Stage, policy: Policy | None = None) -> dict[Any, Fraction]:
    """The facts and effects that a chain ends with, by throwing every face of every die once."""
    found: Counter[Any] = Counter()

    def play(stage: Stage, chance: Fraction) -> None:
        stage = from_json(to_json(stage))  # every stage survives being stored
        awaited = stage.awaits
        if awaited is None:
            found[tuple(sorted(stage.notes().items())), stage.effects()] += chance
        elif isinstance(awaited, Decision):
            play(stage.advance((policy or DefaultPolicy()).choose(awaited)[0]), chance)
        else:
            groups = [(group.dice, group.sides) for group in awaited.request.groups()]
            throws = [product(range(1, sides + 1), repeat=dice) for dice, sides in groups]
            ways = 1
            for dice, sides in groups:
                ways *= sides**dice
            for faces in product(*throws):
                play(stage.advance(awaited.request.answer(faces)), chance / ways)

    play(first, Fraction(1))
    return dict(found)


def weighed(first: Stage, policy: Policy | None = None) -> Mapping[Any, Fraction]:
    found: Counter[Any] = Counter()
    for end, weight in (its := odds(first, Transitions(policy or DefaultPolicy())).only).outcomes.items():
        found[tuple(sorted(end.notes().items())), end.effects()] += Fraction(weight, its.total)
    return dict(found)


def chance_of(first: Stage, value: int, policy: Policy | None = None) -> Fraction:
    return sum(
        (chance for (facts, _), chance in weighed(first, policy).items() if dict(facts)["value"] == value),
        Fraction(0),
    )


HIT, MISS = Ended(1), Ended(0)
BURNS = Effect("add-condition", "target", "burning", None, (("turns", 2),))
AGAIN = Again("again", "attack", "attacker", Total(((1, 6),), 0, 5), (("luck", 1),), 2, Ending())
CHAINS: Mapping[str, Stage] = {
    "d20 against a target": Throw("attack", "attacker", Total(((1, 20),), 3, 15), Against(HIT, MISS)),
    "percentile": Throw("attack", "attacker", Total(((1, 100),), 0, 35, under=True), Against(HIT, MISS)),
    "dice pool": Throw("attack", "attacker", Pool(4), Against(HIT, MISS, 2)),
    "the higher of two": Throw("attack", "attacker", Kept(2, 20, 1, 3, 15), Against(HIT, MISS)),
    "a total": Throw("attack", "attacker", Total(((2, 6),), 1), Ending()),
    "opposed pools": Throw("attack", "attacker", Opposed(Pool(2), Pool(2)), Against(HIT, MISS, 1)),
    "opposed totals": Throw("push", "attacker", D6._replace(plus=2), Contest("hold", "target", D6, Ending())),
    "without ties": Throw("push", "attacker", D6, Contest("hold", "target", D6, Ending(), ties=False)),
    "again for a price": AGAIN.throw(),
    "a pool again": AGAIN._replace(request=Pool(2), needed=2, left=1).throw(),
    "known ends": Throw(
        "attack", "attacker", D6._replace(target=4), Against(ended({"value": 1}, BURNS), MISS)
    ),
    "one number": Throw(
        "weeks", "target", D6._replace(plus=-2), Filling(Ended(9, Body("target", (("hull", 9),))), "value")
    ),
    "save for half": save_for_half("save", "target", D6._replace(target=4), 7, Ending()),
}


@pytest.mark.parametrize("policy", [DefaultPolicy(), Always("again")])
@pytest.mark.parametrize("chain", CHAINS.values(), ids=CHAINS)
def test_odds_are_those_of_every_throw(chain: Stage, policy: Policy) -> None:
    assert weighed(chain, policy) == counted(chain, policy)


def test_chances_that_anybody_can_work_out() -> None:
    assert chance_of(CHAINS["d20 against a target"], 1) == Fraction(9, 20)
    assert chance_of(CHAINS["percentile"], 1) == Fraction(35, 100)
    assert chance_of(CHAINS["dice pool"], 1) == 1 - Fraction(2, 3) ** 4 - 4 * Fraction(2, 3) ** 3 / 3
    assert chance_of(CHAINS["without ties"], 1) == Fraction(15, 36)
    assert chance_of(CHAINS["again for a price"], 1) == Fraction(1, 3)
    assert chance_of(CHAINS["again for a price"], 1, Always("again")) == 1 - Fraction(2, 3) ** 3


def test_a_throw_again_is_offered_where_it_fails_and_spends_its_price_with_the_outcome() -> None:
    done = readers.resolve(AGAIN.throw(), SuppliedDice([[2], [3], [6]]), Always("again"))
    assert done.details["attack_total"] == 2
    assert (done.details["attack_again_total"], done.details["value"]) == (6, 1)
    assert done.effects() == (Effect("spend", "attacker", "luck", 1),) * 2
    at_once = readers.resolve(AGAIN.throw(), SuppliedDice([[5]]), Always("again"))
    assert (len(at_once.records), at_once.effects()) == (1, ())
    kept = readers.resolve(AGAIN.throw(), SuppliedDice([[1]]), DefaultPolicy())
    assert (kept.details["value"], kept.effects()) == (0, ())
    (_, choice) = readers.resolve(AGAIN.throw(), SuppliedDice([[1]]), DefaultPolicy()).records
    assert isinstance(choice, readers.ChoiceRecord)
    assert [option.cost for option in choice.decision.options] == [(), (("luck", 1),)]


def test_of_a_choice_the_first_way_is_the_default() -> None:
    stage = Choice("ward", "target", (("no", "No", (), MISS), ("yes", "Yes", (("power", 2),), HIT)))
    awaited = stage.awaits
    assert (awaited.default, [one.id for one in awaited.options]) == ("no", ["no", "yes"])
    assert (stage.advance("no"), stage.advance("yes")) == (MISS, HIT)


def test_a_score_is_the_total() -> None:
    stage = Throw("initiative", "tester", Total(((1, 6),), 2), Score())
    assert stage.advance(7) == Scored("score", 7)
    assert Scored("score", 7).notes() == {"score": 7}


# Several at once


def test_one_throw_at_several_gives_each_a_branch() -> None:
    branches = ForEach((("target", Ending()), ("victim_1", Contest("dodge", "victim_1", D6, Ending()))))
    found = odds(Throw("attack", "attacker", D6, branches), Transitions(DefaultPolicy())).branches
    assert found["target"].chance(lambda end: end.notes()["value"] == 3) == Fraction(1, 6)
    assert found["victim_1"].chance(lambda end: end.notes()["value"] == 1) == Fraction(21, 36)


def test_several_one_after_the_other_are_played_to_their_ends() -> None:
    attack = Throw("attack", "attacker", D6._replace(target=4), Against(HIT, MISS))
    stage = each_in_turn((("target", attack), ("target_2", attack)))
    done = readers.resolve(stage, SuppliedDice([[4], [3]]), DefaultPolicy())
    assert done.details["target.attack_total"] == 4
    assert (done.details["target.value"], done.details["target_2.value"]) == (1, 0)


def _scattered(less: int = 0) -> Throw:
    people = (
        ("target", Spot(0), Ending()),
        ("victim_1", Spot(2, 90), Ending()),
        ("far", Spot(5, 180), Ending()),
    )
    scatter = Scatter("attacker", (0, 90, 180, 270), Area(people), less)
    return Throw("scatter", "attacker", Total(((1, 4),)), scatter)


@pytest.mark.parametrize(
    ("faces", "ways"),
    [
        ([[2], [1]], (2, 8**0.5, 7)),  # two beyond the spot
        ([[2], [2]], (2, 0, 29**0.5)),  # two to the right, onto the one who stands there
        ([[4], [3]], (4, 20**0.5, 1)),  # four short of it
    ],
)
def test_where_it_scatters_says_how_far_everybody_is(faces: list[list[int]], ways: tuple[float, ...]) -> None:
    done = readers.resolve(_scattered(), SuppliedDice(faces), DefaultPolicy())
    assert [done.details[f"{who}.value"] for who in ("target", "victim_1", "far")] == [int(x) for x in ways]


def test_what_does_not_scatter_needs_no_direction() -> None:
    done = readers.resolve(_scattered(less=3), SuppliedDice([[3]]), DefaultPolicy())
    assert [done.details[f"{who}.value"] for who in ("target", "victim_1", "far")] == [0, 2, 5]
    assert isinstance(_scattered(less=3).advance(4).awaits, Roll)


# Damage

HULL = Body("target", (("shield", 3), ("armor", 0), ("hp", 10)), ((5, "wounded"), (0, "down")), soak=1)


@pytest.mark.parametrize(
    ("damage", "taken", "left", "reached"),
    [
        (0, {}, 10, ()),
        (1, {}, 10, ()),
        (3, {"shield": 2}, 10, ()),
        (8, {"shield": 3, "hp": 4}, 6, ()),
        (9, {"shield": 3, "hp": 5}, 5, ("wounded",)),
        (20, {"shield": 3, "hp": 16}, -6, ("wounded", "down")),
    ],
)
def test_tracks_take_what_they_have_and_thresholds_bring_conditions(
    damage: int, taken: dict[str, int], left: int, reached: tuple[str, ...]
) -> None:
    assert (HULL.taken(damage), HULL.left(damage), HULL.reached(damage)) == (taken, left, reached)
    marks = [Effect("mark", "target", track, part) for track, part in taken.items()]
    assert list(HULL.hurt(damage)) == [*marks, *(Effect("add-condition", "target", one) for one in reached)]


@pytest.mark.parametrize("damage", range(25))
def test_no_damage_gets_lost_between_tracks(damage: int) -> None:
    assert sum(HULL.taken(damage).values()) == HULL.suffered(damage) == max(0, damage - 1)


def test_a_threshold_that_was_reached_before_brings_nothing_again() -> None:
    hurt = HULL._replace(tracks=(("hp", 4),))
    assert (hurt.reached(2), hurt.reached(5)) == ((), ("down",))
    assert HULL._replace(tracks=(("hp", 0),)).reached(5) == ()


def test_a_save_for_half_halves_down() -> None:
    stage = save_for_half("save", "target", D6._replace(target=4), 7, Ending(HULL))
    assert [stage.advance(met).notes()["value"] for met in (True, False)] == [3, 7]
    assert stage.advance(True).effects() == (Effect("mark", "target", "shield", 2),)


def test_known_ends_have_their_facts_and_effects() -> None:
    end = ended({"success": True, "turns": 2}, BURNS, Effect("mark", "target", "hull", 3))
    assert end.awaits is None
    assert end.notes() == {"success": True, "turns": 2}
    assert end.effects() == (BURNS, Effect("mark", "target", "hull", 3))
    assert ended({}).effects() == ()


def test_a_number_of_the_outcome_is_at_least_0() -> None:
    counted_ = weighed(CHAINS["one number"])
    assert {dict(facts)["value"]: chance * 6 for (facts, _), chance in counted_.items()} == {
        0: 2,
        **dict.fromkeys((1, 2, 3, 4), 1),
    }
