"""``fracas forecast``."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from fracas.cli.options import JSON, PACKS, pack_folders, say

MOST_SHOWN = 6
"""Rounds of which a line says who is down by then."""


@click.command(short_help="Forecast how a fight will end.")
@click.argument("fight")
@click.option(
    "--fights", type=click.IntRange(1, 100_000), help="How many fights are played.  [default: 1000]"
)
@click.option("--seed", help="A word from which all dice follow.  [default: fracas]")
@click.option(
    "--processes", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes that play."
)
@click.option("--database", metavar="URL", help="Where a fight is kept, as for fracas serve.")
@PACKS
@JSON
def forecast(
    fight: str,
    fights: int | None,
    seed: str | None,
    processes: int,
    database: str | None,
    folders: Sequence[Path],
    as_json: bool,
) -> None:
    """Forecast how FIGHT will end, by playing it many times with the exact odds of its steps.

    FIGHT is a ready-made fight of the packs with its ruleset, such as sr4:loading-dock, a file (YAML or JSON) with the
    body of a request to /v1/forecast, or the id of a fight that is kept: that goes on from where it stands, with a new
    turn.
    """
    kept = ":" not in fight and not Path(fight).exists() and fight != "-"
    asked = {} if kept else _asked(fight)
    for name, value in (("fights", fights), ("seed", seed)):
        if value is not None:
            asked[name] = value
    from fracas.forecast.spreading import spread

    folders = pack_folders(folders)
    progress = None if as_json else _progress
    answer = spread(asked, folders, processes, progress, _kept(fight, database) if kept else None)
    if as_json:
        click.echo(json.dumps(answer, indent=2))
    else:
        click.echo(err=True)
        for line in lines(answer):
            say(line)


def _kept(id: str, database: str | None) -> tuple[str, str]:
    """The database of a kept fight, and its id."""
    from fracas.web.database import with_database
    from fracas.web.settings import Settings

    settings = Settings.from_environment()
    return with_database(settings._replace(database=database or settings.database)).database, id


def _asked(fight: str) -> dict[str, Any]:
    ruleset, colon, skirmish = fight.partition(":")
    if colon and not Path(fight).exists():
        return {"ruleset": ruleset, "skirmish": skirmish}
    from fracas.cli.combat import read_request

    return read_request(Path(fight))


def _progress(done: int, of: int) -> None:
    click.echo(f"\r{done:,} of {of:,} fights", nl=False, err=True)


def lines(answer: Mapping[str, Any]) -> list[str]:
    """A forecast for people, line by line."""
    found = [f"{answer['title'] or 'Forecast'}: {answer['fights']:,} fights, seed {answer['seed']}", ""]
    for side in answer["sides"]:
        found.append(f"  {side['side']} win {_chance(side['wins'])}")
    for name, word in (("drawn", "nobody is left"), ("undecided", "left undecided")):
        if answer[name]["value"]:
            found.append(f"  {word} {_chance(answer[name])}")
    rounds = answer["rounds"]
    found += [
        f"  rounds: {rounds['mean']:.1f} on average, {rounds['low']:g} to {rounds['high']:g} in eight of ten fights",
        "",
        "Who goes down",
    ]
    for one in answer["combatants"]:
        spent = [f"{each['mean']:.1f} rounds of {each['label']}" for each in one["rounds_spent"]]
        spent += [f"{each['mean']:.1f} {_of_field(each['field'])}" for each in one["spent"]]
        tail = f"; spends {', '.join(spent)}" if spent else ""
        found.append(f"  {one['name']} ({one['side']}): {_chance(one['down'])}{tail}")
        when = [f"{at}: {100 * chance:.0f}%" for at, chance in enumerate(one["down_by_turn"], start=1)]
        if when:
            found.append(f"    down by round {', '.join(when[:MOST_SHOWN])}")
        with_it = ", ".join(
            f"{each['label']} {100 * each['chance']['value']:.0f}%" for each in one["left_with"]
        )
        if with_it:
            found.append(f"    at the end: {with_it}")
    points = sorted(answer["turning_points"], key=lambda one: -one["moves"])[:3]
    found += ["", "Turning points"]
    for point in points:
        found.append(
            f"  round {point['turn']} moves the chance by {100 * point['moves']:.0f} points on average, and decides "
            f"{100 * point['decided']:.0f}% of the fights"
        )
    for other in answer["compared"]:
        changes = ", ".join(f"{each['side']} {_points(each['wins'])}" for each in other["differences"])
        found += ["", f"With {other['label']}: {changes}"]
    found += ["", "How they choose"]
    for one in answer["tactics"]:
        with_what = "; ".join(one["attacks"]) or "no attack"
        found.append(f"  {one['name']}: {one['label']}. {with_what}")
    found += [
        "",
        "What this passes over",
        *(f"  {text}" for text in (*answer["ignores"], *answer["assumed"])),
    ]
    return found


def _of_field(field: str) -> str:
    """What is spent, for people."""
    return "Edge" if field == "edge_points" else f"points of {field.replace('_', ' ')}"


def _chance(one: Mapping[str, float]) -> str:
    return f"{100 * one['value']:.1f}% ({100 * one['low']:.1f} to {100 * one['high']:.1f})"


def _points(one: Mapping[str, float]) -> str:
    return f"{100 * one['value']:+.1f} points ({100 * one['low']:+.1f} to {100 * one['high']:+.1f})"
