"""Strict YAML: what the data becomes, where every part of it stands, and every way to be refused."""

from __future__ import annotations

import copy
import importlib.util
import math
import pickle
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tiers import scale

from fracas.packs import yaml_building
from fracas.packs.yaml_source import Located, Position, YamlError, YamlProblem, load

LOADERS: dict[str, type] = {"python": yaml_building._PythonLoader}
if yaml.__with_libyaml__:
    LOADERS["c"] = yaml.CSafeLoader


@contextmanager
def using(loader: str) -> Iterator[None]:
    before = yaml_building._Loader
    yaml_building._Loader = LOADERS[loader]
    try:
        yield
    finally:
        yaml_building._Loader = before


@pytest.fixture(params=sorted(LOADERS), autouse=True)
def loader(request: pytest.FixtureRequest) -> Iterator[None]:
    """Every test runs once with libyaml and once with PyYAML's own scanner and parser."""
    if request.param is None:
        yield
    else:
        with using(request.param):
            yield


# For tests that run through the loaders themselves.
compares_loaders = pytest.mark.parametrize("loader", [None], indirect=True, ids=["all"])


def refused(text: str | bytes, **limits: int) -> YamlError:
    with pytest.raises(YamlError) as caught:
        load(text, "pack.yaml", **limits)
    assert caught.value.problems
    return caught.value


def faults(text: str | bytes, **limits: int) -> list[tuple[str, int, int]]:
    """Code, line and column of every problem."""
    return [(problem.code, *problem.position) for problem in refused(text, **limits).problems]


def only_fault(text: str | bytes, **limits: int) -> YamlProblem:
    (problem,) = refused(text, **limits).problems
    return problem


# --- Which loader -----------------------------------------------------------------------------------------


@compares_loaders
def test_libyaml_is_used_where_it_is_built_in_and_python_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    def chosen() -> Any:
        spec = importlib.util.spec_from_file_location("another_yaml_source", yaml_building.__file__)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    if yaml.__with_libyaml__:
        assert chosen()._Loader is yaml.CSafeLoader
    monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    module = chosen()
    assert module._Loader is module._PythonLoader
    assert module.Builder("a: [1]", 32).document()[0] == {"a": [1]}


# --- Scalars ----------------------------------------------------------------------------------------------

SCALARS: list[tuple[str, Any]] = [
    ("null", None),
    ("~", None),
    ("true", True),
    ("True", True),
    ("TRUE", True),
    ("false", False),
    ("False", False),
    ("FALSE", False),
    ("0", 0),
    ("-0", 0),
    ("+0", 0),
    ("7", 7),
    ("-12", -12),
    ("+12", 12),
    ("999999999999999999", 999_999_999_999_999_999),
    ("-999999999999999999", -999_999_999_999_999_999),
    ("0.0", 0.0),
    ("-0.0", -0.0),
    ("1.5", 1.5),
    ("+1.5", 1.5),
    ("-1.5", -1.5),
    (".5", 0.5),
    ("-.5", -0.5),
    ("1.", 1.0),
    ("1e3", 1000.0),
    ("1E3", 1000.0),
    ("1e+3", 1000.0),
    ("1.5e-3", 0.0015),
    ("012.5", 12.5),
    ("1e-999", 0.0),
    ("12345678901234567890.0", 12345678901234567890.0),
]
WORDS = """
    Null NULL nULL none None tRUE yes Yes no No on On off OFF y n null1 true! trueish ~~ ~a = plain a:b a#b <a
    00 012 -012 +012 0123456789012345678901 0x1F 0o17 0b11 1_000 1,000 1:30 1:30:15 190:20:30.15 2024-02-03
    2024-02-03T10:00:00Z 1.2.3 1..2 . .. .e3 1e 1e+ e3 -e3 1e3.5 -- + -+1 +-1 --1 1- 6R 12P 1d6 4d6+2 d100 -a
    .inF .NAn .Infinity inf nan Infinity NaN ٣ ¹ http://x ?a :a é 😀
"""
TEXTS = WORDS.split()


def same(found: Any, expected: Any) -> bool:
    """Equal with the same types: 1, 1.0 and True differ, and so do 0.0 and -0.0."""
    return repr(found) == repr(expected)


CONTEXTS = {
    "root": ("{}\n", lambda data: data),
    "value": ("k: {}\n", lambda data: data["k"]),
    "item": ("- {}\n", lambda data: data[0]),
    "after a comment": ("k: # none\n  {} # some\n", lambda data: data["k"]),
    "flow list": ("[a, {} ]\n", lambda data: data[1]),
    "flow mapping": ("{{k: {} }}\n", lambda data: data["k"]),
}


def read_as(text: str, context: str) -> Any:
    template, pick = CONTEXTS[context]
    return pick(load(template.format(text)).data)


def test_unquoted_scalars_that_are_more_than_text() -> None:
    cases = [(text, value, context) for text, value in SCALARS for context in CONTEXTS]
    assert [case for case in cases if not same(read_as(case[0], case[2]), case[1])] == []


def test_everything_else_stays_text() -> None:
    cases = [(text, context) for text in TEXTS for context in ("root", "value", "item", "after a comment")]
    assert [case for case in cases if not same(read_as(*case), case[0])] == []


def test_quoted_and_block_text_is_always_text() -> None:
    for text in [text for text, _ in SCALARS] + [".inf", ".nan", "1e999", "<<", "9" * 40]:
        document = f"- \"{text}\"\n- '{text}'\n- |-\n  {text}\n- >-\n  {text}\n- {{k: '{text}'}}\n"
        assert same(load(document).data, [text, text, text, text, {"k": text}]), text


def test_nothing_at_all_is_null() -> None:
    assert same(load("a:\nb: [~, {c: , d: }]\ne:\n- \n-\n").data, {
        "a": None,
        "b": [None, {"c": None, "d": None}],
        "e": [None, None],
    })  # fmt: skip


