"""The second opinion on spells (sections 16 and 34). See `second_opinion`."""

from __future__ import annotations

from math import ceil

from second_opinion_melee import melee_defenses
from second_opinion_ranged import dodging_dice
from second_opinion_rules import (
    Case,
    Harm,
    Roll,
    armor_against,
    encumbrance,
    entries,
    fill,
    hurt,
    opposed,
    person,
    shock,
    skill_dice,
    wounds,
)
from second_opinions import Entry, NotUnderstoodError

TRADITIONS = {"hermetic": "logic", "shamanic": "charisma"}
HELPS = {
    "attribute": "spell.raised",
    "barrier": "spell.spell_barrier",
    "mana-barrier": "spell.mana_barrier",
    "invisible": "spell.invisibility",
    "invisible-to-machines": "spell.invisibility",
    "resist-pain": "spell.boxes_ignored",
}
"""Spells whose hits are what they give."""


def cast_spell(case: Case) -> None:
    """Cast, oppose, resist, and take the drain."""
    named = [name for name in case.said if name.startswith("victim_")]
    more = ["weight", "willing", "touched", "toxin_power"]
    case.only(["caster", "target", "spell", "force", "distance", "attribute", *more, *named])
    caster, force = person(case.said["caster"]), case.said["force"]
    said = case.said["spell"]
    said = {"use": said} if isinstance(said, str) else said
    spell = {**entries("powers")[said["use"]], **said}
    if spell["type"] != "spell":
        case.refusals.add("not_a_spell")
    elif not caster.get("skills", {}).get("spellcasting"):
        case.refusals.add("no_default")
    elif force > 2 * caster["magic"]:
        case.refusals.add("too_much_force")
    elif spell.get("does") == "attribute" and force < person(case.said["target"])[case.said["attribute"]]:
        case.refusals.add("too_little_force")
    if case.refusals:
        return
    near = [(name, person(case.said[name])) for name in ("target", *sorted(named)) if name in case.said]
    pools(case, spell, caster, near)
    if case.waits:
        return
    if spell.get("touch") and not case.said.get("touched") and not touches(case, caster, near[0][1]):
        case.out({"target.result": "not-touched", "caster.drain": 0, "caster.drain_damage": 0})
        return
    if case.table.burns("caster", "spell"):  # 4 net hits, which nobody opposes
        name, victim = near[0]
        struck(case, spell, force, min(4, force), name, victim, resisted=False)
        drain(case, spell, caster, force, 0, victim)
        return
    cast = Roll(case.table, case.totals["spell.pool"], "caster", "spell", caster.get("edge", 0))
    cast.after("spell")
    hits = min(cast.hits, force)
    case.out({"spell_hits": cast.hits})
    used = 0
    if spell.get("area") and hits > 0 and case.options.get("cs_roll_once", True):
        guards: dict[int, int] = {}
        for name, victim in near:
            dice = victim.get("counterspelling", 0)
            if dice and dice not in guards:
                label = f"counterspelling{f'_{len(guards) + 1}' if guards else ''}"
                guards[dice] = case.table.roll(dice, name, label, 0).hits
                case.out({f"{label}_hits": guards[dice]})
            victim["guarded"] = guards.get(dice, 0)
    if spell.get("attack"):
        for name, victim in near:
            used = max(used, struck(case, spell, force, hits, name, victim))
    elif resisted(case, spell):
        resisting(case, spell, force, hits, near)
    else:
        helped(case, spell, hits, near[0][1] if near else caster)
    drain(case, spell, caster, force, used, near[0][1] if near else caster)


