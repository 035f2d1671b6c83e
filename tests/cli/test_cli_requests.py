"""``fracas resolve`` and ``fracas odds``."""

from __future__ import annotations

import copy
import http.client
import json
import re
from pathlib import Path
from typing import Any

import pytest
from command import SR4, Run

DICE = "4 6 5 5 / 6 3 6 1 / 3 1 5 3 6 4 5 2 3 2 6"
FACES = [[4, 6, 5, 5], [6, 3, 6, 1], [3, 1, 5, 3, 6, 4, 5, 2, 3, 2, 6]]
YAML = """\
# The first burst of a guard.
ruleset: sr4
procedure: ranged-attack
situation:
  attacker: {use: guard, rounds_before: 0}
  target: rook
  weapon: ak-97
  fire: {mode: short-burst, spread: narrow}
  distance: 20
"""
REFUSED = """\
ruleset: cwn
procedure: attack
situation:
  attacker: {base_attack_bonus: 2, attribute_modifier: 1, skill_level: 1, engaged: true}
  target: gang-member
  weapon: combat-rifle
  distance: 1
"""


def ask(port: int, path: str, data: Any) -> Any:
    """The answer of the service to the same request."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=200)
    connection.request("POST", path, json.dumps(data), {"Content-Type": "application/json"})
    response = connection.getresponse()
    answer = json.loads(response.read())
    connection.close()
    assert response.status == 200, answer
    return answer


# Ways to give a request.


@pytest.mark.parametrize(
    "name", ["attack.yaml", "attack.yml", "attack.json", "no ending", "Angriff für zwei.yaml"]
)
def test_a_request_in_a_file(run: Run, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(json.dumps(SR4) if name.endswith("json") else YAML, "utf-8")
    done = run("resolve", path, "--dice", DICE)
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("Guard hits Rook with the AK-97: 5 boxes of Stun damage, knocked down.\n")


@pytest.mark.parametrize("text", [YAML, json.dumps(SR4), json.dumps(SR4, indent=2), "\n\n" + json.dumps(SR4)])
@pytest.mark.parametrize("command", ["resolve", "odds"])
def test_a_request_on_standard_input(run: Run, command: str, text: str) -> None:
    done = run(command, "-", "--json", given=text)
    assert (done.status, done.err) == (0, "")
    assert done.data["status"] == "resolved"


def test_yaml_and_json_are_the_same_request(run: Run) -> None:
    one, other = (
        run("resolve", "-", "--json", "--dice", DICE, given=text) for text in (YAML, json.dumps(SR4))
    )
    assert one.data == other.data


# Answers.


def test_json_is_what_the_service_answers(run: Run, service: Any, attack: Path) -> None:
    done = run("resolve", attack, "--json", "--dice", DICE)
    assert done.data == ask(service.port, "/v1/resolve", {**SR4, "dice": FACES})


def test_json_of_odds_is_what_the_service_answers(run: Run, service: Any, attack: Path) -> None:
    done = run("odds", attack, "--json")
    assert done.data == ask(service.port, "/v1/odds", SR4)


def test_json_of_a_refusal_is_what_the_service_answers(run: Run, service: Any) -> None:
    import yaml

    for command in ("resolve", "odds"):
        done = run(command, "-", "--json", given=REFUSED)
        assert done.status == 1
        assert done.data == ask(service.port, f"/v1/{command}", yaml.safe_load(REFUSED))


def test_odds_of_several_are_headed_by_their_names(run: Run) -> None:
    people = {"attacker": "rook", "target": "guard", "target_2": "guard"}
    given = {"ruleset": "sr4", "procedure": "melee-sweep", "situation": {**people, "weapon": "katana"}}
    done = run("odds", "-", given=json.dumps(given))
    assert done.status == 0, done.err
    heads = [line for line in done.out.partition("\n\n")[0].splitlines() if "%" not in line]
    assert heads == ["Guard 1", "Guard 2"]


def test_the_text_explains_every_number(run: Run, attack: Path) -> None:
    done = run("resolve", attack, "--dice", DICE)
    assert re.search(r"^Attack pool: 4  =  Agility \+3  \w+ \+3  .*-2$", done.out, re.MULTILINE)
    assert re.search(r"^attack \(Guard\): 4d6 >= 5: 4 6 5 5 -> 3 hits$", done.out, re.MULTILINE)
    assert re.search(r"^defense \(Rook\): 4d6 >= 5: 6 3 6 1 -> 2 hits$", done.out, re.MULTILINE)
    assert re.search(r"^Net hits: 1$", done.out, re.MULTILINE)
    assert re.search(r"^Damage Value with net hits: \d+$", done.out, re.MULTILINE)


def test_effects_are_sentences_below_the_result(run: Run, attack: Path) -> None:
    done = run("resolve", attack, "--dice", DICE)
    assert done.out.splitlines()[1:5] == [
        "  Guard: AK-97: 3 rounds used",
        "  Rook takes 5 boxes of Stun damage",
        "  Rook is now prone",
        "",
    ]


def test_effects_say_how_an_item_is_now_and_how_long_a_state_lasts(run: Run) -> None:
    setting = {"tester": "rook", "weapon": {"use": "ak-97", "mode": "SA"}, "mode": "FA"}
    dose = {"target": "rook", "drug": "kamikaze"}
    shown = [
        run(
            "resolve",
            "-",
            given=json.dumps({"ruleset": "sr4", "procedure": procedure, "situation": situation}),
        )
        for procedure, situation in (("weapon-setting", setting), ("take-drug", dose))
    ]
    assert shown[0].out.splitlines()[1] == "  Rook: AK-97: set to full automatic fire"
    assert re.search(r"^  Rook is now on Kamikaze for \d+ minutes$", shown[1].out, re.MULTILINE)


def test_odds_leave_out_what_cannot_be(run: Run, attack: Path) -> None:
    done = run("odds", attack)
    assert "Chance to hit: " in done.out
    assert "in the way" not in done.out


def test_dice_of_the_system(run: Run, attack: Path) -> None:
    thrown = [[roll["faces"] for roll in run("resolve", attack, "--json").data["rolls"]] for _ in range(4)]
    assert any(faces != thrown[0] for faces in thrown)


def test_a_seed_of_the_request(run: Run) -> None:
    data = {**SR4, "dice": {"source": "seed", "seed": "5e" * 32}}
    answers = [run("resolve", "-", "--json", given=json.dumps(data)).data for _ in range(2)]
    assert answers[0] == answers[1]
    assert answers[0]["committed"]["seed"] == "5e" * 32


def test_a_refused_attack_says_why(run: Run) -> None:
    done = run("resolve", "-", given=REFUSED)
    assert done.status == 1
    assert " is not possible: " in done.out.splitlines()[0]
    assert "effect" not in done.out


def test_odds_go_from_the_worst_to_the_best(run: Run, attack: Path) -> None:
    names = re.findall(r"^(\S.*?)  +[\d.]+%", run("odds", attack).out, re.MULTILINE)
    hits = [name for name in names if name.startswith("hit")]
    assert names[-len(hits) :] == hits
    assert len(names) > len(hits) > 5
    for track in ("Physical", "Stun"):
        rows = [found for name in hits if (found := re.fullmatch(rf"hit, (\d+) {track}", name))]
        boxes = [int(found[1]) for found in rows]
        assert boxes == sorted(boxes)
        assert boxes


def test_odds_of_a_shot_name_the_damage_of_each_hit(run: Run) -> None:
    """Also where it is called net damage, and nobody but the target can be hit."""
    situation = {"attacker": "hive-guard", "target": "cult-fanatic", "weapon": "autogun", "distance": 12}
    situation["fire"] = {"mode": "single"}
    done = run(
        "odds",
        "-",
        given=json.dumps({"ruleset": "imperium", "procedure": "shooting", "situation": situation}),
    )
    assert len(set(re.findall(r"^hit, (\d+) damage  +[\d.]+%", done.out, re.MULTILINE))) > 5
    assert re.search(r"^Chance to hit: 52\.00%$", done.out, re.MULTILINE)


def test_odds_leave_out_what_never_happens(run: Run, attack: Path) -> None:
    done = run("odds", attack)
    assert " 0.00%" not in done.out
    assert re.search(r"^and \d+ less likely than 0\.005%, which --json lists$", done.out, re.MULTILINE)


def test_the_result_comes_first_and_what_is_not_given_last(run: Run, attack: Path) -> None:
    lines = run("resolve", attack, "--dice", DICE).out.splitlines()
    assert "5 boxes of Stun damage" in lines[0]
    assert lines[-1].startswith("Not given, so they do not count: ")


@pytest.mark.parametrize("columns", [40, 90, 300])
def test_odds_are_bars(run: Run, attack: Path, columns: int) -> None:
    done = run("odds", attack, COLUMNS=str(columns))
    assert done.status == 0
    rows = re.findall(r"^(\S.*?)  +([\d.]+)%  ?([█▏]*)$", done.out, re.MULTILINE)
    chances = [float(chance) for _, chance, _ in rows]
    assert len(rows) > 5
    assert sum(chances) == pytest.approx(100, abs=0.1)
    bars = [len(bar) for _, _, bar in rows]
    assert max(bars) > 10
    for chance, bar in zip(chances, bars, strict=True):
        assert bar == pytest.approx(max(bars) * chance / max(chances), abs=1.5)
    lines = [line for line in done.out.splitlines() if "█" in line]
    assert max(map(len, lines)) <= max(60, min(120, columns))


def test_odds_name_the_measures_and_what_modifiers_change(run: Run, attack: Path) -> None:
    done, data = run("odds", attack), run("odds", attack, "--json").data
    (hit,) = [measure["value"] for measure in data["measures"] if measure["id"] == "hit"]
    assert f"Chance to hit: {hit:.2%}" in done.out
    for row in data["attribution"]:
        (line,) = [line for line in done.out.splitlines() if f"{row['label']} {row['value']:+d}" in line]
        if f"{row['change']['hit']:+.2%}" not in ("+0.00%", "-0.00%"):  # what is not changed is not named
            assert f"{row['change']['hit']:+.2%}" in line
    assert data["attribution"]


def test_odds_ignore_dice(run: Run, attack: Path) -> None:
    done = run("odds", "-", "--json", given=json.dumps({**SR4, "dice": FACES}))
    assert done.data == run("odds", attack, "--json").data


SPELLINGS = [
    "4 6 5 5/6 3 6 1/3 1 5 3 6 4 5 2 3 2 6",
    DICE.replace(" ", "  "),
    DICE.replace(" / ", " /\t"),
    "4,6,5,5 / 6,3,6,1 / 3,1,5,3,6,4,5,2,3,2,6",
]


@pytest.mark.parametrize("text", SPELLINGS)
def test_spellings_of_dice(run: Run, attack: Path, text: str) -> None:
    assert run("resolve", attack, "--json", "--dice", text).data["outcome"]["damage"] == 5


def test_typed_dice_come_before_those_of_the_request(run: Run) -> None:
    done = run("resolve", "-", "--json", "--dice", DICE, given=json.dumps({**SR4, "dice": [[1]]}))
    assert done.data["outcome"]["damage"] == 5


# Packs.


def test_packs_of_a_folder_are_in_play(run: Run, attack: Path, tmp_path: Path) -> None:
    folder = tmp_path / "house"
    folder.mkdir()
    (folder / "pack.yaml").write_text(
        "id: house\ntitle: House\nversion: 1.0.0\nschema_version: 2\nruleset: sr4\nstatus: wip\n", "utf-8"
    )
    (folder / "modifiers.yaml").write_text(
        "kind: modifiers\nruleset: sr4\nentries:\n"
        "  - {slug: lucky-day, label: A lucky day, applies_to: [attack.pool], value: 7}\n",
        "utf-8",
    )
    done = run("resolve", attack, "--packs", folder)
    assert "A lucky day +7" in done.out
    assert "A lucky day" in run("odds", attack, "--packs", tmp_path).out


# Faults: a status other than 0 and one clear message.


@pytest.mark.parametrize("command", ["resolve", "odds"])
@pytest.mark.parametrize("name", ["nowhere.yaml", "nowhere/attack.json"])
def test_a_file_that_is_not_there(run: Run, command: str, name: str) -> None:
    assert run(command, name).complaint() == f"{name}: No such file or directory"


def test_a_folder_is_no_file(run: Run, tmp_path: Path) -> None:
    assert "Is a directory" in run("resolve", tmp_path).complaint()


BROKEN: dict[str, tuple[str | bytes, str]] = {
    "a bracket": ("a: [1\nb: 2\n", r":2:\d+: "),
    "a tab": ("a:\n\tb: 2\n", r":2:\d+: "),
    "a key twice": ("ruleset: sr4\nprocedure: x\nruleset: cwn\n", r":3:\d+: .*ruleset"),
    "an anchor": ("a: &x {}\nb: *x\n", r":\d:\d+: "),
    "UTF-16": (YAML.encode("utf-16"), r":1:1: .*UTF-8"),
    "a list": ("- ruleset: sr4\n", "a request is a mapping"),
    "nothing": ("", "a request is a mapping|empty"),
    "a word": ("hello\n", "a request is a mapping"),
    "two documents": ("a: 1\n---\nb: 2\n", r":\d:\d+: |mapping"),
    "JSON cut off": ('{"ruleset":', "line 1 column"),
    "JSON with a comma": (
        '{"ruleset": "sr4",\n}',
        "line [12] column",
    ),  # the comma since Python 3.13, before what follows
    "JSON in Latin-1": ('{"ruleset": "é"}'.encode("latin-1"), "utf-8"),
    "deep JSON": ('{"a":' * 100_000, "deep"),
    "deep YAML": ("[" * 100_000, "deep"),
}


@pytest.mark.parametrize(("text", "expected"), BROKEN.values(), ids=BROKEN)
def test_a_file_that_cannot_be_read_says_where(run: Run, tmp_path: Path, text: Any, expected: str) -> None:
    path = tmp_path / "broken.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    complaint = run("resolve", path).complaint()
    assert "broken.yaml" in complaint
    assert re.search(expected, complaint), complaint


def changed(**more: Any) -> str:
    return json.dumps({**SR4, **more})


def situated(**more: Any) -> str:
    return changed(situation={**SR4["situation"], **more})


BAD: dict[str, tuple[str, str]] = {
    "ruleset": (changed(ruleset="sr44"), "ruleset: unknown-ruleset: .*did you mean 'sr4'?"),
    "ruleset that is none": (changed(ruleset=["sr4"]), "ruleset: wrong-type: "),
    "no ruleset": ('{"procedure": "x", "situation": {}}', "ruleset: missing-field: "),
    "procedure": (changed(procedure="ranged"), "procedure: unknown-procedure: "),
    "weapon": (situated(weapon="ak-98"), "situation.weapon.use: unknown-entry: .*did you mean 'ak-97'?"),
    "field": (situated(weapn="ak-97"), "situation.weapn: unknown-field: .*did you mean 'weapon'?"),
    "negative": (situated(distance=-1), "situation.distance: out-of-range: "),
    "NaN": (situated(distance=float("nan")), "situation.distance: not-finite: "),
    "huge": (situated(distance=10**400), "situation.distance: "),
    "house rule": (changed(options={"glitch_rul": 1}), "options.glitch_rul: unknown-option: "),
    "modifier": (changed(modifiers=[{"to": "x", "value": 1}]), r"modifiers\[0\].to: unknown-target: "),
    "decision": (changed(decisions=[{"decision": "x", "choose": "y"}]), r"decisions\[0\].decision: unknown-"),
    "step": (changed(mode="step"), "mode: not-in-step-mode: "),
    "dice": (changed(dice=[[1]]), r"dice: too-few-dice: .*4d6"),
    "half a character": (changed(ruleset="\ud800"), "ruleset: unknown-ruleset: "),
    "half a character as a field": (changed(**{"\ud800": 1}), "unknown-field: "),
    "deep": (changed(options=json.loads('{"a":' * 50 + "1" + "}" * 50)), "too-deep"),
}


@pytest.mark.parametrize(("text", "expected"), BAD.values(), ids=BAD)
def test_a_request_that_makes_no_sense_names_the_field(run: Run, text: str, expected: str) -> None:
    done = run("resolve", "-", given=text)
    assert re.search(expected, done.complaint()), done.err
    assert done.out == ""


def test_all_faults_are_told_at_once(run: Run) -> None:
    complaint = run("odds", "-", given=situated(distance=-1, weapn=1, target="nobody")).complaint()
    assert len(complaint.splitlines()) == 3


def test_half_a_character_in_a_label_fails_nothing(run: Run) -> None:
    request = copy.deepcopy(SR4) | {"modifiers": [{"to": "attack.pool", "value": 1, "label": "\ud800"}]}
    for command in ("resolve", "odds"):
        done = run(command, "-", given=json.dumps(request))
        assert "Traceback" not in done.err
        assert done.status == 0 or done.complaint()


def test_a_file_that_is_too_large_says_so(run: Run) -> None:
    complaint = run("resolve", "-", given=json.dumps(SR4).ljust(1_000_001)).complaint()
    assert "1 MB" in complaint or "1000000" in complaint or "1,000,000" in complaint or "large" in complaint


@pytest.mark.parametrize(
    ("dice", "expected"),
    [
        ("4 x", "'x' is no face"),
        ("-1", "'-1' is no face"),
        ("4.5", "'4.5' is no face"),
        ("٤", "is no face"),
        ("4 6 5 5", "asks for 4d6, and only 1 lists"),
        ("4 6 5 / 6 3 6 1", "4 dice, not 3"),
        ("4 6 5 7 / 6 3 6 1", "not 7"),
        (DICE + " / 1", "not asked for"),
        ("9" * 5_000, "face|digits|large"),
    ],
)
def test_dice_that_do_not_fit(run: Run, attack: Path, dice: str, expected: str) -> None:
    assert re.search(expected, run("resolve", attack, f"--dice={dice}").complaint())
