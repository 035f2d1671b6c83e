"""The second opinion on sr5: Data Spike, biofeedback and dumpshock (12). See `second_opinion_sr5`."""

from __future__ import annotations

from math import ceil

from second_opinion_sr5_harm import missed, state
from second_opinion_sr5_people import Person, skilled
from second_opinion_sr5_rules import Case, Roll, alone, attempted, running

DUMPSHOCK = 6
MARKS = ("marked-once", "marked-twice", "marked-thrice")


HACKS = {  # attribute, skill, limit, what opposes, nature
    "brute-force": ("logic", "cybercombat", "attack", ("willpower", "firewall"), "attack"),
    "hack-on-the-fly": ("logic", "hacking", "sleaze", ("intuition", "firewall"), "sleaze"),
    "control-device-free": ("intuition", "electronic-warfare", "sleaze", ("intuition", "firewall"), "sleaze"),
    "control-device-simple": (
        "intuition",
        "electronic-warfare",
        "sleaze",
        ("intuition", "firewall"),
        "sleaze",
    ),
    "spoof-command": ("intuition", "hacking", "sleaze", ("logic", "firewall"), "sleaze"),
    "compensate-for-noise": ("logic", "electronic-warfare", "data_processing", (), "legal"),
    "check-overwatch-score": ("logic", "electronic-warfare", "sleaze", 6, "sleaze"),
    "erase-matrix-signature": ("resonance", "computer", "attack", "rating", "attack"),
    "jam-signals": ("logic", "electronic-warfare", "attack", (), "attack"),
    "hide-icon": ("intuition", "electronic-warfare", "sleaze", ("intuition", "data_processing"), "sleaze"),
    "reboot-device": ("logic", "computer", "data_processing", ("willpower", "firewall"), "legal"),
    "edit-file": ("logic", "computer", "data_processing", ("intuition", "firewall"), "legal"),
    "erase-mark": ("logic", "computer", "attack", ("willpower", "firewall"), "attack"),
    "crash-program": ("logic", "cybercombat", "attack", ("intuition", "firewall"), "attack"),
    "crack-file": ("logic", "hacking", "attack", "rating", "attack"),
    "set-data-bomb": ("logic", "software", "sleaze", ("device_rating", "device_rating"), "sleaze"),
    "disarm-data-bomb": ("intuition", "software", "firewall", "rating", "legal"),
    "control-device-complex": (
        "intuition",
        "electronic-warfare",
        "sleaze",
        ("intuition", "firewall"),
        "sleaze",
    ),
    "snoop": ("intuition", "electronic-warfare", "sleaze", ("logic", "firewall"), "sleaze"),
    "format-device": ("logic", "computer", "sleaze", ("willpower", "firewall"), "sleaze"),
    "matrix-perception": ("intuition", "computer", "data_processing", ("logic", "sleaze"), "legal"),
    "jump-into-device": (
        "logic",
        "electronic-warfare",
        "data_processing",
        ("willpower", "firewall"),
        "legal",
    ),
    "trace-icon": ("intuition", "computer", "data_processing", ("willpower", "sleaze"), "legal"),
}
LEAVES = {  # who is in which condition after a success
    "trace-icon": ("target", "traced"),
    "crash-program": ("target", "program-crashed"),
    "snoop": ("target", "snooped-on"),
    "format-device": ("target", "formatted"),
    "hide-icon": ("target", "lost-sight"),
    "matrix-perception": ("target", "spotted"),
    "jump-into-device": ("attacker", "jumped-in"),
}
RAISES = {
    "decryption": "attack",
    "stealth": "sleaze",
    "toolbox": "data_processing",
    "encryption": "firewall",
}
NOISE = {"to-1-km": 1, "to-10-km": 3, "to-100-km": 5, "farther": 8}
WORDS = "attacker target act marks_tried grid noise noise_distance rating device device_filled"
GUNS = ("ares-predator-v",)
DARK = {
    "smartlink": "smartlink-dark",
    "goggles": "imaging-dark",
    "wired-reflexes": "reflexes-dark",
    "cyberarm": "arm-hangs",
}
WARE = ("cyberarm", "wired-reflexes")
RATING_OF_DEVICES = 2


def raised(person: Person, name: str) -> int:
    """What a program adds to an attribute of the device; nothing to one of the person."""
    return sum(RAISES.get(program) == name for program in person.get("programs", ()))