def pools(case: Case, spell: Entry, caster: Entry, near: list[tuple[str, Entry]]) -> None:
    """All pools before the first roll."""
    pool = caster["magic"] + caster["skills"]["spellcasting"] - wounds(caster, case.options)
    if caster.get("focus_active"):
        pool += max(caster.get("spellcasting_focus", 0), caster.get("power_focus", 0))
    case.total("spell.pool", pool)
    if spell.get("touch") and not case.said.get("touched"):
        target = near[0][1]
        reached = caster.get("touch_pool", caster["agility"] + skill_dice(caster, "unarmed-combat")) + 2
        reached += 3 if target.get("prone") else 0
        case.total("touch.pool", reached - wounds(caster, case.options) - encumbrance(caster, case.options))
        guard = (
            target["reaction"] + max(melee_defenses(target, None).values()) + target.get("combat_sense", 0)
        )
        guard += 3 if target.get("in_moving_vehicle") else 0
        guard -= target.get("defenses_made", 0) + (2 if target.get("prone") else 0)
        case.total(
            "touch-defense.pool", guard - wounds(target, case.options) - encumbrance(target, case.options)
        )
    for name, victim in near:
        prefix = "" if name == "target" else f"{name}."
        if spell.get("attack") == "direct" and "object_resistance" not in victim:
            dice = victim[spell["resist"]] + protection(case, spell, victim) - wounds(victim, case.options)
            dice += covered(case, victim)
            dice += victim.get("mana_barrier", 0) if spell["resist"] == "willpower" else 0
            case.total(f"{prefix}spell-opposition.pool", dice)
        elif spell.get("attack") == "indirect":
            case.total(f"{prefix}spell-defense.pool", dodging_dice(case, victim, {}, 1))
            halved = not spell.get("whole_armor")
            armor = armor_against(case, victim, {"ap_half": halved, "element": spell.get("element", "")})
            armor += victim.get("spell_barrier", 0)
            case.totals[f"{prefix}spell-armor.rating"] = armor
            dice = victim["body"] + armor + protection(case, spell, victim) + victim.get("soak_bonus", 0)
            case.total(f"{prefix}spell-soak.pool", dice)

        elif resisted(case, spell) and "object_resistance" not in victim:
            dice = sum(victim[name] for name in spell["against"]) + protection(case, spell, victim)
            dice += covered(case, victim)
            dice += victim.get("spell_resistance", 0) - wounds(victim, case.options)
            dice += victim.get("mana_barrier", 0) if "willpower" in spell["against"] else 0
            case.total(f"{prefix}spell-opposition.pool", dice)


def protection(case: Case, spell: Entry, victim: Entry) -> int:
    """Dice of a magician that the victim rolls."""
    once = spell.get("area") and case.options.get("cs_roll_once", True)
    return 0 if once else int(victim.get("counterspelling", 0))


def covered(case: Case, victim: Entry) -> int:
    """Dice for cover, by a house rule."""
    return {"partial": 2, "good": 4}.get(victim.get("cover", ""), 0) if case.options.get("spell_cover") else 0


def resisted(case: Case, spell: Entry) -> bool:
    """A spell that is no attack, and that its target does not want."""
    return bool(spell.get("against")) and not spell.get("attack") and not case.said.get("willing")


def needed(case: Case, spell: Entry) -> int:
    """Hits: one, or one for each started load."""
    return max(1, ceil(case.said.get("weight", 0) / spell["load"])) if "load" in spell else 1


def resisting(case: Case, spell: Entry, force: int, hits: int, near: list[tuple[str, Entry]]) -> None:
    """What it does to those who resist; with an area the spell is kept up once."""
    if spell.get("area"):
        case.out({"spell.success": hits > 0})
    for name, victim in near:
        short, dot = ("", "target.") if name == "target" else (f"{name}.", f"{name}.")
        if spell.get("area") and ceil(victim.get("center_distance", 0)) > force:
            case.out({"result": "outside"}, dot)
            continue
        against, lifting = 0, hits
        if spell.get("does") == "levitate" and case.options.get("levitate_unwilling") == "force":
            lifting = case.table.roll(2 * force, "caster", "lifting", 0).hits
        if hits >= needed(case, spell) and hits > victim.get("guarded", 0):
            pool = case.totals[f"{short}spell-opposition.pool"]
            against = case.table.roll(pool, name, "opposition", victim.get("edge", 0)).hits
        net = max(0, lifting - victim.get("guarded", 0) - against) if hits >= needed(case, spell) else 0
        lost = min(net, case.options.get("confusion_cap", 0) or net)
        number = {
            "confuse": ("dice_lost", lost),
            "control": ("mind_control", net),
            "levitate": ("metres_turn", force * net),
            "petrify": ("spell_armor", net),
            "lower-attribute": ("lowered", net),
        }.get(spell.get("does", ""))
        alone = {} if spell.get("area") else {"success": net > 0}
        case.out({"affected": net > 0, "net_hits": net, **alone, **dict([number] if number else [])}, dot)


