"""The moving picture of the README: ``python scripts/moving_picture.py FILE``.

Puts an attack together in the console, in Chromium, and writes what the GM sees as an animated GIF: the odds as each
fact is entered, the question in between, the result. A service of its own rolls the dice; attacks that miss are not
shown, so one run in a few takes a second attempt.
"""

from __future__ import annotations

import io
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont
from playwright.sync_api import Browser, Locator, Page, ViewportSize, sync_playwright
from take_pictures import AT_REST, SECONDS, aimed, begun, sends, service, settled

WIDE: ViewportSize = {"width": 1080, "height": 900}
NARROW: ViewportSize = {"width": 715, "height": 900}
"""The console's two layouts; in the narrow one a result is as wide as the page."""
SIZE = (1032, 600)
"""Pixels of the picture, with its caption."""
CAPTION = 46
GAP = 16
COLORS = 128
GROUND, BAR, WORDS, MARKED = "#f6f5f1", "#26221f", "#ffffff", "#ffe3a3"
ATTEMPTS = 20
TRIMMED = """form.action-form details.more, #odds .row-of, #odds figcaption, #odds p, #odds dl.sums { display: none }
#odds .chart svg { max-height: 11rem }"""
"""What the attack does not need is left out of the picture, so that the lines of the pool are in it."""


class Frame(NamedTuple):
    caption: str
    parts: tuple[Image.Image, ...]
    seconds: float


def frames(browser: Browser, address: str) -> list[Frame]:
    """An attack that hits, from the empty form to the wounds of the target."""
    for _ in range(ATTEMPTS):
        # Without its security policy the page takes the style that trims it.
        with browser.new_context(viewport=WIDE, reduced_motion="reduce", bypass_csp=True) as context:
            page = context.new_page()
            page.set_default_timeout(SECONDS * 1000)
            begun(page, address)
            taken = _aiming(page)
            sends(page, page.locator("form.action-form button.main"))
            settled(page)
            if page.locator(".result.hit, .result.down").count():
                return [*taken, _result(page)]
    raise SystemExit(f"none of {ATTEMPTS} attacks hit")


def _aiming(page: Page) -> list[Frame]:
    aimed(page)
    page.add_style_tag(content=TRIMMED)
    page.locator("#say-situation-distance").fill("4")
    _odds_follow(page, lambda: page.locator("#say-situation-distance").press("Tab"))
    page.evaluate(UNFOCUS)
    form = page.locator("form.action-form")
    actor = form.locator("h2, h3").first.inner_text().partition(":")[0]
    taken = [Frame(f"{actor} fires at Guard 1 from 4 m: {_chance(page)} to hit", (_picture(form),), 2.4)]

    distance = page.locator("#say-situation-distance")
    _odds_follow(page, lambda: distance.fill("30"))
    _mark(page, distance, "Long range")
    caption = f"From 30 m it is long range: {_chance(page)}"
    taken.append(Frame(caption, (_picture(form),), 2.6))

    cover = page.locator("input[name='situation.target.cover'][value='good']")
    _odds_follow(page, lambda: cover.evaluate(CHOOSE))
    _mark(page, None, "Target in good cover")
    caption = f"Guard 1 is in good cover: {_chance(page)}. Each modifier is listed"
    return [*taken, Frame(caption, (_picture(form),), 3.2)]


UNFOCUS = "document.activeElement.blur()"
CHOOSE = """field => {
    field.checked = true;
    field.dispatchEvent(new Event('change', {bubbles: true}));
}"""


def _result(page: Page) -> Frame:
    page.set_viewport_size(NARROW)
    card = page.locator(".result").first
    card.locator("#reasons summary").click()
    caption = "A hit: every die, every number with its parts, and the wounds of Guard 1"
    return Frame(caption, (_picture(card),), 5)


def _odds_follow(page: Page, change: Callable[[], object]) -> None:
    """Make a change, and wait for the odds that it leads to."""
    with page.expect_response(lambda response: response.url.endswith("/odds")):
        change()
    page.wait_for_timeout(300)


def _chance(page: Page) -> str:
    shown = page.locator(".odds-top div", has_text="Chance to hit").locator("dd").inner_text()
    return shown.replace(" %", "%")


def _mark(page: Page, field: Locator | None, row: str) -> None:
    page.evaluate(UNFOCUS)
    page.evaluate("document.querySelectorAll('[data-marked]').forEach(one => one.style.background = '')")
    paint = f"one => {{ one.style.background = '{MARKED}'; one.dataset.marked = ''; }}"
    for place in (field, page.locator("table.mods tr", has_text=row).first):
        if place is not None:
            place.evaluate(paint)


def _picture(part: Locator) -> Image.Image:
    part.page.mouse.move(0, 0)
    return Image.open(io.BytesIO(part.screenshot(**AT_REST))).convert("RGB")


def _drawn(frame: Frame) -> Image.Image:
    """The caption, and the parts beside each other, or below each other; what does not fit is cut off at the bottom."""
    image = Image.new("RGB", SIZE, GROUND)
    width = sum(part.width + GAP for part in frame.parts) - GAP
    beside = width <= SIZE[0]
    right = (SIZE[0] - width) // 2 if beside else 0
    below = CAPTION + GAP if len(frame.parts) > 1 else CAPTION
    for part in frame.parts:
        image.paste(part, (right, below))
        right, below = (right + part.width + GAP, below) if beside else (0, below + part.height + GAP)
    pen = ImageDraw.Draw(image)
    pen.rectangle((0, 0, SIZE[0], CAPTION - 1), fill=BAR)
    pen.text((GAP, CAPTION // 2), frame.caption, fill=WORDS, anchor="lm", font=ImageFont.load_default(22))
    return image


def written(shown: list[Frame], file: Path) -> None:
    """One palette for all of them, so that what stays the same costs nothing."""
    images = [_drawn(frame) for frame in shown]
    strip = Image.new("RGB", (SIZE[0], SIZE[1] * len(images)))
    for number, image in enumerate(images):
        strip.paste(image, (0, SIZE[1] * number))
    palette = strip.quantize(COLORS, method=Image.Quantize.MEDIANCUT)
    first, *more = (image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images)
    first.save(
        file,
        save_all=True,
        append_images=more,
        duration=[int(frame.seconds * 1000) for frame in shown],
        loop=0,
        optimize=True,
    )


def main(file: Path) -> None:
    program = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    with (
        tempfile.TemporaryDirectory() as kept,
        service(Path(kept)) as address,
        sync_playwright() as playwright,
        playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-gpu"]
        ) as browser,
    ):
        written(frames(browser, address), file)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
