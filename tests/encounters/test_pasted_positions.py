"""Positions as people paste them: read whole or not at all, in one event, with every fault at its line and field."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sr4_phases import join
from table_play import OpenTable, Table

from fracas.encounters.pasted_positions import UNITS, metres_of, positions_in
from fracas.errors import ForbiddenError, InputError
from fracas.space import FARTHEST, Position

NAMES = {
    "rook": "Rook",
    "guard": "Guard",
    "guard-2": "Guard",
    "ann": "Ann, of the docks",
    "bo": 'Bo; "the axe"',
}


def read(text: str, unit: str = "m") -> dict[str, tuple[float, float, float | None]]:
    return {id: (at["x"], at["y"], at["elevation"]) for id, at in positions_in(text, unit, NAMES).items()}


def faults(text: str, unit: str = "m") -> list[tuple[str, str, str | None]]:
    with pytest.raises(InputError) as caught:
        read(text, unit)
    return [(one.path, one.code, one.hint) for one in caught.value.problems]


def test_names_and_ids_with_elevation_or_without() -> None:
    text = "# the gate\n\nROOK, 1, 2.5\nguard-2, -3, 4, 5\n"
    assert read(text) == {"rook": (1, 2.5, None), "guard-2": (-3, 4, 5)}


@pytest.mark.parametrize("line", ["rook\t1,5\t2", "rook; 1,5; 2", "rook, 1.5, 2", "  Rook ,1.5,2,  "])
def test_cells_are_separated_as_tables_are(line: str) -> None:
    assert read(line) == {"rook": (1.5, 2, None)}


def test_a_name_with_a_comma_is_quoted() -> None:
    assert read('"Ann, of the docks", 1, 2') == {"ann": (1, 2, None)}
    assert read("Ann, of the docks; 1; 2") == {"ann": (1, 2, None)}
    assert read('"Bo; ""the axe""", 1, 2') == {"bo": (1, 2, None)}


@pytest.mark.parametrize(
    ("unit", "metres"),
    [("m", 1), ("ft", 0.3048), ("yd", 0.9144), ("5 ft", 1.524), ("1.5m", 1.5), (" FT ", 0.3048)],
)
def test_units_are_chosen_or_stand_in_the_text(unit: str, metres: float) -> None:
    assert metres_of(unit) == pytest.approx(metres)
    for found in (read("rook, 10, 20, 1", unit), read(f"unit: {unit}\nrook, 10, 20, 1", "km")):
        assert found["rook"] == pytest.approx((10 * metres, 20 * metres, metres))


@pytest.mark.parametrize(
    ("text", "unit", "found"),
    [
        ("rook, 1, 2\nGard-2, 3, 4", "m", [("line 2.who", "unknown-combatant", "did you mean 'guard-2'?")]),
        ("Guard, 3, 4", "m", [("line 1.who", "several", "known: guard, guard-2")]),
        ("rook, 1, 2\n\nROOK, 3, 4", "m", [("line 3.who", "twice", None)]),
        ("rook, one, 2", "m", [("line 1.x", "wrong-type", None)]),
        ("rook, nan, 2", "m", [("line 1.x", "wrong-type", None)]),
        ("rook, 1,5, 2", "m", []),
        ("rook; 1,5,1; 2", "m", [("line 1.x", "wrong-type", None)]),
        ("rook, 1", "m", [("line 1.y", "missing-field", None)]),
        ("rook, 1, 2, high", "m", [("line 1.elevation", "wrong-type", None)]),
        ("rook, 101, 2", "km", [("line 1.x", "out-of-range", None)]),
        (
            "rook, 1, 2, 3, 4",
            "m",
            [("line 1.5", "unknown-field", "a name with a comma stands in quotation marks")],
        ),
        ("rook, 1, 2", "parsec", [("unit", "unknown-unit", None)]),
        ("rook, 1, 2", "0 ft", [("unit", "unknown-unit", None)]),
        ("unit: hex\nrook, 1, 2", "m", [("line 1.unit", "unknown-unit", None)]),
        ("# nothing", "m", [("text", "empty", None)]),
        (
            "rok, 1\nguard-2, a, b",
            "m",
            [
                ("line 1.who", "unknown-combatant", "did you mean 'Rook'?"),
                ("line 1.y", "missing-field", None),
                ("line 2.x", "wrong-type", None),
                ("line 2.y", "wrong-type", None),
            ],
        ),
    ],
)
def test_every_fault_has_its_line_and_field(
    text: str, unit: str, found: list[tuple[str, str, str | None]]
) -> None:
    if found:
        assert faults(text, unit) == found
    else:
        assert read(text, unit) == {"rook": (1, 5, 2)}  # commas separate: the elevation is 2


@given(
    st.dictionaries(
        st.sampled_from(["rook", "guard-2", "ann"]),
        st.tuples(*(st.floats(-FARTHEST, FARTHEST).map(lambda one: round(one, 3)) for _ in range(3))),
        min_size=1,
    ),
    st.sampled_from([", ", ";", "\t"]),
)
def test_what_is_written_is_read(at: dict[str, tuple[float, ...]], separator: str) -> None:
    text = "\n".join(separator.join([id, *map(str, numbers)]) for id, numbers in at.items())
    assert read(text) == {id: pytest.approx(numbers) for id, numbers in at.items()}


@given(st.text(max_size=60), st.sampled_from(sorted(UNITS)))
def test_any_text_is_read_or_refused(text: str, unit: str) -> None:
    try:
        found = read(text, unit)
    except InputError:
        return
    assert set(found) <= set(NAMES)


@pytest.fixture
def fight(open_table: OpenTable) -> Table:
    table = open_table()
    for id in ("me", "foe"):
        join(table, id)
    return table


def test_a_text_is_one_event_like_any_other(fight: Table) -> None:
    fight.do("place", positions={"foe": {"x": 0, "y": 0, "elevation": 2, "facing": 90}})
    before, version = fight.state, fight.fight.history.version
    fight.do("place", text="me, 10, 0\nfoe, 20, 5", unit="ft")
    assert fight.fight.history.version == version + 1
    assert fight.one("me").position == Position(3.048, 0)
    assert fight.one("foe").position == Position(6.096, 1.524, 2, facing=90)  # what is left out stays
    fight.do("undo")
    assert fight.state == before


def test_a_text_with_a_fault_places_nobody(fight: Table) -> None:
    version = fight.fight.history.version
    with pytest.raises(InputError):
        fight.do("place", text="me, 1, 1\nnobody, 2, 2")
    with pytest.raises(InputError, match="one of the two"):
        fight.do("place", text="me, 1, 1", positions={"me": {"x": 1, "y": 1}})
    with pytest.raises(InputError, match="nobody is named"):
        fight.do("place")
    with pytest.raises(ForbiddenError):
        fight.do("place", fight.player("me"), text="me, 1, 1")
    assert fight.fight.history.version == version


def test_those_who_left_are_not_placed(fight: Table) -> None:
    fight.do("leave", combatant="foe")
    with pytest.raises(InputError, match="no combatant 'foe'"):
        fight.do("place", text="foe, 1, 1")
