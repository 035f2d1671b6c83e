"""The attack of Cities Without Number: one attacker, one target; ranged, melee, thrown or unarmed.

Rulebook sections 3.2, 4 and 5.1 to 5.5. What raises and lowers the numbers, and what makes an attack impossible, is
data (``datapacks/cwn-core/modifiers.yaml``); here is the order of things. The one who screens the target may be struck
in its place: such a person is worked out like the target, with tallies that are named after the record
(``screener_1.target.ac``).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from fracas.kernel.procedures import Attempt, Procedure, chance, mean
from fracas.kernel.required import Faults, has_record, in_place_of, reported_as
from fracas.kernel.ruleset import AttemptRequest, ContextField, DecisionInfo, Measure
from fracas.kernel.stage import Stage, share
from fracas.kernel.tally import Refusal, Tally
from fracas.kernel.written_dice import dice_of
from fracas.rulesets.cwn.attacks import numbers as of_attacks
from fracas.rulesets.cwn.attacks import rolling
from fracas.rulesets.cwn.attacks.attack_vocabulary import ATTACK, SCREENERS
from fracas.rulesets.cwn.attacks.blows import NO_ROUNDS, After, Blow, DiceParts, Rounds, TraumaDie
from fracas.rulesets.cwn.attacks.contested import JAMMING, ScreenCheck, Screened, Screener, jammed
from fracas.rulesets.cwn.attacks.contested import TARGETS as OF_GUIDED
from fracas.rulesets.cwn.attacks.contested import checks as jamming_checks
from fracas.rulesets.cwn.attacks.facts import can_be_corrected, can_be_warded_off, derive, vehicle_armor
from fracas.rulesets.cwn.attacks.numbers import TARGETS, Guards, combat_check, named, numbers_of
from fracas.rulesets.cwn.checks.saves import PHYSICAL, save_name, save_targets
from fracas.rulesets.cwn.checks.skill_check import check_tally
from fracas.rulesets.cwn.harms import harm
from fracas.rulesets.cwn.harms.harm import Risk, risk_of
from fracas.rulesets.cwn.vocabulary import COMBAT_SKILLS, Known

BURST_ROUNDS = 3
SHOCK_BURST_DICE = (2, 6)
"""(count, sides) that a weapon's Shock Burst adds to the damage of a hit (section 4.3)."""
SHOCK_FISTS_DICE = (1, 8)
"""The same for Shock Fists that are charged (section 5.8)."""
TARGET = "target"
ALONE = ("attack.bonus", "damage.bonus", "damage.swarm", "trauma.bonus")
"""Tallies on which no other number depends."""


class Strike(NamedTuple):
    """An attack against one person.

    Attributes:
        record: the one who is struck.
        facts: of the attack, with the one who is struck as its ``target``.
        guards: None where it is refused for want of numbers.
        risk: of the one who is struck.
        jamming: the checks of a guided weapon and an ECM Emitter; None where there is no such thing.
    """

    request: AttemptRequest
    record: str
    facts: Known
    refusals: tuple[Refusal, ...]
    risk: Risk
    guards: Guards | None = None
    jamming: tuple[Tally, Tally] | None = None

    @classmethod
    def against(cls, it: Attempt, request: AttemptRequest, record: str = TARGET) -> Strike:
        """The attack against the target, or another in its place, whose numbers become those of the attempt.
        `InputError`: what it lacks or contradicts."""
        named = "" if record == TARGET else record
        if named:
            request = _in_place(request, record)
        faults = Faults()
        with reported_as({TARGET: record}):
            facts = derive(request, faults)
            refusals = request.rules.refusals(facts)
            faults.check(refused=bool(refusals) and not named)
            risk, save = risk_of(request, facts, TARGET, named)
            strike = cls(request, record, facts, refusals, risk)
            if faults.problems:
                return strike
            raises = not refusals and may_defend(request, facts)
            guards = numbers_of(strike.attempt(it), raise_defense=raises)
            fall = harm.fall_of(facts, TARGET, lethal=facts.get("attack.lethal", True))
            if save is not None and not risk.exempt and fall == harm.MORTALLY_WOUNDED:
                it.keep(save)  # if not, nothing that happens calls for it
            jamming = None if refusals else jamming_checks(request, facts)
        for tally in jamming or ():
            it.keep(tally)
        return strike._replace(guards=guards, jamming=jamming)

    def attempt(self, it: Attempt) -> Attempt:
        """An attempt as it is for this attack."""
        one = it.of("" if self.record == TARGET else self.record, self.facts)
        one.request = self.request
        return one

    def begin(self, it: Attempt) -> Stage:
        """The first stage, with the numbers of the attempt."""
        assert self.guards is not None, "a refused attack does not begin"
        one, facts = self.attempt(it), self.facts
        floor_first = one.options["shock_floor_before_trauma"]
        blow = blow_of(facts, one.total("damage.bonus"), one.known("damage.swarm"), floor_first=floor_first)
        body, rounds, risk = body_of(self.request, facts), rounds_of(facts), share(self.risk)
        after = After(blow, trauma_die(one), body, rounds, self.record, risk)
        plan = plan_of(self.request, facts, one.total("attack.bonus"), after, self.guards.raised)
        plan, spent = jammed(plan, self.jamming, facts), spent_at_once(facts)
        if facts["attack.sure"]:
            return plan.followed(self.guards.now, spent, True)
        return rolling.Attack(plan, self.guards.now, spent)


