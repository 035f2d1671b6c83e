"""The second opinion on sr5: other spells, and powers of spirits (11.9, 13.2). See `second_opinion_sr5`."""

from __future__ import annotations

from second_opinion_sr5_harm import Harm, missed, protected, struck
from second_opinion_sr5_people import Person, skilled
from second_opinion_sr5_rules import Case, Roll, alone, attempted

SPELLS = {  # attributes that resist, drain, condition, what changes by net hits and how, sustained
    "confusion": (("willpower", "logic"), -3, "confused", "add_tests.all", -1),
    "armor": ((), -2, "armored", "add_armor_bonus", 1),
    "control-actions": (("willpower", "logic"), -1, "controlled", "", 1),
    "stabilize": ((), -4, "stabilized", "", 1),
    "agony": (("willpower", "logic"), -4, "in-agony", "add_pain_resistance", -1),
    "physical-barrier": ((), -1, "physical-barrier", "set_barrier", 1),
}
EXOTIC = "exotic-ranged-weapon"
CONFUSING = ("willpower", "logic")


def work_spell(case: Case) -> None:
    """Magic + Spellcasting [Force], what resists, and drain."""
    case.only("caster target act force")
    if case.said["act"].startswith("boost-"):
        _boost(case)
        return
    who, target, force = case.person("caster"), case.person("target"), case.said["force"]
    against, code, condition, detail, sign = SPELLS[case.said["act"]]
    drams = who.get("reagents", 0)
    if drams and not case.asks("reagents", "limit") and not case.asks("reagents", "trinket"):
        case.refusals.add("no_reagents")
        return
    more = drams if case.asks("reagents", "trinket") else 0
    dice = case.pool("spellcasting.pool", skilled(who, "magic", "spellcasting") + who.wounds + more)
    drain = case.total("drain.value", max(2, force + code))
    limit = case.total("spellcasting.limit", drams if drams and not more else force)
    casting = alone(case, "caster", "working", dice, limit)
    net = casting.kept
    case.prefix = "target."
    if against:
        pool = case.pool("spell-resistance.pool", sum(target[name] for name in against) + target.wounds)
        net = max(0, net - alone(case, "target", "resistance", pool).kept) if net else 0
    if condition == "stabilized" and net < target["physical"] - 8 - (target["body"] + 1) // 2:
        net = 0
    case.out(success=net > 0, hits=casting.kept, net_hits=net)
    if net and condition == "stabilized":
        case.then("add-condition", "target", condition)
    elif net:
        amount = min(net, force) if condition == "confused" else net
        if condition.endswith("barrier") and case.asks("barrier_rating", "force"):
            amount = force
        case.then(
            "add-condition",
            "target" if "target" in case.said else "caster",
            condition,
            **({detail: sign * amount} if detail else {}),
            **_kept(case.said["act"], net, force),
        )
        case.then("add-condition", "caster", "sustaining")
    case.prefix = ""
    track = "physical" if casting.kept > who["magic"] else "stun"
    _drained(case, who, drain, who["drain_pool"], track)


def _steady(case: Case, target: Person) -> int:
    """What resists confusion: by the option Willpower alone."""
    return sum(target[name] for name in CONFUSING[: 1 if case.asks("confusion_defense", "willpower") else 2])


def _kept(spell: str, hits: int, force: int) -> dict[str, int]:
    """What a fight remembers of a spell that is kept up, under its own name."""
    own = spell.replace("-", "_")
    return {f"set_spell_hits_of_{own}": hits, f"set_spell_force_of_{own}": force}


def _boost(case: Case) -> None:
    """Magic + level: points on an attribute for twice as many turns, and drain of the level, which is always Stun."""
    who, level = case.person("caster"), case.said["force"]
    dice = case.pool("spellcasting.pool", who["magic"] + level + who.wounds)
    case.total("drain.value", level)
    hits = alone(case, "caster", "working", dice).kept
    case.out(**{"target.success": hits > 0, "target.hits": hits, "target.net_hits": hits})
    if hits:
        points = {f"add_{case.said['act'].removeprefix('boost-')}": hits}
        case.then("add-condition", "caster", "boosted", **points, length=2 * hits, unit="turn")
    _drained(case, who, level, who["body"] + who["willpower"], "stun")


