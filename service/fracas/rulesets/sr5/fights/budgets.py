"""What a combatant may spend in a phase, and beside it: rulebook sections 1.5, 2, 4 and 7.

By the house rules the tokens of a phase are there from its beginning, and what is left of them can be spent until the
next one is over. Free actions come anew with every phase, also another's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.kernel.economy import EVERY_SLOT, SAVED, TURN, Economy, Tokens
from fracas.kernel.intents import Participant, Table
from fracas.rulesets.sr5.fights.standing import A_PASS, INTERRUPTS, full_score, has_passes, has_phase
from fracas.rulesets.sr5.rolls.last_edge import ONE_MORE

FREE, SIMPLE = "free", "simple"
ROUNDS = "rounds-fired"
"""The track of what counts as recoil."""
_BONUS = "bonus-"
_WORLDS = ("physical", "matrix", "magic")


def saves_actions(options: Mapping[str, Any]) -> bool:
    return bool(options.get("saved_actions", False))


def free_in_every_phase(options: Mapping[str, Any]) -> bool:
    return bool(options.get("free_actions", "own_phase") == "every_phase")


def recoil_grows(options: Mapping[str, Any]) -> bool:
    """From phase to phase, as long as a combatant fires in each."""
    return bool(options.get("progressive_recoil", True))


def returns(options: Mapping[str, Any]) -> dict[str, str]:
    """When tokens come back. Simple actions may be kept for later, and bonus ones, which keep their world (7.6): a
    phase can then have those of two worlds, unless `saved_bonus_actions` is off. What interrupts and called shots take
    from the score stays taken for the rest of the turn."""
    found = {INTERRUPTS: TURN}
    if saves_actions(options):
        bonus = [f"{_BONUS}{world}" for world in _WORLDS] if options.get("saved_bonus_actions", True) else []
        found |= dict.fromkeys((SIMPLE, *bonus), SAVED)
    if free_in_every_phase(options):
        found[FREE] = EVERY_SLOT
    if not recoil_grows(options):
        found[ROUNDS] = EVERY_SLOT
    return found


def budget(table: Table, who: Participant, economy: Economy) -> Tokens:
    """The tokens before any is spent; all that an economy knows, some of them none."""
    options = table.options
    acting = who.id in table.acting
    comes = ONE_MORE in who.conditions and not who.done  # in place of the phase that does not come
    phase = has_phase(who, table.part) and (acting or comes or (who.done and saves_actions(options)))
    tokens = dict.fromkeys(economy.full(), 0)
    if phase:
        tokens |= economy.budget
        bonus = who.rolled.get("bonus", 0)
        named = f"{_BONUS}{who.rolled.get('world', 'none')}"
        if named in tokens and isinstance(bonus, int):
            tokens[named] = bonus
    if FREE in tokens:
        every = free_in_every_phase(options) and bool(table.acting)
        tokens[FREE] = economy.budget.get(FREE, 0) if acting or every else 0
    if INTERRUPTS in tokens:
        passes = A_PASS * (table.part - 1) if has_passes(options) else 0
        tokens[INTERRUPTS] = max(0, full_score(who) - passes) if who.rolled else 0
        if saves_actions(options):  # nothing costs any
            del tokens[INTERRUPTS]
    return tokens


def accepts(price: Tokens, options: Mapping[str, Any]) -> bool:
    """Whether a Complex action may mix a normal and a bonus token (`mix_units`)."""
    return len(set(price) - {FREE}) < 2 or bool(options.get("mix_units", True))
