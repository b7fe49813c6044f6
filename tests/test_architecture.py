"""The borders of the house: imports point downwards, and the rules know of nothing but themselves."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SERVER = ROOT / "server"

MAY_IMPORT: dict[str, set[str]] = {
    "postgres": set(),
    "games": set(),
    "log": {"games", "errors", "files"},
    "channels": {"log", "games", "errors"},
    "bots": {"log", "games", "errors"},
    "accounts": {"channels", "log", "games", "errors", "clock"},
    "daily": {"channels", "log", "games", "errors", "clock", "rounds"},
    "rooms": {"channels", "bots", "log", "games", "errors", "clock", "rounds"},
    "web": {
        "rooms",
        "accounts",
        "daily",
        "channels",
        "bots",
        "log",
        "games",
        "errors",
        "clock",
        "settings",
        "files",
        "rounds",
    },
}
"""For each room of server/, the rooms below it. What lies beside them (cli, embedded, ...) may import all."""

BESIDE = {"bench", "commands"}
"""What runs and measures the house; nothing in a room imports it."""

PURE = {
    "__future__", "bisect", "collections", "dataclasses", "enum", "functools", "hashlib",
    "itertools", "math", "re", "typing",
}  # fmt: skip
"""All that the rules may import from the standard library: no I/O, no clock, no randomness."""


def modules(room: str) -> list[Path]:
    return sorted((SERVER / room).rglob("*.py"))


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            assert node.module
            yield node.module
            if node.module == "server":
                yield from (f"server.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("room", sorted(MAY_IMPORT))
def test_imports_point_downwards(room: str) -> None:
    allowed = MAY_IMPORT[room] | {room}
    for path in modules(room):
        for name in imports(path):
            if name.startswith("server."):
                assert name.split(".")[1] in allowed, f"{path.relative_to(ROOT)} imports {name}"


def test_every_room_is_named() -> None:
    rooms = {path.name for path in SERVER.iterdir() if (path / "__init__.py").exists()}
    assert rooms == set(MAY_IMPORT) | BESIDE


def test_rules_are_pure() -> None:
    for path in modules("games"):
        for name in imports(path):
            top = name.split(".")[0]
            assert top in PURE or top == "server", f"{path.relative_to(ROOT)} imports {name}"
