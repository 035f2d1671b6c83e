"""Edge that is burned for a critical success without a roll, and whether there is Edge to pay with (section 2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.errors import InputError
from fracas.kernel.stage import Stage
from fracas.rulesets.sr4.besides import burned

CRITICAL_SUCCESS = 4
"""Net hits above the threshold from which a success is critical."""


def needs_edge(facts: Mapping[str, Any], who: str, field: str, none_left: str) -> None:
    """Check that there is Edge to pay with; `field` is ``edge``, the attribute, or ``edge_points``.

    Raises:
        InputError: it is not said, or 0.
    """
    have = facts.get(f"{who}.{field}")
    if have is None:
        raise InputError.one(f"situation.{who}.{field}", "missing-field", "the rule needs to know the Edge")
    if have < 1:
        raise InputError.one(f"situation.{who}.{field}", "no-edge", none_left)


def edge_burned(facts: Mapping[str, Any], who: str, threshold: int = 0) -> int:
    """The hits of somebody who burns a point of the Edge attribute: a critical success; 0 for nobody.

    Raises:
        InputError: there is no Edge to burn.
    """
    if not facts.get(f"{who}.burn_edge"):
        return 0
    needs_edge(facts, who, "edge", "no Edge is left to burn")
    return threshold + CRITICAL_SUCCESS


def without_roll(hits: int, by: str, opposed: bool, then: Any, tells_glitch: bool) -> Stage:
    """What follows a test that burned Edge decides.

    Args:
        hits: net hits; of a test that nobody opposes, hits.
        then: the receiver of the test, see `dice_test`.
    """
    stage: Stage
    if not tells_glitch:
        stage = then.take(hits, False, (0, 0))
    elif opposed:
        stage = then.take_both_told(hits, False, 0, (0, 0))
    else:
        stage = then.take_told(hits, 0, (0, 0))
    return burned(stage, by)
