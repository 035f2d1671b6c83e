"""The second opinion on sr5: other spells, and powers of spirits (11.9, 13.2). See `second_opinion_sr5`."""

from __future__ import annotations

from typing import NamedTuple

from second_opinion_sr5_harm import Harm, missed, protected, struck, suffer
from second_opinion_sr5_magic import OF_A_MACHINE, drain_pool
from second_opinion_sr5_people import Person, skilled
from second_opinion_sr5_rules import Case, Roll, alone, attempted

ATTRIBUTES = ("body", "agility", "reaction", "strength", "willpower", "logic", "intuition", "charisma")
WILL, CHAOS, NOBODY = ("willpower", "logic"), ("intuition", "logic"), ()


class Spell(NamedTuple):
    """A spell that is no combat spell.

    Attributes:
        code: drain beside the Force.
        gives: its condition; "" for none.
        against: attributes that resist.
        detail: what of the condition changes by net hits.
        most: the highest number; 0 for none.
        kept: it is sustained.
    """

    code: int
    gives: str
    against: tuple[str, ...] = NOBODY
    detail: str = ""
    sign: int = 1
    most: int | str = 0
    kept: bool = True


SPELLS: dict[str, Spell] = {
    "combat-sense": Spell(0, "combat-sense", detail="add_defense.pool"),
    "detect-enemies": Spell(-2, "detects-enemies"),
    "detect-life": Spell(-3, "detects-life"),
    "clairvoyance": Spell(-3, "sees-afar"),
    "mindlink": Spell(-1, "linked-in-mind"),
    "analyze-device": Spell(-3, "analyzes-a-device", detail="set_analysis", most="force"),
    # Health
    "heal": Spell(-4, "", kept=False),
    "stabilize": Spell(-4, "stabilized", kept=False),
    "antidote": Spell(-3, "antidote", detail="add_toxin_protection", kept=False),
    "detox": Spell(-6, "detoxified", kept=False),
    "resist-pain": Spell(-4, "resists-pain", detail="add_pain_resistance"),
    "oxygenate": Spell(-5, "oxygenated"),
    "prophylaxis": Spell(-4, "prophylaxis", detail="add_toxin_protection"),
    "increase-reflexes": Spell(0, "increased-reflexes"),
    **{
        f"increase-{name}": Spell(-3, f"increased-{name}", detail=f"add_{name}", most=4)
        for name in ATTRIBUTES
    },
    **{
        f"decrease-{name}": Spell(-2, f"decreased-{name}", (name, "willpower"), f"add_{name}", -1)
        for name in ATTRIBUTES
    },
    # Illusions
    "confusion": Spell(-3, "confused", WILL, "add_tests.all", -1, "force"),
    "chaos": Spell(-2, "in-chaos", CHAOS, "add_tests.all", -1, "force"),
    "bugs": Spell(-3, "plagued", WILL, "add_tests.all", -1, "force"),
    "agony": Spell(-4, "in-agony", WILL, "add_pain_resistance", -1),
    "invisibility": Spell(-2, "invisible"),
    "improved-invisibility": Spell(-1, "invisible-to-devices"),
    "silence": Spell(-1, "silenced"),
    "hush": Spell(-2, "hushed"),
    "stealth": Spell(-2, "inaudible"),
    "physical-mask": Spell(-1, "masked"),
    # Manipulations
    "shadow": Spell(-3, "in-shadow"),
    "light": Spell(-4, "lit"),
    "armor": Spell(-2, "armored", detail="add_armor_bonus"),
    "control-actions": Spell(-1, "controlled", WILL),
    "control-thoughts": Spell(-1, "obedient", WILL),
    "influence": Spell(-1, "influenced", WILL, kept=False),
    "ignite": Spell(-1, "burning", ("body",), kept=False),
    "levitate": Spell(-2, "levitated", ("body", "strength")),
    "magic-fingers": Spell(-2, "has-magic-fingers", detail="set_magic_fingers"),
    "mana-barrier": Spell(-2, "mana-barrier", detail="set_mana_barrier"),
    "physical-barrier": Spell(-1, "physical-barrier", detail="set_barrier"),
    "poltergeist": Spell(-2, "in-a-poltergeist"),
    "animate": Spell(-1, "animates"),
}
QUICKER = (0, 1, 1, 2, 2, 3, 3)
"""Dice of Increase Reflexes by hits; all that are more are 4."""
EXOTIC = "exotic-ranged-weapon"
CONFUSING = ("willpower", "logic")


