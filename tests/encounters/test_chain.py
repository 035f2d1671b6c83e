"""Each event carries the hash of the one before: nobody changes a log, or the store, without anybody noticing."""

from __future__ import annotations

import hashlib
import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from audited_logs import Log, changed, leaves, log_of, noticed, other, rechained
from hypothesis import given
from hypothesis import strategies as st
from table_play import OpenTable, Table

from fracas.encounters import sight
from fracas.encounters.audit import verify
from fracas.encounters.audit_report import Report
from fracas.encounters.events import NOTHING_BEFORE, digest
from fracas.encounters.sql_store import SqlStore


@pytest.fixture
def table(open_table: OpenTable) -> Table:
    table = open_table()
    table.join("rook", id="rook")
    table.join({"use": "guard", "name": "Sniper"}, hidden=True)
    table.do("begin-turn")
    return table


def of(report: Report, check: str = "chain") -> tuple[str, str]:
    return next((one.status, one.detail) for one in report.checks if one.id == check)


def without_hashes(log: Log, count: int | None = None) -> Log:
    """The log as a version without hashes would have written it, or its first events."""
    copy: Log = json.loads(json.dumps(log))
    for event in copy["events"][:count]:
        del event["previous"], event["salt"]
    if count is None:
        del copy["head"]
        copy["version"] = 1
    return copy


