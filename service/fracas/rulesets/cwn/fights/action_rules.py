"""What the rules have against an action beyond the words that it needs, and things in hand: readied and Stowed, how
much of both a combatant carries, magazines (rulebook sections 1.7, 3, 8.1, 10.3 and 13).

A thing is Readied (``ready``), Stowed, or lies on the ground (``dropped``). What a fight knows of it beside that:
``rounds`` loaded, ``spare_magazines`` (also quivers) if the GM counts them, and what `kept` takes from the packs. Each
reason is a text, "" where there is none. An action of the packs is known by what it does: the conditions that it
brings, its price, the procedure that resolves it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fracas.kernel.intents import Intent, Participant, Table, plainly_handled
from fracas.kernel.items import slug_of
from fracas.kernel.stage import Fact
from fracas.kernel.turns import TurnRules
from fracas.rulesets.cwn.attacks.attack_vocabulary import GOES_OFF, SET
from fracas.rulesets.cwn.fights import crews, melee, sheet
from fracas.rulesets.cwn.fights.crews import CONTROLLED, CONTROLLING, HIJACKED, is_machine, is_vehicle
from fracas.rulesets.cwn.fights.melee import MELEE, SCREENING, SWARMING, has_struck

SIZE = "size"
SPARE = "spare_magazines"
"""Magazines and quivers at hand, where they are counted."""
HEATED = "thermal_charge_active"
GRENADE = "loaded_grenade"
"""The grenade in a launcher, as a slug of the packs."""


LAID = "laid"
"""How many of a charge or mine are laid."""

FIST = "unarmed"
"""The weapon of the packs that everybody has."""


def is_of_body(item: Mapping[str, Any]) -> bool:
    """A fist, a blade of the body, teeth: always ready, and never put away."""
    return item.get("type") == "unarmed" or bool(item.get("of_body"))


class Handling(TurnRules):
    """What fights keep of things, and which are in hand."""

    def first_readied(self, sheet: Mapping[str, Any], weapons: Sequence[Mapping[str, Any]]) -> list[bool]:
        """A stat block has all of its weapons Readied, as no Strength limits it (1.7); others have their first."""
        return [at == 0 or "strength" not in sheet for at in range(len(weapons))]

    def bare_hands(self, sheet: Mapping[str, Any]) -> str:
        return "" if is_machine(sheet) else FIST

    def at_hand(self, item: Mapping[str, Any]) -> bool:
        return is_of_body(item)

    def kept(self, item: Mapping[str, Any]) -> Mapping[str, Fact]:
        """Whether it serves in melee, its encumbrance, and that a gun of a vehicle is always ready."""
        found: dict[str, Fact] = {"ready": True} if "mount" in item else {}
        if item.get("type") == "melee":
            found[MELEE] = True
        if isinstance(size := item.get("encumbrance"), int) and size and not is_of_body(item):
            found[SIZE] = size
        return found

    def left_set(self, table: Table, who: str, intent: Intent) -> Mapping[str, Mapping[str, Fact]]:
        """How many charges or mines of a model are laid and wait to be set off."""
        aim = intent.situation.get("aim", intent.action.get("situation", {}).get("aim"))
        by_itself = intent.situation.get("fuse_rounds")
        if intent.action.get("procedure") != "blast" or aim not in (SET, GOES_OFF) or by_itself:
            return {}
        laid, more = int(intent.state.get(LAID) or 0), 1 if aim == SET else -1
        return {intent.item: {LAID: laid + more}} if laid + more >= 0 else {}

    def handled(self, table: Table, who: str, intent: Intent, what: str) -> Mapping[str, Fact]:
        """Who picks a thing up has it Readied in the hand; loading takes a spare magazine, where they are counted."""
        if what == "pick-up":
            return plainly_handled("ready", intent.item_data)
        if what == "use" and "thermal-charge" in intent.action.get("needs", ()):
            return {HEATED: True}
        reported = dict(plainly_handled(what, intent.item_data))
        spare, weapon = intent.state.get(SPARE), intent.situation.get("weapon")
        if what == "load" and isinstance(spare, int):
            reported[SPARE] = max(0, spare - 1)
        grenade = weapon.get(GRENADE) if isinstance(weapon, Mapping) else None
        if what == "load" and intent.item_data.get("type") == "launcher" and isinstance(grenade, str):
            reported[GRENADE] = grenade
        return reported


def _against_handling(who: Participant, intent: Intent) -> Iterable[str]:
    """What speaks against handling a thing so."""
    what, state = intent.action.get("item"), intent.state
    if what in (None, "use") or not intent.item:
        return
    if what == "load":
        yield from _against_loading(intent)
        return
    if what in ("ready", "stow") and state.get("dropped"):
        yield "it lies on the ground: pick it up"
    elif what == "ready" and state.get("ready"):
        yield "it is Readied already"
    elif what == "stow" and state.get("ready") is False:
        yield "it is Stowed already"
    elif what == "drop" and state.get("dropped"):
        yield "it lies on the ground already"
    elif what in ("stow", "drop") and is_of_body(intent.item_data):
        yield "it is part of the body"
    elif what in ("ready", "pick-up", "stow"):
        yield from _overloaded(who, intent, readied=what != "stow")


def _against_loading(intent: Intent) -> Iterable[str]:
    magazine, rounds = intent.item_data.get("magazine"), intent.state.get("rounds")
    if intent.item_data and not isinstance(magazine, int):
        yield "it is not reloaded"
    elif isinstance(rounds, int) and isinstance(magazine, int) and rounds >= magazine:
        yield "it is fully loaded"


def capacity(who: Participant) -> tuple[int, int] | None:
    """Items that a combatant carries Readied, and Stowed (1.7); None where the Strength is not known."""
    strength = who.sheet.get("strength")
    return (strength // 2, strength) if isinstance(strength, int) else None


def carried(who: Participant, *, readied: bool) -> int:
    """How many items of encumbrance a combatant carries so, as far as the fight knows."""
    found = 0
    for state in who.items.values():
        size = state.get(SIZE)
        if isinstance(size, int) and not state.get("dropped") and bool(state.get("ready")) is readied:
            found += size
    return found


def _overloaded(who: Participant, intent: Intent, *, readied: bool) -> Iterable[str]:
    most, size = capacity(who), intent.item_data.get("encumbrance", 0)
    if most is None or not isinstance(size, int) or not size:
        return
    limit, word = (most[0], "Readied") if readied else (most[1], "Stowed")
    have = carried(who, readied=readied)
    if have + size > limit:
        yield f"{have} of {limit} items are {word} already, and this one counts {size}"


PRONE, HACKING = "prone", "hacking-main"
_GRAPPLE = frozenset(("grappling", "grappled"))
_ARMED_WAYS = frozenset(("attack", "blast", "suppressive-fire", "execution-attack", "whirlwind", "shove"))
"""Procedures of what is done with a weapon."""
MOVE_FACTOR = 0.5
"""What is left of the Move of the one who is prone, or blinded (sections 3 and 14)."""


RANGED = "ready-ranged-or-thrown-weapon"
"""What a Ranged Attack needs."""


def objections(table: Table, who: Participant, intent: Intent) -> list[str]:
    """Every reason against it, as sentences without a full stop."""
    found = (
        _goes_prone(who, intent),
        _screens_nobody(who, intent),
        _joins_no_swarm(table, who, intent),
        _has_hands_full(who, intent),
        _is_switched_off(who, intent),
        _is_controlled(table, who, intent),
        _controls_too_many(who, intent),
        _hacks_too_fast(who, intent),
        _lacks_program(who, intent),
        _shoots_a_blade(intent),
        "the avatar is paralyzed" if crews.is_frozen(who, intent, hacking=is_hacking(intent)) else "",
    )
    aboard, grappled = crews.objections(table, who, intent), melee.objections(who, intent)
    return [*filter(None, found), *aboard, *_against_handling(who, intent), *grappled]


def _shoots_a_blade(intent: Intent) -> str:
    """What is for melee strikes unless the command says that it is thrown; a Ranged Attack is no blow (section 3)."""
    if RANGED not in intent.action.get("needs", ()) or intent.item_data.get("type") != "melee":
        return ""
    attack = intent.situation.get("attack")
    thrown = isinstance(attack, Mapping) and attack.get("kind") == "thrown"
    return "" if thrown else "this weapon strikes unless it is thrown: choose “thrown” as the kind of attack"


def _brings(intent: Intent, condition: str) -> bool:
    return condition in intent.action.get("conditions", ())


def _goes_prone(who: Participant, intent: Intent) -> str:
    if not _brings(intent, PRONE):
        return ""
    if is_machine(who.sheet):
        return "a machine does not go prone"
    return "is prone already" if who.sheet.get("prone") else ""


def _screens_nobody(who: Participant, intent: Intent) -> str:
    if not _brings(intent, SCREENING) or intent.target is None:
        return ""
    if intent.target.id == who.id or intent.target.side != who.side:
        return "needs an ally: another combatant of the same side"
    return ""


def _joins_no_swarm(table: Table, who: Participant, intent: Intent) -> str:
    """One swarm of a side strikes a combatant in a round; who joins it names that."""
    if not _brings(intent, SWARMING) or intent.target is None:
        return ""
    if intent.target.side == who.side:
        return "a swarm attacks a foe"
    return "the swarm has struck already" if has_struck(table, who.side, intent.target.id) else ""


def _has_hands_full(who: Participant, intent: Intent) -> str:
    """In a grapple only fists and weapons of the body serve (8.1); what takes no weapon is no matter of it."""
    if intent.action.get("procedure") not in _ARMED_WAYS or _GRAPPLE.isdisjoint(who.conditions):
        return ""
    if intent.action.get("gm") or "weapon" in intent.action.get("situation", {}):
        return ""  # what goes off by itself, and implants with an action of their own
    if not intent.item_data or is_of_body(intent.item_data) or is_machine(who.sheet):
        return ""
    return "in a grapple only fists and weapons of the body serve"


def _is_switched_off(who: Participant, intent: Intent) -> str:
    """Blades of the body and other implants that are weapons go by the name of the implant; a Limbgun is a mod (14)."""
    off = sheet.switched_off(who)
    if not off or intent.action.get("procedure") not in _ARMED_WAYS:
        return ""
    for one in (intent, intent.second):
        if one is not None and off & {slug_of(one.item), *sheet.slugs(one.item_data.get("mods"))}:
            return "the implant is switched off"
    return ""


def _is_controlled(table: Table, who: Participant, intent: Intent) -> str:
    """A drone under control acts by its pilot's Actions; what happens to a machine is no act of its own."""
    if intent.action.get("gm") or intent.action.get("while_unable"):
        return ""
    if is_vehicle(who.sheet):
        return "a vehicle acts by those who are in it"
    pilots = (*who.towards.get(HIJACKED, ()), *who.towards.get(CONTROLLED, ()))
    pilot = next((table.participants[id].name for id in pilots if id in table.participants), "")
    return f"acts by the Actions of {pilot}, who controls it" if pilot else ""


