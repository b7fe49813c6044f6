"""Cookies, bearer tokens, origins and proxies."""

from ipaddress import ip_network

import pytest

from tests.conftest import Clock
from tests.web.calls import PASSWORD, Api, call, new_guest, refused, register, sign_in, signed_in
from tests.web.conftest import StartNode

LOOPBACK = (ip_network("127.0.0.0/8"),)


async def cookie_of(api: Api, headers: dict[str, str] | None = None) -> str:
    async with api.post("/api/guests", headers=headers) as answer:
        return answer.headers.get("Set-Cookie", "")


async def test_the_cookie_and_its_flags(api: Api) -> None:
    async with api.post("/api/guests") as answer:
        cookie = answer.cookies["session"]
        assert cookie.value == (await answer.json())["token"]
    assert cookie["httponly"] is True
    assert cookie["samesite"] == "Lax"
    assert cookie["path"] == "/"
    assert int(cookie["max-age"]) == 400 * 24 * 3600
    assert cookie["domain"] == ""
    assert cookie["secure"] == ""


async def test_secure_behind_tls(start_node: StartNode) -> None:
    by_url = await start_node(public_url="https://cards.example")
    assert "Secure" in await cookie_of(by_url)
    trusting = await start_node(trusted_proxies=LOOPBACK)
    assert "Secure" in await cookie_of(trusting, {"X-Forwarded-Proto": "https"})
    assert "Secure" not in await cookie_of(trusting, {"X-Forwarded-Proto": "http"})
    assert "Secure" not in await cookie_of(trusting)
    wary = await start_node(trusted_proxies=(ip_network("10.0.0.0/8"),))
    assert "Secure" not in await cookie_of(wary, {"X-Forwarded-Proto": "https"})


async def test_every_way_to_sign_in_sets_the_cookie(api: Api) -> None:
    guest = await new_guest(api)
    body = {"name": "Ann", "password": PASSWORD}
    for path, headers in (("/api/users", guest.cookie), ("/api/sessions", {})):
        async with api.post(path, json=body, headers=headers) as answer:
            assert answer.cookies["session"].value == (await answer.json())["token"]


async def renewed(api: Api, headers: dict[str, str]) -> str | None:
    """The cookie that a device is given when it asks who it is."""
    async with api.get("/api/me", headers=headers) as answer:
        assert answer.status == 200
        cookie = answer.cookies.get("session")
    if cookie is None:
        return None
    assert int(cookie["max-age"]) == 400 * 24 * 3600
    return str(cookie.value)


async def test_a_device_in_use_is_given_its_cookie_again_once_a_day(api: Api, clock: Clock) -> None:
    guest = await new_guest(api)
    for _ in range(2):
        clock.advance(hours=23)
        # What else it does, such as to connect its socket, must not pass for that.
        assert (await call(api, "GET", "/api/sessions", headers=guest.cookie))[0] == 200
        assert await renewed(api, guest.cookie) is None
        clock.advance(hours=1)
        assert (await call(api, "GET", "/api/sessions", headers=guest.cookie))[0] == 200
        assert await renewed(api, guest.cookie) == guest.token
        assert await renewed(api, guest.cookie) is None


async def test_another_node_gives_the_cookie_again_once(api: Api, start_node: StartNode) -> None:
    guest = await new_guest(api)
    other = await start_node()
    assert [await renewed(other, guest.cookie) for _ in range(2)] == [guest.token, None]


async def test_who_came_without_a_cookie_is_given_none(api: Api, clock: Clock) -> None:
    guest = await new_guest(api)
    clock.advance(days=2)
    assert await renewed(api, guest.headers) is None
    assert await renewed(api, guest.headers | guest.cookie) is None


async def test_a_session_unseen_for_400_days_is_over(api: Api, clock: Clock) -> None:
    ann = await register(api, "Ann")
    clock.advance(days=399)
    laptop = await sign_in(api, "Ann")
    assert await renewed(api, ann.cookie) == ann.token
    clock.advance(days=399)
    # It was used meanwhile, so it is not.
    assert (await call(api, "GET", "/api/me", who=ann))[0] == 200
    clock.advance(days=1)
    assert await refused(api, "GET", "/api/me", who=laptop) == (401, "not_signed_in")
    _, devices = await call(api, "GET", "/api/sessions", who=ann)
    assert [each["current"] for each in devices["sessions"]] == [True]
    clock.advance(days=400)
    assert await refused(api, "GET", "/api/me", headers=ann.cookie) == (401, "not_signed_in")


async def test_cookie_and_bearer_name_the_same_session(api: Api) -> None:
    ann, bob = await register(api, "Ann"), await register(api, "Bob")
    for headers in (
        ann.cookie,
        ann.headers,
        {"Authorization": f"bearer  {ann.token} "},
        bob.cookie | ann.headers,
    ):
        assert (await call(api, "GET", "/api/me", headers=headers))[1]["user"] == ann.user


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": "Basic abc"}, {"Authorization": "Bearer"}, {"Authorization": "Bearer \udcff"},
        {"Cookie": "session="}, {"Cookie": "session=\"\\"}, {"Cookie": "session=" + "x" * 7000},
        {"Cookie": ";;;=;"},
        {"Cookie": "session=a; session=b"}, {"Cookie": "session=\x80\xff"},
    ],
)  # fmt: skip
async def test_what_is_no_session_is_none(api: Api, headers: dict[str, str]) -> None:
    assert await refused(api, "GET", "/api/me", headers=headers) == (401, "not_signed_in")


def host(api: Api) -> str:
    return f"{api.host}:{api.port}"


