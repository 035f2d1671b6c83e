"""``fracas list`` and ``fracas show``: tables that fit, and one entry with all there is to say."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner

from fracas.cli import terminal as terminal_
from fracas.cli.book import book
from fracas.cli.catalog import list_, show
from fracas.errors import FracasError
from fracas.packs.entries import KINDS
from fracas.packs.library import Library
from fracas.packs.shipped import shipped


class Done(NamedTuple):
    out: str
    err: str
    complaint: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()

    @property
    def slugs(self) -> list[str]:
        return [line.split()[0] for line in self.lines[1:]]


def run(command: Any, *words: Any) -> Done:
    result = CliRunner().invoke(command, list(map(str, words)))
    if isinstance(result.exception, FracasError):  # the group above these shows its message
        return Done(result.stdout, result.stderr, result.exception.message)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    found = re.search(r"^Error: (.*)", result.stderr, re.MULTILINE | re.DOTALL)
    assert (found is None) == (result.exit_code == 0), result.stderr
    return Done(result.stdout, result.stderr, found[1].strip() if found else "")


@pytest.fixture(autouse=True)
def piped(monkeypatch: pytest.MonkeyPatch) -> None:
    """No packs but the built-in ones, and no width but the usual one."""
    monkeypatch.delenv("FRACAS_PACKS", raising=False)
    monkeypatch.delenv("COLUMNS", raising=False)


@pytest.fixture(scope="module")
def library() -> Library:
    return Library.read([shipped("datapacks") / "sr4-core", shipped("datapacks") / "cwn-core"])


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """As if the output went to a terminal that shows no colours."""
    monkeypatch.setattr(terminal_, "to_terminal", lambda: True)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")
    return monkeypatch


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """Two packs: one with entries of its own, and one that changes these."""
    for id, layer, requires, sources in (
        ("guns", "core", "[{id: sr4-core}]", "[{id: own, title: 'Ann: her guns'}]"),
        ("house", "house", "[{id: guns}, {id: sr4-core}]", "[{id: table, title: Table}]"),
    ):
        (tmp_path / id).mkdir()
        (tmp_path / id / "pack.yaml").write_text(
            f"{{id: {id}, title: The {id}, version: 1.2.3, schema_version: 2, ruleset: sr4, status: wip, "
            f"layer: {layer}, licenses: {{data: CC0-1.0}}, sources: {sources}, requires: {requires}}}",
            "utf-8",
        )
    (tmp_path / "guns" / "traits.yaml").write_text(
        """
kind: traits
ruleset: sr4
entries:
  - slug: tough-hide
    label: "[bold]Tough[/bold] hide"
    changes: [{stat: soak_bonus, add: 1}]
    source: {ref: own, section: "3.1", page: 7}
    provenance: default
    confidence: M
    notes: grown, not worn
    tags: [body, skin]
    renamed_from: [thick-skin]
  - slug: gone
    label: Gone
    source: {ref: own}
""",
        "utf-8",
    )
    (tmp_path / "house" / "traits.yaml").write_text(
        """
kind: traits
ruleset: sr4
entries:
  - patch: guns:trait/tough-hide
    set: {ratings: 2, changes: [{stat: soak_bonus, add: [1, 2]}]}
    source: {ref: table}
  - remove: guns:trait/gone
    source: {ref: table}
