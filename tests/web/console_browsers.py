"""People with a browser at a fight in the console, without a server: each has cookies of his own."""

from __future__ import annotations

import hashlib
import html
import itertools
import re
from html.parser import HTMLParser
from typing import Any

from flask import Flask
from werkzeug.datastructures import MultiDict
from werkzeug.test import TestResponse

from fracas.encounters.command_context import Author
from fracas.encounters.encounters import Encounters
from fracas.encounters.records import Token
from fracas.encounters.state import State
from fracas.encounters.tokens import author_of

PART = {"HX-Request": "true"}
_ODDS = '<div id="odds"'
_COOKIE = "fracas-fight-"


def session_cookie(app: Flask) -> str:
    """The name of the cookie of this instance."""
    name: str = app.extensions["fracas.encounters"].store.name
    return f"fracas-{hashlib.sha256(name.encode()).hexdigest()[:10]}"


class Browser:
    """What somebody sees and sends."""

    def __init__(self, app: Flask, fight: str = "") -> None:
        self.app = app
        self.client = app.test_client()
        self.fight = fight
        self._keys = itertools.count(1)
        self._secret = ""

    @property
    def path(self) -> str:
        return f"/console/fight/{self.fight}"

    def get(self, below: str = "", **headers: str) -> TestResponse:
        return self.client.get(self.path + below, headers=headers)

    def part(self, below: str) -> TestResponse:
        """A part of the page, as htmx fetches it."""
        return self.client.get(self.path + below, headers=PART)

    def post(self, below: str, data: Any = None, **headers: str) -> TestResponse:
        return self.client.post(self.path + below, data=data or {}, headers={**PART, **headers})

    def command(self, command: str, **said: Any) -> TestResponse:
        """A button or a form of the table, pressed once."""
        key = {"key": f"{id(self)}-{next(self._keys)}"}
        return self.post("/command", {"command": command, **key, **said})

    def does(self, command: str, **said: Any) -> None:
        """A command that must succeed."""
        answer = self.command(command, **said)
        assert answer.status_code == 204, said_in(answer)

    @property
    def fights(self) -> Encounters:
        found: Encounters = self.app.extensions["fracas.encounters"]
        return found

    @property
    def session(self) -> str:
        """What is in the cookie."""
        cookie = self.client.get_cookie(session_cookie(self.app), path="/console")
        return cookie.value if cookie else ""

    @property
    def token(self) -> Token:
        """The token that the session stands for."""
        (shown,) = (
            one for one in self.fights.store.sessions.shown(self.session) if one.encounter == self.fight
        )
        return next(one for one in self.fights.tokens(self.fight) if one.id == shown.token)

    @property
    def secret(self) -> str:
        """A key like that which the session stands for; that one is kept nowhere."""
        if not self._secret:
            token = self.token
            self._secret = self.fights.add_token(self.fight, token.role, token.label, token.combatants).secret
        return self._secret

    def keep(self, secret: str, fight: str = "") -> None:
        """A cookie as they were before there were sessions, whoever made it."""
        self.client.set_cookie(_COOKIE + (fight or self.fight), secret, path="/console")


class Table(Browser):
    """The GM of a fight that was begun with one click."""

    def __init__(self, app: Flask, ruleset: str = "sr4", skirmish: str = "loading-dock", **said: str) -> None:
        super().__init__(app)
        form = {"ruleset": ruleset, "skirmish": skirmish, **said}
        answer = self.client.post("/console/begin", data=form)
        assert answer.status_code == 303, said_in(answer)
        self.fight = answer.location.split("/")[3]  # an empty one leads to its people

    @property
    def state(self) -> State:
        return self.fights.fight(self.fight).state

    @property
    def version(self) -> int:
        return self.fights.fight(self.fight).history.version

    @property
    def gm(self) -> Author:
        return author_of(self.token)

    def questions(self) -> list[dict[str, Any]]:
        return [one.question for one in self.state.resolutions.values() if one.question]

    def settle(self) -> None:
        """Every question gets its default."""
        while asked := self.questions():
            self.does("answer", question=asked[0]["id"], choose=asked[0].get("default") or "")

    def until_acting(self, *wanted: str) -> str:
        """Play on until somebody acts, of these if any are named; who it is."""
        for _ in range(40):
            self.settle()
            acting = self.state.acting
            if acting and (not wanted or acting[0] in wanted):
                return acting[0]
            if acting:
                self.does("next", combatant=acting[0])
            elif self.state.phase == "due":
                self.does("next")
            else:
                self.does("begin-turn")
        raise AssertionError(f"nobody of {wanted} acts")

    def invites(self, role: str = "player", *combatants: str, label: str = "Ada") -> Browser:
        """Somebody who has opened the link that the GM made for him."""
        form = {"role": role, "label": label, "combatants": list(combatants)}
        answer = self.post("/keys", form)
        assert answer.status_code == 200, said_in(answer)
        (secret,) = re.findall(r'value="http://localhost/console/enter#([^"]+)"', answer.text)
        other = Browser(self.app, self.fight)
        entered = other.client.post("/console/enter", data={"key": secret})
        assert entered.status_code == 303, said_in(entered)
        assert entered.location == self.path
        other._secret = secret
        return other


def said_in(answer: TestResponse) -> str:
    """What people read of a page."""
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", answer.text))).strip()


class _Form(HTMLParser):
    """What a browser sends of the controls of a page as they stand."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[tuple[str, str]] = []
        self._select: tuple[str, bool, list[tuple[str, bool]]] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        if tag == "input" and said.get("name") and said.get("type") not in ("file", "submit"):
            if said.get("type") not in ("checkbox", "radio") or "checked" in said:
                self.sent.append((said["name"], said.get("value", "")))
        elif tag == "select":
            self._select = (said.get("name", ""), "multiple" in said, [])
        elif tag == "option" and self._select:
            self._select[2].append((said.get("value", ""), "selected" in said))

    def handle_endtag(self, tag: str) -> None:
        if tag == "select" and self._select:
            name, several, options = self._select
            chosen = [value for value, selected in options if selected]
            if not chosen and not several and options:
                chosen = [options[0][0]]
            self.sent += [(name, value) for value in chosen]
            self._select = None


def form_of(*parts: str, **said: str) -> MultiDict[str, str]:
    """A form as it stands in these parts of a page, with some of its controls changed. Odds after a form stand
    in place of its own."""
    reader = _Form()
    for part in parts:
        reader.feed(part.partition(_ODDS)[0] if len(parts) > 1 else part)
    form = MultiDict(reader.sent)
    for name, value in said.items():
        form[name] = value
    return form