def test_text_of_several_lines() -> None:
    document = 'a: one\n  two\nb: "x\\n\n  y"\nc: |\n  l1\n\n  l2\nd: >\n  f1\n  f2\n'
    assert load(document).data == {"a": "one two", "b": "x\n y", "c": "l1\n\nl2\n", "d": "f1 f2\n"}


def test_escapes_in_double_quotes() -> None:
    assert load(r'"\x41\u00e9\U0001F600\t\n\0\\ud800\""').data == 'Aé😀\t\n\0\\ud800"'


@pytest.mark.parametrize("text", ["é\\ud800", "\\\\ud800 é", "é \\\\\\\\ud800"])
def test_only_an_escape_makes_a_surrogate(text: str) -> None:
    assert load(f"'{text}'").data == text


KEYS = [
    ("1", "1"),
    ("012", "012"),
    ("1.50", "1.50"),
    ("~", "~"),
    ("null", "null"),
    ("true", "true"),
    ("on", "on"),
    (".inf", ".inf"),
    ("9" * 30, "9" * 30),
    ("2024-02-03", "2024-02-03"),
    ("two words", "two words"),
    ("'on'", "on"),
    ('"a\\tb"', "a\tb"),
    ("''", ""),
    ("'<<'", "<<"),
    ("? explicit\n", "explicit"),
]


@pytest.mark.parametrize(("written", "key"), KEYS)
def test_keys_are_text_as_written(written: str, key: str) -> None:
    assert same(load(f"{written}: x\n").data, {key: "x"})


def test_keys_keep_their_order_and_their_case() -> None:
    assert list(load("b: 1\na: 2\nB: 3\n").data) == ["b", "a", "B"]


def test_nothing_is_shared_between_loads() -> None:
    first = load("a: {b: [1]}").data
    first["a"]["b"].append(2)
    assert load("a: {b: [1]}").data == {"a": {"b": [1]}}


# --- Positions --------------------------------------------------------------------------------------------

WEAPONS = """\
# A pack.
weapons:
  - slug: light-pistol
    modes: [single, {burst: 3}]
    "ammo":   { capacity: 16 , kind: 'clip' }

  -   slug:
        heavy-pistol
      notes: |
        Loud.
      price:  # unknown
é😀: ü
"""


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("encode", [False, True])
def test_where_things_stand(newline: str, mark: str, encode: bool) -> None:
    text = mark + WEAPONS.replace("\n", newline)
    located = load(text.encode() if encode else text, "weapons.yaml")
    assert located.name == "weapons.yaml"
    assert located.data["weapons"][1] == {"slug": "heavy-pistol", "notes": "Loud.\n", "price": None}
    assert located.data["é😀"] == "ü"
    expected: dict[tuple[str | int, ...], tuple[tuple[int, int], tuple[int, int]]] = {
        (): ((2, 1), (2, 1)),
        ("weapons",): ((3, 3), (2, 1)),
        ("weapons", 0): ((3, 5), (3, 5)),
        ("weapons", 0, "slug"): ((3, 11), (3, 5)),
        ("weapons", 0, "modes"): ((4, 12), (4, 5)),
        ("weapons", 0, "modes", 0): ((4, 13), (4, 13)),
        ("weapons", 0, "modes", 1): ((4, 21), (4, 21)),
        ("weapons", 0, "modes", 1, "burst"): ((4, 29), (4, 22)),
        ("weapons", 0, "ammo"): ((5, 15), (5, 5)),
        ("weapons", 0, "ammo", "capacity"): ((5, 27), (5, 17)),
        ("weapons", 0, "ammo", "kind"): ((5, 38), (5, 32)),
        ("weapons", 1): ((7, 7), (7, 7)),
        ("weapons", 1, "slug"): ((8, 9), (7, 7)),
        ("weapons", 1, "notes"): ((9, 14), (9, 7)),
        ("weapons", 1, "price"): ((11, 13), (11, 7)),
        ("é😀",): ((12, 5), (12, 1)),
    }
    for path, (value, key) in expected.items():
        assert located.position(path) == Position(*value), path
        assert located.position(path, of_key=True) == Position(*key), path


def test_the_nearest_ancestor_stands_in() -> None:
    located = load("a:\n  b:\n    - c: 1\n")
    innermost: list[str | int] = ["a", "b", 0, "c"]
    assert located.position(innermost) == (3, 10)
    assert located.position([*innermost, "deeper", 5]) == (3, 10)
    assert located.position([*innermost, 0]) == (3, 10)
    assert located.position(["a", "b", 0, "missing", "c"]) == (3, 7)
    assert located.position(["a", "b", 0, 0]) == (3, 7)
    assert located.position(["a", "b", 1]) == (3, 5)
    assert located.position(["a", "b", -1]) == (3, 5)
    assert located.position(["a", "b", "0"]) == (3, 5)
    assert located.position(["b"]) == (1, 1)
    assert located.position(["a", "b", 7], of_key=True) == (2, 3)
    assert located.position(["a", "x"], of_key=True) == (1, 1)
    assert located.position(["a", "b", 0, "x"], of_key=True) == (3, 7)


@pytest.mark.parametrize("text", ["word", "  word", "# note\n\n 'word'", "--- word"])
def test_the_root_may_be_a_scalar(text: str) -> None:
    located = load(text)
    assert located.data == "word"
    before = text[: min(text.index(character) for character in "'w" if character in text)]
    place = Position(before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1)
    assert located.position([]) == located.position(["a", 0]) == located.position([], of_key=True) == place


def test_where_stays_with_a_copy() -> None:
    located = load("a:\n  - b: 1\n", "copied")
    for other in (copy.deepcopy(located), pickle.loads(pickle.dumps(located))):
        assert isinstance(other, Located)
        assert other == located
        assert other.position(["a", 0, "b"]) == (2, 8)


# A writer of our own that knows where it puts things, and takes every liberty that YAML gives it.

Path = tuple[str | int, ...]
_SAFE = re.compile(r"[A-Za-zé😀_][A-Za-z0-9é😀_./-]*(?: [A-Za-z0-9é😀_./-]+)*")
_TAKEN = {"null", "true", "True", "TRUE", "false", "False", "FALSE"}


