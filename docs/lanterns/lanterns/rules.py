"""The rules of Lanterns: a blow, and a flare that strikes all near it.

A blow hits if d12 and the attack bonus reach the defense of the target; a miss may be thrown again for a spark. A flare
hurts all whose d12 and grit stay below its fierceness, and those who reach it half as much.
"""

from __future__ import annotations

from collections.abc import Iterator

from fracas.dice.totals import Total
from fracas.kernel.fields import choice, fields, flag, person, text, vocabulary, whole
from fracas.kernel.forms import Continuation, Outcome
from fracas.kernel.harm import Body
from fracas.kernel.procedures import Attempt, Procedure, chance, mean
from fracas.kernel.ruleset import DecisionInfo
from fracas.kernel.stage import Effect, Facts, Stage
from fracas.kernel.steps import Again, Against, ForEach, Throw, save_for_half
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import Record

AGAIN = "again"
VICTIMS = ("target", "victim_1", "victim_2", "victim_3")
PERSON = {
    "name": text("Name", most=80, example="Wick"),
    "skill": whole("Skill", "Added to attacks and initiative.", -5, 12, example=3),
    "grit": whole("Grit", "Added to tests against flares.", -5, 12, example=1),
    "defense": whole("Defense", "What an attack must reach.", 2, 20, example=8),
    "armor": whole("Armor", "Taken off damage.", 0, 10, example=1, default=0),
    "hp": whole("Hit points", "Those that are left; down at 0.", 0, 100, example=10),
    "sparks": whole("Sparks", "Each throws one miss again.", 0, 5, example=2, default=0),
    "in_the_dark": flag("In the dark", "No lamp reaches this combatant.", default=False),
    "ducking": flag("Ducking", "Until their next turn.", default=False),
}


class Attack(Procedure):
    """d12 and the attack bonus against the defense of the target; the weapon's die is the damage."""

    vocabulary = vocabulary(
        person("attacker", "Attacker"),
        person("target", "Target"),
        Record("weapon", "Weapon", "weapon"),
        fields("attacker", "target", **PERSON),
        fields(
            "weapon",
            name=text("Name", most=80, example="Boathook"),
            die=choice(
                "Damage die",
                choices=("d4", "d6", "d8", "d10"),
                example="d6",
                required="the damage die of the weapon",
            ),
            accuracy=whole("Accuracy", "Added to the attack.", -5, 5, example=1, default=0),
            bright=flag("Bright", "It carries a light.", default=False),
        ),
    )
    decisions = (DecisionInfo(AGAIN, "Spend a spark to attack again?", ("keep", "again"), "keep"),)
    targets = {"attack.bonus": "Attack bonus", "attack.damage": "Damage bonus"}
    measures = (
        chance("hit", "Chance to hit"),
        mean("damage", "Expected damage"),
        chance("down", "Chance to drop"),
    )

    def numbers(self, it: Attempt) -> None:
        skill = it.need("attacker.skill", "the skill of the attacker")
        it.need("target.defense", "the defense of the target")
        accuracy = Entry("accuracy", "Accuracy", it.facts.get("weapon.accuracy", 0))
        it.tally("attack.bonus", Entry("skill", "Skill", skill), accuracy)
        it.tally("attack.damage", Entry("armor", "Armor of the target", -it.facts.get("target.armor", 0)))

    def first(self, it: Attempt) -> Stage:
        sparks = min(1, it.facts.get("attacker.sparks", 0)) if AGAIN in it.request.open else 0
        swing = Total(((1, 12),), it.total("attack.bonus"), it.facts["target.defense"])
        damage = Total(((1, int(it.facts["weapon.die"][1:])),), it.total("attack.damage"))
        body = body_of(it, "target")
        hit = Against(Throw("damage", "attacker", damage, Wound(body)), End(False, 0, body))
        return Again(AGAIN, "attack", "attacker", swing, (("sparks", 1),), sparks, hit).throw()


def body_of(it: Attempt, who: str, armor: int = 0) -> Body:
    """Somebody who can be hurt; `armor`: what is taken off damage from which no other armor is taken."""
    return Body(who, (("hp", it.facts.get(f"{who}.hp", 0)),), ((0, "down"),), armor)


class Wound(Continuation, kind="lanterns.wound"):
    """What comes of the damage to somebody."""

    body: Body

    def on_result(self, damage: int) -> Stage:
        return End(damage > self.body.soak, damage, self.body)


class End(Outcome, kind="lanterns.end"):
    """How an attack ended, or a flare for one of its victims."""

    hit: bool
    damage: int
    body: Body

    def notes(self) -> Facts:
        damage, down = self.body.suffered(self.damage), bool(self.body.reached(self.damage))
        return {"hit": self.hit, "damage": damage, "down": down, "result": "hit" if self.hit else "miss"}

    def changes(self) -> Iterator[Effect]:
        return self.body.hurt(self.damage)


class Flare(Procedure):
    """Damage is thrown once; each victim throws d12 and grit against the fierceness for half of it."""

    label = "Light a flare"
    vocabulary = vocabulary(
        person("caster", "Who lights it"),
        Record("charm", "Charm", "charm"),
        *(person(who, f"Victim {at}", optional=at > 1) for at, who in enumerate(VICTIMS, start=1)),
        fields("caster", *VICTIMS, **PERSON),
        fields(
            "charm",
            name=text("Name", most=80, example="White flare"),
            die=choice(
                "Damage die",
                choices=("d6", "d8", "d10"),
                example="d8",
                required="the damage die of the charm",
            ),
            fierceness=whole(
                "Fierceness",
                "What d12 and grit must reach.",
                4,
                18,
                example=9,
                required="the fierceness of the charm",
            ),
        ),
    )
    targets = {f"{who}.pluck": "Grit" for who in VICTIMS}
    measures = (mean("damage", "Expected damage, all together"), chance("down", "Chance to drop"))

    def numbers(self, it: Attempt) -> None:
        for who in VICTIMS:
            if who == "target" or any(path.startswith(f"{who}.") for path in it.facts):
                grit = it.need(f"{who}.grit", "the grit of the victim")
                it.tally(f"{who}.pluck", Entry("grit", "Grit", grit))

    def first(self, it: Attempt) -> Stage:
        shields = []
        for to, grit in it.made.items():
            who = to.partition(".")[0]
            test = Total(((1, 12),), grit.total, it.facts["charm.fierceness"])
            shields.append((who, Shield(test, body_of(it, who, it.facts.get(f"{who}.armor", 0)))))
        damage = Total(((1, int(it.facts["charm.die"][1:])),))
        return Throw("damage", "caster", damage, ForEach(tuple(shields)))


class Shield(Continuation, kind="lanterns.shield"):
    """What comes for one victim of the damage that all share."""

    test: Total
    body: Body

    def on_result(self, damage: int) -> Stage:
        return save_for_half("grit", self.body.who, self.test, damage, Wound(self.body))
