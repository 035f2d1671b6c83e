"""The structural check as people meet it: sentences, hints, places, and its limits."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from block_yaml import dumped
from schema_files import FOLDER, SCHEMAS
from schema_specimens import made_up_specimens

from fracas.packs import structure_faults
from fracas.packs.schema_flattening import DECIDES, FIELDS, OTHERWISE
from fracas.packs.schema_quick import quick_check
from fracas.packs.schemas import names, schema
from fracas.packs.structure import CODES, structure_problems
from fracas.packs.structure_wording import MAX_FAULTS
from fracas.packs.yaml_source import load

META = "label: A\n    source: {ref: book}"
MODIFIER = "applies_to: [attack.pool]\n    when: []\n    value: 1"
CHANGES = f"""\
kind: conditions
ruleset: sr4
entries:
  - slug: a
    {META}
"""


def told(text: str, kind: str) -> list[str]:
    return [str(problem) for problem in structure_problems(load(text, "f.yaml"), kind)]


def of_modifier(text: str) -> list[str]:
    """Of a file whose one entry these lines make up."""
    lines = "\n".join(f"    {line}" for line in text.strip().splitlines())
    return told(f"kind: modifiers\nruleset: sr4\nentries:\n  -{lines[3:]}\n", "modifiers")


# --- Sentences --------------------------------------------------------------------------------------------

GOOD = """\
slug: a
label: A
source: {ref: book}
applies_to: [attack.pool]
when: []
value: 1"""
SENTENCES = {
    # What to replace in the good entry, and all that is told of it.
    "slug: A B": [
        "4:11: wrong-form: 'A B' does not fit as 'slug': small letters, digits and hyphens are expected, at most 64"
    ],
    "labl: A": ["5:5: unknown-field: the entry has no field 'labl' (did you mean 'label'?)"],
    "label:": [
        "5:11: wrong-type: 'label' must be text, and is empty (for instance \"Smartlink with smartgun\")"
    ],
    "label: 7": ["5:12: wrong-type: 'label' must be text, not 7 (put it in quotes if it is text: \"7\")"],
    'label: ""': ["5:12: too-short: 'label' must not be empty (for instance \"Smartlink with smartgun\")"],
    "source: {page: 317}": [
        "6:14: missing-field: 'source' lacks the field 'ref' (Work: Id of one of the 'sources' in 'pack.yaml'.)"
    ],
    "source: {ref: book, page: 0}": ["6:31: out-of-range: 'page' must be from 1 to 9999, not 0"],
    'source: {ref: book, page: "12"}': [
        "6:31: wrong-type: 'page' must be a whole number, not the text '12' (write 12 without quotes)"
    ],
    "source: {ref: book, page: 012}": [
        "6:31: wrong-type: 'page' must be a whole number, not the text '012' (write 12)"
    ],
    "applies_to: attack.pool": [
        "7:17: wrong-type: 'applies_to' must be a list, not the text 'attack.pool'"
        " (put it in brackets if it is the only item: [attack.pool])"
    ],
    "applies_to: [attack.pool, a.b, attack.pool]": [
        "7:36: double-item: 'attack.pool' is already item 1 of 'applies_to' (keep one of them)"
    ],
    "applies_to: [attack.refusal]": [
        "7:18: not-allowed: 'attack.refusal' cannot stand here"
        " (Name of a number that the procedure adds up, such as 'attack.pool'.)"
    ],
    "when: [{gte: [distance]}]": [
        "8:18: too-few: 'gte' must have exactly 2 items, and has 1 (for instance [\"attacker.strength\", 6])"
    ],
    "when: [{gte: [distance, 1], lt: [distance, 9]}]": [
        "8:12: too-many: item 1 of 'when' must have exactly 1 field, and has 2"
        ' (for instance {"any": ["weapon.modes:BF", "weapon.modes:FA"]})'
    ],
    "when: [{gt: [distance, 1], anyof: 2}]": [
        "8:32: unknown-field: item 1 of 'when' has no field 'anyof' (did you mean 'any'?)"
    ],
    "value: {min: [1, 2.5]}": [
        "9:22: wrong-type: item 2 of 'min' must be a whole number, text or a mapping, not 2.5"
        ' (put it in quotes if it is text: "2.5")'
    ],
    "value: 1\nprovenance: defalt": [
        "10:17: unknown-choice: 'provenance' must be 'default', not 'defalt' (did you mean 'default'?)"
    ],
    "value: 1\nconfidence: X": ["10:17: unknown-choice: 'confidence' must be 'M' or 'L', not 'X'"],
    "value: 1\nreplace: a:modifier/b": [
        "10:5: exclusive-fields: the entry has both 'slug' and 'replace', which exclude each other"
        " (keep one of them)"
    ],
}


@pytest.mark.parametrize("line", SENTENCES)
def test_sentences(line: str) -> None:
    key = line.split("\n")[-2 if "\n" in line else 0].split(":")[0]
    key = "label" if key == "labl" else key
    spoilt = re.sub(rf"^{key}: .*$", lambda _: line, GOOD, count=1, flags=re.MULTILINE)
    assert spoilt != GOOD
    assert of_modifier(spoilt) == [f"f.yaml:{sentence}" for sentence in SENTENCES[line]]


def test_a_good_entry_is_good() -> None:
    assert of_modifier(GOOD) == []


def test_several_faults_come_in_the_order_of_the_text() -> None:
    found = of_modifier(
        """
