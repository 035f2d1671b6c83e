"""The numbers of everybody that something strikes: what their bodies, armor and saves are worth against it.

Rulebook sections 4.7, 5.3, 5.5 and 5.7. Each victim stands where an attack has its target, so that the same modifiers
count; the names of the numbers begin with the victim's record (``victim_1.trauma.target``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from fracas.errors import Problem
from fracas.kernel.procedures import Attempt
from fracas.kernel.required import Faults, has_record, in_place_of, renamed
from fracas.kernel.ruleset import AttemptRequest
from fracas.kernel.stage import Shared, share
from fracas.kernel.tally import Tally
from fracas.kernel.written_dice import dice_of
from fracas.rulesets.cwn.areas.area_stages import Victim
from fracas.rulesets.cwn.attacks import facts as of_attacks
from fracas.rulesets.cwn.attacks.attack import body_of
from fracas.rulesets.cwn.attacks.attack_vocabulary import PEOPLE, STOPPING_FLAGS
from fracas.rulesets.cwn.attacks.blows import TraumaDie
from fracas.rulesets.cwn.attacks.facts import foci_as_numbers, require_ac, require_body, rolls_trauma
from fracas.rulesets.cwn.attacks.numbers import TARGETS, Reckoner, named
from fracas.rulesets.cwn.checks.saves import KINDS as SAVES
from fracas.rulesets.cwn.checks.saves import PHYSICAL, missing_for_save, save_tally, save_targets
from fracas.rulesets.cwn.harms.harm import MORTALLY_WOUNDED, risk_of
from fracas.rulesets.cwn.vocabulary import Known

HEAVY_COVER = "heavy-cover"
IMMUNE = "armor"
"""What keeps light weapons from some vehicles."""


def victim_targets(*names: str, people: Sequence[str] = PEOPLE) -> dict[str, str]:
    """These tallies of everybody, with their labels; `names` are those of an attack on one."""
    return {f"{who}.{to}": f"{named(who)}: {TARGETS[to].lower()}" for who in people for to in names}


SAVE_TARGETS = save_targets(*SAVES, records=PEOPLE)


class Threat(NamedTuple):
    """What everybody must withstand.

    Attributes:
        harms: it does damage.
        save: the kind of saving throw; "" for none.
        armor_over: each point of melee AC above it takes a point off; None where armor does not.
        ignores_soak: Soak absorbs nothing.
        stopped_by: words, any of which keeps it from a combatant.
        cover_halves: heavy cover halves it.
        wards: an Iron Hand Aegis helps against it.
        greatest_in_grapple: the one who is in a grapple with the attacker suffers the most, without a save.
    """

    harms: bool
    save: str
    armor_over: int | None = None
    ignores_soak: bool = False
    stopped_by: tuple[str, ...] = ()
    cover_halves: bool = False
    greatest_in_grapple: bool = False
    wards: bool = False


class Place(NamedTuple):
    """Where a combatant is: see `Victim`."""

    measured: float | None
    distance: float
    bearing: float


HERE = Place(0.0, 0.0, 0.0)
"""In reach, wherever it strikes."""


class FaultsOf(Faults):
    """Faults of a victim who stands where an attack has its target, with the path of the victim."""

    def __init__(self, faults: Faults, who: str) -> None:
        self.problems = faults.problems
        self._names = {"target": who}

    def _note(self, found: Problem) -> None:
        super()._note(renamed(found, self._names))


def derive_unrolled(request: AttemptRequest, faults: Faults) -> dict[str, Any]:
    """The facts of a combatant who attacks without an attack roll, which needs less of them."""
    own = Faults()
    facts = of_attacks.derive_attacker(request, own)
    faults.problems += [one for one in own.problems if one.path.rpartition(".")[2] not in _OF_THE_ROLL]
    return facts


_OF_THE_ROLL = ("base_attack_bonus", "skills", "skill_level")
"""What an attack roll needs, and nothing else."""


def people_of(facts: Known, records: Iterable[str] = PEOPLE) -> list[str]:
    """The records that the situation has any fields of."""
    return [who for who in records if has_record(facts, who)]


def as_target(facts: Known, who: str) -> dict[str, Any]:
    """The facts as of an attack in melee on this victim; nobody else's."""
    seen = in_place_of(facts, who, without=PEOPLE)
    foci_as_numbers(seen, "target", "close-combatant")
    return seen | {"attack.kind": "melee"}