def _drained(case: Case, who: Person, drain: int, pool: int, track: str) -> None:
    """What is left of drain."""
    case.prefix = "drain."
    boxes = max(0, drain - alone(case, "caster", "drain", case.pool("drain.pool", pool)).kept)
    case.out(damage=boxes, track=track)
    if boxes:
        case.then("mark", "caster", track, amount=boxes)
    case.prefix = ""


def _breaks_free(case: Case) -> None:
    """Logic + Willpower of the one who is under the spell; each hit takes one of its net hits."""
    who = case.person("caster")
    had = who["spell_hits"]
    dice = case.pool("dispelling.pool", who["logic"] + who["willpower"] + who.wounds)
    hits, act = alone(case, "caster", "dispelling", dice).kept, case.said["act"]
    case.out(success=hits > 0, net_hits=hits, ended=hits >= had, hits_left=max(0, had - hits))
    if hits >= had:
        case.then("remove-condition", "caster", SPELLS[act][2])
        case.then("remove-condition", "target", "sustaining", amount=1)
    elif hits:
        case.then("add-condition", "caster", SPELLS[act][2], **_kept(act, had - hits, who["spell_force"]))


def dispel(case: Case) -> None:
    """Magic + Counterspelling [Astral] against Force + Magic of the caster; net hits are taken off the spell."""
    case.only("caster target maker act force by_will")
    if case.said.get("by_will"):
        _breaks_free(case)
        return
    who, target, maker, force = (*map(case.person, ("caster", "target", "maker")), case.said["force"])
    _, code, condition, detail, sign = SPELLS[case.said["act"]]
    dice = case.pool("dispelling.pool", skilled(who, "magic", "counterspelling") + who.wounds)
    against = case.total("spell-strength.dice", force + maker["magic"])
    drain = case.total("drain.value", max(2, force + code))
    roll = Roll(case, "caster", "dispelling", dice, case.total("dispelling.limit", who["astral_limit"]))
    spell = Roll(case, "caster", "spell", against)
    attempted(roll, spell)
    net, had = max(0, roll.kept - spell.kept), target["spell_hits"]
    case.prefix = "spell."
    case.out(success=net > 0, net_hits=net, ended=net >= had, hits_left=max(0, had - net))
    if net >= had:
        case.then("remove-condition", "target", condition)
        case.then("remove-condition", "maker", "sustaining", amount=1)
    elif net:
        left = {detail: sign * (had - net), **_kept(case.said["act"], had - net, force)}
        case.then("add-condition", "target", condition, **left)
    case.prefix = ""
    track = "physical" if roll.kept > who["magic"] else "stun"
    _drained(case, who, drain, who["drain_pool"], track)


def _astral(case: Case) -> None:
    """Willpower + Astral Combat [Astral] against Intuition + Logic: Charisma and net hits, which Willpower resists."""
    who, target = case.person("attacker"), case.person("target")
    track = "physical" if case.said["act"].endswith("physical") else "stun"
    dice = case.pool("power.pool", skilled(who, "willpower", "astral-combat") + who.wounds)
    limit = case.total("power.limit", who["astral_limit"])
    against = case.pool("power-resistance.pool", target["intuition"] + target["logic"] + target.wounds)
    soak = case.pool("soak.pool", target["willpower"])
    hits = alone(case, "attacker", "working", dice, limit).kept
    net = hits - alone(case, "target", "resistance", against).kept
    if net <= 0:
        missed(case, "miss")
        return
    case.out(result="hit", net_hits=net, modified_dv=who["charisma"] + net, converted_to_stun=False)
    boxes = max(0, who["charisma"] + net - alone(case, "target", "soak", soak).kept)
    case.out(damage=boxes, track=track, contact=True, knockdown=False)
    if boxes:
        case.then("mark", "target", track, amount=boxes)


def _pressed(case: Case) -> None:
    """Magic + Charisma [Astral] against twice the Force of a barrier."""
    who = case.person("attacker")
    dice = case.pool("power.pool", who["magic"] + who["charisma"] + who.wounds)
    limit = case.total("power.limit", who["astral_limit"])
    against = case.pool("power-resistance.pool", 2 * case.said["rating"])
    hits = alone(case, "attacker", "working", dice, limit).kept
    net = max(0, hits - alone(case, "attacker", "resistance", against).kept) if hits else 0
    case.out(success=net > 0, hits=hits, net_hits=net)


