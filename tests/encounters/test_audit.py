"""The audit of a log: right logs are right, and whoever changes one is found, at the event where it was changed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from audited_logs import (
    Log,
    Path_,
    at,
    changed,
    durations,
    leaves,
    log_of,
    other,
    parts_of,
    played,
    played_whole,
    rechained,
    seed_dice,
    steps_of,
)
from cwn_rounds import begin, hold, join
from hypothesis import given, settings
from hypothesis import strategies as st
from sr4_phases import settle
from table_play import Table
from tiers import scale

from fracas.dice.sources import SeededDice
from fracas.encounters import audit_log
from fracas.encounters.audit import verify
from fracas.encounters.audit_dice import waves
from fracas.encounters.audit_report import Difference, Report
from fracas.encounters.command_context import Author
from fracas.engine.game import load_ruleset
from fracas.errors import InputError

FIGHTS = (("sr4", 3), ("cwn", 4))

some = settings(max_examples=scale(12, 30))


class Closed:
    """A fight that is over, and its log before and after that."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.before = log_of(table)
        table.do("close")
        self.log = log_of(table)


@pytest.fixture(scope="module", params=FIGHTS, ids=lambda fight: f"{fight[0]}-{fight[1]}")
def fight(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Closed]:
    ruleset, seed = request.param
    table = played_whole(tmp_path_factory.mktemp("fights"), ruleset, seed)
    yield Closed(table)
    table.close()


@pytest.fixture(scope="module")
def log(fight: Closed) -> Log:
    return fight.log


def status(report: Report) -> dict[str, str]:
    return {check.id: check.status for check in report.checks}


def found(log: Log) -> Difference:
    """The first difference of a log that was changed, though its chain of hashes was made anew."""
    report = verify(rechained(log))
    assert not report.ok
    assert report.first_difference is not None
    assert status(report)[report.first_difference.check] == "failed"
    return report.first_difference


# What is right


@pytest.mark.parametrize("seed", range(20, scale(22, 26)))
@pytest.mark.parametrize("ruleset", ["sr4", "cwn"])
def test_random_fights_are_right(ruleset: str, seed: int, tmp_path: Path) -> None:
    table = played(tmp_path, ruleset, seed, 90, "at-once" if seed % 2 else "confirm")
    report = verify(log_of(table))
    assert report.ok, str(report.first_difference)
    table.do("close")
    report = verify(log_of(table))
    assert report.ok, str(report.first_difference)
    table.close()


def test_a_closed_fight(log: Log) -> None:
    report = verify(log)
    assert report.ok, str(report.first_difference)
    assert set(status(report).values()) == {"ok"}
    counts = report.counts
    assert counts["recomputed"] > 15
    assert counts["supplied"] > 0
    assert counts["draws"] == log["draws"] > 5
    assert counts["undone"] > 5
    assert counts["unproven"] == counts["unseen"] == 0
    assert report.to_json()["first_difference"] is None


def test_an_open_fight_tells_no_seed_and_is_checked_otherwise(fight: Closed) -> None:
    assert fight.before["seed"] is None
    report = verify(fight.before)
    assert report.ok, str(report.first_difference)
    states = status(report)
    assert (states["dice"], states["commitment"]) == ("not-checked", "not-checked")
    assert {states[name] for name in ("structure", "draws", "outcomes", "state")} == {"ok"}
    assert report.counts["recomputed"] == 0
    assert report.counts["unproven"] == verify(fight.log).counts["recomputed"]


@pytest.mark.parametrize("role", ["observer", "player"])
def test_what_others_see_is_right_as_far_as_it_goes(fight: Closed, role: str) -> None:
    somebody = next(iter(fight.table.state.combatants))
    viewer = (
        fight.table.observer if role == "observer" else Author("player", "t", "P", frozenset((somebody,)))
    )
    log = log_of(fight.table, viewer)
    assert not log["complete"]
    report = verify(log)
    assert report.ok, str(report.first_difference)
    assert status(report)["state"] == "not-checked"
    everything = verify(fight.log).counts
    assert 0 < report.counts["recomputed"] <= everything["recomputed"]
    assert report.counts["unseen"] > 0


