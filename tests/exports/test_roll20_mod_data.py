"""What a pack tells the Mod: nothing in it is read by Roll20 but the tags of handouts, and nothing is left out."""

from __future__ import annotations

import json
import re
from functools import cache
from html.parser import HTMLParser
from typing import Any

import pytest
from exported_packs import LIBRARIES, PACKS, core
from hypothesis import given
from hypothesis import strategies as st

from fracas.exports.readable import by_kind
from fracas.exports.roll20.escaping import escape
from fracas.exports.roll20.mod import data, handouts, script, script_with
from fracas.packs.entries import Pack
from fracas.packs.flows import flows

LIVE = re.compile(r"[][{}@%?#|`*]|&(?!#[0-9]+;)")
"""What one of Roll20's readings looks for; a lone ampersand as well."""
RULE = r"handout:[a-z0-9-]+:rulebook/[a-z0-9-]+"
TAGS = rf'</?(?:h3|p|b|i|br|table|tr|td|ul|ol|li|a)>|<a href="{RULE}">'


@cache
def told(library: str, pack: str) -> dict[str, Any]:
    found = LIBRARIES[library]()
    return data(found.packs[pack], found.ruleset_packs(found.packs[pack].manifest.ruleset))


class Tags(HTMLParser):
    """The tags of an HTML text, which must be closed in order, and its texts."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.titles: list[str] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in ("h3", "p", "b", "i", "br", "table", "tr", "td", "ul", "ol", "li", "a")
        assert not attrs or (tag == "a" and re.fullmatch(RULE, f"{attrs[0][1]}"))
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        (self.titles if self.open == ["h3"] else self.texts).append(data)


def read(html: str) -> Tags:
    tags = Tags()
    tags.feed(html)
    tags.close()
    assert tags.open == []
    assert not LIVE.search(re.sub(rf"{TAGS}|&#[0-9]+;", "", html))
    return tags


@pytest.mark.parametrize(("library", "pack"), PACKS)
def test_what_players_look_up_stands_in_a_handout(library: str, pack: str) -> None:
    kinds = by_kind(LIBRARIES[library]().packs[pack])
    looked_up = ("actions", "modifiers", "powers", "drugs", "conditions", "tables")
    entries = [entry for kind in looked_up for entry in kinds.get(kind, ())]
    read_in = {each["id"]: read(each["notes"]).titles for each in told(library, pack)["handouts"]}
    titles = [title for id, found in read_in.items() if ":rulebook/" not in id for title in found]
    assert sorted(titles) == sorted(" ".join(entry.label.split()) for entry in entries)


@pytest.mark.parametrize("pack", ["cwn-core", "imperium-core", "sr4-core", "sr5-core"])
def test_handouts_name_by_labels_what_actions_need_and_bring(pack: str) -> None:
    """And are silent about the cost of what costs nothing."""
    lines = [
        re.sub(r"&#([0-9]+);", lambda found: chr(int(found[1])), line)
        for each in told("core", pack)["handouts"]
        if f"{pack}:actions" in each["id"]
        for line in re.split("<br>|</?p>", each["notes"])
    ]
    assert not [line for line in lines if line.endswith("</b> ()")]
    known = core().ruleset_packs(core().packs[pack].manifest.ruleset)
    words = {word for entry in core().packs[pack].entries for word in entry.data.get("needs", ())}
    slugs = {word for word in words | {*flows(known.ruleset), *known.names("condition")} if "-" in word}
    shown = [line for line in lines if re.match("<b>(Needs|Procedure|Conditions|Removes)</b>", line)]
    assert shown
    assert not [line for line in shown if slugs & set(re.split("[,;] |</b> ", line))]


@pytest.mark.parametrize(("library", "pack"), PACKS)
def test_entries_lead_to_the_chapters_with_their_rules(library: str, pack: str) -> None:
    """Those of a layer to the handouts of its core; and every procedure stands in words where its picture would be."""
    ruleset = LIBRARIES[library]().packs[pack].manifest.ruleset
    core_pack = f"{ruleset}-core"
    chapters = {
        one["id"]: one["notes"] for one in told("core", core_pack)["handouts"] if ":rulebook/" in one["id"]
    }
    links = {
        id for one in told(library, pack)["handouts"] for id in re.findall(r'"handout:([^"]+)"', one["notes"])
    }
    assert links <= chapters.keys()
    assert len(links) > 5 or pack != core_pack
    for flow in flows(ruleset).values():
        title = escape(flow.nodes[0].title)
        assert [notes for notes in chapters.values() if f"<p><b>{title}</b></p><ul><li>" in notes], title


@pytest.mark.parametrize(("library", "pack"), PACKS)
def test_ids_and_names_are_told_apart(library: str, pack: str) -> None:
    for kind in ("tables", "handouts", "macros"):
        found = told(library, pack)[kind]
        for field in ("id", "name"):
            values = [each[field].casefold() for each in found]
            assert len(values) == len(set(values)), (kind, field)


def test_players_can_read_what_is_looked_up() -> None:
    (falling,) = (
        each for each in told("core", "sr4-core")["handouts"] if each["id"].endswith("tables/damage")
    )
    row = "<tr><td>Metres 3</td><td>3</td><td>6</td><td>4</td></tr>"
    assert "<h3>Falling</h3><table><tr><td><b></b></td><td><b>From</b></td>" in falling["notes"]
    assert row in falling["notes"]
    (blasts,) = (
        each for each in told("core", "sr4-core")["handouts"] if each["id"].endswith("tables/blasts")
    )
    assert "<b>Roll</b> 1d6" in blasts["notes"]


def renamed(pack: Pack, text: str) -> Pack:
    """A pack whose every text of people's is another one."""
    entries = tuple(
        entry._replace(label=text, meta={"notes": text}, data={"doc": text, "when": [text, {text: text}]})
        for entry in pack.entries
        if entry.kind in ("action", "modifier")
    )
    table = next(entry for entry in pack.entries if entry.kind == "table")
    looked_up = {"rows": {text: {text: text}}, "columns": {text: text}, "roll": text}
    return pack._replace(entries=(*entries[:2], table._replace(label=text, data=looked_up)))


