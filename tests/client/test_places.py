"""On every page and window: axe finds nothing to mend, no English is left elsewhere, nothing is cut off."""

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.async_api import Page

from tests.client.conftest import VIEWERS, Device, Devices, assert_no_sideways
from tests.client.places import of_games, of_people
from tests.client.test_languages import count_said

pytestmark = pytest.mark.asyncio(loop_scope="session")


VIOLATIONS = """() => axe.run({ resultTypes: ["violations"] }).then(({ violations }) =>
  violations.map(({ id, help, nodes }) => [id, help, ...nodes.map(node => node.html)]))"""


async def violations(page: Page) -> list[list[str]]:
    """What axe finds: of each rule its name, what it asks for, and the elements that break it."""
    # Half a megabyte, which each document needs once; and only what is wrong comes back.
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(AXE_SCRIPT)
    found: list[list[str]] = await page.evaluate(VIOLATIONS)
    return found


@pytest.mark.parametrize("places", [of_games, of_people])
@pytest.mark.parametrize("viewer", VIEWERS, ids=lambda viewer: viewer["locale"])
async def test_everywhere(
    device: Devices, viewer: dict[str, Any], places: Callable[[Device], AsyncIterator[tuple[str, Page]]]
) -> None:
    here = await device(**viewer)
    seen = 0
    async for name, page in places(here):
        assert await violations(page) == [], name
        await assert_no_sideways(page, name)
        seen += await count_said(page, name, viewer["locale"][:2])
    assert seen > 250
