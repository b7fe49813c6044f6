"""Short ways to call a node under test."""

from typing import Any, NamedTuple

from aiohttp import ClientResponse
from aiohttp.test_utils import TestClient

Api = TestClient[Any, Any]
Json = dict[str, Any]

PASSWORD = "correct horse"


class Somebody(NamedTuple):
    """A signed-in device of a user."""

    user: Json
    token: str

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    @property
    def cookie(self) -> dict[str, str]:
        return {"Cookie": f"session={self.token}"}


async def call(
    api: Api, method: str, path: str, body: object = None, who: Somebody | None = None, **options: Any
) -> tuple[int, Any]:
    """Status and JSON of an answer."""
    headers = options.pop("headers", {}) | (who.headers if who else {})
    async with api.request(method, path, json=body, headers=headers, **options) as answer:
        return answer.status, await answer.json() if answer.status != 204 else await answer.read()


async def signed_in(answer: ClientResponse) -> Somebody:
    """Who an answer has signed in."""
    assert answer.status == 201, await answer.text()
    return Somebody(**await answer.json())


async def new_guest(api: Api) -> Somebody:
    return await signed_in(await api.post("/api/guests"))


async def register(api: Api, name: str, guest: Somebody | None = None) -> Somebody:
    headers = guest.headers if guest else {}
    return await signed_in(
        await api.post("/api/users", json={"name": name, "password": PASSWORD}, headers=headers)
    )


async def sign_in(api: Api, name: str, guest: Somebody | None = None) -> Somebody:
    headers = guest.headers if guest else {}
    return await signed_in(
        await api.post("/api/sessions", json={"name": name, "password": PASSWORD}, headers=headers)
    )


async def refused(api: Api, method: str, path: str, *arguments: Any, **options: Any) -> tuple[int, str]:
    """Status and code of a problem, which is one in every other way too."""
    status, problem = await call(api, method, path, *arguments, **options)
    assert problem["type"] == "about:blank"
    assert problem["status"] == status
    assert problem["detail"].endswith(".")
    return status, problem["code"]
