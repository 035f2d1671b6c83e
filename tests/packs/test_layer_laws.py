"""Laws of layers: a change and its reverse, and packs whose order does not matter."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from small_packs import library, made, weapons

from fracas.packs.entries import Entry, Pack
from fracas.packs.library import Library

CORE = made("core", weapons("slug: bow, label: Bow, dv: 4, modes: [SS], source: {ref: a}, notes: old"))
BOW = "core:weapon/bow"


def bow_of(found: Library) -> Entry:
    bow = found.entry(BOW)
    assert bow is not None
    return bow


VALUES = st.recursive(
    st.integers(-9, 9) | st.booleans() | st.sampled_from(["a", "b c"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("pqr"), inner, max_size=3),
    max_leaves=5,
)
FIELDS = st.dictionaries(st.sampled_from(["dv", "ap", "rc", "modes", "notes"]), VALUES, min_size=1)


def patch(data: dict[str, Any], unset: list[str], **said: Any) -> Pack:
    """A pack with one patch of the bow."""
    change = {"patch": BOW} | ({"set": data} if data else {}) | ({"unset": unset} if unset else {})
    text = f"kind: weapons\nruleset: sr4\nentries: [{json.dumps(change)}]\n"
    return made(said.pop("id"), {"weapons.yaml": text}, layer="house", **said)


@given(FIELDS)
def test_a_patch_and_a_patch_back_change_nothing(data: dict[str, Any]) -> None:
    bow = CORE.entries[0]
    had = {**bow.data, "notes": bow.meta["notes"]}
    one = patch(data, [], id="one", requires=["core"])
    back = {field: value for field, value in had.items() if field in data}
    two = patch(back, [field for field in data if field not in had], id="two", requires=["core", "one"])
    after = bow_of(library(CORE, one, two))
    assert (after.data, after.meta, after.label) == (bow.data, bow.meta, bow.label)


@given(st.lists(FIELDS, min_size=2, max_size=4), st.randoms(use_true_random=False))
def test_the_order_of_packs_that_do_not_dispute_does_not_matter(
    every: list[dict[str, Any]], random: Any
) -> None:
    taken: set[str] = set()
    packs = []
    for at, data in enumerate(every):
        mine = {field: value for field, value in data.items() if field not in taken}
        taken |= mine.keys()
        if mine:
            packs.append(patch(mine, [], id=f"p{at}", requires=["core"]))
    one = bow_of(library(CORE, *packs))
    random.shuffle(packs)
    other = bow_of(library(*packs, CORE))
    assert (one.data, one.meta) == (other.data, other.meta)
    assert {field: one.author_of((field,)) for field in taken} == {
        field: other.author_of((field,)) for field in taken
    }