def expose(
    request: AttemptRequest, facts: Known, threat: Threat, places: Mapping[str, Place], faults: Faults
) -> tuple[tuple[Shared[Victim], ...], list[Tally]]:
    """Everybody in reach (`places`: where, by record), and their numbers; nothing where something is missing."""
    seen = {who: _missing_of(facts, who, threat, faults) for who in places}
    if faults.problems:
        return (), []
    tallies: list[Tally] = []
    victims = tuple(
        _exposed(request, facts, seen[who], who, threat, place, tallies) for who, place in places.items()
    )
    return tuple(victims), tallies


def strike_all(it: Attempt, threat: Threat, people: Iterable[str]) -> tuple[Shared[Victim], ...]:
    """The same of people in reach wherever it strikes; their numbers become those of an attempt."""
    victims, tallies = expose(it.request, it.facts, threat, dict.fromkeys(people, HERE), it.faults)
    for tally in tallies:
        it.keep(tally)
    return victims


def _missing_of(facts: Known, who: str, threat: Threat, faults: Faults) -> dict[str, Any]:
    """The facts as of a target; what a combatant's numbers need is noted if it is missing."""
    seen, own = as_target(facts, who), FaultsOf(faults, who)
    if threat.harms:
        require_body(seen, own)
        if threat.armor_over is not None:
            require_ac(seen, own)
    else:
        seen.setdefault("target.soak", 0)
    if _saves(facts, who, threat):
        for path, what in missing_for_save(facts, who, threat.save):
            faults.need(path, what)
    return seen


def _saves(facts: Known, who: str, threat: Threat) -> bool:
    return bool(threat.save) and not facts.get(f"{who}.machine") and not _stopped(facts, who, threat)


def _exposed(
    request: AttemptRequest,
    facts: Known,
    seen: Known,
    who: str,
    threat: Threat,
    place: Place,
    tallies: list[Tally],
) -> Shared[Victim]:
    """A combatant in reach, who adds to the tallies; `seen` are the facts as of a target."""
    reckoner = Reckoner(request, seen, who)
    save, less, trauma = None, 0, None
    if _saves(facts, who, threat):
        tallies.append(save_tally(request, facts, who, threat.save, record=who))
        save = tallies[-1].total
    if threat.harms and threat.armor_over is not None:
        tallies.append(reckoner.armor_class())
        less = max(0, tallies[-1].total - threat.armor_over)
    die = dice_of(seen, "weapon.trauma_die")
    if threat.harms and die is not None and rolls_trauma(seen):
        bonus, wanted = reckoner.trauma()
        tallies += [bonus, wanted]
        trauma = TraumaDie(die.parts, bonus.total, wanted.total, seen["weapon.trauma_rating"])
    risk, risked = risk_of(request, facts, who, who)
    body = body_of(request, seen)
    reported = {tally.to for tally in tallies}
    if risked is not None and threat.harms and body.fall == MORTALLY_WOUNDED and risked.to not in reported:
        tallies.append(risked)
    covered = threat.cover_halves and HEAVY_COVER in facts.get(f"{who}.protections", ())
    held = threat.greatest_in_grapple and bool(facts.get(f"{who}.in_grapple"))
    wards = threat.wards and bool(facts.get(f"{who}.iron_hand")) and not facts.get(f"{who}.unsuspecting")
    gone, stopped = bool(facts.get(f"{who}.main_gone")), _stopped(facts, who, threat)
    return share(Victim(who, *place, save, less, covered, held, stopped, trauma, body, risk, wards, gone))


def _stopped(facts: Known, who: str, threat: Threat) -> str:
    """The first of the words that keeps it from a combatant, or the armor of a vehicle (13.2); "" for none. Machines do
    not mind what calls for a Physical save (ours)."""
    if facts.get(f"{who}.machine") and threat.save == PHYSICAL:
        return "machine"
    immune, pierces = facts.get(f"{who}.immune"), facts.get("attack.pierces")
    if (immune == "light" and not pierces) or (immune == "by-weapon" and pierces is False):
        return IMMUNE
    have = facts.get(f"{who}.protections", ())
    for word in threat.stopped_by:
        flag = STOPPING_FLAGS.get(word)
        if word in have or (flag and facts.get(f"{who}.{flag}")):
            return word
    return ""
