"""The bridge page as a test drives it, with a listener in the place of Beyond20, and fights for it."""

from __future__ import annotations

import json
import re
import uuid
from typing import Any

from beyond20_stand_in import ACTIONS, DND_5E, posted, speaking
from jsonschema import Draft202012Validator
from playwright.sync_api import APIRequestContext, BrowserContext, Locator, Page, expect
from roll20_grammar import messages

from fracas.packs.shipped import shipped

SCHEMA = Draft202012Validator(
    json.loads((shipped("schemas") / "roll20/beyond20.schema.json").read_text("utf-8"))
)

BEYOND20 = """
window.handed = [];
document.addEventListener("Beyond20_SendMessage", ({ detail }) => {
  const [request] = JSON.parse(JSON.stringify(detail));
  if (!%s.includes(request?.action)) console.error("Beyond20: Invalid action received: ", request?.action);
  else window.handed.push(request);
});
document.addEventListener("DOMContentLoaded", () => setTimeout(() => {
  const settings = %s;
  document.dispatchEvent(new CustomEvent("Beyond20_Loaded", { detail: [settings] }));
  document.dispatchEvent(new CustomEvent("Beyond20_NewSettings", { detail: [settings, "extension:"] }));
}, 50));
"""
"""What the extension does on a page: it says that it is there, and takes what is handed over; `beyond20_stand_in` says
on which pages it is, and what becomes of it in Roll20."""

SPEAKERS = ("GM (GM)", "Rook", "Guard", "Wisp")
"""As whom the game master may speak in Roll20."""


def with_beyond20(context: BrowserContext, settings: dict[str, Any] | None = None) -> None:
    """Every page of the context has the extension from now on."""
    context.add_init_script(BEYOND20 % (json.dumps(ACTIONS), json.dumps(settings or {"vtt-tab": None})))


class Bridge:
    """The page.

    Attributes:
        complaints: what the browser complains of, but for odds that cannot be given yet.
        asked: addresses that were asked for.
    """

    def __init__(self, page: Page, address: str, where: str = "") -> None:
        self.page, self.address = page, address
        self.complaints: list[str] = []
        self.asked: list[str] = []
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda one: self._heard(one.type, one.text))
        page.on("request", lambda request: self.asked.append(request.url))
        page.goto(f"{address}/bridge{where}")

    def _heard(self, kind: str, text: str) -> None:
        if kind == "error" and "422" not in text:
            self.complaints.append(text)

    def choose(self, name: str, value: str) -> None:
        self.page.locator(f"#work select[name={name}]:visible").select_option(value)

    def ask(self, whom: str) -> None:
        """Whose decisions are asked: `actor`, `everybody`, or nobody's for an empty word."""
        self.page.locator("#dice select[name=asked]").select_option(whom)

    def field(self, path: str) -> Locator:
        return self.page.locator(f"#form [data-path='{path}']").first

    def measure(self, id: str) -> Locator:
        return self.page.locator(f"#form [data-measure='{id}']")

    def shoot(self) -> None:
        """The attack of the examples: Rook shoots the guard, 12 metres away."""
        self.choose("ruleset", "sr4")
        for name, value in (("attacker", "rook"), ("target", "guard"), ("weapon", "ares-predator-iv")):
            self.choose(name, value)
        self.field("fire.mode").select_option("semi-automatic")
        self.field("distance").fill("12")
        expect(self.measure("hit")).to_be_visible()

    @property
    def roll(self) -> Locator:
        return self.page.locator("#roll")

    @property
    def card(self) -> Locator:
        return self.page.locator("#card article")

    @property
    def question(self) -> Locator:
        return self.page.locator("#questions form")

    @property
    def delivery(self) -> Locator:
        return self.page.locator("#delivery")

    def pass_on(self, apply: bool = False) -> None:
        """Answers every question with what happens when nobody says anything; in a fight the effects are applied."""
        while self.page.locator("#card header .fracas-state").inner_text() == "waiting":
            asked = self.question.first
            label = asked.get_attribute("aria-label")
            asked.locator("button.main").click()
            expect(self.page.locator(f"#questions form[aria-label={json.dumps(label)}]")).to_have_count(0)
        if apply:
            expect(self.question).to_have_attribute(
                "aria-label", re.compile("^Game master: Apply the effects of ")
            )
            self.question.get_by_role("button", name="Apply").click()
        expect(self.question).to_have_count(0)

    def faces(self) -> list[list[int]]:
        """The dice on the card, by roll."""
        rolls = self.card.locator(".fracas-dice li").all()
        said = ([die.inner_text() for die in roll.locator(".fracas-die").all()] for roll in rolls)
        return [[int(text.split()[0]) for text in texts] for texts in said]

    def handed(self) -> list[dict[str, Any]]:
        """The cards that were handed to Beyond20; each must fit the schema."""
        found: list[dict[str, Any]] = self.page.evaluate("window.handed")
        for request in found:
            SCHEMA.validate([request])
        return found

    def at_the_table(self) -> list[tuple[str, dict[str, str]]]:
        """What Roll20 shows of the cards in a game whose sheet has templates of its own: speaker and fields of each."""
        found = []
        for request in self.handed():
            (only,) = messages(posted(request, DND_5E))
            assert only.live == ()
            found.append((speaking(request, SPEAKERS), dict(only.fields)))
        return found


def dice_of(fields: dict[str, str]) -> list[list[int]]:
    """The dice of a card at the table, by roll."""
    thrown = (re.search(r": ((?:\d+ )+)= ", value) for label, value in fields.items() if " by " in label)
    return [[int(face) for face in found[1].split()] for found in thrown if found]


class Alley:
    """A fight of Rook, a guard, and a sniper whom only the game master sees."""

    def __init__(self, request: APIRequestContext, address: str, **settings: Any) -> None:
        self._request, self._address = request, address
        begun = self._post("", {"ruleset": "sr4", "title": "The alley", "settings": settings})
        self.id, self.token = begun["id"], begun["tokens"]["gm"]["secret"]
        self.command("join", combatant="rook", player=True)
        self.command("join", combatant={"use": "guard", "name": "Guard at the door"}, id="guard")
        self.command("join", combatant={"use": "guard", "name": "Sniper"}, id="sniper", hidden=True)
        self.command("begin-turn", given={"rook": {"hits": 3}, "guard": {"hits": 1}, "sniper": {"hits": 0}})

    @property
    def where(self) -> str:
        return f"#fight={self.id}&token={self.token}"

    def command(self, word: str, **more: Any) -> dict[str, Any]:
        return self._post(f"/{self.id}/commands", {"command": word, **more})

    def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        headers = {"If-Match": "*", "Idempotency-Key": uuid.uuid4().hex}
        if path:
            headers["Authorization"] = f"Bearer {self.token}"
        done = self._request.post(f"{self._address}/v1/encounters{path}", data=body, headers=headers)
        assert done.ok, done.text()
        told: dict[str, Any] = done.json()
        return told

    def state(self) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {self.token}"}
        found: dict[str, Any] = self._request.get(
            f"{self._address}/v1/encounters/{self.id}", headers=headers
        ).json()
        return found