class Writer:
    def __init__(self, draw: st.DataObject, newline: str) -> None:
        self.parts: list[str] = []
        self.line = self.column = 1
        self.newline = newline
        self.places: dict[Path, tuple[Position, Position]] = {}
        self.in_block_text = False
        self._draw = draw

    def any_of(self, *choices: Any) -> Any:
        return self._draw.draw(st.sampled_from(choices))

    def put(self, text: str) -> None:
        assert "\n" not in text
        self.parts.append(text)
        self.column += len(text)

    def new_line(self, indent: int) -> None:
        for _ in range(0 if self.in_block_text else self.any_of(0, 0, 0, 1, 2)):
            if self.column > 1:
                self.put(self.any_of("", " ", "  # a: note", " #"))
            self._break()
            self.put(self.any_of("", "# - note", "   ", "      # x: y"))
        self._break()
        self.put(" " * indent)
        self.in_block_text = False

    def _break(self) -> None:
        self.parts.append(self.newline)
        self.line, self.column = self.line + 1, 1

    def here(self) -> Position:
        return Position(self.line, self.column)

    def note(self, path: Path, key: Position | None) -> None:
        self.places[path] = self.here(), key or self.here()

    def document(self, data: Any) -> str:
        self.put(self.any_of("", "", "# opening"))
        if self.column > 1:
            self.new_line(0)
        self.node(data, 0, (), None)
        self.put("" if self.in_block_text else self.any_of("", " ", " # closing"))
        if self.any_of(True, False):
            self._break()
        return "".join(self.parts)

    def node(self, data: Any, indent: int, path: Path, key: Position | None) -> None:
        """Write `data` in block style from here; its further lines begin at `indent`."""
        if isinstance(data, dict) and data:
            self.note(path, key)
            for number, (name, value) in enumerate(data.items()):
                if number:
                    self.new_line(indent)
                self.entry(name, value, indent, (*path, name))
        elif isinstance(data, list) and data:
            self.note(path, key)
            for number, value in enumerate(data):
                if number:
                    self.new_line(indent)
                self.item(value, indent, (*path, number))
        else:
            self.flow(data, path, key, in_flow=False, indent=indent)

    def entry(self, name: str, value: Any, indent: int, path: Path) -> None:
        place = self.here()
        self.text(name, in_flow=False, is_key=True)
        self.put(":")
        if value is None and self.any_of(True, False):
            self.note(path, place)
        elif self.any_of(True, False) or not isinstance(value, dict | list) or not value:
            self.put(" " * self.any_of(1, 1, 3))
            self.flow(value, path, place, in_flow=False, indent=indent + 1)
        else:
            inner = indent + self.any_of(*((0, 1, 2) if isinstance(value, list) else (1, 2, 5)))
            self.new_line(inner)
            self.node(value, inner, path, place)

    def item(self, value: Any, indent: int, path: Path) -> None:
        self.put("-")
        if value is None and self.any_of(True, False):
            self.note(path, None)
        elif self.any_of(True, False):
            gap = self.any_of(1, 1, 3)
            self.put(" " * gap)
            self.node(value, indent + 1 + gap, path, None)
        else:
            inner = indent + self.any_of(1, 2, 4)
            self.new_line(inner)
            self.node(value, inner, path, None)

    def flow(self, data: Any, path: Path, key: Position | None, *, in_flow: bool, indent: int) -> None:
        self.note(path, key)
        if isinstance(data, dict | list):
            is_list = isinstance(data, list)
            self.put("[" if is_list else "{")
            children: Any = data.items() if isinstance(data, dict) else enumerate(data)
            for number, (step, value) in enumerate(children):
                self.put("," if number else "")
                self.gap(indent)
                place = None
                if not is_list:
                    place = self.here()
                    self.text(step, in_flow=True, is_key=True)
                    self.put(": ")
                self.flow(value, (*path, step), place, in_flow=True, indent=indent)
            self.gap(indent)
            self.put("]" if is_list else "}")
        elif isinstance(data, str):
            self.text(data, in_flow=in_flow, is_key=False, indent=indent)
        elif data is None:
            self.put(self.any_of("null", "~"))
        elif isinstance(data, bool):
            self.put(self.any_of(*(("true", "True", "TRUE") if data else ("false", "False", "FALSE"))))
        elif isinstance(data, int):
            self.put((self.any_of("", "+") if data >= 0 else "") + str(data))
        else:
            self.put(repr(data))

    def gap(self, indent: int) -> None:
        if self.any_of(False, False, True):
            self.new_line(indent + self.any_of(1, 3))
        else:
            self.put(self.any_of("", " ", "  "))

    def text(self, text: str, *, in_flow: bool, is_key: bool, indent: int = 0) -> None:
        styles = ['"']
        printable = all(character.isprintable() for character in text)
        if printable:
            styles.append("'")
            if _SAFE.fullmatch(text) and (is_key or text not in _TAKEN):
                styles += ["plain", "plain"]
        lines = text.split("\n")
        if not is_key and not in_flow and all(_SAFE.fullmatch(line) for line in lines):
            styles += ["|", "|"]
        style = self.any_of(*styles)
        if style == "plain":
            self.put(text)
        elif style == "'":
            self.put("'" + text.replace("'", "''") + "'")
        elif style == "|":
            self.put("|-")
            self.in_block_text = True
            for line in lines:
                self._break()
                self.put(" " * (indent + 2) + line)
        else:
            self.put('"' + "".join(map(self.escaped, text)) + '"')

    @staticmethod
    def escaped(character: str) -> str:
        if character in '\\"':
            return "\\" + character
        return character if character.isprintable() else f"\\U{ord(character):08x}"


texts = st.one_of(
    st.text(max_size=12),
    st.text("abeé😀 :#-'\"\\\n,[]{}&*!|>%@`?~0.", max_size=8),
    st.lists(st.from_regex(r"[a-z]{1,4}( [a-z]{1,3})?", fullmatch=True), max_size=3).map("\n".join),
    st.sampled_from([text for text, _ in SCALARS] + TEXTS + [".inf", "<<", "---", "...", "# x"]),
)
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**18) + 1, 10**18 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    texts,
)
trees = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=25,
)


