"""The module's scripts are held against the typings of Foundry; whatever is cast past them is listed here."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[2] / "integrations/foundry/scripts"
CAST = re.compile(r"@type \{(?:any|unknown|Function|\*)\} \*/ ?\(([^()\n]*)")

LISTED = {
    # The typings of 13 know the points that it takes, those of 14 permit none.
    "distances.mjs: canvas": 1,
    # A hook of our own, which the typings cannot list.
    "token-positions.mjs: `${MODULE}.encounter`": 1,
}
"""By script and what is cast, how often. Each with its reason."""


def casts(name: str, text: str) -> list[str]:
    return [f"{name}: {found.strip()}" for found in CAST.findall(text)]


def test_every_cast_past_the_typings_is_listed_with_a_reason() -> None:
    found = Counter(
        cast for path in SCRIPTS.glob("*.mjs") for cast in casts(path.name, path.read_text("utf-8"))
    )
    assert found == LISTED


def test_casts_are_found_and_types_of_parameters_are_not() -> None:
    assert casts("a.mjs", "const combat = /** @type {any} */ (game.combat);") == ["a.mjs: game.combat"]
    assert casts("a.mjs", "/** @type {any} */ (fromUuidSync(id)).x") == ["a.mjs: fromUuidSync"]
    assert casts("a.mjs", "all.map((/** @type {any} */ one) => one.id)") == []
