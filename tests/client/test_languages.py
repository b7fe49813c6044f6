"""Three languages, whole: the same keys, and the language that somebody reads or chooses."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect

from server.errors import Code
from server.games.errors import Reason
from tests.client.conftest import Devices, board

LOCALES = Path(__file__).parents[2] / "client" / "locales"

Catalogue = dict[str, Any]


def catalogue(locale: str) -> Catalogue:
    loaded: Catalogue = json.loads((LOCALES / f"{locale}.json").read_text())
    return loaded


def texts(message: Any) -> list[str]:
    return [message] if isinstance(message, str) else list(message.values())


@pytest.mark.parametrize("locale", ["th", "vi"])
def test_the_catalogues_have_the_same_keys_and_values(locale: str) -> None:
    english, other = catalogue("en"), catalogue(locale)
    assert list(other) == list(english)
    for key, message in english.items():
        names = {name for text in texts(message) for name in re.findall(r"\{\w+\}", text)}
        for text in texts(other[key]):
            assert set(re.findall(r"\{\w+\}", text)) == names, key
        assert isinstance(message, str) or set(other[key]) == {"other"}, key


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize(
    ("locale", "line"),
    [("en", "An 1, Bo 2, and Di 3"), ("th", "An 1, Bo 2 และ Di 3"), ("vi", "An 1, Bo 2 và Di 3")],
)
async def test_names_in_a_line_stand_apart(device: Devices, locale: str, line: str) -> None:
    page = await (await device()).open("/rules/hearts")
    assert line == await page.evaluate(
        """async locale => {
          const { list, speak } = await import("/client/src/i18n.js");
          await speak(locale);
          return list(["An 1", "Bo 2", "Di 3"]);
        }""",
        locale,
    )


def test_every_code_and_reason_has_words() -> None:
    english = catalogue("en")
    # The last is what a server says that has made a mistake of its own.
    assert {f"error.{code}" for code in (*Code, "internal")} <= set(english)
    assert {f"reason.{reason}" for reason in Reason} <= set(english)


def test_every_message_is_used() -> None:
    source = "\n".join(path.read_text() for path in (LOCALES.parent / "src").rglob("*.js"))
    families = set(re.findall(r"`([\w.]*[._])\$\{", source))
    for key in catalogue("en"):
        assert f'"{key}"' in source or any(key.startswith(family) for family in families), key


WORDS = """() => {
  const said = [document.title];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    if (!walker.currentNode.parentElement.closest("noscript, [lang]:not(html)")) {
      said.push(walker.currentNode.nodeValue);
    }
  }
  for (const name of ["aria-label", "title", "placeholder", "aria-valuetext"]) {
    for (const element of document.querySelectorAll(`[${name}]`)) said.push(element.getAttribute(name));
  }
  return said.map(each => each.trim()).filter(each => each);
}"""

NAMES = re.compile(
    r"https?://\S+|/daily/\S+|Heart(line|s| to Heart)|HH1-[ND]-\w*|Guest-\w+|Enter|Esc|Chrome · Linux|"
    r"\b[0-9A-Z]{4}-[0-9A-Z]{4}\b"
)
"""What is the same in every language: names, addresses, codes, keys."""


async def count_said(page: Page, where: str, locale: str, names: re.Pattern[str] = NAMES) -> int:
    """How many texts a page has, each of them in this language. `names` are the same in every language."""
    english, own = catalogue("en"), catalogue(locale)
    foreign = {text for key in english for text in texts(english[key])} - {
        text for key in own for text in texts(own[key])
    }
    await expect(page.locator("html")).to_have_attribute("lang", locale)
    said: list[str] = await page.evaluate(WORDS)
    for each in said:
        assert each not in foreign, f"{where}: {each}"
        assert each not in english, f"{where}: the key {each}"
        if locale == "th":
            assert not re.search(r"[A-Za-z]{3,}", names.sub("", each)), f"{where}: {each}"
    return len(said)


@pytest.mark.asyncio(loop_scope="session")
async def test_the_language_is_the_browsers_until_it_is_chosen(device: Devices) -> None:
    here = await device(locale="vi-VN")
    page = await here.open(f"/games/{await here.game()}")
    await expect(page.locator("[data-pos='25']")).to_have_accessible_name("4 cơ, hàng 7, tự do")
    await choose(page, "ไทย")
    await expect(page.locator("[data-pos='25']")).to_have_accessible_name("4 โพแดง แถว 7 เล่นได้")
    await expect(page.locator("html")).to_have_attribute("lang", "th")
    await page.reload()
    await expect(board(page)).to_have_attribute("data-revision", "0")
    await expect(page.locator("html")).to_have_attribute("lang", "th")


@pytest.mark.asyncio(loop_scope="session")
async def test_a_language_that_we_have_not_gets_english(device: Devices) -> None:
    here = await device(locale="fr-FR")
    page = await here.open()
    await expect(page.locator("html")).to_have_attribute("lang", "en")


async def choose(page: Page, language: str) -> None:
    await page.locator(".controls .control").last.click()
    await page.get_by_role("radio", name=language).check()
    await page.keyboard.press("Escape")
