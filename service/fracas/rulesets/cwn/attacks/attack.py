"""The attack of Cities Without Number: one attacker, one target; ranged, melee, thrown or unarmed.

Rulebook sections 3.2, 4 and 5.1 to 5.5. What raises and lowers the numbers, and what makes an attack impossible,
is data (``datapacks/cwn-core/modifiers.yaml``); here is the order of things.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fracas.kernel.procedures import Procedure
from fracas.kernel.required import has_record
from fracas.kernel.ruleset import Asked, Clue, DecisionInfo, Measure, Prepared
from fracas.kernel.stage import Fact, Stage
from fracas.kernel.tally import Tally
from fracas.rulesets.cwn.attacks.attack_vocabulary import ATTACK, SCREENERS
from fracas.rulesets.cwn.attacks.contested import JAMMING, ScreenCheck, Screened, Screener
from fracas.rulesets.cwn.attacks.contested import TARGETS as OF_GUIDED
from fracas.rulesets.cwn.attacks.numbers import TARGETS, combat_check, owners_in
from fracas.rulesets.cwn.attacks.planning import Strike, shown_of
from fracas.rulesets.cwn.attacks.rolling import (
    GUNLINK_REROLL,
    IRON_HAND,
    OPTIONS,
    TOTAL_DEFENSE,
    TRAJECTORY_NODE,
    VETERANS_LUCK,
)
from fracas.rulesets.cwn.checks.saves import PHYSICAL, save_name, save_targets
from fracas.rulesets.cwn.checks.skill_check import check_tally
from fracas.rulesets.cwn.harms.harm import DEAD, NOBODY_DOWN, UNKNOWN, hp_lost
from fracas.rulesets.cwn.vocabulary import COMBAT_SKILLS

_LABELS = {
    TOTAL_DEFENSE: "Total Defense against this attack",
    GUNLINK_REROLL: "Roll a missed shot again with the Gunlink",
    TRAJECTORY_NODE: "Turn a miss into a hit with the Trajectory Optimization Node",
    IRON_HAND: "Ward off a shot or a throw with the Iron Hand Aegis",
    VETERANS_LUCK: "Veteran's Luck turns the attack around",
}
_CLUES = (
    Clue("attack_total", "Total of the attack roll"),
    Clue("target_ac", "Armor Class that it is against"),
)
_DEFENSE_CLUES = (
    *_CLUES,
    Clue("target_ac_defended", "Armor Class under Total Defense"),
    Clue("shock", "Points of Shock that a miss deals; 0 for a hit"),
)
DECISIONS = tuple(
    DecisionInfo(
        id,
        _LABELS[id],
        tuple(option.id for option in options),
        options[0].id,
        _DEFENSE_CLUES if id == TOTAL_DEFENSE else _CLUES,
    )
    for id, options in OPTIONS.items()
)


def chance(test: Callable[[Mapping[str, Fact]], object]) -> Callable[[Mapping[str, Fact]], float]:
    return lambda facts: 1.0 if test(facts) else 0.0


def points(name: str) -> Callable[[Mapping[str, Fact]], float]:
    return lambda facts: float(facts.get(name) or 0)


_UNHURT = ("", "none", UNKNOWN)
HARM_MEASURES = (
    Measure("damage", "Expected damage", points("damage")),
    Measure("hp-loss", "Expected loss of hit points", hp_lost),
    Measure("traumatic", "Chance of a Traumatic Hit", chance(lambda facts: facts.get("traumatic"))),
    Measure(
        "down",
        "Chance to drop the target",
        chance(lambda facts: facts.get("down", NOBODY_DOWN) not in ("", NOBODY_DOWN)),
    ),
    Measure("dead", "Chance to kill at once", chance(lambda facts: facts.get("down") == DEAD)),
    Measure(
        "injury",
        "Chance of a Major Injury",
        chance(lambda facts: facts.get("major_injury", "") not in _UNHURT),
    ),
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


def _screen(who: str) -> str:
    return f"screen.{who}"


_CHECKS = {
    SCREEN_ATTACKER: "Check to get past those who screen",
    **{_screen(who): f"{who.replace('_', ' ').capitalize()}: check to screen" for who in SCREENERS},
}


class AttackProcedure(Procedure):
    """One attack against one target."""

    id = "attack"
    label = "Attack"
    doc = "Attack roll, damage or Shock, Trauma Die, Soak, Major Injury; ranged, melee, thrown or unarmed; one target."
    vocabulary = ATTACK
    decisions = DECISIONS
    targets: Mapping[str, str] = {
        **TARGETS,
        **save_targets(PHYSICAL, records=("", *SCREENERS)),
        **_CHECKS,
        **OF_GUIDED,
        **{
            f"{who}.{to}": f"{who.replace('_', ' ').capitalize()}: {label}"
            for who in SCREENERS
            for to, label in TARGETS.items()
        },
    }
    owners: Mapping[str, str] = {
        **owners_in(targets),
        **{_screen(who): who for who in SCREENERS},
        save_name(PHYSICAL): "target",
        JAMMING: "target",
    }
    measures = (
        Measure("hit", "Chance to hit", chance(lambda facts: facts["hit"])),
        Measure("shock", "Chance that a miss deals Shock", chance(lambda facts: facts.get("shock_damage"))),
        *HARM_MEASURES,
    )

    def prepare(self, asked: Asked) -> Prepared:
        """The numbers and the attack roll, or why there is no attack."""
        ward = Strike.against(asked)
        shown = shown_of(ward.facts)
        if ward.refusals:
            return Prepared(None, ward.tallies(), ward.refusals, shown)
        said = asked.said.facts
        people = [who for who in SCREENERS if has_record(said, who)]
        if not people:
            return Prepared(ward.begin(), ward.tallies(), (), shown, ward.begin)
        strikes = {who: Strike.against(asked, who) for who in people}
        own = _own_check(asked, ward)
        checks = {who: _check_to_screen(asked, who) for who in people}
        numbers = (own, *checks.values(), *ward.tallies())
        tallies = (*numbers, *(tally for strike in strikes.values() for tally in strike.tallies()))
        everybody = [ward, *strikes.values()]

        def begin(changed: Tally | None = None) -> Stage | None:
            totals = {tally.to: tally.total for tally in (own, *checks.values())}
            attacks = {strike.record: strike.begin() for strike in everybody}
            if changed is not None and changed.to in totals:
                totals[changed.to] = changed.total
            elif changed is not None:
                strike = next((one for one in everybody if changed.to.startswith(f"{one.record}.")), ward)
                attacks[strike.record] = strike.begin(changed)
            if None in attacks.values():
                return None
            screeners = tuple(
                Screener(who, totals[_screen(who)], bool(said.get(f"{who}.player")), attacks[who])
                for who in people
            )
            player = bool(said.get("attacker.player"))
            return ScreenCheck(Screened(totals[SCREEN_ATTACKER], player, attacks[ward.record], screeners))

        return Prepared(begin(), tallies, (), shown, begin)


def _own_check(asked: Asked, ward: Strike) -> Tally:
    """The attacker's check: Strength or Dexterity and the skill of the attack (3.2).

    Raises:
        InputError: what it needs is missing.
    """
    facts: Mapping[str, Any] = ward.facts
    label = _CHECKS[SCREEN_ATTACKER]
    return combat_check(
        asked, facts, SCREEN_ATTACKER, label, skills=COMBAT_SKILLS, attributes=("strength", "dexterity")
    )


def _check_to_screen(asked: Asked, who: str) -> Tally:
    """A screener's check, with the skill of the weapon in hand or the best combat skill.

    Raises:
        InputError: what it needs is missing.
    """
    facts = asked.said.facts
    chosen = facts.get(f"{who}.screen_skill")
    skills = (chosen,) if chosen else COMBAT_SKILLS
    to = _screen(who)
    return check_tally(
        asked, facts, who, to, _CHECKS[to], skills=skills, attributes=("strength", "dexterity")
    )
