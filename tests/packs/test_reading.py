"""Reading packs from folders: manifests and entries as values, and every fault with its place."""

from __future__ import annotations

from pathlib import Path

import pytest
from pack_folders import FIELDS, MANIFEST, faults, make_pack, problems, weapons, write

from fracas.errors import PackError, Problem
from fracas.packs.entries import KINDS, HouseRule
from fracas.packs.library import Library
from fracas.packs.reading import read_pack


def test_manifest_and_entries(tmp_path: Path) -> None:
    options = """\
options:
  recoil: {type: choice, choices: [flat, cumulative], default: flat, label: Recoil, doc: How it adds up.}
  bare: {type: flag, default: true}
stack_caps: {aim: 4}
authors: [Somebody]
"""
    text = """\
# A comment
kind: weapons
ruleset: sr4
entries:
  - slug: pistol
    label: Pistol
    dv: 5
    modes: [SA]
    source: {ref: book, page: 3}
    provenance: default
    notes: loud
    tags: [small]
    renamed_from: [gun]
    confidence: M

  - {slug: bow, dv: 4}
"""
    make_pack(tmp_path, files={"weapons.yaml": text}, more=options)
    (pack,) = Library.read([tmp_path]).packs.values()
    manifest = pack.manifest
    assert (manifest.id, manifest.title) == ("core", "A pack")
    assert (manifest.version, manifest.schema_version) == ("1.2.3", 2)
    assert (manifest.ruleset, manifest.status, manifest.caps) == ("sr4", "ready", {"aim": 4})
    assert manifest.options == (
        HouseRule("recoil", "choice", "flat", "Recoil", "How it adds up.", ("flat", "cumulative")),
        HouseRule("bare", "flag", True, "bare"),
    )
    assert manifest.raw["authors"] == ["Somebody"]
    pistol, bow = pack.entries
    assert pistol[:6] == (
        "core:weapon/pistol",
        "weapon",
        "pistol",
        "Pistol",
        "core",
        {"dv": 5, "modes": ["SA"]},
    )
    assert pistol.meta == {
        "slug": "pistol",
        "label": "Pistol",
        "source": {"ref": "book", "page": 3},
        "provenance": "default",
        "notes": "loud",
        "tags": ["small"],
        "renamed_from": ["gun"],
        "confidence": "M",
    }
    assert pistol.place == "core/weapons.yaml:5:5"
    assert pistol.location_of(("source", "page")) == "core/weapons.yaml:9:31"
    assert pistol.location_of(("dv",), of_key=True) == "core/weapons.yaml:7:5"
    assert pistol.changes == ()
    assert bow[:6] == ("core:weapon/bow", "weapon", "bow", "bow", "core", {"dv": 4})
    assert (bow.meta, bow.place) == ({"slug": "bow"}, "core/weapons.yaml:16:5")


def test_every_kind_is_read_from_its_file_and_from_its_folder(tmp_path: Path) -> None:
    files = {}
    for kind in KINDS:
        files[f"{kind}.yaml"] = f"kind: {kind}\nruleset: sr4\nentries: [{{slug: single}}]\n"
        files[f"{kind}/b.yaml"] = f"kind: {kind}\nruleset: sr4\nentries: [{{slug: second}}]\n"
        files[f"{kind}/a.yaml"] = f"kind: {kind}\nruleset: sr4\nentries: [{{slug: first}}]\n"
    make_pack(tmp_path, files=files)
    library = Library.read([tmp_path])
    wanted = [f"core:{kind}/{slug}" for kind in KINDS.values() for slug in ("single", "first", "second")]
    assert [entry.id for entry in library.packs["core"].entries] == wanted
    place = {entry.slug: entry.place for entry in library.ruleset_packs("sr4").entries("weapon")}
    assert place == {
        "single": "core/weapons.yaml:3:11",
        "first": "core/weapons/a.yaml:3:11",
        "second": "core/weapons/b.yaml:3:11",
    }


