"""What actions cost, in tokens: the ways to pay, and the words for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fracas.encounters.glossary import actions
from fracas.encounters.scene import Scene
from fracas.errors import InputError
from fracas.exports.readable import counted
from fracas.kernel.economy import Tokens, special_first, together


def price(scene: Scene, action: Mapping[str, Any], others: int = 0) -> Sequence[Tokens]:
    """The alternatives that pay for an action with so many others beside its target, the most special first."""
    found: Sequence[Tokens] = action.get("cost", ())
    if not found:
        found = _accepted(scene, _type(scene, action))
    elif len(found) > 1:
        found = special_first(found, scene.economy.types)
    each = action.get("each_other", "")
    for _ in range(others if each else 0):
        found = together(found, _accepted(scene, each))
    return found


def _type(scene: Scene, action: Mapping[str, Any]) -> str:
    """The type of action that it is under the house rules of the fight."""
    options = scene.state.options
    usual = action.get("type", "")
    under = (one["type"] for one in action.get("types", ()) if options.get(one["option"]) == one["is"])
    return str(next(under, usual))


def _accepted(scene: Scene, type: str) -> Sequence[Tokens]:
    found = scene.economy.types.get(type, ({},))
    return tuple(tokens for tokens in found if scene.rules.accepts(tokens, scene.state.options)) or found


def must_choose(scene: Scene, action: Mapping[str, Any]) -> bool:
    """Whether any but the usual way to pay for an action has to be chosen."""
    return "cost" not in action and _type(scene, action) in scene.economy.asked


def chosen(prices: Sequence[Tokens], pay: Tokens) -> Tokens:
    """The payment that a command names.

    Raises:
        InputError: it is none of them.
    """
    if dict(pay) in [dict(tokens) for tokens in prices]:
        return pay
    ways = " or ".join(paid_in(tokens) for tokens in prices)
    raise InputError.one(
        "pay", "unknown-payment", f"{paid_in(pay)} does not pay for this action: {ways} does"
    )


def choice_of(usual: Tokens, ways: Sequence[Tokens]) -> str:
    """The reason that a payment has to be chosen: the usual one is spent, and these are left."""
    others = " or ".join(paid_in(tokens) for tokens in ways)
    return f"needs {paid_in(usual)}, which is spent; {others} can pay for it instead, if you choose it (pay)"


def paid_in(tokens: Tokens) -> str:
    """Tokens in words: ``1 Main Action``, ``2 Simple Actions and 1 Free Action``; ``nothing`` for none."""
    return " and ".join(called(token, count) for token, count in tokens.items()) or "nothing"


def worth_naming(scene: Scene, left: Tokens, prices: Sequence[Tokens]) -> Sequence[Tokens]:
    """Prices without those for which there is no token left that only some have, unless it is all of them."""
    economy = scene.economy
    gone = {token for token in economy.bonus if token not in economy.budget and not left.get(token)}
    return [one for one in prices if gone.isdisjoint(one)] or prices


def called(token: str, count: int) -> str:
    """Tokens of one kind in words."""
    return counted(count, actions(token))