def _controls_too_many(who: Participant, intent: Intent) -> str:
    if not _brings(intent, CONTROLLING):
        return ""
    if intent.target is not None and (not is_machine(intent.target.sheet) or is_vehicle(intent.target.sheet)):
        return "a drone is controlled"
    mine, most = who.towards.get(CONTROLLING, frozenset()), crews.most_drones(who)
    if intent.target is not None and intent.target.id in mine:
        return "controls it already"
    return f"controls {most} drones at most" if most is not None and len(mine) >= most else ""


def is_hacking(intent: Intent) -> bool:
    """What a Main Action for hacking pays for."""
    return any(HACKING in tokens for tokens in intent.action.get("cost", ()))


def _hacks_too_fast(who: Participant, intent: Intent) -> str:
    """The Main Action that Enhanced Reflexes give does not serve in cyberspace (10.3)."""
    if sheet.BOOSTED not in who.conditions or not is_hacking(intent):
        return ""
    own = 1 + bool(sheet.listed(who.sheet, "edges", "hacker")) + ("move-traded" in who.conditions)
    if who.did.get(HACKING, 0) < own:
        return ""
    return "the Main Action of Enhanced Reflexes does not serve in cyberspace"


def _lacks_program(who: Participant, intent: Intent) -> str:
    """Where the programs of a hacker are known, they run no other."""
    known = who.sheet.get("programs")
    reported = (intent.situation.get("hack"), intent.action.get("situation", {}).get("hack"))
    verbs = [given["verb"] for given in reported if isinstance(given, Mapping) and "verb" in given]
    if known is None or not is_hacking(intent) or not verbs or verbs[0] in known:
        return ""
    return f"{who.name} has no program {str(verbs[0]).capitalize()}"


