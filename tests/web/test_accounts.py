"""The calls of "Who is calling" in docs/protocol.md, over the wire."""

import asyncio
import time

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from server.accounts import sessions
from server.accounts.names import DELETED
from server.accounts.passwords import Passwords
from server.log.database import unavailable
from server.web.keys import ACCOUNTS
from tests.conftest import Clock
from tests.log.proxy import Proxy
from tests.web.calls import PASSWORD, Api, Somebody, call, new_guest, refused, register, sign_in, signed_in
from tests.web.conftest import StartNode


async def test_a_guest_is_in_at_once(api: Api) -> None:
    guest = await new_guest(api)
    assert guest.user["guest"] is True
    assert set(guest.user) == {"id", "name", "guest"}
    status, me = await call(api, "GET", "/api/me", who=guest)
    assert status == 200
    assert me["user"] == guest.user
    assert me["settings"] == {
        "move_errors": False,
        "placement_helper": True,
        "letter_keys": True,
        "theme": "auto",
    }
    assert me["locale"] is None
    assert me["created_at"] == "2026-11-29T12:00:00.000Z"


@pytest.mark.parametrize("body", [b"", b" \n", b"{}"])
async def test_a_call_that_takes_nothing_takes_nothing(api: Api, body: bytes) -> None:
    async with api.post("/api/guests", data=body) as answer:
        assert answer.status == 201


async def test_registering(api: Api) -> None:
    ann = await register(api, "Ann")
    assert ann.user["name"] == "Ann"
    assert ann.user["guest"] is False
    assert (await sign_in(api, "ann")).user == ann.user


async def test_a_guest_becomes_the_account(api: Api) -> None:
    guest = await new_guest(api)
    ann = await register(api, "Ann", guest)
    assert ann.user == {"id": guest.user["id"], "name": "Ann", "guest": False}
    for token in (ann, guest):
        _, me = await call(api, "GET", "/api/me", who=token)
        assert me["user"] == ann.user
    assert (await sign_in(api, "Ann")).user == ann.user
    _, devices = await call(api, "GET", "/api/sessions", who=ann)
    assert len(devices["sessions"]) == 2


async def test_a_guests_cookie_is_worth_nothing_once_it_is_an_account(api: Api) -> None:
    guest = await new_guest(api)
    body = {"name": "Ann", "password": PASSWORD}
    ann = await signed_in(await api.post("/api/users", json=body, headers=guest.cookie))
    assert ann.token != guest.token
    assert await refused(api, "GET", "/api/me", who=guest) == (401, "not_signed_in")
    _, devices = await call(api, "GET", "/api/sessions", who=ann)
    assert [each["current"] for each in devices["sessions"]] == [True]


async def test_a_guests_bearer_token_stays_beside_a_cookie(api: Api) -> None:
    guest = await new_guest(api)
    body = {"name": "Ann", "password": PASSWORD}
    ann = await signed_in(await api.post("/api/users", json=body, headers=guest.headers | guest.cookie))
    assert ann.token == guest.token
    assert (await call(api, "GET", "/api/me", who=guest))[0] == 200


async def test_two_registrations_of_one_guest_make_one_account(api: Api) -> None:
    guest = await new_guest(api)
    bodies = [{"name": name, "password": PASSWORD} for name in ("Ann", "Ann", "Bob")]
    answers = await asyncio.gather(*(call(api, "POST", "/api/users", body, who=guest) for body in bodies))
    winners = [body for status, body in answers if status == 201]
    assert guest.user["id"] in {each["user"]["id"] for each in winners}
    assert sum(each["user"]["id"] == guest.user["id"] for each in winners) == 1
    assert all(status == 201 or body["code"] == "name_taken" for status, body in answers)


async def test_a_name_is_taken_in_any_case_and_width(api: Api) -> None:
    await register(api, "Ann")
    guest = await new_guest(api)
    for name in ("Ann", "ANN", "ａｎｎ"):
        body = {"name": name, "password": PASSWORD}
        assert await refused(api, "POST", "/api/users", body) == (409, "name_taken")
        assert await refused(api, "POST", "/api/users", body, guest) == (409, "name_taken")


async def test_of_many_who_want_a_name_at_once_one_gets_it(api: Api) -> None:
    body = {"name": "Ann", "password": PASSWORD}
    answers = await asyncio.gather(*(call(api, "POST", "/api/users", body) for _ in range(5)))
    assert sorted(status for status, _ in answers) == [201, 409, 409, 409, 409]