def test_the_commitment_that_was_noted(log: Log) -> None:
    assert verify(log, log["commitment"].upper()).ok
    difference = verify(log, "0" * 64).first_difference
    assert difference is not None
    assert (difference.event, difference.check) == (1, "commitment")


# What is not right


@some
@given(data=st.data())
def test_any_die_of_the_seed(log: Log, data: st.DataObject) -> None:
    site = data.draw(st.sampled_from(seed_dice(log) + durations(log)))
    face = at(log, site.path)
    difference = found(
        changed(log, site.path, lambda _: data.draw(st.integers(1, 6).filter(lambda x: x != face)))
    )
    assert (difference.check, difference.event) == ("dice", site.event)
    assert difference.expected == face
    draw, die = site.draw, site.die
    if f"draw {draw}, die {die}" not in difference.where:  # a die that a highest face added
        assert f"draw {draw + 1}" in difference.where or f"draw {draw + 2}" in difference.where
    assert f"the seed gives {face}" in str(difference)


@some
@given(data=st.data())
def test_any_number_of_a_draw(log: Log, data: st.DataObject) -> None:
    sites = [(version, path, part[2]) for version, path, part in parts_of(log) if part[1] == "seed"]
    version, path, right = data.draw(st.sampled_from(sites))
    beside = {
        draw for other, _, draw in sites if other == version
    }  # a number of the same event shows as wrong dice
    wrong = data.draw(
        st.sampled_from([draw for draw in (right - 1, right + 1, right + 7) if draw not in beside])
    )
    difference = found(changed(log, (*path, 2), lambda _: wrong))
    assert difference.check == "draws"
    assert difference.event == version


@some
@given(data=st.data())
def test_a_die_less_or_more(log: Log, data: st.DataObject) -> None:
    sites = [(version, path) for version, path, part in parts_of(log) if part[1] == "seed"]
    version, path = data.draw(st.sampled_from(sites))
    longer = data.draw(st.booleans())
    difference = found(changed(log, (*path, 0, 0), lambda faces: [*faces, 1] if longer else faces[:-1]))
    assert (difference.check, difference.event) == ("dice", version)


@some
@given(data=st.data())
def test_dice_of_the_seed_cannot_be_passed_off_as_typed_in(log: Log, data: st.DataObject) -> None:
    sites = [(version, path, part) for version, path, part in parts_of(log) if part[1] == "seed"]
    version, path, (faces, _, _) = data.draw(st.sampled_from(sites))
    forged = changed(log, path, lambda _: [faces, "supplied", None])
    difference = found(forged)
    assert difference.event == version


@some
@given(data=st.data())
def test_the_count_of_draws_of_any_event(log: Log, data: st.DataObject) -> None:
    number = data.draw(st.integers(0, len(log["events"]) - 1))
    difference = found(changed(log, ("events", number, "draws"), lambda draws: draws + 1))
    assert (difference.check, difference.event) == ("draws", number + 1)


@some
@given(data=st.data())
def test_any_fact_of_an_outcome(log: Log, data: st.DataObject) -> None:
    sites = [
        (version, path)
        for version, way, step in steps_of(log)
        for name in ("outcome", "rolled")
        for path in leaves(step.get(name) or {}, (*way, name))
    ]
    version, path = data.draw(st.sampled_from(sites))
    difference = found(changed(log, path, other))
    assert (difference.check, difference.event) == ("outcomes", version)
    assert difference.found == other(difference.expected)


def only_packs_know(step: Mapping[str, Any], path: Path_) -> bool:
    """Whether no rule tells this of an effect: which condition the packs end besides, or how many points they give."""
    at, field, *_ = path
    effect = step["effects"][at]
    besides = at >= len(step["effects"]) - step.get("besides", 0)
    return besides and effect["type"] != "add-condition" and field in ("what", "amount")


@some
@given(data=st.data())
def test_any_effect_of_a_step(log: Log, data: st.DataObject) -> None:
    settled = ("type", "who", "what", "amount", "change", "by")
    sites = [
        (version, path)
        for version, way, step in steps_of(log)
        for path in leaves(step.get("effects") or [], (*way, "effects"))
        if (path[len(way) + 2] in settled or path[-1] == "by")
        and not only_packs_know(step, path[len(way) + 1 :])
    ]
    version, path = data.draw(st.sampled_from(sites))
    difference = found(changed(log, path, other))
    assert (difference.check, difference.event) == ("outcomes", version)