def perceive_illusion(case: Case) -> None:
    """As many hits as the spell has."""
    case.only(["tester", "target"])
    viewer, target = person(case.said["tester"]), person(case.said["target"])
    physical = bool(target.get("physical_illusion"))
    if viewer.get("vehicle"):
        case.out({"sees_through": not physical or target["invisibility"] < 6})
        return
    dice = viewer["intuition" if physical else "willpower"] + viewer.get("counterspelling", 0)
    pool = case.total("illusion.pool", dice - wounds(viewer, case.options))
    hits = case.table.roll(pool, "tester", "illusion", viewer.get("edge", 0)).hits
    case.out({"sees_through": hits >= target["invisibility"]})


def break_control(case: Case) -> None:
    """Hits take net hits away."""
    case.only(["tester", "target"])
    victim = person(case.said["tester"])
    dice = victim["willpower"] + victim.get("counterspelling", 0) - wounds(victim, case.options)
    pool = case.total("break-out.pool", dice)
    hits = case.table.roll(pool, "tester", "break_out", victim.get("edge", 0)).hits
    left = max(0, victim["mind_control"] - hits)
    if left and case.options.get("control_break") == "once":
        left = victim["mind_control"]
    case.out({"net_hits_left": left, "free": left == 0})


def dispel(case: Case) -> None:
    """Hits of a spell less, and its drain."""
    case.only(["caster", "target", "victim_1", "spell", "force", "hits"])
    caster, force = person(case.said["caster"]), case.said["force"]
    spell = entries("powers")[case.said["spell"]]
    dice = caster["magic"] + caster["skills"]["counterspelling"] - wounds(caster, case.options)
    pool = case.total("dispelling.pool", dice)
    alone = case.options.get("dispel_against") == "force"
    against = case.total("spell-strength.pool", force + (0 if alone else case.said["target"]["magic"]))
    mine = case.table.roll(pool, "caster", "dispel", caster.get("edge", 0)).hits
    net = max(0, mine - case.table.roll(against, "target", "withstand", 0).hits)
    left = max(0, case.said["hits"] - net)
    case.out({"spell.net_hits": net, "spell.spell_hits_left": left, "spell.ended": left == 0})
    drain(case, spell, caster, force, 0, caster)


def boost_attribute(case: Case) -> None:
    """Points for a time, or the drain of it."""
    case.only(["tester", "boosts", "level", "augmented_maximum", "ended"])
    adept, level = person(case.said["tester"]), case.said["level"]
    if case.said.get("ended"):
        pool = case.totals["boost-drain.pool"] = adept["willpower"] + adept["body"]
        left = max(0, level - case.table.roll(pool, "tester", "drain", adept.get("edge", 0)).hits)
        case.out({"drain": level, "drain_damage": left, "drain_track": "stun"})
        case.mark("tester", "stun", left)
        return
    pool = case.total("boost.pool", adept["magic"] + level - wounds(adept, case.options))
    hits = case.table.roll(pool, "tester", "boost", adept.get("edge", 0)).hits
    room = case.said.get("augmented_maximum", 99) - adept[case.said["boosts"]]
    case.out({"points": min(hits, room), "turns": 2 * hits})


def order_spirit(case: Case) -> None:
    """What an order costs of the services that are owed (section 30.3)."""
    case.only(["caster", "target", "order"])
    order, spirit = case.said["order"], case.said["target"]
    owed: int = spirit["services"]
    covered = spirit.get("fights") and not (order == "power" and case.options.get("service_per_power"))
    price = {"new-target": 0, "standby": 0, "remote": owed}.get(order, 1)
    price = 0 if covered and order in {"fight", "power"} else price
    if price > owed or (order == "remote" and not owed):
        case.refusals.add("no_services")
        return
    case.out({"spent": price, "services_left": owed - price})
    helps = {"aid-sorcery": "dice", "sustain-spell": "turns"}
    case.out({helps[order]: spirit["force"]} if order in helps else {})


def touches(case: Case, caster: Entry, target: Entry) -> bool:
    """The touch of section 9.1; a tie touches."""
    attack = Roll(case.table, case.totals["touch.pool"], "caster", "touch", caster.get("edge", 0))
    case.out({"touch_hits": attack.hits})
    if target.get("unaware") or attack.none:
        return attack.hits > 0
    avoid = Roll(case.table, case.totals["touch-defense.pool"], "target", "avoid", target.get("edge", 0))
    case.out({"avoid_hits": avoid.hits})
    return opposed(case, attack, avoid, contact=True)[1] is not None


