"""Data written as YAML: it reads back as it was, and looks as the packs do."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from fracas.packs.files import in_folder, pack_folders
from fracas.packs.reading import read
from fracas.packs.shipped import shipped
from fracas.packs.yaml_editing import append_entry
from fracas.packs.yaml_source import load
from fracas.packs.yaml_writing import WIDTH, flow, mapping_lines

TRICKY = [
    *(
        "on",
        "off",
        "yes",
        "No",
        "y",
        "n",
        "true",
        "False",
        "null",
        "Null",
        "~",
        "",
        " ",
        "=",
        "<<",
        "-",
        "--",
    ),
    *(
        "---",
        "...",
        "... x",
        "012",
        "0x1F",
        "0b1",
        "0o17",
        "1_000",
        "1:30",
        "1:30:59",
        "2024-02-03",
        "1",
        "-1",
    ),
    *(
        "+1",
        "1.0",
        "1e5",
        "1.",
        ".5",
        ".inf",
        "-.INF",
        ".nan",
        "12345678901234567890",
        "0",
        "00",
        "4R",
        "1d6",
    ),
    *(
        "a: b",
        "a:",
        ":a",
        ":",
        "a #b",
        "a#b",
        "#a",
        "a,b",
        "a, b",
        "[a]",
        "{a}",
        "a]",
        "it's",
        'say "x"',
        "\\",
        "\\n",
    ),
    *(
        "'",
        '"',
        "''",
        "'\"",
        "&a",
        "*a",
        "!a",
        "|",
        ">",
        "%a",
        "@a",
        "`a`",
        "? a",
        "?a",
        "- a",
        "-a",
        " a",
        "a ",
    ),
    *(
        "a\tb",
        "a\nb",
        "\r\n",
        "\0",
        "\x7f",
        "\x85",
        "\u2028",
        "\ufeff",
        "\ufffe",
        "ü ☃ 𝄞",
        "\u00a0",
        "\u3000a",
    ),
    *(
        "target.cover:good",
        "sr4-core:weapon/ak-97",
        "6 - 2",
        "best: 3",
        "http://x.org/a?b=c#d",
        "a :b",
        "a : b",
    ),
]

text = st.one_of(
    st.sampled_from(TRICKY),
    st.text(st.sampled_from("ab 01:#-,[]{}'\"\\\n\t?!&*%@`|>~.+_=<"), max_size=8),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
)
whole = st.integers(-(10**18) + 1, 10**18 - 1)
scalars = st.one_of(st.none(), st.booleans(), whole, st.floats(allow_nan=False, allow_infinity=False), text)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=5), st.dictionaries(text, inner, max_size=5)),
    max_leaves=25,
)
mappings = st.dictionaries(text, values, min_size=1, max_size=6)


def same(one: Any, other: Any) -> bool:
    """Equality also of types and of the order of keys; 0.0 is not -0.0."""
    return json.dumps(one) == json.dumps(other)


@given(mappings)
@example(
    {"a": dict.fromkeys(TRICKY, 1), "b": TRICKY, "c": [[TRICKY]], "d": [{"e": TRICKY, "f": {"g": TRICKY}}]}
)
def test_what_was_written_reads_back(data: dict[str, Any]) -> None:
    assert same(load("\n".join(mapping_lines(data))).data, data)


@given(values)
@example("0:?")
def test_one_line_reads_back(value: Any) -> None:
    line = flow(value)
    assert len(line.splitlines()) == 1
    assert same(load(f"a: {line}").data, {"a": value})
    assert same(load(f"[{line}, {line}]").data, [value, value])
    assert same(load(f"{{a: {line}, b: {line}}}").data, {"a": value, "b": value})


@given(mappings)
def test_it_can_be_appended_as_an_entry(data: dict[str, Any]) -> None:
    made = append_entry("kind: x\nentries:\n", mapping_lines(data, 4))
    assert same(load(made).data, {"kind": "x", "entries": [data]})


@given(
    st.one_of(text, st.lists(text, max_size=4), st.dictionaries(text.filter(lambda key: key != "="), text))
)
@example(TRICKY)
def test_other_readers_of_yaml_see_the_same_values(value: Any) -> None:
    """PyYAML takes ``on`` and ``1:30`` for something else than text; quotes tell it. Keys stay as packs have them."""
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else [value]
    for item in items:
        assert yaml.safe_load(f"a: {flow(item)}") == {"a": item}


@given(mappings, st.integers(0, 8))
def test_lists_and_mappings_stay_within_the_width(data: dict[str, Any], margin: int) -> None:
    for line in mapping_lines(data, margin):
        if margin + len(line) > WIDTH:
            value = line.partition(": ")[2] or line
            assert value.lstrip(" -")[:1] not in ("[", "{") or value.endswith(("[]", "{}"))


STYLE: dict[str, tuple[dict[str, Any], str]] = {
    "words": ({"label": "Ares Predator IV", "dv": 5, "ap": -1, "rate": 0.5, "auto": True, "none": None}, """\
