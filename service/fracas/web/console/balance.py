"""Weapons weighed against the others of their class: what stands out, and what nobody has a reason to choose."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, request

from fracas.engine.balance_report import classes, reported, verdict, without_numbers
from fracas.engine.balancing import Balances
from fracas.engine.game import Games
from fracas.web import work
from fracas.web.console.pages import drawn
from fracas.web.settings import Settings


def install(console: Blueprint, games: Games, balances: Balances, settings: Settings) -> None:
    @console.get("/balance")
    def balance() -> Response:
        """The weapons of ``ruleset``; with ``class`` only those of a class."""
        game = games.game(request.args.get("ruleset") or games.ids()[0])
        group = request.args.get("class", "")
        rulesets = {id: games.game(id).ruleset.label for id in games.ids()}
        shown: dict[str, Any] = {"ruleset": game.ruleset, "rulesets": rulesets, "found": None}
        comparison = game.ruleset.comparison
        if comparison is not None:
            slugs = sorted({comparison.class_of(entry) for entry in game.packs.entries("weapon")} - {""})
            budget = work.budget(settings.budget * work.BALANCE)
            answer = reported(balances.of(game, games.library.digest, budget, group), game.ruleset.id)
            shown |= {
                "found": answer,
                "names": {slug: slug.replace("-", " ").capitalize() for slug in slugs},
                "group": group,
                "classes": list(classes(answer["weapons"])),
                "verdict": verdict,
                "without": list(without_numbers(answer["weapons"])),
            }
        return drawn("balance.html", **shown)
