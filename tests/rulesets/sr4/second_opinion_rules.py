"""The second opinion: dice, people, weapons and damage. See `second_opinion`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import ceil
from typing import Any, NamedTuple

from second_opinions import DiffersError, Entry, Facts, NotUnderstoodError, entries_of


def entries(kind: str) -> dict[str, Entry]:
    """All entries of a kind in the pack, by slug."""
    return entries_of("sr4-core", kind)


# ----------------------------------------------------------------------------------------------------
# Dice (section 1) and Edge (section 2)


def is_glitch(ones: int, dice: int, options: Mapping[str, Any]) -> bool:
    """Half of the dice or more show a one; the house rule asks for more than half."""
    if options.get("glitch_rule") == "more_than_half":
        return ones * 2 > dice
    return dice > 0 and ones * 2 >= dice


NOTHING_COMES_THROUGH = 1000
"""Hits of burned Edge where as many as possible count: of resistances, and of thresholds that are only reached."""


class Roll:
    """A roll on the table: hits, the dice and ones that count for glitches, and whether Edge was used."""

    def __init__(self, table: Table, pool: int, who: str, name: str, edge: int = 0) -> None:
        self.table, self.who, self.edge = table, who, edge
        self.used_edge = self.negated = self.none = False
        self.hits = self.dice = self.ones = 0
        if table.decided("buy-hits", who, name) == "buy":
            self.hits = max(0, pool) // 4
            self.used_edge = True
            return
        before = table.decided("edge-before", who, name)
        if before == "burn":
            self.used_edge = True
            self.hits = NOTHING_COMES_THROUGH
        elif before == "push":
            self.used_edge = True
            self._throw(max(0, pool) + edge, explodes=True)
        elif before == "long-shot":
            self.used_edge = True
            self._throw(edge, explodes=False)
        elif pool <= 0:
            self.none = True
        else:
            self._throw(pool, explodes=False)

    def _throw(self, number: int, *, explodes: bool) -> None:
        faces = self.table.take(number, explodes=explodes)
        counted = faces if self.table.options.get("glitch_counts_exploded") else faces[:number]
        self.hits += sum(face >= 5 for face in faces)
        self.dice += len(counted)
        self.ones += counted.count(1)

    def after(self, name: str) -> Roll:
        """Edge after the roll: more dice, the misses again, or the glitch negated."""
        if self.used_edge:
            return self
        choice = self.table.decided("edge-after", self.who, name)
        if choice == "add":
            self._throw(self.edge, explodes=True)
        elif choice == "reroll":
            again = self.table.take(
                self.dice - self.hits, explodes=bool(self.table.options.get("edge_reroll_explodes"))
            )
            self.hits += sum(face >= 5 for face in again)
        elif choice == "negate-glitch":
            self.negated = True
        return self

    @property
    def glitch(self) -> str:
        """none, glitch, critical (a glitch without a hit) or negated."""
        if self.none or not is_glitch(self.ones, self.dice, self.table.options):
            return "none"
        if self.negated:
            return "negated"
        return "glitch" if self.hits else "critical"


class Table:
    """The dice and decisions of an example, taken in order."""

    def __init__(self, example: Entry) -> None:
        self.options: Mapping[str, Any] = example["request"].get("options", {})
        self._groups = list(example.get("dice", []))
        self._decisions = list(example.get("decisions", []))

    def take(self, number: int, *, explodes: bool = False) -> list[int]:
        """The next group of dice; `explodes`: each six stands for one more die of the group."""
        if number <= 0:
            return []
        if not self._groups:
            raise DiffersError(f"no dice left for {number}")
        group: list[int] = self._groups.pop(0)
        if len(group) != number + (group.count(6) if explodes else 0):
            raise DiffersError(f"{number} dice, the example has {len(group)}")
        return group

    def decided(self, decision: str, who: str, roll: str = "") -> str | None:
        """What `who` has chosen, if the example says something of it."""
        for place, made in enumerate(self._decisions):
            if made["decision"] != decision or made.get("by", who) != who:
                continue
            if roll and made.get("roll", roll).rpartition(".")[2] != roll.rpartition(".")[2]:
                continue
            return str(self._decisions.pop(place)["choose"])
        return None

    def burns(self, who: str, roll: str) -> bool:
        """Whether `who` burns Edge on a roll, which is settled without it."""
        for place, made in enumerate(self._decisions):
            said = made.get("roll", roll).rpartition(".")[2]
            if (made["choose"], made.get("by", who), said) == ("burn", who, roll):
                self._decisions.pop(place)
                return True
        return False

    def roll(self, pool: int, who: str, name: str, edge: int = 0) -> Roll:
        """A roll with Edge after it, of a test that nobody opposes."""
        return Roll(self, pool, who, name, edge).after(name)

    def left_over(self) -> bool:
        """Whether dice or decisions were not used."""
        return bool(self._groups or self._decisions)


class Case:
    """An example on its way to an answer."""

    def __init__(self, example: Entry) -> None:
        request = example["request"]
        self.said: Entry = request["situation"]
        self.options: Mapping[str, Any] = request.get("options", {})
        self.by_hand: Sequence[Entry] = request.get("modifiers", [])
        self.waits = example["expect"].get("status") == "waiting"
        self.table = Table(example)
        self.outcome: Facts = {}
        self.totals: Facts = {}
        self.marks: dict[tuple[str, str], int] = {}
        self.refusals: set[str] = set()
        self.thrown: Roll | None = None
        """The attack roll, which those in the spread of a shotgun share."""

    def out(self, facts: Facts, prefix: str = "") -> None:
        """Facts of the outcome."""
        self.outcome.update({prefix + name: value for name, value in facts.items()})

    def mark(self, who: str, track: str, boxes: int) -> None:
        """Boxes filled on somebody's monitor."""
        if boxes:
            self.marks[who, track] = self.marks.get((who, track), 0) + boxes

    def total(self, name: str, dice: int) -> int:
        """A pool with what was added by hand, never below 0."""
        dice += sum(one["value"] for one in self.by_hand if one["to"] == name)
        self.totals[name] = max(0, dice)
        return max(0, dice)

    def only(self, words: Iterable[str]) -> None:
        """Refuse to answer where the situation says more than these words."""
        if strange := set(self.said) - set(words):
            raise NotUnderstoodError(f"situation: {sorted(strange)}")


