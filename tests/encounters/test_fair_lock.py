"""The lock serves in order of arrival, and nobody who gives up keeps the others waiting."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from fracas.encounters import fair_lock
from fracas.encounters.fair_lock import FairLock


def _until(true: Callable[[], object]) -> None:
    deadline = time.monotonic() + 200
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.001)


def test_whoever_came_first_is_served_first() -> None:
    lock, served, threads = FairLock(), [], []

    def wait(number: int) -> None:
        with lock:
            served.append(number)

    with lock:
        for number in range(20):
            threads.append(threading.Thread(target=wait, args=(number,)))
            threads[-1].start()
            _until(lambda number=number: len(lock._waiting) == number + 1)
        assert served == []
    for thread in threads:
        thread.join(200)
    assert served == list(range(20))


def test_a_thread_that_comes_back_at_once_queues_again() -> None:
    lock, served = FairLock(), []
    start = threading.Barrier(4)

    def work(name: str) -> None:
        start.wait(200)
        for _ in range(50):
            with lock:
                served.append(name)
                _until(lambda: len(lock._waiting) == 3 or len(served) > 150)

    threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(200)
    assert len(served) == 200
    rounds = [served[at : at + 4] for at in range(0, 148, 4)]
    assert all(sorted(one) == ["a", "b", "c", "d"] for one in rounds)


def test_one_at_a_time() -> None:
    lock, inside, most = FairLock(), [], []

    def work() -> None:
        for _ in range(100):
            with lock:
                inside.append(1)
                most.append(len(inside))
                time.sleep(0)
                inside.pop()

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(200)
    assert most == [1] * 800


def test_an_error_inside_lets_go() -> None:
    lock = FairLock()
    with pytest.raises(ZeroDivisionError), lock:
        _ = 1 / 0
    with lock:
        pass


@pytest.mark.parametrize("served_meanwhile", [False, True])
def test_whoever_is_interrupted_while_waiting_leaves_the_queue(
    monkeypatch: pytest.MonkeyPatch, served_meanwhile: bool
) -> None:
    """As by Ctrl-C, before its turn came or at the very moment it did."""
    lock = FairLock()

    class Interrupted:
        """A lock whose second acquire, that of the waiting thread, is interrupted."""

        def __init__(self) -> None:
            self.times = 0

        def acquire(self) -> None:
            self.times += 1
            if self.times == 2:
                if served_meanwhile:
                    lock.__exit__()
                raise KeyboardInterrupt

        def release(self) -> None:
            pass

    lock.__enter__()
    stand_in: Any = Interrupted
    monkeypatch.setattr(fair_lock, "Lock", stand_in)
    with pytest.raises(KeyboardInterrupt), lock:
        pass
    monkeypatch.undo()
    if not served_meanwhile:
        lock.__exit__()
    assert not lock._waiting
    assert not lock._busy
