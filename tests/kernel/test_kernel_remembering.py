"""What is remembered by identity is evaluated once for the same objects, and anew for all others."""

from __future__ import annotations

import pytest

from fracas.kernel.remembering import by_identity


def test_the_same_objects_are_evaluated_once() -> None:
    seen: list[int] = []

    @by_identity()
    def size(sheet: dict[str, int], options: dict[str, int]) -> int:
        seen.append(id(sheet))
        return len(sheet) + len(options)

    sheet, options = {"body": 3}, {"passes": 4}
    assert [size(sheet, options), size(sheet, options)] == [2, 2]
    assert len(seen) == 1


def test_each_argument_counts() -> None:
    @by_identity()
    def total(sheet: dict[str, int], options: dict[str, int]) -> int:
        return sheet["body"] + options["more"]

    sheet, options = {"body": 3}, {"more": 1}
    assert total(sheet, options) == 4
    assert total({**sheet, "body": 5}, options) == 6
    assert total(sheet, {"more": 2}) == 5
    assert total(sheet, options) == 4


def test_an_object_that_is_gone_leaves_nothing_to_one_in_its_place() -> None:
    """Python gives the identity of an object that is gone to the next one; also after all was forgotten."""

    @by_identity(2)
    def body(sheet: dict[str, int]) -> int:
        return sheet["body"]

    assert [body({"body": number}) for number in range(50)] == list(range(50))


def test_an_error_is_not_remembered() -> None:
    sheet: dict[str, int] = {}
    fails = [True, False]

    @by_identity()
    def risky(sheet: dict[str, int]) -> int:
        if fails.pop(0):
            raise ValueError("not yet")
        return 1

    with pytest.raises(ValueError, match="not yet"):
        risky(sheet)
    assert risky(sheet) == 1
