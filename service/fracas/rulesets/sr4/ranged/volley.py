"""Several ranged attacks with one action: rulebook sections 8.4 (split full bursts), 8.8 (shotguns) and 8.9.

A shot that spreads is one attack roll, compared with everybody's defense. The parts of a split burst, and the shots of
two firearms, are attacks one after the other, each with pools of its own. Every attack is prepared as a single one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from fracas.kernel.monitors import boxes_held, wounds
from fracas.kernel.procedures import Attempt, Procedure, chance
from fracas.kernel.required import reported_as
from fracas.kernel.ruleset import Asked, Measure
from fracas.kernel.stage import Fact, Stage, share
from fracas.kernel.tally import Entry
from fracas.rulesets.sr4.ranged.ranged_attack import (
    OWNERS_OF_SHOTS,
    Shot,
    landing,
    parts_of_test,
    plan_of,
    shot_of,
    shown,
)
from fracas.rulesets.sr4.ranged.shot import (
    ATTACK,
    COMPENSATION,
    DEFENSE,
    apart,
    attack_base,
    base_compensation,
    defense_base,
)
from fracas.rulesets.sr4.ranged.shot import TARGETS as OF_AN_ATTACK
from fracas.rulesets.sr4.ranged.volley_facts import (
    RANGED_VOLLEY,
    SECOND,
    SECOND_WEAPON,
    SPREAD_SHOT,
    TARGET,
    THIRD,
    TWO_FIREARMS,
    Attack,
    Volley,
    derive,
    records_of,
)
from fracas.rulesets.sr4.ranged.volley_stages import Firing, Pattern, begin
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.sheet import FLOOR, Monitors, pain

_CALLED = {SECOND: "Second target: ", THIRD: "Third target: ", SECOND_WEAPON: "Second firearm: "}
TARGETS = OF_AN_ATTACK | {
    f"{branch}.{to}": f"{called}{label}"
    for branch, called in _CALLED.items()
    for to, label in OF_AN_ATTACK.items()
}

GROUPS = {to: (to, *(f"{branch}.{to}" for branch in _CALLED)) for to in OF_AN_ATTACK}
"""What changes a number of an attack changes those of further ones too, see `TurnRules.groups`."""


def _taken_out(facts: Mapping[str, Fact]) -> float:
    """By this very attack: a second one at the same target takes out nobody who lies there already."""
    return float(bool(facts.get("unconscious") or facts.get("wrecked")) and not facts.get("down_before"))


MEASURES = (
    chance("result", "Expected number of hits", "hit", among=("hit", "graze_contact")),
    Measure("damage", "Expected boxes of all together", boxes_held),
    Measure(
        "physical",
        "Expected number of hits with Physical damage",
        lambda facts: float(bool(facts.get("damage")) and facts.get("track") == "physical"),
    ),
    chance("knockdown", "Expected number of knockdowns"),
    Measure("down", "Expected number taken out", _taken_out),
)
"""Over all branches together: one attack makes of each number a chance."""


class RangedVolley(Procedure):
    """A shot at several targets at once, a full burst split among them, or a firearm in each hand."""

    id = "ranged-volley"
    label = "Several ranged attacks"
    doc = "A spread of shot, a full burst at several targets, or a shot of each of two firearms."
    vocabulary = RANGED_VOLLEY
    decisions = dice_test.DECISIONS
    targets: Mapping[str, str] = TARGETS
    owners: Mapping[str, str] = OWNERS_OF_SHOTS | {
        f"{branch}.{to}": "attacker"
        if to not in OWNERS_OF_SHOTS
        else TARGET
        if branch == SECOND_WEAPON
        else branch
        for branch in _CALLED
        for to in OF_AN_ATTACK
    }
    measures = MEASURES

    def numbers(self, it: Attempt) -> None:
        volley = derive(it.asked)
        common = (ATTACK, COMPENSATION) if volley.kind == SPREAD_SHOT else ()
        shots: list[Shot] = []
        for at, (attack, base) in enumerate(zip(volley.attacks, _bases(it.asked, volley), strict=True)):
            with reported_as(records_of(attack.target, attack.weapon)):
                shots.append(shot_of(it.of(volley.record(at), attack.facts, common), base))
            if at == 0:
                recoil = it.made[COMPENSATION]
        if common:  # what is rolled is the pool against the target that is hardest to hit
            it.keep(recoil)
            it.keep(min((shot.attack for shot in shots), key=lambda attack: attack.total))
        it.plan = made = _Made(it.asked, volley, shots)
        first, *others = shots
        it.facts = first.facts
        it.refused += [refusal for shot in others for refusal in it.asked.rules.refusals(shot.facts)]
        it.shown |= made.shown()

    def leads_on(self, it: Attempt, to: str) -> bool:
        made: _Made = it.plan
        return made.leads_on(to)

    def first(self, it: Attempt) -> Stage:
        made: _Made = it.plan
        return made.begin(it)


def _bases(asked: Asked, volley: Volley) -> list[list[Entry] | None]:
    """The attack pools before modifiers, where they are not those of single attacks: the parts of a split pool.

    With two skills it is the smaller pool that is split (section 8.9). The facts learn what recoil of the one firearm
    counts for the other.

    Raises:
        InputError: a share leaves the other firearm without a die.
    """
    if volley.kind != TWO_FIREARMS:
        return [None for _ in volley.attacks]
    first, second = volley.attacks
    said = first.facts.get("attacker.split_dice")
    pools = [attack_base(_without_share(attack.facts), asked) for attack in volley.attacks]
    sums = [sum(entry.value or 0 for entry in pool) for pool in pools]
    at = sums.index(min(sums))
    whole = sums[at]
    dice = said if said is not None else -(-whole // 2)
    for attack, share_ in ((first, dice), (second, whole - dice)):
        attack.facts["attacker.split_dice"] = share_
        attack.facts["volley.whole_pool"] = whole
    if said is not None and whole > 1:  # complains of a share that leaves nothing
        attack_base({**volley.attacks[at].facts, "attacker.split_dice": said}, asked)
    for attack, other in ((first, second), (second, first)):
        recoil = _uncompensated(asked, other, volley.record(volley.attacks.index(other)))
        if recoil is not None:
            attack.facts["attacker.other_recoil"] = recoil
    return [
        [*pools[at], Entry("split", "Dice of the other firearm", attack.facts["attacker.split_dice"] - whole)]
        for attack in volley.attacks
    ]


def _without_share(facts: Mapping[str, Any]) -> dict[str, Any]:
    return {name: fact for name, fact in facts.items() if name != "attacker.split_dice"}


def _uncompensated(asked: Asked, attack: Attack, record: str) -> int | None:
    """Recoil of a firearm that its compensation leaves; None where its compensation is not known."""
    facts = attack.facts
    if "weapon.rc" not in facts:
        return None
    compensation = apart(asked, facts, record).tally(COMPENSATION, *base_compensation(facts)).total
    recoil: int = facts.get("recoil.phase", facts["recoil.own"])
    factor: int = facts["recoil.factor"]
    return factor * max(0, recoil - compensation)


class _Pools(NamedTuple):
    """The pools of one attack."""

    attack: int
    defense: int | None


class _Made:
    """A volley with all its numbers."""

    def __init__(self, asked: Asked, volley: Volley, shots: Sequence[Shot]) -> None:
        self._asked = asked
        self._volley = volley
        self._shots = shots

    @property
    def _one_roll(self) -> bool:
        return self._volley.kind == SPREAD_SHOT

    def shown(self) -> dict[str, Fact]:
        """What follows from the situation, of further attacks under their branches."""
        volley = self._volley
        facts: dict[str, Fact] = {"volley": volley.kind, **shown(volley.attacks[0].facts)}
        for attack in volley.attacks[1:]:
            facts |= {f"{attack.branch}.{name}": fact for name, fact in shown(attack.facts).items()}
        return facts

    def leads_on(self, to: str) -> bool:
        """Whether others follow from a number: all but attack pools of one attack, and defenses of a first one."""
        for at, attack in enumerate(self._volley.attacks):
            if to == self._name(at, ATTACK):
                return self._one_roll and len(self._shots) > 1
            if to == self._name(at, DEFENSE):
                return at > 0 and attack.target == self._volley.attacks[at - 1].target
        return True

    def _name(self, at: int, to: str) -> str:
        record = self._volley.record(at)
        return f"{record}.{to}" if record else to

    def _pools_of(self, at: int, it: Attempt) -> _Pools:
        """The pools of an attack; each target of one roll has an attack pool of its own, of which the least is
        rolled."""
        shot, defense = self._shots[at], self._name(at, DEFENSE)
        of_all = self._one_roll and len(self._shots) > 1
        return _Pools(
            shot.attack.total if of_all else it.total(self._name(at, ATTACK)),
            it.total(defense) if defense in it.made else None,
        )

    def _again(self, at: int) -> bool:
        """Whether this attack is at the target of the one before."""
        attacks = self._volley.attacks
        return at > 0 and attacks[at].target == attacks[at - 1].target

    def begin(self, it: Attempt) -> Stage:
        """The first stage, with the pools of an attempt."""
        pools = [self._pools_of(at, it) for at in range(len(self._shots))]
        firings = [self._firing(at, pools[at]) for at in range(len(self._shots))]
        if not self._one_roll:
            return begin(tuple(map(share, firings)), self._volley.stray)
        first, dice = firings[0], min(one.attack for one in pools)
        pattern = Pattern(tuple(map(share, firings)), plan_of(self._shots[0], self._asked).rounds)
        return dice_test.start(first.attack._replace(pool=max(0, dice)), None, pattern, first.rules)

    def _firing(self, at: int, pools: _Pools) -> Firing:
        """One attack, with the records of its target and weapon in place of those of a single attack."""
        asked, attack, shot = self._asked, self._volley.attacks[at], self._shots[at]
        plan = plan_of(shot, asked)
        plan = plan._replace(
            who=attack.target, weapon=attack.weapon, resist=plan.resist._replace(by=attack.target)
        )
        if self._one_roll:
            plan = plan._replace(rounds=0)
        shared = share(plan)
        first, second, then, rules = parts_of_test(
            shot.facts, asked, pools.attack, pools.defense, shared, share(shot.own) if shot.own else None
        )
        if self._one_roll:  # nothing goes off in a weapon that fires shot
            rules = rules._replace(tells_glitch=False)
            then = landing(shot.facts, shared, rules)
        second = second and second._replace(by=attack.target)
        if at and first.burns:  # said beforehand, it is burned on the first attack
            first = first._replace(burn=None)
        after = self._after_first(at) if self._again(at) else ()
        return Firing(attack.branch, first, second, then, shared, rules, after)

    def _after_first(self, at: int) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
        """The defense pools of a second attack at the same target, see `Firing`."""
        facts = self._shots[at].facts
        if facts.get("target.unaware"):
            return (((0,), (0,)), ((0,), (0,)))
        undefended = {**facts, "target.defenses_made": facts["target.defenses_made"] - 1}
        return self._by_wounds(at, undefended), self._by_wounds(at, facts)

    def _by_wounds(self, at: int, facts: dict[str, Any]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The defense pools for each wound modifier more, standing and prone."""
        most = _most_wounds(facts, self._asked)
        standing, prone = (
            tuple(
                self._defense(
                    at, {**facts, **({"target.prone": True} if fallen else {}), **_wounded(facts, more)}
                )
                for more in range(most + 1)
            )
            for fallen in (False, True)
        )
        return standing, prone

    def _defense(self, at: int, facts: dict[str, Any]) -> int:
        one = apart(self._asked, facts, self._volley.record(at))
        return one.tally(DEFENSE, *defense_base(facts), least=0, floor=FLOOR).total


def _wounded(facts: Mapping[str, Any], more: int) -> dict[str, int]:
    return {"target.wound_modifier": facts.get("target.wound_modifier", 0) - more} if more else {}


def _most_wounds(facts: Mapping[str, Any], asked: Asked) -> int:
    """How many wound modifiers a hit can add while its target still defends."""
    monitors = Monitors.of(facts, TARGET, asked.options)
    if monitors is None or monitors.vehicle:
        return 0
    each = pain(facts, TARGET)
    full = max(monitors.physical, monitors.physical_boxes), max(monitors.stun, monitors.stun_boxes)
    before = wounds(monitors.physical, monitors.stun, each, monitors.single)
    return wounds(*full, each, monitors.single) - before