def test_events_carry_the_hash_of_the_one_before(table: Table) -> None:
    log = log_of(table)
    before = NOTHING_BEFORE
    for event in log["events"]:
        assert event["previous"] == before
        text = json.dumps(event, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        before = hashlib.sha256(text.encode()).hexdigest()
    row = table.store.row(table.id)
    assert row is not None
    assert log["head"] == before == row.head == table.view()["head"] == table.view(table.observer)["head"]
    assert len({event["salt"] for event in log["events"]}) == len(log["events"])
    assert of(verify(log)) == ("ok", f"the last is {before[:16]}")


def test_a_fight_that_another_process_opens_goes_on_with_the_chain(table: Table) -> None:
    head = table.fight.head
    table.encounters = table.opened_again()
    assert table.fight.head == head
    table.do("undo")
    table.encounters = table.opened_again()
    table.join("guard")
    assert verify(log_of(table)).ok


def test_any_change_of_any_field_of_an_event_is_noticed(table: Table) -> None:
    """Here only by the chain: the rest of the audit would notice much, but not all."""
    table.do("close")
    log = log_of(table)
    for path in leaves(log["events"], ("events",)):
        assert noticed(changed(log, path, other)), path


def test_a_field_that_is_missing_or_new_is_noticed(table: Table) -> None:
    log = log_of(table)
    for number in range(len(log["events"])):
        copy = json.loads(json.dumps(log))
        del copy["events"][number]["by"]["label"]
        assert not verify(copy).ok
        copy = changed(log, ("events", number, "data"), lambda data: {**data, "more": 1})
        report = verify(copy)
        assert report.first_difference is not None
        assert report.first_difference.check == "chain"


def test_a_hash_that_was_noted_during_the_fight(table: Table) -> None:
    noted = table.view(table.observer)["head"]
    version = table.fight.history.version
    table.do("undo")
    table.do("close")
    log = log_of(table)
    for digits in (noted, noted[:16], noted[:12].upper()):
        assert f"noted is that of event {version}" in of(verify(log, head=digits))[1]
    forged = rechained(changed(log, ("events", 1, "data", "combatant", "name"), other))
    difference = verify(forged, head=noted).first_difference
    assert difference is not None
    assert difference.check in ("chain", "state")
    observed = log_of(table, table.observer)
    assert f"noted is that of event {version}" in of(verify(observed, head=noted))[1]
    missing = verify(observed, head="0" * 12).first_difference
    assert missing is not None
    assert missing.check == "chain"


def test_a_head_that_is_not_that_of_the_last_event(table: Table) -> None:
    log = log_of(table)
    for head in ("0" * 64, "", "x" * 64):
        difference = verify(changed(log, ("head",), lambda _, head=head: head)).first_difference
        assert difference is not None
        assert (difference.check, difference.event) == ("chain", 0)


def test_players_see_hashes_and_no_salt(table: Table) -> None:
    """With the salt, a hash would tell whoever tries all that a hidden combatant could be."""
    state, viewer = table.state, table.observer
    told = [sight.event(event, viewer, state) for event in table.encounters.events(table.id)]
    log = log_of(table)
    assert [event["previous"] for event in told] == [event["previous"] for event in log["events"]]
    assert sight.HIDDEN in {event["type"] for event in told}
    seen = table.all_that_is_told(viewer)
    assert not any(event["salt"] in seen for event in log["events"])
    table.do("close")
    report = verify(log_of(table, viewer))
    assert report.ok, report.first_difference
    assert of(report)[0] == "not-checked"


def test_logs_without_hashes_are_right_and_say_so(table: Table) -> None:
    table.do("close")
    report = verify(without_hashes(log_of(table)))
    assert report.ok, report.first_difference
    assert of(report) == ("not-checked", "this fight has no hashes, an earlier version of Fracas played it")
    noted = verify(without_hashes(log_of(table)), head="0" * 12).first_difference
    assert noted is not None
    assert noted.check == "chain"


def test_hashes_cannot_be_left_out_of_a_log_that_has_them(table: Table) -> None:
    table.join("guard")
    log = log_of(table)
    for number in range(1, len(log["events"])):
        copy = json.loads(json.dumps(log))
        del copy["events"][number]["previous"]
        assert not verify(copy).ok
    old = without_hashes(log)
    old["events"][2] |= {"previous": "0" * 64, "salt": "0" * 32}
    assert not verify(old).ok


def test_a_fight_of_an_earlier_version_goes_on_with_a_chain(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.join("rook")
    with table.store._database.writing() as connection:
        rows = connection.exec_driver_sql("SELECT version, body FROM events").all()
        for version, body in rows:
            plain = {
                name: value for name, value in json.loads(body).items() if name not in ("previous", "salt")
            }
            connection.exec_driver_sql(
                "UPDATE events SET body = ? WHERE version = ?", (json.dumps(plain), version)
            )
        connection.exec_driver_sql("UPDATE encounters SET head = ''")
        connection.exec_driver_sql("UPDATE snapshots SET body = replace(body, '\"head\"', '\"old\"')")
    table.encounters = table.opened_again()
    table.join("guard")
    table.do("close")
    log = log_of(table)
    assert [("previous" in event) for event in log["events"]] == [False, False, True, True]
    report = verify(log)
    assert report.ok, report.first_difference
    assert of(report)[0] == "partly"
    assert "from event 3 on" in of(report)[1]
    earlier = changed(log, ("events", 0, "at"), lambda at: at - 1)
    assert verify(earlier).ok  # no hash reaches back to there
    late = changed(log, ("events", 3, "at"), lambda at: at + 1)
    assert verify(rechained(late)).ok  # who forges all can: but not if somebody noted a hash
    assert not verify(rechained(late), head=log["head"]).ok
    assert not verify(late).ok
    table.close()


def test_what_is_changed_in_the_database_shows_when_the_fight_goes_on(table: Table) -> None:
    version = table.fight.history.version
    with table.store._database.writing() as connection:
        connection.exec_driver_sql(
            "UPDATE events SET body = replace(body, ?, ?) WHERE version = ?", ('"GM"', '"gm"', version)
        )
    table.encounters = table.opened_again()
    table.join("guard")
    difference = verify(log_of(table)).first_difference
    assert difference is not None
    assert difference.event in (version, version + 1)


def test_another_past_of_the_same_length_is_not_gone_on_with(table: Table, tmp_path: Path) -> None:
    """A process holds a fight in memory; meanwhile a backup takes its place in the database."""
    copy = tmp_path / "before.db"
    with table.store._database.reading() as connection:
        connection.exec_driver_sql(f"VACUUM INTO '{copy.as_posix()}'")
    other_process = table.opened_again()
    table.join("guard", name="Lost")
    lost = table.fight
    with closing(SqlStore(str(copy))) as store:
        rows: list[Any] = [store.row(table.id), store.snapshot(table.id)]
    with table.store._database.writing() as connection:
        connection.exec_driver_sql("DELETE FROM events WHERE version > ?", (rows[0].version,))
        connection.exec_driver_sql(
            "UPDATE encounters SET version = ?, head = ?", (rows[0].version, rows[0].head)
        )
    other_process.command(
        table.id, table.gm, {"command": "join", "combatant": {"use": "guard", "name": "Other"}}
    )
    assert table.fight.history.version == lost.history.version
    assert "Lost" not in {one.name for one in table.state.combatants.values()}
    table.join("guard", name="Third")
    assert verify(log_of(table)).ok


JSON: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=("Cs",)), max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(exclude_categories=("Cs",)), max_size=6), inner, max_size=4)
    ),
    max_leaves=8,
)


@given(JSON)
def test_every_installation_computes_the_same_hash(data: Any) -> None:
    """With orjson and without: the hash of docs/dice.md."""
    text = json.dumps({"data": data}, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert digest({"data": data}) == hashlib.sha256(text.encode()).hexdigest()