def test_what_only_the_packs_know_shows_in_the_state(tmp_path: Path) -> None:
    """A condition that an action ends besides, and what becomes of its weapon: no rule tells it, what follows does."""
    table = Table(tmp_path, "cwn")
    join(table, "me")
    join(table, "foe", "others", hp=90)
    begin(table)
    hold(table, "knife")
    table.do("set", combatant="foe", add=["left-melee"], towards=["me"])
    table.act("me", "free-attack", "foe", item="knife")
    settle(table)
    table.act(
        "me", "ranged-attack", "foe", item="knife", situation={"distance": 5, "attack": {"kind": "thrown"}}
    )
    settle(table)
    table.do("close")
    log = log_of(table)
    assert verify(log).ok
    besides = {
        effect["type"]: (*way, "effects", at)
        for _, way, step in steps_of(log)
        for at, effect in enumerate(step.get("effects") or [])
        if at >= len(step["effects"]) - step.get("besides", 0) and effect["type"] != "add-condition"
    }
    assert set(besides) == {"remove-condition", "item"}
    for path in ((*besides["remove-condition"], "what"), (*besides["item"], "set", "dropped")):
        assert found(changed(log, path, other)).check in ("outcomes", "state")
    table.close()


@some
@given(data=st.data())
def test_effects_that_are_left_out_or_told_twice(log: Log, data: st.DataObject) -> None:
    sites = [(version, (*way, "effects")) for version, way, step in steps_of(log) if step.get("effects")]
    version, path = data.draw(st.sampled_from(sites))
    twice = data.draw(st.booleans())
    difference = found(changed(log, path, lambda all: [*all, all[0]] if twice else all[1:]))
    assert (difference.check, difference.event) == ("outcomes", version)


@some
@given(data=st.data())
def test_effects_that_no_step_claimed(log: Log, data: st.DataObject) -> None:
    sites = [
        (event["version"], ("events", number, "data", "effects"))
        for number, event in enumerate(log["events"])
        if event["type"] == "applied" and event["data"]["effects"]
    ]
    version, path = data.draw(st.sampled_from(sites))
    leaf = data.draw(st.sampled_from(list(leaves(at(log, path), path))))
    difference = found(changed(log, leaf, other))
    assert (difference.check, difference.event) == ("outcomes", version)
    doubled = found(changed(log, path, lambda all: [*all, all[-1]]))
    assert (doubled.check, doubled.event) == ("outcomes", version)


@some
@given(data=st.data())
def test_any_choice(log: Log, data: st.DataObject) -> None:
    """Another choice leads elsewhere: another roll, another question, or another outcome, all of the same event."""
    sites = [
        (version, (*way, "answers", index, 1))
        for version, way, step in steps_of(log)
        for index, answer in enumerate(step["answers"])
        if answer[0] == "c"
    ]
    version, path = data.draw(st.sampled_from(sites))
    difference = found(changed(log, path, lambda _: "wish"))
    assert (difference.check, difference.event) == ("outcomes", version)


@some
@given(data=st.data())
def test_any_question(log: Log, data: st.DataObject) -> None:
    sites = [
        (version, path)
        for version, way, step in steps_of(log)
        for path in leaves(step.get("question") or {}, (*way, "question"))
        if step["question"]["kind"] != "reaction" and "thrown" not in path
    ]
    version, path = data.draw(st.sampled_from(sites))
    difference = found(changed(log, path, other))
    assert (difference.check, difference.event) == ("outcomes", version)


def events_changed(log: Log, change: Any) -> Log:
    copy: Log = json.loads(json.dumps(log))
    change(copy["events"])
    return copy


@some
@given(data=st.data())
def test_events_that_are_taken_out_put_in_or_swapped(log: Log, data: st.DataObject) -> None:
    number = data.draw(st.integers(0, len(log["events"]) - 2))
    what = data.draw(st.sampled_from(("delete", "double", "swap")))

    def change(events: list[Any]) -> None:
        if what == "delete":
            del events[number]
        elif what == "double":
            events.insert(number, events[number])
        else:
            events[number], events[number + 1] = events[number + 1], events[number]

    difference = found(events_changed(log, change))
    assert difference.check == "structure"
    assert difference.event == number + 1 + (what == "double")


