"""Setting a firearm: its mode of fire, and the choke of a shotgun (rulebook sections 5.1, 5.2 and 8.8).

No dice: the step says what the weapon is set to now.
"""

from __future__ import annotations

from collections.abc import Sequence

from fracas.kernel.fields import choice, fields, text, vocabulary, words
from fracas.kernel.forms import Outcome
from fracas.kernel.procedures import Attempt, Procedure
from fracas.kernel.ruleset import Measure
from fracas.kernel.stage import Effect, Facts, Stage
from fracas.kernel.tally import Refusal
from fracas.kernel.vocabulary import Field, Record
from fracas.rulesets.sr4.ranged.ranged_vocabulary import MODES
from fracas.rulesets.sr4.vocabulary import CATEGORIES, FEATURES, combatant_fields

MODE, CHOKE = "mode", "choke"
SETTINGS = (MODE, CHOKE)
CHOKES = ("narrow", "medium", "wide")

WEAPON_SETTING = vocabulary(
    Record("tester", "Who sets it", "combatant"),
    Record("weapon", "Weapon", "weapon"),
    combatant_fields("tester"),
    fields(
        "weapon",
        name=text("Name", most=80, example="AK-97"),
        category=choice("Category", choices=CATEGORIES),
        modes=words("Firing modes", choices=MODES),
        features=words("Features", choices=FEATURES),
        mode=choice("Set to", "The mode of fire that it is set to now.", choices=MODES),
        choke=choice("Choke now", choices=CHOKES),
    ),
    fields("", setting=choice("Setting", "What is set: the mode of fire unless said.", choices=SETTINGS)),
    Field(MODE, "choice", "New mode", "The next one that the weapon has if left out.", choices=MODES),
    Field(CHOKE, "choice", "New choke", "The next wider one if left out.", choices=CHOKES),
)


class WeaponSetting(Procedure):
    """Sets the mode of fire or the choke."""

    id = "weapon-setting"
    label = "Set a weapon"
    doc = "The mode of fire of a firearm, or the choke of a shotgun; no dice."
    vocabulary = WEAPON_SETTING
    measures = (Measure("set", "Settings changed", lambda facts: 1.0),)

    def numbers(self, it: Attempt) -> None:
        """No numbers; whether the weapon can be set so."""
        facts = it.facts
        setting: str = facts.get("setting", MODE)
        there: Sequence[str] = CHOKES
        if setting == MODE:
            has = it.need("weapon.modes", "the modes in which the weapon fires", ())
            there = [mode for mode in MODES if mode in has]
        now = facts.get(f"weapon.{setting}", "")
        wanted = facts.get(setting) or _next(there, now)
        if wanted not in there or len(there) < 2:
            label = "The weapon has no other mode, or not this one"
            it.refused += [Refusal("mode_not_available", label)] * (not it.faults.problems)
        elif wanted == now:
            it.refused.append(Refusal("set_already", "The weapon is set to it already"))
        it.plan = WeaponSet(setting, wanted)

    def first(self, it: Attempt) -> Stage:
        stage: WeaponSet = it.plan
        return stage


def _next(there: Sequence[str], now: str) -> str:
    """What comes after the present setting, and the first after the last."""
    if not there:
        return now
    return there[(there.index(now) + 1) % len(there)] if now in there else there[0]


class WeaponSet(Outcome, kind="sr4.weapon-set"):
    """A weapon is set to something."""

    setting: str
    value: str

    def notes(self) -> Facts:
        return {self.setting: self.value}

    def effects(self) -> tuple[Effect, ...]:
        return (Effect("item", "tester", "weapon", None, ((self.setting, self.value),)),)
