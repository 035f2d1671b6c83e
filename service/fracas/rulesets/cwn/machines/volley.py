"""The attack of a drone: every weapon that it carries fires, each at a target of its own (rulebook section 13.1).

The operator aims one of them, with their attack bonus, the better of Drive and Program, and Intelligence or Dexterity;
all others have the bonus of the table ``drone-attack``, as all have when the drone fires by itself. Readings: printed
attack bonuses of operators are complete, as in any attack; weapons without a target of their own do not fire.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fracas.kernel.fields import entries, fields, flag, number, person, text, vocabulary, whole
from fracas.kernel.forms import Outcome
from fracas.kernel.procedures import Attempt, Procedure, chance
from fracas.kernel.required import has_record
from fracas.kernel.ruleset import AttemptRequest
from fracas.kernel.stage import Effect, Fork, Stage
from fracas.kernel.tables import row_of
from fracas.kernel.vocabulary import Field, PackEntry, Record
from fracas.rulesets.cwn.attacks.attack import ALONE, DECISIONS, HARM_TO_SEVERAL, Strike, rounds_of, shown_of
from fracas.rulesets.cwn.attacks.attack_vocabulary import ATTACK, SCREENERS, numbered, target_fields
from fracas.rulesets.cwn.attacks.numbers import TARGETS, owners_in, targets_of
from fracas.rulesets.cwn.checks.saves import PHYSICAL, attribute_fields, save_name, save_targets

DRONE = "drone"
TARGETS_OF_VOLLEY = ("target", "target_2", "target_3")
"""The records of the targets, one for each weapon."""
_FURTHER = TARGETS_OF_VOLLEY[1:]
OF_ALL = ("foci", "control_board")
"""What counts of the operator for every weapon of a drone that they control."""
OF_OPERATOR = (
    *("name", "level", "base_attack_bonus", "attack_bonus_ranged", "skills", "intelligence"),
    *("intelligence_change", "dexterity", "dexterity_change", "killing_blow", "cyberware"),
    *("gunlink_rerolls", "veterans_luck", "main_spent", *OF_ALL),
)
"""What counts of the operator for the weapon that they aim; where and in what state they are does not."""
_GIVEN = ("attack.lethal", "attack.burst", "attack.pierces", "attack.rested")
_METRES = 100_000


def _of_attacks() -> Iterator[Field]:
    """The words of an attack; of each weapon the packs show everything."""
    for path, field in ATTACK.fields.items():
        record = path.partition(".")[0]
        if record in SCREENERS or path == "attack.drone":
            continue
        unsaid = record == "attacker" and path.partition(".")[2] not in OF_OPERATOR
        settled = unsaid or record.startswith("weapon") or (record == "attack" and path not in _GIVEN)
        yield field._replace(derived_from="volley.weapons") if settled and not field.derived_from else field


def _mounts() -> Iterator[Field]:
    for at in range(1, len(TARGETS_OF_VOLLEY) + 1):
        yield whole(f"Rounds of weapon {at}", "Left out: not counted.")(f"volley.rounds_{at}")
        yield text(f"Name of weapon {at}", "Of several of one model.", most=80)(f"volley.thing_{at}")


_LOGIC = "Level of Drive or Program, the better, of the one who set it up. Left out: it has none."
_IN_ORDER = "In the order of their targets; there are no more of them than targets."
_OTHERS = "The others fire at the bonus of a drone. Left out: the first."
_TARGETING = whole("Improved Targeting Logic", _LOGIC, most=10)
_WEAPONS = entries("Weapons mounted", _IN_ORDER, entry_kind="weapon", example=["drone-cannon"])
_DISTANCE = "Metres from the drone. Left out: as to the first target."
SKILLS, ATTRIBUTES = ("drive", "program"), ("intelligence", "dexterity")


class DroneAttack(Procedure):
    """Every weapon of a drone fires at a target of its own, one of them with the operator's bonus."""

    label = "Attack with a drone"
    vocabulary = vocabulary(
        person("attacker", "Operator", "The pilot of the drone; the drone, if it fires by itself."),
        person("target", "Target", "The target of the first weapon."),
        person(DRONE, "Drone", "The one that fires.", optional=True),
        *numbered(_FURTHER, "Target", "The target of weapon {}.", first=2),
        Record("attack", "How it is done"),
        Record("volley", "The drone's weapons"),
        _of_attacks(),
        attribute_fields("attacker"),
        fields("attack", drone=flag("Made with a drone", derived_from="volley.alone")),
        (field for who in _FURTHER for field in target_fields(who)),
        fields(*_FURTHER, distance=number("Distance", _DISTANCE, most=_METRES, example=20)),
        fields(DRONE, name=text("Name", most=80), targeting_logic=_TARGETING),
        fields("volley", weapons=_WEAPONS),
        _mounts(),
        fields(
            "volley",
            aimed=whole("Weapon that the operator aims", _OTHERS, 1, len(TARGETS_OF_VOLLEY)),
            alone=flag("Fires by itself", "Nobody aims any weapon."),
        ),
    )
    decisions = DECISIONS
    targets = {**TARGETS, **save_targets(PHYSICAL, records=("", *_FURTHER)), **targets_of(_FURTHER)}
    owners = {**owners_in(targets), save_name(PHYSICAL): "target"}
    inner = {to for to in targets if not to.endswith(ALONE)}
    measures = (chance("hit", "Expected number of hits", "hits"), *HARM_TO_SEVERAL)

    def numbers(self, it: Attempt) -> None:
        given = it.facts
        weapons: list[PackEntry] = list(given.get("volley.weapons", ()))
        people = [who for who in TARGETS_OF_VOLLEY if has_record(given, who)]
        it.facts = {}  # what is refused, each of the attacks says
        if len(weapons) < len(people) or not weapons:
            what = "a weapon of the drone for each target"
            it.faults.need("volley.weapons", what, there="volley.weapons" in given)
            return
        strikes: list[Strike] = []
        for at, who in enumerate(people):
            with it.faults.collect():
                strikes.append(_strike(it, at, who, weapons[at]))
        it.refused += {refusal.code: refusal for one in strikes for refusal in one.refusals}.values()
        it.shown |= shown_of(strikes[0].facts) if strikes else {}
        counted = ("weapon.rounds", "weapon.magazine")  # which are the drone's, and no matter of its attacks
        silent = [
            one._replace(facts={name: fact for name, fact in one.facts.items() if name not in counted})
            for one in strikes
        ]
        it.plan = _salvo(it.request, list(zip(weapons, strikes, strict=False))), silent

    def first(self, it: Attempt) -> Stage:
        salvo, strikes = it.plan
        return Fork((("drone", salvo), *((one.record, one.begin(it)) for one in strikes)))


