"""What a player says in place of what a fight knows: whose word counts (see `kernel.turns.TurnRules`)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from fracas.rulesets.imperium.attacks.attack_vocabulary import CLOSE_COMBAT, SHOOTING

_OF_WEAPONS = ("weapon.", "parry.")
_PLAYERS_SAY = frozenset(("name", "mods", "rounds", "one_handed"))


def _fields(record: str) -> list[str]:
    """The fields of a record of either attack that can be said."""
    fields = {**SHOOTING.fields, **CLOSE_COMBAT.fields}
    return [path for path, field in fields.items() if path.startswith(record) and field.derived_from is None]


STAND_INS: Mapping[str, Sequence[str]] = {
    **{
        path.rpartition(".")[2]: ("use", "may_parry")
        for record in _OF_WEAPONS
        for path in _fields(record)
        if path.rpartition(".")[2] not in _PLAYERS_SAY
    },
    "characteristic": ("kind",),
}
"""Of a known weapon the packs report everything, also what they leave out; a test with a name has its
characteristic."""

GM_SAYS: Collection[str] = ("test.modifier", "healing.gm_allows", *_fields("armor."))
"""Beside what belongs to the GM anyway: the one piece of armor that counts in place of all that is worn."""
