"""On every page and window: axe finds nothing to mend, no English is left elsewhere, nothing is cut off."""

from typing import Any

import pytest
from axe_playwright_python.async_playwright import Axe

from tests.client.conftest import VIEWERS, Devices, assert_no_sideways
from tests.client.places import everywhere
from tests.client.test_languages import count_said

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.parametrize("viewer", VIEWERS, ids=lambda viewer: viewer["locale"])
async def test_everywhere(device: Devices, viewer: dict[str, Any]) -> None:
    here = await device(**viewer)
    seen = 0
    async for name, page in everywhere(here):
        results = await Axe().run(page)
        assert not results.response["violations"], f"{name}:\n{results.generate_report()}"
        await assert_no_sideways(page, name)
        seen += await count_said(page, name, viewer["locale"][:2])
    assert seen > 500
