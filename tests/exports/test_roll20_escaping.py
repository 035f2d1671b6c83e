"""Nothing that anybody typed does anything in Roll20's chat but to be shown there."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from roll20_grammar import messages
from tiers import scale

from fracas.exports.cards.card import Card, card_of
from fracas.exports.cards.forms import FORMS, forms
from fracas.exports.roll20.chat_card import LONGEST, command, message
from fracas.exports.roll20.escaping import button, escape, template
from fracas.exports.roll20.importing import Change, Import, import_text, read_import

ATTACKS = (
    *(
        "[[1d6]]",
        "@{selected|hp}",
        "%{Rook|attack}",
        "?{Really?|yes}",
        "#kill-all",
        "&{template:x}",
        "$[[0]]",
    ),
    *(
        "[x](!kill)",
        "](!kill)",
        "&lbrack;",
        "&amp;#91;",
        "&#91;&#91;1d6&#93;&#93;",
        "<script>",
        "javascript:x",
    ),
    *(
        "http://example.org/x.png",
        "**",
        "``",
        "{{",
        "}}",
        "[[",
        "]]",
        "=",
        "|",
        "||",
        "\\",
        "'",
        '"',
        "`",
        "~",
        "!",
        "/",
    ),
)
ATTACKS += ("}} {{name=Somebody else", "\n!fracas remove", "\r\n/w gm hello", "\u2028!x", "\u2029/gmroll 1d6")
ATTACKS += ("\x85!x", "\x0b!x", " --x|y", "/talktomyself on", "\ud800", "\u202e", "\u200b")
TEXTS = st.lists(st.sampled_from(ATTACKS) | st.text(max_size=6), max_size=5).map("".join)
MARK = "00112233445566ff"


def shown(text: str) -> str:
    """A text as a person reads it: on one line, without what is not shown."""
    unseen = {"Cc", "Cf", "Cs", "Co", "Cn"}
    seen = (" " if one.isspace() else "" if unicodedata.category(one) in unseen else one for one in text)
    return " ".join("".join(seen).split())


@given(TEXTS)
@example("[[@{x}]]")
def test_an_escaped_text_is_shown_as_it_is(text: str) -> None:
    (only,) = messages(template("x", [("label", text)]))
    assert (only.live, only.buttons) == ((), ())
    assert only.fields == (("name", "x"), ("label", shown(text)))
    told = re.sub(r"&#[0-9]+;", "", escape(text))
    assert not set(told) & set("{}[]@%&?\"'#<>|=/!*`~$\\^_.()"), "each of them is an entity"
    assert len(told.splitlines()) <= 1


@given(TEXTS, st.lists(st.tuples(TEXTS, TEXTS), max_size=4))
def test_a_template_has_the_fields_that_it_was_made_of_and_no_others(
    title: str, fields: list[tuple[str, str]]
) -> None:
    (only,) = messages(template(title, fields))
    assert (only.kind, only.template, only.live, only.buttons) == ("template", "default", (), ())
    (name, head), *rest = only.fields
    assert (name, head) == ("name", shown(title) or "Fracas")
    assert [value for _, value in rest] == [shown(value) for _, value in fields]
    keys = [key.casefold() for key, _ in only.fields]
    assert len(set(keys)) == len(keys), "of two fields with one key Roll20 shows one"


@given(TEXTS)
def test_a_label_of_a_button_stays_a_label(text: str) -> None:
    (only,) = messages(template("x", []) + " {{do=" + button(text, "!fracas help") + "}}")
    ((_, given),) = only.buttons
    assert (only.live, given) == ((), "!fracas help")


@pytest.mark.parametrize(
    "text", ["!x @{a}", "!x\n!y", "!x)", "x", "!", "!x [[1]]", "!é", "!x {{y}}", "!x | y"]
)
def test_a_button_gives_no_command_that_would_be_read_first(text: str) -> None:
    with pytest.raises(ValueError, match="no command"):
        button("Do", text)


# --- What !fracas import takes --------------------------------------------------------------------------

WHO = st.from_regex(r"[a-z0-9][a-z0-9._-]{0,12}", fullmatch=True).filter(lambda who: who != "title")
CHANGES = st.builds(
    Change,
    WHO,
    st.sampled_from(("mark", "spend", "gain", "item", "add-condition")),
    TEXTS,
    st.none() | st.integers(-999, 999),
)


@given(TEXTS, st.dictionaries(WHO, TEXTS, max_size=3), st.lists(CHANGES, min_size=1, max_size=4))
def test_an_import_is_read_as_it_was_written(
    title: str, names: dict[str, str], changes: list[Change]
) -> None:
    text = import_text(Import(MARK, title, names, tuple(changes)))
    found = read_import(text)
    concerned = {change.who for change in changes}
    assert found == Import(
        MARK, title, {who: name for who, name in names.items() if who in concerned}, tuple(changes)
    )
    (only,) = messages(text)
    assert (only.kind, only.live) == ("command", ())


@given(st.data())
def test_a_changed_import_is_noticed(data: st.DataObject) -> None:
    text = import_text(Import(MARK, "Shot", {"target": "Guard"}, (Change("target", "mark", "physical", 6),)))
    at = data.draw(st.integers(0, len(text) - 1))
    other = data.draw(st.characters(codec="ascii").filter(lambda one: one != text[at]))
    for changed in (text[:at] + other + text[at + 1 :], text[:at] + text[at + 1 :], text[:at]):
        with pytest.raises(ValueError, match=r".+"):
            read_import(changed)


def test_nothing_to_apply_is_no_import() -> None:
    assert import_text(Import(MARK, "Shot", {}, ())) == ""
    many = tuple(Change(f"victim_{number}", "mark", "physical", 6) for number in range(500))
    assert import_text(Import(MARK, "Shot", {}, many)) == ""


# --- Whole cards ----------------------------------------------------------------------------------------

RECORDS = st.sampled_from(("attacker", "target", "other_1", "guard-2"))
FACTS = st.dictionaries(TEXTS, st.none() | st.booleans() | st.integers(-99, 99) | TEXTS, max_size=3)
ROLLS = st.builds(
    lambda label, by, dice, faces, facts: {
        "label": label,
        "by": by,
        "dice": dice,
        "sides": 6,
        "faces": faces,
        "result": facts,
    },
    TEXTS,
    RECORDS,
    st.sampled_from(("9d6 >= 5", "1d20 + 3 >= 12", "highest 2 of 3d6")) | TEXTS,
    st.lists(st.integers(1, 20), max_size=4),
    FACTS | st.fixed_dictionaries({"hits": st.integers(0, 9), "glitch": TEXTS}),
)
EFFECTS = st.builds(
    lambda type, who, what, amount, more: {"type": type, "who": who, "what": what, "amount": amount} | more,
    st.sampled_from(("mark", "spend", "gain", "item", "add-condition", "remove-condition", "schedule")),
    RECORDS,
    TEXTS,
    st.none() | st.integers(-99, 99),
    st.sampled_from(({}, {"state": "rounds"}))
    | st.builds(lambda label: {"condition": {"slug": "x", "label": label}, "timer": {"label": label}}, TEXTS),
)
ENTRIES = st.builds(
    lambda label, value, verdict: {"id": "x", "label": label, "value": value, "verdict": verdict},
    TEXTS,
    st.none() | st.integers(-20, 20),
    st.sampled_from(("applied", "failed", "capped")),
)
ANSWERS = st.fixed_dictionaries(
    {
        "ruleset": TEXTS,
        "procedure": TEXTS,
        "rolls": st.lists(ROLLS, max_size=3),
        "outcome": FACTS | st.builds(lambda result: {"result": result}, TEXTS),
        "effects": st.lists(EFFECTS, max_size=3),
        "modifiers": st.lists(
            st.builds(
                lambda label, entries: {"label": label, "total": 3, "entries": entries},
                TEXTS,
                st.lists(ENTRIES, max_size=3),
            ),
            max_size=2,
        ),
        "refusals": st.lists(st.builds(lambda label: {"label": label}, TEXTS), max_size=1),
        "decisions": st.lists(
            st.builds(lambda by, what: {"by": by, "decision": what, "choice": what}, RECORDS, TEXTS),
            max_size=2,
        ),
        "committed": st.none() | st.builds(lambda text: {"commitment": text, "seed": text}, TEXTS),
        "awaits": st.none()
        | st.builds(lambda by, what: {"kind": "decision", "by": by, "decision": what}, RECORDS, TEXTS),
    }
)
NAMES = st.dictionaries(RECORDS | st.just("weapon"), TEXTS)


def made(answer: dict[str, Any], title: str, names: dict[str, str]) -> Card:
    return card_of(answer, title, names, MARK)


@settings(max_examples=scale(50, 150), deadline=None)
@given(ANSWERS, TEXTS, NAMES)
def test_no_answer_makes_a_card_that_does_anything_by_itself(
    answer: dict[str, Any], title: str, names: dict[str, str]
) -> None:
    card = made(answer, title, names)
    (only,) = messages(message(card))
    assert (only.kind, only.template, only.live) == ("template", "default", ())
    assert [each for _, each in only.buttons] == ([command(card)] if command(card) else [])
    for _, each in only.buttons:
        told = read_import(each)
        assert told.mark == MARK
        assert [(one.who, one.type, one.what, one.amount) for one in told.changes] == [
            (one.who, one.type, one.what, one.amount) for one in card.effects
        ]
    assert bool(only.buttons) <= (card.status == "resolved" and bool(answer["effects"]))
    told_values = [value for _, value in only.fields]
    assert [each for each in told_values if each == "Apply"] or not only.buttons


@settings(max_examples=scale(16, 50), deadline=None)
@given(ANSWERS, TEXTS, NAMES)
def test_every_form_can_be_made_of_every_answer(
    answer: dict[str, Any], title: str, names: dict[str, str]
) -> None:
    card = made(answer, title, names)
    found = forms(card, FORMS)
    assert list(found) == list(FORMS)
    assert found["data"]["who"] == dict(card.who)
    lines = found["markdown"].split("\n")
    assert lines[0].startswith("### ")
    assert all(line == "" or line.startswith("- **") for line in lines[1:])


def test_a_card_of_a_crowd_stays_within_its_length() -> None:
    name = "[[1d6]] " * 15
    roll = {"label": "soak", "dice": "9d6 >= 5", "sides": 6, "faces": [5] * 9, "result": {"hits": 9}}
    crowd = [f"victim_{number}" for number in range(60)]
    answer = {
        "rolls": [{**roll, "by": who} for who in crowd],
        "effects": [{"type": "mark", "who": who, "what": "physical", "amount": 3} for who in crowd],
        "outcome": {"result": "hit"},
    }
    text = message(made(answer, "Blast", dict.fromkeys(crowd, name)))
    assert len(text) <= LONGEST
    (only,) = messages(text)
    assert only.live == ()
    assert ("And", "more than fits here") in only.fields
