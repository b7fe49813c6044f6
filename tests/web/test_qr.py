"""QR codes of our own addresses."""

from xml.etree import ElementTree

from tests.web.calls import Api, new_guest, refused
from tests.web.conftest import StartNode


async def test_a_picture(api: Api) -> None:
    guest = await new_guest(api)
    params = {"text": "https://cards.example/games/abcdefgh"}
    pictures = []
    for _ in range(2):
        async with api.get("/api/qr", params=params, headers=guest.headers) as answer:
            assert answer.status == 200
            assert answer.content_type == "image/svg+xml"
            pictures.append(await answer.read())
    assert pictures[0] == pictures[1]
    picture = ElementTree.fromstring(pictures[0])
    assert picture.tag == "{http://www.w3.org/2000/svg}svg"
    assert {each.tag.partition("}")[2] for each in picture.iter()} == {"svg", "path"}
    assert "style" not in picture.attrib


async def test_a_secret_is_drawn_from_the_body_and_looks_the_same(api: Api) -> None:
    guest = await new_guest(api)
    text = "https://cards.example/#link=ABCD-EFGH"
    async with api.post("/api/qr", json={"text": text}, headers=guest.headers) as answer:
        assert answer.status == 200
        assert answer.headers["Cache-Control"] == "no-store"
        secret = await answer.read()
    async with api.get("/api/qr", params={"text": text}, headers=guest.headers) as answer:
        assert await answer.read() == secret
    assert await refused(api, "POST", "/api/qr", {"text": ""}, who=guest) == (400, "bad_request")
    assert await refused(api, "POST", "/api/qr", {"text": text}) == (401, "not_signed_in")


async def test_what_is_not_drawn(api: Api) -> None:
    guest = await new_guest(api)
    for text in ("", "x" * 101, "%E0%B8%81", "a%0Ab", "a%00b", "a%20b"):
        assert await refused(api, "GET", f"/api/qr?text={text}", who=guest) == (400, "bad_request")
    assert await refused(api, "GET", "/api/qr?text=x") == (401, "not_signed_in")


async def test_drawing_is_limited(start_node: StartNode) -> None:
    api = await start_node(rate_limits=True)
    guest = await new_guest(api)
    for _ in range(30):
        async with api.get("/api/qr?text=x", headers=guest.headers) as answer:
            assert answer.status == 200
    assert await refused(api, "GET", "/api/qr?text=x", who=guest) == (429, "slow_down")
