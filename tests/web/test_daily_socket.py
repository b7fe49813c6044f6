"""`daily/DATE` on the WebSocket: watched by anybody, shown at once, and again when somebody plays."""

import pytest

from tests.web.calls import Api, call, register

CHANNEL = "daily/2026-11-29"


async def test_a_day_is_watched_without_a_session(api: Api) -> None:
    ann = await register(api, "Ann")
    async with api.ws_connect("/ws") as socket:
        await socket.send_json({"type": "subscribe", "channel": CHANNEL, "ref": "s"})
        assert await socket.receive_json(timeout=5) == {"type": "ok", "ref": "s"}
        assert await socket.receive_json(timeout=5) == {
            "type": "daily",
            "channel": CHANNEL,
            "date": "2026-11-29",
            "players": 0,
            "finished": 0,
            "top": [],
        }

        _, view = await call(api, "POST", "/api/daily/game", who=ann)
        assert (await socket.receive_json(timeout=5))["players"] == 1
        await call(api, "POST", f"/api/games/{view['id']}/resign", {"revision": 0}, ann)
        push = await socket.receive_json(timeout=5)
        assert (push["finished"], [entry["user"]["name"] for entry in push["top"]]) == (1, ["Ann"])

        await socket.send_json({"type": "unsubscribe", "channel": CHANNEL, "ref": "u"})
        assert await socket.receive_json(timeout=5) == {"type": "ok", "ref": "u"}


@pytest.mark.parametrize("day", ["2026-11-30", "2026-02-30", "", "x", "2026-11-29/", " 2026-11-29", "\0"])
async def test_days_that_cannot_be_watched(api: Api, day: str) -> None:
    async with api.ws_connect("/ws") as socket:
        await socket.send_json({"type": "subscribe", "channel": f"daily/{day}", "ref": "s"})
        answer = await socket.receive_json(timeout=5)
        assert (answer["type"], answer["ref"], answer["code"]) == ("error", "s", "not_found")
        await socket.send_json({"type": "ping", "ref": "p"})
        assert (await socket.receive_json(timeout=5))["type"] == "pong"