def test_a_folder_is_a_pack_or_holds_packs(tmp_path: Path) -> None:
    for id in ("beta", "alpha"):
        make_pack(tmp_path / "many", id)
    make_pack(tmp_path, "single")
    write(tmp_path / "many", {"no-pack/weapons.yaml": "not read", "readme.yaml": "not read"})
    write(tmp_path / "many" / "alpha", {"deeper/pack.yaml": "not read"})
    folders = [tmp_path / "single", tmp_path / "many"]
    assert list(Library.read(folders).packs) == ["single", "alpha", "beta"]
    assert list(Library.read(reversed(folders)).packs) == ["alpha", "beta", "single"]
    assert Library.read([]).packs == {}


def test_packs_of_other_rulesets_can_be_left_out_unread(tmp_path: Path) -> None:
    make_pack(tmp_path, "ours", {"weapons.yaml": weapons("{slug: a}")}, "sr4")
    make_pack(tmp_path, "theirs", {"weapons.yaml": "not a pack file"}, "cwn")
    assert list(Library.read([tmp_path], "sr4").packs) == ["ours"]
    assert faults(tmp_path) == [("theirs/weapons.yaml:1:1", "bad-file")]
    write(tmp_path / "theirs", {"pack.yaml": "id: theirs\n"})
    with pytest.raises(PackError):
        Library.read([tmp_path], "sr4")


def test_a_pack_without_entries(tmp_path: Path) -> None:
    make_pack(tmp_path, files={"weapons.yaml": weapons().replace("entries:", "entries: []")})
    assert Library.read([tmp_path]).packs["core"].entries == ()


def test_digest_tells_contents_apart(tmp_path: Path) -> None:
    def digest(where: str, text: str, name: str = "weapons.yaml") -> str:
        pack = read_pack(make_pack(tmp_path / where, files={name: text}))
        assert pack is not None
        return pack.digest

    one = digest("one", weapons("{slug: a}"))
    assert len(one) == 64
    assert digest("two", weapons("{slug: a}")) == one
    others = {
        digest("three", weapons("{slug: b}")),
        digest("four", weapons("{slug: a} # with a comment")),
        digest("five", weapons("{slug: a}"), "weapons/all.yaml"),
    }
    assert len(others | {one}) == 4


# --- Faults, each at its place ----------------------------------------------------------------------------


@pytest.mark.parametrize("field", FIELDS)
def test_a_manifest_lacks_a_field(tmp_path: Path, field: str) -> None:
    lines = MANIFEST.format(id="core", ruleset="sr4").splitlines()
    text = "# The pack\n" + "\n".join(line for line in lines if not line.startswith(f"{field}:"))
    write(tmp_path / "core", {"pack.yaml": text})
    (problem,) = problems(tmp_path)
    assert problem == ("core/pack.yaml:2:1", "missing-field", f"the manifest lacks {field!r}", None)


def test_a_manifest_lacks_everything(tmp_path: Path) -> None:
    write(tmp_path / "core", {"pack.yaml": "notice: Nothing else\n"})
    found = problems(tmp_path)
    assert {(problem.path, problem.code) for problem in found} == {("core/pack.yaml:1:1", "missing-field")}
    assert [problem.message.split()[-1] for problem in found] == [repr(field) for field in FIELDS]


@pytest.mark.parametrize("text", ["- id: core\n", "core\n", "7\n"])
def test_a_manifest_is_no_mapping(tmp_path: Path, text: str) -> None:
    write(tmp_path / "core", {"pack.yaml": f"\n  {text}"})
    assert faults(tmp_path) == [("core/pack.yaml:2:3", "bad-manifest")]


@pytest.mark.parametrize(
    ("line", "column", "code", "message"),
    [
        ("option_defaults: [recoil]", 18, "wrong-type", "option_defaults maps options to values"),
        ("requires: core", 11, "wrong-type", "requires is a list of packs"),
        ("requires: [core]", 12, "bad-manifest", "an item of requires is a mapping with the id of a pack"),
        (
            "conflicts: [{id: 7}]",
            13,
            "bad-manifest",
            "an item of conflicts is a mapping with the id of a pack",
        ),
        (
            "requires: [{id: base, version: ~1.0}]",
            32,
            "bad-manifest",
            "versions are conditions such as >=0.1,<1, not '~1.0'",
        ),
        (
            "options: {Recoil: {type: flag, default: true}}",
            19,
            "bad-option",
            "'Recoil' is no name of an option: small letters, digits and underscores",
        ),
    ],
)
def test_a_field_of_a_manifest_that_is_none(
    tmp_path: Path, line: str, column: int, code: str, message: str
) -> None:
    make_pack(tmp_path, more=f"{line}\n")
    assert [problem[:3] for problem in problems(tmp_path)] == [(f"core/pack.yaml:7:{column}", code, message)]


