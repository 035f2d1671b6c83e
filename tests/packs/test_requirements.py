"""What packs require of each other: the order of packs, ranges of versions, missing packs, conflicts, cycles."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_packs import made, told

from fracas.errors import Problem
from fracas.packs.entries import LAYERS, Pack
from fracas.packs.requirements import in_order, version_fits


def order(*packs: Pack) -> list[str]:
    found = in_order(packs)
    assert found.faults == ()
    return [pack.id for pack in found.packs]


# --- The order --------------------------------------------------------------------------------------------


def test_without_requirements_packs_stay_as_given() -> None:
    assert order(made("b"), made("c"), made("a")) == ["b", "c", "a"]
    assert order() == []


def test_what_is_required_comes_first() -> None:
    packs = made("c", requires=["b"]), made("b", requires=["a"]), made("a"), made("d")
    assert order(*packs) == ["a", "b", "c", "d"]


def test_layers_rank_packs_that_do_not_require_each_other() -> None:
    packs = made("t", layer="table"), made("h", layer="house"), made("e", layer="errata"), made("c")
    assert order(*packs) == ["c", "e", "h", "t"]


def test_requirements_come_before_layers() -> None:
    packs = (
        made("core", layer="core", requires=["table"]),
        made("table", layer="table"),
        made("house", layer="house"),
    )
    assert order(*packs) == ["house", "table", "core"]


def test_packs_of_all_rulesets_are_put_in_one_order() -> None:
    packs = made("a", ruleset="cwn", layer="house"), made("b"), made("c", ruleset="cwn")
    assert order(*packs) == ["b", "c", "a"]


def test_below_holds_all_that_a_pack_builds_on() -> None:
    packs = made("a"), made("b", requires=["a"]), made("c", requires=["b"]), made("d", requires=["a", "gone"])
    assert in_order(packs).below == {
        "a": frozenset(),
        "b": frozenset("a"),
        "c": frozenset("ab"),
        "d": frozenset("a"),
    }


@st.composite
def worlds(draw: st.DrawFn) -> list[tuple[str, str, list[str]]]:
    """Name, layer and requirements of packs that require only earlier ones, shuffled."""
    count = draw(st.integers(1, 12))
    found = []
    for at in range(count):
        wanted = draw(st.lists(st.integers(0, at - 1), unique=True, max_size=4)) if at else []
        found.append((f"p{at}", draw(st.sampled_from(LAYERS)), [f"p{other}" for other in wanted]))
    return draw(st.permutations(found))


@given(worlds())
def test_every_pack_comes_after_what_it_requires(world: list[tuple[str, str, list[str]]]) -> None:
    found = in_order([made(name, layer=layer, requires=wanted) for name, layer, wanted in world])
    assert found.faults == ()
    names = [pack.id for pack in found.packs]
    assert sorted(names) == sorted(name for name, _, _ in world)
    for name, _, wanted in world:
        assert all(names.index(other) < names.index(name) for other in wanted)
        assert found.below[name] == {*wanted}.union(*(found.below[other] for other in wanted))
    # Nothing stands later than it need: of two neighbors the second comes later in its layer, or needs the first.
    given_at = {name: at for at, (name, _, _) in enumerate(world)}
    rank = {name: (LAYERS.index(layer), given_at[name]) for name, layer, _ in world}
    needs = {name: wanted for name, _, wanted in world}
    for one, other in pairwise(names):
        assert rank[one] < rank[other] or one in needs[other]


# --- Versions ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("version", "wanted", "fits"),
    [
        ("0.2.0", "", True),
        ("0.2.0", ">=0.1", True),
        ("0.2.0", ">=0.1,<1", True),
        ("0.2.0", ">=0.2", True),
        ("0.2.0", ">=0.2.0", True),
        ("0.2.0", ">=0.2.1", False),
        ("0.2.0", ">0.2", False),
        ("0.2.1", ">0.2", True),
        ("1.0.0", ">=0.1,<1", False),
        ("0.9.9", "<1", True),
        ("1.0.0", "<=1", True),
        ("1.0.1", "<=1", False),
        ("1.2.0", "==1.2", True),
        ("1.2.1", "==1.2", False),
        ("1.2.1", "!=1.2", True),
        ("1.2.0", "!=1.2", False),
        ("1.10.0", ">=1.9", True),
        ("1.9.0", ">=1.10", False),
        ("10.0.0", ">2", True),
        ("3.0.0", ">=1,<2", False),
        ("1.5.0", ">=1,!=1.5,<2", False),
        ("1.0.0+build.5", "==1", True),
        ("1.0.0+build.5", ">1", False),
        # A pre-release is not there yet, and no longer what was before.
        ("1.0.0-beta.2", ">=1", False),
        ("1.0.0-beta.2", "<1", False),
        ("1.0.0-beta.2", "<=1", True),
        ("1.0.0-beta.2", "==1", False),
        ("1.0.0-beta.2", "!=1", True),
        ("1.0.0-beta.2", ">0.9", True),
        ("1.0.0-beta.2", ">=0.9,<2", True),
        ("1.0.0-2", ">=1", False),
        ("1.0.0-x.y.z+1.2", "<1.0.1", True),
    ],
)
def test_ranges(version: str, wanted: str, fits: bool) -> None:
    assert version_fits(version, wanted) is fits


VERSIONS = st.tuples(st.integers(0, 12), st.integers(0, 12), st.integers(0, 12))


@given(VERSIONS, VERSIONS)
def test_ranges_compare_numbers(version: tuple[int, ...], bound: tuple[int, ...]) -> None:
    one, other = (".".join(map(str, numbers)) for numbers in (version, bound))
    assert version_fits(one, f">={other}") is (version >= bound)
    assert version_fits(one, f"<{other}") is (version < bound)
    assert version_fits(one, f">{other}") is not version_fits(one, f"<={other}")
    assert version_fits(one, f"=={other}") is not version_fits(one, f"!={other}")
    assert version_fits(one, f">={other},<={other}") is version_fits(one, f"=={other}")


# --- Faults -----------------------------------------------------------------------------------------------


def test_a_required_pack_is_missing() -> None:
    found = in_order([made("core"), made("house", requires=["other", "coer"])])
    assert told(found.faults) == [
        ("house", "house/pack.yaml:8:10", "missing-pack"),
        ("house", "house/pack.yaml:9:10", "missing-pack"),
    ]
    other, misspelt = (fault.problem for fault in found.faults)
    assert other.message == "house requires the pack 'other', which is not there"
    assert other.hint == "known: core"
    assert misspelt.hint == "did you mean 'core'?"
    assert found.incomplete == {"house"}
    assert [pack.id for pack in found.packs] == ["core", "house"]


def test_packs_of_other_rulesets_are_no_suggestion() -> None:
    (fault,) = in_order([made("core", ruleset="cwn"), made("house", requires=["coer"])]).faults
    assert fault.problem.hint is None


def test_what_builds_on_an_incomplete_pack_is_incomplete_too() -> None:
    packs = (
        made("core"),
        made("a", requires=["gone"]),
        made("b", requires=["a"]),
        made("c", requires=["b", "core"]),
    )
    found = in_order(packs)
    assert told(found.faults) == [("a", "a/pack.yaml:8:10", "missing-pack")]
    assert found.incomplete == {"a", "b", "c"}


def test_a_pack_that_is_there_but_broken_is_not_missed() -> None:
    found = in_order([made("house", requires=["core"])], frozenset({("pack", "core")}))
    assert found.faults == ()
    assert found.incomplete == {"house"}


def test_a_required_pack_has_another_version() -> None:
    found = in_order([made("core", version="1.2.0"), made("house", requires=["core >=0.1,<1"])])
    (fault,) = found.faults
    assert fault == (
        "house",
        Problem(
            "house/pack.yaml:8:25",
            "wrong-version",
            "house requires core >=0.1,<1, and version 1.2.0 is there",
        ),
    )
    assert found.incomplete == frozenset()
    assert [pack.id for pack in found.packs] == ["core", "house"]


def test_a_required_pack_is_of_another_ruleset() -> None:
    found = in_order([made("core", ruleset="cwn"), made("house", requires=["core >=5"])])
    assert told(found.faults) == [("house", "house/pack.yaml:8:10", "other-ruleset")]
    assert found.faults[0].problem.message == "core is for the ruleset 'cwn', not 'sr4'"
    assert found.incomplete == {"house"}


@pytest.mark.parametrize(
    ("other", "version", "conflicts"),
    [
        ("core", "1.0.0", True),
        ("core <2", "1.0.0", True),
        ("core <2", "2.0.0", False),
        ("core >=1,<2", "1.9.0", True),
        ("gone", "1.0.0", False),
    ],
)
def test_conflicts(other: str, version: str, conflicts: bool) -> None:
    found = in_order([made("core", version=version), made("house", conflicts=["x", other])])
    expected = [("house", "house/pack.yaml:9:10", "conflict")] if conflicts else []
    assert told(found.faults) == expected
    if conflicts:
        (fault,) = found.faults
        assert fault.problem.message == f"house cannot be used together with core {version}"
        assert fault.problem.hint == "leave one of the two out"


def test_cycles_are_told_with_their_path() -> None:
    packs = (
        made("a", requires=["base", "b"]),
        made("b", requires=["c"]),
        made("c", requires=["a"]),
        made("base"),
        made("above", requires=["a"]),
    )
    found = in_order(packs)
    assert told(found.faults) == [
        ("a", "a/pack.yaml:9:10", "requirement-cycle"),
        ("b", "b/pack.yaml:8:10", "requirement-cycle"),
        ("c", "c/pack.yaml:8:10", "requirement-cycle"),
    ]
    assert [fault.problem.message for fault in found.faults] == [
        "packs require each other: a > b > c > a",
        "packs require each other: b > c > a > b",
        "packs require each other: c > a > b > c",
    ]
    assert {pack.id for pack in found.packs} == {"a", "b", "c", "base", "above"}
    assert found.packs[0].id == "base"


def test_a_pack_that_requires_itself() -> None:
    (fault,) = in_order([made("a", requires=["a"])]).faults
    assert fault.problem.message == "packs require each other: a > a"
    assert fault.problem.path == "a/pack.yaml:8:10"


def test_of_several_ways_round_the_shortest_is_told() -> None:
    packs = made("a", requires=["b", "c"]), made("b", requires=["c"]), made("c", requires=["a"])
    faults = {fault.pack: fault.problem for fault in in_order(packs).faults}
    assert faults["a"].message == "packs require each other: a > c > a"
    assert faults["a"].path == "a/pack.yaml:9:10"


@given(st.integers(1, 6), st.integers(0, 5))
def test_every_pack_of_a_ring_is_told(size: int, extra: int) -> None:
    ring = [made(f"r{at}", requires=[f"r{(at + 1) % size}"]) for at in range(size)]
    tail = [made(f"t{at}", requires=["r0"]) for at in range(extra)]
    found = in_order([*tail, *ring])
    assert [fault.pack for fault in found.faults] == [pack.id for pack in ring]
    assert all(fault.problem.message.count(" > ") == size for fault in found.faults)


def test_of_packs_with_one_id_the_first_counts() -> None:
    first, second = made("a", version="1.0.0"), made("a", version="2.0.0")._replace(label="elsewhere")
    found = in_order([first, second])
    assert found.packs == (first,)
    ((pack, problem),) = found.faults
    assert pack == "elsewhere"
    assert (problem.path, problem.code) == ("a/pack.yaml:1:5", "duplicate-pack")
    assert problem.message == "there is a pack 'a' already, at a/pack.yaml:1:5"


def test_all_faults_at_once() -> None:
    packs = (
        made("a", requires=["b", "gone", "core >=2"], conflicts=["core"]),
        made("b", requires=["a"]),
        made("core"),
    )
    found = in_order(packs)
    assert sorted(told(found.faults)) == [
        ("a", "a/pack.yaml:10:25", "wrong-version"),
        ("a", "a/pack.yaml:12:10", "conflict"),
        ("a", "a/pack.yaml:8:10", "requirement-cycle"),
        ("a", "a/pack.yaml:9:10", "missing-pack"),
        ("b", "b/pack.yaml:8:10", "requirement-cycle"),
    ]
