"""Where a combatant stands in a Combat Turn: the score, the phases that it gives, and ties (rulebook sections 1 to 3).

By the house rules a turn is one count from the highest score down, each with one phase, and scores stay as they were
rolled. In the ordinary game the turn has Initiative Passes: the score falls by 10 after each, by what interrupts cost,
and by wounds at once.

What a combatant may spend in a phase, and beside it: rulebook sections 1.5, 2, 4 and 7.

By the house rules the tokens of a phase are there from its beginning, and what is left of them can be spent until the
next one is over. Free actions come anew with every phase, also another's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from fracas.kernel.economy import EVERY_SLOT, SAVED, TURN, Economy, Tokens
from fracas.kernel.intents import Participant, Table
from fracas.kernel.stage import Effect, Facts
from fracas.kernel.turns import InitiativeRoll, Slot
from fracas.rulesets.sr5.rolls.extended_test import ONE_MORE
from fracas.rulesets.sr5.rolls.initiative import SURPRISED as SURPRISED_SCORE
from fracas.rulesets.sr5.rolls.surprise import HEADS, CoinToss
from fracas.rulesets.sr5.sheet import wound_modifier

SEIZE = "seize-the-initiative"
INTERRUPTS = "initiative"
"""The token of which interrupts and called shots spend."""
LOSS = "initiative-loss"
"""The track of what called shots take from the next roll."""
A_PASS = 10
"""What the score loses after an Initiative Pass."""
_ERIC = ("edge", "reaction", "intuition")
"""What decides between equal scores, in this order: attributes, not points left."""


def has_passes(options: Mapping[str, Any]) -> bool:
    return bool(options.get("initiative_passes", True))


def is_frozen(options: Mapping[str, Any]) -> bool:
    return bool(options.get("frozen_initiative", False))


def keeps_initiative(options: Mapping[str, Any]) -> bool:
    return bool(options.get("initiative_persist", False))


def wounds(sheet: Mapping[str, Any]) -> int:
    """The present wound modifier, 0 or negative."""
    names = ("physical", "stun", "pain_resistance", "grunt", "vehicle")
    facts = {f"own.{name}": sheet[name] for name in names if name in sheet}
    return wound_modifier({"own.physical": 0, "own.stun": 0} | facts, "own") or 0


def _number(who: Participant, name: str) -> int:
    value = who.rolled.get(name)
    return value if isinstance(value, int) else 0


def full_score(who: Participant) -> int:
    """The score of the turn, without what passes and interrupts take."""
    score = _number(who, "score")
    return score if is_frozen(who.options) else score + wounds(who.sheet) - _number(who, "wounds")


def score(who: Participant, part: int) -> int:
    """The score in a part of the turn."""
    passes = A_PASS * (part - 1) if has_passes(who.options) else 0
    return full_score(who) - passes - max(0, who.spent.get(INTERRUPTS, 0))


def parts(table: Table) -> int:
    """As many passes as the highest score gives; a single count where there are no passes."""
    if not has_passes(table.options):
        return 1
    highest = max((score(who, 1) for who in table.participants.values() if who.able), default=0)
    return max(table.part, -(-highest // A_PASS), 1)


def eric(who: Participant) -> tuple[int, ...]:
    """Sorts equal scores: as it was at the roll, where that is kept."""
    known = [who.rolled.get(name, who.sheet.get(name, 0)) for name in _ERIC]
    return tuple(-value if isinstance(value, int) else 0 for value in known)


_BETWEEN = 1
_FACES = {"H": 0, "T": 2}


def _coins(who: Participant) -> str:
    return str(who.rolled.get("coin", ""))


Place = tuple[bool, int, tuple[int, ...], tuple[int, ...]]


def place(who: Participant, part: int) -> Place:
    """Sorts those who act; heads come before those who tossed no coin, and these before tails."""
    coins = (*(_FACES[coin] for coin in _coins(who)), _BETWEEN)
    return not who.marks.get(SEIZE), -score(who, part), eric(who), coins


def has_phase(who: Participant, part: int) -> bool:
    """Whether a score gives a phase at all; one of 0 or less gives none."""
    return bool(who.rolled) and score(who, part) > 0


def slots(table: Table) -> list[Slot]:
    """The phases still to come, and what goes off by itself: by the house rules as the phase of the one who set it
    begins; otherwise, and where they have none, after all of its score."""
    coming = [
        who
        for who in table.participants.values()
        if who.able
        and not who.done
        and who.id not in table.acting
        and has_phase(who, table.part)
        and not has_passed(table, who)
    ]
    placed = sorted(((place(who, table.part), at, who.id) for at, who in enumerate(coming)))
    found = [Slot((id,), True, str(-spot[1])) for spot, _, id in placed]
    first = sum(not spot[0] for spot, _, _ in placed)
    for id, rank in sorted(table.timers, key=itemgetter(1), reverse=True):
        at = next((at for at, slot in enumerate(found) if at >= first and int(slot.label) < rank), len(found))
        if not has_passes(table.options):
            own = (table.setters.get(id, ""),)
            at = next((at for at, slot in enumerate(found) if slot.actors == own), at)
        found.insert(at, Slot((), True, str(rank), id))
    return found


def has_passed(table: Table, who: Participant) -> bool:
    """Whether the count is below a combatant's place already, who came late or could not act when it was theirs."""
    if not is_frozen(table.options) or has_passes(table.options):
        return False
    gone = [other for other in table.participants.values() if other.done or other.id in table.acting]
    mine = place(who, table.part)[:2]
    return any(place(other, table.part)[:2] > mine for other in gone if other.rolled and other.id != who.id)


