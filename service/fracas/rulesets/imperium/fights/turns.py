"""Rounds of the Inquisitor universe: who acts when, with how many actions, and what a fight sees to by itself.

Rulebook sections 2 to 4 and 8.3 to 8.5. A turn is a round, which has one part; a slot is a combatant's own round, or
that of a group of equals. Nobody delays. Injuries are seen to as each own round ends (`ROUND_END`).

What is kept of a combatant's initiative: ``initiative``, as it counts in this round, and ``surprised``, whether it is
halved for that; where it is tested ``success`` and ``margin``; and the dice of ties, ``tie``, ``tie_2`` and so on.
Those who tie may also be put in order by hand: ``tie`` is then any number, the highest acts first.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from fracas.kernel.economy import Economy, Tokens
from fracas.kernel.intents import Intent, Need, OutOfTurn, Participant, Suggestion, Table
from fracas.kernel.stage import Effect, Facts
from fracas.kernel.tables import row_of
from fracas.kernel.tracks import Gauge, Track
from fracas.kernel.turns import NOW, SLOT_END, InitiativeRoll, Moment, Moving, Slot, Words
from fracas.kernel.vocabulary import EntryLookup
from fracas.rulesets.imperium.checks.characteristic_test import SURPRISED, Initiative
from fracas.rulesets.imperium.fights import handling, pairs, situating
from fracas.rulesets.imperium.fights.places import Places
from fracas.rulesets.imperium.harms import bodies, fire, injury
from fracas.rulesets.imperium.harms.injuring import OF_THE_WARP, holds_on
from fracas.rulesets.imperium.harms.machines import HULL
from fracas.rulesets.imperium.vocabulary import DAEMON

Score = tuple[int, ...]
_TIE = "tie"
ACTION = "action"
"""The token of an action, or of a merged pair."""
_MODES = {"moved": "walk", "ran": "run", "sprinted": "sprint", situating.STATIONARY: "stationary"}


class ImperiumTurns(Places):
    """Rounds of ten seconds, of two actions each; the order is made anew in each."""

    words = Words("Round", "Round part", "Turn")
    lasting = "Round"
    seconds = 10
    options: Mapping[str, Any] = {"pinning": False}
    harm_parts: Mapping[type, Mapping[str, Any]] = {bodies.Body: dict.fromkeys(bodies.HARMED)}
    tracks: Mapping[str, Track] = {
        **injury.HARM_TRACKS,
        bodies.OWED: Track("owed_actions", noun="action", harm=False, phrases=("owes {}", "owes {} less")),
        HULL: Track("hull", mark=-1, noun="point of Hull", gauge="Hull"),
    }
    needs: Mapping[str, Need] = situating.NEEDS
    need_checks = situating.CHECKS
    need_forms = situating.FORMS
    moments: Mapping[str, str] = {
        "own-round": "own-slot",
        "own-round-ends": "own-slot-end",
        "doing-anything-else": "other-action",
        "doing-anything": "own-action",
        "being-injured": injury.HURT,
        "being-stunned": injury.STUNNED,
        "cannot-act": "unable",
    }
    carries_in_hand = False
    resorting: Collection[str] = (SURPRISED,)
    initiative_words: Collection[str] = ("initiative", "success", "margin", _TIE, SURPRISED)
    score = "initiative"
    gm_says: Collection[str] = situating.GM_SAYS
    stand_ins: Mapping[str, Sequence[str]] = situating.STAND_INS

    def initiative(self, table: Table) -> Sequence[InitiativeRoll]:
        """Initiatives, tests of them, and dice of ties: to be asked again after each roll."""
        if table.turn < 1:
            return []
        waiting = [unit for unit in units(table) if any(_waits(table, who) for who in unit.members)]
        if lacking := [unit for unit in waiting if _lacks(unit)]:
            return [_roll(unit) for unit in lacking]
        return [_roll(unit, {"initiative": {"kind": "tie"}}) for unit in _tied(waiting, 2)]

    def rolled(self, participant: Participant, details: Facts) -> Facts:
        """A new Initiative takes the place of an old one with all its ties."""
        rolled = participant.rolled
        if _TIE in details:
            return {**rolled, _tie_name(len(list(_ties(rolled))) + 1): details[_TIE]}
        names = ("initiative", SURPRISED, "success", "margin")
        fresh = {name: details[name] for name in names if name in details}
        by_hand = {name: value for name, value in rolled.items() if name.startswith(_TIE)}
        return fresh if "initiative" in rolled else {**by_hand, **fresh}

    def set_by_hand(self, participant: Participant, facts: Facts) -> Facts:
        """What is given; an Initiative by hand is as it counts, also of a surprised combatant."""
        return {SURPRISED: is_surprised(participant), **facts} if score_of(facts) else facts

    def place_in(self, participant: Participant, part: int) -> tuple[float, ...] | None:
        """By Initiative or the margin of its test."""
        score = score_of(participant.rolled)
        return tuple(-number for number in score) if score and part == 1 else None

    def order(self, table: Table) -> Sequence[Slot]:
        """Those of one unit act one after the other, in any order they like."""
        found = []
        for unit in sorted(units(table), key=lambda unit: tuple(-number for number in unit.score)):
            actors = tuple(who.id for who in unit.members if _waits(table, who))
            if unit.score and actors:
                found.append(Slot(actors, False, self.rank(table, unit.members[0].id)))
        return found

    def rank(self, table: Table, who: str) -> str:
        """For lists: ``61``, ``45 (3, 6)`` after ties, and of tests ``passes by 35``."""
        rolled = table.participants[who].rolled
        if not score_of(rolled):
            return ""
        shown = str(rolled.get("initiative"))
        if "success" in rolled and "margin" in rolled:
            shown = f"{'passes' if rolled['success'] else 'fails'} by {rolled['margin']}"
        ties = ", ".join(map(str, _ties(rolled)))
        return f"{shown} ({ties})" if ties else shown

    def unable(self, participant: Participant) -> str:
        conscious = participant.sheet.get("conscious", True)
        if participant.sheet.get("hull") == 0:
            return "wrecked"
        return "dead" if participant.sheet.get("dead") else "" if conscious else "unconscious"

    def counts_for_side(self, participant: Participant) -> bool:
        """A vehicle fights on with its crew while it carries weapons; a parked car does not."""
        return HULL not in participant.sheet or bool(participant.items)

    def gauges(self, participant: Participant, lookup: EntryLookup) -> Sequence[Gauge]:
        """The Injury Total up to death, and the levels of each injured location, most five."""
        sheet, toughness = participant.sheet, participant.sheet.get("toughness")
        most = bodies.injury_value(lookup, toughness, "death") if isinstance(toughness, int) else None
        found = [Gauge(injury.INJURY_TOTAL, "Injury Total", sheet.get("injury_total", 0), most)]
        if isinstance(hull := sheet.get("hull"), int):
            found = [Gauge(HULL, "Hull", hull, sheet.get("hull_full"), fills=False)]
        levels = {place: level for place, level in sheet.get("injuries", {}).items() if level}
        labels = {place: place.replace("-", " ").capitalize() for place in levels}
        return found + [
            Gauge(injury.level_track(at), labels[at], levels[at], bodies.HIGHEST) for at in levels
        ]

    def why_no_slot(self, table: Table, who: str) -> str:
        return "" if score_of(table.participants[who].rolled) else "no place in the order yet"

    def budget(self, table: Table, who: str, economy: Economy) -> Tokens:
        """The actions of a round, less those lost to being stunned, and the second halves of merged pairs."""
        me = table.participants[who]
        left = _actions(table, me, economy) - _lost(table, me, economy) if me.able else 0
        actions = max(me.spent.get(ACTION, 0), left)
        begun = sum(bool(taken.partner) for taken in pairs.taken_actions(me))
        return {**economy.budget, ACTION: actions, pairs.MERGED: begun}

    spared = staticmethod(pairs.jobs_beside)
    together = staticmethod(pairs.partners)
    action_tags = staticmethod(pairs.written)

    def after_slot(self, table: Table, who: str, economy: Economy) -> Sequence[Effect]:
        """Actions that were lost are lost once; with the last of them a combatant is no longer stunned. Those that are
        owed go after them."""
        me = table.participants[who]
        lost = _lost(table, me, economy)
        stunned = min(lost, handling.stunned_actions(me))
        points = ((injury.STUNNED_ACTIONS, stunned), (bodies.OWED, lost - stunned))
        found = [Effect("spend", who, track, number) for track, number in points if number]
        if injury.STUNNED in me.conditions and handling.stunned_actions(me) <= stunned:
            found.append(Effect("remove-condition", who, injury.STUNNED))
        return found

    handled = staticmethod(handling.handled)
    job = staticmethod(handling.job)
    at_hand = staticmethod(handling.is_of_body)
    kept = staticmethod(handling.kept)

    def why_no_delay(self, table: Table, who: str) -> str:
        return "nobody delays here: the order of a round stands"

    def out_of_turn(self, table: Table, who: str, action: Mapping[str, Any]) -> OutOfTurn:
        return OutOfTurn() if action.get("out_of_turn") else OutOfTurn("only in one's own round")

    def reacting(self, procedure: str, numbers: Collection[str] | None = None) -> Sequence[str]:
        """Nobody: parrying takes no action and no choice."""
        return ()

    def objections(self, table: Table, who: str, intent: Intent) -> Sequence[str]:
        me = table.participants[who]
        own = (pairs.objections, handling.objections, situating.not_mastered)
        return [reason for objections in own for reason in objections(me, intent)]

    alone = staticmethod(situating.affects_no_other)

    def suggested(self, table: Table, who: str, intent: Intent) -> Sequence[Suggestion]:
        """The first mode of the weapon, which is the likeliest; or the powers mastered, or the drugs carried."""
        me = table.participants[who]
        return situating.modes_of(intent) or situating.powers_of(me, intent) or situating.drugs_of(me, intent)

    def follows(
        self, before: Participant | None, after: Participant, lookup: EntryLookup, options: Mapping[str, Any]
    ) -> Sequence[Effect]:
        """Conditions that injuries leave and that heal with them, and the timers of flames and of bleeding and
        consciousness: of those who join with them, or whose sheet the GM changes."""
        catches = fire.BURNING in after.conditions and not (before and fire.BURNING in before.conditions)
        burns = fire.burning(after.id)[1:] if catches else ()
        falls = _collapse(before, after) if before else ()
        own = (*_limbs(before, after, lookup), *_suffering(before, after, lookup))
        return [*own, *burns, *falls, *_appears(before, after, lookup)]

    def concerned(
        self, table: Table, who: str, by: str, intent: Intent, condition: str
    ) -> Sequence[str] | None:
        """Nobody in particular. The one who ends the job of reloading is no longer at it."""
        if condition == handling.RELOADING and handling.finishes(table.participants[who], intent):
            return ()
        return None

    def movement(self, table: Table, who: str) -> Moving | None:
        """The fastest movement since the own round began; the packs say how far each action takes a combatant."""
        return Moving(_MODES[situating.pace(table.participants[who])], None, None)

    def moment(self, table: Table, who: str, when: str, turns: int) -> Moment:
        """Injuries are seen to as the next own round ends that is not over yet."""
        if when == injury.ROUND_END:
            me = table.participants.get(who)
            over = me is not None and me.done
            return Moment(SLOT_END, max(1, table.turn) + over + turns)
        if when == injury.AT_ONCE:
            return Moment(NOW, max(1, table.turn))
        return super().moment(table, who, when, turns)

    situate = staticmethod(situating.situated)


def _actions(table: Table, who: Participant, economy: Economy) -> int:
    """Those of everybody, and what a power gives beside them."""
    usual = 1 if table.options["one_action_rounds"] else economy.budget[ACTION]
    return usual + int(who.sheet.get("extra_actions", 0))


def _lost(table: Table, who: Participant, economy: Economy) -> int:
    """How many actions of the present round a combatant loses who is stunned, or owes some: those that are not
    spent."""
    due = handling.stunned_actions(who) + int(who.sheet.get("owed_actions", 0))
    return max(0, min(due, _actions(table, who, economy) - who.spent.get(ACTION, 0)))


def _collapse(before: Participant, after: Participant) -> Iterator[Effect]:
    """Who loses consciousness falls, and lets go of what they hold."""
    if before.sheet.get("conscious", True) and not after.sheet.get("conscious", True):
        if bodies.PRONE not in after.conditions:
            yield Effect("add-condition", after.id, bodies.PRONE)
        yield from injury.lets_go(after.id, *handling.in_hand(after))


def _appears(before: Participant | None, after: Participant, lookup: EntryLookup) -> Iterator[Effect]:
    """A daemon is in this world for some rounds before its hold on it is tested."""
    if before is not None and before.sheet.get("traits") == after.sheet.get("traits"):
        return
    if DAEMON in (handling.granted(lookup, after) or ()) and OF_THE_WARP not in after.conditions:
        yield Effect("add-condition", after.id, OF_THE_WARP)
        yield holds_on(after.id, row_of(lookup, "daemons", "hold")["rounds"])


def _limbs(before: Participant | None, after: Participant, lookup: EntryLookup) -> Iterator[Effect]:
    """What levels leave or no longer leave, without what is there already."""
    had, has = (
        bodies.by_location((one.sheet.get("injuries") or {}) if one else {}) for one in (before, after)
    )
    if had == has:
        return
    for effect in injury.lasting_injuries(after.id, bodies.injury_rows(lookup, 1), had, has):
        if (effect.type == "add-condition") is (effect.what not in after.conditions):
            yield effect


def _suffering(before: Participant | None, after: Participant, lookup: EntryLookup) -> Iterator[Effect]:
    """Who begins to suffer is seen to as each own round ends; who is in the condition already has a timer."""
    must = not after.sheet.get("dead") and _suffers(after, lookup)
    if injury.SUFFERING not in after.conditions:
        yield from injury.begins_to_suffer(after.id) if must else ()
    elif before is None or injury.SUFFERING not in before.conditions:
        yield injury.suffers_next(after.id)
    elif not must and _suffers(before, lookup):
        yield Effect("remove-condition", after.id, injury.SUFFERING)


def _suffers(who: Participant, lookup: EntryLookup) -> bool:
    """A combatant bleeds, or is above Consciousness and has it to lose."""
    if handling.bleedings(who):
        return True
    toughness, total = who.sheet.get("toughness"), who.sheet.get("injury_total", 0)
    if not isinstance(toughness, int) or not isinstance(total, int) or not who.sheet.get("conscious", True):
        return False
    return total > bodies.injury_value(lookup, toughness, "consciousness")


class Unit(NamedTuple):
    """Those who have one place in the order: a combatant alone, or a group of equals.

    Attributes:
        score: the higher one acts first: whether a test is passed, Initiative or margin, dice of ties; empty: unknown.
    """

    members: tuple[Participant, ...]
    score: Score


def units(table: Table) -> list[Unit]:
    """Everybody who can act, in the order in which they joined."""
    found: dict[object, list[Participant]] = {}
    for who in table.participants.values():
        if who.able:
            found.setdefault(_belongs(who), []).append(who)
    return [Unit(tuple(members), score_of(members[0].rolled)) for members in found.values()]


def _belongs(who: Participant) -> object:
    """What those of one unit have in common: nothing is shared without a group, nor by members whose Initiative has
    become another."""
    group = who.sheet.get("group")
    if not group:
        return who.id
    place = tuple(sorted(who.rolled.items())) or who.sheet.get("initiative")
    return who.side, group, is_surprised(who), place


def is_surprised(who: Participant) -> bool:
    return SURPRISED in who.conditions


def score_of(rolled: Facts) -> Score:
    """What decides a combatant's place: of tests passed the greatest margin, of failed ones the smallest."""
    if isinstance(margin := rolled.get("margin"), int) and "success" in rolled:
        first = (1, margin) if rolled["success"] else (0, -margin)
    elif isinstance(value := rolled.get("initiative"), int):
        first = (1, value)
    else:
        return ()
    return (*first, *_ties(rolled))