def opposed(
    case: Case, attack: Roll, defense: Roll | None, *, contact: bool = False
) -> tuple[str, int | None]:
    """Result and net hits; ties are the defender's, and at most a graze."""
    if attack.none:
        return "no-attack", None
    if defense is None:
        return ("hit", attack.hits) if attack.hits else ("miss", None)
    if attack.hits > defense.hits:
        return "hit", attack.hits - defense.hits
    zero = not attack.hits and not case.options.get("graze_on_zero", True)
    if attack.hits < defense.hits or zero or not case.options.get("grazing_hits", True):
        return "miss", None
    return ("graze_contact", 0) if contact else ("graze", None)


# ----------------------------------------------------------------------------------------------------
# People (sections 3, 10 and 11.2)

PERSON_WORDS = """
    use pool edge edge_points rounds_before bursts_before targets_before body agility reaction strength
    intuition willpower logic skills armor ballistic impact ballistic_bonus impact_bonus smartlink deployed
    magnification take_aim specialized running in_melee in_moving_vehicle in_cover off_hand ambidextrous
    low_pain_tolerance pain_resistance gyro flare_compensation senses recoil_compensation split_dice physical
    stun prone defenses_made full_defense unaware cover hidden soak_bonus extra_boxes extra_overflow charging
    superior_position friends_in_melee receiving_charge grip weapon defense unarmed_dv unarmed_physical
    combat_sense resistances blast_distance distance bearing rebound suppression alerted ambushing burn_edge
    burns_edge edge_group
    initiative world response reflex_boost grunt counterspelling object_resistance center_distance touch_pool
    drain_pool biofeedback_filter burning_dv acid_dv spell_barrier mana_barrier
    spellcasting_focus power_focus focus_active
    passes system firewall signal pilot agent programs running_programs crashed matrix_boxes jam under_alert
    powers power_levels darkness_dice thrown_dv throwing_strength unarmed_ap missile_parry counterstrike_dice
    force wireless_off work work_hits detection_hits matrix_full_defense in_hand
"""


ATTRIBUTES = {
    "body",
    "agility",
    "reaction",
    "strength",
    "charisma",
    "intuition",
    "logic",
    "willpower",
    "magic",
}
ATTRIBUTES |= {"edge", "edge_points"}