def work_spell(case: Case) -> None:
    """Magic + Spellcasting [Force], what resists, and drain."""
    case.only("caster target act force")
    if case.said["act"].startswith("boost-"):
        _boost(case)
        return
    who, target, force = case.person("caster"), case.person("target"), case.said["force"]
    spell = SPELLS[case.said["act"]]
    under = target if case.said.get("target") else who
    how, _, raised = case.said["act"].partition("-")
    if how == "increase" and under.get(raised, 0) > force:
        case.refusals.add("below_the_attribute")
        return
    drams = who.get("reagents", 0)
    if drams and not case.asks("reagents", "limit") and not case.asks("reagents", "trinket"):
        case.refusals.add("no_reagents")
        return
    more = drams if case.asks("reagents", "trinket") else 0
    more += 2 if who.get("specialized") else 0
    if how in ("increase", "decrease") or case.said["act"] in ("heal", "stabilize"):
        more -= max(0, int(6 - under.get("essence", 6)))
    dice = case.pool("spellcasting.pool", skilled(who, "magic", "spellcasting") + who.wounds + more)
    drain = case.total("drain.value", max(2, force + spell.code))
    limit = case.total("spellcasting.limit", drams if drams and case.asks("reagents", "limit") else force)
    resists = 0
    if spell.against:
        if target.get("vehicle") and case.said["act"] in ("chaos", "ignite", "levitate"):
            pool = target.get("pool", OF_A_MACHINE)
        else:
            pool = target["pool"] if target.has("pool") else sum(target[name] for name in spell.against)
        resists = case.pool("spell-resistance.pool", pool + target.wounds)
    resisting = drain_pool(case)
    casting = alone(case, "caster", "working", dice, limit)
    net = casting.kept
    case.prefix = "target."
    if spell.against and net:
        net = max(0, net - alone(case, "target", "resistance", resists).kept)
    if spell.gives == "stabilized" and net < target["physical"] - 8 - (target["body"] + 1) // 2:
        net = 0
    case.out(success=net > 0, hits=casting.kept, net_hits=net)
    if net:
        _takes_hold(case, case.said["act"], net, force)
    _drained(case, who, drain, resisting, "physical" if casting.kept > who["magic"] else "stun")


def _takes_hold(case: Case, act: str, net: int, force: int) -> None:
    """What a spell brings with its net hits."""
    spell = SPELLS[act]
    onto = "target" if "target" in case.said and act != "animate" else "caster"
    if act == "heal":
        _heal(case, onto, net)
        return
    amount = min(net, force if spell.most == "force" else int(spell.most) or net)
    if spell.gives.endswith("barrier") and case.asks("barrier_rating", "force"):
        amount = force
    detail = {spell.detail: spell.sign * amount} if spell.detail else {}
    if act == "increase-reflexes":
        dice = (QUICKER[net - 1 :] or (4,))[0]
        detail = {"set_initiative_dice_of_a_spell": dice, "set_initiative_of_a_spell": min(net, 12)}
    kept = _kept(act, net, force) if spell.kept else {}
    case.then("add-condition", onto, spell.gives, **detail, **kept)
    if spell.kept:
        case.then("add-condition", "caster", "sustaining")


def _heal(case: Case, onto: str, net: int) -> None:
    """A box for each hit, Physical first."""
    who = case.person(onto)
    physical = min(net, who["physical"])
    stun = min(net - physical, who["stun"])
    case.out(boxes=physical + stun)
    for track, boxes in (("physical", physical), ("stun", stun)):
        if boxes:
            case.then("mark", onto, track, amount=-boxes)


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
        suffer(case, "caster", boxes, track, falls=False)
    case.prefix = ""