""",
        "utf-8",
    )
    return tmp_path


# Lists.


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_can_be_listed(kind: str, library: Library) -> None:
    done = run(list_, kind, "--ruleset", "sr4")
    known = [entry.slug for entry in library.ruleset_packs("sr4").entries(KINDS[kind])]
    assert not done.complaint
    if known:
        assert done.slugs == known
    else:
        assert done.err == f"There are no {kind}.\n"


def test_one_name_of_a_kind_is_as_good_as_the_other() -> None:
    assert run(list_, "weapon", "--ruleset", "cwn").out == run(list_, "weapons", "--ruleset", "cwn").out


def test_what_is_piped_is_aligned_and_uncoloured() -> None:
    done = run(list_, "weapons", "--ruleset", "sr4")
    header = done.lines[0]
    assert header.split()[:4] == ["slug", "label", "category", "skill"]
    assert "\x1b" not in done.out
    assert max(map(len, done.lines)) <= terminal_.PIPED_WIDTH
    at = header.index("category")
    assert all(line[at - 2 : at] == "  " and line[at] != " " for line in done.lines)


@pytest.mark.parametrize("width", [60, 80, 120, 200])
@pytest.mark.parametrize("kind", ["weapons", "modifiers", "combatants", "tables", "examples", "conditions"])
def test_a_table_fits_the_terminal(
    terminal: pytest.MonkeyPatch, kind: str, width: int, library: Library
) -> None:
    terminal.setenv("COLUMNS", str(width))
    done = run(list_, kind, "--ruleset", "cwn")
    entries = library.ruleset_packs("cwn").entries(KINDS[kind])
    assert all(len(line.rstrip()) <= width for line in done.lines)
    assert done.slugs[: len(entries)] == [entry.slug for entry in entries]  # each on one line, its slug whole
    assert f"{len(entries)} {kind}" in done.out


def test_more_room_shows_more(terminal: pytest.MonkeyPatch) -> None:
    counts = []
    for width in (60, 100, 160):
        terminal.setenv("COLUMNS", str(width))
        counts.append(len(run(list_, "weapons", "--ruleset", "sr4").lines[0].split()))
    assert counts == sorted(set(counts))


def test_what_found_no_room_is_named(terminal: pytest.MonkeyPatch) -> None:
    terminal.setenv("COLUMNS", "80")
    end = run(list_, "weapons", "--ruleset", "sr4").out.split("--columns shows more: ")[1]
    assert "magazine" in end


def test_all_rulesets_have_a_column_that_tells_them_apart() -> None:
    done = run(list_, "weapons")
    assert done.lines[0].split()[:3] == ["slug", "label", "ruleset"]
    assert {"sr4", "cwn"} <= {word for line in done.lines for word in line.split()}


def test_fields_that_are_the_same_everywhere_are_left_out() -> None:
    done = run(list_, "weapons", "--ruleset", "sr4", "--where", "skill=pistols")
    assert "skill" not in done.lines[0].split()


def test_fields_that_were_asked_about_are_shown() -> None:
    done = run(
        list_, "combatants", "--ruleset", "sr4", "--where", "skills.pistols>=3", "--sort", "-skills.pistols"
    )
    assert done.lines[0].split()[:3] == ["slug", "label", "skills.pistols"]
    found = [int(line.split("  ")[-1]) for line in run(
        list_, "combatants", "--ruleset", "sr4", "--where", "skills.pistols>=3", "--sort", "-skills.pistols",
        "--columns", "slug,skills.pistols").lines[1:]]  # fmt: skip
    assert found == sorted(found, reverse=True)
    assert min(found) >= 3


def test_conditions_select(library: Library) -> None:
    weapons = library.ruleset_packs("sr4").entries("weapon")
    words = ["--ruleset", "sr4", "--where", "modes=BF", "--where", "dv>=6", "--where", "label~a"]
    wanted = [
        entry.slug
        for entry in weapons
        if "BF" in entry.data.get("modes", ()) and entry.data["dv"] >= 6 and "a" in entry.label.casefold()
    ]
    assert wanted
    assert run(list_, "weapons", *words).slugs == wanted


def test_columns_that_were_chosen() -> None:
    done = run(list_, "weapons", "--ruleset", "cwn", "--columns", " slug, source.ref ,damage")
    assert done.lines[0].split() == ["slug", "source.ref", "damage"]
    assert re.search(r"^light-pistol +rulebook-cwn +1d6$", done.out, re.MULTILINE)


def test_chosen_columns_are_cut_to_fit_a_terminal_only(terminal: pytest.MonkeyPatch) -> None:
    words = ["modifiers", "--ruleset", "sr4", "--columns", "slug,when,value"]
    terminal.setenv("COLUMNS", "70")
    assert max(len(line.rstrip()) for line in run(list_, *words).lines) <= 70
    terminal.setattr(terminal_, "to_terminal", lambda: False)
    done = run(list_, *words)
    assert max(map(len, done.lines)) > 70
    assert "…" not in done.out


def test_json_is_for_programs(library: Library) -> None:
    found = json.loads(run(list_, "weapons", "--ruleset", "sr4", "--where", "slug=ak-97", "--json").out)
    entry = library.ruleset_packs("sr4").entry("weapon", "ak-97")
    assert entry is not None
    assert len(found) == 1
    assert (found[0]["id"], found[0]["ruleset"], found[0]["data"]) == (entry.id, "sr4", entry.data)
    assert found[0]["meta"]["source"] == entry.meta["source"]
    assert re.search(r"weapons\.yaml:\d+:\d+$", found[0]["place"])
    picked = json.loads(
        run(
            list_,
            "weapons",
            "--ruleset",
            "sr4",
            "--where",
            "slug=ak-97",
            "--columns",
            "slug,dv,reach",
            "--json",
        ).out
    )
    assert picked == [{"slug": "ak-97", "dv": entry.data["dv"], "reach": None}]
    assert json.loads(run(list_, "weapons", "--where", "slug=none", "--json").out) == []


def test_nothing_found_is_no_error() -> None:
    done = run(list_, "weapons", "--where", "slug=none")
    assert (done.out, done.err, done.complaint) == ("", "No weapons fulfil that.\n", "")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["wepons"], "there is no kind 'wepons' (did you mean 'weapons'?)"),
        (["words"], "`fracas words RULESET` lists them"),
        (["weapons", "--where", "skil=pistols"], "no entry here has a field 'skil' (did you mean 'skill'?)"),
        (["weapons", "--columns", "slug,skil"], "no entry here has a field 'skil'"),
        (["weapons", "--sort", "-dvv"], "no entry here has a field 'dvv'"),
        (["weapons", "--where", "skill"], "'skill' is no condition"),
        (["weapons", "--where", "dv>big"], "compares numbers"),
        (["weapons", "--ruleset", "sr6"], "there is no ruleset 'sr6' (did you mean 'sr5'?)"),
    ],
)
def test_what_cannot_be_listed(words: list[str], said: str) -> None:
    assert said in run(list_, *words).complaint


def test_a_pack_of_ones_own_is_listed_with_the_others(own: Path) -> None:
    done = run(list_, "traits", "--ruleset", "sr4", "--packs", own, "--columns", "slug,pack,ratings")
    assert re.search(r"^tough-hide +guns +2$", done.out, re.MULTILINE)
    assert "gone" not in done.slugs


def test_a_broken_pack_is_left_out_with_a_warning(own: Path) -> None:
    (own / "guns" / "armor.yaml").write_text("kind: [\n", "utf-8")
    done = run(list_, "traits", "--ruleset", "sr4", "--packs", own)
    assert "Warning: left out" in done.err
    assert "bad-yaml" in done.err
    assert "toughness" in done.slugs


# One entry.


def test_an_entry_with_its_fields_and_their_meaning() -> None:
    done = run(show, "sr4-core:weapon/ares-predator-iv")
    assert done.lines[:2] == ["Ares Predator IV", "sr4-core:weapon/ares-predator-iv"]
    assert re.fullmatch(r".*sr4-core/weapons\.yaml:\d+", done.lines[2])
    assert re.search(r"^  dv +Damage Value +5$", done.out, re.MULTILINE)
    assert re.search(r"^  features +Features +smartgun$", done.out, re.MULTILINE)
    assert re.search(r"^  Source +.*Shadowrun 4.* \(rulebook-sr4\), section ", done.out, re.MULTILINE)
    rule = re.search(r"^  Rule +fracas book (sr4) (\S+)$", done.out, re.MULTILINE)
    assert rule
    assert "Ares Predator IV" in run(book, *rule.groups()).out
    assert "Recoil" in run(book, "sr4", "--search", "recoil").out


def test_the_place_is_that_of_the_entry() -> None:
    path, line = run(show, "sr4-core:weapon/ares-predator-iv").lines[2].rsplit(":", 1)
    assert "slug: ares-predator-iv" in Path(path).read_text("utf-8").splitlines()[int(line) - 1]


def test_what_there_is_to_say_besides(own: Path) -> None:
    done = run(show, "guns:trait/tough-hide", "--packs", own)
    assert done.lines[0] == "[bold]Tough[/bold] hide"
    said = dict(
        re.split(r"  +", line.strip(), maxsplit=1) for line in done.out.rpartition("\n\n")[2].splitlines()
    )
    assert said == {
        "Pack": "The guns 1.2.3",
        "Source": "Ann: her guns (own), section 3.1, page 7",
        "Provenance": "† no source gives this number: the authors of the pack chose it",
        "Confidence": "‡ worked out, remembered, or in one source only",
        "Notes": "grown, not worn",
        "Tags": "body, skin",
        "Formerly": "thick-skin",
        "Changed by": "house; see: fracas why guns:trait/tough-hide",
    }
    assert re.search(r"^  ratings +Ratings +2   \(set by house\)$", done.out, re.MULTILINE)


@pytest.mark.parametrize(
    "name",
    [
        "guns:trait/tough-hide",
        "guns:traits/thick-skin",
        "trait/tough-hide",
        "traits/thick-skin",
        "thick-skin",
    ],
)
def test_names_that_mean_it(own: Path, name: str) -> None:
    assert run(show, name, "--packs", own).lines[1] == "guns:trait/tough-hide"


def test_a_name_of_several_entries_lists_them() -> None:
    done = run(show, "prone")
    assert done.out == ""
    assert "'prone' may mean several entries" in done.complaint
    assert {"sr4-core:condition/prone", "cwn-core:condition/prone"} <= set(done.complaint.split())


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("colt-amerika-l36", "'colt-america-l36'"),
        ("weapon/ak-79", "'weapon/ak-97'"),
        ("sr4-core:weapon/ak-79", "'sr4-core:weapon/ak-97'"),
    ],
)
def test_an_unknown_name_names_the_nearest(name: str, near: str) -> None:
    assert f"there is no entry {name!r} (did you mean {near}?)" in run(show, name).complaint


def test_a_removed_entry_says_who_removed_it(own: Path) -> None:
    assert "house has removed guns:trait/gone" in run(show, "guns:trait/gone", "--packs", own).complaint


def test_an_entry_for_programs(library: Library) -> None:
    found = json.loads(run(show, "sr4-core:weapon/ak-97", "--json").out)
    entry = library.ruleset_packs("sr4").entry("weapon", "ak-97")
    assert entry is not None
    assert (found["id"], found["kind"], found["data"]) == (entry.id, "weapon", entry.data)


def test_a_table_is_shown_as_one() -> None:
    done = run(show, "sr4-core:table/condition-monitors")
    rows = [line.split() for line in done.lines]
    assert ["physical", "8", "body", "2"] in rows
    assert ["stun", "8", "willpower", "2"] in rows


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize(
    "id",
    [
        "sr4-core:example/sr4-ex-01",
        "sr4-core:combatant/rook",
        "sr4-core:modifier/take-aim",
        "cwn-core:trait/deadeye",
    ],
)
def test_an_entry_fits_the_terminal(terminal: pytest.MonkeyPatch, id: str, width: int) -> None:
    terminal.setenv("COLUMNS", str(width))
    done = run(show, id)
    assert not done.complaint
    assert [line for line in done.lines[3:] if len(line) > width] == []


def test_every_shipped_entry_can_be_shown(library: Library) -> None:
    from fracas.cli.catalog import _print_entry

    runner = CliRunner()
    with runner.isolation():
        for pack in library.packs.values():
            for entry in pack.entries:
                _print_entry(entry, pack, library)


@pytest.mark.parametrize("command", [list_, show])
def test_help_gives_examples(command: Any) -> None:
    done = run(command, "--help")
    assert "--packs" in done.out
    assert "--json" in done.out
    if command is list_:
        assert "fracas list weapons --ruleset sr4 --where 'skill=pistols'" in done.out