OF_ADEPTS = {  # what a level brings: section 34.4, and 15 for the last four
    "blind-fighting": {"darkness_dice": 2},
    "missile-mastery": {"thrown_dv": 1},
    "power-throw": {"throwing_strength": 2},
    "penetrating-strike": {"unarmed_ap": 1},
    "missile-parry": {"missile_parry": 1},
    "combat-sense-adept": {"combat_sense": 1},
    "pain-resistance": {"pain_resistance": 1},
    "critical-strike": {"unarmed_dv": 1},
    "mystic-armor": {"ballistic_bonus": 1, "impact_bonus": 1},
}


def adept(who: Entry) -> Entry:
    """A combatant with what the powers bring for which the sheet has no number."""
    found: dict[str, int] = {}
    for power in who.get("powers", []):
        level = who.get("power_levels", {}).get(power, 1)
        for stat, points in OF_ADEPTS.get(power, {}).items():
            found[stat] = points * level
    more = {"unarmed_physical": True} if "killing-hands" in who.get("powers", []) else {}
    return {**who, **more, **{stat: points for stat, points in found.items() if not who.get(stat)}}


def person(said: Any) -> Entry:
    """A record with what the example changes of it."""
    said = {"use": said} if isinstance(said, str) else dict(said or {})
    if strange := set(said) - set(PERSON_WORDS.split()):
        raise NotUnderstoodError(f"person: {sorted(strange)}")
    base = dict(entries("combatants")[said["use"]]) if "use" in said else {}
    for word in ("skills", "resistances"):
        if word in said:
            said[word] = {**base.get(word, {}), **said[word]}
    force = said.get("force", base.get("force", 0))
    grown = {name: max(1, force + more) for name, more in base.get("by_force", {}).items()}
    skills = {name: rating for name, rating in grown.items() if name not in ATTRIBUTES}
    rated = {"skills": {**base.get("skills", {}), **skills, **said.get("skills", {})}} if skills else {}
    return adept({**base, **grown, **said, **rated})


