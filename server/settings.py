"""What can be set from outside: flags first, then the environment, then the defaults here."""

import ipaddress
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final, Self
from urllib.parse import SplitResult, urlsplit

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

PREFIX = "HEARTLINE_"

DATABASES: Final = ("postgresql", "postgres", "postgresql+asyncpg")
"""How the URL of a database may begin."""

SAID_OF_A_DATABASE: Final = ("host", "port", "ssl", "sslmode", "passfile", "target_session_attrs")
"""What the URL of a database may say behind its `?`. Certificates have PostgreSQL's own variables."""

PORTS: Final = range(65536)

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class BadSetting(ValueError):  # noqa: N818 — told to the user as it stands
    """A setting that cannot be used, with a sentence that names it."""


def default_data_dir() -> Path:
    """Where an installed `heartline` keeps its data: the XDG data home of the user.

    Raises:
        BadSetting: the user has no home.
    """
    home = os.environ.get("XDG_DATA_HOME")
    try:
        return (Path(home) if home else Path.home() / ".local" / "share") / "heartline"
    except RuntimeError:
        raise BadSetting(f"{PREFIX}DATA_DIR must name a folder: this user has no home.") from None


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
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("must be written in UTF-8.") from None
    return _PARSERS.get(name, str)(text)


def connection_arguments(url: URL) -> Mapping[str, Any]:
    """What the driver makes of the URL of a database: `host`, `port`, `user`, `password`, `database`, `ssl` …

    Several hosts come as lists.

    Raises:
        ArgumentError: a port in it is none.
    """
    dialect = url.set(drivername="postgresql+asyncpg").get_dialect()()
    _, named = dialect.create_connect_args(url)
    return named


def _port(text: str) -> int:
    return _whole_number(text, PORTS[-1])


def _whole_number(text: str, most: int) -> int:
    if not (text.isascii() and text.isdigit()) or len(text) > len(str(most)) or int(text) > most:
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
    parts = _split(text, "https://cards.example", "http", "https")
    if parts.path.strip("/") or parts.query or parts.fragment or parts.username is not None:
        raise ValueError("must be an address without a path, as in https://cards.example.")
    return f"{parts.scheme}://{parts.netloc}"


def _nats_url(text: str) -> str:
    _split(text, "nats://host:4222", "nats", "tls", "ws", "wss")
    return text


def _split(text: str, example: str, *schemes: str) -> SplitResult:
    """The parts of an address that names a host, and a port if it names one."""
    try:
        parts = urlsplit(text)
        if parts.scheme in schemes and parts.hostname and (parts.port is None or parts.port in PORTS):
            return parts
    except ValueError:
        pass
    raise ValueError(f"must be an address such as {example}.")


def _database_url(text: str) -> str:
    try:
        url = make_url(text)
        ports = connection_arguments(url).get("port", [])
        if url.drivername not in DATABASES or not _are_ports(ports if isinstance(ports, list) else [ports]):
            raise ValueError
    except (ArgumentError, ValueError):
        raise ValueError("must be an address such as postgresql://user@host:5432/name.") from None
    said = dict(url.query)
    repeated = {name for name, value in said.items() if not isinstance(value, str)}
    if not said.keys() <= set(SAID_OF_A_DATABASE) or not repeated <= {"host"}:
        names = ", ".join(SAID_OF_A_DATABASE)
        raise ValueError(f"must say nothing behind its ? but, once each, {names}.")
    if "sslmode" not in said:
        return text
    # PostgreSQL's word for what the driver calls ssl.
    said["ssl"] = said.pop("sslmode")
    return url.set(query=said).render_as_string(hide_password=False)


def _are_ports(numbers: list[int]) -> bool:
    return all(number in PORTS for number in numbers)


def _folder(text: str) -> Path:
    if not text:
        raise ValueError("must name a folder.")
    try:
        return Path(text).expanduser().absolute()
    except RuntimeError:
        raise ValueError("must name a folder: there is no such user.") from None


_PARSERS: dict[str, Callable[[str], object]] = {
    "database_url": _database_url,
    "nats_url": _nats_url,
    "port": _port,
    "data_dir": _folder,
    "public_url": _origin,
    "trusted_proxies": _networks,
    "rate_limits": _switch,
    "bot_pace_ms": lambda text: _whole_number(text, 60_000),
}