@compares_loaders
@settings(max_examples=scale(40, 300), deadline=None)
@given(tree=trees, newline=st.sampled_from(["\n", "\n", "\r\n", "\r"]), draw=st.data())
def test_any_data_comes_back_with_exact_positions(tree: Any, newline: str, draw: st.DataObject) -> None:
    writer = Writer(draw, newline)
    text = writer.document(tree)
    for loader in LOADERS:
        with using(loader):
            located = load(text)
        assert same(located.data, tree), (loader, text)
        for path, (value, key) in writer.places.items():
            assert located.position(path) == value, (loader, path, text)
            assert located.position(path, of_key=True) == key, (loader, path, text)


# --- What is refused --------------------------------------------------------------------------------------


def test_a_problem_as_text() -> None:
    error = refused("a: 1\nb: x\n  y: 2\na: *b\n")
    assert error.name == "pack.yaml"
    first, *_ = str(error).splitlines()
    assert first.startswith("pack.yaml:3:4: bad-yaml: a ':' cannot stand here [yaml: mapping values ")
    assert first.endswith(
        "(put text that contains ': ' in quotes; the keys of one mapping begin in the same column)"
    )
    error = refused("a: 1\nb: .nan\na: 2\n[]: 1\n")
    assert str(error).splitlines() == [
        "pack.yaml:2:4: not-a-number: '.nan' is not a finite number (put it in quotes if it is text)",
        "pack.yaml:3:1: duplicate-key: the key 'a' is already in this mapping, in line 1 (keep one of them)",
        "pack.yaml:4:1: key-not-text: a list or mapping cannot be a key "
        "(put the key in quotes if it begins with '[' or '{')",
    ]


def test_a_problem_without_a_hint_as_text() -> None:
    with pytest.raises(YamlError, match=r"^<text>:1:1: empty-file: there is no data$"):
        load("")


def test_an_error_survives_pickling_and_copying() -> None:
    error = refused("a: 1\na: 2\n")
    for other in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert other.problems == error.problems
        assert str(other) == str(error)


def test_a_duplicate_key() -> None:
    problem = only_fault("x:\n  key: 1\n  other: 2\n  'key': 3\ny: {key: 1}\n")
    assert problem.code == "duplicate-key"
    assert problem.position == (4, 3)
    assert "'key'" in problem.message
    assert "line 2" in problem.message


def test_every_duplicate_names_the_first() -> None:
    problems = refused("a: 1\nb: 1\na: 2\na: 3\nb: 4\n").problems
    assert [problem.position for problem in problems] == [(3, 1), (4, 1), (5, 1)]
    assert [problem.message[-6:] for problem in problems] == ["line 1", "line 1", "line 2"]
    assert only_fault("a:\n  - 1\na: 2\n").message.endswith("line 1")


def test_long_keys_are_cut_in_messages() -> None:
    problem = only_fault(f"{'k' * 500}: 1\n{'k' * 500}: 2\n")
    assert "kkk..." in problem.message
    assert len(problem.message) < 150


ANCHORS = [
    ("a: &x 1\n", [(1, 4)]),
    ("a: &x\n  b: 1\n", [(1, 4)]),
    ("a: &x [1]\n", [(1, 4)]),
    ("&x a: 1\n", [(1, 1)]),
    ("a: *x\n", [(1, 4)]),
    ("- *x\n- *y\n", [(1, 3), (2, 3)]),
    ("*x : 1\n", [(1, 1)]),
    ("*x", [(1, 1)]),
    ("&x a", [(1, 1)]),
    ("a: &x 1\nb: [*x, {c: *x}]\n", [(1, 4), (2, 5), (2, 13)]),
    ("damage: *\n", [(1, 9)]),
    ("damage: * 2\n", [(1, 9)]),
    ("a: & b\n", [(1, 4)]),
]


@pytest.mark.parametrize(("text", "places"), ANCHORS)
def test_anchors_and_aliases(text: str, places: list[tuple[int, int]]) -> None:
    problems = refused(text).problems
    assert [(problem.code, problem.position) for problem in problems] == [
        ("no-alias", place) for place in places
    ]
    assert all("in quotes" in (problem.hint or "") for problem in problems)


TAGS = [
    ("a: !!str 1\n", [(1, 4)]),
    ("a: !!python/object/apply:os.system ['true']\n", [(1, 4)]),
    ("!!map {a: 1}\n", [(1, 1)]),
    ("- !x y\n- !<tag:a> z\n", [(1, 3), (2, 3)]),
    ("!!str a: 1\n", [(1, 1)]),
    ("a: ! 12\n", [(1, 4)]),
    ("a: ! '12'\n", [(1, 4)]),
    ('é: ! "12"\n', [(1, 4)]),
    ("a: ! |\n  12\n", [(1, 4)]),
    ("! a: 1\n", [(1, 1)]),
    ("! 'a': 1\n", [(1, 1)]),
    ("a: ! [1]\n", [(1, 4)]),
    ("a: !\n", [(1, 4)]),
    ("a: !x!y z\n", [(1, 4)]),
    ("a: !<\n", [(1, 4)]),
]


@pytest.mark.parametrize(("text", "places"), TAGS)
def test_tags(text: str, places: list[tuple[int, int]]) -> None:
    problems = refused(text).problems
    assert [(problem.code, problem.position) for problem in problems] == [
        ("no-tag", place) for place in places
    ]
    assert all("in quotes" in (problem.hint or "") for problem in problems)


def test_an_exclamation_mark_elsewhere_is_text() -> None:
    assert load("a: hit!\nb: '! x'\n'!c': \"!\"\n").data == {"a": "hit!", "b": "! x", "!c": "!"}


