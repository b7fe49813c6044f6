"""Figures of this node for Prometheus."""

from time import perf_counter
from typing import Final

from aiohttp import web
from aiohttp.typedefs import Handler
from prometheus_client import CollectorRegistry, Gauge, Histogram, ProcessCollector, generate_latest

from server.web.endpoint import Routes

SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
"""Where histograms of times are cut."""

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
        ProcessCollector(registry=self.registry)

    def on_commit(self, commands: int, seconds: float) -> None:
        """Counts a commit of the log."""
        self.commits.observe(seconds)
        self.committed.observe(commands)


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