def move_of(who: Participant) -> float | None:
    """Metres of a Move: half for those who are prone or blinded, none in a grapple; None where it is not known."""
    rate = who.sheet.get("move")
    if isinstance(rate, bool) or not isinstance(rate, (int, float)):
        return None
    if not who.able or not _GRAPPLE.isdisjoint(who.conditions):
        return 0
    return rate * MOVE_FACTOR if who.sheet.get("prone") or who.sheet.get("blinded") else rate


def charge_distance(intent: Intent) -> float | None:
    """The run-up that is given, in metres."""
    given = intent.situation.get("attack")
    found = given.get("charge_distance") if isinstance(given, Mapping) else None
    return found if isinstance(found, (int, float)) and not isinstance(found, bool) else None


# What is left to spend (10.1 to 10.4, 13.1).


MAIN_LOST = frozenset(("main-action-lost", "unplugged"))
"""Conditions that cost a Main Action."""


def bonus_tokens(table: Table, who: Participant) -> dict[str, int]:
    """Tokens beside those that everybody has (10.1 to 10.4, 13.1)."""
    bonus: dict[str, int] = {}
    if sheet.boosts(who):
        bonus["main"] = 1
        if sheet.reflexes(who.sheet) >= 2:
            bonus["swift-move"] = 1
    hacking = int(bool(sheet.listed(who.sheet, "edges", "hacker"))) + int("move-traded" in who.conditions)
    if hacking:
        bonus["hacking-main"] = hacking
    if sheet.listed(who.sheet, "augmentations", "remote-control-unit"):
        bonus["drone-move"] = 1
    if "drone-urged" in who.conditions:
        bonus["drone-main"] = 1
    if guns := crews.further_guns(table, who):
        bonus["gun"] = guns
    if (attacks := int(who.sheet.get("attacks") or 1)) > 1:
        bonus["attack"] = (attacks - 1) * (1 + bonus.get("main", 0))
    return bonus


def _mains_left(table: Table, who: Participant) -> int:
    """Main Actions that are unspent in this round."""
    if who.sheet.get("main_spent") or MAIN_LOST & who.conditions:
        return 0
    return 1 + bonus_tokens(table, who).get("main", 0) - who.spent.get("main", 0)


def may_defend(table: Table, who: Participant) -> bool:
    """Total Defense costs an unspent Main Action, and a combatant who sees it coming."""
    if not who.able or who.id not in table.participants or who.sheet.get("total_defense"):
        return False
    return not sheet.is_surprised(who) and crews.acts_by_itself(who) and _mains_left(table, who) > 0
