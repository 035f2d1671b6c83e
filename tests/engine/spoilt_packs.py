"""Packs with something wrong in them, whatever it may be."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import yaml
from hypothesis import strategies as st

VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 10**12), st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["", "x", "sr4", "street", "snub", "attacker:running", "option.recoil", "street:weapon/snub"]),
    st.lists(st.integers(0, 3) | st.text("ab:/.", max_size=3), max_size=2),
    st.dictionaries(st.sampled_from(["id", "use", "dv", "min", "if"]), st.integers(0, 3) | st.just("x"), max_size=2),
)  # fmt: skip


def spoil(data: Any, chance: random.Random, value: Any) -> None:
    """Put a value somewhere into the data, take something out, or call it otherwise."""
    while True:
        keys = list(data) if isinstance(data, dict) else list(range(len(data)))
        if not keys:
            return
        key = chance.choice(keys)
        inner = data[key]
        if isinstance(inner, (dict, list)) and inner and chance.random() < 0.8:
            data = inner
            continue
        match chance.randrange(4):
            case 0:
                del data[key]
            case 1 if isinstance(data, dict):
                data[f"{key}x"] = data.pop(key)
            case _:
                data[key] = value
        return


def spoilt(texts: Mapping[str, str], values: list[Any], seed: int) -> dict[str, str]:
    """A copy of a pack's files with each of the values somewhere, most often in the manifest."""
    chance = random.Random(seed)
    changed = dict(texts)
    for value in values:
        name = chance.choice(["pack.yaml", "pack.yaml", *changed])
        data = yaml.safe_load(changed[name])
        spoil(data, chance, value)
        changed[name] = yaml.safe_dump(data, sort_keys=False)
    return changed