async def test_bad_names_and_weak_passwords(api: Api) -> None:
    for name in ("", "a", "a" * 21, "a" * 10_000, "ก" * 10_000, "ab\0", "a b", "😀😀", "me", "_ab"):
        body = {"name": name, "password": PASSWORD}
        assert await refused(api, "POST", "/api/users", body) == (422, "bad_name")
    _, problem = await call(api, "POST", "/api/users", {"name": "Guest-1", "password": PASSWORD})
    assert (problem["code"], problem["reason"]) == ("bad_name", "reserved")
    for password in ("", "1234567", "x" * 129):
        body = {"name": "Ann", "password": password}
        assert await refused(api, "POST", "/api/users", body) == (422, "weak_password")


async def test_unknown_name_and_wrong_password_look_the_same(api: Api) -> None:
    await register(api, "Ann")
    await new_guest(api)
    answers = []
    for name in ("Ann", "Bob", "guest", "\0\0", "x" * 10_000):
        for password in ("wrong password", "", "x" * 10_000):
            answers.append(await call(api, "POST", "/api/sessions", {"name": name, "password": password}))
    assert answers[0][0] == 401
    assert answers[0][1]["code"] == "bad_credentials"
    assert all(each == answers[0] for each in answers)


async def test_an_unknown_name_costs_a_hash_too(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    await register(api, "Ann")
    verified: list[str] = []

    def verify(passwords: Passwords, kept: str, password: str) -> bool:
        verified.append(kept)
        return plainly(passwords, kept, password)

    plainly = Passwords._verify
    monkeypatch.setattr(Passwords, "_verify", verify)
    for name in ("Ann", "Bob", "\0"):
        await call(api, "POST", "/api/sessions", {"name": name, "password": "wrong password"})
    parameters = {kept.rsplit("$", 2)[0] for kept in verified}
    assert len(verified) == 3
    assert len(parameters) == 1


async def test_a_sign_in_that_is_neither(api: Api) -> None:
    bodies: list[object] = [
        {}, {"name": "Ann"}, {"password": PASSWORD}, {"name": "Ann", "link_code": "x"},
        {"name": "Ann", "password": PASSWORD, "link_code": "x"}, {"name": None, "password": PASSWORD},
        {"link_code": 12345678}, {"name": "Ann", "password": PASSWORD, "remember": True}, [], "x", 1,
    ]  # fmt: skip
    for body in bodies:
        assert await refused(api, "POST", "/api/sessions", body) == (400, "bad_request")


async def test_signing_out_ends_the_session(api: Api) -> None:
    ann = await register(api, "Ann")
    other = await sign_in(api, "Ann")
    async with api.delete("/api/sessions/current", headers=ann.cookie) as answer:
        assert answer.status == 204
        assert answer.cookies["session"]["max-age"] == "0"
    assert await refused(api, "DELETE", "/api/sessions/current", who=ann) == (401, "not_signed_in")
    assert (await call(api, "GET", "/api/me", who=other))[0] == 200


async def test_devices(api: Api, clock: Clock) -> None:
    ann = await register(api, "Ann")
    clock.advance(hours=1)
    firefox = {"User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0"}
    body = {"name": "Ann", "password": PASSWORD}
    other = await signed_in(await api.post("/api/sessions", json=body, headers=firefox))
    _, devices = await call(api, "GET", "/api/sessions", who=other)
    new, old = devices["sessions"]
    assert (new["device"], new["created_at"], new["current"]) == (
        "Firefox on Linux", "2026-11-29T13:00:00.000Z", True,
    )  # fmt: skip
    assert (old["created_at"], old["current"]) == ("2026-11-29T12:00:00.000Z", False)
    stranger = await register(api, "Bob")
    path = f"/api/sessions/{old['id']}"
    assert await refused(api, "DELETE", path, who=stranger) == (404, "not_found")
    assert (await call(api, "DELETE", path, who=other))[0] == 204
    assert await refused(api, "DELETE", path, who=other) == (404, "not_found")
    assert await refused(api, "GET", "/api/me", who=ann) == (401, "not_signed_in")


async def test_when_a_device_was_seen_is_kept_by_the_minute(api: Api, clock: Clock) -> None:
    ann = await register(api, "Ann")

    async def seen_at() -> str:
        _, devices = await call(api, "GET", "/api/sessions", who=ann)
        seen: str = devices["sessions"][0]["seen_at"]
        return seen

    clock.advance(seconds=59)
    assert await seen_at() == "2026-11-29T12:00:00.000Z"
    clock.advance(seconds=1)
    assert await seen_at() == "2026-11-29T12:01:00.000Z"


async def test_only_so_many_devices(api: Api, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "MOST", 3)
    oldest = await register(api, "Ann")
    for _ in range(3):
        clock.advance(seconds=1)
        newest = await sign_in(api, "Ann")
    _, devices = await call(api, "GET", "/api/sessions", who=newest)
    assert len(devices["sessions"]) == 3
    assert await refused(api, "GET", "/api/me", who=oldest) == (401, "not_signed_in")


async def test_a_sign_out_on_another_node_counts_within_a_second(start_node: StartNode, clock: Clock) -> None:
    one, other = await start_node(), await start_node()
    ann = await register(one, "Ann")
    assert (await call(other, "GET", "/api/me", who=ann))[0] == 200
    await call(one, "DELETE", "/api/sessions/current", who=ann)
    clock.advance(seconds=1)
    assert await refused(other, "GET", "/api/me", who=ann) == (401, "not_signed_in")


async def link_code(api: Api, who: Somebody) -> str:
    status, answer = await call(api, "POST", "/api/link-codes", who=who)
    assert status == 201
    code: str = answer["code"]
    return code


async def test_a_link_code_signs_one_device_in_once(api: Api) -> None:
    ann = await register(api, "Ann")
    code = await link_code(api, ann)
    phone = await signed_in(await api.post("/api/sessions", json={"link_code": code}))
    assert phone.user == ann.user
    assert phone.token != ann.token
    body = {"link_code": code}
    assert await refused(api, "POST", "/api/sessions", body) == (401, "bad_credentials")


async def test_two_who_use_a_link_code_at_once(api: Api) -> None:
    body = {"link_code": await link_code(api, await register(api, "Ann"))}
    answers = await asyncio.gather(*(call(api, "POST", "/api/sessions", body) for _ in range(4)))
    assert sorted(status for status, _ in answers) == [201, 401, 401, 401]


async def test_a_link_code_is_good_for_ten_minutes(api: Api, clock: Clock) -> None:
    ann = await register(api, "Ann")
    _, answer = await call(api, "POST", "/api/link-codes", who=ann)
    assert answer["expires_at"] == "2026-11-29T12:10:00.000Z"
    clock.advance(minutes=10)
    body = {"link_code": answer["code"]}
    assert await refused(api, "POST", "/api/sessions", body) == (401, "bad_credentials")
    code = await link_code(api, ann)
    clock.advance(minutes=9, seconds=59)
    assert (await call(api, "POST", "/api/sessions", {"link_code": code}))[0] == 201


async def test_a_link_code_may_be_typed_as_it_is_read(api: Api) -> None:
    ann = await register(api, "Ann")
    code = await link_code(api, ann)
    typed = code.lower().replace("-", " ").replace("0", "o").replace("1", "l")
    assert (await call(api, "POST", "/api/sessions", {"link_code": f" {typed} "}))[0] == 201


async def test_a_new_link_code_ends_the_one_before(api: Api) -> None:
    ann = await register(api, "Ann")
    old, new = await link_code(api, ann), await link_code(api, ann)
    assert await refused(api, "POST", "/api/sessions", {"link_code": old}) == (401, "bad_credentials")
    assert (await call(api, "POST", "/api/sessions", {"link_code": new}))[0] == 201


async def test_a_link_code_is_used_up_only_by_who_gets_in(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    body = {"link_code": await link_code(api, await register(api, "Ann"))}
    with monkeypatch.context() as patch:
        patch.setattr(sessions.Sessions, "open", full)
        assert await refused(api, "POST", "/api/sessions", body) == (503, "unavailable")
    assert (await call(api, "POST", "/api/sessions", body))[0] == 201


async def test_a_guest_registers_wholly_or_not_at_all(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    guest = await new_guest(api)
    body = {"name": "Ann", "password": PASSWORD}
    with monkeypatch.context() as patch:
        patch.setattr("server.log.transfer.enter_board", full)
        assert await refused(api, "POST", "/api/users", body, guest) == (503, "unavailable")
    assert (await call(api, "GET", "/api/me", who=guest))[1]["user"]["guest"] is True
    assert (await call(api, "POST", "/api/users", body, guest))[0] == 201


async def full(*arguments: object) -> None:
    raise unavailable()


async def test_a_silent_database_is_waited_for_so_long(
    database_url: str, start_node: StartNode, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Proxy.to(database_url) as proxy:
        api = await start_node(database_url=proxy.url)
        ann, guest = await register(api, "Ann"), await new_guest(api)
        await link_code(api, ann)
        proxy.fall_silent()
        credentials = {"name": "Ann", "password": PASSWORD}
        calls: list[tuple[str, str, object, Somebody | None]] = [
            ("GET", "/readyz", None, None),
            ("POST", "/api/guests", None, None),
            ("POST", "/api/users", credentials, guest),
            ("POST", "/api/users", credentials, None),
            ("POST", "/api/sessions", credentials, None),
            ("POST", "/api/sessions", {"link_code": "0000-0000"}, None),
            ("GET", "/api/me", None, ann),
            ("DELETE", "/api/sessions/current", None, ann),
            ("PATCH", "/api/me/password", {"old": PASSWORD, "new": "a newer horse"}, ann),
            ("DELETE", "/api/me", None, ann),
        ]
        began = time.monotonic()
        with monkeypatch.context() as patch:
            patch.setattr("server.log.database.PATIENCE", 0.5)
            patch.setattr("server.web.health.READY_S", 0.5)
            answers = await asyncio.gather(*(refused(api, *each) for each in calls))
        assert answers == [(503, "unavailable")] * len(calls)
        assert time.monotonic() - began < 2.5
        proxy.speak()
        assert (await call(api, "GET", "/readyz"))[0] == 200
        assert (await call(api, "POST", "/api/guests"))[0] == 201


async def test_a_guessed_link_code(api: Api) -> None:
    for code in ("", "-", "0000-0000", "\0", "x" * 10_000, "ก" * 8, "' OR 1=1 --"):
        assert await refused(api, "POST", "/api/sessions", {"link_code": code}) == (401, "bad_credentials")


async def test_a_guest_who_signs_in_is_no_more(api: Api) -> None:
    await register(api, "Ann")
    guest = await new_guest(api)
    ann = await sign_in(api, "Ann", guest)
    assert await refused(api, "GET", "/api/me", who=guest) == (401, "not_signed_in")
    names = await api.app[ACCOUNTS].names([ann.user["id"], guest.user["id"]])
    assert names == {ann.user["id"]: "Ann", guest.user["id"]: DELETED}


async def test_a_guest_links_a_second_device(api: Api) -> None:
    guest = await new_guest(api)
    phone = await signed_in(await api.post("/api/sessions", json={"link_code": await link_code(api, guest)}))
    assert phone.user == guest.user
    code = await link_code(api, guest)
    again = await signed_in(await api.post("/api/sessions", json={"link_code": code}, headers=guest.headers))
    assert again.user == guest.user
    assert (await call(api, "GET", "/api/me", who=guest))[0] == 200


async def test_settings_are_merged_and_follow_the_account(api: Api) -> None:
    ann = await register(api, "Ann")
    await call(api, "PATCH", "/api/me", {"settings": {"move_errors": True}, "locale": "vi"}, ann)
    await call(
        api,
        "PATCH",
        "/api/me",
        {"settings": {"placement_helper": False, "theme": "dark", "letter_keys": False}},
        ann,
    )
    status, me = await call(api, "PATCH", "/api/me", {}, ann)
    assert status == 200
    assert me["settings"] == {
        "move_errors": True,
        "placement_helper": False,
        "letter_keys": False,
        "theme": "dark",
    }
    assert me["locale"] == "vi"
    assert (await call(api, "GET", "/api/me", who=await sign_in(api, "Ann")))[1] == me
    _, me = await call(api, "PATCH", "/api/me", {"locale": None}, ann)
    assert me["locale"] is None


async def test_settings_set_at_once_are_all_set(api: Api) -> None:
    ann = await register(api, "Ann")
    patches = [{"move_errors": True}, {"placement_helper": False}, {"theme": "light"}]
    await asyncio.gather(*(call(api, "PATCH", "/api/me", {"settings": each}, ann) for each in patches))
    _, me = await call(api, "GET", "/api/me", who=ann)
    assert me["settings"] == {
        "move_errors": True,
        "placement_helper": False,
        "letter_keys": True,
        "theme": "light",
    }


async def test_a_change_that_is_not_understood_names_the_field(api: Api) -> None:
    ann = await register(api, "Ann")
    bodies: list[tuple[object, str]] = [
        ({"settings": {"colour": "red"}}, "colour"), ({"name": "Bob"}, "name"),
        ({"settings": None}, "settings"), ({"settings": {"move_errors": 1}}, "move_errors"),
        ({"settings": {"move_errors": None}}, "move_errors"), ({"settings": {"theme": "pink"}}, "theme"),
        ({"locale": "fr"}, "locale"), ({"locale": 3}, "locale"),
    ]  # fmt: skip
    for body, named in bodies:
        status, problem = await call(api, "PATCH", "/api/me", body, ann)
        assert (status, problem["code"]) == (400, "bad_request")
        assert named in problem["detail"]


async def test_a_new_password_signs_the_other_devices_out(api: Api) -> None:
    ann, other = await register(api, "Ann"), await sign_in(api, "Ann")
    body = {"old": PASSWORD, "new": "a newer horse"}
    assert (await call(api, "PATCH", "/api/me/password", body, ann))[0] == 204
    assert await refused(api, "GET", "/api/me", who=other) == (401, "not_signed_in")
    assert (await call(api, "GET", "/api/me", who=ann))[0] == 200
    credentials = {"name": "Ann", "password": PASSWORD}
    assert await refused(api, "POST", "/api/sessions", credentials) == (401, "bad_credentials")
    credentials = {"name": "Ann", "password": "a newer horse"}
    assert (await call(api, "POST", "/api/sessions", credentials))[0] == 201


async def test_a_password_is_not_changed_by_somebody_who_does_not_know_it(api: Api) -> None:
    ann, other = await register(api, "Ann"), await sign_in(api, "Ann")
    body = {"old": "wrong password", "new": "a newer horse"}
    assert await refused(api, "PATCH", "/api/me/password", body, ann) == (401, "bad_credentials")
    body = {"old": PASSWORD, "new": "short"}
    assert await refused(api, "PATCH", "/api/me/password", body, ann) == (422, "weak_password")
    guest = await new_guest(api)
    body = {"old": "", "new": "a newer horse"}
    assert await refused(api, "PATCH", "/api/me/password", body, guest) == (401, "bad_credentials")
    assert (await call(api, "GET", "/api/me", who=other))[0] == 200


async def test_of_two_new_passwords_at_once_one_counts(api: Api) -> None:
    ann = await register(api, "Ann")
    bodies = [{"old": PASSWORD, "new": f"newer horse {number}"} for number in range(2)]
    answers = await asyncio.gather(*(call(api, "PATCH", "/api/me/password", each, ann) for each in bodies))
    assert sorted(status for status, _ in answers) == [204, 401]


async def test_deleting_removes_the_person(api: Api, engine: AsyncEngine) -> None:
    ann, other = await register(api, "Ann"), await sign_in(api, "Ann")
    await link_code(api, ann)
    async with api.delete("/api/me", headers=ann.cookie) as answer:
        assert answer.status == 204
        assert answer.cookies["session"]["max-age"] == "0"
    for each in (ann, other):
        assert await refused(api, "GET", "/api/me", who=each) == (401, "not_signed_in")
    async with engine.connect() as connection:
        for table in ("users", "device_sessions", "link_codes"):
            assert (await connection.execute(text(f"SELECT count(*) FROM {table}"))).scalar_one() == 0
    assert (await register(api, "Ann")).user["id"] != ann.user["id"]


async def test_no_secret_is_kept_as_it_is(api: Api, engine: AsyncEngine) -> None:
    ann = await register(api, "Ann")
    code = await link_code(api, ann)
    kept = ""
    async with engine.connect() as connection:
        for table in ("users", "device_sessions", "link_codes"):
            rows = await connection.execute(text(f"SELECT {table}::text FROM {table}"))
            kept += " ".join(rows.scalars())
    assert ann.user["id"] in kept
    for secret in (ann.token, ann.token.encode().hex(), PASSWORD, code, code.replace("-", "")):
        assert secret not in kept


async def test_without_a_session(api: Api) -> None:
    calls = [
        ("GET", "/api/me"), ("PATCH", "/api/me"), ("DELETE", "/api/me"), ("GET", "/api/me/export"),
        ("GET", "/api/sessions"), ("DELETE", "/api/sessions/current"), ("DELETE", "/api/sessions/x"),
        ("POST", "/api/link-codes"),
    ]  # fmt: skip
    for method, path in calls:
        for token in (None, "x", "x" * 43, "ก", "x" * 5000):
            headers = {} if token is None else {"Authorization": f"Bearer {token}"}
            assert await refused(api, method, path, {}, headers=headers) == (401, "not_signed_in")


async def test_the_body_is_looked_at_before_the_session(api: Api) -> None:
    assert await refused(api, "PATCH", "/api/me", {"x": 1}) == (400, "bad_request")
