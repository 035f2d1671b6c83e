"""The console as people use it: by what stands on it, and by the roles of its parts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Locator, Page, expect

FEW = 30
"""More questions in a row than this, and something goes round in circles."""


class Console:
    """A browser in front of the console.

    Attributes:
        complaints: what the browser complained of, such as a script that failed; not that the service refused
            something, or was away.
    """

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address
        self.complaints: list[str] = []
        page.set_default_timeout(120_000)
        page.on("console", self._said)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def _said(self, message: object) -> None:
        text = getattr(message, "text", "")
        refused = re.search("Failed to load resource|Status Error|^htmx:(sendError|afterRequest)", text)
        if getattr(message, "type", "") == "error" and not refused:
            self.complaints.append(text)

    # Pages

    def open(self, path: str = "/") -> None:
        self.page.goto(self.address + path)

    def choose_game(self, label: str) -> None:
        """On the first page, show the skirmishes and house rules of a game."""
        game = self.page.get_by_role("radio", name=label, exact=True)
        if not game.is_checked():
            with self.page.expect_response("**/console/?game=*"):
                game.check(force=True)
        expect(self.page.locator("#rules + .quiet")).to_contain_text(label)

    def play(self, skirmish: str, asks: bool = False) -> None:
        """From the first page to a running fight, with a click on a game and one on its skirmish.

        Args:
            asks: decisions such as Edge are asked.
        """
        self.open()
        play = self.page.get_by_role("button", name=f"Play “{skirmish}”")
        for game in self.page.get_by_role("group", name="Game").get_by_role("radio").all():
            if not play.count():
                self.choose_game(game.get_attribute("aria-label") or "")
        if asks:
            self.page.get_by_text("Title and settings", exact=True).click()
            self.page.get_by_role("checkbox", name="Ask players").check()
        play.click()
        self.arrive()

    def begin(self, ruleset: str, title: str, apply: str) -> None:
        """An empty fight of a ruleset, and the page on which people join it.

        Args:
            apply: what an action does, in the words of the choice.
        """
        self.open()
        self.choose_game(ruleset)
        self.page.get_by_text("Title and settings", exact=True).click()
        self.page.get_by_role("textbox", name="Title").fill(title)
        choose(self.page.locator("#begin"), "What an action does", apply)
        self.page.get_by_role("checkbox", name="Ask players").check()
        self.page.get_by_role("button", name="New fight").click()
        self.page.wait_for_url("**/people*")
        self.expect_live()

    def join(self, name: str, player: bool = False) -> None:
        """Let somebody of the packs join."""
        packs = self.page.get_by_role("region", name="From the packs")
        packs.get_by_role("searchbox", name="Search the packs").fill(name)
        rows = packs.get_by_role("listitem")
        expect(rows.filter(has_not_text=name)).to_have_count(0)
        found = rows.filter(has=self.page.get_by_role("button", name=f"Add {name}", exact=True))
        expect(found).to_have_count(1)
        if player:
            found.get_by_label(f"Who plays {name}").select_option("player")
        with self.page.expect_response("**/add"):
            found.get_by_role("button", name=f"Add {name}").click()

    def here(self) -> Locator:
        """The list of those in the fight."""
        return self.page.locator("#here-list .fights > li")

    def invite(self, label: str, *combatants: str) -> str:
        """Make an invitation for a player; the link to send."""
        card = self.page.get_by_role("region", name="Invite people")
        card.get_by_role("textbox", name="Name").fill(label)
        for name in combatants:
            card.get_by_role("checkbox", name=name, exact=True).check()
        card.get_by_role("button", name="Create link").click()
        return card.get_by_role("textbox", name=f"Link for {label}").input_value()

    def arrive(self) -> None:
        """The table is there, and the live feed with it."""
        self.page.wait_for_url("**/console/fight/*")
        self.expect_live()

    def expect_live(self) -> None:
        expect(self.page.locator("#feed")).to_have_attribute("data-state", "live")

    @property
    def fight(self) -> str:
        """The path of the fight that is open."""
        found = re.search(r"/console/fight/[0-9a-f]+", self.page.url)
        assert found, self.page.url
        return found.group()

    # The table

    @property
    def version(self) -> int:
        return int(self.page.locator("#main [data-version]").first.get_attribute("data-version") or 0)

    @contextmanager
    def change(self) -> Iterator[None]:
        """What happens inside changes the fight, and the table shows it."""
        before = self.version
        yield
        self.expect_other_than(before)

    def expect_other_than(self, version: int) -> None:
        """The table shows another version, without anybody having loaded the page anew."""
        shown = self.page.locator("#main [data-version]").first
        expect(shown).not_to_have_attribute("data-version", str(version))

    def expect_as(self, other: Console) -> None:
        """The table shows the same version as another browser's."""
        shown = self.page.locator("#main [data-version]").first
        expect(shown).to_have_attribute("data-version", str(other.version))

    def press(self, name: str) -> None:
        """A button of the table that gives a command."""
        with self.change():
            self.page.get_by_role("button", name=name, exact=True).first.click()

    def look_back(self, version: int) -> None:
        """To the fight as it was, along the timeline by keyboard."""
        self.page.get_by_role("slider", name="Timeline").focus()
        for _ in range(self.version - version):
            self.page.keyboard.press("ArrowLeft")
        expect(self.past()).to_contain_text(f"after event {version} of {self.version}")

    def past(self) -> Locator:
        """The banner over the fight as it was."""
        return self.page.get_by_role("region", name="As it was after event")

    def notice(self) -> Locator:
        return self.page.get_by_role("alert")

    def acting(self) -> str:
        """Who acts, of those whom this browser commands."""
        heading = self.page.get_by_role("heading", name=re.compile(" acts$"))
        return heading.first.inner_text().strip().removesuffix(" acts") if heading.count() else ""

    def people(self) -> Locator:
        return self.page.locator("li.person")

    def person(self, name: str) -> Locator:
        """The row of a combatant."""
        return self.people().filter(has=self.page.locator(f'.aim[title="{name}"]')).first

    def gauges(self, name: str) -> dict[str, str]:
        """The monitors in a combatant's row: ``{"Stun": "3/10"}``."""
        labels = [
            one.get_attribute("aria-label") or "" for one in self.person(name).locator("[role=img]").all()
        ]
        found = (re.match(r"(.*): (\d+) of (\d+)", label) for label in labels)
        return {one[1]: f"{one[2]}/{one[3]}" for one in found if one}

    def result(self) -> Locator:
        """What the last action came to."""
        return self.page.locator("[data-measure=result]")

    # Questions

    def questions(self) -> Locator:
        return self.page.get_by_role("region", name="Waiting for an answer").get_by_role("article")

    def mine(self) -> Locator:
        """The questions that this browser may answer."""
        return self.questions().filter(has=self.page.get_by_role("button"))

    def answer(self, option: str = "", lucky: Mapping[int, int] | None = None) -> None:
        """Answer the first question: with an option, with its default, or with lucky dice."""
        question = self.mine().first
        question.wait_for()
        with self.change():
            dice = self.dice()
            if dice.count():
                dice.fill(faces(question.inner_text(), lucky or {}))
                question.get_by_role("button", name="Take these dice").click()
            elif option:
                question.get_by_role("button", name=option).first.click()
            else:
                default = question.locator("button.main")
                (default if default.count() else question.get_by_role("button")).first.click()

    def dice(self) -> Locator:
        """Where one types one's dice for the first question."""
        return self.mine().first.get_by_role("textbox", name=re.compile("^Your dice"))

    def acts(self, who: str) -> bool:
        return who in self.all_acting()

    def all_acting(self) -> list[str]:
        """All who act at the same time, of those whom this browser commands."""
        several = self.page.get_by_role("group", name="Who acts").locator("label").all()
        return [one.inner_text().splitlines()[-1].strip() for one in several] or [self.acting()]

    def choose_actor(self, who: str) -> None:
        """Show what one of several who act together may do."""
        if self.acting() == who:
            return
        who_acts = self.page.get_by_role("group", name="Who acts")
        who_acts.get_by_role("radio", name=who, exact=True).check(force=True)
        self.offer(who).wait_for()

    def answer_all(self, lucky: Mapping[int, int] | None = None) -> int:
        """Answer until nothing is asked of this browser; how many answers it took."""
        for times in range(FEW):
            if not self.mine().count():
                return times
            self.answer(lucky=lucky)
        raise AssertionError(f"after {FEW} answers: {self.questions().first.inner_text()}")

    # Actions

    def offer(self, who: str) -> Locator:
        return self.page.get_by_role("region", name=f"{who} acts")

    def done(self) -> None:
        """Whoever acts is ready; so is whatever follows from it, until somebody else acts."""
        actor = self.acting()
        with self.change():
            self.offer(actor).get_by_role("button", name="End turn", exact=True).click()
        self.go_on()

    def go_on(self) -> None:
        """Until somebody acts: answer what is asked, and begin the next turn."""
        for _ in range(FEW):
            self.answer_all()
            if self.page.get_by_role("heading", name=re.compile(" acts$")).count():
                return
            with self.change():
                self.page.get_by_role(
                    "button", name=re.compile("^(Next|Roll initiative|Let it pass)")
                ).first.click()
        raise AssertionError("nobody acts")

    def until_acts(self, who: str) -> None:
        """Play on until it is somebody's turn to act."""
        for _ in range(FEW):
            if self.acts(who):
                return
            self.done()
        raise AssertionError(f"{who} never acts")

    def until_attack(self) -> None:
        """Play on until somebody has an attack that a click makes."""
        self.go_on()
        for _ in range(FEW):
            if self.page.locator(".weapon-slot form").count():
                return
            self.done()
        raise AssertionError("nobody attacks")

    def crowd(self, combatant: str, most: int) -> None:
        """Let more of the packs' people join, until there are so many."""
        sides = [("watch", "rats")[number % 2] for number in range(self.people().count(), most)]
        with self.elsewhere() as fight:
            for side in sides:
                said = {"command": "join", "combatant": combatant, "side": side}
                answer = self.page.request.post(f"{fight}/command", form=said)
                assert answer.ok, answer.text()

    @contextmanager
    def elsewhere(self) -> Iterator[str]:
        """While much happens in the fight, at this address: a table that is open would show each of it."""
        there, fight = self.page.url, f"{self.address}{self.fight}"
        self.page.goto("about:blank")
        yield fight
        self.page.goto(there)
        self.expect_live()

    def until_offered(self, action: str) -> str:
        """Play on until somebody may do something; who."""
        self.go_on()
        for _ in range(FEW):
            for who in self.all_acting():
                self.choose_actor(who)
                if self.offered(who, action).count():
                    return who
            self.done()
        raise AssertionError(f"nobody may {action}")

    def offered(self, who: str, action: str) -> Locator:
        """The button of an action, which may lie in a fold."""
        self.all_actions()
        every = self.offer(who).get_by_role("button", name=action, exact=True, include_hidden=True)
        return every.first if every.count() else every

    def all_actions(self) -> None:
        """Open the fold of all actions, if there is one; it fetches them then."""
        fold = self.page.locator("#all-actions")
        if fold.count() and fold.get_attribute("open") is None:
            fold.locator("> summary").click()
        self.page.wait_for_function(
            """() => {
              const fold = document.getElementById("all-actions");
              return !fold || fold.dataset.of === fold.querySelector("[data-of]")?.dataset.of;
            }"""
        )

    def choose(self, who: str, action: str) -> Locator:
        """The form of an action, whose button may lie in a fold."""
        form = self.action_form(who, action)
        if form.count():
            return form
        self.choose_actor(who)
        button = self.offered(who, action)
        inside = self.page.get_by_role("button", name=action, exact=True, include_hidden=True)
        while not button.is_visible():  # folds may lie in one another
            fold = self.offer(who).locator("details:not([open])").filter(has=inside).first
            fold.locator("summary").first.click()
        button.click()
        form.wait_for()
        return form

    def action_form(self, who: str, action: str) -> Locator:
        return self.page.get_by_role("form", name=f"{who}: {action}")

    def act(self, who: str, action: str, **said: str) -> None:
        """Choose an action, say what it asks, and do it. `said`: labels of choices, with ``_`` for blanks."""
        form = self.choose(who, action)
        for label, value in said.items():
            choose(form, label.replace("_", " ").capitalize(), value)
        with self.change():
            form.get_by_role("button", name=action, exact=True).click()

    def unfold(self, who: str) -> Locator:
        """The row of a combatant, opened."""
        person = self.person(who)
        opens = person.get_by_role("button", name=f"Open {who}", exact=True)
        if opens.get_attribute("aria-expanded") == "false":
            opens.click()
        expect(opens).to_have_attribute("aria-expanded", "true")
        return person

    def edit(self, who: str) -> None:
        """Open the form with all that the GM sets of a combatant."""
        self.unfold(who).get_by_role("button", name=f"Edit {who}", exact=True).click()

    def real_dice(self, who: str, real: bool = True) -> None:
        """From now on the dice of a combatant are typed in, or thrown by Fracas."""
        self.edit(who)
        form = self.page.get_by_role("form", name=f"Edit {who}")
        form.get_by_role("switch", name="Real dice").set_checked(real)
        with self.change():
            form.get_by_role("button", name="Set", exact=True).click()

    def target(self, form: Locator) -> Locator:
        """The target that the form of an action has chosen, with its name as text."""
        return form.get_by_role("group", name="Target").locator("label:has(:checked) > span").first

    def set_number(self, label: str, who: str, value: int) -> None:
        """A number of a row: a click, its value, and Enter."""
        field = self.person(who).get_by_label(f"{label} of {who}", exact=True)
        field.click()
        with self.change():
            self.page.keyboard.type(str(value))
            self.page.keyboard.press("Enter")

    def end_fight(self) -> None:
        """End it, which is asked once more."""
        self.page.once("dialog", lambda dialog: dialog.accept())
        with self.page.expect_response("**/command"):
            self.page.get_by_role("button", name="End fight").click()

    # What a page looks like

    def sticks_out(self) -> list[str]:
        """What reaches beyond the right edge of the window, apart from what can be scrolled on its own."""
        found: list[str] = self.page.evaluate(
            """() => [...document.querySelectorAll("body *")]
              .filter((one) => !one.closest(
                ".scroll, .track, .targets, .who-acts, .then, .came-to, svg, pre, .skip, .hush, dialog:not([open])"))
              .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
              .map((one) => one.outerHTML.slice(0, 120))"""
        )
        wide = self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        return found + ([f"{wide} pixels too wide"] if wide > 0 else [])

    def tab_to(self, name: str, most: int = 150) -> None:
        """Press Tab until a button with these words has the focus."""
        passed = []
        for _ in range(most):
            self.page.keyboard.press("Tab")
            passed.append(self.focused())
            if passed[-1].startswith("button ") and name in passed[-1]:
                return
        raise AssertionError(f"{name} is not reached within {most} Tabs: {passed}")

    def focused(self) -> str:
        """What has the focus: its role as people see it, and its words."""
        text: str = self.page.evaluate(
            """() => {
              const one = document.activeElement;
              const label = one.labels?.[0]?.innerText ?? one.getAttribute("aria-label") ?? one.innerText ?? "";
              return one.tagName.toLowerCase() + " " + label.trim().replace(/\\s+/g, " ");
            }"""
        )
        return text