def _strike(it: Attempt, at: int, who: str, weapon: PackEntry) -> Strike:
    """The attack of one weapon. `InputError`: what it lacks or contradicts."""
    request, given = it.request, it.request.input.facts
    alone = bool(given.get("volley.alone"))
    aimed = not alone and given.get("volley.aimed", 1) == at + 1
    others = tuple(f"{one}." for one in ("attacker", "volley", "drone", *TARGETS_OF_VOLLEY) if one != who)
    facts = {name: fact for name, fact in given.items() if not name.startswith(others)}
    known: dict[str, Any] = {"use": weapon.id, "ready": True}
    if f"volley.rounds_{at + 1}" in given:
        known["rounds"] = given[f"volley.rounds_{at + 1}"]
    facts |= ATTACK.parse({"weapon": known}, request.lookup).facts
    facts |= _attacker(request, aimed=aimed, alone=alone)
    if aimed:
        facts["weapon.skills"], facts["weapon.attributes"] = SKILLS, ATTRIBUTES
    if not alone:
        facts["attack.drone"] = True
    elif logic := given.get("drone.targeting_logic"):
        facts["attack.targeting_logic"] = logic
    if f"{who}.distance" in facts:
        facts["distance"] = facts.pop(f"{who}.distance")
    used = {**request.input.used, "weapon": weapon.id}
    return Strike.against(it, request._replace(input=request.input._replace(facts=facts, used=used)), who)


def _attacker(request: AttemptRequest, *, aimed: bool, alone: bool) -> dict[str, Any]:
    """The one who attacks with one of the weapons: the operator, or the drone by its own bonus."""
    given = request.input.facts
    names = () if alone else OF_OPERATOR if aimed else OF_ALL
    found = {f"attacker.{name}": given[f"attacker.{name}"] for name in names if f"attacker.{name}" in given}
    if foci := found.get("attacker.foci"):  # the rest of them is for weapons in hand
        found["attacker.foci"] = {name: level for name, level in foci.items() if name == "drone-pilot"}
    if not aimed:
        bonus = row_of(request.lookup, "drone-attack", "alone" if alone else "other-weapons")["add"]
        found |= {"attacker.attack_bonus_ranged": bonus, "attacker.attack_bonus_melee": bonus}
    return found


def _salvo(request: AttemptRequest, shots: list[tuple[PackEntry, Strike]]) -> Salvo:
    """The rounds that each weapon uses."""
    given, numbered_shots = request.input.facts, enumerate(shots, start=1)
    names = [given.get(f"volley.thing_{at}", shot[0].slug) for at, shot in numbered_shots]
    used = [rounds_of(strike.facts).used for _, strike in shots]
    return Salvo(len(shots), tuple((name, count) for name, count in zip(names, used, strict=True) if count))


class Salvo(Outcome, kind="cwn.salvo"):
    """The drone has fired so many weapons. `used`: names of weapons with the rounds that each has used."""

    weapons: int
    used: tuple[tuple[str, int], ...]
    reports = ("weapons",)

    def effects(self) -> tuple[Effect, ...]:
        return tuple(Effect("item", DRONE, name, -count, (("state", "rounds"),)) for name, count in self.used)