def _ties(rolled: Facts) -> Iterator[int]:
    for at in range(1, len(rolled) + 1):
        if not isinstance(value := rolled.get(_tie_name(at)), int):
            return
        yield value


def _tie_name(at: int) -> str:
    return _TIE if at == 1 else f"{_TIE}_{at}"


def _lacks(unit: Unit) -> bool:
    """Nothing is known, or those it concerns have been surprised since."""
    first = unit.members[0]
    return not unit.score or (is_surprised(first) and not first.rolled.get(SURPRISED))


def _tied(found: Iterable[Unit], at: int) -> list[Unit]:
    """Those whose next die is missing: of units that are equal in the first `at` places, who have no further one."""
    groups: dict[Score, list[Unit]] = {}
    for unit in sorted(found, key=lambda unit: unit.score[:at]):
        groups.setdefault(unit.score[:at], []).append(unit)
    tied = (group for group in groups.values() if len(group) > 1)
    without = ([unit for unit in group if len(unit.score) == at] or _tied(group, at + 1) for group in tied)
    return [unit for group in without for unit in group]


def _roll(unit: Unit, situation: Facts | dict[str, dict[str, str]] | None = None) -> InitiativeRoll:
    ids = tuple(who.id for who in unit.members)
    return InitiativeRoll(ids[0], ids, Initiative.id, situation or {})


def _waits(table: Table, who: Participant) -> bool:
    return not who.done and who.id not in table.acting


TURNS = ImperiumTurns()