def test_merge_keys() -> None:
    assert faults("<<: {a: 1}\nb:\n  <<: x\n") == [("no-merge", 1, 1), ("no-merge", 3, 3)]
    assert faults("a: &x {b: 1}\nc:\n  <<: *x\n") == [
        ("no-alias", 1, 4),
        ("no-merge", 3, 3),
        ("no-alias", 3, 7),
    ]
    assert load("- <<\n").data == ["<<"]


@pytest.mark.parametrize("text", ["%YAML 1.2\n---\na: 1\n", "# x\n \n\n%TAG ! tag:x\n--- a\n", "%FOO\n--- a"])
def test_directives_before_the_data(text: str) -> None:
    problem = only_fault(text)
    assert problem.code == "no-directive"
    assert problem.position == (text[: text.index("%")].count("\n") + 1, 1)


@pytest.mark.parametrize(
    "text", ["a: 1\n%YAML 1.2\n", "a: 1\n%FOO bar\n", "a: 1\n...\n%TAG ! x\n---\nb: 2\n"]
)
def test_directives_after_the_data(text: str) -> None:
    problem = only_fault(text)
    assert problem.code == "no-directive"
    assert problem.position == (text[: text.index("%")].count("\n") + 1, 1)


def test_a_percent_sign_elsewhere_is_text() -> None:
    assert load("a: 50%\nb: |\n  %x\nc: '%'\n").data == {"a": "50%", "b": "%x\n", "c": "%"}


BAD_KEYS = [
    ("[a]: 1\n", [(1, 1)]),
    ("{a: 1}: 1\n", [(1, 1)]),
    ("? - a\n: 1\n", [(1, 3)]),
    ("? a: 1\n: 1\nb: 2\n", [(1, 3)]),
    ("- [a]\n  : b\n", [(2, 3)]),
    ("a:\n  'b'\n  : c\n", [(3, 3)]),
    (": 1\n", [(1, 1)]),
    ("{: 1, b: 2}\n", [(1, 2)]),
    ("- : 1\n", [(1, 3)]),
    ("? \n: 1\nb: 2\n", [(1, 2)]),
    ("[a]: 1\nb: {[c]: 2}\n", [(1, 1), (2, 5)]),
]


@pytest.mark.parametrize(("text", "places"), BAD_KEYS)
def test_keys_that_are_not_text(text: str, places: list[tuple[int, int]]) -> None:
    assert faults(text) == [("key-not-text", *place) for place in places]


@pytest.mark.parametrize("sign", ["", "-", "+"])
@pytest.mark.parametrize("word", [".inf", ".Inf", ".INF", "1e999", "1e+309", "9" * 400 + ".0"])
def test_infinity(sign: str, word: str) -> None:
    assert faults(f"a: {sign}{word}\nb:\n- {sign}{word}\n") == [
        ("not-a-number", 1, 4),
        ("not-a-number", 3, 3),
    ]


@pytest.mark.parametrize("word", [".nan", ".NaN", ".NAN"])
def test_not_a_number(word: str) -> None:
    problem = only_fault(word)
    assert (problem.code, problem.position) == ("not-a-number", (1, 1))
    assert word in problem.message


@pytest.mark.parametrize("sign", ["", "-", "+"])
def test_long_integers(sign: str) -> None:
    assert math.log10(abs(load(f"{sign}{'9' * 18}").data)) == 18
    assert faults(f"{sign}1{'0' * 18}") == [("integer-too-long", 1, 1)]
    assert faults(f"a: {sign}{'9' * 19}\nb: [{sign}{'9' * 5000}]") == [
        ("integer-too-long", 1, 4),
        ("integer-too-long", 2, 5),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\n\n",
        "# only a comment",
        "# a\n\n# b\n",
        "---",
        "---\n",
        "--- # x\n...\n",
        "\ufeff",
        b"",
        "\r\n",
    ],
)
def test_an_empty_file(text: str | bytes) -> None:
    assert faults(text) == [("empty-file", 1, 1)]


@pytest.mark.parametrize(("text", "code"), [("&x", "no-alias"), ("!!str\n", "no-tag")])
def test_an_empty_file_with_something_else_wrong(text: str, code: str) -> None:
    assert faults(text)[0] == (code, 1, 1)


@pytest.mark.parametrize(("text", "data"), [("null", None), ("~", None), ("''", ""), ("[]", []), ("{}", {})])
def test_little_data_is_data(text: str, data: Any) -> None:
    assert same(load(text).data, data)


SEVERAL = [
    ("a: 1\n---\nb: 2\n", (2, 1)),
    ("a: 1\n---\n", (2, 1)),
    ("--- a\n--- b\n", (2, 1)),
    ("a: 1\n...\nb: 2\n", (3, 1)),
    ("a: 1\n...\n# note\n\n---\nb: 2\n", (5, 1)),
    ("a: 1\r\n\r\n---\r\nb: 2\r\n", (3, 1)),
    ("[1]\n...\n  x\n", (3, 3)),
    ("[1]\n...\n %x\n", (3, 2)),
    ("a: 1\n--- @\n", (2, 1)),
    ("é: 1\n...\n...\n--- é", (4, 1)),
]


@pytest.mark.parametrize(("text", "place"), SEVERAL)
def test_several_documents(text: str, place: tuple[int, int]) -> None:
    assert faults(text) == [("several-documents", *place)]


@pytest.mark.parametrize(
    "tail", ["...", "...\n", "... # end\n", "# end", "\n\n  \n# end\n...\n\n...\n", " \n"]
)
def test_what_may_follow_the_data(tail: str) -> None:
    assert load(f"---\na: 1\n{tail}").data == {"a": 1}


@pytest.mark.parametrize(
    "text", ["[" * 10_000, "[\n" * 10_000, "{a: " * 10_000, "- " * 10_000, "[" * 1_900_000]
)
def test_hostile_nesting(text: str) -> None:
    (problem,) = refused(text).problems
    assert problem.code == "too-deep"
    assert "32" in problem.message
    opening = [found.start() for found in re.finditer(r"[\[{-]", text[:1000])][32]
    assert problem.position == (text.count("\n", 0, opening) + 1, len(text[:opening].split("\n")[-1]) + 1)


