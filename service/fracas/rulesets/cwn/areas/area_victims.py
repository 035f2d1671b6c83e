"""The numbers of everybody that something strikes: what their bodies, armor and saves are worth against it.

Rulebook sections 4.7, 5.3, 5.5 and 5.7. Each victim stands where an attack has its target, so that the same modifiers
count; the names of the numbers begin with the victim's record (``victim_1.trauma.target``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from fracas.errors import Problem
from fracas.kernel.procedures import Attempt
from fracas.kernel.required import Faults, has_record, in_place_of, renamed
from fracas.kernel.ruleset import AttemptRequest
from fracas.kernel.stage import Shared, share
from fracas.rulesets.cwn.areas.area_stages import Victim
from fracas.rulesets.cwn.attacks import facts as of_attacks
from fracas.rulesets.cwn.attacks.attack import body_of, trauma_die
from fracas.rulesets.cwn.attacks.attack_vocabulary import PEOPLE, STOPPING_FLAGS
from fracas.rulesets.cwn.attacks.facts import foci_as_numbers, require_ac, require_body, rolls_trauma
from fracas.rulesets.cwn.attacks.numbers import armor_class, trauma_of
from fracas.rulesets.cwn.checks.saves import KINDS as SAVES
from fracas.rulesets.cwn.checks.saves import PHYSICAL, missing_for_save, save_tally, save_targets
from fracas.rulesets.cwn.harms.harm import MORTALLY_WOUNDED, risk_of
from fracas.rulesets.cwn.vocabulary import Known

HEAVY_COVER = "heavy-cover"
IMMUNE = "armor"
"""What keeps light weapons from some vehicles."""


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


def as_targets(it: Attempt, facts: Known, threat: Threat, people: Iterable[str]) -> dict[str, dict[str, Any]]:
    """The facts as of each as a target, by record; what their numbers need is noted if it is missing."""
    return {who: _as_exposed(facts, who, threat, it.faults) for who in people}


def expose(
    it: Attempt, facts: Known, threat: Threat, seen: Mapping[str, Known], places: Mapping[str, Place]
) -> tuple[Shared[Victim], ...]:
    """Everybody in reach, whose numbers become those of the attempt; `seen`: the facts as of each as a target."""
    return tuple(_exposed(it.of(who, its), facts, threat, places[who]) for who, its in seen.items())


def strike_all(it: Attempt, threat: Threat, people: Iterable[str]) -> tuple[Shared[Victim], ...]:
    """The same of people in reach wherever it strikes; of nobody where something is missing, which is noted."""
    seen = as_targets(it, it.facts, threat, people)
    return () if it.faults.problems else expose(it, it.facts, threat, seen, dict.fromkeys(seen, HERE))


def _as_exposed(facts: Known, who: str, threat: Threat, faults: Faults) -> dict[str, Any]:
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


def _exposed(it: Attempt, facts: Known, threat: Threat, place: Place) -> Shared[Victim]:
    """A combatant in reach; `it`: the attempt as it is for them."""
    request, who, save, less = it.request, it.record, None, 0
    if _saves(facts, who, threat):
        save = it.keep(save_tally(request, facts, who, threat.save, record=who)).total
    if threat.harms and threat.armor_over is not None:
        less = max(0, armor_class(it).total - threat.armor_over)
    if threat.harms and "weapon.trauma_die" in it.facts and rolls_trauma(it.facts):
        trauma_of(it)
    risk, risked = risk_of(request, facts, who, who)
    body, trauma = body_of(request, it.facts), trauma_die(it)
    if risked is not None and threat.harms and body.fall == MORTALLY_WOUNDED and risked.to not in it.made:
        it.keep(risked)
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
