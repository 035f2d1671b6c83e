"""Where dice come from: the system, a committed seed that anybody can recompute, or people."""

from __future__ import annotations

import hashlib
import hmac
import os
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fracas
from fracas.dice import sources
from fracas.dice.pools import Opposed, Pool
from fracas.dice.requests import Request, check_faces
from fracas.dice.sources import SeededDice, SuppliedDice, SystemDice, new_seed
from fracas.dice.totals import Total
from fracas.errors import DiceError, InputError

SEED = bytes(range(32))
SIDES = (2, 3, 4, 6, 7, 8, 10, 12, 20, 30, 100)


def recomputed(seed: bytes, draw: int, count: int, sides: int) -> tuple[int, ...]:
    """What the documentation says of a draw, written down a second time."""
    faces: list[int] = []
    block = 0
    while len(faces) < count:
        message = draw.to_bytes(8, "big") + block.to_bytes(4, "big")
        for byte in hmac.new(seed, message, hashlib.sha256).digest():
            if byte < 256 // sides * sides:
                faces.append(byte % sides + 1)
        block += 1
    return tuple(faces[:count])


def recomputed_explosion(seed: bytes, draw: int, count: int, sides: int) -> tuple[tuple[int, ...], int]:
    """The faces of exploding dice, and the draw after them."""
    faces = batch = recomputed(seed, draw, count, sides)
    while batch.count(sides):
        draw += 1
        batch = recomputed(seed, draw, batch.count(sides), sides)
        faces += batch
    return faces, draw + 1


# A committed seed.


@pytest.mark.parametrize("sides", SIDES)
@pytest.mark.parametrize("count", [1, 5, 40, 150])
def test_seeded_dice_are_what_anybody_recomputes(sides: int, count: int) -> None:
    dealt = SeededDice(SEED).deal(Total(((count, sides),)))
    assert dealt == ((recomputed(SEED, 0, count, sides),), "seed", 0)


def test_dice_that_need_a_second_block_are_what_anybody_recomputes() -> None:
    # 32 bytes a block: 33 dice need a second one, and d100 skips a fifth of the bytes.
    assert SeededDice(SEED).deal(Pool(33)).faces == (recomputed(SEED, 0, 33, 6),)
    assert SeededDice(SEED).deal(Total(((32, 100),))).faces == (recomputed(SEED, 0, 32, 100),)


@given(st.binary(min_size=16, max_size=64), st.integers(0, 2**40), st.integers(1, 60), st.sampled_from(SIDES))
def test_any_seed_and_any_draw_can_be_recomputed(seed: bytes, draw: int, count: int, sides: int) -> None:
    assert SeededDice(seed, draw).deal(Total(((count, sides),))).faces == (
        recomputed(seed, draw, count, sides),
    )


@given(st.binary(min_size=16, max_size=64), st.integers(1, 12), st.integers(1, 12))
def test_every_group_and_every_explosion_is_a_draw_of_its_own(seed: bytes, first: int, second: int) -> None:
    dice = SeededDice(seed)
    dealt = dice.deal(Opposed(Pool(first, True), Pool(second)))
    mine, draw = recomputed_explosion(seed, 0, first, 6)
    assert dealt.faces == (mine, recomputed(seed, draw, second, 6))
    assert dice.draw == draw + 1


def test_a_part_of_no_dice_takes_no_draw() -> None:
    dice = SeededDice(SEED)
    assert dice.deal(Opposed(Pool(0), Pool(0))) == ((), "seed", 0)
    assert dice.deal(Opposed(Pool(0), Pool(2))).faces == (recomputed(SEED, 0, 2, 6),)
    assert dice.draw == 1


def test_the_draw_of_a_deal_is_the_index_of_its_first_draw() -> None:
    dice = SeededDice(SEED)
    assert [dice.deal(request).draw for request in (Pool(2), Opposed(Pool(1), Pool(1)), Pool(1))] == [0, 1, 3]


def test_a_seed_and_a_draw_replay_what_followed() -> None:
    dice = SeededDice(SEED)
    dice.deal(Pool(9, True))
    draw = dice.draw
    later = [dice.deal(request) for request in (Pool(7, True), Total(((1, 20),)))]
    again = SeededDice(SEED, draw)
    assert [again.deal(request) for request in (Pool(7, True), Total(((1, 20),)))] == later


def test_the_commitment_is_the_hash_of_the_seed_whatever_was_drawn() -> None:
    dice = SeededDice(SEED)
    assert dice.commitment == hashlib.sha256(SEED).hexdigest()
    dice.deal(Pool(40, True))
    assert dice.commitment == hashlib.sha256(SEED).hexdigest()


def test_another_seed_or_another_draw_deals_other_dice() -> None:
    first = SeededDice(SEED).deal(Pool(100)).faces
    assert SeededDice(SEED[::-1]).deal(Pool(100)).faces != first
    assert SeededDice(SEED, 1).deal(Pool(100)).faces != first


@pytest.mark.parametrize("size", [0, 15, 65])
def test_a_seed_of_another_size_is_refused(size: int) -> None:
    with pytest.raises(InputError) as caught:
        SeededDice(bytes(size))
    assert caught.value.problems == (("dice.seed", "bad-seed", "a seed has 16 to 64 bytes", None),)