value: nothing good!
slug: A
source: {}
when: [7]
applies_to: []
"""
    )
    places = [tuple(map(int, problem.split(":")[1:3])) for problem in found]
    assert places == sorted(places)
    assert [problem.split(": ")[1] for problem in found] == [
        "missing-field",
        "wrong-form",
        "wrong-form",
        "missing-field",
        "wrong-type",
        "too-few",
    ]


def test_a_text_may_not_end_with_a_line_end_where_a_word_belongs() -> None:
    """In Python's regular expressions a dollar would let it through."""
    (found,) = of_modifier(GOOD.replace("slug: a", "slug: |\n  a"))
    assert found.startswith("f.yaml:4:11: wrong-form: 'a\\n' does not fit as 'slug'")


def test_long_values_are_cut() -> None:
    (found,) = of_modifier(GOOD.replace("slug: a", f"slug: {'A' * 5000}"))
    assert len(found) < 300
    (found,) = of_modifier(GOOD.replace("slug: a", f"slug: a\n{'b' * 900}: 1"))
    assert len(found) < 300


# --- One fault is told once -------------------------------------------------------------------------------


def test_a_misspelt_field_is_not_missing_as_well() -> None:
    (found,) = of_modifier(GOOD.replace("value:", "vaule:"))
    assert found == "f.yaml:9:5: unknown-field: the entry has no field 'vaule' (did you mean 'value'?)"


def test_a_strange_field_does_not_hide_what_is_missing() -> None:
    found = of_modifier(GOOD.replace("value:", "zzz:"))
    assert [problem.split(": ")[1] for problem in found] == ["missing-field", "unknown-field"]


def test_a_wrong_value_makes_no_other_field_unknown() -> None:
    (found,) = of_modifier(GOOD.replace("label: A", "label: [A]"))
    assert found.startswith("f.yaml:5:12: wrong-type")


@pytest.mark.parametrize("form", ["patch", "remove"])
def test_a_misspelt_form_does_not_make_the_entry_another(form: str) -> None:
    """Else all fields that a modifier needs would be missing."""
    whole = f"{form}: a:modifier/b\nsource: {{ref: book}}" + "\nset: {value: 2}" * (form == "patch")
    assert of_modifier(whole) == []
    (found,) = of_modifier(whole.replace(f"{form}:", f"{form}h:"))
    assert found == f"f.yaml:4:5: unknown-field: the entry has no field '{form}h' (did you mean '{form}'?)"
    two = of_modifier(whole.replace(f"{form}:", f"{form}h:").replace("{ref: book}", "{ref: B}"))
    assert [problem.split(": ")[1] for problem in two] == ["unknown-field", "wrong-form"]