def loses_points(who: Participant) -> list[Effect]:
    """What surprise takes from a score that is rolled, of a combatant whose phase is still to come."""
    if who.done or not isinstance(who.rolled.get("score"), int):
        return []
    return [Effect("spend", who.id, INTERRUPTS, -SURPRISED_SCORE)]


def caught_out(table: Table, results: Mapping[str, Facts]) -> list[Effect]:
    """What follows from a contest of surprise beside what each test says: only in the middle of a turn are there scores
    from which it takes something."""
    if not table.turn or table.over:
        return []
    people = (table.participants[id] for id, facts in results.items() if facts.get("surprised"))
    return [effect for who in people if who.id in table.participants for effect in loses_points(who)]


def waits_for_phase(table: Table, id: str) -> bool:
    """Whether a combatant acts beside their phase, and by the house rules has it still before them in this turn."""
    who = table.participants.get(id)
    if who is None or has_passes(table.options) or not table.turn or who.done or id in table.acting:
        return False
    return has_phase(who, table.part) and not has_passed(table, who)


def tosses(table: Table) -> list[InitiativeRoll]:
    """The coins that are still to be tossed between those who tie in everything.

    Of two the first tosses for both, and heads means that they go first; more toss a coin each.
    """
    waiting = [
        who
        for who in table.participants.values()
        if who.able and not who.done and who.id not in table.acting and has_phase(who, table.part)
    ]
    found: list[InitiativeRoll] = []
    ordered = sorted(waiting, key=lambda who: place(who, table.part))
    for _, group in groupby(ordered, key=lambda who: place(who, table.part)):
        tied = _in_order(table, group)
        for who in tied[:1] if len(tied) == 2 else tied if len(tied) > 2 else ():
            found.append(InitiativeRoll(who.id, (who.id,), CoinToss.id))
    return found


def _in_order(table: Table, tied: Iterable[Participant]) -> Sequence[Participant]:
    joined = list(table.participants)
    return sorted(tied, key=lambda who: joined.index(who.id))


def with_coin(who: Participant, coin: object) -> str:
    """The coins that a combatant has tossed, with one more."""
    return _coins(who) + ("H" if coin == HEADS else "T")


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
