"""The second opinion on sr5: the packs' entries, people, limits, wounds and armor. See `second_opinion_sr5`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import ceil
from typing import Any

from plain_yaml import data_of
from second_opinions import PACKS, Entry, NotUnderstoodError

CORE, HOUSE = "sr5-core", "sr5-bonus-actions"


@cache
def entries(kind: str, house: bool = True) -> dict[str, Entry]:
    """All entries of a kind by slug, with what the house rules change of them, or without."""
    found: dict[str, Entry] = {}
    for pack in (CORE, HOUSE) if house else (CORE,):
        for file in [*(PACKS / pack).glob(f"{kind}.yaml"), *sorted((PACKS / pack).glob(f"{kind}/*.yaml"))]:
            for entry in data_of(file)["entries"]:
                if "slug" in entry:
                    found[entry["slug"]] = entry
                elif "patch" in entry:
                    slug = entry["patch"].rpartition("/")[2]
                    found[slug] = {**found[slug], **entry.get("set", {})}
    return found


def known(what: Mapping[str, Any], words: str, kind: str) -> None:
    """Refuse to answer where a record says more than these words."""
    if strange := set(what) - set(words.split()):
        raise NotUnderstoodError(f"{kind}: {sorted(strange)}")


def third(points: float) -> int:
    """A third, rounded up."""
    return ceil(round(points, 6) / 3)


PERSON_WORDS = """
    use name body agility reaction strength willpower logic intuition charisma edge edge_points essence magic
    skills physical stun pain_resistance limit_bonus stabilized grunt armor armor_bonus armor_value armor_mods
    vision smartlink dni vehicle running prone in_melee in_moving_vehicle pool specialized split_dice off_hand
    called_shot visibility_help light_help wind_help blind_fire around_corner imaging_from_cover in_cover
    suppressed take_aim aim_for aim_turns deployed rounds_before rounds_phase unaware sprinting full_defense
    defenses_made soak_bonus hardened_armor strapped_in cover distance suppression charging superior_position
    touch_only friends_in_melee weapon in_hand reach awaits_charge active_defense blast_distance spot_distance
    bearing drain_attribute drain_pool counterspelling device_rating device_damage firewall attack
    full_matrix_defense medkit alerted initiative initiative_bonus initiative_dice drug_dice intrinsic_dice
    place interface data_processing awakened initiate_grade bonus_physical bonus_matrix bonus_magic bonus_world
    surprised kept_score force nature pilot services binder_magic astral_limit spell_defense spell_protected biofeedback
    through_device called_initiative initiative_loss technomancer rounds_in_phase social_limit_bonus
    mental_limit_bonus perception_bonus metres_run metres_per_hit
    monitor_boxes handling speed maneuvering clearsight evasion sensor sensor_attack lock_dice control
    noise reagents in_host
    toxin_protection immunity spirit_type control_rig evasive runs_clear signature aura sleaze programs running_silent
    marks overwatch noise_reduction link_locked unattended resonance spell_hits spell_force
    holds_breath binder_resonance
"""
RECORD_WORDS = "slug label metatype augmentations powers weapons tags notes source provenance confidence"


class Person:
    """Somebody: a record of the pack with what the example changes of it."""

    def __init__(self, said: Any, house: bool) -> None:
        said = {"use": said} if isinstance(said, str) else dict(said or {})
        base = dict(entries("combatants", house)[said["use"]]) if "use" in said else {}
        base = {name: value for name, value in base.items() if name not in RECORD_WORDS.split()}
        for ratings in ("skills", "armor_mods"):  # each rating by itself
            if ratings in base and ratings in said:
                said[ratings] = {**base[ratings], **said[ratings]}
        self.facts: Entry = {**base, **said}
        known(self.facts, PERSON_WORDS, "person")

    def __getitem__(self, name: str) -> Any:
        return self.facts[name]

    def get(self, name: str, default: Any = None) -> Any:
        """A fact, or what is usual."""
        return self.facts.get(name, default)

    def has(self, *names: str) -> bool:
        """Whether all of these are said."""
        return all(name in self.facts for name in names)

    def skill(self, name: str) -> int:
        """A rating; 0 for a skill that is not there."""
        return int(self["skills"].get(name, 0))

    # Limits

    @property
    def physical_limit(self) -> int:
        """(2 x Strength + Body + Reaction) / 3, and what drugs add."""
        return third(2 * self["strength"] + self["body"] + self["reaction"]) + self.get("limit_bonus", 0)

    def limit(self, kind: str) -> int:
        """One of the four limits."""
        if kind == "physical":
            return self.physical_limit
        if kind == "mental":
            mental = third(2 * self["logic"] + self["intuition"] + self["willpower"])
            return mental + self.get("mental_limit_bonus", 0)
        if kind == "social":
            social = third(2 * self["charisma"] + self["willpower"] + self["essence"])
            return social + self.get("social_limit_bonus", 0)
        return max(self.limit("mental"), self.limit("social"))

    # Wounds

    @property
    def one_monitor(self) -> bool:
        """Grunts have a single track."""
        return bool(self.get("grunt"))

    @property
    def wounds(self) -> int:
        """-1 for each three full boxes of a track, without those that pain does not count for; none of vehicles."""
        if self.get("vehicle"):
            return 0
        tracks = [self.get("physical", 0), self.get("stun", 0)]
        if self.one_monitor:
            tracks = [sum(tracks)]
        return -sum(max(0, boxes - self.get("pain_resistance", 0)) // 3 for boxes in tracks)

    def boxes(self, track: str) -> int:
        """How many boxes a track has."""
        if track == "physical" and self.has("monitor_boxes"):
            return int(self["monitor_boxes"])
        if self.one_monitor:
            return 8 + ceil(max(self["body"], self["willpower"]) / 2)
        return 8 + ceil(self["body" if track == "physical" else "willpower"] / 2)

    # Armor

    @property
    def _worn(self) -> tuple[int, int]:
        """The best suit, and what adds to it."""
        pieces = [entries("armor")[slug] for slug in self.get("armor", ())]
        suits = [piece for piece in pieces if not piece.get("stacks")]
        best = max(suits, key=lambda piece: int(piece["rating"]), default={"slug": "", "rating": 0})
        more = sum(
            piece["rating"]
            for piece in pieces
            if piece.get("stacks") and piece.get("goes_with_armor", best["slug"]) == best["slug"]
        )
        return best["rating"], more

    @property
    def armor(self) -> int:
        """The rating worn: what adds counts up to Strength (8.5), and what the body has."""
        if self.has("armor_value"):
            rating = int(self["armor_value"])
        else:
            best, more = self._worn
            rating = best + (min(more, self["strength"]) if self.has("strength") else more)
        return rating + self.get("armor_bonus", 0)

    @property
    def encumbrance(self) -> int:
        """-1 for each two full points of what adds above Strength."""
        if self.has("armor_value") or not self.has("armor", "strength"):
            return 0
        return -(max(0, self._worn[1] - self["strength"]) // 2)


def skilled(person: Person, attribute: str, skill: str) -> int:
    """Attribute and skill, or the pool that is said; without the skill a die less (8.1)."""
    if person.has("pool"):
        return int(person["pool"])
    return int(person[attribute]) + (person.skill(skill) or -1)
