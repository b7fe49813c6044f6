"""Where the files lie that belong to the server and are no modules of it."""

from pathlib import Path

_PACKAGE = Path(__file__).parent


def folder(name: str) -> Path:
    """The folder `client` or `migrations`: in an installed package inside it, in the project beside it."""
    inside = _PACKAGE / name
    return inside if inside.is_dir() else _PACKAGE.parent / name
