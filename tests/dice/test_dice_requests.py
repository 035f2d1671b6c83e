"""Typed requests: answers, facts and spreads against every way the dice can fall, and against peers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fracas.dice.pools import UNTOLD, UNTOLD_SMOOTH, Opposed, Pool, glitch_of
from fracas.dice.requests import MAX_DICE, Faces, Group, Request, Spread, check_faces
from fracas.dice.totals import Total
from fracas.errors import DiceError, InputError

HIT = icepool.d6 >= 5


def all_faces(request: Request) -> Iterator[tuple[Faces, ...]]:
    """Every way in which dice that do not explode can fall."""
    groups = request.groups()
    assert not any(group.exploding for group in groups)
    return product(*(product(range(1, group.sides + 1), repeat=group.dice) for group in groups))


def exploded(dice: int, sides: int, extra: int) -> Iterator[Faces]:
    """Every throw of exploding dice that adds at most `extra` dice."""
    for faces in product(range(1, sides + 1), repeat=dice):
        tops = faces.count(sides)
        if tops == 0:
            yield faces
        elif tops <= extra:
            for more in exploded(tops, sides, extra - tops):
                yield faces + more


def chances(spread: Spread) -> dict[Any, Fraction]:
    found: dict[Any, Fraction] = {}
    for answer, weight in zip(spread.answers, spread.weights, strict=True):
        assert answer not in found
        found[answer] = Fraction(weight, spread.total)
    return found


def counted(answers: Sequence[Any]) -> dict[Any, Fraction]:
    return {answer: Fraction(count, len(answers)) for answer, count in Counter(answers).items()}


def of_icepool(die: Any) -> dict[Any, Fraction]:
    return {outcome: Fraction(quantity, die.denominator()) for outcome, quantity in die.items()}


PLAIN_POOLS = [
    Pool(0),
    Pool(1),
    Pool(4),
    Pool(3, detail="full"),
    Pool(0, detail="full"),
    Pool(0, bonus=2),
    Pool(2, bonus=3, detail="full"),
    Pool(3, glitch="more_than_half", detail="full"),
    Pool(2, bonus=1, detail="full", before=(4, 2)),
    Pool(2, bonus=1, detail="full", before=(4, 2), repeats=True),
    Pool(3, repeats=True),
    Pool(3, sides=4, hit=3, detail="full"),
    Pool(2, sides=10, hit=8, detail="full"),
    Pool(3, sides=6, hit=2, detail="full"),
    Pool(2, sides=6, hit=6),
    Pool(3, detail="glitch"),
    Pool(4, glitch="more_than_half", detail="glitch"),
    Pool(2, bonus=1, detail="glitch", before=(4, 2)),
    Pool(3, detail="glitch", before=(4, 2), repeats=True),
    Pool(3, detail="full", counts_exploded=True),
]
OPPOSED = [
    Opposed(first, second, detail)
    for first, second in [
        (Pool(2), Pool(2)),
        (Pool(3), Pool(1, bonus=2)),
        (Pool(0), Pool(2)),
        (Pool(2), Pool(0)),
        (Pool(0, bonus=1), Pool(0, bonus=3)),
        (Pool(2, sides=4, hit=3), Pool(2, before=(3, 1), bonus=1)),
    ]
    for detail in ("net", "hits", "full")
] + [Opposed(Pool(3, detail="glitch"), Pool(2), "full")]
TOTALS = [
    Total(()),
    Total((), 3, 4),
    Total(((1, 20),), 7),
    Total(((1, 20),), 7, 15),
    Total(((1, 20),), 7, 8),
    Total(((1, 20),), -3, 18),
    Total(((1, 100),), 0, 45, under=True),
    Total(((1, 100),), 0, 0, under=True),
    Total(((2, 10),), 4),
    Total(((2, 8),), -1, 9),
    Total(((1, 6), (0, 4), (2, 4)), 1),
    Total(((1, 4), (1, 6)), 0, 5, under=True),
]


@pytest.mark.parametrize("request_", [*PLAIN_POOLS, *OPPOSED, *TOTALS], ids=str)
def test_spreads_agree_with_the_answers_to_every_throw(request_: Request) -> None:
    assert chances(request_.spread()) == counted([request_.answer(faces) for faces in all_faces(request_)])


@pytest.mark.parametrize("request_", [*PLAIN_POOLS, *OPPOSED, *TOTALS, Pool(3, True), Pool(0, True)], ids=str)
def test_weights_of_a_spread_are_positive_and_sum_to_its_total(request_: Request) -> None:
    spread = request_.spread()
    assert min(spread.weights) > 0
    assert sum(spread.weights) == spread.total


@pytest.mark.parametrize(
    "pool",
    [
        Pool(1, True, detail="full"),
        Pool(2, True, detail="full"),
        Pool(2, True, 2, "full", before=(5, 1)),
        Pool(2, True, detail="full", before=(5, 1), repeats=True),
        Pool(2, True, detail="full", sides=4, hit=3),
        Pool(3, True),
        Pool(2, True, 1),
        Pool(2, True, detail="glitch"),
        Pool(0, True, detail="full", counts_exploded=True),
        Pool(1, True, detail="full", counts_exploded=True),
        Pool(2, True, detail="full", counts_exploded=True),
        Pool(2, True, detail="full", sides=4, hit=3, counts_exploded=True),
        Pool(2, True, detail="full", hit=4, counts_exploded=True),
        Pool(0, True, detail="glitch", before=(2, 1), counts_exploded=True),
        Pool(1, True, detail="glitch", counts_exploded=True),
        Pool(2, True, 1, "glitch", before=(2, 1), counts_exploded=True),
        Pool(2, True, 1, "glitch", "more_than_half", (3, 1), counts_exploded=True),
        Pool(2, True, 1, "glitch", before=(2, 1), repeats=True, counts_exploded=True),
        Pool(2, True, detail="glitch", sides=4, hit=3, counts_exploded=True),
        Pool(3, True, counts_exploded=True),
    ],
    ids=str,
)
def test_spreads_of_exploding_pools_agree_with_every_throw_that_adds_few_dice(pool: Pool) -> None:
    # Each added die comes from a hit: up to `extra` hits the enumeration lacks nothing.
    extra = 5
    found: dict[Any, Fraction] = {}
    for faces in exploded(pool.dice, pool.sides, extra):
        answer = pool.answer((faces,))
        found[answer] = found.get(answer, Fraction(0)) + Fraction(1, pool.sides ** len(faces))

    def few(table: dict[Any, Fraction]) -> dict[Any, Fraction]:
        hits = {answer: answer[0] if isinstance(answer, tuple) else answer for answer in table}
        return {answer: chance for answer, chance in table.items() if hits[answer] - pool.bonus <= extra}

    assert few(chances(pool.spread())) == few(found)
    assert sum(chances(pool.spread()).values()) == 1


@pytest.mark.parametrize("detail", ["net", "hits", "full"])
def test_spreads_of_opposed_exploding_pools_combine_those_of_the_two_pools(detail: Any) -> None:
    first, second = Pool(2, True), Pool(3, True, sides=4, hit=3)
    inner = "full" if detail == "full" else "hits"
    found: dict[Any, Fraction] = {}
    for mine, chance in chances(first._replace(detail=inner).spread()).items():
        for theirs, other in chances(second._replace(detail=inner).spread()).items():
            answer = (
                mine - theirs if detail == "net" else (mine, theirs) if detail == "hits" else mine + theirs
            )
            found[answer] = found.get(answer, Fraction(0)) + chance * other
    assert chances(Opposed(first, second, detail).spread()) == found


# Facts.


@pytest.mark.parametrize("pool", PLAIN_POOLS, ids=str)
def test_facts_of_a_pool_count_hits_ones_and_the_glitch(pool: Pool) -> None:
    for faces in all_faces(pool):
        thrown = faces[0] if faces else ()
        hits = sum(face >= pool.hit for face in thrown) + pool.bonus
        ones = pool.before[1] + (0 if pool.repeats else thrown.count(1))
        dice = pool.before[0] + (0 if pool.repeats else pool.dice)
        enough = ones > dice / 2 or (ones == dice / 2 and pool.glitch == "half_or_more")
        glitch = ("glitch" if hits else "critical") if dice and enough else "none"
        assert pool.facts(faces) == ({"hits": hits, "ones": ones, "glitch": glitch},)


def test_ones_among_the_dice_that_an_explosion_added_do_not_count() -> None:
    pool = Pool(2, True, detail="full")
    assert pool.answer(((6, 3, 6, 1),)) == (2, 0)
    assert pool.answer(((6, 1, 1),)) == (1, 1)
    assert pool.facts(((6, 1, 1),)) == ({"hits": 1, "ones": 1, "glitch": "glitch"},)


def test_facts_of_an_opposed_roll_are_those_of_each_part_also_of_one_without_dice() -> None:
    request = Opposed(Pool(0, bonus=2), Pool(2))
    assert request.facts(((1, 1),)) == (
        {"hits": 2, "ones": 0, "glitch": "none"},
        {"hits": 0, "ones": 2, "glitch": "critical"},
    )
    assert request.by_part(((1, 1),)) == ((), (1, 1))


def test_by_part_gives_each_side_its_faces() -> None:
    assert Pool(2).by_part(((3, 4),)) == ((3, 4),)
    assert Pool(0).by_part(()) == ((),)
    assert Opposed(Pool(2), Pool(1)).by_part(((3, 4), (5,))) == ((3, 4), (5,))
    assert Opposed(Pool(2), Pool(0)).by_part(((3, 4),)) == ((3, 4), ())
    assert Opposed(Pool(0), Pool(0)).by_part(()) == ((), ())
    assert Total(((1, 20), (2, 6))).by_part(((17,), (3, 4))) == ((17, 3, 4),)
    assert Total(()).by_part(()) == ((),)


@pytest.mark.parametrize("request_", TOTALS, ids=str)
def test_facts_of_a_total_are_the_sum_and_whether_it_meets_the_target(request_: Total) -> None:
    for faces in all_faces(request_):
        total = sum(map(sum, faces)) + request_.plus
        facts: dict[str, Any] = {"total": total}
        if request_.target is not None:
            meets = total <= request_.target if request_.under else total >= request_.target
            facts |= {"target": request_.target, "meets": meets}
        assert request_.facts(faces) == (facts,)


@pytest.mark.parametrize(
    ("request_", "groups"),
    [
        (Pool(3), (Group(3, 6),)),
        (Pool(3, True, sides=10), (Group(3, 10, True),)),
        (Pool(0, True), ()),
        (Opposed(Pool(2, True), Pool(1)), (Group(2, 6, True), Group(1, 6))),
        (Opposed(Pool(0), Pool(1)), (Group(1, 6),)),
        (Total(((1, 20), (0, 6), (2, 4))), (Group(1, 20), Group(2, 4))),
        (Total(()), ()),
    ],
)
def test_groups_are_the_dice_thrown_at_once_without_those_that_count_zero(
    request_: Request, groups: tuple[Group, ...]
) -> None:
    assert request_.groups() == groups


@pytest.mark.parametrize(
    ("request_", "text"),
    [
        (Pool(11), "11d6 >= 5"),
        (Pool(3, True, 2), "3d6! >= 5 + 2 hits"),
        (Opposed(Pool(2), Pool(1, sides=10, hit=8)), "2d6 >= 5 against 1d10 >= 8"),
        (Total(((1, 20),), 7), "1d20 + 7"),
        (Total(((1, 20),), -2, 15), "1d20 - 2 >= 15"),
        (Total(((1, 100),), 0, 45, True), "1d100 <= 45"),
        (Total(((1, 4), (2, 6))), "1d4 + 2d6"),
        (Total(((1, 4), (2, 6)), 1), "1d4 + 2d6 + 1"),
        (Total((), 3), "0 + 3"),
    ],
)
def test_requests_read_as_people_write_them(request_: Request, text: str) -> None:
    assert str(request_) == text


# Glitches.


@pytest.mark.parametrize(
    ("dice", "rule", "chance"),
    [
        (1, "half_or_more", Fraction(1, 6)),
        (2, "half_or_more", Fraction(11, 36)),
        (3, "half_or_more", Fraction(2, 27)),
        (4, "half_or_more", Fraction(19, 144)),
        (6, "half_or_more", Fraction(1453, 23328)),
        (8, "half_or_more", Fraction(51491, 1679616)),
        (12, "half_or_more", Fraction(2875181, 362797056)),
        (1, "more_than_half", Fraction(1, 6)),
        (2, "more_than_half", Fraction(1, 36)),
        (4, "more_than_half", Fraction(7, 432)),
        (6, "more_than_half", Fraction(203, 23328)),
    ],
)
def test_glitches_have_the_chances_of_the_golden_table(dice: int, rule: str, chance: Fraction) -> None:
    pool = Pool(dice, glitch=rule)
    joint = pool.joint()
    glitching = sum(weight for (hits, ones), weight in joint.items() if pool.glitches(hits, ones) != "none")
    assert Fraction(glitching, sum(joint.values())) == chance
    assert sum(pool.glitch_chances()) == pytest.approx(float(chance), abs=1e-15)


@pytest.mark.parametrize(("dice", "chance"), [(1, 1 / 6), (2, 0.194444), (4, 0.051698)])
def test_critical_glitches_have_the_chances_of_the_golden_table(dice: int, chance: float) -> None:
    assert Pool(dice).glitch_chances()[1] == pytest.approx(chance, abs=5e-7)


@pytest.mark.parametrize("pool", PLAIN_POOLS, ids=str)
def test_chances_of_a_glitch_agree_with_the_facts_of_every_throw(pool: Pool) -> None:
    seen = counted([pool.facts(faces)[0]["glitch"] for faces in all_faces(pool)])
    expected = (float(seen.get("glitch", 0)), float(seen.get("critical", 0)))
    assert pool.glitch_chances() == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("told", [UNTOLD, UNTOLD_SMOOTH, 5])
@pytest.mark.parametrize("pool", [Pool(2), Pool(2, bonus=1), Pool(2, bonus=1, repeats=True)], ids=str)
@pytest.mark.parametrize("rule", ["half_or_more", "more_than_half"])
def test_of_an_earlier_throw_only_the_hits_and_the_glitch_may_be_known(
    rule: str, pool: Pool, told: int
) -> None:
    """Every throw of four dice with as many hits as are told, and then every throw of the pool."""

    def glitch_of_four(faces: Faces) -> str:
        return glitch_of(4, pool.bonus, faces.count(1), rule)

    earlier = [
        faces
        for faces in product(range(1, 7), repeat=4)
        if sum(face >= 5 for face in faces) == pool.bonus
        and (told == UNTOLD or (glitch_of_four(faces) != "none") == (told == 5))
    ]
    pool = pool._replace(glitch=rule, before=(4, told))
    seen = counted(
        [
            pool._replace(before=(4, before.count(1))).facts(faces)[0]["glitch"]
            for before in earlier
            for faces in all_faces(pool)
        ]
    )
    expected = (float(seen.get("glitch", 0)), float(seen.get("critical", 0)))
    assert pool.glitch_chances() == pytest.approx(expected, abs=1e-15)
    first = counted([glitch_of_four(faces) for faces in earlier])
    expected = (float(first.get("glitch", 0)), float(first.get("critical", 0)))
    assert pool.glitch_chances_before() == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("dice", [1, 2, 3])
def test_chances_of_a_glitch_where_exploded_dice_count(dice: int) -> None:
    pool, extra = Pool(dice, True, counts_exploded=True), 6
    seen = {"none": 0.0, "glitch": 0.0, "critical": 0.0}
    for faces in exploded(dice, 6, extra):
        ones = faces.count(1)
        kind = "none" if ones * 2 < len(faces) else "glitch" if max(faces) >= 5 else "critical"
        assert pool.facts((faces,))[0]["glitch"] == kind
        seen[kind] += 6.0 ** -len(faces)
    assert pool.glitch_chances() == pytest.approx((seen["glitch"], seen["critical"]), abs=6.0**-extra)
    assert pool.glitch_chances()[1] == pytest.approx(Pool(dice).glitch_chances()[1], abs=1e-15)


def test_dice_that_do_not_explode_glitch_alike_under_both_rules() -> None:
    for dice in (1, 4, 9):
        assert Pool(dice, counts_exploded=True).glitch_chances() == Pool(dice).glitch_chances()


def test_exploding_dice_glitch_as_often_as_plain_ones() -> None:
    for dice in (1, 2, 5):
        plain, exploding = Pool(dice).glitch_chances(), Pool(dice, True).glitch_chances()
        assert sum(exploding) == pytest.approx(sum(plain), abs=1e-14)


@pytest.mark.parametrize(
    ("dice", "hits", "ones", "rule", "expected"),
    [
        (0, 0, 0, "half_or_more", "none"),
        (4, 1, 2, "half_or_more", "glitch"),
        (4, 0, 2, "half_or_more", "critical"),
        (4, 1, 2, "more_than_half", "none"),
        (4, 1, 3, "more_than_half", "glitch"),
        (5, 0, 2, "half_or_more", "none"),
        (5, 0, 3, "half_or_more", "critical"),
        (5, 0, 3, "more_than_half", "critical"),
    ],
)
def test_a_glitch_is_critical_without_hits(dice: int, hits: int, ones: int, rule: str, expected: str) -> None:
    assert glitch_of(dice, hits, ones, rule) == expected


# Peers and golden numbers.


def test_twelve_dice_against_eight_have_the_golden_chances() -> None:
    net = chances(Opposed(Pool(12), Pool(8)).spread())
    assert sum(chance for hits, chance in net.items() if hits > 0) == Fraction(252604633, 387420489)
    assert float(net[0]) == pytest.approx(0.1558901, abs=5e-8)


@pytest.mark.parametrize("dice", [1, 5, 20])
def test_pools_agree_with_icepool(dice: int) -> None:
    assert chances(Pool(dice).spread()) == of_icepool(dice @ HIT)


def test_opposed_pools_agree_with_icepool() -> None:
    assert chances(Opposed(Pool(12), Pool(8, bonus=1)).spread()) == of_icepool((12 @ HIT) - (8 @ HIT) - 1)


def test_hits_and_ones_agree_with_icepool() -> None:
    both = icepool.d6.map(lambda face: icepool.Vector([int(face >= 5), int(face == 1)]))
    expected = {tuple(outcome): chance for outcome, chance in of_icepool(7 @ both).items()}
    assert chances(Pool(7, detail="full").spread()) == expected


def test_exploding_pools_agree_with_icepool() -> None:
    die = icepool.Die([0])
    for _ in range(30):
        die = icepool.Die([0, 0, 0, 0, 1, die + 1])
    expected = of_icepool(3 @ die)
    found = chances(Pool(3, True).spread())
    assert {hits: float(found[hits]) for hits in range(20)} == pytest.approx(
        {hits: float(expected[hits]) for hits in range(20)}, abs=1e-15
    )


@pytest.mark.parametrize(
    ("request_", "die"),
    [
        (Total(((1, 20),), 7), icepool.d20 + 7),
        (Total(((2, 10),), 4), 2 @ icepool.d10 + 4),
        (Total(((1, 20),), 7, 15), icepool.d20 + 7 >= 15),
        (Total(((1, 100),), 0, 45, True), icepool.d100 <= 45),
        (Total(((3, 6), (1, 4))), 3 @ icepool.d6 + icepool.d4),
    ],
    ids=str,
)
def test_totals_agree_with_icepool(request_: Total, die: Any) -> None:
    assert chances(request_.spread()) == of_icepool(die)


@pytest.mark.parametrize(
    ("request_", "chance"),
    [
        (Total(((1, 20),), 7, 15), Fraction(13, 20)),
        (Total(((1, 20),), 0, 20), Fraction(1, 20)),
        (Total(((1, 100),), 0, 45, True), Fraction(45, 100)),
        (Total(((1, 100),), 10, 45, True), Fraction(35, 100)),
        (Total(((1, 20),), 0, 1), Fraction(1)),
        (Total(((1, 20),), 0, 21), Fraction(0)),
    ],
)
def test_targets_are_met_as_often_as_faces_meet_them(request_: Total, chance: Fraction) -> None:
    assert chances(request_.spread()).get(True, Fraction(0)) == chance


@pytest.mark.parametrize(
    "request_",
    [
        Pool(MAX_DICE + 1),
        Pool(MAX_DICE + 1, True),
        Pool(MAX_DICE + 1, detail="full"),
        Opposed(Pool(1), Pool(MAX_DICE + 1)),
        Opposed(Pool(MAX_DICE + 1), Pool(1), "full"),
        Total(((100, 6), (MAX_DICE - 99, 4))),
    ],
    ids=str,
)
def test_more_dice_than_the_largest_pool_are_not_computed(request_: Request) -> None:
    with pytest.raises(InputError) as caught:
        request_.spread()
    (problem,) = caught.value.problems
    assert (problem.path, problem.code) == ("dice", "too-many-dice")
    assert problem.message == f"a roll of {MAX_DICE + 1} dice; at most {MAX_DICE} are rolled"


def test_the_largest_pool_is_computed() -> None:
    expected = sum(hits * chance for hits, chance in chances(Pool(MAX_DICE).spread()).items())
    assert expected == Fraction(MAX_DICE, 3)


# Faces that people give.


@given(st.data())
def test_faces_that_fit_are_taken_as_they_are(data: st.DataObject) -> None:
    request = data.draw(
        st.sampled_from([Pool(3), Opposed(Pool(2), Pool(1, sides=10)), Total(((1, 20), (2, 4)))])
    )
    faces = [
        data.draw(st.lists(st.integers(1, group.sides), min_size=group.dice, max_size=group.dice))
        for group in request.groups()
    ]
    assert check_faces(request, faces) == tuple(map(tuple, faces))


def test_every_throw_of_exploding_dice_is_taken() -> None:
    for faces in exploded(2, 6, 3):
        assert check_faces(Pool(2, True), [faces]) == (faces,)


@pytest.mark.parametrize(
    ("request_", "faces", "path", "code", "message"),
    [
        (Pool(2), [], "dice", "wrong-dice", "2d6 >= 5 asks for 2d6: 1 lists of faces, not 0"),
        (Pool(2), [[1, 2], [3]], "dice", "wrong-dice", "2d6 >= 5 asks for 2d6: 1 lists of faces, not 2"),
        (Pool(0), [[]], "dice", "wrong-dice", "0d6 >= 5 asks for no dice: 0 lists of faces, not 1"),
        (Pool(2), [[1]], "dice[0]", "wrong-dice", "2d6 >= 5 asks for 2d6: 2 dice, not 1"),
        (Pool(2), [[1, 2, 3]], "dice[0]", "wrong-dice", "2d6 >= 5 asks for 2d6: 2 dice, not 3"),
        (
            Opposed(Pool(2), Pool(1)),
            [[1, 2], []],
            "dice[1]",
            "wrong-dice",
            "2d6 >= 5 against 1d6 >= 5 asks for 2d6, 1d6: 1 dice, not 0",
        ),
        (
            Pool(2, True),
            [[6, 6, 2]],
            "dice[0]",
            "wrong-dice",
            "2d6! >= 5 asks for 2d6!: 4 dice (2 of them for each 6), not 3",
        ),
        (
            Pool(2, True),
            [[6, 6, 6, 2]],
            "dice[0]",
            "wrong-dice",
            "2d6! >= 5 asks for 2d6!: 5 dice (3 of them for each 6), not 4",
        ),
        (Pool(2, True), [[1, 2, 3]], "dice[0]", "wrong-dice", "2d6! >= 5 asks for 2d6!: 2 dice, not 3"),
        (Pool(1), [[6, 2]], "dice[0]", "wrong-dice", "1d6 >= 5 asks for 1d6: 1 dice, not 2"),
        (
            Pool(2),
            [[1, 7]],
            "dice[0][1]",
            "wrong-face",
            "2d6 >= 5 asks for 2d6: a face is a whole number 1 to 6, not 7",
        ),
        (
            Total(((1, 20), (1, 4))),
            [[20], [0]],
            "dice[1][0]",
            "wrong-face",
            "1d20 + 1d4 asks for 1d20, 1d4: a face is a whole number 1 to 4, not 0",
        ),
        (
            Pool(1),
            [[True]],
            "dice[0][0]",
            "wrong-face",
            "1d6 >= 5 asks for 1d6: a face is a whole number 1 to 6, not True",
        ),
    ],
)
def test_faces_that_do_not_fit_are_refused_with_what_was_asked(
    request_: Request, faces: list[list[int]], path: str, code: str, message: str
) -> None:
    with pytest.raises(DiceError) as caught:
        check_faces(request_, faces)
    assert [(problem.path, problem.code, problem.message) for problem in caught.value.problems] == [
        (path, code, message)
    ]


def test_refusals_name_the_field_and_the_place_that_the_caller_asks_for() -> None:
    with pytest.raises(DiceError) as caught:
        check_faces(Opposed(Pool(1), Pool(1)), [[3], [9]], "answer.dice", 4)
    assert caught.value.problems[0].path == "answer.dice[5][0]"


# Known faults.


@pytest.mark.parametrize("face", [2.5, "3", None])
def test_a_face_that_is_no_whole_number_is_refused(face: Any) -> None:
    with pytest.raises(DiceError):
        check_faces(Pool(1), [[face]])


@pytest.mark.parametrize(("dice", "faces"), [(1, [1, 6]), (2, [2, 3, 6]), (2, [6, 1, 2, 6])])
def test_a_die_that_no_highest_face_asked_for_is_refused(dice: int, faces: list[int]) -> None:
    with pytest.raises(DiceError):
        check_faces(Pool(dice, True), [faces])


def test_an_exploding_pool_in_which_all_but_ones_hit_has_no_impossible_answers() -> None:
    assert min(Pool(2, True, detail="full", hit=2).spread().weights) > 0
