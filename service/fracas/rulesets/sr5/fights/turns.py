"""Combat Turns of Shadowrun 5: who acts when, with what, and what is done in other people's phases.

Rulebook sections 1 to 4, 6.1, 7, 8.3 and 8.6. A turn is a Combat Turn, a slot an Action Phase; a part is an Initiative
Pass of the ordinary game, or the whole count of a turn by the house rules.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from fracas.kernel.intents import Intent, Need, Participant, StepContext, Table
from fracas.kernel.monitors import by_hand, worst
from fracas.kernel.stage import Effect, Fact
from fracas.kernel.turns import Contest, Gauge, Moving, Track, Words
from fracas.kernel.vocabulary import Catalog
from fracas.rulesets.sr5.attacks.attack import SEVERAL
from fracas.rulesets.sr5.attacks.ranged import SUPPRESSED as SUPPRESSED_BY_FIRE
from fracas.rulesets.sr5.combatant import MELEE_CATEGORIES
from fracas.rulesets.sr5.fights import standing
from fracas.rulesets.sr5.fights.action_rules import ROUNDS, Acting, saves_actions
from fracas.rulesets.sr5.fights.needs import IN_MELEE, NEEDS, in_melee_with, situated
from fracas.rulesets.sr5.fights.standing import Standing
from fracas.rulesets.sr5.harms.damage import DISABLED
from fracas.rulesets.sr5.procedures import GROUPS, TALLIES
from fracas.rulesets.sr5.rolls.surprise import SURPRISED, SurpriseTest
from fracas.rulesets.sr5.sheet import Monitors

UNARMED = "unarmed"
_BODY = ("physical", "stun", "body", "willpower", "grunt", "vehicle", "stabilized")


class CombatTurn(Standing, Acting):
    """How fights of Shadowrun 5 are ordered."""

    words = Words("Combat Turn", "Initiative Pass", "Action Phase")
    seconds = 3
    counts_uses_of_turn = True
    tracks: Mapping[str, Track] = {
        "physical": Track("physical", noun="box of Physical damage"),
        "stun": Track("stun", noun="box of Stun damage"),
        "edge": Track("edge_points", noun="point of Edge"),
        "defenses-made": Track("defenses_made", resets="slot", fleeting=True),
        ROUNDS: Track("rounds_before", fleeting=True),
        standing.LOSS: Track("initiative_loss"),
        standing.INTERRUPTS: Track("", token=standing.INTERRUPTS),
    }
    tallies: Mapping[str, str] = TALLIES
    stand_ins: Mapping[str, Sequence[str]] = {
        "pool": ("agility", "reaction", "intuition", "skills"),
        "armor_value": ("armor", "armor_bonus"),
        "drain_pool": ("willpower", "drain_attribute"),
        "astral_limit": ("logic", "charisma", "willpower"),
        "initiative": ("reaction", "intuition", "data_processing"),
        "place": ("interface",),
    }
    resorting: Collection[str] = (SURPRISED, standing.INTERRUPTS)
    groups: Mapping[str, Sequence[str]] = GROUPS
    needs: Mapping[str, Need] = NEEDS
    contests: Mapping[str, Contest] = {
        # Each test says by itself what follows, but for an initiative that is rolled already: that loses points now.
        "surprise": Contest("Surprise", SurpriseTest.id, standing.caught_out)
    }
    moments: Mapping[str, str] = {
        "own-next-phase": "own-slot",
        "own-first-phase": "own-slot",
        "own-phase-ends": "own-slot-end",
        "any-other-action": "other-action",
        "any-action": "own-action",
        "turn-ends": "turn-end",
        "wakes": "mended",
        "cannot-act": "unable",
    }

    def unable(self, participant: Participant) -> str:
        """A full monitor: ``unconscious``, ``dying``, ``dead`` or ``disabled``; "" where the sheet does not report
        it."""
        sheet = participant.sheet
        monitors = monitors_of(sheet) if sheet.get("physical") or sheet.get("stun") else None
        return "" if monitors is None else worst(monitors.now(), DISABLED)

    def follows(
        self, before: Participant | None, after: Participant, lookup: Catalog, options: Mapping[str, Any]
    ) -> Sequence[Effect]:
        """Full monitors that are set by hand, or with which a combatant joins, mean the same as after a hit."""
        found = list(super().follows(before, after, lookup, options))
        had = before.conditions if before is not None else frozenset()
        filled, then = monitors_of(after.sheet), monitors_of(before.sheet) if before is not None else None
        now, bleeds = (filled.now(), filled.bleeds) if filled is not None else (None, 0)
        was = then.now() if then is not None else None
        return found + by_hand(after.id, was, now, had, after.conditions, DISABLED, bleeds)

    def counts_for_side(self, participant: Participant) -> bool:
        return not participant.sheet.get("vehicle")

    def gauges(self, participant: Participant, catalog: Catalog) -> Sequence[Gauge]:
        """Both monitors, of a grunt the single one for each kind, and the Edge that is left."""
        found, sheet = [], participant.sheet
        monitors = monitors_of(sheet)
        if monitors is not None:
            found.append(Gauge("physical", "Physical", monitors.physical, monitors.physical_boxes))
            if not monitors.vehicle:
                most = monitors.physical_boxes if monitors.single else monitors.stun_boxes
                found.append(Gauge("stun", "Stun", monitors.stun, most))
        points = sheet.get("edge_points")
        if isinstance(points, int):
            found.append(Gauge("edge", "Edge", points, sheet.get("edge"), fills=False, harm=False))
        return found

    def at_hand(self, thing: Mapping[str, Any]) -> bool:
        return thing.get("category") == UNARMED

    def kept(self, thing: Mapping[str, Any]) -> Mapping[str, Fact]:
        """Whether it can parry."""
        category = thing.get("category")
        return {"melee": category in MELEE_CATEGORIES and category != UNARMED}

    def reacting(self, procedure: str, numbers: Collection[str] | None = None) -> Sequence[str]:
        return SEVERAL

    def why_no_delay(self, table: Table, who: str) -> str:
        if saves_actions(table.options):
            return "nobody delays: actions that are left unspent can be used until the end of the next phase"
        return "delays are not part of these rules"

    def arriving(
        self, sheet: Mapping[str, Any], said: Mapping[str, Any], catalog: Catalog, options: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """With the distances that the packs' table of movement gives."""
        entry = catalog.entry("combatant", said["use"]) if "use" in said else None
        metatype = entry.data.get("metatype", "") if entry is not None else ""
        return {**rates_of(sheet, catalog, metatype), **sheet}

    def concerned(
        self, table: Table, who: str, by: str, intent: Intent, condition: str
    ) -> Sequence[str] | None:
        """Melee binds those in it to each other; in a zone of suppressive fire one is towards the one who keeps it
        under fire."""
        if condition == IN_MELEE:
            return in_melee_with(who, by, intent)
        if condition != SUPPRESSED_BY_FIRE:
            return None
        return (intent.target.id,) if intent.target is not None else ()

    def movement(self, table: Table, who: str) -> Moving | None:
        """By what the sheet and its conditions say; who lies crawls, where the table knows how far."""
        sheet = table.participants[who].sheet
        modes = (("sprinting", "sprint"), ("running", "run"), ("prone", "crawl"))
        mode = next((mode for field, mode in modes if sheet.get(field)), "walk")
        metres = sheet.get(f"metres_{mode}", sheet.get("metres_run") if mode == "sprint" else None)
        return None if metres is None else Moving(mode, metres, metres)

    def situate(self, step: StepContext) -> Mapping[str, Any]:
        return situated(step)


def monitors_of(sheet: Mapping[str, Any]) -> Monitors | None:
    """The monitors of a sheet, on which boxes that it does not report are not filled; None where it lacks
    attributes."""
    facts = {"own.physical": 0, "own.stun": 0}
    return Monitors.of(facts | {f"own.{name}": sheet[name] for name in _BODY if name in sheet}, "own")


def rates_of(sheet: Mapping[str, Any], catalog: Catalog, metatype: str = "") -> dict[str, int]:
    """Metres by mode, as fields of a sheet (``metres_run``); none where the Agility that they need is not said. And
    those that a hit adds to a sprint, fewer for a dwarf."""
    table = catalog.entry("table", "movement")
    rows = table.data["rows"] if table is not None else {}
    agility = sheet.get("agility")
    found: dict[str, int] = {}
    for mode, row in rows.items():
        by_agility = row.get("agility", 0)
        if by_agility and not isinstance(agility, int):
            continue
        found[f"metres_{mode}"] = row.get("metres", 0) + by_agility * (agility or 0)
        if "per_hit" in row:
            found["metres_per_hit"] = row.get(f"per_hit_{metatype}", row["per_hit"])
    return found
