"""Who acts when in a round of Cities Without Number (rulebook sections 2.1 to 2.3, ruling R22).

Initiative is rolled once in a fight, and kept under ``side`` or ``own``; sides that tie roll again (R22), see
`kernel.tied_rolls`. Those who tie and belong together act in any order they like.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from fracas.kernel.intents import Participant, Table
from fracas.kernel.stage import Facts
from fracas.kernel.tied_rolls import Unit, equals, lacking, name_of, place, score_of, standing
from fracas.kernel.turns import DELAYING, InitiativeRoll, Slot, TurnRules
from fracas.rulesets.cwn.fights.crews import acts_by_itself, is_vehicle, side_of, vehicle_of
from fracas.rulesets.cwn.fights.sheet import alert, booster, dexterity_modifier, is_automatic, is_surprised

BOOSTER = 2
"""What a Reaction Booster I adds where the side's roll counts, so that its owner may act before the side does. Where
its owner rolls, the packs' modifier adds it."""


def is_individual(table: Table) -> bool:
    return bool(table.options["initiative"] == "individual")


def in_surprise(table: Table) -> bool:
    """The first round is a free one for those who are not surprised, before any initiative (2.3)."""
    return table.turn <= 1 and any(is_surprised(who) for who in table.participants.values())


def units(table: Table) -> list[Unit]:
    """Everybody who can act, in the order in which they joined."""
    for of, known in _latest:
        if of is table:  # asked for each of many combatants
            return [*known]
    found = _units(table, [who for who in table.participants.values() if who.able and acts_by_itself(who)])
    _latest[:] = [(table, tuple(found))]
    return found


_latest: list[tuple[Table, tuple[Unit, ...]]] = []
"""The last answer of `units`, and of which table."""


def _units(table: Table, members: Sequence[Participant]) -> list[Unit]:
    ahead = [who for who in members if is_automatic(who)]
    rest = [who for who in members if not is_automatic(who)]
    found = list(_first(table, ahead))
    if is_individual(table):
        return found + [_alone(1, who) for who in rest]
    for side in dict.fromkeys(side_of(who) for who in rest):
        found += _of_side(table, side, [who for who in rest if side_of(who) == side])
    return found


def _alone(tier: int, who: Participant) -> Unit:
    return Unit(tier, side_of(who), who.player, score_of(who.rolled, "own"), "own", (who,))


def _first(table: Table, ahead: Sequence[Participant]) -> Iterator[Unit]:
    """Holders of automatic initiative; those of a single side need no roll among themselves."""
    if is_individual(table) or len({side_of(who) for who in ahead}) > 1:
        yield from (_alone(0, who) for who in ahead)
    elif ahead:
        player = any(who.player for who in ahead)
        yield Unit(0, side_of(ahead[0]), player, (0,), "", tuple(ahead))


def _of_side(table: Table, side: str, members: Sequence[Participant]) -> Iterator[Unit]:
    """A side by its common roll; those with a Reaction Booster stand higher."""
    everybody = [who for who in table.participants.values() if side_of(who) == side]
    score = max((score_of(who.rolled, "side") for who in everybody), key=len)
    player = any(who.player for who in everybody)
    for boosted in (True, False):
        part = tuple(who for who in members if (booster(who.sheet) > 0) == boosted)
        if part:
            raised = (score[0] + BOOSTER, *score[1:]) if boosted and score else score
            yield Unit(1, side, player, raised, "side", part)


