"""Names of things: of several of one model each has its own, and all lead back to the model."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fracas.kernel.items import MARK, alike, next_name, numbered, slug_of

SLUGS = st.from_regex(r"[a-z0-9][a-z0-9-]{0,11}", fullmatch=True)


@given(slug=SLUGS, number=st.integers(1, 99))
def test_every_name_leads_back_to_its_model(slug: str, number: int) -> None:
    name = numbered(slug, number)
    assert slug_of(name) == slug
    assert (name == slug) == (number == 1)


@given(slugs=st.lists(SLUGS, max_size=8))
def test_names_given_one_after_the_other_are_all_different(slugs: list[str]) -> None:
    names: list[str] = []
    for slug in slugs:
        names.append(next_name(slug, names))
    assert len(set(names)) == len(slugs)
    assert [slug_of(name) for name in names] == slugs
    for slug in set(slugs):
        assert alike(slug, names) == [numbered(slug, at + 1) for at in range(slugs.count(slug))]


@given(slug=SLUGS)
def test_a_gap_is_filled_first(slug: str) -> None:
    assert next_name(slug, {slug, numbered(slug, 3)}) == f"{slug}{MARK}2"
