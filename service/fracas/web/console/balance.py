"""Weapons weighed against the others of their class: what stands out, and what nobody has a reason to choose."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, request

from fracas.engine.balance_report import classes, name_of_class, reported, verdict, without_numbers
from fracas.engine.balancing import Balances
from fracas.engine.game import Games
from fracas.web import work
from fracas.web.console.pages import FRAGMENT, drawn
from fracas.web.settings import Settings


def install(console: Blueprint, games: Games, balances: Balances, settings: Settings) -> None:
    @console.get("/balance")
    def balance() -> Response:
        """The weapons of ``ruleset``; with ``class`` only those of a class.

        Without it the page fetches one class after the other, as each is weighed.
        """
        game = games.game(request.args.get("ruleset") or games.ids()[0])
        group = request.args.get("class", "")
        rulesets = {id: games.game(id).ruleset.label for id in games.ids()}
        shown: dict[str, Any] = {"ruleset": game.ruleset, "rulesets": rulesets, "names": {}, "group": group}
        comparison = game.ruleset.comparison
        if comparison is None:
            return drawn("balance.html", **shown)
        groups = sorted({comparison.class_of(entry) for entry in game.packs.entries("weapon")} - {""})
        shown |= {"standard": comparison.standard, "names": {one: name_of_class(one) for one in groups}}
        part = FRAGMENT in request.headers
        if part:
            shown["following"] = next((one for one in groups if one > group), "")
        elif not group:
            shown["following"] = next(iter(groups), "")
            return drawn("balance.html", **shown)
        budget = work.budget(settings.budget * work.BALANCE)
        answer = reported(balances.of(game, games.library.digest, budget, group), game.ruleset.id)
        shown |= {
            "found": answer,
            "classes": list(classes(answer["weapons"])),
            "verdict": verdict,
            "without": list(without_numbers(answer["weapons"])),
        }
        return drawn("_balance.html" if part else "balance.html", **shown)
