"""What can be set from outside: flags first, then the environment, then the defaults here."""

import ipaddress
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

PREFIX = "HEARTLINE_"

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class BadSetting(ValueError):  # noqa: N818 — told to the user as it stands
    """A setting that cannot be used, with a sentence that names it."""


def default_data_dir() -> Path:
    """Where an installed `heartline` keeps its data: the XDG data home of the user."""
    home = os.environ.get("XDG_DATA_HOME")
    return (Path(home) if home else Path.home() / ".local" / "share") / "heartline"


@dataclass(frozen=True, kw_only=True)
class Settings:
    """All settings of a node. Secrets stay out of its `repr`."""

    database_url: str | None = field(default=None, repr=False)
    """A PostgreSQL of one's own. None: the embedded one, in `data_dir`."""
    nats_url: str | None = field(default=None, repr=False)
    """The NATS server that joins several nodes. None: this node is alone."""
    secret: str | None = field(default=None, repr=False)
    """Deals the days. None: the one that the database made for itself."""
    host: str = "127.0.0.1"
    port: int = 8080
    """Port to listen on; 0 takes a free one."""
    data_dir: Path = field(default_factory=default_data_dir)
    public_url: str | None = None
    """The address in players' browsers, e.g. `https://cards.example`, when a proxy stands in front."""
    trusted_proxies: tuple[Network, ...] = ()
    """Forwarded headers count only when they come from here."""
    rate_limits: bool = True
    bot_pace_ms: int = 700
    """How long a bot seems to think."""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ, **overrides: Any) -> Self:
        """The settings of the environment; an override (a flag, already parsed) counts unless it is None.

        Raises:
            BadSetting: a value that cannot be used.
        """
        values: dict[str, Any] = {}
        for name in (each.name for each in fields(cls)):
            if text := environment.get(PREFIX + name.upper(), "").strip():
                try:
                    values[name] = parse(name, text)
                except ValueError as error:
                    raise BadSetting(f"{PREFIX}{name.upper()} {error}") from None
        values |= {name: value for name, value in overrides.items() if value is not None}
        return cls(**values)


def parse(name: str, text: str) -> object:
    """The value of a setting from its text.

    Raises:
        ValueError: it cannot be used. The message continues a sentence that begins with the setting's name,
            and leaves the value out, which may hold a password.
    """
    return _PARSERS.get(name, str)(text)


def _port(text: str) -> int:
    return _whole_number(text, 65535)


def _whole_number(text: str, most: int) -> int:
    if not (text.isascii() and text.isdigit()) or int(text) > most:
        raise ValueError(f"must be a whole number from 0 to {most}.")
    return int(text)


def _switch(text: str) -> bool:
    match text.lower():
        case "on" | "true" | "yes" | "1":
            return True
        case "off" | "false" | "no" | "0":
            return False
    raise ValueError("must be on or off.")


def _networks(text: str) -> tuple[Network, ...]:
    try:
        return tuple(ipaddress.ip_network(each, strict=False) for each in text.replace(",", " ").split())
    except ValueError:
        raise ValueError("must be addresses or networks with commas between, as in 10.0.0.0/8.") from None


def _origin(text: str) -> str:
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/") or parts.query:
        raise ValueError("must be an address without a path, as in https://cards.example.")
    return f"{parts.scheme}://{parts.netloc}"


def _url(*schemes: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if urlsplit(text).scheme not in schemes:
            raise ValueError(f"must begin with {schemes[0]}://.")
        return text

    return parse


def _folder(text: str) -> Path:
    return Path(text).expanduser().absolute()


_PARSERS: dict[str, Callable[[str], object]] = {
    "database_url": _url("postgresql", "postgres", "postgresql+asyncpg"),
    "nats_url": _url("nats", "tls", "ws", "wss"),
    "port": _port,
    "data_dir": _folder,
    "public_url": _origin,
    "trusted_proxies": _networks,
    "rate_limits": _switch,
    "bot_pace_ms": lambda text: _whole_number(text, 60_000),
}
