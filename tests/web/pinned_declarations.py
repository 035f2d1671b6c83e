"""What the service declares, as it stands written: `/openapi.json`, and of procedures what that does not say.

`python tests/web/pinned_declarations.py` writes both files anew. What a change of declarations does to callers is then
the difference of these files.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fracas.engine.game import load_ruleset, ruleset_ids
from fracas.kernel.procedures import owners_of
from fracas.kernel.ruleset import Procedure
from fracas.web.application import create_app
from fracas.web.settings import Settings

PINNED = Path(__file__).parent / "pinned"
WIDTH = 120
NAMES = ("openapi.json", "procedures.json")


def folded(data: Any, margin: int = 0) -> str:
    """JSON with one line for each part that fits in one."""
    line = json.dumps(data, ensure_ascii=False)
    if margin + len(line) <= WIDTH or not isinstance(data, (dict, list)) or not data:
        return line
    start, end = " " * (margin + 1), " " * margin
    if isinstance(data, list):
        parts = ",\n".join(start + folded(one, margin + 1) for one in data)
        return f"[\n{parts}\n{end}]"
    parts = ",\n".join(f"{start}{json.dumps(name)}: {folded(one, margin + 1)}" for name, one in data.items())
    return f"{{\n{parts}\n{end}}}"


def procedure(one: Procedure) -> Mapping[str, Any]:
    """The words of predicates that no request can say, the numbers with whose they are, decisions and
    measures."""
    derived = [field for field in one.vocabulary.fields.values() if field.derived_from is not None]
    owners = owners_of((one,))
    return {
        "derived": {
            field.path: [field.type, field.least, field.most, *field.choices, field.derived_from]
            for field in derived
        },
        "targets": {to: [label, owners[to]] for to, label in one.targets.items()},
        "decisions": [info.id for info in one.decisions],
        "measures": {measure.id: measure.label for measure in one.measures},
    }


def declarations() -> Mapping[str, str]:
    """The text of each file as the service declares it now."""
    document = json.loads(create_app(Settings()).test_client().get("/openapi.json").data)
    document["info"].pop("version")
    rulesets = {
        found.id: {id: procedure(one) for id, one in found.procedures.items()}
        for found in map(load_ruleset, ruleset_ids())
    }
    return {name: folded(data) + "\n" for name, data in zip(NAMES, (document, rulesets), strict=True)}


if __name__ == "__main__":
    PINNED.mkdir(exist_ok=True)
    for name, text in declarations().items():
        (PINNED / name).write_text(text, encoding="utf-8", newline="\n")
