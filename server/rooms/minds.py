"""Where bots think: in other processes, so that no thought holds up the event loop."""

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Final

import structlog

from server import bots
from server.games.game import View
from server.games.hearts.options import PASSED
from server.rooms.questions import Decision, Question
from server.rooms.thinker import Context, Fault, begin, fault_of, think

BUDGET_S: Final = 2.0
"""How long a bot may think about one move. The strongest takes a tenth of it."""

# One core is left to the event loop.
_CORES: Final = max(1, (os.cpu_count() or 1) - 1)

LINE: Final = 8
"""How many thoughts may wait or be under way for each core. A longer line would have people wait for bots."""

_ATTEMPTS: Final = 3
"""How often a thought is begun whose process dies."""

_logger: structlog.stdlib.BoundLogger = structlog.get_logger("heartline.bots")


class Minds:
    """Answers with moves. It starts its processes when they are first needed, and replaces those that die."""

    def __init__(
        self,
        observe: Callable[[str, float], None] = lambda _level, _seconds: None,
        *,
        budget_s: float = BUDGET_S,
    ) -> None:
        """`observe` is told how many seconds a bot of a level took, waiting for a free core included."""
        self._observe = observe
        self._budget_s = budget_s
        self._thoughts: dict[Decision, asyncio.Task[str]] = {}
        self._pool: _Pool | None = None

    @property
    def under_way(self) -> int:
        """How many thoughts are being thought or wait for that."""
        return len(self._thoughts)

    async def choose(self, decision: Decision, question: Question) -> str:
        """The bot's move; one by rules of thumb when the bot fails, so that no table is ever stuck.

        By rules of thumb also while more think than the cores have time for. Who asks again for what is being
        thought about gets the same answer. A thought goes on when nobody waits for it any more.
        """
        thought = self._thoughts.get(decision)
        if thought is None:
            if len(self._thoughts) >= LINE * _CORES:
                return _by_rule(question)
            thought = self._thoughts[decision] = asyncio.create_task(self._choose(decision, question))
            thought.add_done_callback(lambda _: self._thoughts.pop(decision))
        return await asyncio.shield(thought)

    async def close(self) -> None:
        """Gives up all thoughts, and the processes with them. Who waits for one is cancelled."""
        thoughts = tuple(self._thoughts.values())
        for each in thoughts:
            each.cancel()
        if thoughts:
            await asyncio.wait(thoughts)
        if self._pool is not None:
            self._pool.end()
            # Else Python, at its own end, would meet the pool in the midst of its.
            await asyncio.to_thread(self._pool.executor.shutdown)
            self._pool = None

    async def _choose(self, decision: Decision, question: Question) -> str:
        loop = asyncio.get_running_loop()
        begun = loop.time()
        try:
            answer = await self._think(question)
        except Exception as error:
            answer = fault_of(error)
        self._observe(question.level, loop.time() - begun)
        if isinstance(answer, str) and not _is_legal(question.views[-1], answer):
            answer = Fault("illegal move", "")
        if isinstance(answer, Fault):
            _logger.error("bot failed", **decision._asdict(), kind=answer.kind, where=answer.where)
            answer = _by_rule(question)
        return answer

    async def _think(self, question: Question) -> str | Fault:
        loop = asyncio.get_running_loop()
        attempt = 1
        while True:
            pool = self._pool = self._pool or _Pool()
            try:
                thought = loop.run_in_executor(pool.executor, think, *question, self._budget_s)
                # Shielded: a pool that breaks trips over thoughts that were called off.
                return await asyncio.shield(thought)
            except BrokenProcessPool:
                _logger.error("a process of bots has died", attempt=attempt)
                pool.end()
                if self._pool is pool:
                    self._pool = None
                if attempt == _ATTEMPTS:
                    raise
                attempt += 1


class _Pool:
    """Processes, and the line on which their lives hang: they end when this end of it is closed."""

    def __init__(self) -> None:
        context = Context()
        life, self._life = context.Pipe(duplex=False)
        self.executor = ProcessPoolExecutor(_CORES, context, begin, (life,))

    def end(self) -> None:
        self._life.close()
        self.executor.shutdown(wait=False, cancel_futures=True)


def _is_legal(view: View, move: str) -> bool:
    if view["status"] != "passing":
        return move in view["legal"]
    word, *cards = move.split(" ")
    return word == "pass" and len(cards) == len(set(cards)) == PASSED and set(cards) <= set(view["hand"])


def _by_rule(question: Question) -> str:
    """A legal move without a process: by rules of thumb, or if those fail too, the first there is."""
    view = question.views[-1]
    try:
        move = bots.choose("steady", question.views, question.seed)
        if _is_legal(view, move):
            return move
    except Exception as error:
        _logger.error("rules of thumb failed", kind=type(error).__name__)
    if view["status"] == "passing":
        return " ".join(["pass", *view["hand"][:PASSED]])
    first: str = view["legal"][0]
    return first