def filtered(person: Person, *, firewall: bool = True) -> int:
    """Dice of programs against what strikes the user."""
    running_ = person.get("programs", ())
    more = ("shell" in running_) + ("encryption" in running_) if firewall else 0
    return 2 * ("biofeedback-filter" in running_) + more


def _owner(case: Case) -> Person:
    """The owner of the icon, with the numbers of the device that is named: a plain one in a network."""
    target = case.person("target")
    facts = target.facts
    if facts.get("vehicle"):
        facts.setdefault("device_rating", facts["pilot"])
        facts.setdefault("firewall", facts["pilot"])
    if "device" in case.said:
        own, master = case.said.get("rating", RATING_OF_DEVICES), facts.get("firewall")
        facts["device_rating"], facts["device_damage"] = own, case.said.get("device_filled", 0)
        if master is None or case.said.get("noise_distance") == "cable":
            facts["firewall"] = own
        elif not case.asks("slave_defense", "master"):
            facts["firewall"] = max(own, master)
        for gone in ("interface", "through_device"):
            facts.pop(gone, None)
    return target


def _broken(case: Case, target: Person, whose: str) -> None:
    """What a full monitor means."""
    device = case.said.get("device")
    if device is None:
        case.then("add-condition", whose, "bricked")
        if target.get("vehicle"):
            case.then("add-condition", whose, "disabled")
    elif device in GUNS:
        case.then("item", "target", device, bricked=True)
    else:
        lost = {"add_reaction": 1 - target["initiative_dice"]} if device == "wired-reflexes" else {}
        case.then("add-condition", "target", DARK[device], **lost)


def _hacker(case: Case, who: Person, attribute: str, skill: str) -> int:
    """Dice of those who act, with all that hampers them."""
    dice = skilled(who, attribute, skill) + who.wounds + running(case, who)
    dice += 2 if who.get("interface") == "hot-sim" else 0
    dice -= 2 if who.get("running_silent") else 0
    dice -= {"public": 2, "other": 2, "both": 4}.get(case.said.get("grid", ""), 0)
    noise = case.said.get("noise", 0) + NOISE.get(case.said.get("noise_distance", ""), 0)
    scrub = 2 if "signal-scrub" in who.get("programs", ()) else 0
    return dice - max(0, noise - who.get("noise_reduction", 0) - scrub)


def _value(case: Case, who: Person, target: Person) -> int:
    """Damage Value before net hits."""
    marks, mine, theirs = who.get("marks", 0), who.get("programs", ()), target.get("programs", ())
    each = 2 + ("mugger" in mine) - ("guard" in theirs)
    more = 2 * ("hammer" in mine) + ("decryption" in mine)
    return case.total("matrix-damage.value", who["attack"] + marks * each + more)


def _soak(case: Case, target: Person, more: int = 0) -> int:
    running_ = target.get("programs", ())
    more += 2 * ("armor" in running_) + ("shell" in running_) + ("encryption" in running_)
    return case.pool("device-soak.pool", target["device_rating"] + target["firewall"] + more)


def _illegal(case: Case, who: Person, nature: str, hits: int, against: int) -> None:
    """What the law costs: the score, and a failure."""
    if nature == "legal":
        return
    clock = case.asks("overwatch", "clock")
    score = int(nature == "attack" or hits <= against) if clock else against
    case.out(overwatch=score)
    if who.has("overwatch"):
        case.out(overwatch_after=who["overwatch"] + score)
    if score:
        case.then("gain", "attacker", "overwatch", amount=score)
    if clock and who.has("overwatch") and who["overwatch"] < 12 <= who["overwatch"] + score:
        case.then("add-condition", "attacker", "sought-by-the-grid")
        case.then("schedule", "attacker", "converge", when="turn-end", turns=0)
    if hits > against:
        return
    if nature == "attack" and against > hits:
        back = against - hits + ("virtual-machine" in case.person("attacker").get("programs", ()))
        case.out(backlash=back)
        case.then("mark", "attacker", "device-damage", amount=back)
    if nature == "sleaze":
        case.out(noticed=True)
        case.then("add-condition", "attacker", "marked-once")


