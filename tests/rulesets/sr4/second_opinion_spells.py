"""The second opinion on spells (section 16). See `second_opinion`."""

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
}
"""Spells whose hits are what they give."""


def cast_spell(case: Case) -> None:
    """Cast, oppose, resist, and take the drain."""
    named = [name for name in case.said if name.startswith("victim_")]
    case.only(["caster", "target", "spell", "force", "distance", "attribute", *named])
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
    if spell.get("touch") and not touches(case, caster, near[0][1]):
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
    if spell.get("attack"):
        for name, victim in near:
            used = max(used, struck(case, spell, force, hits, name, victim))
    else:
        helped(case, spell, hits, near[0][1] if near else caster)
    drain(case, spell, caster, force, used, near[0][1] if near else caster)


def pools(case: Case, spell: Entry, caster: Entry, near: list[tuple[str, Entry]]) -> None:
    """All pools before the first roll."""
    pool = caster["magic"] + caster["skills"]["spellcasting"] - wounds(caster, case.options)
    if caster.get("focus_active"):
        pool += max(caster.get("spellcasting_focus", 0), caster.get("power_focus", 0))
    case.total("spell.pool", pool)
    if spell.get("touch"):
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
            dice = victim[spell["resist"]] + victim.get("counterspelling", 0) - wounds(victim, case.options)
            dice += victim.get("mana_barrier", 0) if spell["resist"] == "willpower" else 0
            case.total(f"{prefix}spell-opposition.pool", dice)
        elif spell.get("attack") == "indirect":
            case.total(f"{prefix}spell-defense.pool", dodging_dice(case, victim, {}, 1))
            armor = armor_against(case, victim, {"ap_half": True, "element": spell.get("element", "")})
            armor += victim.get("spell_barrier", 0)
            case.totals[f"{prefix}spell-armor.rating"] = armor
            dice = victim["body"] + armor + victim.get("counterspelling", 0) + victim.get("soak_bonus", 0)
            case.total(f"{prefix}spell-soak.pool", dice)


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
    against = victim.get("object_resistance", 0)
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
        hurt(case, name, victim, Harm(force, kind, armor), net, soak, prefix=dot)
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
    elif spell.get("does") in HELPS:
        case.out({HELPS[spell["does"]]: hits})
    else:
        raise NotUnderstoodError(f"spell: {spell['slug']}")


def drain(case: Case, spell: Entry, caster: Entry, force: int, used: int, target: Entry) -> None:
    """Half the Force and what the spell adds, at least one; Physical for more Force than Magic."""
    base = target.get("physical", 0) if spell["drain_basis"] == "damage" else force // 2
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