label: Ares Predator IV
dv: 5
ap: -1
rate: 0.5
auto: true
none: null"""),
    "quotes where they are needed": ({"availability": "4", "more": "4R", "section": "8.10", "notes": "so: it is",
                                      "inside": 'it\'s a "word"', "said": '"word"', "both": "\"it\": it's"}, """\
availability: "4"
more: 4R
section: "8.10"
notes: "so: it is"
inside: it's a "word"
said: '"word"'
both: "\\"it\\": it's\""""),
    "short parts on one line": ({"source": {"ref": "rulebook-sr4", "section": "8.2", "page": 3}, "modes": ["SA", "BF"],
                                 "features": [], "changes": [{"stat": "agility", "add": [1, 2]}]}, """\
source: {ref: rulebook-sr4, section: "8.2", page: 3}
modes: [SA, BF]
features: []
changes: [{stat: agility, add: [1, 2]}]"""),
    "long mappings in lines": ({"rows": {"physical": {"base": 8, "attribute": "body", "divisor": 2},
                                         "stun": {"base": 8, "attribute": "willpower", "divisor": 2}}}, """\
rows:
  physical: {base: 8, attribute: body, divisor: 2}
  stun: {base: 8, attribute: willpower, divisor: 2}"""),
    "long lists in lines": ({"when": ["target:prone", {"any": ["weapon.modes:BF", "weapon.modes:FA"]},
                                      {"all": [{"gte": ["distance", 16]}, {"not": "attacker:running"},
                                               {"eq": ["option.recoil", "flat"]}]}]}, """\
when:
  - target:prone
  - {any: [weapon.modes:BF, weapon.modes:FA]}
  - all:
      - {gte: [distance, 16]}
      - {not: attacker:running}
      - {eq: [option.recoil, flat]}"""),
}  # fmt: skip


@pytest.mark.parametrize(("data", "expected"), STYLE.values(), ids=STYLE)
def test_the_style(data: dict[str, Any], expected: str) -> None:
    assert "\n".join(mapping_lines(data)) == expected


@pytest.mark.parametrize(
    "value",
    [
        float("inf"),
        float("nan"),
        10**18,
        -(10**18),
        "\ud800",
        {1: 2},
        {"\udfff": 1},
        {"a" * 200: 1},
        pytest.param(object(), id="an object"),
        {1, 2},
        b"x",
    ],
    ids=repr,
)
def test_what_strict_yaml_cannot_hold_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match=r"."):
        mapping_lines({"a": [value]})


def test_every_shipped_entry_can_be_written_and_read_back() -> None:
    count = 0
    for root in pack_folders(shipped("datapacks")):
        pack, _, _ = read(in_folder(root))
        for entry in pack.entries if pack else ():
            lines = mapping_lines(entry.data, 4)
            assert same(load("\n".join(lines) or "{}").data, entry.data)
            assert all(len(line) <= WIDTH for line in lines if line.rstrip().endswith(("]", "}")))
            count += 1
    assert count > 500
