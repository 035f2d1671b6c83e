"""Condition monitors: what is told of boxes agrees with what follows from them, and healing undoes what damage did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from fracas.kernel.monitors import (
    DEAD,
    DYING,
    STABILIZED,
    UNCONSCIOUS,
    Condition,
    bled,
    emptied,
    facts_after,
    gauges,
    half_up,
    marked,
    mended,
    states,
    worst,
    wounds,
)
from fracas.kernel.stage import Effect

JAMMED = "jammed"
"""What a machine is in these tests with a full track."""
BOXES = st.integers(0, 30)
PAIN = st.tuples(st.integers(0, 6), st.integers(1, 4))


class Tracks(NamedTuple):
    """Two tracks of 10 boxes; overflow of 4 kills."""

    physical: int
    stun: int
    machine: bool = False

    def now(self) -> Condition:
        full, over = self.physical >= 10, max(0, self.physical - 10)
        if self.machine:
            return Condition(self.physical, self.stun, 0, False, False, False, full)
        return Condition(self.physical, self.stun, over, full or self.stun >= 10, full, over >= 4)


TRACKS = st.builds(Tracks, st.integers(0, 20), st.integers(0, 12), st.booleans())


class Ledger:
    """Somebody's boxes and conditions, as effects leave them."""

    def __init__(self, effects: Iterable[Effect] = ()) -> None:
        self.boxes: Counter[str] = Counter()
        self.conditions: set[str] = set()
        self.take(effects)

    def take(self, effects: Iterable[Effect]) -> None:
        for effect in effects:
            assert effect.who == "target"
            if effect.type == "mark":
                assert effect.amount, "a box of nothing is not told"
                self.boxes[effect.what] += effect.amount
            elif effect.type == "add-condition":
                self.conditions.add(effect.what)
            else:
                assert effect.type == "remove-condition"
                self.conditions.remove(effect.what)


def struck(tracks: Tracks) -> Ledger:
    """Somebody unhurt after all of this damage."""
    return Ledger(marked("target", *tracks[:2]) + states("target", tracks.now(), JAMMED))


@given(TRACKS)
def test_what_is_told_is_what_follows(tracks: Tracks) -> None:
    ledger, facts = struck(tracks), facts_after(tracks.now(), JAMMED)
    assert (ledger.boxes["physical"], ledger.boxes["stun"]) == (facts["physical_after"], facts["stun_after"])
    assert ledger.conditions == {name for name, held in facts.items() if held is True}
    assert facts["overflow"] == (0 if tracks.machine else max(0, tracks.physical - 10))
    assert facts["overflow"] == 0 or facts["dying"]
    assert (JAMMED in facts) == (tracks.machine and tracks.physical >= 10)


@given(TRACKS)
def test_the_worst_of_all_conditions_has_the_word(tracks: Tracks) -> None:
    held = struck(tracks).conditions
    ranks = (JAMMED, DEAD, DYING, UNCONSCIOUS)
    assert worst(tracks.now(), JAMMED) == min(held, key=ranks.index, default="")


@given(TRACKS, st.data())
def test_healing_leaves_what_less_damage_would_have_done(tracks: Tracks, data: st.DataObject) -> None:
    """But death is not healed, and what is broken is repaired by other means."""
    physical = data.draw(st.integers(0, tracks.physical))
    stun = data.draw(st.integers(0, tracks.stun))
    left = tracks._replace(physical=physical, stun=stun)
    ledger, less = struck(tracks), struck(left)
    stays = ledger.conditions & {DEAD, JAMMED}
    if tracks.now().dying:
        ledger.conditions.add(STABILIZED)  # by first aid, say
        less.conditions |= {STABILIZED} if left.now().dying else set()
    healed = tracks.physical - physical, tracks.stun - stun
    ledger.take(emptied("target", *healed, tracks.now(), left.now()))
    assert +ledger.boxes == +less.boxes
    assert ledger.conditions == less.conditions | stays


@given(TRACKS, st.integers(1, 200))
def test_bleeding_is_tied_to_a_condition_that_healing_ends(tracks: Tracks, turns: int) -> None:
    """Timers fall with the condition that they name, so no box is lost once the track is not full any more."""
    bleeding = bled("target", turns)
    assert (bleeding.type, bleeding.who) == ("schedule", "target")
    detail = dict(bleeding.detail)
    assert detail["turns"] == turns
    tied = detail["while"]
    before, unhurt = tracks.now(), tracks._replace(physical=0).now()
    assert (tied in struck(tracks).conditions) == before.dying
    effects = emptied("target", tracks.physical, 0, before, unhurt)
    assert (Effect("remove-condition", "target", tied) in effects) == before.dying


@given(BOXES, BOXES, PAIN)
def test_wounds_are_counted_box_by_box(physical: int, stun: int, pain: tuple[int, int]) -> None:
    ignored, step = pain

    def told(boxes: int) -> int:
        return sum((box - ignored) % step == 0 for box in range(ignored + 1, boxes + 1))

    assert wounds(physical, stun, pain) == told(physical) + told(stun) == wounds(stun, physical, pain)
    assert wounds(physical, stun, pain, together=True) == told(physical + stun)
    assert wounds(physical, stun, pain) <= wounds(physical, stun, pain, together=True)


@given(st.integers(0, 1000))
def test_both_halves_make_the_whole(number: int) -> None:
    assert half_up(number) + number // 2 == number
    assert half_up(number) >= number // 2


@given(st.integers(0, 20), st.integers(0, 12), st.integers(0, 12))
def test_one_track_is_mended_first_and_no_more_than_is_filled(boxes: int, physical: int, stun: int) -> None:
    taken = mended(boxes, (physical, stun), "physical")
    assert taken == (min(boxes, physical), min(max(0, boxes - physical), stun))
    assert mended(boxes, (stun, physical), "stun") == taken[::-1]


def test_gauges_are_those_of_known_tracks_and_of_edge() -> None:
    both = gauges({"edge_points": 2, "edge": 4}, (3, 10), (0, 9))
    assert [(gauge.id, gauge.value, gauge.most) for gauge in both] == [
        ("physical", 3, 10),
        ("stun", 0, 9),
        ("edge", 2, 4),
    ]
    assert [gauge.id for gauge in gauges({}, (3, 10))] == ["physical"]
    assert gauges({}) == []