def test_a_file_under_the_wrong_name(tmp_path: Path) -> None:
    make_pack(tmp_path, files={"armor.yaml": "entries: [{slug: a}]\nkind: weapons\n"})
    (problem,) = problems(tmp_path)
    assert problem.path == "core/armor.yaml:2:7"
    assert problem.code == "wrong-kind"
    assert problem.message == "the file lies under 'armor' and says it holds 'weapons'"


@pytest.mark.parametrize(
    ("name", "text", "hint"),
    [
        ("house.yaml", "kind: weapons\nentries: []\n", "it holds weapons: call it weapons/house.yaml"),
        ("mine/house.yml", "kind: weapon\nentries: []\n", "it holds weapons: call it weapons/house.yaml"),
        ("weapon.yaml", "kind: weapons\nentries: []\n", "did you mean 'weapons.yaml'?"),
        ("armour.yaml", "kind: armor\nentries: []\n", "it holds armor: call it armor/armour.yaml"),
        ("wepons.yaml", "- nothing\n", "did you mean 'weapons.yaml'?"),
        ("house.yaml", "- nothing\n", None),
    ],
)
def test_a_file_that_nothing_reads_is_sent_where_it_belongs(
    tmp_path: Path, name: str, text: str, hint: str | None
) -> None:
    make_pack(tmp_path, files={"armor.yaml": "kind: armor\nruleset: sr4\nentries: []\n", name: text})
    (problem,) = problems(tmp_path)
    assert (problem.path, problem.code, problem.hint) == (f"core/{name}", "unknown-file", hint)


@pytest.mark.parametrize(
    ("text", "place", "hint"),
    [
        ("kind: weapon\nentries: []\n", "1:7", "did you mean 'weapons'?"),
        ("kind:    wepons\nentries: []\n", "1:10", "did you mean 'weapons'?"),
        ("# No kind\nentries: []\n", "2:1", None),
        ("kind:\nentries: []\n", "1:6", None),
        ("kind: [weapons]\nentries: []\n", "1:7", None),
        ("kind: 7\nentries: []\n", "1:7", None),
    ],
)
def test_a_kind_that_is_none(tmp_path: Path, text: str, place: str, hint: str | None) -> None:
    make_pack(tmp_path, files={"weapons/some.yaml": text})
    (problem,) = problems(tmp_path)
    assert (problem.path, problem.code) == (f"core/weapons/some.yaml:{place}", "wrong-kind")
    if hint:
        assert problem.hint == hint


@pytest.mark.parametrize(
    "text",
    [
        "- kind: weapons\n",
        "weapons\n",
        "kind: weapons\n",
        "kind: weapons\nentries:\n",
        "kind: weapons\nentries: {}\n",
    ],
)
def test_a_file_without_entries(tmp_path: Path, text: str) -> None:
    make_pack(tmp_path, files={"weapons.yaml": f"# Comment\n{text}"})
    assert faults(tmp_path) == [("core/weapons.yaml:2:1", "bad-file")]


BAD_SLUGS = [
    "{label: A}", "{slug: }", "{slug: 7}", "{slug: true}", "{slug: [a]}", "{slug: A}", "{slug: a_b}",
    "{slug: -a}", "{slug: a b}", "{slug: ''}", "{slug: a.b}", "{slug: 'a:b'}", "{slug: ä}", '{slug: "a\\n"}',
    f"{{slug: {'x' * 65}}}", "text", "[slug, a]", "~",
]  # fmt: skip


@pytest.mark.parametrize("entry", BAD_SLUGS)
def test_a_bad_slug(tmp_path: Path, entry: str) -> None:
    make_pack(tmp_path, files={"weapons.yaml": weapons("{slug: good}", entry, "{slug: fine}")})
    assert faults(tmp_path) == [("core/weapons.yaml:5:5", "bad-slug")]