ATTACKS = (
    "[[1d6]]",
    "@{selected|hp}",
    "%{a|b}",
    "&{template:x}",
    "[x](!run)",
    "</p><script>",
    "{{a=b}}",
    "&#91;",
)


@given(st.lists(st.sampled_from(ATTACKS) | st.text(max_size=5), min_size=1, max_size=4).map("".join))
def test_no_text_of_a_pack_is_read(text: str) -> None:
    made = handouts(renamed(core().packs["imperium-core"], text), core().ruleset_packs("imperium"))
    assert made
    for each in made:
        read(each.notes)


def test_the_script_is_one_of_all_parts_with_the_pack_in_it() -> None:
    pack = core().packs["imperium-core"]
    shelf = core().ruleset_packs("imperium")
    text = script(pack, shelf)
    assert len(text) > len(script_with(None))
    assert not re.search(r"^(?:import|export) ", text, re.MULTILINE)
    inside = re.search(r"^const PACK = (.*);$", text, re.MULTILINE)
    assert inside
    assert json.loads(inside[1]) == json.loads(json.dumps(data(pack, shelf)))


def test_macros_of_two_rulesets_may_be_in_one_game() -> None:
    names = [
        each["name"] for id in ("sr4-core", "sr5-core", "cwn-core") for each in told("core", id)["macros"]
    ]
    assert len(set(names)) == len(names) > 6


def test_markers_show_conditions_that_there_are() -> None:
    markers = told("core", "sr4-core")["markers"]
    slugs = {
        entry.slug for pack in core().packs.values() for entry in pack.entries if entry.kind == "condition"
    }
    assert set(markers) <= slugs
    assert {"prone", "unconscious", "dying", "dead"} <= set(markers)
    assert set(markers.values()) <= set(DEFAULT_MARKERS.split())


DEFAULT_MARKERS = """
dead skull sleepy half-heart half-haze interdiction snail lightning-helix spanner chained-heart chemical-bolt death-zone
drink-me edge-crack ninja-mask stopwatch fishing-net overdrive strong fist padlock three-leaves fluffy-wing pummeled
tread arrowed aura back-pain black-flag bleeding-eye bolt-shield broken-heart cobweb broken-shield flying-flag
radioactive trophy broken-skull frozen-orb rolling-bomb white-tower grab screaming grenade sentry-gun all-for-one
angel-outfit archery-target
"""
"""The status markers of Roll20's default set that have no colour, by their tags."""


def test_bars_are_those_of_the_ruleset() -> None:
    assert told("core", "sr4-core")["bars"]["stun"] == {"bar": "bar2", "way": "up"}
    assert told("core", "cwn-core")["bars"] == {"hp": {"bar": "bar1", "way": "down"}}
    places = [bar for pack in core().packs for bar in told("core", pack)["bars"].values()]
    assert {bar["bar"] for bar in places} <= {"bar1", "bar2", "bar3"}
    assert {bar["way"] for bar in places} <= {"up", "down"}