def _boxes(case: Case, target: Person, value: int, soak: int, whose: str = "target") -> tuple[int, bool]:
    """Boxes of the device, and whether it is bricked."""
    boxes = max(0, value - alone(case, whose, "soak", soak).kept)
    if boxes and "device" not in case.said and "virtual-machine" in target.get("programs", ()):
        boxes += 1
    case.out(damage=boxes)
    before, most = target.get("device_damage", 0), 8 + ceil(target["device_rating"] / 2)
    if room := min(boxes, max(0, most - before)):
        track = f"damage-of-{case.said['device']}" if "device" in case.said else "device-damage"
        case.then("mark", whose, track, amount=room)
    if not target.has("device_damage"):
        return boxes, False
    bricked = before < most <= before + boxes
    case.out(device_after=before + boxes, bricked=bricked)
    if bricked:
        _broken(case, target, whose)
    return boxes, bricked


def data_spike(case: Case) -> None:
    """Logic + Cybercombat [Attack] against the device of somebody."""
    case.only(WORDS)
    who = case.person("attacker")
    house = case.asks("matrix_damage", "paydata")
    dice = _hacker(case, who, "logic", "cybercombat")
    dice -= who.get("device_damage", 0) // 3 if house else 0
    dice = case.pool("data-spike.pool", dice)
    _strike(case, "attack", dice, "willpower" if house else "intuition", bool(who.get("biofeedback")))


def ic_attack(case: Case) -> None:
    """Twice the rating of the host [Attack]: those kinds that do damage."""
    case.only(WORDS)
    who = case.person("attacker")
    kind = case.said["act"]
    if kind == "electron-storm":
        _storm(case, who)
        return
    if kind in NIBBLERS:
        _nibble(case, who, kind)
        return
    dice = case.pool("ic.pool", 2 * who["device_rating"])
    attribute = {"killer": "intuition", "sparky": "intuition", "black": "intuition", "blaster": "logic"}[kind]
    _strike(case, "legal", dice, attribute, kind != "killer")
    if kind in ("black", "blaster"):
        case.then("add-condition", "target", "link-locked")


NIBBLERS = {  # attribute of the user, and of the device
    "acid": ("willpower", "firewall"),
    "binder": ("willpower", "data_processing"),
    "jammer": ("willpower", "attack"),
    "marker": ("willpower", "sleaze"),
    "patrol": ("logic", "sleaze"),
    "probe": ("intuition", "firewall"),
    "crash": ("intuition", "firewall"),
    "tar-baby": ("logic", "firewall"),
    "degrader": ("willpower", ""),
    "gray-damage": ("willpower", "firewall"),
    "black-damage": ("willpower", "firewall"),
    "track-and-trace": ("willpower", "firewall"),
}
EATEN = {
    "acid": "firewall-eaten",
    "binder": "data-processing-bound",
    "jammer": "attack-jammed",
    "marker": "sleaze-marked",
}
BROUGHT = {"patrol": "spotted", "crash": "program-crashed"}
BITES = {"gray-damage": "stun", "black-damage": "physical"}


def _nibble(case: Case, who: Person, kind: str) -> None:
    """Twice the rating [Attack]: kinds that lower an attribute, lock, trace, or do their net hits as boxes."""
    target = case.person("target")
    own, rating = NIBBLERS[kind]
    names = ("attack", "sleaze", "data_processing", "firewall")
    rating = rating or min((name for name in names if target.get(name, 0)), key=lambda name: target[name])
    gone = kind in EATEN and not target[rating]
    pools = (
        case.pool("ic.pool", 2 * who["device_rating"]),
        target[own] + target[rating] + raised(target, rating) + target.wounds,
    )
    against = case.pool("matrix-defense.pool", pools[1])
    soak = _soak(case, target) if gone else 0
    limit, bites = case.total("matrix.limit", who["data_processing" if kind == "patrol" else "attack"]), ""
    if kind in BITES and bite(target, house=False):
        pool = case.pool("biofeedback.pool", target["willpower"] + target["firewall"] + filtered(target))
        bites = BITES[kind]
    attack, defense = (
        Roll(case, "attacker", "action", pools[0], limit),
        Roll(case, "target", "defense", against),
    )
    attempted(attack, defense)
    net = max(0, attack.kept - defense.kept)
    case.out(success=net > 0, hits=attack.kept, net_hits=net)
    if not net:
        return
    if gone:
        case.out(modified_dv=net)
        _boxes(case, target, net, soak)
    elif kind in EATEN:
        case.then("add-condition", "target", EATEN[kind])
    elif kind in BROUGHT:
        case.then("add-condition", "target", BROUGHT[kind])
    elif kind == "degrader":
        case.then("add-condition", "target", "degraded", **{f"add_{rating}": -net})
    elif kind == "probe" or (kind == "tar-baby" and target.get("link_locked")):
        case.out(marks=1)
        case.then("add-condition", "target", "marked-once")
    elif kind in BITES:
        case.out(damage=net, device_after=net, bricked=False)
        case.then("mark", "target", "device-damage", amount=net)
        hurt = _shock(case, "biofeedback", net, bites, pool) if bites else 0
        _marked(case, target, [(bites, hurt)] if hurt else [])
    else:
        case.then("add-condition", "target", "traced" if target.get("link_locked") else "link-locked")