def struck(
    case: Case, spell: Entry, force: int, hits: int, name: str, victim: Entry, *, resisted: bool = True
) -> int:
    """What the spell does to one person; the net hits that raise its damage."""
    short, dot = ("", "target.") if name == "target" else (f"{name}.", f"{name}.")
    direct = spell["attack"] == "direct"
    case.out({"damage": 0}, dot)
    if ceil(victim.get("center_distance", 0)) > force:
        case.out({"result": "outside"}, dot)
        return 0
    against, guarded = victim.get("object_resistance", 0), victim.get("guarded", 0)
    hits -= guarded if direct else 0
    rolls = (hits > 0 or not spell.get("area")) if direct else not victim.get("unaware")
    if "object_resistance" not in victim and rolls and resisted:
        pool = case.totals[f"{short}spell-{'opposition' if direct else 'defense'}.pool"]
        against = case.table.roll(pool, name, "opposition", victim.get("edge", 0)).hits
        case.out({"resist_hits": against}, short)
    net = hits - against
    case.out({"net_hits": max(0, net), "result": "hit" if net > 0 else "resisted"}, dot)
    if net <= 0 and not direct:
        case.outcome.pop(f"{dot}result")
    if net <= 0:
        return 0
    if not direct:
        armor, soak = case.totals[f"{short}spell-armor.rating"], case.totals[f"{short}spell-soak.pool"]
        element = spell.get("element")
        kind = "stun" if element == "electricity" else spell["damage"]
        value = ceil(person(case.said["caster"])["magic"] / 2) if spell.get("half_magic") else force
        hurt(case, name, victim, Harm(value, kind, armor, burst=-guarded), net, soak, prefix=dot)
        case.out({"burning_dv": force + net if element == "fire" and force + net > armor else None}, dot)
        if element == "electricity":
            shock(case, name, victim, net, prefix=dot)
        return 0
    chosen = case.table.decided("spell-net-hits", "caster")
    used = net if chosen is None else int(chosen)
    damage = force + used
    if "object_resistance" not in victim:
        case.out({"knockdown": damage > victim["body"] or damage >= 10}, dot)
        fill(case, name, victim, damage, spell["damage"], prefix=dot)
        if victim.get("regenerates") and case.options.get("regeneration_excludes", "both") in (
            "both",
            "magic",
        ):
            case.mark(name, "lasting", damage)
    case.out({"damage": damage, "track": spell["damage"], "dv": damage}, dot)
    return used


def helped(case: Case, spell: Entry, hits: int, whom: Entry) -> None:
    """Spells that hurt nobody."""
    case.out({"spell.success": hits > 0, "spell.hits": hits})
    if spell.get("does") == "reflexes":
        boost = max(0, min(3, hits - 1))  # 2, 3 and 4 hits
        case.out({"spell.reflex_boost": boost, "spell.success": boost > 0})
    elif spell.get("does") == "heal":
        healed = min(hits, whom["physical"])
        case.out({"spell.healed": healed})
        case.mark("target", "physical", -healed)
    elif spell.get("does") == "levitate":
        over = hits - needed(case, spell)
        case.out({"spell.success": over >= 0, "spell.metres_turn": max(0, over) * case.said["force"]})
    elif spell.get("does") == "mana-barrier" and case.options.get("mana_barrier_dice") == "force":
        case.out({"spell.mana_barrier": case.said["force"]})
    elif spell.get("does") == "detox":
        pass
    elif spell.get("does") in HELPS:
        case.out({HELPS[spell["does"]]: hits})
    else:
        raise NotUnderstoodError(f"spell: {spell['slug']}")


def drain(case: Case, spell: Entry, caster: Entry, force: int, used: int, target: Entry) -> None:
    """Half the Force and what the spell adds, at least one; Physical for more Force than Magic."""
    base = target.get("physical", 0) if spell["drain_basis"] == "damage" else force // 2
    base = case.said["toxin_power"] if spell["drain_basis"] == "power" else base
    value = max(1, base + spell["drain"])
    case.totals["drain.value"] = value
    value += used if case.options.get("direct_spell_net_drain") else 0
    pool = caster.get("drain_pool")
    if pool is None:
        pool = caster["willpower"] + caster[TRADITIONS[caster["tradition"]]]
    case.totals["drain.pool"] = pool
    hits = case.table.roll(pool, "caster", "drain", caster.get("edge", 0)).hits
    left, track = max(0, value - hits), "physical" if force > caster["magic"] else "stun"
    case.out({"drain": value, "drain_hits": hits, "drain_damage": left, "drain_track": track}, "caster.")
    fill(case, "caster", caster, left, track, prefix="caster.drain_")
