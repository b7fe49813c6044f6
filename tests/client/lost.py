"""A connection that breaks at the worst moment."""

import asyncio

from playwright.async_api import BrowserContext, WebSocketRoute


async def lose_an_answer(context: BrowserContext) -> asyncio.Event:
    """Cuts the next socket of these pages once, when the server has taken their first command and says so.

    The event is set then; the page hears of it only from its next connection.
    """
    cut = asyncio.Event()
    closing: list[asyncio.Future[None]] = []

    def route(page_side: WebSocketRoute) -> None:
        server_side = page_side.connect_to_server()

        def onward(message: str | bytes) -> None:
            if cut.is_set() or '"type":"ok"' not in str(message) or '"revision"' not in str(message):
                page_side.send(message)
            else:
                cut.set()
                closing.append(asyncio.ensure_future(page_side.close()))

        server_side.on_message(onward)

    await context.route_web_socket("**/ws", route)
    return cut
