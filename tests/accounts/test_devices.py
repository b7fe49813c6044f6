"""What a device is called in the list of devices."""

import pytest

from server.accounts.devices import UNKNOWN, describe

WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)"


@pytest.mark.parametrize(
    ("user_agent", "device"),
    [
        (f"Mozilla/5.0 (X11; Linux x86_64) {WEBKIT} Chrome/131.0.0.0 Safari/537.36", "Chrome on Linux"),
        (f"Mozilla/5.0 (Linux; Android 14) {WEBKIT} Chrome/131.0 Mobile Safari/537.36", "Chrome on Android"),
        (f"Mozilla/5.0 (Windows NT 10.0) {WEBKIT} Chrome/131.0 Safari/537.36 Edg/131.0", "Edge on Windows"),
        (
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 14.7; rv:133.0) Gecko/20100101 Firefox/133.0",
            "Firefox on Mac",
        ),
        (f"Mozilla/5.0 (iPhone; CPU iPhone OS 17_5) {WEBKIT} Version/17.5 Safari/604.1", "Safari on iPhone"),
        (f"Mozilla/5.0 (iPad; CPU OS 17_5) {WEBKIT} CriOS/131.0 Safari/604.1", "Chrome on iPad"),
        ("Python/3.11 aiohttp/3.12", "Python"),
        ("curl/8.5.0", "curl"),
        (None, UNKNOWN),
        ("", UNKNOWN),
        ("<script>alert(1)</script>", UNKNOWN),
        ("ก" * 5000, UNKNOWN),
        ("x" * 5000, "x" * 40),
    ],
)
def test_device(user_agent: str | None, device: str) -> None:
    assert describe(user_agent) == device
