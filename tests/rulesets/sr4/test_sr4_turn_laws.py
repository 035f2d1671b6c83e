"""Laws of the order of a fight, whoever takes part."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from sr4_fight import RULES, changed, fight, fighter, marked, named

from fracas.kernel.intents import Participant, Table
from fracas.kernel.turns import DELAYING
from fracas.rulesets.sr4.fights.initiative_order import actions, place, score, strict_order

GLITCHES = st.sampled_from(["none", "none", "glitch", "critical", "negated"])
MARKS = st.dictionaries(
    st.sampled_from([DELAYING, "go-first", "extra-pass-2", "extra-pass-3"]), st.just(1), max_size=2
)


@st.composite
def people(draw: st.DrawFn, name: str) -> Participant:
    return fighter(
        name,
        draw(st.integers(2, 14)),
        draw(st.integers(1, 5)),
        draw(GLITCHES),
        edge=draw(st.integers(1, 3)),
        edge_points=draw(st.integers(0, 2)),
        reaction=draw(st.integers(2, 4)),
        physical=draw(st.integers(0, 9)),
        stun=draw(st.integers(0, 9)),
        able=draw(st.booleans() | st.just(True)),
        done=draw(st.booleans()),
        marks=draw(MARKS),
        skips=draw(st.integers(0, 1)),
    )


@st.composite
def fights(draw: st.DrawFn) -> Table:
    names = ["a", "b", "c", "d", "e"][: draw(st.integers(1, 5))]
    acting = draw(st.sets(st.sampled_from(names), max_size=2))
    part, most = draw(st.integers(1, 4)), draw(st.integers(1, 5))
    return fight(*(draw(people(name)) for name in names), part=part, acting=sorted(acting), max_passes=most)


@given(fights())
def test_everybody_has_one_slot_or_a_reason(table: Table) -> None:
    listed = [id for slot in RULES.order(table) for id in slot.actors]
    assert len(listed) == len(set(listed))
    for id, who in table.participants.items():
        out = not who.able or who.done or id in table.acting or DELAYING in who.marks
        assert (id in listed) is (not out and not RULES.why_no_slot(table, id))


@given(fights())
def test_slots_are_ordered_by_place_and_hold_equals(table: Table) -> None:
    places = [[place(table.participants[id]) for id in slot.actors] for slot in RULES.order(table)]
    assert all(len(set(group)) == 1 for group in places)
    firsts = [group[0] for group in places]
    assert all(one < other for one, other in pairwise(firsts))


@given(fights(), st.integers(1, 5))
def test_a_better_score_never_comes_later(table: Table, more: int) -> None:
    for id, who in table.participants.items():
        hits = who.rolled["hits"]
        assert isinstance(hits, int)
        better = changed(table, id, rolled={**who.rolled, "hits": hits + more})
        assert ahead(better, id) <= ahead(table, id)


def ahead(table: Table, id: str) -> set[str]:
    """Everybody who acts before somebody; those who act at all where he does not."""
    found: set[str] = set()
    for slot in RULES.order(table):
        if id in slot.actors:
            return found
        found |= set(slot.actors)
    return {*table.participants} - {id}


@given(fights(), st.integers(0, 10), st.sampled_from(["physical", "stun"]))
def test_damage_never_raises_a_score(table: Table, boxes: int, track: str) -> None:
    for id, who in table.participants.items():
        hurt = changed(table, id, **{f"sheet_{track}": who.sheet[track] + boxes})
        assert score(hurt.participants[id]) <= score(who)
        assert actions(hurt.participants[id], table.options) <= actions(who, table.options)


@given(fights())
def test_parts_are_those_in_which_somebody_acts(table: Table) -> None:
    passes = {part for who in table.participants.values() if who.able for part in actions(who, table.options)}
    assert RULES.parts(table) == max(passes, default=1)


@given(fights())
def test_purchases_keep_to_their_limits(table: Table) -> None:
    for id, who in table.participants.items():
        for purchase in RULES.purchases(table, id):
            if purchase.why_not:
                continue
            assert who.sheet["edge_points"] >= 1
            assert not any(other.done for other in table.participants.values())
            after = marked(table, id, purchase.mark)
            again = next(one for one in RULES.purchases(after, id) if one.id == purchase.id)
            assert again.why_not
            then = actions(after.participants[id], table.options)
            gained = then - actions(who, table.options)
            if purchase.id == "extra-pass":
                assert len(gained) == 1
                assert min(gained) >= table.part
                assert len(then) <= table.options["max_passes"]
                assert max(then) <= table.options["max_passes"]
            else:
                assert not gained
                slots = RULES.order(after._replace(acting=()))
                front = next(at for at, slot in enumerate(slots) if id in slot.actors)
                firsts = {slot.actors for slot in slots[:front]}
                assert all(after.participants[one].marks.get("go-first") for group in firsts for one in group)


@given(fights())
def test_a_strict_order_holds_everybody_once(table: Table) -> None:
    groups = named(strict_order(table, table.participants))
    assert sorted("+".join(groups).split("+")) == sorted(table.participants)