def _storm(case: Case, who: Person) -> None:
    """Level + Cybercombat [Attack]: the Level is the damage, whatever the net hits."""
    target = case.person("target")
    dice = case.pool("ic.pool", who["device_rating"] + who.skill("cybercombat"))
    against = case.pool("matrix-defense.pool", target["intuition"] + target["firewall"] + target.wounds)
    soak = _soak(case, target)
    case.total("matrix-damage.value", who["device_rating"])
    limit = case.total("matrix.limit", who["attack"])
    attack, defense = Roll(case, "attacker", "action", dice, limit), Roll(case, "target", "defense", against)
    attempted(attack, defense)
    net = max(0, attack.kept - defense.kept)
    case.out(success=net > 0, hits=attack.kept, net_hits=net)
    if net:
        case.out(modified_dv=who["device_rating"])
        _boxes(case, target, who["device_rating"], soak)
        case.then("add-condition", "target", "in-an-electron-storm", set_storm=2)


def _strike(case: Case, nature: str, dice: int, attribute: str, feeds: bool) -> None:
    """An attack on a device, and what comes through to its user."""
    who, target = case.person("attacker"), _owner(case)
    house = case.asks("matrix_damage", "paydata")
    against = target["pool"] if target.has("pool") else target[attribute] + target["firewall"]
    against += target.wounds - (target.get("device_damage", 0) // 3 if house else 0)
    against += target["willpower"] if target.get("full_matrix_defense") else 0
    against += "encryption" in target.get("programs", ())
    against = case.pool("matrix-defense.pool", against)
    value, soak = _value(case, who, target), _soak(case, target)
    limit = case.total("matrix.limit", who["attack"] + raised(who, "attack"))
    attack = Roll(case, "attacker", "attack", dice, limit)
    defense = Roll(case, "target", "defense", against)
    bites = feeds and bite(target, house=house)
    virtual = target.get("interface") in ("cold-sim", "hot-sim")
    thrown = target.get("through_device", virtual) and bite(target, house=house)
    pools = {}
    if bites:
        whole = target["willpower"] + target["firewall"] + filtered(target)
        pools["biofeedback"] = case.pool("biofeedback.pool", whole)
    if thrown:  # the Firewall of a bricked device is gone
        bare = target["willpower"] + filtered(target, firewall=False)
        pools["dumpshock"] = case.pool("dumpshock.pool", bare)
    if not attempted(attack, defense):
        return
    net = attack.kept - defense.kept
    if nature == "legal":  # IC
        case.out(success=net > 0)
    _illegal(case, who, nature, attack.kept, defense.kept)
    if net <= 0:
        missed(case, "miss")
        return
    case.out(net_hits=net, modified_dv=value + net, result="hit")
    boxes, bricked = _boxes(case, target, value + net, soak)
    marks: list[tuple[str, int]] = []
    if bites and boxes:
        marks.append((bites, _shock(case, "biofeedback", boxes, bites, pools["biofeedback"])))
    if thrown and bricked:
        marks.append((thrown, _shock(case, "dumpshock", DUMPSHOCK, thrown, pools["dumpshock"])))
        stunned(case, target)
    _marked(case, target, [mark for mark in marks if mark[1]])
    if boxes and "lockdown" in who.get("programs", ()):
        case.then("add-condition", "target", "link-locked")


def matrix_action(case: Case) -> None:
    """A test by the kind of action, and what comes of it."""
    case.only(WORDS)
    who, act = case.person("attacker"), case.said["act"]
    attribute, skill, limit, opposed, nature = HACKS[act]
    tried = case.said.get("marks_tried", 1)
    device = case.said.get("device")
    if act.startswith("control") and device in WARE and not case.asks("hack_cyberware", "all"):
        case.refusals.add("nerve_driven")
        return
    plain = ("electronic-warfare", "hardware") if not case.asks("matrix_default", False) else (skill,)
    if not who.has("pool") and skill in plain and not who.skill(skill):
        case.refusals.add("no_default")
        return
    mine, theirs = who.get("programs", ()), case.said.get("target", {}).get("programs", ())
    dice = _hacker(case, who, attribute, skill) - {1: 0, 2: 4, 3: 10}[tried]
    traces = act == "trace-icon" and ("sneak" in theirs, "track" in mine)
    dice += 2 if traces == (False, True) else 0
    dice = case.pool("matrix-action.pool", dice)
    apt = {"exploit": "hack-on-the-fly", "edit": "edit-file"}
    most = who[limit] + raised(who, limit) + 2 * sum(apt.get(program) == act for program in mine)
    roll = Roll(case, "attacker", "action", dice, case.total("matrix.limit", most))
    if act == "matrix-perception" and not case.person("target").get("running_silent"):
        opposed = ()
    if opposed == "rating":
        opposed = 2 * case.said["rating"]
    if isinstance(opposed, int):
        other: Roll | None = Roll(case, "attacker", "defense", case.total("matrix-defense.pool", opposed))
    elif opposed:
        target = _owner(case)
        against = sum(target[name] + raised(target, name) for name in opposed) + target.wounds
        against += 2 if traces == (True, False) else 0
        other = Roll(case, "target", "defense", case.pool("matrix-defense.pool", against))
    else:
        other = None
    soak = _soak(case, case.person("target")) if act == "brute-force" else 0
    bombs = _bomb_pools(case, who) if act in BOMBED and case.said.get("rating") and not device else ()
    dumps = bite(case.person("target"), house=False) if act == "reboot-device" else ""
    if dumps:
        target = case.person("target")
        pool = case.pool("biofeedback.pool", target["willpower"] + target["firewall"] + filtered(target))
    if not attempted(roll, other):
        return
    against = other.kept if other else 0
    net = max(0, roll.kept - against)
    case.out(success=net > 0, hits=roll.kept, net_hits=net)
    if bombs:
        on = "target" if "target" in case.said else "attacker"
        case.then("remove-condition", on, "data-bomb")
        if act == "edit-file" or not net:
            _goes_off(case, who, *bombs)
    _illegal(case, who, nature, roll.kept, against)
    if not net:
        if act == "brute-force":
            case.out(damage=0)
        return
    if act == "brute-force" and net > 1:
        case.out(modified_dv=net // 2)
        _boxes(case, case.person("target"), net // 2, soak)
    if dumps:
        hurt = _shock(case, "dumpshock", DUMPSHOCK, dumps, pool)
        stunned(case, case.person("target"))
        _marked(case, case.person("target"), [(dumps, hurt)] if hurt else [])
        _rebooted(case, "target")
    if device and act == "control-device-free" and device in GUNS:
        case.then("item", "target", device, rounds=0, loaded=False)
    if device and act == "control-device-simple":
        case.then("add-condition", "target", DARK.get(device, "smartlink-dark"))
    if act in ("brute-force", "hack-on-the-fly"):
        case.out(marks=min(3, who.get("marks", 0) + tried))
        case.then("add-condition", "target", MARKS[min(3, who.get("marks", 0) + tried) - 1])
        case.then("add-condition", "attacker", "marking")
    if act == "hack-on-the-fly":
        case.out(perception_hits=net // 2)
    if act == "erase-mark" and (theirs_on := case.person("target").get("marks", 0)):
        case.then("remove-condition", "attacker", MARKS[theirs_on - 1])
        if theirs_on > tried:
            case.then("add-condition", "attacker", MARKS[theirs_on - tried - 1])
    if act == "compensate-for-noise":
        case.then("add-condition", "attacker", "compensating", add_noise_reduction=net)
    if act in ("hide-icon", "matrix-perception"):
        case.then("remove-condition", "attacker", "spotted" if act == "hide-icon" else "lost-sight")
    if act in LEAVES:
        case.then("add-condition", *LEAVES[act])
    if act == "set-data-bomb":
        case.then(
            "add-condition", "target", "data-bomb", towards="attacker", set_bomb=net + ("demolition" in mine)
        )
    if act == "jam-signals":
        case.then("add-condition", "attacker", "jamming", set_jamming=net)


BOMBED = ("edit-file", "disarm-data-bomb")


def _bomb_pools(case: Case, who: Person) -> tuple[int, int]:
    """The dice of one who meets a data bomb: of the device, and against dumpshock without its Firewall."""
    case.number = "attacker."
    soak = _soak(case, who, 4 * ("defuse" in who.get("programs", ())))
    bare = 0
    if bite(who, house=case.asks("matrix_damage", "paydata")):
        bare = case.pool("dumpshock.pool", who["willpower"] + filtered(who, firewall=False))
    case.number = ""
    return soak, bare


def _goes_off(case: Case, who: Person, soak: int, bare: int) -> None:
    """Dice of its rating as damage to the device of the one who touches it."""
    case.prefix = "bomb_"
    value = sum(case.table.throw(case.said["rating"]))
    case.out(value_total=value, modified_dv=value, net_hits=0, result="hit")
    _, bricked = _boxes(case, who, value, soak, "attacker")
    kind = bite(who, house=case.asks("matrix_damage", "paydata"))
    if bricked and kind:
        boxes = _shock(case, "dumpshock", DUMPSHOCK, kind, bare, "attacker")
        _marked(case, who, [(kind, boxes)] if boxes else [], "attacker")
        stunned(case, who, "attacker")
    case.prefix = ""


def _rebooted(case: Case, who: str, *, found: bool = False) -> None:
    """All marks on and of an icon are gone, and what IC did to it; the grid that does it also finds the body."""
    eaten = (*EATEN.values(), "degraded", "program-crashed")
    for slug in (*MARKS, "marking", "link-locked", "converging", *eaten):
        case.then("remove-condition", who, slug)
    case.then("add-condition", who, "rebooting")
    if found and "sneak" not in case.person(who).get("programs", ()):
        case.then("add-condition", who, "traced")


def jack_out(case: Case) -> None:
    """Willpower + Hardware [Firewall] against Logic + Attack of the one who locks, and dumpshock."""
    case.only(WORDS)
    who = case.person("attacker")
    kind = bite(who, house=False)
    whole = who["willpower"] + who["firewall"] + filtered(who) if kind else 0
    pool = case.pool("biofeedback.pool", whole) if kind else 0
    if who.get("link_locked"):
        target = case.person("target")
        if not who.has("pool") and not who.skill("hardware"):
            case.refusals.add("no_default")
            return
        limit = case.total("matrix.limit", who["firewall"] + raised(who, "firewall"))
        dice = case.pool("jack-out.pool", skilled(who, "willpower", "hardware") + who.wounds)
        against = case.pool(
            "matrix-defense.pool",
            target["logic"] + target["attack"] + raised(target, "attack") + target.wounds,
        )
        roll, other = Roll(case, "attacker", "action", dice, limit), Roll(case, "target", "defense", against)
        attempted(roll, other)
        net = max(0, roll.kept - other.kept)
        case.out(success=net > 0, hits=roll.kept, net_hits=net)
        if not net:
            return
    else:
        case.out(success=True, hits=1, net_hits=1)
    if kind:
        boxes = _shock(case, "dumpshock", DUMPSHOCK, kind, pool, "attacker")
        stunned(case, who, "attacker")
        _marked(case, who, [(kind, boxes)] if boxes else [], "attacker")
    if who.get("overwatch"):
        case.then("spend", "attacker", "overwatch", amount=who["overwatch"])
    _rebooted(case, "attacker")


def convergence(case: Case) -> None:
    """12 DV against the device, dumpshock, and the score is gone."""
    case.only("target")
    target = case.person("target")
    if target.get("in_host") and not case.asks("overwatch_in_host", "converge"):
        case.out(marks=3)
        for slug in ("marked-once", "marked-twice", "converging"):
            case.then("remove-condition", "target", slug)
        return
    soak, kind = _soak(case, target), bite(target, house=False)
    if case.asks("overwatch", "clock"):
        dice = target["intuition"] + target["sleaze"] + raised(target, "sleaze")
        hides = case.pool("matrix-defense.pool", dice)
        search = Roll(case, "grid", "search", case.total("search.pool", target["overwatch"]))
        defense = Roll(case, "target", "defense", hides)
        attempted(search, defense)
        if search.kept <= defense.kept:
            case.out(overwatch=search.kept)
            case.then("gain", "target", "overwatch", amount=search.kept)
            case.then("schedule", "target", "converge", when="turn-end", turns=1)
            return
    if not kind:
        _plainly_found(case, target, soak)
        return
    whole = case.pool("biofeedback.pool", target["willpower"] + target["firewall"] + filtered(target))
    bare = case.pool("dumpshock.pool", target["willpower"] + filtered(target, firewall=False))
    case.out(result="hit", net_hits=0, modified_dv=12)
    _, bricked = _boxes(case, target, 12, soak)
    boxes = _shock(case, "dumpshock", DUMPSHOCK, kind, bare if bricked else whole)
    stunned(case, target)
    _marked(case, target, [(kind, boxes)] if boxes else [])
    case.then("spend", "target", "overwatch", amount=target["overwatch"])
    _rebooted(case, "target", found=True)


def _plainly_found(case: Case, target: Person, soak: int) -> None:
    """Convergence on one who is in no virtual reality."""
    case.out(result="hit", net_hits=0, modified_dv=12)
    _boxes(case, target, 12, soak)
    _rebooted(case, "target", found=True)


LIST = [
    "probe",
    "killer",
    "track",
    "tar-baby",
    "acid",
    "binder",
    "jammer",
    "marker",
    "crash",
    "blaster",
    "scramble",
    "black",
    "sparky",
]


def launch_ic(case: Case) -> None:
    """The first of the list that does not run, as long as fewer run than the rating; again as the next turn begins."""
    case.only("attacker alarm launches running")
    host, runs = case.person("attacker"), case.said.get("running", [])
    own = ["degrader", "gray-damage", "track-and-trace"] if case.asks("ic", "paydata") else LIST
    left = [kind for kind in case.said.get("launches", own) if kind not in runs]
    launched = bool(left) and len(runs) < host["device_rating"] and not case.said.get("alarm")
    case.out(launched=launched)
    if case.said.get("alarm"):
        case.then("add-condition", "attacker", "alarmed")
    if launched:
        case.out(ic=left[0])
        ratings = ("device_rating", "attack", "sleaze", "data_processing", "firewall")
        numbers = {f"set_{name}": host[name] for name in ratings}
        case.then("join", "attacker", f"{left[0]}-ic", **numbers)
    case.then("schedule", "attacker", "launch-ic", when="turn-begin", turns=1, **{"while": "alarmed"})


HACKING = {
    "launch-ic": launch_ic,
    "data-spike": data_spike,
    "matrix-action": matrix_action,
    "ic-attack": ic_attack,
    "jack-out": jack_out,
    "convergence": convergence,
}


def stunned(case: Case, target: Person, who: str = "target") -> None:
    """Two dice less for 10 - Willpower minutes."""
    minutes = max(1, 10 - target["willpower"])
    case.then("add-condition", who, "dumpshock", length=minutes, unit="minute")


def bite(target: Person, *, house: bool) -> str:
    """The kind of damage that comes through to the user; empty for none."""
    interface = target.get("interface", "none")
    if interface == "ar" and house and target.get("dni"):
        return "stun"
    return {"cold-sim": "stun", "hot-sim": "physical"}.get(interface, "")


def _shock(case: Case, name: str, value: int, track: str, pool: int, who: str = "target") -> int:
    """Boxes of what comes through."""
    case.out(**{f"{name}_dv": value})
    boxes = max(0, value - alone(case, who, name, pool).kept)
    case.out(**{f"{name}_damage": boxes, f"{name}_track": track})
    return boxes


def _marked(case: Case, target: Person, marks: list[tuple[str, int]], who: str = "target") -> None:
    """Boxes one after another, and how somebody is after all of them."""
    if not marks:
        return
    if not target.has("body", "willpower", "physical", "stun"):
        for track, boxes in marks:
            case.then("mark", who, track, amount=boxes)
        return
    filled = {"physical": target["physical"], "stun": target["stun"]}
    for track, boxes in marks:
        over = 0
        if track == "stun" and not target.one_monitor:
            over = max(0, boxes - max(0, target.boxes("stun") - filled["stun"]))
        for name, number in ((track, boxes - over), ("physical", over // 2)):
            filled[name] += number
            if number:
                case.then("mark", who, name, amount=number)
        case.out(physical_after=filled["physical"], stun_after=filled["stun"])
        state(case, who, filled["physical"], filled["stun"], hurt=True)