def _in_place(request: AttemptRequest, record: str) -> AttemptRequest:
    """The attempt as if another combatant were the target; modifiers of the target's save are theirs."""
    known, save = request.rules.by_target, save_name(PHYSICAL)
    own = {f"{record}.{save}": known[save]} if save in known else {}
    given = in_place_of(request.input.facts, record, TARGET, without=(record,))
    return request.with_facts(given)._replace(rules=request.rules._replace(by_target={**known, **own}))


def _after_roll(request: AttemptRequest, decision: str) -> bool:
    """Whether a decision may be declared once the roll is seen (R15)."""
    return decision in request.open and bool(request.options["instants_after_roll"])


def may_defend(request: AttemptRequest, facts: Known) -> bool:
    """Whether Total Defense may answer this attack: it costs the Main Action, and cannot be taken twice."""
    able = bool(facts.get("target.can_total_defense")) and not facts.get("target.total_defense")
    return able and _after_roll(request, rolling.TOTAL_DEFENSE)


def plan_of(
    request: AttemptRequest,
    facts: Known,
    bonus: int,
    after: rolling.Afterwards,
    raised: rolling.Guard | None = None,
) -> rolling.Plan:
    """The plan, with what the die means by itself and what may be declared, as far as anybody wants to be asked."""
    fails_to, options = facts.get("attacker.skillplugs", 0), request.options
    natural = rolling.Natural(fails_to, options["natural_1_misses"], options["natural_20_hits"])
    rerolls = facts.get("attacker.gunlink_rerolls", 0) if facts.get("attack.gunlinked") else 0
    lucky = _after_roll(request, rolling.VETERANS_LUCK)
    mine, theirs = (lucky and bool(facts.get(f"{who}.veterans_luck")) for who in ("attacker", TARGET))
    node = bool(facts.get("attacker.trajectory_node")) and can_be_corrected(facts)
    hand = bool(facts.get("target.iron_hand")) and can_be_warded_off(facts)
    node, hand = node and rolling.TRAJECTORY_NODE in request.open, hand and rolling.IRON_HAND in request.open
    rerolls = rerolls if rolling.GUNLINK_REROLL in request.open else 0
    instants = rolling.Instants(rerolls, mine, theirs, node, hand)
    return rolling.Plan(bonus, raised, instants, natural, after)


def spent_at_once(facts: Known) -> tuple[str, ...]:
    """Words of what the attack uses up whatever comes of it; see the module `rolling`."""
    charge = ("charge",) if facts.get("attack.charge") else ()
    return (*charge, facts["attack.hold"]) if "attack.hold" in facts else charge


