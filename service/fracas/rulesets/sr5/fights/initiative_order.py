"""Where a combatant stands in a Combat Turn: the score, the phases that it gives, and ties (rulebook sections 1 to 3).

By the house rules a turn is one count from the highest score down, each with one phase, and scores stay as they were
rolled. In the ordinary game the turn has Initiative Passes: the score falls by 10 after each, by interrupts and wounds.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from fracas.errors import InputError, suggestion
from fracas.kernel.intents import Participant, Table
from fracas.kernel.stage import Effect, Fact, Facts
from fracas.kernel.tables import row_of
from fracas.kernel.turns import NEXT_PART, InitiativeRoll, Moment, Purchase, Slot, TurnRules, spans_of_time
from fracas.kernel.vocabulary import EntryLookup
from fracas.rulesets.sr5.fights.online import MOVED
from fracas.rulesets.sr5.rolls import initiative as rolls
from fracas.rulesets.sr5.rolls.initiative import HEADS, NONE, SURPRISED, WORLDS, CoinToss, Initiative
from fracas.rulesets.sr5.sheet import quickened, wound_modifier

SEIZE = "seize-the-initiative"
INTERRUPTS = "initiative"
"""The token of which interrupts and called shots spend."""
LOSS = "initiative-loss"
"""The track of what called shots take from the next roll."""
A_PASS = 10
"""What the score loses after an Initiative Pass."""
_ERIC = ("edge", "reaction", "intuition")
"""What decides between equal scores, in this order: attributes, not points left."""
_WAITS, _GIVEN = "kept-from-the-turn-before", "given-without-a-world"
_UNSETTLED = frozenset({_WAITS, _GIVEN})
"""Marks of a score beside which the world of the bonus actions is still to be chosen."""


def has_passes(options: Mapping[str, Any]) -> bool:
    return bool(options["initiative_passes"])


def is_frozen(options: Mapping[str, Any]) -> bool:
    return bool(options["frozen_initiative"])


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


def eric(who: Participant) -> tuple[int, ...]:
    """Sorts equal scores: as it was at the roll, where that is kept."""
    known = [who.rolled.get(name, who.sheet.get(name, 0)) for name in _ERIC]
    return tuple(-value if isinstance(value, int) else 0 for value in known)


def _coins(who: Participant) -> str:
    return str(who.rolled.get("coin", ""))


Place = tuple[bool, int, tuple[int, ...], tuple[int, ...]]


def place(who: Participant, part: int) -> Place:
    """Sorts those who act; heads come before those who tossed no coin, and these before tails."""
    coins = (*(0 if coin == "H" else 2 for coin in _coins(who)), 1)
    return *_count(who, part), eric(who), coins


def has_phase(who: Participant, part: int) -> bool:
    """Whether a score gives a phase at all; one of 0 or less gives none, nor has a machine that its rigger moves."""
    return bool(who.rolled) and MOVED not in who.conditions and score(who, part) > 0


def _count(who: Participant, part: int) -> tuple[bool, int]:
    """When the count comes to a combatant, without what decides ties."""
    return not who.marks.get(SEIZE), -score(who, part)


def _reached(table: Table) -> tuple[bool, int] | None:
    """How far the count has come: to the last of those who have acted, or act. None where it passes nobody."""
    if not is_frozen(table.options) or has_passes(table.options):
        return None
    rolled = (who for who in table.participants.values() if who.rolled)
    gone = (who for who in rolled if who.done or who.id in table.acting)
    return max((_count(who, table.part) for who in gone), default=None)


def has_passed(table: Table, who: Participant) -> bool:
    """Whether the count is below the place of a combatant whose phase is still to come, who came late or could not act
    when it was theirs."""
    reached = _reached(table)
    return reached is not None and _count(who, table.part) < reached


def loses_points(who: Participant, points: int) -> list[Effect]:
    """What surprise takes, `points` below 0, from a rolled score of a combatant whose phase is still to come."""
    rolled = not who.done and isinstance(who.rolled.get("score"), int)
    return [Effect("spend", who.id, INTERRUPTS, -points)] if rolled else []


def caught_out(table: Table, results: Mapping[str, Facts]) -> list[Effect]:
    """What follows from a contest of surprise beside what each test says: in mid-turn there are scores to take from."""
    settled = {} if table.over or not table.turn else results
    lost = {id: int(facts["initiative"] or 0) for id, facts in settled.items() if facts.get("surprised")}
    return [effect for id, points in lost.items() for effect in loses_points(table.participants[id], points)]


def waits_for_phase(table: Table, id: str) -> bool:
    """Whether a combatant acts beside their phase, and by the house rules has it still before them in this turn."""
    who = table.participants.get(id)
    if who is None or has_passes(table.options) or not table.turn or who.done or id in table.acting:
        return False
    return has_phase(who, table.part) and not has_passed(table, who)


def _waiting(table: Table) -> list[Participant]:
    """Those whose phase is still to come in this part of the turn."""
    able = (who for who in table.participants.values() if who.able and not who.done)
    return [who for who in able if who.id not in table.acting and has_phase(who, table.part)]


def _tosses(table: Table) -> list[InitiativeRoll]:
    """The coins that are still to be tossed between those who tie in everything.

    Of two the first tosses for both, and heads means that they go first; more toss a coin each.
    """

    def key(who: Participant) -> Place:
        return place(who, table.part)

    tied = [[*group] for _, group in groupby(sorted(_waiting(table), key=key), key=key)]
    tossing = (who for group in tied if len(group) > 1 for who in group[: 1 if len(group) == 2 else None])
    return [InitiativeRoll(who.id, (who.id,), CoinToss.id) for who in tossing]


def _attributes(who: Participant) -> dict[str, Fact]:
    return {name: who.sheet[name] for name in _ERIC if isinstance(who.sheet.get(name), int)}


def _roll(who: Participant) -> InitiativeRoll:
    """A roll; where initiative is kept only the choice of the world, with wounds taken since if they lower it."""
    known = quickened(who.sheet)
    if _GIVEN in who.rolled:
        # What is given counts as it is: points lost to called shots wait for the next roll.
        known |= {"kept_score": who.rolled["score"], "initiative_loss": 0}
    elif _WAITS in who.rolled:
        worse = wounds(who.sheet) - _number(who, "wounds") if who.options["persist_apply_wounds"] else 0
        known["kept_score"] = _number(who, "score") + worse
    return InitiativeRoll(who.id, (who.id,), Initiative.id, {"tester": known} if known else {})


def _why_not_seize(table: Table, who: Participant) -> str:
    if not who.able:
        return "cannot act"
    if who.marks.get(SEIZE):
        return "already bought in this turn"
    if who.sheet.get("edge_points", 0) < 1:
        return "no Edge left"
    others = table.participants.values()
    begun = any(other.done or any(count > 0 for count in other.spent.values()) for other in others)
    return "only at the start of a turn" if begun or table.part > 1 else ""


class InitiativeOrder(TurnRules):
    """Who acts when."""

    initiative_words: Collection[str] = ("score", "world", "bonus", "wounds", *_ERIC, "coin")

    def initiative(self, table: Table) -> Sequence[InitiativeRoll]:
        """Everybody able who has no score yet, also those who join or wake in mid-turn. At last coins for ties."""
        if table.turn < 1:
            return ()
        able = [who for who in table.participants.values() if who.able]
        missing = [who for who in able if not who.rolled or not _UNSETTLED.isdisjoint(who.rolled)]
        return [_roll(who) for who in missing] if missing else _tosses(table)

    def rolled(self, participant: Participant, details: Facts) -> Facts:
        """The score, the wounds in it, the world of the bonus actions, what decides ties; and how coins have fallen."""
        before = participant.rolled
        if "coin" in details:
            return {**before, "coin": _coins(participant) + ("H" if details["coin"] == HEADS else "T")}
        kept = {name: details[name] for name in ("score", "wounds", "world") if name in details}
        given = {name: value for name, value in before.items() if _GIVEN in before and name != _GIVEN}
        return {**kept, "bonus": details.get("bonus_actions", 0), **_attributes(participant), **given}

    def set_by_hand(self, participant: Participant, facts: Facts) -> Facts:
        """What is given, and otherwise what a roll would have kept; the world of the bonus actions is that of the roll
        in this turn, and without one still to be chosen where there is a choice and none is given.

        Raises:
            InputError: a world that does not exist is given.
        """
        kept = {"wounds": wounds(participant.sheet), **_attributes(participant), **facts}
        if not isinstance(facts.get("score"), int):
            return kept
        sheet = {**participant.sheet, **quickened(participant.sheet)}
        worlds = rolls.bonus_actions(sheet, participant.options)
        had = participant.rolled.get("world")
        if "world" not in facts and had in worlds and _UNSETTLED.isdisjoint(participant.rolled):
            kept["world"] = had
        elif "world" not in facts:
            if len(worlds) > 1 and "bonus" not in facts:
                return {**kept, _GIVEN: True}
            kept["world"] = next(iter(worlds), NONE)
        elif facts["world"] not in (*WORLDS, NONE):
            message = f"the world of the bonus actions is one of {', '.join((*WORLDS, NONE))}"
            hint = suggestion(str(facts["world"]), WORLDS)
            raise InputError.one(f"given.{participant.id}.world", "unknown-choice", message, hint)
        return {"bonus": worlds.get(str(kept["world"]), 0), **kept}

    def carried(self, participant: Participant) -> Facts:
        """The score, where initiative is kept; the world of the bonus actions is chosen again."""
        if not participant.options["initiative_persist"] or not participant.rolled:
            return {}
        return {**participant.rolled, _WAITS: True}

    def has_parts(self, options: Mapping[str, Any]) -> bool:
        return has_passes(options)

    def parts(self, table: Table) -> int:
        """As many passes as the highest score gives; a single count where there are no passes."""
        if not has_passes(table.options):
            return 1
        highest = max((score(who, 1) for who in table.participants.values() if who.able), default=0)
        return max(table.part, -(-highest // A_PASS), 1)

    def place_in(self, participant: Participant, part: int) -> tuple[float, ...] | None:
        """By the score in that part of the turn, and what decides ties but coins."""
        if not has_phase(participant, part) or (part > 1 and not has_passes(participant.options)):
            return None
        seized, points, attributes, _ = place(participant, part)
        return (seized, points, *attributes)

    def hurt(self, participant: Participant) -> Hashable:
        """The wound modifier, and what full monitors mean."""
        return wounds(participant.sheet), self.unable(participant)

    def chances_by_harm(self, stage: Any) -> bool:
        """Monitors only say what boxes mean."""
        return False

    def order(self, table: Table) -> Sequence[Slot]:
        """From the highest score down, one at a time; ties by Edge, Reaction, Intuition, and a coin. What goes off by
        itself comes by the house rules as the phase of the one who set it begins; otherwise, and where they have none,
        after all of its score."""
        reached, part = _reached(table), table.part
        coming = [who for who in _waiting(table) if reached is None or _count(who, part) >= reached]
        placed = sorted(((place(who, table.part), at, who.id) for at, who in enumerate(coming)))
        found = [Slot((id,), True, str(-spot[1])) for spot, _, id in placed]
        first = sum(not spot[0] for spot, _, _ in placed)
        for id, rank in sorted(table.timers, key=itemgetter(1), reverse=True):
            later = (at for at, slot in enumerate(found) if at >= first and int(slot.label) < rank)
            at = next(later, len(found))
            if not has_passes(table.options):
                own = (table.setters.get(id, ""),)
                at = next((at for at, slot in enumerate(found) if slot.actors == own), at)
            found.insert(at, Slot((), True, str(rank), id))
        return found

    def rank(self, table: Table, who: str) -> str:
        """The score in this part of the turn."""
        participant = table.participants[who]
        return str(score(participant, table.part)) if "score" in participant.rolled else ""

    def why_no_slot(self, table: Table, who: str) -> str:
        """A score of 0 or less, too few passes, or a count that is below the score already."""
        participant = table.participants[who]
        if participant.done or who in table.acting:
            return ""
        if "score" not in participant.rolled:
            return "no Initiative Score yet"
        if has_phase(participant, table.part):
            late = has_passed(table, participant)
            return "the count is below the Initiative Score already" if late else ""
        none = "Initiative Score of 0 or less: no phase in this Combat Turn"
        return f"no phase in pass {table.part}" if table.part > 1 else none

    def purchases(self, table: Table, who: str) -> Sequence[Purchase]:
        """Seizing the initiative, before anybody has acted in the turn."""
        participant = table.participants[who]
        why_not = _why_not_seize(table, participant) or self.why_no_slot(table, who)
        return (Purchase(SEIZE, "Edge: seize the initiative", (("edge", 1),), SEIZE, "turn", why_not),)

    def moment(self, table: Table, who: str, when: str, turns: int) -> Moment:
        """What counts to the next phase of the one who sets it comes in the next turn or pass, at the present score
        where that phase does not decide; in this turn already if that phase is still to come."""
        if when != NEXT_PART:
            return spans_of_time(table, when, turns)
        rank = score(table.participants[who], table.part) if who in table.participants else 0
        if not turns and waits_for_phase(table, who):
            return Moment("part", table.turn, table.part, rank)
        if not turns and table.turn and table.part < self.parts(table):
            return Moment("part", table.turn, table.part + 1, rank - A_PASS)
        return Moment("part", table.turn + max(1, turns), 1, rank)

    def follows(
        self, before: Participant | None, after: Participant, lookup: EntryLookup, options: Mapping[str, Any]
    ) -> Sequence[Effect]:
        """The one who is surprised after the roll loses the points that the roll would have lost."""
        if before is None or SURPRISED in before.conditions or SURPRISED not in after.conditions:
            return ()
        return loses_points(after, row_of(lookup, "surprise", "initiative")["value"])