def _breaks_free(case: Case) -> None:
    """Logic + Willpower of the one who is under the spell; each hit takes one of its net hits."""
    who = case.person("caster")
    had = who["spell_hits"]
    dice = case.pool("dispelling.pool", who["logic"] + who["willpower"] + who.wounds)
    hits, act = alone(case, "caster", "dispelling", dice).kept, case.said["act"]
    case.out(success=hits > 0, net_hits=hits, ended=hits >= had, hits_left=max(0, had - hits))
    if hits >= had:
        case.then("remove-condition", "caster", SPELLS[act].gives)
        case.then("remove-condition", "target", "sustaining", amount=1)
    elif hits:
        case.then("add-condition", "caster", SPELLS[act].gives, **_kept(act, had - hits, who["spell_force"]))


def dispel(case: Case) -> None:
    """Magic + Counterspelling [Astral] against Force + Magic of the caster; net hits are taken off the spell."""
    case.only("caster target maker act force by_will form")
    if case.said.get("by_will"):
        _breaks_free(case)
        return
    if case.said.get("form"):
        _kill(case)
        return
    who, target, maker, force = (*map(case.person, ("caster", "target", "maker")), case.said["force"])
    spelled = SPELLS[case.said["act"]]
    code, condition, detail, sign = spelled.code, spelled.gives, spelled.detail, spelled.sign
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


KILLED = {"infusion-of-firewall": ("infused", 1), "diffusion-of-firewall": ("diffused", -1)}


def _kill(case: Case) -> None:
    """Resonance + Software [Level] against Level + Resonance of the maker; net hits are taken off, and fading."""
    who, maker, level, act = case.person("caster"), case.person("maker"), case.said["force"], case.said["act"]
    (condition, sign), had = KILLED[act], case.person("target")["spell_hits"]
    dice = case.pool("dispelling.pool", skilled(who, "resonance", "software") + who.wounds)
    against = case.total("spell-strength.dice", level + maker["resonance"])
    fading = case.total("drain.value", max(2, level - 2))
    roll = Roll(case, "caster", "dispelling", dice, case.total("dispelling.limit", level))
    form = Roll(case, "caster", "spell", against)
    attempted(roll, form)
    net = max(0, roll.kept - form.kept)
    left = max(0, had - net)
    case.prefix = "spell."
    case.out(success=net > 0, net_hits=net, ended=not left, hits_left=left)
    if not left:
        case.then("remove-condition", "target", condition)
        case.then("remove-condition", "maker", "sustaining", amount=1)
    elif net:
        case.then("add-condition", "target", condition, add_firewall=sign * left, **_kept(act, left, level))
    _fade(case, fading, roll.kept)


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


SPELLBOUND = {  # with the Force, what resists, the condition, what of it goes by net hits
    "accident": ("willpower", ("reaction", "intuition"), "accident-prone", ""),
    "binding": ("", ("reaction", "intuition"), "stuck", ""),
    "compulsion": ("charisma", CONFUSING, "compelled", ""),
    "confusion": ("willpower", CONFUSING, "confused-by-a-power", "add_tests.all"),
    "fear": ("willpower", CONFUSING, "afraid", "length"),
    "influence": ("charisma", CONFUSING, "influenced", ""),
    "paralyzing-howl": ("charisma", ("willpower", "intuition"), "confused-by-a-power", "add_tests.all"),
    "paralyzing-touch": ("willpower", ("body", "willpower"), "paralyzed", "length"),
    "petrification": ("willpower", ("body", "willpower"), "petrified", ""),
}


