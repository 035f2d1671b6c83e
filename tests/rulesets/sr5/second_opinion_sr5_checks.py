"""The second opinion on sr5: tests, surprise and initiative (3, 4, 8.1, 8.7). See `second_opinion_sr5`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from second_opinion_sr5_people import Person
from second_opinion_sr5_rules import Case, Roll, alone, running

# ----------------------------------------------------------------------------------------------------
# Tests (8.1)


def asked(case: Case, who: str, said: dict[str, Any], name: str) -> tuple[int, int | None]:
    """Pool and limit of a test."""
    person = case.person(who)
    skill = said.get("skill")
    if person.has("pool"):
        dice = int(person["pool"])
    else:
        dice = person[said["attribute"]]
        if "second_attribute" in said:
            dice += person[said["second_attribute"]]
        if skill:
            dice += person.skill(skill) - (0 if person.skill(skill) else 1)
    dice += person.wounds + (2 if person.get("specialized") else 0)
    dice += 0 if skill == "running" else running(case, person)
    dice += person.get("perception_bonus", 0) if skill == "perception" else 0
    if {"agility", "reaction"} & {said.get("attribute"), said.get("second_attribute")}:
        dice += person.encumbrance
    limit = said.get("limit_value")
    if limit is None and "limit" in said:
        limit = person.limit(said["limit"])
    help_ = said.get("teamwork", {})
    if help_:
        capped = skill and (not person.has("pool") or person.get("skills", {}).get(skill))
        dice += min(help_.get("hits", 0), person.skill(skill)) if capped else help_.get("hits", 0)
        limit = None if limit is None else limit + help_.get("helpers", 0)
    if limit is not None:
        limit = case.total(f"{name}.limit", limit)
    return case.pool(f"{name}.pool", dice), limit


def bought(roll: Roll) -> bool:
    """A hit for each four dice in place of a roll; never with Edge."""
    if roll.pushed or not roll.pool or roll.case.table.chosen("buy-hits", roll.who, roll.name) != "buy":
        return False
    roll.hits = roll.pool // 4
    name = roll.name
    roll.case.out(**{f"{name}_hits": roll.hits, f"{name}_ones": 0, f"{name}_glitch": "none"})
    return True


def tested(*rolls: Roll) -> bool:
    """Tests with Edge and bought hits; nothing is rolled where the first has no dice."""
    for roll in rolls:
        roll.before()
    if not rolls[0].pool and not rolls[0].pushed:
        return False
    thrown = [roll for roll in rolls if not bought(roll)]
    for step in (Roll.throw, Roll.after):
        for roll in thrown:
            step(roll)
    return True


TEST_WORDS = "tester attribute second_attribute skill limit limit_value teamwork threshold"


def success_test(case: Case) -> None:
    """Hits against a threshold."""
    case.only(f"{TEST_WORDS} sprint illusion")
    pool, limit = asked(case, "tester", case.said, "test")
    goal = case.said.get("threshold", 1)
    if "illusion" in case.said:
        goal = case.said["illusion"] + case.asks("illusion_tie", "caster")
    case.out(threshold=goal)
    roll = Roll(case, "tester", "test", pool, limit)
    tested(roll)
    case.out(success=roll.kept >= goal, hits=roll.kept, net_hits=max(0, roll.kept - goal))
    if case.said.get("sprint"):  # 6.1
        person = case.person("tester")
        if person.has("metres_run", "metres_per_hit"):
            case.out(metres=person["metres_run"] + roll.kept * person["metres_per_hit"])
        case.then("add-condition", "tester", "sprinting")


def opposed_test(case: Case) -> None:
    """Hits against those of an opponent."""
    case.only(f"{TEST_WORDS} opponent opposing")
    pool, limit = asked(case, "tester", case.said, "test")
    against, most = asked(case, "opponent", case.said.get("opposing", {}), "opposing")
    one, other = Roll(case, "tester", "test", pool, limit), Roll(case, "opponent", "opposing", against, most)
    tested(one, other)
    net = one.kept - other.kept
    case.out(success=net > 0, hits=one.kept, net_hits=max(0, net))


def extended_test(case: Case) -> None:
    """Rolls whose hits add up, with a die less each time."""
    case.only(f"{TEST_WORDS} rolls_most hits_before rolls_before")
    pool, limit = asked(case, "tester", case.said, "test")
    goal = case.said.get("threshold", 1)
    case.out(threshold=goal)
    hits, rolls = case.said.get("hits_before", 0), case.said.get("rolls_before", 0)
    most = case.said.get("rolls_most", 1000)
    made = 0
    while hits < goal and made < most and pool - rolls > 0:
        roll = Roll(case, "tester", "test", pool - rolls, limit)
        tested(roll)
        hits += roll.kept
        rolls, made = rolls + 1, made + 1
    case.out(success=hits >= goal, hits=hits, rolls=rolls)


def dead_mans_trigger(case: Case) -> None:
    """Body + Willpower (3) for a point of Edge."""
    case.only("tester")
    pool, _ = asked(case, "tester", {"attribute": "body", "second_attribute": "willpower"}, "test")
    if case.person("tester").get("edge_points") == 0:
        case.refusals.add("no_edge")
        return
    case.then("spend", "tester", "edge", amount=1)
    case.out(threshold=3)
    faces = case.table.throw(pool)
    hits = sum(face >= 5 for face in faces)
    case.out(test_hits=hits, success=hits >= 3, hits=hits, net_hits=max(0, hits - 3))
    if hits >= 3:
        case.then("add-condition", "tester", "last-action")


def surprise_test(case: Case) -> None:
    """Reaction + Intuition (3), and 10 points of initiative (8.7)."""
    case.only("tester")
    person = case.person("tester")
    dice = person["pool"] if person.has("pool") else person["reaction"] + person["intuition"]
    dice += (3 if person.get("alerted") else 0) + person.wounds + person.encumbrance
    case.out(threshold=3)
    roll = alone(case, "tester", "surprise", case.pool("surprise.pool", dice))
    good = roll.kept >= 3
    case.out(success=good, hits=roll.kept, surprised=not good, initiative=0 if good else -10)
    if not good:
        case.then("add-condition", "tester", "surprised")


# ----------------------------------------------------------------------------------------------------
# Initiative (3, 4)

MOST_DICE = 5


def location_of(person: Person) -> str:
    """Where somebody acts; AR is the physical world."""
    if person.has("place"):
        place = str(person["place"])
    else:
        place = str(person["interface"]) if person.get("interface") in ("cold-sim", "hot-sim") else "physical"
    return "hot-sim" if place == "cold-sim" and person.get("technomancer") else place


NATURES = {"spirit": 2, "drone": 4, "ic": 4, "sprite": 4}
"""Initiative dice of those who are no metahumans (13); a spirit in astral space has one more."""


def _own(person: Person, place: str) -> int:
    """Dice of physical initiative, or those that somebody has by nature."""
    nature = person.get("nature", "person")
    if person.has("initiative_dice") or nature == "person":
        return int(person.get("initiative_dice", 1))
    return NATURES[nature] + (nature == "spirit" and place == "astral")


def worlds(case: Case, person: Person) -> dict[str, int]:
    """Bonus actions by world (4)."""
    if not case.asks("bonus_actions"):
        return {}
    face = person.get("interface", "none")
    face = "hot-sim" if face == "cold-sim" and person.get("technomancer") else face
    matrix = {"cold-sim": 2, "hot-sim": 3, "ar": 2 if person.get("dni") else 0}.get(face, 0)
    awakened = person.get("awakened")
    magic = awakened in ("magician", "mystic-adept") or (
        awakened == "adept" and case.asks("adept_magic_bonus")
    )
    physical = _own(person, location_of(person)) - 1
    inborn = person.get("intrinsic_dice") or person.get("nature", "person") != "person"
    if inborn and not case.asks("npc_intrinsic_dice_grant"):
        physical = 0
    found = {
        "physical": person.get("bonus_physical", physical),
        "matrix": person.get("bonus_matrix", matrix),
        "magic": person.get("bonus_magic", person.get("initiate_grade", 0) if magic else 0),
    }
    return {
        world: min(4 if world == "physical" else 3, number) for world, number in found.items() if number > 0
    }


def initiative(case: Case) -> None:
    """Attributes, dice and wounds, and the world of the bonus actions."""
    case.only("tester")
    person = case.person("tester")
    place = location_of(person)
    nature = person.get("nature", "person")
    if person.has("initiative"):
        base = person["initiative"]
    elif nature == "spirit":
        base = 2 * person["force"]
    elif nature == "drone":
        base = 2 * person["pilot"]
    elif person.has("kept_score"):
        base = 0
    elif place == "astral":
        base = 2 * person["intuition"]
    elif place == "physical":
        base = person["reaction"] + person["intuition"]
    else:
        base = person["data_processing"] + person["intuition"] + ("toolbox" in person.get("programs", ()))
    if nature != "person":
        dice = _own(person, place)
        base += person.get("initiative_bonus", 0) if place == "physical" else 0
    elif place == "physical":
        base += person.get("initiative_bonus", 0)
        dice = _own(person, place) + person.get("drug_dice", 0)
    else:
        dice = {"cold-sim": 3, "hot-sim": 4, "astral": case.options["astral_initiative_dice"]}[place]
    loss = person.get("initiative_loss", 0)
    if place == "physical" and nature == "person" and not person.has("initiative"):
        base += person.encumbrance  # it costs Reaction
    base += person.wounds - (10 if person.get("surprised") else 0) - loss
    kept = person.get("kept_score")
    kept = None if kept is None else kept - loss
    base = case.total("initiative.attribute", base if kept is None else kept)
    if loss:
        case.then("spend", "tester", "initiative-loss", amount=loss)
    dice = case.total("initiative.dice", min(MOST_DICE, dice))
    blitz = kept is None and case.table.chosen("edge-initiative", "tester") == "blitz"
    offered = worlds(case, person)
    world = max(offered, key=lambda name: offered[name], default="none")
    here = {"astral": "magic", "physical": "physical"}.get(place, "matrix")
    for named in (here, person.get("bonus_world")):
        world = named if named in offered else world
    chosen = case.table.chosen("bonus-world", "tester")
    world = chosen if chosen in offered else world
    case.out(world=world, bonus_actions=offered.get(world, 0), wounds=person.wounds)
    if kept is not None:
        case.out(score=kept, dice=0)
        return
    if blitz:
        case.then("spend", "tester", "edge", amount=1)
        dice = MOST_DICE
    rolled = sum(case.table.throw(dice))
    case.out(score=base + rolled, dice=dice, attribute=base)


def coin_toss(case: Case) -> None:
    """Heads or tails (1)."""
    case.only("tester")
    (face,) = case.table.throw(1, 2)
    case.out(coin="heads" if face == 1 else "tails")


CHECKS: dict[str, Callable[[Case], None]] = {
    "success-test": success_test,
    "opposed-test": opposed_test,
    "extended-test": extended_test,
    "dead-mans-trigger": dead_mans_trigger,
    "surprise-test": surprise_test,
    "initiative": initiative,
    "coin-toss": coin_toss,
}
