"""Several ranged attacks with one action: rulebook sections 8.4, 8.6, 8.8 and 8.9.

A shot that spreads is one attack roll, compared with everybody's defense. The parts of a full burst that is split, and
the shots of two firearms, are attacks one after the other, each with pools of its own. Further targets and the second
firearm have records of their own, and every attack is prepared as if it were the only one, so that every modifier of an
attack counts for each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from fracas.errors import InputError
from fracas.kernel.monitors import boxes_held, wounds
from fracas.kernel.procedures import Attempt, chance
from fracas.kernel.required import has_record, in_place_of, lacks, reported_as
from fracas.kernel.ruleset import AttemptRequest, Measure
from fracas.kernel.stage import Fact, Stage, share
from fracas.kernel.tables import row_of
from fracas.kernel.tally import Entry
from fracas.rulesets.sr4.harms.damage import OF_A_HIT
from fracas.rulesets.sr4.ranged import ranged_attack, shooting
from fracas.rulesets.sr4.ranged.ranged_vocabulary import RANGED_VOLLEY, TARGETS, VOLLEYS, WEAPONS
from fracas.rulesets.sr4.ranged.shooting import ATTACK, COMPENSATION, DEFENSE
from fracas.rulesets.sr4.ranged.volley_stages import Firing, Pattern, begin
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.sheet import Monitors, make_pool, pain

SPREAD_SHOT, SPLIT_BURST, TWO_FIREARMS = VOLLEYS
TARGET, SECOND, THIRD = TARGETS
WEAPON, SECOND_WEAPON = WEAPONS
_ROWS = {2: "two-targets", 3: "three-targets"}
_MODES = {
    "SA": ("semi-automatic",),
    "SS": ("single-shot",),
    "BF": ("short-burst",),
    "FA": ("short-burst", "long-burst", "full-burst"),
}
"""What each mode of a weapon allows, the one with the fewest rounds first."""

_FIRST_ONLY: Mapping[str, Any] = {
    "attacker.take_aim": 0,
    "attacker.magnification": False,
    "called_shot.kind": "none",
    "called_shot.dv": None,
}
"""What is done for one attack alone, the first one, as it is for all others."""


class Attack(NamedTuple):
    """One attack of a volley.

    Attributes:
        record: after what its numbers are named: the target, or the weapon where the target is attacked again; "" for
            the first one, whose numbers have plain names.
        target, weapon: their records.
        facts: those given and derived, as of a single attack.
    """

    record: str
    target: str
    weapon: str
    facts: dict[str, Any]

    @property
    def branch(self) -> str:
        """Its name among the attacks."""
        return self.record or TARGET

    @property
    def again(self) -> bool:
        """It is at the target of the one before."""
        return self.record == SECOND_WEAPON

    @property
    def names(self) -> Mapping[str, str]:
        """The records of the request that stand in the place of those of a single attack."""
        names = {TARGET: self.target, WEAPON: self.weapon}
        return names if self.weapon == WEAPON else {**names, "fire": "fire_2"}

    def named(self, to: str) -> str:
        """The name of one of its numbers."""
        return f"{self.record}.{to}" if self.record else to


class Volley(NamedTuple):
    """Everything that is fired with one action. `kind`: ``spread-shot``, ``split-burst`` or ``two-firearms``. `stray`:
    rounds that are spent beside those of the attacks."""

    kind: str
    attacks: Sequence[Attack]
    stray: int = 0

    @property
    def one_roll(self) -> bool:
        return self.kind == SPREAD_SHOT

    @property
    def common(self) -> Sequence[str]:
        """The numbers that all attacks have in common."""
        return (ATTACK, COMPENSATION) if self.one_roll else ()


def _derive(request: AttemptRequest) -> Volley:
    """The attacks of a volley. `InputError`: the request lacks something that the rule cannot do without."""
    given = dict(request.input.facts)
    if "volley" not in given:
        alone = SPREAD_SHOT if "fire.choke" in given else SPLIT_BURST
        given["volley"] = TWO_FIREARMS if has_record(given, SECOND_WEAPON) else alone
    people = [who for who in TARGETS if has_record(given, who)]
    if not people or people != list(TARGETS[: len(people)]):
        missing = next(who for who in TARGETS if who not in people)
        raise lacks(missing, "a first target, before any further one")
    given["volley.targets"] = len(people)
    if given["volley"] == SPLIT_BURST:
        return _split(request, given, people)
    _set_mode(given, "fire.mode", WEAPON)
    return (_spread if given["volley"] == SPREAD_SHOT else _two_firearms)(request, given, people)


def _set_mode(given: dict[str, Any], path: str, weapon: str) -> None:
    """How a firearm fires where nothing is given: as the first one does, a single round, or else a short burst."""
    if path in given:
        return
    modes = given.get(f"{weapon}.modes", ())
    found = [name for word in _MODES if word in modes for name in _MODES[word]]
    first = given.get("fire.mode", "")
    if first and (first in found or not found):
        given[path] = first
    elif found:
        given[path] = found[0]


def _limits(given: dict[str, Any], most: int, within: float | None) -> None:
    """How many targets there may be, and how far they stand from each other."""
    given["volley.most_targets"] = most
    if within is not None and "apart" in given:
        given["volley.too_far"] = max(0, given["apart"] - within)


def _spread(request: AttemptRequest, given: dict[str, Any], people: Sequence[str]) -> Volley:
    """The same shot at everybody; no further target costs dice (section 8.8)."""
    if "fire.choke" not in given:
        raise lacks("fire.choke", "the choke of a shotgun that fires shot")
    row = row_of(request.lookup, "shotgun-chokes", given["fire.choke"])
    _limits(given, row["targets"], row.get("within"))
    return Volley(SPREAD_SHOT, [_alone(request, given, who) for who in people])


def _split(request: AttemptRequest, given: dict[str, Any], people: Sequence[str]) -> Volley:
    """The parts of a full burst, each at another target, further off its aim with each round (section 8.4)."""
    if len(people) < 2:
        raise lacks(SECOND, "at least two targets for a burst that is split")
    if given.setdefault("fire.mode", "full-burst") != "full-burst":
        message = "it is a full burst that is split: full-burst, or nothing, is expected"
        raise InputError.one("situation.fire.mode", "out-of-range", message)
    row = row_of(request.lookup, "full-burst-spread", _ROWS[len(people)])
    bursts = ["short-burst"] * row["short"] + ["long-burst"] * row["long"]
    if given.get("long_first"):
        bursts.reverse()
    _limits(given, len(TARGETS), row["within"])
    loaded, fired = given.get("weapon.rounds"), 0
    attacks: list[Attack] = []
    for at, (who, burst) in enumerate(zip(people, bursts, strict=True)):
        changed = {**given, "fire.mode": burst, **_after(given, at, people)}
        if at:
            changed["attacker.rounds_before"] = given.get("attacker.rounds_before", 0) + fired
            changed["attacker.bursts_before"] = given.get("attacker.bursts_before", 0) + at
        if loaded is not None:
            changed |= {"weapon.rounds": loaded - fired, "volley.loaded": loaded}
        attacks.append(_alone(request, changed, who))
        fired += attacks[-1].facts["fire.rounds"]
    whole = row["rounds"]
    stray = max(0, min(whole, whole if loaded is None else loaded) - fired)
    return Volley(SPLIT_BURST, attacks, stray if given.get("weapon.feed") != "none" else 0)


def _two_firearms(request: AttemptRequest, given: dict[str, Any], people: Sequence[str]) -> Volley:
    """A shot of each firearm, the one in the better hand first (section 8.9)."""
    if not has_record(given, SECOND_WEAPON):
        raise lacks(SECOND_WEAPON, "the firearm in the other hand")
    _limits(given, 2, None)
    _set_mode(given, "fire_2.mode", SECOND_WEAPON)
    given["attacker.two_firearms"] = True
    other = people[1] if len(people) > 1 else TARGET
    off_hand = bool(given.get("attacker.off_hand"))
    own, others = _rounds_before(given)
    first = {**given, "attacker.off_hand": off_hand, "attacker.rounds_before": own}
    second = {**given, **_after(given, 1, people), "fire.mode": given.get("fire_2.mode")}
    second |= {"attacker.off_hand": not off_hand, "attacker.rounds_before": others}
    second["fire_2.mode"] = given.get("fire.mode")  # of the other one, seen from here
    alike = given.get("weapon.skill") == given.get("weapon_2.skill")
    specialized = given.get("attacker.specialized") and alike
    second["attacker.specialized"] = bool(given.get("attacker.specialized_2", specialized))
    if other == TARGET:
        second["target.defenses_made"] = given.get("target.defenses_made", 0) + 1
    elif f"{other}.distance" not in given:
        second.pop("distance", None)  # nothing says that this one stands near the other
    attacks = [_alone(request, first, TARGET), _alone(request, second, other, SECOND_WEAPON)]
    return Volley(TWO_FIREARMS, attacks)


def _rounds_before(given: Mapping[str, Any]) -> tuple[int | None, int | None]:
    """The rounds that each of two firearms has fired in this Action Phase; None where that is unknown."""
    total, second = given.get("attacker.rounds_before"), given.get("attacker.rounds_before_2")
    if total is None or (total and second is None):
        return None, second
    return max(0, total - (second or 0)), second or 0


def _after(given: Mapping[str, Any], at: int, people: Sequence[str]) -> dict[str, Any]:
    """What changes for the attack at this place, narrow or wide as the first unless given: further targets cost dice
    (`attacker.targets_before` counts those attacked before), and what was for the first alone is gone."""
    spread = given.get(f"fire_{at + 1}.spread", given.get("fire.spread"))
    changed = {"fire.spread": spread, **(_FIRST_ONLY if at else {})}
    if at and (before := people[1 : at + 1]):
        known: int = given.get("attacker.targets_before", 0)
        again = sum(bool(given.get(f"{who}.attacked_before")) for who in before)
        changed["attacker.targets_before"] = max(0, known + len(before) - again)
    return changed


def _alone(request: AttemptRequest, given: Mapping[str, Any], target: str, weapon: str = WEAPON) -> Attack:
    """One attack, whose facts have the names that those of a single attack have. `InputError`: something is missing,
    under the name that the request has for it."""
    facts = {name: fact for name, fact in given.items() if fact is not None}
    facts = in_place_of(facts, target, TARGET, TARGETS[1:])
    facts = in_place_of(facts, weapon, WEAPON, (SECOND_WEAPON,))
    if f"{target}.distance" in given and target != TARGET:
        facts["distance"] = given[f"{target}.distance"]
    record = target if target != TARGET else weapon if weapon != WEAPON else ""
    attack = Attack(record, target, weapon, facts)
    with reported_as(attack.names):
        return attack._replace(facts=shooting.derive(facts, request))


_CALLED = {SECOND: "Second target: ", THIRD: "Third target: ", SECOND_WEAPON: "Second firearm: "}
GROUPS = {to: (to, *(f"{branch}.{to}" for branch in _CALLED)) for to in shooting.TARGETS}
"""What changes a number of an attack changes those of further ones too, see `TurnRules.groups`."""


def _taken_out(facts: Mapping[str, Fact]) -> float:
    """By this very attack: a second one at the same target takes out nobody who lies there already."""
    return float(bool(facts.get("unconscious") or facts.get("wrecked")) and not facts.get("down_before"))


class RangedVolley(dice_test.TestingProcedure):
    """A spread of shot, a full burst at several targets, or a shot of each of two firearms."""

    label = "Several ranged attacks"
    vocabulary = RANGED_VOLLEY
    targets = shooting.TARGETS | {
        f"{one}.{to}": f"{its}{label}"
        for one, its in _CALLED.items()
        for to, label in shooting.TARGETS.items()
    }
    owners = ranged_attack.OWNERS_OF_SHOTS | {
        f"{branch}.{to}": whose if to in ranged_attack.OWNERS_OF_SHOTS else "attacker"
        for branch, whose in ((SECOND, SECOND), (THIRD, THIRD), (SECOND_WEAPON, TARGET))
        for to in shooting.TARGETS
    }
    measures = (  # over all branches together: one attack makes of each number a chance
        chance("result", "Expected number of hits", "hit", among=("hit", "graze_contact")),
        Measure("damage", "Expected boxes of all together", boxes_held),
        OF_A_HIT[2]._replace(label="Expected number of hits with Physical damage"),
        chance("knockdown", "Expected number of knockdowns"),
        Measure("down", "Expected number taken out", _taken_out),
    )

    def numbers(self, it: Attempt) -> None:
        volley, shots, pools, attacks = _derive(it.request), [], [], []
        for attack, base in zip(volley.attacks, _bases(it.request, volley), strict=True):
            one = it.of(attack.record, attack.facts, volley.common)
            with reported_as(attack.names):
                shots.append(ranged_attack.shot_of(one, base))
            attacks.append(attack._replace(facts=one.facts))
            pools.append(it.made[one.named(ATTACK)])
            if not attack.record:
                recoil = it.made[COMPENSATION]
        if volley.one_roll:  # what is rolled is the pool against the target that is hardest to hit
            it.keep(recoil)
            it.keep(min(pools, key=lambda pool: pool.total))
        first, *others = attacks
        it.facts = first.facts
        it.plan = volley._replace(attacks=attacks), shots
        it.refused += [refusal for other in others for refusal in it.request.rules.refusals(other.facts)]
        it.shown |= {"volley": volley.kind, **ranged_attack.shown(first.facts)}
        for other in others:
            reported = ranged_attack.shown(other.facts)
            it.shown |= {f"{other.branch}.{name}": fact for name, fact in reported.items()}

    def leads_on(self, it: Attempt, to: str) -> bool:
        """All numbers but the attack pool of one attack, and the defense against a first one."""
        volley: Volley = it.plan[0]
        for attack in volley.attacks:
            if to == attack.named(ATTACK):
                return volley.one_roll and len(volley.attacks) > 1
            if to == attack.named(DEFENSE):
                return attack.again
        return True

    def first(self, it: Attempt) -> Stage:
        volley: Volley = it.plan[0]
        firings = [
            _firing(it.of(attack.record, attack.facts, volley.common), attack, one, volley.one_roll)
            for attack, one in zip(volley.attacks, it.plan[1], strict=True)
        ]
        shared = tuple(map(share, firings))
        if not volley.one_roll:
            return begin(shared, volley.stray)
        pattern = Pattern(shared, it.plan[1][0].plan.value.rounds)
        return dice_test.start(firings[0].attack, None, pattern, firings[0].rules)


def _bases(request: AttemptRequest, volley: Volley) -> Sequence[list[Entry] | None]:
    """The attack pools before modifiers, where a pool is split: of two skills the smaller (section 8.9). The facts
    learn the recoil of the other firearm. `InputError`: a share leaves that without a die."""
    if volley.kind != TWO_FIREARMS:
        return [None] * len(volley.attacks)
    first, second = volley.attacks
    given = first.facts.get("attacker.split_dice")
    for attack in volley.attacks:
        attack.facts.pop("attacker.split_dice", None)
    pools = [shooting.attack_base(attack.facts, request) for attack in volley.attacks]
    sums = [sum(entry.value or 0 for entry in pool) for pool in pools]
    at = sums.index(min(sums))
    whole, smaller = sums[at], pools[at]
    dice = given if given is not None else -(-whole // 2)
    for attack, share_ in ((first, dice), (second, whole - dice)):
        attack.facts["attacker.split_dice"] = share_
        attack.facts["volley.whole_pool"] = whole
    if given is not None and whole > 1:  # complains of a share that leaves nothing
        shooting.attack_base({**volley.attacks[at].facts, "attacker.split_dice": given}, request)
    for attack, other in ((first, second), (second, first)):
        recoil = _uncompensated(request, other)
        if recoil is not None:
            attack.facts["attacker.other_recoil"] = recoil
    lost = (attack.facts["attacker.split_dice"] - whole for attack in volley.attacks)
    return [[*smaller, Entry("split", "Dice of the other firearm", less)] for less in lost]


def _uncompensated(request: AttemptRequest, attack: Attack) -> int | None:
    """Recoil of a firearm that its compensation leaves; None where its compensation is not known."""
    facts = attack.facts
    if "weapon.rc" not in facts:
        return None
    one = shooting.apart(request, facts, attack.record)
    compensation = one.tally(COMPENSATION, *shooting.base_compensation(facts)).total
    left = max(0, facts.get("recoil.phase", facts["recoil.own"]) - compensation)
    return int(facts["recoil.factor"] * left)


def _firing(it: Attempt, attack: Attack, one: ranged_attack.Shot, one_roll: bool) -> Firing:
    """One attack, with the records of its target and weapon in place of those of a single attack."""
    plan, who = one.plan.value, attack.target
    plan = plan._replace(who=who, weapon=attack.weapon, resist=plan.resist._replace(by=who))
    shared = share(plan._replace(rounds=0) if one_roll else plan)
    first, second, then, rules = ranged_attack.parts_of_test(it, one._replace(plan=shared))
    if one_roll:  # nothing goes off in a weapon that fires shot
        rules = rules._replace(reports_glitch=False)
        then = ranged_attack.landing(attack.facts, shared, rules)
    second = second and second._replace(by=who)
    if attack.record and first.burns:  # given beforehand, it is burned on the first attack
        first = first._replace(burn=None)
    return Firing(attack.branch, first, second, then, shared, rules, _after_first(it) if attack.again else ())


def _after_first(it: Attempt) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
    """The defense pools of a second attack at the same target, see `Firing`."""
    if it.facts.get("target.unaware"):
        return (((0,), (0,)), ((0,), (0,)))
    wounded, made = it.facts.get("target.wound_modifier", 0), it.facts["target.defenses_made"]

    def by_wounds(made: int, fallen: Mapping[str, bool]) -> tuple[int, ...]:
        found = []
        for more in range(_most_wounds(it) + 1):
            facts = {**it.facts, "target.defenses_made": made, **fallen}
            facts |= {"target.wound_modifier": wounded - more} if more else {}
            one = shooting.apart(it.request, facts, it.record)
            found.append(make_pool(one, DEFENSE, *shooting.defense_base(facts, it.request)))
        return tuple(found)

    prone = {"target.prone": True}
    return tuple((by_wounds(so_far, {}), by_wounds(so_far, prone)) for so_far in (made - 1, made))


def _most_wounds(it: Attempt) -> int:
    """How many wound modifiers a hit can add while its target still defends."""
    monitors = Monitors.of(it.facts, TARGET, it.options)
    if monitors is None or monitors.vehicle:
        return 0
    each = pain(it.facts, TARGET)
    full = max(monitors.physical, monitors.physical_boxes), max(monitors.stun, monitors.stun_boxes)
    before = wounds(monitors.physical, monitors.stun, each, monitors.single)
    return wounds(*full, each, monitors.single) - before