def test_new_seeds_are_long_and_differ() -> None:
    seeds = {new_seed() for _ in range(50)}
    assert {len(seed) for seed in seeds} == {32}
    assert len(seeds) == 50


def test_every_face_comes_from_equally_many_byte_values() -> None:
    for sides in range(1, 256):
        faces = Counter(sources._faces_of(bytes(range(256)), sides))
        assert faces == dict.fromkeys(range(1, sides + 1), 256 // sides)


# The system's generator.


@pytest.mark.parametrize(
    "request_",
    [Pool(0), Pool(1), Pool(30), Pool(30, True), Opposed(Pool(5, True), Pool(3)), Total(((3, 100), (2, 20)))],
    ids=str,
)
def test_system_dice_fit_what_is_asked(request_: Request) -> None:
    for _ in range(20):
        dealt = SystemDice().deal(request_)
        assert check_faces(request_, dealt.faces) == dealt.faces
        assert (dealt.source, dealt.draw) == ("system", None)


@pytest.mark.parametrize("sides", [2, 6, 100, 250])
def test_system_dice_go_on_when_their_buffer_is_used_up(sides: int) -> None:
    dice = SystemDice()
    deals = [dice.deal(Total(((128, sides),))).faces[0] for _ in range(2 * sources.BLOCK // 128)]
    assert [len(faces) for faces in deals] == [128] * len(deals)
    assert {face for faces in deals for face in faces} == set(range(1, sides + 1))


def test_two_deals_of_system_dice_differ() -> None:
    dice = SystemDice()
    assert dice.deal(Pool(120)) != dice.deal(Pool(120))
    assert SystemDice().deal(Pool(120)) != SystemDice().deal(Pool(120))


def test_threads_do_not_share_a_buffer() -> None:
    dice = SystemDice()
    dice.deal(Pool(1))
    dealt: list[tuple[int, ...]] = []
    buffers: list[bytes] = [dice._local.raw]

    def deal() -> None:
        dealt.append(dice.deal(Pool(120)).faces[0])
        buffers.append(dice._local.raw)

    threads = [threading.Thread(target=deal) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(dealt)) == 8
    assert len(set(buffers)) == 9


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_forked_process_deals_other_dice_than_its_parent() -> None:
    """In a process of its own, so that no thread of the test run is forked."""
    program = """
import os
from fracas.dice.pools import Pool
from fracas.dice.sources import SystemDice

dice = SystemDice()
dice.deal(Pool(1))  # fills the buffer that a child must not inherit
children = []
for _ in range(2):
    reader, writer = os.pipe()
    if os.fork() == 0:
        try:
            os.write(writer, bytes(dice.deal(Pool(120)).faces[0]))
        finally:
            os._exit(0)
    os.close(writer)
    os.wait()
    children.append(os.read(reader, 120))
print(bytes(dice.deal(Pool(120)).faces[0]).hex(), *(faces.hex() for faces in children))
"""
    root = Path(fracas.__file__).parent.parent
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=True,
    )
    thrown = done.stdout.split()
    assert [len(faces) for faces in thrown] == [240, 240, 240]
    assert len(set(thrown)) == 3


# Dice that people threw.


def test_supplied_dice_are_dealt_in_the_order_given() -> None:
    dice = SuppliedDice([[1, 2], [3], [20]])
    assert dice.deal(Opposed(Pool(2), Pool(1))) == (((1, 2), (3,)), "supplied", None)
    assert dice.deal(Pool(0)) == ((), "supplied", None)
    assert dice.deal(Total(((1, 20),))) == (((20,),), "supplied", None)
    dice.finish()


def test_too_few_supplied_dice_are_refused_with_what_is_still_asked() -> None:
    dice = SuppliedDice([[1, 2]])
    with pytest.raises(DiceError) as caught:
        dice.deal(Opposed(Pool(2), Pool(3, True)))
    (problem,) = caught.value.problems
    assert (problem.path, problem.code) == ("dice", "too-few-dice")
    assert problem.message == (
        "2d6 >= 5 against 3d6! >= 5 asks for 3d6!, and only 1 lists of faces were given"
    )


def test_supplied_dice_that_do_not_fit_are_refused_at_their_place_in_the_whole_list() -> None:
    dice = SuppliedDice([[1], [2], [7]], "throw")
    dice.deal(Opposed(Pool(1), Pool(1)))
    with pytest.raises(DiceError) as caught:
        dice.deal(Pool(1))
    assert [(problem.path, problem.code) for problem in caught.value.problems] == [
        ("throw[2][0]", "wrong-face")
    ]


def test_refused_supplied_dice_are_not_used_up() -> None:
    dice = SuppliedDice([[1, 2]])
    with pytest.raises(DiceError):
        dice.deal(Pool(1))
    assert dice.deal(Pool(2)).faces == ((1, 2),)


def test_supplied_dice_that_nobody_asked_for_are_refused() -> None:
    dice = SuppliedDice([[1], [2], [3]])
    dice.deal(Pool(1))
    with pytest.raises(DiceError) as caught:
        dice.finish()
    assert caught.value.problems == (
        ("dice[1]", "too-many-dice-given", "2 lists of faces were given but not asked for", None),
    )