def trauma_die(it: Attempt) -> TraumaDie | None:
    """The Trauma Die of a hit; None where it rolls none."""
    die, target = dice_of(it.facts, "weapon.trauma_die"), it.known("trauma.target")
    if die is None or target is None:
        return None
    return TraumaDie(die.parts, it.total("trauma.bonus"), target, it.facts["weapon.trauma_rating"])


def damage_dice(facts: Known) -> DiceParts:
    """(count, sides) of all dice of a hit: the weapon's, and those that something adds."""
    dice = dice_of(facts, "weapon.damage")
    assert dice is not None, "derive() notes a weapon without damage"
    fists = facts.get("attacker.shock_fists") and facts.get("weapon.type") == "unarmed"
    more = {SHOCK_BURST_DICE: _bursts(facts), SHOCK_FISTS_DICE: fists}
    return (*dice.parts, *(part for part, added in more.items() if added))


def _bursts(facts: Known) -> bool:
    return bool(facts.get("attack.shock_burst")) and "shock-burst" in facts.get("weapon.mods", ())


def body_of(request: AttemptRequest, facts: Known) -> harm.Body:
    """What the damage meets."""
    fall = harm.fall_of(facts, TARGET, lethal=facts["attack.lethal"])
    armor, hp = vehicle_armor(request.lookup, facts, TARGET), facts.get("target.hp")
    return harm.Body(facts["target.soak"], request.options["soak_vs_shock"], armor, hp, fall)


def blow_of(facts: Known, plus: int, swarm: int | None, *, floor_first: bool) -> Blow:
    """The damage of a hit, and of a miss with some weapons; see `Blow`."""
    parts = damage_dice(facts)
    graze = dice_of(facts, "weapon.miss_damage")
    missing: tuple[DiceParts, int] = (graze.parts, graze.plus) if graze else ((), 0)
    if facts["attack.ambush"]:
        missing = parts, plus
    # What an anti-armor warhead multiplies the damage to machines by (5.7).
    anti_armor = int(facts.get("weapon.machine_damage", 1)) if facts.get("target.machine") else 1
    factor = (2 if facts["attack.ambush"] else 1) * anti_armor
    return Blow(parts, plus, max(0, swarm or 0), factor, floor_first, *missing, _bursts(facts))


def rounds_of(facts: Known) -> Rounds:
    """Ammunition used, of weapons that have any."""
    if "weapon.rounds" not in facts and "weapon.magazine" not in facts:
        return NO_ROUNDS
    return Rounds.of(BURST_ROUNDS if facts.get("attack.burst") else 1, facts.get("weapon.rounds"))


_SHOWN = ("attack.kind", "attack.skill", "attack.attribute", "attack.lethal", "range.band", "range.adjacent")


def shown_of(facts: Known) -> dict[str, Any]:
    """Derived facts worth telling."""
    return {name: facts[name] for name in _SHOWN if name in facts}


_LABELS = {
    rolling.TOTAL_DEFENSE: "Total Defense against this attack",
    rolling.GUNLINK_REROLL: "Roll a missed shot again with the Gunlink",
    rolling.TRAJECTORY_NODE: "Turn a miss into a hit with the Trajectory Optimization Node",
    rolling.IRON_HAND: "Ward off a shot or a throw with the Iron Hand Aegis",
    rolling.VETERANS_LUCK: "Veteran's Luck turns the attack around",
}
_CONTEXT = (
    ContextField("attack_total", "Total of the attack roll"),
    ContextField("target_ac", "Armor Class that it is against"),
    ContextField("target_ac_defended", "Armor Class under Total Defense"),
    ContextField("shock", "Points of Shock that a miss deals; 0 for a hit"),
)
"""All but the first two only of Total Defense."""
DECISIONS = tuple(
    DecisionInfo(id, _LABELS[id], (no.id, yes.id), no.id, _CONTEXT[: 4 if id == rolling.TOTAL_DEFENSE else 2])
    for id, (no, yes) in rolling.OPTIONS.items()
)