@pytest.mark.parametrize("slug", ["a", "7th", "a-b", "ak-97", "x" * 64])
def test_a_good_slug(tmp_path: Path, slug: str) -> None:
    make_pack(tmp_path, files={"weapons.yaml": weapons(f"{{slug: {slug}}}")})
    assert [entry.slug for entry in Library.read([tmp_path]).packs["core"].entries] == [slug]


def test_a_slug_twice(tmp_path: Path) -> None:
    files = {
        "weapons.yaml": weapons("{slug: a}", "{slug: b}", "{slug: a, dv: 2}"),
        "weapons/more.yaml": weapons("{slug: b}", "{slug: c}", "{slug: a}"),
        "armor.yaml": "kind: armor\nruleset: sr4\nentries:\n  - slug: a\n",
    }
    make_pack(tmp_path, files=files)
    assert problems(tmp_path) == [
        Problem(place, "duplicate-slug", f"weapon {slug!r} is already at core/weapons.yaml:{first}:5")
        for place, slug, first in (
            ("core/weapons.yaml:6:12", "a", 4),
            ("core/weapons/more.yaml:4:12", "b", 5),
            ("core/weapons/more.yaml:6:12", "a", 4),
        )
    ]


def test_a_pack_twice(tmp_path: Path) -> None:
    make_pack(tmp_path / "here")
    make_pack(tmp_path / "there")
    make_pack(tmp_path / "there", "other")
    (problem,) = problems(tmp_path / "here", tmp_path / "there")
    assert problem.code == "duplicate-pack"
    assert "'core'" in problem.message
    assert [found.code for found in problems(tmp_path / "here", tmp_path / "here")] == ["duplicate-pack"]


@pytest.mark.parametrize(
    ("text", "place", "code"),
    [
        ("kind: weapons\nentries:\n  - slug: a\n    slug: b\n", "4:5", "duplicate-key"),
        ("kind: weapons\nentries:\n  - &a {slug: a}\n  - *a\n", "3:5", "no-alias"),
        ("kind: weapons\nentries:\n  - !weapon {slug: a}\n", "3:5", "no-tag"),
        ("kind: weapons\nentries:\n  - slug: a: b\n", "3:12", "bad-yaml"),
        ("kind: weapons\nentries: [{slug: a}\n", "2:10", "bad-yaml"),
        ("", "1:1", "empty-file"),
        ("# Nothing\n", "1:1", "empty-file"),
        ("kind: weapons\n---\nkind: armor\n", "2:1", "several-documents"),
        (b"kind: weapons\nentries: [\xff]\n", "2:11", "not-text"),
    ],
)
def test_a_file_that_is_no_strict_yaml(tmp_path: Path, text: str | bytes, place: str, code: str) -> None:
    make_pack(tmp_path, "one", {"weapons.yaml": text})
    assert faults(tmp_path)[0] == (f"one/weapons.yaml:{place}", code)
    write(tmp_path / "one", {"weapons.yaml": weapons(), "pack.yaml": text})
    assert faults(tmp_path)[0] == (f"one/pack.yaml:{place}", code)


def test_hints_of_the_yaml_reader_are_kept(tmp_path: Path) -> None:
    make_pack(tmp_path, files={"weapons.yaml": weapons("{slug: a, slug: b}")})
    (problem,) = problems(tmp_path)
    assert problem.hint == "keep one of them"
    assert str(problem).startswith("core/weapons.yaml:4:15: duplicate-key: the key 'slug' is already")


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    make_pack(tmp_path, files={"weapons/folder.yaml/inside": "", "weapons/good.yaml": weapons("{slug: a}")})
    assert faults(tmp_path) == [("core/weapons/folder.yaml", "unreadable")]


