"""Melee in a fight: who is within whose reach, who is armed there, who leaves it, screens, or is part of a swarm.

Rulebook sections 3, 3.1, 3.2, 4.6 and 8.4 (R13). Two people are within each other's reach while they are in the
condition ``engaged`` towards each other: the one who attacks in melee brings it about, or goes to a combatant with a
Move, and the one who moves away ends it. Of those whose positions are known these count
instead. A fight that knows of nobody within reach leaves it to people.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from fracas.kernel.intents import Intent, Participant, Table
from fracas.rulesets.cwn.fights.sheet import is_surprised, level, slugs
from fracas.rulesets.cwn.maneuvers.grips import GRAPPLED, GRAPPLING, HOLDERS
from fracas.rulesets.cwn.vocabulary import COMBAT_SKILLS
from fracas.space import between, rounded

ENGAGED, WITHDRAWN, LEFT_MELEE = "engaged", "withdrawn", "left-melee"
SWARMING, LED_SWARM = "swarming", "led-swarm"
SCREENING, SCREENED_OFF = "screening", "screened-off"
DERMAL_ARMOR = frozenset(("dermal-armor-1", "dermal-armor-2", "dermal-armor-3"))
MELEE = "melee"
"""What a fight keeps of a weapon with which its owner, when it is ready, keeps others in melee."""
SWARM = 4
"""Most participants of a swarm (3.1)."""


def reach_of(who: Participant) -> float:
    """How far the melee range goes, in metres."""
    return float(who.options["melee_reach_m"])


def is_known(table: Table, who: Participant) -> bool:
    """Whether the fight knows of anybody within reach of a combatant, or where that one and others are."""
    people = table.participants.values()
    if who.position is not None and any(one.position is not None and one.id != who.id for one in people):
        return True
    return any(one.towards.get(ENGAGED) for one in people)


def within_reach(table: Table, who: Participant) -> list[Participant]:
    """Everybody whose reach a combatant is in, friends among them."""
    near = who.towards.get(ENGAGED, frozenset())
    return [
        other
        for other in table.participants.values()
        if (
            other.id in near
            if who.position is None or other.position is None
            else other.id != who.id and rounded(between(who.position, other.position)) <= reach_of(who)
        )
    ]


def is_armed(who: Participant) -> bool:
    """Ready for melee: a weapon for it, claws or blades of the body, or Unarmed Combatant (4.6)."""
    if (level(who.sheet, "foci", "unarmed-combatant") or 0) >= 1:
        return True
    return any(state.get(MELEE) and state.get("ready") for state in who.items.values())


def armed_foes(table: Table, who: Participant) -> list[Participant]:
    """The conscious and armed foes within reach."""
    foes = (other for other in within_reach(table, who) if other.side != who.side)
    return [foe for foe in foes if foe.able and is_armed(foe)]


def is_engaged(table: Table, who: Participant) -> bool | None:
    """In melee with a combatant (4.6); None where the fight does not know who is near."""
    if ENGAGED in who.conditions and not who.towards.get(ENGAGED):
        return True
    return bool(armed_foes(table, who)) if is_known(table, who) else None


def strikers(table: Table, who: Participant, towards: Iterable[Participant] = ()) -> list[str]:
    """Ids of those who may strike freely at a combatant who moves away, `towards` a combatant or nobody: the armed foes
    within reach, unless they have withdrawn (R13). Nobody strikes who does not see it coming."""
    if WITHDRAWN in who.conditions:
        return []
    spared = {other.id for other in towards}
    foes = (foe for foe in armed_foes(table, who) if foe.id not in spared)
    return [foe.id for foe in foes if not is_surprised(foe)]


def may_strike(table: Table, who: Participant, runner: Participant | None) -> bool:
    """Whether a combatant still has a free attack on a runner, or on anybody."""
    runners = table.participants.values() if runner is None else (runner,)
    return any(who.id in other.towards.get(LEFT_MELEE, ()) for other in runners)


# Swarms (3.1): one in a round of each side against each target.


def has_struck(table: Table, side: str, target: str) -> bool:
    """Whether a side's swarm against a combatant has made its attack in this round."""
    return any(who.side == side and _is_at(who, LED_SWARM, target) for who in table.participants.values())


def swarm_of(table: Table, side: str, target: str) -> list[Participant]:
    """Those of a side who are in its swarm against a combatant and can act."""
    able = (who for who in table.participants.values() if who.side == side and who.able)
    return [who for who in able if _is_at(who, SWARMING, target)]


def _is_at(who: Participant, condition: str, target: str) -> bool:
    """In a condition that concerns a combatant; one that is set by hand towards nobody concerns everybody."""
    return condition in who.conditions and target in who.towards.get(condition, (target,))


def swarm_others(table: Table, actor: Participant, target: str) -> int | None:
    """Others in the actor's swarm against a combatant; None once it has struck."""
    if has_struck(table, actor.side, target):
        return None
    return sum(who.id != actor.id for who in swarm_of(table, actor.side, target))


# Screens (3.2).


def combat_level(who: Participant) -> int | None:
    """The level of the best combat skill, which is how many attackers a round a combatant screens off; of a stat block
    its printed skill. None where neither is known."""
    levels = [level(who.sheet, "skills", name) for name in COMBAT_SKILLS if name != "exert"]
    known = [found for found in levels if found is not None]
    if known:
        return max(known)
    printed = who.sheet.get("skill_bonus")
    return printed if isinstance(printed, int) else None


def screeners(table: Table, attacker: Participant, ward: Participant, *, shot: bool) -> list[Participant]:
    """Those who screen a combatant from an attacker: of another side, able to act, and not busy with as many
    other attackers in this round as their skill allows. What is shot, only armor in the body stops."""
    return [
        who
        for who in table.participants.values()
        if who.able
        and who.side != attacker.side
        and who.id not in (attacker.id, ward.id)
        and ward.id in who.towards.get(SCREENING, ())
        and (not shot or not slugs(who.sheet.get("augmentations")).isdisjoint(DERMAL_ARMOR))
        and _has_room(table, who, attacker)
    ]


def _has_room(table: Table, who: Participant, attacker: Participant) -> bool:
    """Whether a combatant can screen off one more attacker in this round."""
    people = table.participants.values()
    screened = {other.id for other in people if who.id in other.towards.get(SCREENED_OFF, ())}
    most = combat_level(who)
    return most is None or attacker.id in screened or len(screened) < most


# Grapples (8.1).


def bystanders(table: Table, who: Participant, intent: Intent) -> list[str]:
    """The one who gets free must beat all who hold on: those beside the target."""
    if intent.action.get("procedure") != "escape-grapple" or intent.target is None:
        return []
    holders = who.towards.get(GRAPPLED, frozenset())
    others = [id for id in table.participants if id in holders and id != intent.target.id]
    return others[: len(HOLDERS) - 1]


def objections(who: Participant, intent: Intent) -> list[str]:
    """A grapple is a matter of those who are in it, and its damage comes up by itself."""
    procedure, target = intent.action.get("procedure"), intent.target
    given = intent.situation.get("attack")
    if isinstance(given, Mapping) and "hold" in given:
        return ["what a grapple does as a round ends is an action of its own"]
    if target is None:
        return []
    held, holders = who.towards.get(GRAPPLING), who.towards.get(GRAPPLED)
    if procedure == "drag-grappled" or "grappling" in intent.action.get("needs", ()):
        return [f"does not hold {target.name}"] if held and target.id not in held else []
    if procedure == "escape-grapple" or "grappled" in intent.action.get("needs", ()):
        return [f"is not held by {target.name}"] if holders and target.id not in holders else []
    return []
