"""On every page and window: axe finds nothing to mend, and no English is left in the other languages."""

from typing import Literal

import pytest
from axe_playwright_python.async_playwright import Axe

from tests.client.conftest import Devices
from tests.client.places import everywhere
from tests.client.test_languages import count_said

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.parametrize(
    ("locale", "scheme", "width", "height"), [("th", "light", 1280, 800), ("vi", "dark", 360, 740)]
)
async def test_everywhere(
    device: Devices, locale: str, scheme: Literal["light", "dark"], width: int, height: int
) -> None:
    here = await device(
        locale=f"{locale}-{locale.upper()}",
        color_scheme=scheme,
        viewport={"width": width, "height": height},
    )
    seen = 0
    async for name, page in everywhere(here):
        results = await Axe().run(page)
        assert not results.response["violations"], f"{name}:\n{results.generate_report()}"
        seen += await count_said(page, name, locale)
    assert seen > 500