async def test_with_a_cookie_the_origin_must_be_ours(api: Api) -> None:
    guest = await new_guest(api)
    ours = [f"http://{host(api)}", f"https://{host(api)}", f"HTTP://{host(api)}"]
    others = [
        "http://evil.example", "null", "", "http://", "127.0.0.1", f"http://{api.host}", f"http://{api.host}:1",
        f"http://{host(api)}.evil.example", f"http://evil.example/{host(api)}", "http://[", "http://a:b:c",
        f"http://{host(api)}@evil.example",
    ]  # fmt: skip
    for method, path in (
        ("GET", "/api/me"),
        ("PATCH", "/api/me"),
        ("POST", "/api/guests"),
        ("GET", "/healthz"),
    ):
        for origin in ours:
            headers = guest.cookie | {"Origin": origin}
            assert (await call(api, method, path, {}, headers=headers))[0] in (200, 201)
        for origin in others:
            headers = guest.cookie | {"Origin": origin}
            assert await refused(api, method, path, {}, headers=headers) == (403, "origin"), origin
        assert (await call(api, method, path, {}, headers=guest.cookie))[0] in (200, 201)


async def test_without_a_cookie_any_origin_passes(api: Api) -> None:
    guest = await new_guest(api)
    foreign = {"Origin": "http://evil.example"}
    assert (await call(api, "GET", "/api/me", headers=guest.headers | foreign))[0] == 200
    assert (await call(api, "GET", "/healthz", headers=foreign))[0] == 200


async def test_another_sites_page_is_given_no_cookie(api: Api) -> None:
    async with api.post("/api/guests", headers={"Origin": "http://evil.example"}) as answer:
        assert "Set-Cookie" not in answer.headers
        await signed_in(answer)


async def test_the_public_url_is_ours(start_node: StartNode) -> None:
    api = await start_node(public_url="https://cards.example")
    guest = await new_guest(api)
    for origin in ("https://cards.example", "https://cards.example:443", f"http://{host(api)}"):
        headers = guest.cookie | {"Origin": origin}
        assert (await call(api, "GET", "/api/me", headers=headers))[0] == 200
    headers = guest.cookie | {"Origin": "http://cards.example", "Host": "cards.example"}
    assert await refused(api, "GET", "/api/me", headers=headers) == (403, "origin")
    for origin in (
        "http://cards.example",
        "http://cards.example:443",
        "https://cards.example:8443",
        "https://x.cards.example",
    ):
        headers = guest.cookie | {"Origin": origin}
        assert await refused(api, "GET", "/api/me", headers=headers) == (403, "origin")


async def test_the_host_that_a_trusted_proxy_names_is_ours(start_node: StartNode) -> None:
    forwarded = {"Origin": "https://cards.example", "X-Forwarded-Host": "cards.example"}
    trusting, wary = await start_node(trusted_proxies=LOOPBACK), await start_node()
    guest = await new_guest(wary)
    assert (await call(trusting, "GET", "/api/me", headers=guest.cookie | forwarded))[0] == 200
    assert await refused(wary, "GET", "/api/me", headers=guest.cookie | forwarded) == (403, "origin")


async def guests_until_refused(api: Api, forwarded: str | None) -> int:
    headers = {} if forwarded is None else {"X-Forwarded-For": forwarded}
    for number in range(40):
        async with api.post("/api/guests", headers=headers) as answer:
            if answer.status == 429:
                assert 1 <= int(answer.headers["Retry-After"]) <= 60
                assert (await answer.json())["code"] == "slow_down"
                return number
    return 40


async def test_an_address_may_bring_thirty_guests_a_minute(start_node: StartNode) -> None:
    api = await start_node(rate_limits=True)
    assert await guests_until_refused(api, None) == 30
    assert await guests_until_refused(api, "1.2.3.4") == 0


async def test_a_trusted_proxy_says_whose_address_it_is(start_node: StartNode) -> None:
    api = await start_node(rate_limits=True, trusted_proxies=(*LOOPBACK, ip_network("10.0.0.0/8")))
    assert await guests_until_refused(api, "1.2.3.4") == 30
    assert await guests_until_refused(api, "6.6.6.6, 1.2.3.4, 10.1.1.1") == 0
    assert await guests_until_refused(api, "::ffff:1.2.3.4") == 0
    assert await guests_until_refused(api, "2001:db8::1") == 30
    assert await guests_until_refused(api, "2001:db8::2") == 0
    assert await guests_until_refused(api, "not an address") == 30
    assert await guests_until_refused(api, None) == 0


async def test_failed_sign_ins_are_limited(start_node: StartNode) -> None:
    api = await start_node(rate_limits=True)
    await register(api, "Ann")
    for number in range(30):
        body = {"name": f"Bob{number}", "password": PASSWORD} if number % 2 else {"link_code": f"{number}"}
        assert await refused(api, "POST", "/api/sessions", body) == (401, "bad_credentials")
    for body in ({"name": "Ann", "password": PASSWORD}, {"link_code": "x"}):
        assert await refused(api, "POST", "/api/sessions", body) == (429, "slow_down")


async def test_commands_of_a_session_are_limited(start_node: StartNode) -> None:
    api = await start_node(rate_limits=True)
    guest, other = await new_guest(api), await new_guest(api)
    for _ in range(400):
        assert await refused(api, "PATCH", "/api/me", {"x": 1}, guest) == (400, "bad_request")
    assert await refused(api, "PATCH", "/api/me", {}, guest) == (429, "slow_down")
    assert (await call(api, "GET", "/api/me", who=guest))[0] == 200
    assert (await call(api, "PATCH", "/api/me", {}, other))[0] == 200
