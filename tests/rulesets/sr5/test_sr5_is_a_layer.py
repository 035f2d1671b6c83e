"""The house rules are a layer on the ordinary game, not a copy of it."""

from __future__ import annotations

from late_packs import late
from sr5_table import CORE, HOUSE

LAYER = late(lambda: next(pack for pack in HOUSE.packs.packs if pack.manifest.id == "sr5-bonus-actions"))
ORDINARY = late(lambda: next(pack for pack in CORE.packs.packs))
NAMED = late(lambda: {operation.target for operation in LAYER.operations})
BEFORE = late(lambda: {entry.id: entry for entry in ORDINARY.entries})


def test_the_ordinary_game_is_whole_without_the_layer() -> None:
    assert [pack.manifest.id for pack in CORE.packs.packs] == ["sr5-core"]
    assert not ORDINARY.manifest.requires
    assert not ORDINARY.operations


def test_what_the_layer_does_not_name_stays_as_it_was() -> None:
    untouched = [entry for entry in ORDINARY.entries if entry.id not in NAMED]
    assert len(untouched) > len(NAMED)
    for entry in untouched:
        found = HOUSE.packs.by_id(entry.id)
        assert found is not None
        assert (found.data, found.pack) == (entry.data, "sr5-core"), entry.id


def test_no_entry_of_the_layer_repeats_one_of_the_ordinary_game() -> None:
    """Neither under the same name nor under another one: what differs little is patched."""
    known = {(entry.kind, entry.slug) for entry in ORDINARY.entries}
    assert not known & {(entry.kind, entry.slug) for entry in LAYER.entries if entry.kind != "example"}
    contents = [(entry.kind, entry.data) for entry in ORDINARY.entries]
    own = [entry for entry in LAYER.entries if entry.data]
    assert [entry.id for entry in own if (entry.kind, entry.data) in contents] == []


def test_little_is_replaced_and_little_is_gone() -> None:
    how = {
        name: {one.target for one in LAYER.operations if one.how == name} for name in ("replace", "remove")
    }
    assert how == {
        "replace": {"sr5-core:table/movement"},
        "remove": {"sr5-core:action/quick-draw", "sr5-core:action/reckless-spellcasting"},
    }


def test_a_patch_sets_only_what_it_changes() -> None:
    for operation in LAYER.operations:
        if operation.how == "patch":
            entry = BEFORE[operation.target]
            before = {"label": entry.label, **entry.data, **entry.meta}
            same = [name for name, value in operation.values.items() if before.get(name) == value]
            missing = [name for name in operation.unset if name not in before]
            assert (same, missing) == ([], []), operation.target
            assert operation.expects.items() <= before.items(), operation.target
