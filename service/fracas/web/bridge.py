"""The bridge page, ``/bridge``: it rolls an attack, or takes an action of a fight, and hands the card to a table.

It is plain HTML with scripts as modules, all of them from here: its own in ``static/``, and those that it shares with
the module for Foundry under ``/integrations/``.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from flask import Blueprint, Response, abort, current_app, render_template, request

from fracas import __version__
from fracas.engine.game import Games
from fracas.packs.shipped import shipped

SHARED = (
    "scripts/attack-form.mjs",
    "scripts/certainty.mjs",
    "scripts/client.mjs",
    "scripts/hand-modifiers.mjs",
    "scripts/nodes.mjs",
    "scripts/proposals.mjs",
    "scripts/situation.mjs",
    "styles/fracas.css",
)
"""What pages of the service share with the module for Foundry, in its folder; nothing of it needs Foundry."""

_KINDS = {"mjs": "text/javascript", "css": "text/css"}
_TEXTS = ("attack", "verdict", "sure", "error")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Of pages that run only what the service itself gives."""


def pages(games: Games) -> Blueprint:
    """The page and the scripts that it shares."""
    blp = Blueprint("bridge", __name__)

    @blp.get("/bridge")
    def bridge() -> Response:
        rulesets = [games.game(id).ruleset for id in games.ids()]
        playable = [(one.id, one.label) for one in rulesets if one.procedures]
        page = render_template("bridge.html", version=__version__, rulesets=playable, texts=_texts())
        response = current_app.make_response(page)
        response.headers["Content-Security-Policy"] = POLICY
        response.headers["Referrer-Policy"] = "no-referrer"
        return response

    @blp.get("/integrations/foundry/<path:name>")
    def shared(name: str) -> Response:
        if name not in SHARED:
            abort(404)
        content = (shipped("integrations") / "foundry" / name).read_bytes()
        kind = _KINDS[name.rpartition(".")[2]]
        response = current_app.response_class(content, content_type=f"{kind}; charset=utf-8")
        response.headers["Cache-Control"] = "no-cache"
        response.add_etag()
        response.make_conditional(request)
        return response

    return blp


@cache
def _texts() -> dict[str, Any]:
    """What the shared scripts say, in English."""
    path = shipped("integrations") / "foundry/lang/en.json"
    texts: dict[str, Any] = json.loads(path.read_text("utf-8"))["FRACAS"]
    return {family: texts[family] for family in _TEXTS}