def test_faults_inside_a_misspelt_form_keep_their_places() -> None:
    found = of_modifier("source: {ref: book}\npach: nowhere\nset: {valu: 2}")
    assert [problem.split(" ")[0:2] for problem in found] == [
        ["f.yaml:5:5:", "unknown-field:"],
        ["f.yaml:5:11:", "wrong-form:"],
        ["f.yaml:6:11:", "unknown-field:"],
    ]


def test_a_misspelt_refusal_is_not_a_modifier() -> None:
    text = "slug: a\nlabel: A\nsource: {ref: b}\napplies_to: [x.refusal]\nwhen: []\nrefuses: no_way"
    assert of_modifier(text) == []
    (found,) = of_modifier(text.replace("refuses:", "refuse:"))
    assert found == "f.yaml:9:5: unknown-field: the entry has no field 'refuse' (did you mean 'refuses'?)"


# --- House rules, changes and layers ----------------------------------------------------------------------

MANIFEST = next(item.data for item in made_up_specimens() if item.kind == "pack")
PACK = dumped({name: MANIFEST[name] for name in SCHEMAS["pack.schema.json"]["required"]}).text
LINES = PACK.count("\n")


@pytest.mark.parametrize(
    ("rule", "faults"),
    [
        ("{type: flag, default: true, label: A}", []),
        ("{type: choice, default: a, label: A, choices: [a, b]}", []),
        ("{type: whole, default: 2, label: A}", []),
        ("{type: flag, default: 1, label: A}", ["wrong-type"]),
        ("{type: flag, default: yes, label: A}", ["wrong-type"]),
        ("{type: flag, default: true, label: A, choices: [a, b]}", ["unknown-field"]),
        ("{type: choice, default: a, label: A}", ["missing-field"]),
        ("{type: choice, default: true, label: A, choices: [a, b]}", ["wrong-type"]),
        ("{type: choice, default: a, label: A, choices: [a]}", ["too-few"]),
        ("{type: choice, default: a, label: A, choices: [a, a]}", ["double-item"]),
        ("{type: whole, default: true, label: A}", ["wrong-type"]),
        ("{type: whole, default: 1.5, label: A}", ["wrong-type"]),
        ("{type: whole, default: 1001, label: A}", ["out-of-range"]),
        ("{type: number, default: 1, label: A}", ["unknown-choice"]),
        ("{type: choise, default: a, label: A, choices: [a, b]}", ["unknown-choice"]),
        ("{type: [choice], default: a, label: A}", ["unknown-choice"]),
        ("{default: a, label: A, choices: [a, b]}", ["missing-field"]),
        ("{typ: choice, default: a, label: A, choices: [a, b]}", ["unknown-field"]),
        ("{type: flag, default: true}", ["missing-field"]),
        ("flag", ["wrong-type"]),
    ],
)
def test_house_rules_that_contradict_themselves(rule: str, faults: list[str]) -> None:
    found = structure_problems(load(f"{PACK}options:\n  one: {rule}\n"), "pack")
    assert [problem.code for problem in found] == faults


def test_names_of_house_rules() -> None:
    (found,) = told(f"{PACK}options:\n  One: {{type: flag, default: true, label: A}}\n", "pack")
    assert (
        found == f"f.yaml:{LINES + 2}:3: wrong-form: 'One' does not fit as the name of a field of 'options'"
    )


def test_words_as_names_of_fields() -> None:
    data = {**MANIFEST, "licenses": {"date": "CC0-1.0"}}
    text, keys, _ = dumped(data)
    line, column = keys["licenses", "date"]
    assert told(text, "pack") == [
        f"f.yaml:{line}:{column}: unknown-choice: 'licenses' has no field 'date' (did you mean 'data'?)"
    ]