def wounds(who: Entry, options: Mapping[str, Any]) -> int:
    """Dice lost: one for each full three boxes, track by track."""
    boxes = [who.get("physical", 0), who.get("stun", 0)]
    if who.get("grunt") and options.get("npc_single_track"):
        boxes = [sum(boxes)]
    step = 2 if who.get("low_pain_tolerance") else 3
    return sum(max(0, filled - who.get("pain_resistance", 0)) // step for filled in boxes)


def encumbrance(who: Entry, options: Mapping[str, Any]) -> int:
    """Dice that too much armor takes from tests with Agility or Reaction."""
    worn = [entries("armor")[slug] for slug in who.get("armor", [])]
    if not worn or "body" not in who or (len(worn) == 1 and options.get("encumbrance_single_suit_exempt")):
        return 0
    over = [
        ceil(max(0, sum(p[kind] for p in worn) - 2 * who["body"]) / 2) for kind in ("ballistic", "impact")
    ]
    return sum(over) if options.get("encumbrance_combine") == "sum" else max(over)


def armor_worn(who: Entry, kind: str) -> int:
    """The best suit, what stacks on it, and what the body has."""
    worn = [entries("armor")[slug] for slug in who.get("armor", [])]
    suit = max((piece[kind] for piece in worn if not piece.get("stacks")), default=0)
    rating = who.get(kind, suit + sum(piece[kind] for piece in worn if piece.get("stacks")))
    return int(rating + who.get(f"{kind}_bonus", 0))


def skill_dice(who: Entry, skill: str) -> int:
    """Dice of a skill; without it one die less than the attribute."""
    rating = who.get("skills", {}).get(skill, 0)
    return -1 if not rating else rating + (2 if who.get("specialized") else 0)


def half(number: int, options: Mapping[str, Any]) -> int:
    """Half an armor rating."""
    return number // 2 if options.get("half_armor_round") == "down" else ceil(number / 2)


def visibility(case: Entry, who: Entry) -> int:
    """The worst of the conditions, each seen with the best sense for it."""
    table = {  # normal, low-light, thermographic, ultrasound
        "full-darkness": (-6, -6, -3, -3),
        "partial-light": (-2, 0, -2, -1),
        "glare": (-1, -1, -1, 0),
        "light-fog": (-2, -1, 0, -1),
        "heavy-fog": (-4, -2, -2, -2),
        "thermal-smoke": (-4, -2, -6, -2),
    }
    senses = ("normal", "low-light", "thermographic", "ultrasound")
    now = [c for c in case.get("visibility", []) if not (c == "glare" and who.get("flare_compensation"))]
    if not now:
        return 0
    seen_with = [senses.index(sense) for sense in who.get("senses", ["normal"])]
    worst = min(max(table[condition][sense] for sense in seen_with) for condition in now)
    return max(worst, -4) if who.get("darkness_dice") else worst


# ----------------------------------------------------------------------------------------------------
# Weapons (sections 8.8, 8.10, 9.2 and 11.5)

WEAPON_WORDS = """
    use rc recoil_factor ammunition dv damage ap armor_kind features rounds range blast_falloff charges modes
    skill element
"""


def armed(said: Any) -> Entry:
    """A weapon with its ammunition: DV, AP, armor kind and damage as they strike."""
    said = {"use": said} if isinstance(said, str) else dict(said)
    if strange := set(said) - set(WEAPON_WORDS.split()):
        raise NotUnderstoodError(f"weapon: {sorted(strange)}")
    weapon = {**(dict(entries("weapons")[said["use"]]) if "use" in said else {}), **said}
    if "dv_magic" in weapon or weapon.get("magical"):
        raise NotUnderstoodError("what strikes by magic")
    if "modes" not in weapon and "reach" not in weapon and "use" not in said:
        weapon["modes"] = ["SS", "SA"]
    weapon.setdefault("armor_kind", "impact" if "blast_falloff" in weapon else "ballistic")
    slug = weapon.get("ammunition")
    if slug is None:
        return weapon
    ammunition = entries("ammunition")[slug]
    if ammunition.get("replaces"):
        weapon["dv"], weapon["ap"] = ammunition["dv"], ammunition["ap"]
    elif not (
        ammunition.get("flechette") and weapon.get("flechette")
    ):  # whose figures are those of flechettes
        weapon["dv"] = weapon.get("dv", 0) + ammunition.get("dv", 0)
        weapon["ap"] = weapon.get("ap", 0) + ammunition.get("ap", 0)
    for word in (
        "ap_half",
        "damage",
        "electric",
        "gel",
        "tracer",
        "misfires",
        "blast_radius",
        "blast_falloff",
    ):
        if word in ammunition:
            weapon[word] = ammunition[word]
    if (
        ammunition.get("flechette") and weapon.get("category") == "shotgun"
    ):  # shot: its figures are the narrow ones
        weapon["flechette"] = True
    weapon["delivers"] = ammunition.get("delivers")
    if ammunition.get("armor_kind", "weapon") != "weapon":
        weapon["armor_kind"] = ammunition["armor_kind"]
    return weapon


def struck_by(weapon: Entry, fire: Entry, strength: int | None) -> Entry:
    """DV, AP and armor kind of a weapon as it strikes; shot of a shotgun by its choke."""
    harm = dict(weapon)
    if weapon.get("dv_half_strength"):
        harm["dv"] = weapon["dv"] + ceil((strength or 0) / 2)
    if "choke" in fire:
        dv, ap = {"narrow": (2, 5), "medium": (0, 7), "wide": (-2, 9)}[fire["choke"]]
        if weapon.get("flechette"):  # printed with the narrow choke
            dv, ap = dv - 2, ap - 5
        harm.update(dv=harm["dv"] + dv, ap=harm["ap"] + ap, armor_kind="impact")
    return harm


def called(case: Case, armor: int) -> int:
    """Dice that a called shot costs."""
    shot = case.said.get("called_shot", {})
    kind = shot.get("kind")
    costs: dict[str | None, int] = {
        None: 0,
        "vital": shot.get("dv", 0),
        "unarmored": armor,
        "item": 4,
        "trick": shot.get("penalty", 0),
        "part": 4,
    }
    return costs[kind]


# ----------------------------------------------------------------------------------------------------
# Damage (sections 7 and 11)


class Harm(NamedTuple):
    """What strikes: base DV, what joins it after the comparison, its kind, and the armor after AP."""

    dv: int
    kind: str
    armor: int
    burst: int = 0
    gel: bool = False
    compared: bool = True


def armor_against(case: Case, target: Entry, harm: Entry, extra: int = 0) -> int:
    """The armor that counts, after AP: never below 0, and AP raises only armor that is there."""
    if target.get("hardened") or target.get("immune_to_weapons"):
        raise NotUnderstoodError("armor that has to be exceeded")
    if harm.get("element") in {"fire", "cold", "acid", "electricity"} or harm.get("ap_half"):
        element = harm.get("element") or ("electricity" if harm.get("electric") else "")
        resistance = target.get("resistances", {}).get(element, 0)
        return half(armor_worn(target, "impact") + extra, case.options) + int(resistance)
    rating = armor_worn(target, harm["armor_kind"]) + extra
    if rating == 0 and harm["ap"] > 0 and case.options.get("ap_positive_needs_armor", True):
        return 0
    return max(0, rating + int(harm["ap"]))


def fill(case: Case, who: str, target: Entry, damage: int, track: str, *, prefix: str = "") -> None:
    """Boxes on the monitors: Stun beyond its monitor is Physical, and beyond that is overflow."""
    physical, stun = target.get("physical", 0), target.get("stun", 0)
    body, will = target["body"], target.get("willpower")
    single = bool(target.get("grunt") and case.options.get("npc_single_track"))
    boxes = 8 + ceil((max(body, will) if single else body) / 2) + target.get("extra_boxes", 0)
    stun_boxes = None if will is None else boxes - physical if single else 8 + ceil(will / 2)
    to_stun = damage if track == "stun" else 0
    if stun_boxes is not None:
        to_stun = min(to_stun, max(0, stun_boxes - stun))
    stun, physical = stun + to_stun, physical + damage - to_stun
    filled = physical + stun if single else physical
    overflow = max(0, filled - boxes)
    full_stun = not single and stun_boxes is not None and stun >= stun_boxes
    case.out(
        {
            "physical_after": physical,
            "stun_after": stun,
            "overflow": overflow,
            "dying": physical >= boxes or overflow > 0,
            "unconscious": filled >= boxes or full_stun,
            "dead": overflow > body + target.get("extra_overflow", 0),
        },
        prefix,
    )
    case.mark(who, "stun", to_stun)
    case.mark(who, "physical", damage - to_stun)
    target["physical"], target["stun"] = physical, stun


def hurt(
    case: Case,
    who: str,
    target: Entry,
    harm: Harm,
    net: int,
    pool: int,
    *,
    prefix: str = "",
    falls: bool = True,
) -> int:
    """Compare with the armor, add what autofire adds, resist, and fill the monitors; the boxes taken."""
    modified = harm.dv + net
    converted = harm.compared and harm.kind == "physical" and modified <= harm.armor
    kind = "stun" if converted else harm.kind
    dv = modified + harm.burst
    soak = case.table.roll(pool, who, "soak", target.get("edge", 0)).hits
    damage = max(0, dv - soak)
    limit = target["body"] - (2 if harm.gel and case.options.get("gel_knockdown", True) else 0)
    case.out(
        {
            "modified_dv": modified,
            "modified_armor": harm.armor,
            "converted_to_stun": converted,
            "dv": dv,
            "soak_hits": soak,
            "damage": damage,
            "track": kind,
            "knockdown": falls and (damage > limit or damage >= 10),
        },
        prefix,
    )
    fill(case, who, target, damage, kind, prefix=prefix)
    return damage


def shock(case: Case, who: str, target: Entry, net: int, *, prefix: str = "") -> None:
    """Body + Willpower against three, or incapacitated."""
    bonus = half(armor_worn(target, "impact"), case.options)
    if case.options.get("electric_armor_bonus") == "none":
        bonus = 0
    protection = target.get("resistances", {}).get("electricity", 0)
    pool = target["body"] + target["willpower"] + bonus + protection - wounds(target, case.options)
    hits = case.table.roll(pool, who, "electric", target.get("edge", 0)).hits
    outcome = "shaken" if hits >= 3 else "incapacitated"
    facts = {
        "electric_hits": hits,
        "electric_threshold": 3,
        "electric_outcome": outcome,
        "electric_turns": 2 + net,
    }
    case.out(facts, prefix)