@pytest.mark.parametrize("text", ["? " * 10_000, "{" * 10_000, "[{" * 5_000])
def test_hostile_keys(text: str) -> None:
    *others, last = refused(text).problems
    assert (last.code, last.position) == ("too-deep", (1, 1 + 32 * (2 if text[1] == " " else 1)))
    assert {problem.code for problem in others} == {"key-not-text"}


def test_hostile_nesting_in_what_is_passed_over() -> None:
    *others, last = refused("{a: 1, a: " * 10_000).problems
    assert [problem.code for problem in others] == ["duplicate-key"] * 32
    assert (last.code, last.position) == ("too-deep", (1, 321))


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ("{a: ", "}")])
@pytest.mark.parametrize("depth", [1, 2, 32, 200])
def test_how_deep_is_too_deep(opening: str, closing: str, depth: int) -> None:
    def nested(levels: int) -> str:
        return opening * levels + "x" + closing * levels

    data = load(nested(depth), max_depth=depth).data
    for _ in range(depth):
        data = data[0] if isinstance(data, list) else data["a"]
    assert data == "x"
    assert faults(nested(depth + 1), max_depth=depth) == [("too-deep", 1, len(opening) * depth + 1)]


@pytest.mark.parametrize("depth", [-1, 0, 201, 10**9])
def test_the_depth_has_bounds_of_its_own(depth: int) -> None:
    with pytest.raises(ValueError, match="max_depth"):
        load("a", max_depth=depth)


@pytest.mark.parametrize("encode", [False, True])
def test_the_size_is_counted_in_bytes(encode: bool) -> None:
    def sized(text: str) -> str | bytes:
        return text.encode() if encode else text

    for text in ("abcdefgh", "é: 😀"):
        size = len(text.encode())
        assert size == 8
        assert load(sized(text), max_bytes=size).data
        problem = only_fault(sized(text), max_bytes=size - 1)
        assert (problem.code, problem.position) == ("too-large", (1, 1))
        assert "7 bytes" in problem.message


def test_the_default_size() -> None:
    text = "a: " + "b" * 1_999_997
    assert len(load(text).data["a"]) == 1_999_997
    assert faults(text + "b") == [("too-large", 1, 1)]
    assert faults(text.encode() + b"\xff") == [("too-large", 1, 1)]


NOT_UTF8 = [
    (b"\xff", (1, 1), 0xFF),
    (b"a: 1\nb: \xe9t\xe9\n", (2, 4), 0xE9),
    ("é: 'ü😀".encode() + b"\xc3'\n", (1, 7), 0xC3),
    ("é\r\nü\rxü".encode() + b"\x80", (3, 3), 0x80),
    (b"\xef\xbb\xbfab\xc0\xaf", (1, 3), 0xC0),
    (b"a: \xed\xa0\x80", (1, 4), 0xED),
    (b"a: '\xf0\x9f\x98", (1, 5), 0xF0),
]


@pytest.mark.parametrize(("text", "place", "byte"), NOT_UTF8)
def test_bytes_that_are_not_utf8(text: bytes, place: tuple[int, int], byte: int) -> None:
    problem = only_fault(text)
    assert (problem.code, problem.position) == ("not-text", place)
    assert f"0x{byte:02X}" in problem.message
    assert "UTF-8" in (problem.hint or "")
    assert "UTF-16" not in (problem.hint or "") or byte == 0xFF


def test_utf16_is_recognised() -> None:
    for encoding in ("utf-16-le", "utf-16-be"):
        problem = only_fault("\ufeffa: é\n".encode(encoding))
        assert (problem.code, problem.position) == ("not-text", (1, 1))
        assert "UTF-16" in (problem.hint or "")


@pytest.mark.parametrize(
    "character", [*"\0\x07\x0b\x0c\x1b\x7f\x80\x85\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800\udfff"]
)
def test_characters_that_do_not_belong_in_text(character: str) -> None:
    for before in ("a: ", "é: '", "# x\r\n- |\n  b"):
        problem = only_fault(before + character)
        assert problem.code == "not-text"
        assert problem.position == (before.count("\n") + 1, len(before.split("\n")[-1]) + 1)
        assert f"U+{ord(character):04X}" in problem.message
        assert ("line end" in (problem.hint or "")) == (character in "\x85\u2028\u2029")


def test_characters_at_the_edge_belong_in_text() -> None:
    text = "\xa0\ud7ff\ue000\ufffd\U00010000\U0010ffff"
    assert load(f"a: 'x\t{text}~ '").data == {"a": f"x\t{text}~ "}


# Text, place, part of our words, part of the hint.
GRAMMAR: list[tuple[str, tuple[int, int], str, str | None]] = [
    ("label: Hold: the line\n", (1, 12), "a ':' cannot stand here", "in quotes"),
    ("a: 1\n b: 2\n", (2, 3), "a ':' cannot stand here", "same column"),
    ("a: 1\nb\nc: 2\n", (2, 1), "lacks its ':'", "key: value"),
    ("- 1\n-2\n", (2, 1), "lacks its ':'", "- item"),
    ("a: [1, 2\n", (1, 4), "']'", None),
    ("a:\n  - [1, 2\nb: 3\n", (3, 2), "']'; it begins in line 2", None),
    ("a: [1 2, {b c: d]\n", (1, 17), "'}'; it begins in line 1", None),
    ("{a: 1\n", (1, 1), "'}'", None),
    ("a: 'x\nb: 2\n", (1, 4), "never closed", "twice"),
    ('a: "x\nb: 2\n---\n', (1, 4), "never closed", "twice"),
    ("a: 'it's'\n", (1, 8), "cannot follow what stands before", "twice"),
    ("- 'a' b\n", (1, 7), "cannot follow what stands before", "in quotes"),
    ('a: "\\x4"\n', (1, 7), "escape", "single quotes"),
    ("a: @x\n", (1, 4), "cannot begin with '@'", "in quotes"),
    ("a: `x`\n", (1, 4), "cannot begin with '`'", "in quotes"),
    ("é: %x\n", (1, 4), "cannot begin with '%'", "in quotes"),
    ("a: - b\n", (1, 4), "list item", "line of its own"),
    ("a: ? b\n", (1, 4), "'?'", "in quotes"),
    ("a: |x\n  b\n", (1, 5), "text block", "next line"),
    ("a:\n  - b\n c: d\n", (3, 2), "does not fit the indentation of the mapping", "same column"),
    ("- a\nb: c\n", (2, 1), "does not fit the indentation of the list", "same column"),
    ("x:\n  - a: 1\n   b: 2\n", (3, 4), "does not fit the indentation of the list", "same column"),
    ("a: ]\n", (1, 4), "missing, or cannot begin like this", "in quotes"),
    ("a: [,]\n", (1, 5), "missing, or cannot begin like this", "in quotes"),
    ("[1] x\n", (1, 5), "after the end of the data", "indentation"),
]