@pytest.mark.parametrize(
    ("change", "faults"),
    [
        ("{stat: a, add: 1}", []),
        ("{stat: a, add: [1, 2]}", []),
        ("{stat: a}", ["10: missing-field: item 1 of 'changes' needs 'add', 'set' or 'at_least'"]),
        (
            "{stat: a, add: x}",
            ["24: wrong-type: 'add' must be a whole number or a list, not the text 'x' (for instance 1)"],
        ),
        ("{stat: a, add: 1001}", ["24: out-of-range: 'add' must be from -1000 to 1000, not 1001"]),
        ("{stat: a, add: []}", ["24: too-few: 'add' must have at least 1 item, and has 0"]),
        (
            "{stat: a, add: [1, x]}",
            ["28: wrong-type: item 2 of 'add' must be a whole number, not the text 'x'"],
        ),
        (
            "{stat: a, add: 1, set: 2}",
            [
                "27: exclusive-fields: item 1 of 'changes' has both 'add' and 'set', which exclude each other"
                " (keep one of them)"
            ],
        ),
        (
            "{stat: a, ad: 1}",
            ["19: unknown-field: item 1 of 'changes' has no field 'ad' (did you mean 'add'?)"],
        ),
        ("7", ["9: wrong-type: item 1 of 'changes' must be a mapping, not 7"]),
    ],
)
def test_changes_add_set_or_raise(change: str, faults: list[str]) -> None:
    found = told(f"{CHANGES}    changes:\n      - {change}\n", "conditions")
    assert [problem.split(" (for instance {")[0] for problem in found] == [
        f"f.yaml:8:{fault}" for fault in faults
    ]


# --- Files around their entries ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("[]", ["1:1: wrong-type: the file must be a mapping, not a list"]),
        ("word", ["1:1: wrong-type: the file must be a mapping, not the text 'word'"]),
        (
            "kind: weapon\nruleset: sr4\nentries: []",
            ["1:7: unknown-choice: 'kind' must be 'weapons', not 'weapon'"],
        ),
        (
            "kind: weapons\nruleset: sr7\nentries: [{}, 7]",
            [
                "2:10: unknown-choice: 'ruleset' must be 'sr4', 'sr5', 'imperium' or 'cwn', not 'sr7'"
                " (did you mean 'sr5'?)",
                "3:15: wrong-type: the entry must be a mapping, not 7",
            ],
        ),
        ("kind: weapons\nruleset: [sr4]\nentries: []", ["2:10: unknown-choice: 'ruleset' must be"]),
        (
            "kind: weapons\nruleset: sr4\nentries:",
            ["3:9: wrong-type: 'entries' must be a list, and is empty"],
        ),
        (
            "kind: weapons\nruleset: sr4\nentries: {a: 1}",
            ["3:10: wrong-type: 'entries' must be a list, not a m"],
        ),
        (
            "kind: weapons\nruleset: sr4\nentrys: []",
            ["3:1: unknown-field: the file has no field 'entrys' (did"],
        ),
    ],
)
def test_frames(text: str, faults: list[str]) -> None:
    found = told(text, "weapons")
    assert len(found) == len(faults)
    for problem, fault in zip(found, faults, strict=True):
        assert problem.startswith(f"f.yaml:{fault}")


def test_an_empty_entry_lacks_everything_at_its_brace() -> None:
    found = told("kind: weapons\nruleset: sr4\nentries:\n  - {}", "weapons")
    assert {problem.split(": ")[0] for problem in found} == {"f.yaml:4:5"}
    assert {problem.split(": ")[1] for problem in found} == {"missing-field"}
    assert any("'slug' or 'replace'" in problem for problem in found)
    lacking = [match[1] for problem in found if (match := re.search(r"lacks the field '(\w+)'", problem))]
    assert set(lacking) >= {"label", "source", *SCHEMAS["sr4.schema.json"]["$defs"]["weapon"]["required"]}
    assert len(set(lacking)) == len(lacking)


def test_a_kind_without_a_schema_is_refused() -> None:
    with pytest.raises(KeyError):
        structure_problems(load("a: 1"), "spaceships")


# --- Limits -----------------------------------------------------------------------------------------------


def test_no_more_faults_than_anybody_reads() -> None:
    text = "kind: tables\nruleset: sr4\nentries:\n" + "  - {}\n" * 4000
    start = time.process_time()
    problems = structure_problems(load(text, "f.yaml"), "tables")
    assert time.process_time() - start < 5
    assert len(problems) == MAX_FAULTS + 1
    assert problems[-1].code == "too-many-problems"
    assert problems[-1].path == problems[-2].path


