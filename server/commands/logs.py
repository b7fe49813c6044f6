"""Where the log goes, and what it looks like: lines for people at a terminal, JSON for machines."""

import logging
from typing import TextIO

import structlog
from aiohttp.http import HttpProcessingError
from structlog.typing import Processor


def configure_logs(stream: TextIO, level: int) -> None:
    """Sends everything of `level` and above, from us and from libraries, to one stream."""
    shared: list[Processor] = [
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    if stream.isatty():
        # Plain: a traceback that shows variables shows seeds.
        plain = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
        last: list[Processor] = [plain]
    else:
        last = [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
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


def _is_no_noise(record: logging.LogRecord) -> bool:
    """Keeps out what aiohttp logs as an error of its own when a stranger speaks no proper HTTP."""
    problem = record.exc_info[1] if record.exc_info else None
    return not isinstance(problem, HttpProcessingError)
