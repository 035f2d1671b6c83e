"""The second opinion on cwn: the numbers of attacks (sections 3 to 5, 10). See `second_opinion_cwn`."""

from __future__ import annotations

from math import ceil

from second_opinion_cwn_rules import Case, Person, armed, known, plus
from second_opinions import Entry, NotUnderstoodError

ATTACK_WORDS = """
    kind skill other_skill swarm swarm_others charge charge_distance burst snap steadied dual_wield lethal rested hold
    shock_burst
"""
MOD_HIT = {"autotargeting": 1, "customized": 1, "predictive-guidance": 1}
MOD_DAMAGE = {"predictive-guidance": 1, "integral-toxins": 2, "savage-impact": 1, "thermal-charge": 2}
MOD_CAP = 3
BODY_HIT = {"limbgun": 1, "targeting-processor": 1}
FISTS = {0: "1d6", 1: "1d8", 2: "1d10", 3: "1d12", 4: "1d12+1"}
MELEE_REACH = 2


class Blow:
    """One attack: who, with what, how, and its numbers."""

    def __init__(self, case: Case, attacker: Person, target: Person, weapon: Entry, how: Entry) -> None:
        known(how, ATTACK_WORDS, "attack")
        self.case, self.attacker, self.target, self.how = case, attacker, target, how
        self.weapon = weapon = dict(weapon)
        self.mods = list(weapon.get("mods", ()))
        self.kind = how.get("kind") or {
            "gun": "ranged",
            "bow": "ranged",
            "launcher": "ranged",
            "grenade": "thrown",
        }.get(weapon["type"], "melee")
        self.distance = case.said.get("distance")
        if weapon.get("unrested") and not how.get("rested"):
            raise NotUnderstoodError("a weapon that needs a rest")
        level = min(2, attacker.get("foci", {}).get("unarmed-combatant", 0))
        punch = attacker.skills.get("punch", -1)
        if weapon["slug"] == "unarmed" and level and punch >= 0:
            weapon.update(damage=FISTS[punch], trauma_die=("1d6", "1d8")[level - 1], trauma_rating=2)
            if punch:
                weapon.update(shock=punch, shock_ac=15)
            if level == 2:
                weapon["miss_damage"] = "1d6"
        lethal = {"never": True, "always": False, "default": bool(how.get("lethal"))}[weapon["non_lethal"]]
        self.lethal = lethal and "stun-rounds" not in self.mods

    @property
    def adjacent(self) -> bool:
        """Whether the target is in melee range."""
        return self.kind == "melee" or (self.distance is not None and self.distance <= MELEE_REACH)

    def reaches(self) -> tuple[float, float]:
        """Normal and long range."""
        factor = (2 if self.weapon.get("slug_loaded") else 1) * (0.5 if "stun-rounds" in self.mods else 1)
        return self.weapon["range_normal"] * factor, self.weapon["range_long"] * factor

    def is_long(self) -> bool:
        """Whether the target is beyond the normal range."""
        return self.kind != "melee" and self.distance is not None and self.distance > self.reaches()[0]

    def level(self) -> int | None:
        """Level of the combat skill; None untrained."""
        if self.attacker.has("skill_level"):
            return int(self.attacker["skill_level"])
        may = [self.how["skill"]] if "skill" in self.how else list(self.weapon.get("skills", ()))
        if self.kind == "thrown":
            may = ["shoot", "stab", "exert"]
        return max(
            (self.attacker.skills[skill] for skill in may if skill in self.attacker.skills), default=None
        )

    def level_of(self, skill: str) -> int:
        """Level of one skill, which may stand for that of the attack."""
        level = self.attacker.skills.get(skill)
        if level is None and skill in {self.how.get("skill"), *self.weapon.get("skills", ())}:
            level = self.attacker.get("skill_level")
        return max(0, level or 0)

    def attribute(self) -> int:
        """The attribute modifier, which adds to hit, damage and Shock."""
        if self.printed:
            return 0
        if self.attacker.has("attribute_modifier"):
            return int(self.attacker["attribute_modifier"])
        return self.attacker.best(self.weapon.get("attributes", ()))

    def refused(self) -> set[str]:
        """Why the attack is impossible."""
        who, how, weapon = self.attacker, self.how, self.weapon
        found = set()
        if self.kind == "ranged" and weapon["two_handed"] and who.get("engaged") and not who.focus("deadeye"):
            found.add("two_handed_gun_in_melee")
        if self.kind != "melee" and self.distance is not None and self.distance > self.reaches()[1]:
            found.add("beyond_long_range")
        if self.kind == "melee" and (self.distance or 0) > MELEE_REACH and not how.get("charge"):
            found.add("melee_out_of_range")
        if self.target.get("visibility") == "unseen-unknown":
            found.add("unseen_unknown")
        if self.target.get("cover") == "total":
            found.add("no_line_of_fire")
        if weapon.get("ready") is False:
            found.add("weapon_not_ready")
        rounds = weapon.get("rounds")
        if rounds == 0:
            found.add("empty_magazine")
        if how.get("burst") and not weapon["can_burst"]:
            found.add("weapon_cannot_burst")
        if how.get("burst") and rounds is not None and 0 < rounds < 3:
            found.add("not_enough_ammo_for_burst")
        if how.get("charge"):
            run = how.get("charge_distance", 3)
            if self.kind == "ranged":
                found.add("charge_with_ranged_weapon")
            if run < 3:
                found.add("charge_too_short")
            if run > 2 * who.get("move", 10):
                found.add("charge_too_far")
        if how.get("snap") and who.get("main_spent"):
            found.add("snap_main_spent")
        if how.get("snap") and who.get("named") is False:
            found.add("snap_unnamed")
        if who.get("blinded") and self.kind != "melee":
            found.add("blinded_ranged")
        if self.target.get("immune") == "light" and not (weapon.get("heavy") or self.wrecks()):
            found.add("target_immune")
        return found

    def wrecks(self) -> bool:
        """Whether it can do a machine a Traumatic Hit."""
        return bool(self.weapon.get("wrecks_machines") or "heavy-sabot" in self.mods)

    def gunlink(self) -> bool:
        """Whether a Gunlink helps: guns only."""
        who = self.attacker
        onboard = "onboard-gunlink" in self.mods and who.implant("cranial-jack")
        return self.weapon["type"] == "gun" and (who.implant("gunlink") or onboard)

    def mod_sum(self, table: dict[str, int], *, capped: bool = True) -> int:
        """What weapon mods add: at most three (R23)."""
        linked = self.attacker.implant("gunlink") or self.attacker.implant("cranial-jack")
        found = 0
        for mod in self.mods:
            if mod in {"autotargeting", "predictive-guidance"} and not linked:
                continue
            if mod == "thermal-charge" and not self.weapon.get("thermal_charge_active"):
                continue
            if mod == "savage-impact" and self.kind != "melee":
                continue
            found += table.get(mod, 0)
        return min(MOD_CAP, found) if capped else found

    def to_hit(self) -> int:
        """The attack bonus (4.1 to 4.4)."""
        who, target, how = self.attacker, self.target, self.how
        if self.printed:
            bonus = who["attack_bonus_melee" if self.kind == "melee" else "attack_bonus_ranged"]
        else:
            level = self.level()
            bonus = who["base_attack_bonus"] + self.attribute() + (-2 if level is None else level)
        if target.get("prone"):
            bonus += 2 if self.adjacent else -2
        if self.is_long() and not self.gunlink() and not who.implant("eye-zoom"):
            bonus -= 2
        if who.get("prone") and self.kind == "melee":
            bonus -= 4
        hidden = {"half": 2, "near-total": 4}.get(target.get("cover", ""), 0)
        hidden += 4 if target.get("visibility") == "unseen-known" else 0
        bonus -= max(0, hidden - 2) if self.gunlink() else hidden
        if who.get("engaged") and self.kind != "melee" and not who.focus("deadeye", 2):
            small = self.weapon["pistol_sized"] and who.focus("close-combatant") and self.kind == "ranged"
            bonus -= 0 if small else 4
        bonus -= 4 if how.get("snap") and not how.get("steadied") else 0
        bonus += 2 if how.get("charge") else 0
        bonus += min(6, 2 * how.get("swarm_others", 0))
        bonus += 2 if how.get("burst") else 0
        bonus -= 1 if self.dual() else 0
        bonus -= 1 if self.weapon.get("improvised") else 0
        bonus -= 1 if self.weapon.get("slug_loaded") else 0
        bonus -= 4 if self.weapon.get("rocket") and target.get("human_sized") else 0
        bonus -= 4 if who.get("in_moving_vehicle") else 0
        bonus -= 2 if who.get("control_board") else 0
        bonus -= 2 if who.get("flashbanged") else 0
        bonus -= 4 if who.get("dazzled") else 0
        bonus -= 4 if who.get("blinded") and self.kind == "melee" else 0
        bonus += 2 if who.drug("boneshaker") or who.drug("olympus") else 0
        bonus += self.mod_sum(MOD_HIT) + sum(BODY_HIT.get(mod, 0) for mod in self.mods)
        bonus += 1 if self.armsmaster(2) and self.kind != "ranged" else 0
        bonus += self.besides()
        return self.case.total("attack.bonus", bonus)

    def besides(self) -> int:
        """What adds to hit beside all this."""
        return 0

    def dual(self) -> bool:
        """Whether it fights with two weapons."""
        return bool(self.how.get("dual_wield") or "weapon_2" in self.case.said)

    def ac(self, prefix: str = "") -> int:
        """The target's AC as it is now, told as a number of the attack."""
        return self.case.total(prefix + "target.ac", self.ac_now())

    def ac_now(self) -> int:
        """The effective AC: with what is temporary (4.7)."""
        target = self.target
        ac = target.ac(self.kind)
        ac += 2 if target.get("total_defense") else 0
        ac -= 2 if target.get("charged") else 0
        ac -= 2 if target.get("flashbanged") else 0
        ac -= 4 if target.get("dazzled") else 0
        ac -= 4 if target.get("blinded") else 0
        ac -= 4 if target.get("vehicle_state") == "stationary" else 0
        ac += 2 if "reactive-defenses" in target.get("vehicle_fittings", ()) else 0
        ac += target.get("driver_skill", 0) if target.get("vehicle_state") == "moving" else 0
        return ac

    @property
    def printed(self) -> bool:
        """Whether the attacker's numbers hold all abilities already: a bonus for such attacks is printed."""
        return self.attacker.has("attack_bonus_melee" if self.kind == "melee" else "attack_bonus_ranged")

    def trained(self, focus: str, level: int = 1) -> bool:
        """Whether a focus adds to the numbers."""
        return self.attacker.focus(focus, level) and not self.printed

    def steady(self) -> int:
        """What adds to damage and to Shock alike, beside mods and foci: attribute, Killing Blow, drugs."""
        who = self.attacker
        more = self.attribute()
        more += ceil(who["level"] / 2) if who.get("killing_blow") and not self.printed else 0
        more += 2 if who.drug("boneshaker") else 0
        more -= 2 if "monoblade" in self.mods else 0
        return more

    def armsmaster(self, level: int = 1) -> bool:
        """Armsmaster is of no use unarmed (SRD 1.6.1)."""
        return self.weapon["type"] != "unarmed" and self.trained("armsmaster", level)

    def damage(self) -> int:
        """What adds to the damage dice (5.1, 5.2)."""
        bonus = self.steady() + self.mod_sum(MOD_DAMAGE)
        if self.weapon.get("adds_punch") and not self.printed:
            bonus += self.level_of("punch")
        armsmaster = self.level_of("stab") if self.armsmaster() and self.kind != "ranged" else 0
        deadeye = self.level_of("shoot") if self.trained("deadeye") and self.kind != "melee" else 0
        bonus += max(armsmaster, deadeye)
        bonus += 2 if self.how.get("burst") else 0
        bonus -= 2 if "stun-rounds" in self.mods else 0
        bonus -= 1 if self.weapon.get("improvised") else 0
        if "weapon_2" in self.case.said:
            other = armed(self.case.said["weapon_2"])
            gun = other["type"] in {"gun", "bow"}
            near = self.adjacent if not gun else (self.distance or 0) <= other["range_long"]
            bonus += 2 if near else 0
        if self.weapon["type"] == "launcher" and not self.case.options.get("explosives_add_attr"):
            bonus -= self.attribute()  # R10
        total = self.case.total("damage.bonus", bonus)
        self.case.totals["damage.bonus"] += plus(self.weapon["damage"])  # they tell it with the weapon's own
        return total

    def shock(self, prefix: str = "", *, defended: bool = False) -> int | None:
        """Shock that a miss does; None where none reaches the target (5.4)."""
        who, target, weapon = self.attacker, self.target, self.weapon
        if self.kind != "melee" or "shock" not in weapon:
            return None
        swarm = bool(self.how.get("swarm_others"))
        amount = weapon["shock"] + self.steady() + self.mod_sum(MOD_DAMAGE, capped=False)
        amount += self.level_of("stab") if self.armsmaster() else 0
        amount += 2 if self.trained("shocking-assault", 2) else 0
        amount = max(0, amount)  # R25
        self.case.totals[prefix + "shock.damage"] = amount
        self.case.totals[prefix + "shock.ac"] = weapon["shock_ac"]
        never = bool(target.get("total_defense") or target.get("shock_proof") or defended)
        immune = target.get("shock_immune") or target.focus("close-combatant") or target.get("shock_shield")
        immune = never or (bool(immune) and not swarm)
        self.case.totals[prefix + "shock.immunity"] = int(immune)
        trained = weapon["type"] != "unarmed" and who.focus("armsmaster", 2)
        ten = trained or who.focus("close-combatant", 2) or who.focus("shocking-assault")
        if immune or not (swarm or ten or self.ac_now() <= weapon["shock_ac"]):
            return None
        return amount

    def trauma(self, prefix: str = "") -> tuple[int, bool] | None:
        """Trauma Die and whether it meets the Trauma Target; None where none is thrown (5.3)."""
        who, target = self.attacker, self.target
        goal = self.case.total(prefix + "trauma.target", target.trauma_target())
        bonus = int(bool(who.get("killing_blow")) and not self.printed) + int("monoblade" in self.mods)
        bonus += 2 if target.drug("boneshaker") else 0
        self.case.totals[prefix + "trauma.bonus"] = bonus + plus(self.weapon.get("trauma_die", ""))
        if not self.lethal or not self.weapon.get("trauma_die"):
            return None
        if "stun-rounds" in self.mods or (target.get("machine") and not self.wrecks()):
            return None
        thrown = self.case.table.sum(self.weapon["trauma_die"]) + bonus
        return thrown, thrown >= goal

    def spend_rounds(self) -> None:
        """Ammunition: one round, or three of a burst."""
        if self.kind == "ranged" and self.weapon.get("rounds") is not None:
            used = 3 if self.how.get("burst") else 1
            self.case.out(ammo_left=self.weapon["rounds"] - used)
            self.case.harm["item", "attacker", "weapon"] = -used