def test_a_mapping_full_of_strange_names_does_not_hold_things_up() -> None:
    strange = "".join(f"    laabel{number}: 1\n" for number in range(60_000))
    text = f"kind: tables\nruleset: sr4\nentries:\n  - slug: a\n{strange}"
    start = time.process_time()
    problems = structure_problems(load(text, "f.yaml"), "tables")
    assert time.process_time() - start < 10
    assert len(problems) == MAX_FAULTS + 1


# --- What the web serves, and what starting costs ---------------------------------------------------------


def test_the_schemas_are_those_of_the_folder() -> None:
    assert names() == tuple(sorted(path.name for path in FOLDER.glob("*.json")))
    for name in names():
        assert schema(name) == SCHEMAS[name]


@pytest.mark.parametrize(
    "name", ["", "weapons", "../pyproject.toml", "schemas/weapons.schema.json", "x.schema.json"]
)
def test_no_other_file_is_a_schema(name: str) -> None:
    with pytest.raises(KeyError):
        schema(name)


def test_jsonschema_is_loaded_only_for_faulty_files(tmp_path: Path) -> None:
    """It takes longer to load than most packs take to check."""
    program = f"""
import sys
from fracas.packs.structure import structure_problems
from fracas.packs.yaml_source import load
assert not structure_problems(load({PACK!r}), "pack")
assert "jsonschema" not in sys.modules
assert structure_problems(load({PACK.replace("status", "statut")!r}), "pack")
assert "jsonschema" in sys.modules
"""
    subprocess.run([sys.executable, "-c", program], check=True, cwd=tmp_path, timeout=200)


# --- Rules that no shipped schema has, so that a new one is not passed over ----------------------------------


def faults_by(form: dict[str, object], value: object) -> list[tuple[str, str]]:
    from jsonschema import Draft202012Validator

    found = structure_faults.faults(Draft202012Validator(form).iter_errors, value, ())
    return [(fault.code, fault.message) for fault in found]


def test_a_keyword_without_words_of_its_own_is_told_all_the_same() -> None:
    form = {"type": "number", "multipleOf": 2}
    assert quick_check(form)(2) is False  # left to jsonschema
    assert faults_by(form, 2) == []
    assert faults_by(form, 3) == [("wrong-value", "the file does not fit its schema")]


def test_alternatives_by_type_and_others() -> None:
    form = {"oneOf": [{"type": "integer", "minimum": 2}, {"type": "array", "minItems": 1}]}
    assert faults_by(form, 1) == [("out-of-range", "the file must be at least 2, not 1")]
    assert faults_by(form, []) == [("too-few", "the file must have at least 1 item, and has 0")]
    assert faults_by(form, "x")[0][0] == "wrong-type"
    both = {"oneOf": [{"type": "integer"}, {"type": "number"}]}
    assert faults_by(both, 1) == [("wrong-value", "the file fits more than one of its alternatives")]
    mapping = {"anyOf": [{"required": ["a"]}, {"required": ["b"]}], "type": "object"}
    assert faults_by(mapping, {}) == [("missing-field", "the file needs 'a' or 'b'")]
    assert [code for code, _ in faults_by(mapping, 7)] == ["wrong-type"]


def test_notes_of_closed_forms_are_no_keywords() -> None:
    form = {"type": "object", OTHERWISE: ["a"], DECIDES: ["b"], FIELDS: {}}
    assert quick_check(form)({}) is True


def test_every_code_is_told_by_somebody() -> None:
    packs = Path(structure_faults.__file__).parent
    wording = (packs / "structure_wording.py").read_text("utf-8").split("MAX_FAULTS", 1)[1]
    structure = (packs / "structure.py").read_text("utf-8")
    for code in CODES:
        assert f'"{code}"' in wording + structure, code


def test_many_required_fields_do_not_crowd_out_other_faults() -> None:
    names = [f"field{number}" for number in range(80)]
    form = {"type": "object", "required": names, "properties": {"last": {"type": "integer"}}}
    told = faults_by(form, {"last": "x"})
    assert [code for code, _ in told].count("missing-field") == 80
    assert ("wrong-type", "'last' must be a whole number, not the text 'x'") in told