@pytest.mark.parametrize(("text", "place", "words", "hint"), GRAMMAR)
def test_broken_grammar(text: str, place: tuple[int, int], words: str, hint: str | None) -> None:
    problem = only_fault(text)
    assert (problem.code, problem.position) == ("bad-yaml", place)
    assert words in problem.message
    assert (hint or "") in (problem.hint or "")
    assert (problem.hint is None) == (hint is None)


@pytest.mark.parametrize("text", ["{b:}", "[b:]"])
def test_a_colon_that_needs_a_space(text: str) -> None:
    if yaml_building._Loader is yaml_building._PythonLoader:
        assert same(load(text).data, {"b": None} if text[0] == "{" else [{"b": None}])
    else:
        problem = only_fault(text)
        assert (problem.code, problem.position) == ("bad-yaml", (1, 3))
        assert "needs a space" in problem.message


def test_pyyaml_is_quoted_and_cut_short() -> None:
    ours, theirs = only_fault("a: 'x").message.split(" [yaml: ")
    assert ours == "quoted text is never closed"
    assert theirs == "found unexpected end of stream]"
    assert all(len(only_fault(text).message) < 180 for text, *_ in GRAMMAR)


ESCAPES = [
    ('- "é\\UFFFFFFFF"', 7),
    ('- "é\\U00110000"', 7),
    ('{a: "\\x"}', 8),
    ('a: "\\u12"', 7),
    ('a: "\\ud800"', 7),
    ('"é\\\\ud800 \\uDFFF": 1', 13),
    ('[é, "x\\U0000dabc"]', 9),
]


@pytest.mark.parametrize(("text", "column"), ESCAPES)
def test_broken_escapes(text: str, column: int) -> None:
    problem = only_fault(text)
    assert (problem.code, problem.position) == ("bad-yaml", (1, column))
    assert "escape" in problem.message
    assert "single quotes" in (problem.hint or "")


def test_unknown_escapes() -> None:
    problem = only_fault('a: "b\\q"')
    assert problem.code == "bad-yaml"
    assert problem.position in [(1, 6), (1, 7)]  # The backslash in C, the letter in Python.
    assert "escape" in problem.message


TABS = [
    ("a:\n\tb: 1\n", (2, 1)),
    ("a: 1\n\tb: 1\n", (2, 1)),
    ("a:\n  b: 1\n\tc: 1\n", (3, 1)),
    ("a: |\n\tb\n", (2, 1)),
    ("x: 1\n  \ty: 2\n", None),  # In C the tab continues the text before it, and only the ':' is wrong.
]


@pytest.mark.parametrize(("text", "place"), TABS)
def test_tabs_as_indentation(text: str, place: tuple[int, int] | None) -> None:
    problem = only_fault(text)
    assert problem.code == "bad-yaml"
    assert problem.hint == "use spaces, not tabs"
    assert place is None or problem.position == place


@pytest.mark.parametrize("text", ["'a\tb': c: d\n", "[a,\n\t@]\n", "a: 'b'\t'c'\n", "{a,\n\tb c}}\n"])
def test_tabs_that_are_not_to_blame(text: str) -> None:
    assert "tab" not in (only_fault(text).hint or "")


def test_tabs_elsewhere() -> None:
    text = "a:\t1\t# x\tx\nb: [1,\t2\t]\t\nc: 'x\ty'\nd: |\n  x\ty\n# \t\n"
    assert load(text).data == {"a": 1, "b": [1, 2], "c": "x\ty", "d": "x\ty\n"}
    assert load(text).position(["b", 1]) == (2, 8)


# --- Several problems in one pass -------------------------------------------------------------------------


def test_all_problems_are_found_in_one_pass() -> None:
    text = """\
a: &x 1
b: !!int 2
a: .inf
c:
  - 12345678901234567890
  - d: *x
    d: {e: 1, e: .nan}
    <<: {f: 1, f: 2}
  - [g]: [.inf]
h: 'ok'
"""
    assert faults(text) == [
        ("no-alias", 1, 4),
        ("no-tag", 2, 4),
        ("duplicate-key", 3, 1),
        ("not-a-number", 3, 4),
        ("integer-too-long", 5, 5),
        ("no-alias", 6, 8),
        ("duplicate-key", 7, 5),
        ("duplicate-key", 7, 15),
        ("not-a-number", 7, 18),
        ("no-merge", 8, 5),
        ("duplicate-key", 8, 16),
        ("key-not-text", 9, 5),
        ("not-a-number", 9, 11),
    ]


@pytest.mark.parametrize(
    ("tail", "last"),
    [
        ("b: @\n", ("bad-yaml", 3, 4)),
        ("---\n", ("several-documents", 3, 1)),
        ("%YAML 1.2\n", ("no-directive", 3, 1)),
        ("b: " + "[" * 40, ("too-deep", 3, 35)),
    ],
)
def test_what_was_found_before_the_end_is_kept(tail: str, last: tuple[str, int, int]) -> None:
    assert faults("a: 1\na: 2\n" + tail) == [("duplicate-key", 2, 1), last]


