"""What becomes of a thing that is thrown: one less of several, and the last is out of the hand (section 11.4)."""

from __future__ import annotations

from collections.abc import Mapping

from fracas.kernel.intents import Intent, plainly_handled
from fracas.kernel.stage import Fact

THROWN = "thrown"
"""The state of what has been thrown and goes off: nobody picks it up again."""
_GOES_OFF, _LIES_THERE = "grenade", "throwing-weapon"


def handled(what: str, intent: Intent) -> Mapping[str, Fact]:
    """The states that an action's ``item`` word sets; what is used up by throwing is told by its category."""
    category = intent.thing.get("category")
    if what != "use" or "procedure" not in intent.action or category not in (_GOES_OFF, _LIES_THERE):
        return plainly_handled(what, intent.thing)
    have = intent.state.get("rounds")
    if isinstance(have, int) and have > 1:
        return {"rounds": have - 1}
    return {"ready": False, **({THROWN: True} if category == _GOES_OFF else {"dropped": True})}


def why_not_in_hand(intent: Intent) -> str:
    """What keeps a thing from being made ready; "" for nothing."""
    if intent.action.get("item") != "ready":
        return ""
    if intent.state.get(THROWN):
        return "it has been thrown"
    return "it lies on the ground: pick it up first" if intent.state.get("dropped") else ""
