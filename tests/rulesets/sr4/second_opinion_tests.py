"""The second opinion on tests, Initiative, surprise and damage that no attack does. See `second_opinion`."""

from __future__ import annotations

from second_opinion_rules import (
    Case,
    Harm,
    armor_against,
    encumbrance,
    fill,
    hurt,
    person,
    shock,
    skill_dice,
    wounds,
)


def success_test(case: Case) -> None:
    """Attribute and skill against a threshold."""
    case.only(
        [
            "tester",
            "threshold",
            "attribute",
            "skill",
            "second_attribute",
            "wounded_only",
            "teamwork",
            "helper",
        ]
    )
    tester, threshold = person(case.said["tester"]), case.said.get("threshold", 1)
    unhurt = not tester.get("physical", 0) and not tester.get("stun", 0)
    if case.said.get("wounded_only") and unhurt:
        case.out({"success": True, "rolled": False})
        return
    pool = tester.get("pool")
    if pool is None:
        pool = tester[case.said["attribute"]]
        pool += tester[case.said["second_attribute"]] if "second_attribute" in case.said else 0
        pool += skill_dice(tester, case.said["skill"]) if "skill" in case.said else 0
    help_ = case.said.get("teamwork", {})
    if help_ and not help_.get("critical_glitch"):
        pool += min(help_["hits"], tester["skills"].get(case.said.get("skill"), 0))
    pool -= wounds(tester, case.options) + (2 if tester.get("running") else 0)
    if case.said.get("attribute") in {"agility", "reaction"}:
        pool -= encumbrance(tester, case.options)
    pool = case.total("test.pool", pool)
    if case.waits:
        return
    if tester.get("burn_edge"):
        hits, ones, glitch = threshold + 4, 0, "none"
    else:
        helper = case.said.get("helper", {})
        who, edge = ("helper", helper["edge"]) if helper else ("tester", tester.get("edge", 0))
        roll = case.table.roll(pool, who, "test", edge)
        hits, ones, glitch = roll.hits, roll.ones, roll.glitch
    done = hits >= threshold
    case.out({"hits": hits, "test_ones": ones, "test_glitch": glitch, "success": done, "rolled": True})
    case.out({"net_hits": hits - threshold if done else None, "critical_success": hits - threshold >= 4})


def initiative_test(case: Case) -> None:
    """The Initiative attribute and its hits."""
    case.only(["tester"])
    tester = person(case.said["tester"])
    world, wit = tester.get("world", "physical"), tester.get("intuition", 0)
    body = world in {"physical", "matrix-ar"}
    if "initiative" in tester:
        attribute = tester["initiative"]
    elif world == "astral":
        attribute = 2 * wit
    elif world == "machine":
        attribute = tester["pilot"] + tester.get("response", tester["pilot"])
    elif world in {"matrix-cold", "matrix-hot", "jumped-in-cold", "jumped-in-hot"}:
        attribute = tester["response"] + wit + (1 if world.endswith("hot") else 0)
        attribute -= tester.get("running_programs", 0) // tester.get("system", 99)
    else:
        attribute = tester["reaction"] + wit
        if "reflex_boost" in tester:  # not cumulative with wired reflexes and the like: the larger counts
            attribute += max(0, tester["reflex_boost"] - (tester.get("passes", 1) - 1))
    lost, laden = wounds(tester, case.options), encumbrance(tester, case.options) if body else 0
    pool = score = attribute - lost
    if case.options.get("encumbrance_target") == "attributes":
        case.out({"encumbrance": -laden})
        score -= laden
    pool -= laden
    case.out({"attribute": score})
    if case.options.get("initiative_wounds") == "score_only":
        pool += lost
    pool = case.total("initiative.pool", pool)
    hits = 4
    if not tester.get("burn_edge"):
        roll = case.table.roll(pool, "tester", "initiative", tester.get("edge", 0))
        hits = roll.hits
        case.out({"initiative_hits": hits, "initiative_glitch": roll.glitch})
    case.out({"hits": hits, "score": score + hits})


def surprise_test(case: Case) -> None:
    """Reaction + Intuition against the hits of somebody else."""
    case.only(["tester", "against"])
    tester, against = person(case.said["tester"]), case.said.get("against")
    pool = tester["reaction"] + tester["intuition"] + tester.get("combat_sense", 0)
    pool += 6 if tester.get("ambushing") else 3 if tester.get("alerted") else 0
    pool = case.total(
        "surprise.pool", pool - wounds(tester, case.options) - encumbrance(tester, case.options)
    )
    if case.waits:
        return
    if tester.get("burn_edge"):
        hits = against + 4
    else:
        roll = case.table.roll(pool, "tester", "surprise", tester.get("edge", 0))
        hits = roll.hits
        case.out({"surprise_hits": hits, "surprise_glitch": roll.glitch})
    case.out({"hits": hits})
    if against is not None:
        behind = hits < against if case.options.get("surprise_tie") == "sr4a" else hits <= against
        case.out({"surprised": behind and not tester.get("ambushing")})


def damage_resistance(case: Case) -> None:
    """Damage that no attack does: falls, elements, dumpshock, bleeding."""
    case.only(["target", "damage"])
    target, damage = person(case.said["target"]), case.said["damage"]
    again = damage.get("again")
    if again == "bleeding" or damage.get("unresisted"):
        boxes, kind = (1, "physical") if again else (damage["value"], damage["kind"])
        case.out({"damage": boxes, "track": kind})
        fill(case, "target", target, boxes, kind)
        return
    element = {"burning": "fire", "acid": "acid"}.get(again, damage.get("element"))
    dumped = damage.get("dumpshock")
    cold = dumped and target.get("world") not in {"matrix-hot", "technomancer", "jumped-in-hot"}
    kind, falls = damage.get("kind", "stun" if cold or element == "electricity" else "physical"), True
    if "height" in damage:
        high = damage["height"]
        dv = 0 if high < 1 else 2 if high < 3 else 4 if high < 7 else 6 + max(0, int(high) - 8) // 2
    elif again:
        dv = target[{"burning": "burning_dv", "acid": "acid_dv"}[again]]
    else:
        dv = damage["value"]
    if damage.get("attribute", "willpower" if dumped else "body") == "body":
        armor = armor_against(case, target, {"element": element, "ap_half": True})
        strike, pool = Harm(dv, kind, armor), target["body"] + armor + target.get("soak_bonus", 0)
    else:
        strike, falls = Harm(dv, kind, 0, compared=False), False
        pool = target[damage.get("attribute", "willpower")] + target.get("biofeedback_filter", 0)
    case.totals.update({"resistance.value": dv, "resistance.armor": strike.armor, "resistance.pool": pool})
    case.out({"glitch": None})
    hurt(case, "target", target, strike, 0, pool, falls=falls)
    case.out({"acid_dv": dv if element == "acid" and not again else None})
    if element == "electricity":
        shock(case, "target", target, 0)
