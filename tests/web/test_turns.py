"""Who waits is served in turn by caller."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from fracas.web.turns import Caller, CrowdedError, Lane, Trials, Waiting, network_of

ANA, BEN = Caller("192.0.2.1"), Caller("192.0.2.2")


def run(test: Coroutine[Any, Any, None]) -> None:
    with ThreadPoolExecutor(1) as aside:  # a test with a browser leaves a loop running in its thread
        aside.submit(asyncio.run, asyncio.wait_for(test, 10)).result()


def taken(waiting: Waiting[str]) -> list[str]:
    found = []
    while (item := waiting.next()) is not None:
        found.append(item)
    return found


def test_a_thousand_of_one_delay_another_by_one() -> None:
    waiting: Waiting[str] = Waiting()
    for number in range(1000):
        waiting.put(ANA, f"a{number}")
    waiting.put(BEN, "b0")
    assert waiting.next() == "a0"
    assert waiting.next() == "b0"
    assert len(waiting) == waiting.of(ANA.address) == 999


def test_people_behind_one_address_take_turns_too() -> None:
    waiting: Waiting[str] = Waiting()
    for item, caller in (
        ("x1", Caller("192.0.2.1", "x")),
        ("x2", Caller("192.0.2.1", "x")),
        ("y1", Caller("192.0.2.1", "y")),
        ("b1", BEN),
        ("b2", BEN),
    ):
        waiting.put(caller, item)
    assert taken(waiting) == ["x1", "b1", "y1", "b2", "x2"]


def test_what_is_taken_back_is_not_served() -> None:
    waiting: Waiting[str] = Waiting()
    waiting.put(ANA, "a1")
    waiting.put(BEN, "b1")
    waiting.drop(ANA, "a1")
    waiting.drop(ANA, "a1")
    assert taken(waiting) == ["b1"]
    assert len(waiting) == 0


def test_one_address_does_not_have_all_places() -> None:
    async def check() -> None:
        lane = Lane(2, 1)
        await lane.enter(ANA)
        second = asyncio.create_task(lane.enter(ANA))
        await asyncio.sleep(0)
        assert not second.done()
        assert lane.is_free(BEN)
        await lane.enter(BEN)
        lane.leave(ANA)
        await second
        assert len(lane) == 2

    run(check())


def test_who_comes_in_turn_is_served_when_a_place_is_free() -> None:
    served: list[str] = []

    async def work(lane: Lane, caller: Caller, name: str) -> None:
        await lane.enter(caller)
        served.append(name)
        await asyncio.sleep(0)
        lane.leave(caller)

    async def check() -> None:
        lane = Lane(1)
        await asyncio.gather(
            *(work(lane, ANA, f"a{number}") for number in range(3)),
            work(lane, BEN, "b0"),
            work(lane, BEN, "b1"),
        )
        assert served == ["a0", "a1", "b0", "a2", "b1"]
        assert len(lane) == 0

    run(check())


def test_so_many_may_wait() -> None:
    async def check() -> None:
        lane = Lane(1, 0, each=2, all=3)
        await lane.enter(ANA)
        waiting = [asyncio.create_task(lane.enter(ANA)) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(CrowdedError) as mine:
            await lane.enter(ANA)
        waiting.append(asyncio.create_task(lane.enter(BEN)))
        await asyncio.sleep(0)
        with pytest.raises(CrowdedError) as everybody:
            await lane.enter(BEN)
        assert [(error.value.most, error.value.mine) for error in (mine, everybody)] == [
            (2, True),
            (3, False),
        ]
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        assert len(lane) == 1

    run(check())


def test_who_gives_up_in_the_moment_of_the_turn_lets_go_of_the_place() -> None:
    async def check() -> None:
        lane = Lane(1)
        await lane.enter(ANA)
        gives_up = asyncio.create_task(lane.enter(ANA))
        stays = asyncio.create_task(lane.enter(BEN))
        await asyncio.sleep(0)
        lane.leave(ANA)
        gives_up.cancel()
        await asyncio.gather(gives_up, return_exceptions=True)
        await stays
        assert len(lane) == 1

    run(check())


def test_so_many_trials_may_fail() -> None:
    clock = [100.0]
    trials = Trials(2, 4.0, lambda: clock[0])
    for _ in range(2):
        assert trials.may("a")
        trials.failed("a")
    assert not trials.may("a")
    assert trials.may("b")
    clock[0] += 4.5
    assert trials.may("a")
    trials.failed("a")
    assert not trials.may("a")
    clock[0] += 60
    trials.failed("b")
    assert trials.may("a")
    assert len(trials._ends) == 1


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("fe80::1%eth0", "fe80::/64"),
        ("unix", "unix"),
    ],
)
def test_limits_count_networks_of_version_6(address: str, counted: str) -> None:
    assert network_of(address) == counted
