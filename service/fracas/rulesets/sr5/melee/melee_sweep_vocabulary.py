"""What a request may say of a melee action against several targets: rulebook sections 6.2 and 6.3."""

from __future__ import annotations

from fracas.rulesets.sr5.several import vocabulary_of_several
from fracas.rulesets.sr5.vocabulary import MELEE_ATTACK

OF_EACH_TARGET = {
    name: f"attacker.{name}" for name in ("split_dice", "friends_in_melee", "superior_position", "charging")
}
"""What the attacker has against each of several targets; said with the target."""

MELEE_SWEEP = vocabulary_of_several(MELEE_ATTACK, OF_EACH_TARGET)
"""One action with a melee weapon or bare hands against several targets."""