class Initiative(TurnRules):
    """Who acts when."""

    rolled_once = True
    initiative_words: Collection[str] = ("side", "own", "total")
    score = "side"
    side_scores = True
    resorting: Collection[str] = ("surprised",)

    def initiative(self, table: Table) -> list[InitiativeRoll]:
        """The rolls that are still to be made: first ones, and those that break ties; none in a round of surprise."""
        if in_surprise(table):
            return []
        found = units(table)
        # One holder of automatic initiative has nobody to roll against.
        alone = sum(unit.tier == 0 for unit in found) == 1
        found = [unit for unit in found if unit.key and not (alone and unit.tier == 0)]
        missing = [unit for unit in found if not unit.score]
        for _, tied in equals(found, 0):
            missing += lacking(tied, 1)
        rolls: list[InitiativeRoll] = []
        for roll in (_roll(table, unit) for unit in missing):
            if roll not in rolls:
                rolls.append(roll)
        return rolls

    def rolled(self, participant: Participant, details: Facts) -> Facts:
        """The rolls so far and a further one."""
        key = "side" if details.get("scope") == "side" else "own"
        had = participant.rolled
        return {**had, name_of(key, len(score_of(had, key))): details["total"]}

    def place_in(self, participant: Participant, part: int) -> tuple[float, ...] | None:
        """By the roll of the side, or one's own."""
        if part > 1 or not acts_by_itself(participant) or is_surprised(participant):
            return None
        if is_automatic(participant):
            return (0,)
        alone = participant.options["initiative"] == "individual"
        score = score_of(participant.rolled, "own" if alone else "side")
        if not score:
            return None
        raised = BOOSTER if not alone and booster(participant.sheet) > 0 else 0
        return (1, -score[0] - raised, not participant.player)

    def order(self, table: Table) -> list[Slot]:
        if in_surprise(table):
            return _free_round(table)
        found: list[tuple[Unit, tuple[str, ...]]] = []
        for unit in sorted(units(table), key=place):
            actors = _waiting(table, unit.members)
            if not actors:
                continue
            if found and _belong(table, found[-1][0], unit):
                found[-1] = (found[-1][0], found[-1][1] + actors)
            else:
                found.append((unit, actors))
        return [Slot(actors, False, _label(table, unit)) for unit, actors in found]

    def rank(self, table: Table, who: str) -> str:
        if in_surprise(table):
            return ""
        places = (unit for unit in units(table) if any(member.id == who for member in unit.members))
        return next((standing(unit) for unit in places), "")

    def counts_for_side(self, participant: Participant) -> bool:
        return acts_by_itself(participant)

    def why_no_slot(self, table: Table, who: str) -> str:
        one = table.participants[who]
        if not acts_by_itself(one):
            return "a vehicle" if is_vehicle(one.sheet) else "a drone under control"
        return "surprised" if is_surprised(one) else ""


def _roll(table: Table, unit: Unit) -> InitiativeRoll:
    if unit.key == "own":
        who = unit.members[0]
        scope = "own" if unit.tier else "automatic"
        bare = scope == "automatic" and booster(who.sheet) >= 2
        stated = {"scope": scope, "twice": alert(who.sheet) >= 1 and not bare}
        return InitiativeRoll(who.id, (who.id,), "initiative", {"initiative": stated})
    side = [who for who in table.participants.values() if side_of(who) == unit.side]
    able = [who for who in side if who.able and acts_by_itself(who)]
    best = max(able, key=lambda who: dexterity_modifier(who.sheet))
    counts_for = tuple(who.id for who in side if not unit.score or score_of(who.rolled, "side"))
    stated = {"scope": "side", "twice": any(alert(who.sheet) >= 1 for who in able)}
    return InitiativeRoll(best.id, counts_for, "initiative", {"initiative": stated})


def has_come_to(table: Table, ids: Collection[str]) -> bool:
    """Whether the slot of these has come in this round: they, or some at their place or behind, have had it."""
    found = _units(table, [who for who in table.participants.values() if acts_by_itself(who)])
    theirs = [place(unit) for unit in found if any(who.id in ids for who in unit.members)]
    now = [place(unit) for unit in found if any(who.done or who.id in table.acting for who in unit.members)]
    return bool(theirs and now) and max(now) >= min(theirs)


def _belong(table: Table, before: Unit, unit: Unit) -> bool:
    """Two units next to each other act in any order they like: of one side, and in individual mode equal."""
    if (before.tier, before.side) != (unit.tier, unit.side):
        return False
    return not is_individual(table) or place(before) == place(unit)


def _waiting(table: Table, members: Iterable[Participant]) -> tuple[str, ...]:
    return tuple(
        who.id
        for who in members
        if who.able
        and not who.done
        and who.id not in table.acting
        and DELAYING not in who.marks
        and not is_surprised(who)
    )


def _free_round(table: Table) -> list[Slot]:
    """Those with automatic initiative, then those who surprise the others, then the one who of these was on guard."""
    everybody = [who for who in table.participants.values() if acts_by_itself(who)]
    caught = {side_of(who) for who in everybody if is_surprised(who)}
    groups: list[list[Participant]] = [[], [], []]
    for who in everybody:
        groups[0 if is_automatic(who) else 2 if side_of(who) in caught else 1].append(who)
    waiting = [_waiting(table, group) for group in groups]
    return [Slot(actors, False, "surprise") for actors in waiting if actors]


def _label(table: Table, unit: Unit) -> str:
    if not unit.tier:
        return "first"
    vehicle = table.participants.get(vehicle_of(unit.members[0]))
    side = unit.side if vehicle is None else vehicle.name
    return standing(unit) if is_individual(table) else side