def use_power(case: Case) -> None:
    """Force or Magic with an attribute, or a skill, against what resists."""
    case.only("attacker target act rating damage")
    who, act = case.person("attacker"), case.said["act"]
    if act == "press-through-barrier":
        _pressed(case)
        return
    if act.startswith("astral-attack"):
        _astral(case)
        return
    force = who["force"] if who.has("force") else who["magic"]
    if act == "regeneration":
        dice = case.pool("power.pool", force + who["body"] + who.wounds)
        hits = alone(case, "attacker", "working", dice).kept
        filled = who["physical"] + who["stun"]
        case.out(success=hits > 0, hits=hits, net_hits=hits, boxes=min(hits, filled))
        if min(hits, who["physical"]):
            case.then("mark", "attacker", "physical", amount=-min(hits, who["physical"]))
        return
    target = case.person("target")
    if act == "confusion":
        dice = case.pool("power.pool", force + who["willpower"] + who.wounds)
        against = case.pool("power-resistance.pool", _steady(case, target) + target.wounds)
        hits = alone(case, "attacker", "working", dice).kept
        net = max(0, hits - alone(case, "target", "resistance", against).kept)
        case.out(success=net > 0, hits=hits, net_hits=net)
        if net:
            case.then("add-condition", "target", "confused-by-a-power", **{"add_tests.all": -net})
        return
    skill = {"elemental-attack": EXOTIC, "corrosive-spit": EXOTIC, "engulf": "unarmed-combat"}[act]
    dice = case.pool("power.pool", skilled(who, "agility", skill) + who.wounds)
    limit = case.total("power.limit", who.physical_limit)
    against = case.pool("power-resistance.pool", target["reaction"] + target["intuition"] + target.wounds)
    element, factor = {"corrosive-spit": "chemical"}.get(act, ""), 2
    if act == "engulf" and who.has("aura"):  # it names the element; in the ordinary game it burns, too
        element, factor = who["aura"], 2 if case.asks("energy_aura", "engulf") else 3
    harm = Harm(factor * force, "physical", -force, case.said.get("damage", {}).get("element", element))
    armor, soak = protected(case, "target", harm)
    hits = alone(case, "attacker", "working", dice, limit).kept
    net = hits - alone(case, "target", "resistance", against).kept
    if net <= 0:
        missed(case, "miss")
        return
    struck(case, "target", harm, net, armor, soak)
    case.then("gain", "target", "defenses-made", amount=1)


THREADS = {  # what resists, fading
    "tattletale": ((), -3),
    "cleaner": ((), -2),
    "pulse-storm": (("logic", "data_processing"), -3),
    "diffusion-of-firewall": (("willpower", "firewall"), -2),
}


def _thread(case: Case) -> None:
    """Forms that change a score or an attribute, or make noise."""
    who, target, level, act = (*map(case.person, ("caster", "target")), case.said["force"], case.said["act"])
    against, code = THREADS[act]
    dice = case.pool("threading.pool", skilled(who, "resonance", "software") + who.wounds)
    fading = case.total("drain.value", max(2, level + code))
    pool = sum(target[name] for name in against) + target.wounds
    pool = case.pool("power-resistance.pool", pool) if against else 0
    threading = alone(case, "caster", "working", dice, case.total("threading.limit", level))
    case.prefix = "target."
    resisted = alone(case, "target", "resistance", pool).kept if against and threading.kept else 0
    net = max(0, threading.kept - resisted)
    case.out(success=net > 0, hits=threading.kept, net_hits=net)
    if net and act in ("tattletale", "cleaner"):
        case.then("mark", "target", "overwatch", amount=net if act == "tattletale" else -net)
        if (
            act == "tattletale"
            and target.has("overwatch")
            and target["overwatch"] < 40 <= target["overwatch"] + net
        ):
            case.then("add-condition", "target", "converging")
    elif net and act == "pulse-storm":
        case.then("add-condition", "target", "stormed", towards="caster", set_storm=net)
    elif net:
        lost = min(net, target["firewall"] - 1)
        kept = _kept(act, net, level)
        case.then("add-condition", "target", "diffused", towards="caster", add_firewall=-lost, **kept)
        case.then("add-condition", "caster", "sustaining")
    _fade(case, fading, threading.kept)


