"""Figures of this node for Prometheus."""

import asyncio
from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import Final, get_args

from aiohttp import web
from aiohttp.typedefs import Handler
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)

from server.errors import Code, Refused
from server.rooms.position import Command, PlayerCommand, Position
from server.web.endpoint import Routes

SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
"""Where histograms of times are cut."""

OK: Final = "ok"
FAILED: Final = "failed"
"""What becomes of a command, if it is not refused: then it is the code of the refusal."""

routes = Routes()


class Metrics:
    """The instruments of one application, in a registry of its own."""

    def __init__(self) -> None:
        self.registry: Final = CollectorRegistry()
        self.requests: Final = Histogram(
            "heartline_http_request_seconds",
            "Time to answer an HTTP request",
            ("method", "route", "status"),
            buckets=SECONDS,
            registry=self.registry,
        )
        self.sockets: Final = Gauge("heartline_sockets", "Open WebSockets", registry=self.registry)
        self.commands: Final = Histogram(
            "heartline_command_seconds",
            "Time to carry out a command to a game, or to refuse it; those of bots are not among them",
            ("command", "outcome"),
            buckets=SECONDS,
            registry=self.registry,
        )
        # To find a child by its labels would take longer than to observe.
        self._by_outcome: dict[tuple[type[Command], str], Histogram] = {}
        for kind in get_args(PlayerCommand):
            # There from the start: of a figure that is not, the first rise cannot be seen.
            for outcome in (OK, FAILED, Code.UNAVAILABLE.value):
                self._bind(kind, outcome)
        self.thoughts: Final = Gauge(
            "heartline_bot_thoughts", "Moves that bots are thinking about", registry=self.registry
        )
        self.thinking: Final = Histogram(
            "heartline_bot_seconds",
            "Time to a bot's move, waiting for a free core included",
            ("level",),
            buckets=SECONDS,
            registry=self.registry,
        )
        self.commits: Final = Histogram(
            "heartline_commit_seconds",
            "Time of a commit of the log, in which commands leave together",
            buckets=SECONDS,
            registry=self.registry,
        )
        self.committed: Final = Histogram(
            "heartline_commit_commands",
            "Commands in a commit of the log",
            buckets=(1, 2, 5, 10, 20, 50, 100, 200, 500),
            registry=self.registry,
        )
        self.commit_failures: Final = Counter(
            "heartline_commit_failures_total",
            "Attempts to commit that failed; most are made again",
            registry=self.registry,
        )
        ProcessCollector(registry=self.registry)

    def on_commit(self, commands: int, seconds: float, succeeded: bool) -> None:
        """Counts an attempt to commit to the log."""
        if not succeeded:
            self.commit_failures.inc()
            return
        self.commits.observe(seconds)
        self.committed.observe(commands)

    def on_command(self, command: Command) -> Callable[[asyncio.Future[Position]], None]:
        """Takes the time from now on until what it answers is called."""
        return partial(self._done, type(command), perf_counter())

    def _done(self, kind: type[Command], came: float, done: asyncio.Future[Position]) -> None:
        """Counts a command by what has become of it, unless nobody has waited for that."""
        if done.cancelled():
            return
        outcome = outcome_of(done.exception())
        child = self._by_outcome.get((kind, outcome)) or self._bind(kind, outcome)
        child.observe(perf_counter() - came)

    def watch_nats(self, connected: Callable[[], bool]) -> None:
        """Shows whether the node hears from others. One that is alone has no such figure."""
        gauge = Gauge("heartline_nats_connected", "1 while NATS can be reached", registry=self.registry)
        gauge.set_function(connected)

    def _bind(self, kind: type[Command], outcome: str) -> Histogram:
        child = self._by_outcome[kind, outcome] = self.commands.labels(kind.__name__.lower(), outcome)
        return child


def outcome_of(problem: BaseException | None) -> str:
    """How a command that has come to this is counted."""
    if problem is None:
        return OK
    return problem.code.value if isinstance(problem, Refused) else FAILED


METRICS = web.AppKey("metrics", Metrics)


@web.middleware
async def timed(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Times every answer. A WebSocket is none: it lasts as long as its reader likes."""
    start = perf_counter()
    answer = await handler(request)
    if not isinstance(answer, web.WebSocketResponse):
        resource = request.match_info.route.resource
        # Nobody shall add a series by asking for what is not there.
        method, route = ("none", "none") if resource is None else (request.method, resource.canonical)
        request.app[METRICS].requests.labels(method, route, answer.status).observe(perf_counter() - start)
    return answer


@routes.get("/metrics", {200: "text/plain"})
async def metrics(request: web.Request) -> web.Response:
    """Gives the figures of this node."""
    figures = generate_latest(request.app[METRICS].registry)
    return web.Response(body=figures, headers={"Content-Type": "text/plain; version=0.0.4; charset=utf-8"})
