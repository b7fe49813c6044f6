"""The name of a device, as its owner would know it, out of what its browser says of itself."""

import re

UNKNOWN = "Unknown device"

_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
"""Mark and name; the first that fits counts, since browsers name each other too."""

_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Macintosh", "Mac"),
    ("Linux", "Linux"),
)

_PRODUCT = re.compile(r"[A-Za-z][\w.-]{1,39}", re.ASCII)


def describe(user_agent: str | None) -> str:
    """A few words such as `Firefox on Linux`, or the name of the program. Never text that is not plain."""
    text = user_agent or ""
    browser = next((name for mark, name in _BROWSERS if mark in text), None)
    system = next((name for mark, name in _SYSTEMS if mark in text), None)
    if browser:
        return f"{browser} on {system}" if system else browser
    product = _PRODUCT.match(text)
    return product[0] if product else UNKNOWN