SCREEN: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@contextmanager
def console_of(browser: Browser, address: str, device: dict[str, Any] = SCREEN) -> Iterator[Console]:
    """A console in a fresh profile, which in the end had nothing to complain of."""
    with browser.new_context(**device) as context:
        console = Console(context.new_page(), address)
        yield console
        assert console.complaints == [], console.complaints


def choice(form: Locator, label: str) -> Locator:
    """What one chooses from in a form."""
    return form.get_by_role("combobox", name=label, exact=True)


def choose(form: Locator, label: str, value: str) -> None:
    """Choose one of several answers of a form, which stand side by side or in a list."""
    group = form.get_by_role("group", name=label, exact=True)
    if group.count():
        group.get_by_role("radio", name=value, exact=True).check(force=True)
    else:
        choice(form, label).select_option(label=value)


def faces(asked: str, lucky: Mapping[int, int]) -> str:
    """Dice for what ``Your dice, 5d6 / 1d20`` asks: each as high as it goes, or as `lucky` says for its sides."""
    found = re.search(r"Your dice, (.*)", asked)
    assert found, asked
    throws = re.findall(r"(\d+)d(\d+)", found.group(1))
    return " / ".join(" ".join([str(lucky.get(int(sides), sides))] * int(count)) for count, sides in throws)