def _spellbound(case: Case, who: Person, target: Person, force: int) -> None:
    """Powers whose success is a condition; to bind, it takes a hold."""
    own, against, gives, number = SPELLBOUND[case.said["act"]]
    base = force + who[own] if own else skilled(who, "agility", "unarmed-combat")
    dice = case.pool("power.pool", base + who.wounds)
    limit = None if own else case.total("power.limit", who.physical_limit)
    resists = _steady(case, target) if gives == "confused-by-a-power" and against == CONFUSING else 0
    resists = resists or sum(target[name] for name in against)
    pool = case.pool("power-resistance.pool", resists + target.wounds)
    hits = alone(case, "attacker", "working", dice, limit).kept
    net = max(0, hits - alone(case, "target", "resistance", pool).kept) if hits else 0
    case.out(success=net > 0, hits=hits, net_hits=net)
    if net:
        detail = {number: -net if number.startswith("add") else net} if number else {}
        lasts = {"unit": "turn"} if number == "length" else {}
        case.then("add-condition", "target", gives, **detail, **lasts)


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
        case.out(success=hits > 0, hits=hits, net_hits=hits)
        _heal(case, "attacker", hits)
        return
    target = case.person("target")
    if act in SPELLBOUND:
        _spellbound(case, who, target, force)
        return
    skill = {"elemental-attack": EXOTIC, "corrosive-spit": EXOTIC, "engulf": "unarmed-combat"}[act]
    dice = case.pool("power.pool", skilled(who, "agility", skill) + who.wounds)
    limit = case.total("power.limit", who.physical_limit)
    against = case.pool("power-resistance.pool", target["reaction"] + target["intuition"] + target.wounds)
    element, factor = {"corrosive-spit": "chemical"}.get(act, ""), 2
    if act == "engulf" and who.has("aura"):  # it names the element; in the ordinary game it burns, too
        element, factor = who["aura"], 2 if case.asks("energy_aura", "engulf") else 3
    harm = Harm(factor * force, "physical", -force, case.said.get("damage", {}).get("element", element))
    harm = harm._replace(passes=True)
    armor, soak = protected(case, "target", harm)
    hits = alone(case, "attacker", "working", dice, limit).kept
    net = hits - alone(case, "target", "resistance", against).kept if hits else 0
    case.then("gain", "target", "defenses-made", amount=1)
    if net <= 0:
        missed(case, "miss")
        return
    if act == "engulf":
        case.then("add-condition", "target", "engulfed", towards="attacker")
    struck(case, "target", harm, net, armor, soak)


RATED = ("attack", "sleaze", "data-processing", "firewall")
THREADS = {  # what resists, fading
    "tattletale": ((), -3),
    "cleaner": ((), -2),
    "pulse-storm": (("logic", "data_processing"), -3),
    **dict.fromkeys((f"diffusion-of-{name}" for name in RATED), (("willpower", "firewall"), -2)),
    **dict.fromkeys((f"infusion-of-{name}" for name in RATED), ((), -2)),
    "editor": (("intuition", "data_processing"), -1),
    "puppeteer": (("willpower", "firewall"), 1),
    "resonance-channel": ((), -3),
    "resonance-veil": (("intuition", "data_processing"), -3),
    "static-bomb": (("intuition", "data_processing"), -1),
    "static-veil": ((), -3),
    "stitches": ((), -3),
    "transcendent-grid": ((), -3),
}
VEILS = {"resonance-channel": "channeled", "resonance-veil": "veiled"}


def _thread(case: Case) -> None:
    """Forms that change a score or an attribute, or make noise."""
    who, target, level, act = (*map(case.person, ("caster", "target")), case.said["force"], case.said["act"])
    if level > 2 * who["resonance"]:
        case.refusals.add("above_resonance")
        return
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
    if act == "stitches":
        case.out(damage=net)
    if net:
        _threaded(case, act, net, level)
    _fade(case, fading, threading.kept)


