"""Databases in LevelDB's form: Foundry's own LevelDB reads every record of them, and writes on."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from foundry_leveldb import ClassicLevel
from hypothesis import example, given
from hypothesis import strategies as st

from fracas.exports.foundry.leveldb import database

ROOM = 32768 - 7
"""Bytes of a batch in a block of the log."""
AROUND = 12 + 1 + 2 + 3
"""Bytes before the value in a batch of one record: head, type, a key of one letter, length of the value."""


def check(records: Mapping[bytes, bytes], classic_level: ClassicLevel) -> None:
    more = {b"!added!": b"later", **dict.fromkeys(list(records)[:1], b"another value")}
    with TemporaryDirectory() as made:
        for name, content in database(records).items():
            (Path(made) / name).write_bytes(content)
        assert list(classic_level.read(Path(made)).items()) == sorted(records.items())
        classic_level.add(Path(made), more)
        assert list(classic_level.read(Path(made)).items()) == sorted({**records, **more}.items())


@given(
    st.dictionaries(
        st.binary(max_size=20) | st.text(max_size=20).map(str.encode),
        st.builds(lambda part, times: part * times, st.binary(max_size=9), st.integers(0, 9000)),
        max_size=12,
    )
)
@example({})
@example({"!items!größe…".encode(): "日本".encode()})
def test_any_records(classic_level: ClassicLevel, records: dict[bytes, bytes]) -> None:
    check(records, classic_level)


@pytest.mark.parametrize("blocks", [1, 2, 3])
@pytest.mark.parametrize("over", [-7, -1, 0, 1, 7])
def test_a_batch_that_ends_near_the_end_of_a_block(
    classic_level: ClassicLevel, blocks: int, over: int
) -> None:
    value = random.Random(over).randbytes(blocks * ROOM + over - AROUND)
    files = database({b"k": value})
    assert len(files["000002.log"]) == blocks * 32768 + over + (7 if over > 0 else 0)
    check({b"k": value}, classic_level)


def test_more_than_leveldb_keeps_in_memory(classic_level: ClassicLevel) -> None:
    """Of 4 MB it makes a table while it reads the log."""
    chance = random.Random(1)
    check({f"!items!{id}".encode(): chance.randbytes(3000) for id in range(1500)}, classic_level)


def test_a_record_of_megabytes(classic_level: ClassicLevel) -> None:
    check({b"!scenes!one": random.Random(2).randbytes(3_000_000)}, classic_level)


def test_many_small_records(classic_level: ClassicLevel) -> None:
    check({f"!items!{id}".encode(): b"%d" % id for id in range(20_000)}, classic_level)


def test_the_order_of_records_makes_no_difference() -> None:
    records = [(f"{id}".encode(), b"x" * id) for id in range(100)]
    assert database(dict(records)) == database(dict(reversed(records)))