def thread_form(case: Case) -> None:
    """Resonance + Software [Level]: net boxes of a Resonance Spike, or a Firewall that is raised; and fading."""
    case.only("caster target act force")
    if case.said["act"] in THREADS:
        _thread(case)
        return
    who, target, level = case.person("caster"), case.person("target"), case.said["force"]
    dice = case.pool("threading.pool", skilled(who, "resonance", "software") + who.wounds)
    spikes = case.said["act"] == "resonance-spike"
    fading = case.total("drain.value", max(2, level - 3 if spikes else level - 2))
    if not spikes:
        assert case.said["act"] == "infusion-of-firewall"
        threading = alone(case, "caster", "working", dice, case.total("threading.limit", level))
        kept = threading.kept
        case.prefix = "target."
        case.out(success=kept > 0, hits=kept, net_hits=kept)
        if kept:
            raised = kept if case.asks("infusion_cap", "none") else min(kept, target["firewall"])
            case.then(
                "add-condition",
                "target",
                "infused",
                towards="caster",
                add_firewall=raised,
                **_kept(case.said["act"], kept, level),
            )
            case.then("add-condition", "caster", "sustaining")
        _fade(case, fading, kept)
        return
    against = case.pool("power-resistance.pool", target["willpower"] + target["firewall"] + target.wounds)
    threading = alone(case, "caster", "working", dice, case.total("threading.limit", level))
    case.prefix = "target."
    noticed = alone(case, "target", "resistance", against).kept if threading.kept else 0
    net = max(0, threading.kept - noticed)
    case.out(success=net > 0, hits=threading.kept, net_hits=net, damage=net)
    if case.asks("forms_overwatch", "spike"):
        case.out(overwatch=noticed)
        if noticed:
            case.then("gain", "caster", "overwatch", amount=noticed)
    if net:
        case.then("mark", "target", "device-damage", amount=net)
    _fade(case, fading, threading.kept)


def compile_sprite(case: Case) -> None:
    """Resonance + Compiling [Level] against the Level; fading by the hits of the sprite."""
    case.only("caster force")
    who, level = case.person("caster"), case.said["force"]
    dice = case.pool("compiling.pool", skilled(who, "resonance", "compiling") + who.wounds)
    against = case.pool("spirit.pool", level)
    compiling = Roll(case, "caster", "compiling", dice, level)
    sprite = Roll(case, "target", "spirit", against)
    attempted(compiling, sprite)
    net = max(0, compiling.kept - sprite.kept)
    case.out(**{"spirit.success": net > 0, "spirit.services": net})
    _fade(case, max(2, 2 * sprite.kept), compiling.kept)


def _fade(case: Case, fading: int, kept: int) -> None:
    """Fading: Resonance + Willpower."""
    who = case.person("caster")
    case.prefix = "drain."
    pool = case.pool("drain.pool", who["resonance"] + who["willpower"])
    boxes = max(0, fading - alone(case, "caster", "drain", pool).kept)
    track = "physical" if kept > who["resonance"] else "stun"
    case.out(dv=fading, damage=boxes, track=track)
    if boxes:
        case.then("mark", "caster", track, amount=boxes)
    case.prefix = ""


TOXINS = {"neuro-stun-x": (15, -2, "disoriented"), "pepper-punch": (11, 0, "retching")}


def resist_toxin(case: Case) -> None:
    """Body + Willpower + protection against the Power."""
    case.only("target toxin power doses")
    who = case.person("target")
    power, penetration, does = TOXINS[case.said["toxin"]]
    protection = who.get("toxin_protection", 0)
    power = case.total("toxin.power", case.said.get("power", power) + case.said.get("doses", 0))
    dice = who["body"] + who["willpower"] + max(0, protection + penetration)
    left = max(0, power - alone(case, "target", "toxin", case.pool("toxin-resistance.pool", dice)).kept)
    case.out(power_left=left, damage=left, track="stun")
    if left:
        case.then("mark", "target", "stun", amount=left)
        if does == "disoriented":
            case.then("add-condition", "target", "disoriented")
        elif left > who["willpower"]:
            case.then("add-condition", "target", "retching", length=3, unit="turn")


POWERS = {
    "work-spell": work_spell,
    "dispel": dispel,
    "use-power": use_power,
    "thread-form": thread_form,
    "compile-sprite": compile_sprite,
    "resist-toxin": resist_toxin,
}
