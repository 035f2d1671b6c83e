"""The words of the Inquisitor universe, what may be given of anybody and of any action, and what abilities allow.

Characteristics are percentages, distances yards. A field that is left out is unknown; the doc says so where
leaving it out has a meaning of its own. Section numbers are those of the rulebook.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.kernel.fields import Declared, choice, entries, fields, flag, ratings, text, whole, words
from fracas.kernel.vocabulary import Field

_USES = {
    "weapon_skill": "Hand-to-hand fighting, and pistols fired in close combat.",
    "ballistic_skill": "Shooting and throwing.",
    "strength": "Bodily force; one arm has half of it.",
    "toughness": "How much harm a combatant can take.",
    "initiative": "Quickness and senses; decides who acts first.",
    "willpower": "Psychic powers and force weapons.",
    "sagacity": "Knowledge and reasoning.",
    "nerve": "Standing up to terror and madness.",
    "leadership": "Command and discipline.",
}
CHARACTERISTICS = tuple(_USES)
LOCATIONS = ("right-leg", "left-leg", "body", "right-arm", "left-arm", "head")
LEVELS = ("none", "light", "heavy", "serious", "acute", "crippled")
"""What the levels of injury 0 to 5 are called."""
TYPES = ("close", "pistol", "basic", "heavy", "thrown")
FEATURES = (
    "chain",
    "power",
    "force",
    "shock",
    "daemon",
    "loud",
    "unarmed",
    "improvised",
    "plasma",
    "flame",
    "smoke",
    "charge",
)
GRANTS = (
    *("quick-draw", "chain-weapons", "power-weapons", "swimming", "acrobatics", "medicine", "surgery"),
    *("psychic-powers", "regeneration", "fearless", "machine", "daemon", "blessed"),
)
"""What abilities allow. Packs name the abilities; these words say what the rules make of them."""
MACHINE, DAEMON, BLESSED = "machine", "daemon", "blessed"
"""Of bodies that electronics drive; of what is not of this world, and of those who strike it whole."""
MODES = ("single", "semi-auto", "full-auto")
LOW, HIGH = "low", "high"
SETTINGS = (LOW, HIGH)
"""Of plasma weapons."""
AMMUNITION = ("limax", "longus")
SILENCERS = ("removable", "integral")
PIECES = (
    *("cuirass", "vambraces", "gauntlets", "greaves", "boots", "vest", "jacket", "sleeves", "trousers"),
    *("bodysuit", "balaclava", "coif", "helmet", "force-field"),
)
MATERIALS = ("leather", "flak", "mesh", "carapace", "power")
BANDS = ("short", "medium", "long", "extreme", "beyond")
PACES = ("stationary", "moved", "ran", "sprinted")
VISIBILITY = ("darkness", "smoke")
ACTIONS = (
    *("crawl", "sneak", "wade", "swim", "walk", "run", "sprint", "leap", "drive", "tread-water"),
    *("draw-weapon", "fire-weapon", "throw-grenade", "attack", "charge", "do-nothing", "reload", "aim"),
    *("concentrate", "use-psychic-power", "staunch-bleeding", "heal-injury", "converse", "get-up"),
    *("drop-prone", "close-shot", "strike-bare-handed", "other-test", "tend-injury", "other"),
    *("set-tripod", "take-down-tripod", "brace", "fire-flamer", "put-out-fire", "renew-power", "ram"),
    *("take-drug", "plant-charge"),
)

MERGING = fields(
    "action",
    merged=flag("Merged", "Two actions share one; the chance is halved last (3.2)."),
    merged_with=choice("Merged with", "The other action of the pair.", choices=ACTIONS),
)
"""That an action shares its slot with another."""


def title(name: str) -> str:
    """A characteristic, or a row of the packs, in words: ``Weapon skill``."""
    return name.replace("_", " ").replace("-", " ").capitalize()


PINNED = flag("Pinned", "Left out: is not.")
UNDAUNTED = flag("Undaunted", "Not pinned, as some drugs have it. Left out: is not.")
LEFT_HAND = text("In the left hand", "Name of the thing, to be dropped.", most=80)
"""Fields of several procedures."""


def combatant_fields(who: str, **more: Declared) -> tuple[Field, ...]:
    """The fields that everybody has, and more."""
    usual = "Percentage; 50 for most people."
    return fields(
        who,
        name=text("Name", most=80, example="Corvane Hale"),
        **{name: whole(title(name), f"{use} {usual}", most=200, example=50) for name, use in _USES.items()},
        armor=entries(
            "Armor worn",
            "Entries of 'armor': every piece worn, and any force field; an empty list for none.",
            entry_kind="armor",
            example=["flak-vest"],
        ),
        traits=entries(
            "Abilities", "An empty list for none.", entry_kind="trait", example=["specialist-weapon-chain"]
        ),
        injury_total=whole("Injury Total", "Points of damage and bleeding so far; 0 for none."),
        injuries=ratings(
            "Injuries",
            "Level by location, from 1 (Light) to 5 (Crippled). A location that is not listed is unhurt.",
            most=5,
            choices=LOCATIONS,
            example={"left-leg": 2},
        ),
        bleeding=ratings(
            "Bleeding injuries",
            "How many by location. A location that is not listed does not bleed.",
            most=50,
            choices=LOCATIONS,
        ),
        small=flag("Small", "As a rider less often hit than the mount."),
        mounted=flag("Mounted", "On a beast or vehicle that carries its rider openly."),
        prone=flag("Prone"),
        stunned=flag("Stunned", "Has actions yet to lose."),
        owed_actions=whole("Actions owed", "Lost from the present round, or else the next. Left out: none."),
        work_needed=whole(
            "Actions of the long job", "How many the job at hand takes, as the GM says.", least=1, most=1000
        ),
        grants=words("What the abilities allow", choices=GRANTS, derived_from=f"{who}.traits"),
        **more,
    )


def fields_named(who: str, *names: str, **more: Declared) -> list[Field]:
    """Those of the fields that everybody has which a procedure reads, and more."""
    read = [field for field in combatant_fields(who) if field.path.removeprefix(f"{who}.") in names]
    return [*read, *fields(who, **more)]


def with_grants(facts: Mapping[str, Any], *records: str) -> dict[str, Any]:
    """The facts with what the abilities of these records allow, where abilities are reported."""
    found = dict(facts)
    for who in records:
        if f"{who}.traits" in facts:
            granted = (word for entry in facts[f"{who}.traits"] for word in entry.data.get("grants", ()))
            found[f"{who}.grants"] = tuple(dict.fromkeys(granted))
    return found


def allows(facts: Mapping[str, Any], who: str, word: str) -> bool:
    """Whether a combatant has an ability that allows this, as far as abilities are reported; see `with_grants`."""
    return word in facts.get(f"{who}.grants", ())


def is_merged(facts: Mapping[str, Any]) -> bool:
    """Whether the action shares its slot with another."""
    return bool(facts.get("action.merged", "action.merged_with" in facts))