@some
@given(data=st.data())
def test_an_event_that_is_taken_out_and_the_others_numbered_anew(log: Log, data: st.DataObject) -> None:
    """Steps, questions and draws know where they are, so it shows; at the latest in the state."""
    telling = [
        number
        for number, event in enumerate(log["events"])
        if event["draws"] > (log["events"][number - 1]["draws"] if number else 0)
    ]
    number = data.draw(st.sampled_from(telling))

    def change(events: list[Any]) -> None:
        del events[number]
        for event in events[number:]:
            event["version"] -= 1

    assert found(events_changed(log, change)).event >= number


def test_a_last_event_that_is_missing(log: Log) -> None:
    def change(events: list[Any]) -> None:
        events.pop()

    assert found(events_changed(log, change)).check in ("structure", "commitment")


@some
@given(data=st.data())
def test_undo_and_redo_to_elsewhere(log: Log, data: st.DataObject) -> None:
    sites = [
        (event["version"], ("events", number, "data", "to"))
        for number, event in enumerate(log["events"])
        if event["type"] in ("undone", "redone")
    ]
    version, path = data.draw(st.sampled_from(sites))
    impossible = found(changed(log, path, lambda _: data.draw(st.sampled_from((0, -3, 10_000)))))
    assert (impossible.check, impossible.event) == ("structure", version)


def test_which_events_count(log: Log) -> None:
    difference = found(changed(log, ("counts", 0, 1), other))
    assert (difference.check, difference.event) == ("structure", 0)
    assert "which events count" in str(difference)


@some
@given(data=st.data())
def test_anything_in_the_final_state(log: Log, data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(list(leaves(log["state"], ("state",)))))
    difference = found(changed(log, path, other))
    assert (difference.check, difference.event) == ("state", 0)
    named = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    assert difference.where == named.removeprefix(".")


def test_what_is_set_by_hand_shows_in_the_state(log: Log) -> None:
    """Nothing says what a GM should have set; the end of the fight does."""
    joined = next(number for number, event in enumerate(log["events"]) if event["type"] == "joined")
    difference = found(changed(log, ("events", joined, "data", "combatant", "name"), other))
    assert difference.check == "state"


def test_another_seed(log: Log) -> None:
    last = len(log["events"])
    seed = bytes(32).hex()
    difference = found(changed(log, ("seed",), lambda _: seed))
    assert (difference.check, difference.event) == ("commitment", last)
    both = changed(
        changed(log, ("seed",), lambda _: seed), ("events", last - 1, "data", "seed"), lambda _: seed
    )
    difference = found(both)
    assert (difference.check, difference.event) == ("commitment", last)
    assert "commitment of event 1" in str(difference)
    digest = hashlib.sha256(bytes(32)).hexdigest()
    for path in (("commitment",), ("events", 0, "data", "commitment")):
        both = changed(both, path, lambda _: digest)
    difference = found(both)  # a seed that fits, and dice that do not
    assert difference.check == "dice"
    noted = verify(both, log["commitment"]).first_difference
    assert noted is not None
    assert (noted.check, noted.event) == ("commitment", 1)


@pytest.mark.parametrize("seed", ["", "zz", "00", "00" * 65, "ä"])
def test_a_seed_that_is_none(log: Log, seed: str) -> None:
    last = len(log["events"])
    both = changed(
        changed(log, ("seed",), lambda _: seed), ("events", last - 1, "data", "seed"), lambda _: seed
    )
    difference = found(both)
    assert (difference.check, difference.event) == ("commitment", last)


def test_another_commitment(log: Log) -> None:
    difference = found(changed(log, ("commitment",), lambda _: "0" * 64))
    assert (difference.check, difference.event) == ("commitment", 1)
    difference = found(changed(log, ("events", 0, "data", "commitment"), lambda _: "0" * 64))
    assert (difference.check, difference.event) == ("commitment", 1)


@pytest.mark.parametrize("name", ["title", "ruleset", "packs", "draws", "closed"])
def test_the_head_of_the_log(log: Log, name: str) -> None:
    ruleset = {"sr4": "cwn", "cwn": "sr4"}[log["ruleset"]]
    change = {"title": "x", "ruleset": ruleset, "packs": [], "draws": 0, "closed": False}
    assert not verify(changed(log, (name,), lambda _: change[name])).ok


