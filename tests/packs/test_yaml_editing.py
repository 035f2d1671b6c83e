"""Editing YAML texts in place: only what was asked for changes, however the file is written."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from odd_files import ENTRIES, block_files, block_lists, finished, flow_files, inserted, with_ruleset
from tiers import scale

from fracas.packs.yaml_editing import (
    EditError,
    append_entry,
    insert_key,
    plain_text,
    replace_scalar,
    same_data,
)
from fracas.packs.yaml_source import YamlError, load

NEW = ["# The newest", "", "slug: new", "notes: |", "  one", "", "  # two", "label: 'N'"]
ENTRY = {"slug": "new", "notes": "one\n\n# two\n", "label": "N"}


def same(text: str, data: Any) -> bool:
    return json.dumps(load(text).data) == json.dumps(data)


def line_ends(text: str) -> set[str]:
    return set(re.findall("\r\n|\r|\n", text))


def ended(text: str) -> str:
    """With a last line end."""
    return text if text.endswith(("\r", "\n")) else text + (line_ends(text) or {"\n"}).pop()


def edit_error(*arguments: Any, edit: Any = append_entry) -> EditError:
    with pytest.raises(EditError) as caught:
        edit(*arguments)
    return caught.value


# --- Entries ----------------------------------------------------------------------------------------------


@given(text=finished(block_files()))
@settings(max_examples=scale(133, 400))
def test_an_entry_becomes_the_last_one_and_all_else_stays(text: str) -> None:
    before = load(ended(text)).data
    new = append_entry(text, NEW)
    assert same(new, {**before, "entries": [*before["entries"], ENTRY]})
    assert line_ends(new) <= (line_ends(text) or {"\n"})
    if not before["entries"]:  # the brackets go, and the blanks around them
        bare = re.compile(r"[ \t\r\n\[\]]")
        assert "slug:new" in inserted(bare.sub("", text), bare.sub("", new))
    elif '{"slug": "new"' in new:
        inserted(text, new)
    else:
        assert "slug: new" in inserted(ended(text), new)


@given(text=finished(flow_files()))
@settings(max_examples=scale(100, 300))
def test_an_entry_becomes_the_last_one_in_braces(text: str) -> None:
    before = load(text).data
    new = append_entry(text, NEW)
    assert same(new, {**before, "entries": [*before["entries"], ENTRY]})
    assert len(inserted(text, new)) <= len(json.dumps(ENTRY)) + 2


@given(
    entries=block_lists(), lines=st.sampled_from(ENTRIES), ending=st.sampled_from(["", "\n", "\n\n# end\n"])
)
def test_entries_can_be_added_one_after_the_other(entries: str, lines: list[str], ending: str) -> None:
    text = "kind: weapons\nentries:" + entries + ending
    twice = append_entry(append_entry(text, lines), lines)
    entry = load("\n".join(lines) + "\n").data
    assert same(twice, {"kind": "weapons", "entries": [*load(ended(text)).data["entries"], entry, entry]})
    assert "# end" not in ending or twice.endswith("\n# end\n")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("entries: []\n", "entries:\n  - slug: x\n    n: 1\n", id="empty"),
        pytest.param("entries: []", "entries:\n  - slug: x\n    n: 1\n", id="no last line end"),
        pytest.param("entries:\n", "entries:\n  - slug: x\n    n: 1\n", id="nothing at all"),
        pytest.param(
            "entries: []  # none yet\nkind: w\n",
            "entries:  # none yet\n  - slug: x\n    n: 1\nkind: w\n",
            id="comment behind the brackets",
        ),
        pytest.param(
            "entries: [ # none\n  # yet\n]\n",
            "entries: # none\n  # yet\n  - slug: x\n    n: 1\n",
            id="comments in the brackets",
        ),
        pytest.param(
            "entries: [#none\n]\n",
            "entries: #none\n  - slug: x\n    n: 1\n",
            id="comment close to the bracket",
        ),
        pytest.param(
            "entries:\n  []\n\n# end\n",
            "entries:\n  - slug: x\n    n: 1\n\n# end\n",
            id="brackets on a line of their own",
        ),
        pytest.param(
            "entries:\n  # Pistols\n\n# end\n",
            "entries:\n  # Pistols\n  - slug: x\n    n: 1\n\n# end\n",
            id="comment in an empty list",
        ),
        pytest.param(
            "entries:\n- slug: a\n# end\n",
            "entries:\n- slug: a\n- slug: x\n  n: 1\n# end\n",
            id="at the margin",
        ),
        pytest.param(
            "entries:\n    -   slug: a\n        # of a\n    # of the list\n  # of neither\nkind: w\n",
            "entries:\n    -   slug: a\n        # of a\n    # of the list\n    - slug: x\n      n: 1\n"
            "  # of neither\nkind: w\n",
            id="comments",
        ),
        pytest.param(
            "entries:\r\n  - slug: a\r\n",
            "entries:\r\n  - slug: a\r\n  - slug: x\r\n    n: 1\r\n",
            id="CR LF",
        ),
        pytest.param(
            "\ufeff---\nentries:\n  - slug: a\n...\n# end",
            "\ufeff---\nentries:\n  - slug: a\n  - slug: x\n    n: 1\n...\n# end\n",
            id="markers",
        ),
        pytest.param(
            "entries:\n  - slug: a\n    n: |+\n      text\n\n# end\nkind: w\n",
            "entries:\n  - slug: a\n    n: |+\n      text\n\n  - slug: x\n    n: 1\n# end\nkind: w\n",
            id="block of text that keeps its blank lines",
        ),
        pytest.param(
            'entries:\n  - slug: "a\n# b"\n',
            'entries:\n  - slug: "a\n# b"\n  - slug: x\n    n: 1\n',
            id="no comment",
        ),
        pytest.param("{entries: []}", '{entries: [{"slug": "x", "n": 1}]}', id="braces"),
        pytest.param(
            "entries: [{slug: 'a]'} # ]\n]\n",
            'entries: [{slug: \'a]\'}, {"slug": "x", "n": 1} # ]\n]\n',
            id="brackets",
        ),
        pytest.param(
            "entries: [{slug: a}, ]\n",
            'entries: [{slug: a}, {"slug": "x", "n": 1} ]\n',
            id="comma at the end",
        ),
    ],
)
def test_where_the_entry_goes(text: str, expected: str) -> None:
    assert append_entry(text, ["slug: x", "n: 1"]) == expected


def test_an_entry_in_braces_stays_as_it_is_written() -> None:
    entry = ["{slug: x, label: 'it''s'} # new"]
    assert append_entry("entries: [{slug: a}]", entry) == "entries: [{slug: a}, {slug: x, label: 'it''s'}]"
    assert append_entry("entries:\n- {slug: a}\n", entry) == f"entries:\n- {{slug: a}}\n- {entry[0]}\n"


@given(label=st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_fits_into_brackets(label: str) -> None:
    # json.dumps alone would write half characters for what lies beyond the first 65536.
    quoted = "".join(f"\\U{ord(character):08x}" for character in label)
    new = append_entry("entries: [{}]", [f'slug: "{quoted}"'])
    assert same(new, {"entries": [{}, {"slug": label}]})


@pytest.mark.parametrize(
    ("text", "lines", "words"),
    [
        ("kind: w\n", ["slug: x"], "there is no list 'entries'"),
        ("- a\n", ["slug: x"], "there is no list 'entries'"),
        ("entries: ~\n", ["slug: x"], "there is no list 'entries'"),
        ("entries: {a: 1}\n", ["slug: x"], "there is no list 'entries'"),
        ("{entries: }", ["slug: x"], "there is no list 'entries'"),
        ("entries: []\n", ["- slug: x"], "without a dash"),
        ("entries: []\n", ["text"], "an entry is a mapping"),
        ("entries: []\n", ["slug: x\nn: 1"], "line end"),
        ("entries: []\n", ["---", "slug: x"], "no entry can be added"),
    ],
)
def test_what_cannot_take_an_entry_says_so(text: str, lines: list[str], words: str) -> None:
    error = edit_error(text, lines)
    assert words in error.message
    assert str(error) == f"line {error.position.line}, column {error.position.column}: {error.message}"


def test_texts_that_are_no_strict_yaml_are_refused_as_such() -> None:
    for text, lines in (("entries: [\n", ["slug: x"]), ("entries: []\n", ["slug: x", "slug: y"])):
        with pytest.raises(YamlError):
            append_entry(text, lines)


# --- Keys -------------------------------------------------------------------------------------------------


@given(text=finished(block_files() | flow_files()))
@settings(max_examples=scale(166, 500))
def test_a_key_goes_behind_another_and_all_else_stays(text: str) -> None:
    new = insert_key(text, ("kind",), "ruleset", "sr4")
    assert same(new, with_ruleset(load(text).data, "sr4"))
    assert line_ends(new) <= (line_ends(text) or {"\n"})
    assert inserted(text, new).strip(" ,\r\n") == "ruleset: sr4"


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        pytest.param("a: 1 # one\nb: 2", ("a",), "a: 1 # one\nnew: {x: y}\nb: 2", id="below a comment"),
        pytest.param("b: 2\r\na: 1", ("a",), "b: 2\r\na: 1\r\nnew: {x: y}", id="at the very end"),
        pytest.param("a: 1", ("a",), "a: 1\nnew: {x: y}", id="in a text of one line"),
        pytest.param("a:\nb: 2\n", ("a",), "a:\nnew: {x: y}\nb: 2\n", id="below nothing"),
        pytest.param("a: [1, # ]\n 2] # c\n", ("a",), "a: [1, # ]\n 2] # c\nnew: {x: y}\n", id="below a list"),
        pytest.param("a: 'x\n\n  y' # z\n", ("a",), "a: 'x\n\n  y' # z\nnew: {x: y}\n", id="below quoted lines"),
        pytest.param("a: |\n  x\n\n  # y\n\nb: 2\n", ("a",), "a: |\n  x\n\n  # y\nnew: {x: y}\n\nb: 2\n", id="block"),
        pytest.param("  a: 1\n  b: 2\n", ("a",), "  a: 1\n  new: {x: y}\n  b: 2\n", id="indented"),
        pytest.param("- b: 0\n- a: 1\n  b: 2\n", (1, "a"), "- b: 0\n- a: 1\n  new: {x: y}\n  b: 2\n", id="in a list"),
        pytest.param("{a: 1 # c\n}", ("a",), "{a: 1, new: {x: y} # c\n}", id="in braces"),
        pytest.param("{a: , b: 2}", ("a",), "{a: , new: {x: y}, b: 2}", id="behind nothing"),
        pytest.param("x: [{a: [1]}]", ("x", 0, "a"), "x: [{a: [1], new: {x: y}}]", id="deep in braces"),
    ],
)  # fmt: skip
def test_where_the_key_goes(text: str, path: tuple[str | int, ...], expected: str) -> None:
    assert insert_key(text, path, "new", "{x: y}") == expected


@pytest.mark.parametrize(
    ("text", "words", "position"),
    [
        ("x: 1\n", "there is no key 'a'", (1, 1)),
        ("- a\n", "there is no key 'a'", (1, 1)),
        ("b: 1\na: 1\nnew: 2\n", "'new' is there already", (3, 1)),
        ("a:\n  - 1\n", "block style", (2, 3)),
        ("b: 0\na: one\n  two\n", "cannot be changed in place", (2, 1)),
        ("a: |+\n  x\n\n\nb: 2\n", "cannot be changed in place", (1, 1)),
    ],
)
def test_a_key_that_finds_no_place_says_so(text: str, words: str, position: tuple[int, int]) -> None:
    error = edit_error(text, ("a",), "new", "1", edit=insert_key)
    assert words in error.message
    assert error.position == position


# --- Scalars ----------------------------------------------------------------------------------------------


@given(text=finished(block_files({"version": "'it''s'"}) | flow_files({"version": '"}\\""'})))
@settings(max_examples=scale(100, 300))
def test_a_scalar_is_replaced_and_all_else_stays(text: str) -> None:
    new = replace_scalar(text, ("version",), "12")
    assert same(new, {**load(text).data, "version": 12})
    old = "'it''s'" if "'it''s'" in text and '"}\\""' not in text else '"}\\""'
    assert len(new) == len(text) - len(old) + 2
    assert replace_scalar(new, ("version",), old) == text


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ("a: 1 # 1\n", ("a",), "a: new # 1\n"),
        ("a: one two: three:four#five # six\n", ("a",), None),
        ("a: one two:three 'four' #five\n", ("a",), "a: new #five\n"),
        ("a: http://x/#y\r\n", ("a",), "a: new\r\n"),
        ("a: 'x # y'\n", ("a",), "a: new\n"),
        ('a: "x \\" # y" # z\n', ("a",), "a: new # z\n"),
        ("a: x\u00a0\u3000y\n", ("a",), "a: new\n"),
        ("\ufeff[1, x y, 3]", (1,), "\ufeff[1, new, 3]"),
        ("{a: x:y}", ("a",), "{a: new}"),
        ("\n\n- 1\n- - 2\n", (1, 0), "\n\n- 1\n- - new\n"),
    ],
)
def test_what_belongs_to_a_scalar(text: str, path: tuple[str | int, ...], expected: str | None) -> None:
    if expected is None:
        with pytest.raises(YamlError):
            replace_scalar(text, path, "new")
    else:
        assert replace_scalar(text, path, "new") == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: |\n  x\n", "one line"),
        ("a: [1]\n", "one line"),
        ("b: 1\n", "nothing under 'a'"),
        ("a:\n", "no value"),
        ("a: one\n  two\n", "cannot be changed in place"),
        ("{a: one\n two}\n", None),
    ],
)
def test_a_scalar_that_cannot_be_replaced_says_so(text: str, words: str | None) -> None:
    if words is None:  # in braces the end of several lines is plain to see
        assert replace_scalar(text, ("a",), "1") == "{a: 1}\n"
    else:
        assert words in edit_error(text, ("a",), "1", edit=replace_scalar).message


# --- Words and data ---------------------------------------------------------------------------------------


@given(
    word=st.from_regex(r"[a-z0-9][a-z0-9-]{0,8}", fullmatch=True)
    | st.sampled_from(["12", "1e5", "true", "~", "null", "0"])
)
def test_a_word_is_written_so_that_it_stays_text(word: str) -> None:
    assert same(f"a: {plain_text(word)}", {"a": word})
    if word[0].isalpha() and word not in ("true", "false", "null"):
        assert plain_text(word) == word


def test_data_is_the_same_only_with_the_same_order_and_types() -> None:
    assert same_data({"a": [1, None]}, {"a": [1, None]})
    for one, other in (({"a": 1, "b": 2}, {"b": 2, "a": 1}), (1, 1.0), (1, True), (0.0, -0.0), (None, False)):
        assert not same_data(one, other)
