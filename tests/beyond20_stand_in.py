"""Beyond20 as a page and Roll20 meet it: what its version 2.20.1 (June 2026) keeps, refuses and posts.

Its source says so, and it did so in Chromium 156 and Firefox 153. In our own words:

* *Custom domains*: a line stays if it begins with http:// or https:// and names localhost or a host with a dot in it.
  Other lines disappear without a word.
* *Apply* asks the browser for the permission of each line. Chromium takes `*` as a port, and grants it as no port at
  all; Firefox takes no such line. A line with a certain port both grant with that port.
* A page has the extension if its address fits a line, in which `*` stands for anything, and if its scheme and host,
  **without a port**, fit something that is granted.
* A tab that has it loses it when it loads a page, the same or another. It comes back when that is loaded, but not if it
  took less than a tenth of a second, since then the tab never counted as left.
* A page may ask for five actions; others are refused. What passes goes to every tab of Roll20.
* In Roll20 it uses the templates of the sheet *D&D 5E by Roll20* where the game has it, unless there is no roll at all.
  They show the rolls after the first as damage, no further lines, and need the settings of a character.
* A request of the type chat-message is posted as it stands, and any other in the default template.
* Who speaks is the entry of the list *speaking as* with that text, without regard to case and blanks around it, else
  the first one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

ACTIONS = ("roll", "rendered-roll", "hp-update", "conditions-update", "update-combat")
DND_5E = "ogl5e"
"""The name of the sheet whose templates Beyond20 uses."""

_KEPT = re.compile(r"https?://(\*\.)?(localhost|[^/*\s]+\.[A-Za-z0-9])")


_LEFT_AFTER = 100
"""Milliseconds of loading after which a tab counts as left."""


class RefusedError(Exception):
    """Nothing reaches the chat, and nobody is told."""


def kept(entered: str) -> list[str]:
    """The lines of *custom domains* that stay."""
    return [line for line in entered.split("\n") if _KEPT.match(line)]


def granted(line: str, browser: str = "chromium") -> str | None:
    """The permission that a browser gives for a line; None: it takes no such line."""
    found = re.fullmatch(r"(https?://)([^/:]+)(?::(\*|\d+))?(/.*)", line)
    if found is None or (browser == "firefox" and found[3] == "*"):
        return None
    port = f":{found[3]}" if found[3] not in (None, "*") else ""
    return f"{found[1]}{found[2]}{port}/*"


def is_on(page: str, entered: str, browser: str = "chromium") -> bool:
    """Whether a page has the extension after these lines were entered and all that was asked was allowed."""
    lines = kept(entered)
    permissions = [one for one in (granted(line, browser) for line in lines) if one]
    found = re.match(r"(https?://)([^/:]+)", page)
    assert found
    origin = f"{found[1]}{found[2]}/*"
    return any(_fits(page, line) for line in lines) and any(_fits(origin, one) for one in permissions)


def _fits(address: str, pattern: str) -> bool:
    return re.search(pattern.replace("*", ".*"), address) is not None


def comes_back(milliseconds: float) -> bool:
    """Whether a tab that had the extension has it again after it loaded a page in this time."""
    return milliseconds > 2 * _LEFT_AFTER  # the browser tells it of the loading a little late


def posted(request: Mapping[str, Any], sheet: str = "") -> str:
    """What is put into the chat of Roll20 in a game with a sheet.

    Raises:
        RefusedError: Beyond20 fails, or does not take the action.
    """
    if request.get("action") not in ACTIONS:
        raise RefusedError("action")
    inner = request["request"]
    rolls = [*request["attack_rolls"], *(roll for _, roll, _ in request["damage_rolls"])]
    if sheet == DND_5E and rolls:
        return _in_5e(request)
    if inner["type"] == "chat-message":
        text: str = inner["message"]
        return text
    told = dict(request["roll_info"])
    for roll in request["attack_rolls"]:
        told[request["title"]] = str(roll["total"])
    told |= {label: str(roll["total"]) for label, roll, _ in request["damage_rolls"]}
    return _template("default", {"name": request["character"], "source": request["source"], **told})


def _in_5e(request: Mapping[str, Any]) -> str:
    character = request["request"]["character"]
    if character["type"] == "Character" and "settings" not in character:
        raise RefusedError("custom-roll-dice of no settings")
    told = {"charname": request["character"], "rname": request["title"]}
    for roll in request["attack_rolls"][:1]:
        told["r1"] = str(roll["total"])
    for at, (label, roll, _) in enumerate(request["damage_rolls"], start=1):
        told |= {f"dmg{at}": str(roll["total"]), f"dmg{at}type": label}
    return _template("atkdmg", told)


def _template(name: str, fields: Mapping[str, str]) -> str:
    return " ".join([f"&{{template:{name}}}", *(f"{{{{{key}={value}}}}}" for key, value in fields.items())])


def speaking(request: Mapping[str, Any], names: Sequence[str]) -> str:
    """Which entry of the list *speaking as* a card is posted by."""
    inner = request["request"]
    chat = inner["type"] == "chat-message"
    wanted = inner["character"]["name"] if chat else request["character"]
    return next((name for name in names if _simple(name) == _simple(wanted)), names[0])


def _simple(name: str) -> str:
    return name.lower().strip()