def _threaded(case: Case, act: str, net: int, level: int) -> None:
    """What a form brings on its target, and on the technomancer who keeps it up."""
    target, held = case.person("target"), act in ("static-veil", *VEILS)
    if act in ("tattletale", "cleaner"):
        case.then("mark", "target", "overwatch", amount=net if act == "tattletale" else -net)
        score = target.get("overwatch", 40)
        if act == "tattletale" and score < 40 <= score + net:
            case.then("add-condition", "target", "converging")
    elif act == "pulse-storm":
        case.then("add-condition", "target", "stormed", towards="caster", set_storm=net)
    elif act == "stitches":
        case.then("mark", "target", "device-damage", amount=-net)
    elif act == "static-bomb":
        case.then("add-condition", "target", "lost-sight", towards="caster")
    elif act == "transcendent-grid":
        case.then("add-condition", "caster", "on-every-grid")
    elif act in VEILS:
        case.then("add-condition", "target", VEILS[act], towards="caster", **_kept(act, net, level))
    elif "-of-" in act:
        held, (how, _, name) = True, act.partition("-of-")
        name = name.replace("-", "_")
        if how == "diffusion":
            points = min(net, target[name] - 1)
        else:
            points = net if case.asks("infusion_cap", "none") else min(net, target[name])
        change = {f"add_{name}": -points if how == "diffusion" else points}
        slug = "diffused" if how == "diffusion" else "infused"
        case.then("add-condition", "target", slug, towards="caster", **change, **_kept(act, points, level))
    if held:
        case.then("add-condition", "caster", "sustaining")


def thread_form(case: Case) -> None:
    """Resonance + Software [Level]: net boxes of a Resonance Spike, or what another form brings; and fading."""
    case.only("caster target act force")
    if case.said["act"] in THREADS:
        _thread(case)
        return
    who, target, level = case.person("caster"), case.person("target"), case.said["force"]
    if level > 2 * who["resonance"]:
        case.refusals.add("above_resonance")
        return
    dice = case.pool("threading.pool", skilled(who, "resonance", "software") + who.wounds)
    fading = case.total("drain.value", max(2, level - 3))
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
    """Resonance + Compiling [Level] against the Level; fading by the hits of the sprite, Physical by the Level."""
    case.only("caster force")
    who, level = case.person("caster"), case.said["force"]
    if level > 2 * who["resonance"]:
        case.refusals.add("above_resonance")
        return
    dice = case.pool("compiling.pool", skilled(who, "resonance", "compiling") + who.wounds)
    against = case.pool("spirit.pool", level)
    compiling = Roll(case, "caster", "compiling", dice, level)
    sprite = Roll(case, "target", "spirit", against)
    attempted(compiling, sprite)
    net = max(0, compiling.kept - sprite.kept)
    case.out(**{"spirit.success": net > 0, "spirit.services": net})
    _fade(case, max(2, 2 * sprite.kept), level)


def decompile_sprite(case: Case) -> None:
    """Resonance + Decompiling [Level] against the Level, and the Resonance of its maker; net hits take tasks."""
    case.only("caster target")
    who, sprite = case.person("caster"), case.person("target")
    level, owed = sprite["force"], sprite.get("services")
    dice = case.pool("decompiling.pool", skilled(who, "resonance", "decompiling") + who.wounds)
    against = case.pool("spirit.pool", level + sprite.get("binder_resonance", 0))
    decompiling = Roll(case, "caster", "decompiling", dice, level)
    opposing = Roll(case, "target", "spirit", against)
    attempted(decompiling, opposing)
    net = max(0, decompiling.kept - opposing.kept)
    lost = net if owed is None else min(net, owed)
    case.out(**{"spirit.success": net > 0, "spirit.services": lost})
    if lost:
        case.then("spend", "target", "services", amount=lost)
    if owed is not None:
        case.out(**{"spirit.decompiled": 0 < net >= owed})
        if 0 < net >= owed:
            case.then("add-condition", "target", "decompiled")
    _fade(case, max(2, 2 * opposing.kept), level)


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
BREATHED = ("nausea-gas", "noxious-breath")


def resist_toxin(case: Case) -> None:
    """Body + Willpower + protection against the Power."""
    case.only("target toxin power doses")
    who = case.person("target")
    if who.get("holds_breath") and case.said["toxin"] in BREATHED:
        case.refusals.add("holds_breath")
        return
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
    "decompile-sprite": decompile_sprite,
    "resist-toxin": resist_toxin,
}