HARM_MEASURES = (
    mean("damage", "Expected damage"),
    Measure("hp-loss", "Expected loss of hit points", harm.hp_lost),
    chance("traumatic", "Chance of a Traumatic Hit"),
    chance("down", "Chance to drop the target", but=(harm.NOBODY_DOWN,)),
    chance("down", "Chance to kill at once", "dead", among=(harm.DEAD,)),
    chance("major_injury", "Chance of a Major Injury", "injury", but=("none", harm.UNKNOWN)),
)
"""Of everything that harms one person. A target who is down may be dead; dead ones are down too."""
_OF_SEVERAL = {
    "damage": "Expected damage of all together",
    "hp-loss": "Expected loss of hit points, all together",
    "traumatic": "Expected number of Traumatic Hits",
    "down": "Expected number dropped",
    "dead": "Expected number killed at once",
    "injury": "Expected number of Major Injuries",
}
HARM_TO_SEVERAL = tuple(one._replace(label=_OF_SEVERAL[one.id]) for one in HARM_MEASURES)
"""The same over all branches together: one person makes of each number a chance."""
SCREEN_ATTACKER = "screen.attacker"
_BRAWN = ("strength", "dexterity")


_SCREEN = {who: f"screen.{who}" for who in SCREENERS}
_CHECKS = {
    SCREEN_ATTACKER: "Check to get past those who screen",
    **{to: f"{named(who)}: check to screen" for who, to in _SCREEN.items()},
}


class AttackProcedure(Procedure):
    """Attack roll, damage or Shock, Trauma Die, Soak, Major Injury; ranged, melee, thrown or unarmed; one target."""

    id = "attack"
    label = "Attack"
    vocabulary = ATTACK
    decisions = DECISIONS
    targets = {
        **TARGETS,
        **save_targets(PHYSICAL, records=("", *SCREENERS)),
        **_CHECKS,
        **OF_GUIDED,
        **of_attacks.targets_of(SCREENERS),
    }
    owners = {
        **of_attacks.owners_in(targets),
        **{to: who for who, to in _SCREEN.items()},
        save_name(PHYSICAL): "target",
        JAMMING: "target",
    }
    inner = {to for to in targets if to not in _CHECKS and not to.endswith(ALONE)}
    measures = (
        chance("hit", "Chance to hit"),
        chance("shock_damage", "Chance that a miss deals Shock", "shock"),
        *HARM_MEASURES,
    )

    def numbers(self, it: Attempt) -> None:
        request, people = it.request, [who for who in SCREENERS if has_record(it.facts, who)]
        strikes: list[Strike] = []
        for who in (TARGET, *people):
            with it.faults.collect():
                strikes.append(Strike.against(it, request, who))
                if strikes[0].refusals:
                    break
        ward = next((one for one in strikes if one.record == TARGET), None)
        it.facts = dict(ward.facts) if ward else {}
        it.shown |= shown_of(it.facts)
        it.plan = strikes
        if ward is not None and not ward.refusals and people:
            of_strikes, it.made, label = it.made, {}, _CHECKS[SCREEN_ATTACKER]
            with it.faults.collect():
                it.keep(combat_check(request, ward.facts, SCREEN_ATTACKER, label, COMBAT_SKILLS, _BRAWN))
                for who in people:  # with the skill of the weapon in hand, or the best combat skill
                    to, chosen = _SCREEN[who], request.input.facts.get(f"{who}.screen_skill")
                    skills = (chosen,) if chosen else COMBAT_SKILLS
                    it.keep(check_tally(request, request.input.facts, who, to, _CHECKS[to], skills, _BRAWN))
            it.made |= of_strikes

    def first(self, it: Attempt) -> Stage:
        given, (ward, *others) = it.request.input.facts, it.plan
        first: Stage = ward.begin(it)
        if not others:
            return first

        def screener(who: str, attack: Stage) -> Screener:
            return Screener(who, it.total(_SCREEN[who]), bool(given.get(f"{who}.player")), attack)

        player = bool(given.get("attacker.player"))
        screeners = tuple(screener(one.record, one.begin(it)) for one in others)
        return ScreenCheck(Screened(it.total(SCREEN_ATTACKER), player, first, screeners))
