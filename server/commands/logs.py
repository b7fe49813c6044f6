"""Where the log goes, and what it looks like: lines for people at a terminal, JSON for machines.

However an error comes into it, it is told without the values that the database quotes: those are seeds, cards
and hashes.
"""

import logging
import re
import sys
import traceback
from collections.abc import Iterator
from types import TracebackType
from typing import Final, TextIO

import asyncpg
import structlog
from aiohttp.http import HttpProcessingError
from sqlalchemy.dialects.postgresql.asyncpg import AsyncAdapt_asyncpg_dbapi
from sqlalchemy.exc import StatementError
from structlog.typing import EventDict, ExcInfo, Processor, WrappedLogger

from server.log.database import fault

_OF_THE_DATABASE: Final = (
    StatementError,
    AsyncAdapt_asyncpg_dbapi.Error,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
)
"""Errors whose words may quote values: SQLAlchemy's, of its layer below, of the server, of the driver."""

_VALUES: Final = re.compile(r" ?[(<]")
"""Where asyncio begins to quote objects."""


def configure_logs(stream: TextIO, level: int) -> None:
    """Sends everything of `level` and above, from us and from libraries, to one stream."""
    shared: list[Processor] = [
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    last: list[Processor] = [_without_objects, structlog.processors.ExceptionRenderer(_of_log)]
    if stream.isatty():
        # It leaves what is rendered already as it is, and its own way of showing errors shows variables.
        last.append(structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback))
    else:
        last.append(structlog.processors.JSONRenderer())
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
        )
    )
    logging.basicConfig(handlers=[handler], level=level, force=True)
    logging.getLogger("aiohttp.server").addFilter(_is_no_noise)
    # Alembic tells of each step that it looks at; what it did, `migrate` says.
    logging.getLogger("alembic").setLevel(max(level, logging.WARNING))
    sys.excepthook = _at_the_end


def told(error: BaseException) -> str:
    """An error and those that led to it, as Python prints them; of the database's, only what they broke."""
    return "".join(_told(error)).rstrip("\n")


def _told(error: BaseException) -> Iterator[str]:
    if error.__cause__ is not None:
        yield from _told(error.__cause__)
        yield "\nThe above exception was the direct cause of the following exception:\n\n"
    elif error.__context__ is not None and not error.__suppress_context__:
        yield from _told(error.__context__)
        yield "\nDuring handling of the above exception, another exception occurred:\n\n"
    yield "Traceback (most recent call last):\n"
    yield from traceback.format_tb(error.__traceback__)
    if isinstance(error, _OF_THE_DATABASE):
        yield f"{type(error).__module__}.{type(error).__qualname__}: {fault(error)}\n"
    else:
        yield from traceback.format_exception_only(error)
    if isinstance(error, BaseExceptionGroup):
        for each in error.exceptions:
            yield from _told(each)


def _of_log(exc_info: ExcInfo) -> str:
    return told(exc_info[1])


def _at_the_end(_kind: type[BaseException], error: BaseException, _trace: TracebackType | None) -> None:
    """Tells an error that nobody caught, which Python would print whole."""
    print(told(error), file=sys.stderr)


def _without_objects(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Leaves out what asyncio adds to an error: the objects it came up in, with all that is in them."""
    if event.get("logger") == "asyncio":
        said, _, objects = event["event"].partition("\n")
        event["event"] = _VALUES.split(said)[0] if objects else said
    return event


def _is_no_noise(record: logging.LogRecord) -> bool:
    """Keeps out what aiohttp logs as an error of its own when a stranger speaks no proper HTTP."""
    problem = record.exc_info[1] if record.exc_info else None
    return not isinstance(problem, HttpProcessingError)