def test_all_faults_at_once(tmp_path: Path) -> None:
    write(tmp_path / "a-manifest", {"pack.yaml": "id: a\nversion: 1.0.0\nschema_version: 2\nruleset: sr4\n"})
    make_pack(
        tmp_path,
        "b-files",
        {
            "modifiers.yaml": "kind: modifiers\nentries:\n  - slug: a\n    when: [a, a: b: c]\n",
            "modifiers/old.yaml": "kind: modifiers\nentries: []\n",
            "weapons.yaml": weapons("{slug: a}", "{slug: A}", "{slug: a}", "[]"),
            "weapons/bad.yaml": "kind: armor\nentries: []\n",
            "weapons/two.yaml": "a: 1\na: 2\nb: *c\n",
            "armor.yaml": "kind: armor\n",
            "ranges/folder.yaml/inside": "",
            "tables.yaml": "",
        },
    )
    make_pack(tmp_path, "c-good", {"weapons.yaml": weapons("{slug: a}")})
    write(tmp_path / "d-twin", {"pack.yaml": MANIFEST.format(id="c-good", ruleset="cwn")})
    found = faults(tmp_path)
    assert sorted(found[:-1]) == [
        ("a-manifest/pack.yaml:1:1", "missing-field"),
        ("a-manifest/pack.yaml:1:1", "missing-field"),
        ("b-files/armor.yaml:1:1", "bad-file"),
        ("b-files/modifiers.yaml:4:19", "bad-yaml"),
        ("b-files/modifiers/old.yaml:1:1", "wrong-ruleset"),
        ("b-files/ranges/folder.yaml", "unreadable"),
        ("b-files/tables.yaml:1:1", "empty-file"),
        ("b-files/weapons.yaml:5:5", "bad-slug"),
        ("b-files/weapons.yaml:6:12", "duplicate-slug"),
        ("b-files/weapons.yaml:7:5", "bad-slug"),
        ("b-files/weapons/bad.yaml:1:7", "wrong-kind"),
        ("b-files/weapons/two.yaml:2:1", "duplicate-key"),
        ("b-files/weapons/two.yaml:3:4", "no-alias"),
    ]
    assert found[-1][1] == "duplicate-pack"
    with pytest.raises(PackError) as caught:
        Library.read([tmp_path])
    assert caught.value.code == "bad-pack"
    assert len(str(caught.value).splitlines()) == len(found)


# --- Changes of other packs' entries ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "column", "code"),
    [
        ("{patch: 5, set: {dv: 1}}", 13, "bad-change"),
        ("{patch: 'a:weapon/b'}", 13, "bad-change"),
        ("{patch: 'a:weapon/b', set: {}}", 13, "bad-change"),
        ("{patch: 'a:weapon/b', set: [dv]}", 13, "bad-change"),
        ("{patch: 'a:weapon/b', set: {dv: 1}, expects: dv}", 13, "bad-change"),
        ("{patch: 'a:weapon/b', unset: dv}", 13, "bad-change"),
        ("{patch: 'a:weapon/b', set: {dv: 1}, unset: [ap, dv]}", 53, "bad-change"),
        ("{remove: [a]}", 14, "bad-change"),
        ("{replace: 'a:weapon/b', renamed_from: c}", 43, "wrong-type"),
        ("{replace: 'a:weapon/b', renamed_from: [[c]]}", 43, "wrong-type"),
        ("{slug: b, renamed_from: [5]}", 29, "wrong-type"),
    ],
)
def test_a_change_that_is_none(tmp_path: Path, line: str, column: int, code: str) -> None:
    make_pack(tmp_path, files={"weapons.yaml": weapons("{slug: good}", line)})
    assert (f"core/weapons.yaml:5:{column}", code) in faults(tmp_path)


def test_changes_are_no_entries(tmp_path: Path) -> None:
    lines = (
        "{patch: 'a:weapon/b', set: {dv: 1}, unset: [ap], expects: {dv: 2}, source: {ref: x}}",
        "{replace: 'a:weapon/c', dv: 3}",
        "{remove: 'a:weapon/d'}",
        "{slug: e}",
    )
    pack = read_pack(make_pack(tmp_path, files={"weapons.yaml": weapons(*lines)}))
    assert pack is not None
    assert [entry.slug for entry in pack.entries] == ["e"]
    patch, replace, remove = pack.operations
    assert (patch.how, patch.target, patch.kind, patch.pack) == ("patch", "a:weapon/b", "weapon", "core")
    assert (patch.values, patch.unset, patch.expects, patch.source) == (
        {"dv": 1},
        ("ap",),
        {"dv": 2},
        {"ref": "x"},
    )
    assert patch.location.text(("set", "dv")) == "core/weapons.yaml:4:37"
    assert (replace.how, replace.values["dv"]) == ("replace", 3)
    assert (remove.how, remove.target) == ("remove", "a:weapon/d")