def test_problems_are_in_the_order_of_the_text() -> None:
    # The bracket that is never closed is noticed last.
    assert faults("[.inf, x") == [("bad-yaml", 1, 1), ("not-a-number", 1, 2)]


def test_one_node_may_have_several_problems() -> None:
    assert faults("a: &x !!int .inf\n") == [("no-alias", 1, 4), ("no-tag", 1, 4)]
    assert faults("a: 1\n&x a: 2\n") == [("no-alias", 2, 1), ("duplicate-key", 2, 1)]
    assert faults("a: &x .inf\n") == [("no-alias", 1, 4), ("not-a-number", 1, 4)]


def test_the_search_is_given_up_in_the_end() -> None:
    def lines(count: int) -> str:
        return "- .inf\n" * count

    assert [code for code, *_ in faults(lines(99))] == ["not-a-number"] * 99
    found = faults(lines(5000))
    assert found[:100] == [("not-a-number", line, 3) for line in range(1, 101)]
    assert found[100:] == [("too-many-problems", 100, 3)]
    assert faults("a: 1\n" * 5000)[-1] == ("too-many-problems", 101, 1)


# --- Hostile and random input -----------------------------------------------------------------------------

LONG = 200_000
HOSTILE = {
    "one word": ("x" * LONG, None),
    "one long key": ("x" * LONG + ": 1\n", "bad-yaml"),
    "digits": ("1" * LONG, "integer-too-long"),
    "digits, then text": ("1" * LONG + "x", None),
    "many decimals": ("0." + "1" * LONG, None),
    "huge exponent": ("1e" + "9" * LONG, "not-a-number"),
    "aliases": ("- *a\n" * LONG, "no-alias"),
    "anchors": ("- &a b\n" * LONG, "no-alias"),
    "duplicates": ("a: 1\n" * LONG, "duplicate-key"),
    "directives": ("".join(f"%TAG !a{n}! b\n" for n in range(40_000)) + "--- a\n", "no-directive"),
    "later directives": ("a\n...\n" + "".join(f"%TAG !a{n}! b\n" for n in range(40_000)), "no-directive"),
    "documents": ("a: 1\n" + "---\n" * LONG, "several-documents"),
    "ends": ("a: 1\n" + "...\n" * LONG, None),
    "comments": ("#\n" * LONG + "%", "no-directive"),
    "spaces": (" " * LONG, "empty-file"),
    "open quote": ('"' + "a\n" * LONG, "bad-yaml"),
    "escapes": ('"é' + "\\\\" * LONG + '\\ud800"', "bad-yaml"),
    "bare tags": ("- 'a'\n" * 20_000 + "- ! 'b'\n", "no-tag"),
    "staircase": ("".join(" " * n + "a:\n" for n in range(500)), "too-deep"),
    "colons": ("a: " * LONG, "bad-yaml"),
    "byte order marks": ("\ufeff" * LONG, "not-text"),
    "siblings": ("[" + "[]," * 40_000 + "]", None),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_input(case: str) -> None:
    text, code = HOSTILE[case]
    if code is None:
        assert load(text).data
    else:
        assert refused(text).problems[0].code == code


PIECES = [
    *(
        "a",
        "b: ",
        "- ",
        "\n",
        "\n  ",
        "\n ",
        "\r\n",
        "[",
        "]",
        "{",
        "}",
        ", ",
        ": ",
        ":",
        "'",
        '"',
        "#",
        " ",
        "c: d\n",
    ),
    *(
        "&x ",
        "*x",
        "!",
        "!!str ",
        "| ",
        "|\n",
        "> ",
        "\n---",
        "\n...",
        "---\n",
        "%",
        "\n%TAG ! a\n",
        "<<: ",
        "\\x41",
    ),
    *(
        "\\",
        "\\ud800",
        "\\UFFFFFFFF",
        "é",
        "😀",
        "12",
        "012",
        "~",
        "1e999",
        ".nan",
        "-",
        "@",
        "`",
        "x: |\n  t\n",
    ),
]


def outcome(text: str | bytes, loader: str) -> Located | tuple[YamlProblem, ...]:
    with using(loader):
        try:
            return load(text)
        except YamlError as error:
            return error.problems


def check_places(text: str, problems: tuple[YamlProblem, ...]) -> None:
    lines = re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff"))
    assert problems
    for problem in problems:
        assert 1 <= problem.position.line <= len(lines), problem
        assert 1 <= problem.position.column <= len(lines[problem.position.line - 1]) + 1, problem
    assert list(problems) == sorted(problems, key=lambda problem: problem.position)


@compares_loaders
@settings(max_examples=scale(500, 1500), deadline=None)
@given(text=st.lists(st.sampled_from(PIECES), max_size=20).map("".join))
def test_random_yaml_is_loaded_or_refused_alike(text: str) -> None:
    assume(not re.search(r":[\[\]{},]", text))  # Here they differ.
    found = [outcome(text, loader) for loader in LOADERS]
    for result in found:
        if isinstance(result, Located):
            for other in found:
                assert isinstance(other, Located), text
                assert same(result.data, other.data), text
        else:
            check_places(text, result)


@compares_loaders
@settings(max_examples=scale(166, 500), deadline=None)
@given(text=st.text(max_size=60) | st.text("\t\n\r -:?[]{}'\"a#&*!|>%\\", max_size=40))
def test_random_text_is_loaded_or_refused(text: str) -> None:
    for loader in LOADERS:
        result = outcome(text, loader)
        if not isinstance(result, Located):
            check_places(text, result)


@compares_loaders
@settings(max_examples=scale(100, 300), deadline=None)
@given(text=st.binary(max_size=60))
def test_random_bytes_are_loaded_or_refused(text: bytes) -> None:
    try:
        decoded = text.decode()
    except UnicodeDecodeError:
        assert faults(text)[0][0] == "not-text"
    else:
        for loader in LOADERS:
            assert same(outcome(text, loader), outcome(decoded, loader))