# Dice that people typed in


def test_typed_dice_are_counted_and_never_proven(log: Log) -> None:
    typed = [(version, path, part) for version, path, part in parts_of(log) if part[1] == "supplied"]
    report = verify(log)
    assert report.counts["supplied"] == sum(len(faces) for _, _, part in typed for faces in part[0]) > 0
    detail = next(check.detail for check in report.checks if check.id == "dice")
    assert f"{report.counts['supplied']} dice were typed in by people" in detail


def test_typed_dice_that_change_the_outcome_show(log: Log) -> None:
    """Not that they are others, but that the outcome does not fit them; impossible ones at once."""
    for version, path, (groups, source, _) in parts_of(log):
        if source == "supplied" and groups[0]:
            impossible = found(changed(log, (*path, 0, 0, 0), lambda _: 0))
            assert (impossible.check, impossible.event) == ("dice", version)


# Whatever a log holds


ANYTHING: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 10**30) | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def inner_paths(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    if path:
        yield path
    if isinstance(value, (dict, list)):
        for name, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from inner_paths(inner, (*path, name))


@settings(max_examples=scale(20, 60))
@given(data=st.data())
def test_whatever_stands_in_a_log_is_told_and_no_crash(log: Log, data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(ALL_PATHS.setdefault(id(log), list(inner_paths(log)))))
    value = data.draw(ANYTHING)
    try:
        report = verify(changed(log, path, lambda _: value))
    except InputError:
        return
    json.dumps(report.to_json())
    assert report.ok == (report.first_difference is None)


ALL_PATHS: dict[int, list[Path_]] = {}


@given(ANYTHING)
def test_whatever_is_no_log(value: Any) -> None:
    with pytest.raises(InputError):
        verify(value)


REFUSED: dict[str, tuple[Path_, Any, str, str]] = {
    "format": (("format",), "other", "no-log", "fracas-log"),
    "version": (("version",), 3, "unknown-version", "3"),
    "type": (("events", 3, "type"), "joinde", "unknown-event", "joined"),
    "event version": (("events", 3, "v"), 2, "unknown-event-version", "2"),
    "ruleset": (("ruleset",), "sr44", "unknown-ruleset", "sr4"),
    "hidden": (("events", 3, "type"), "hidden", "unknown-event", "hidden"),
    "events": (("events",), {}, "wrong-type", "events"),
    "no events": (("events",), [], "missing-field", "no events"),
    "no event": (("events", 3), 7, "no-event", "type"),
}


@pytest.mark.parametrize(("path", "value", "code", "word"), REFUSED.values(), ids=REFUSED)
def test_what_is_not_known_is_refused_by_name(
    log: Log, path: Path_, value: Any, code: str, word: str
) -> None:
    with pytest.raises(InputError) as caught:
        verify(changed(log, path, lambda _: value))
    problem = caught.value.problems[0]
    assert problem.code == code
    assert word in f"{problem.message} {problem.hint}"


def test_a_log_of_a_ruleset_without_turns_is_refused(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    """All built-in ones have them; one of another package need not."""
    unordered = load_ruleset(log["ruleset"])._replace(id="duels", turns=None)
    monkeypatch.setattr(audit_log, "load_ruleset", lambda id: unordered)
    with pytest.raises(InputError, match="duels has no encounters") as caught:
        verify(changed(log, ("ruleset",), lambda _: "duels"))
    assert caught.value.problems[0].code == "no-encounters"


# Waves of exploding dice


@given(
    st.integers(0, 20), st.sampled_from((2, 6, 10)), st.binary(min_size=32, max_size=32), st.integers(0, 9)
)
def test_waves_are_the_draws_that_the_seed_takes(dice: int, sides: int, seed: bytes, first: int) -> None:
    from fracas.dice.pools import Pool

    pool = Pool(dice, exploding=True, sides=sides, hit=sides)
    source = SeededDice(seed, first)
    dealt = source.deal(pool)
    for group, faces in zip(pool.groups(), dealt.faces, strict=True):
        lengths = waves(group, faces)
        assert sum(lengths) == len(faces)
        assert len(lengths) == source.draw - first
