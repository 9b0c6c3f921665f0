"""The guards: forged requests, what browsers are told, sizes, rates, crashes."""

import logging
import re
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import anyio
import httpx2
import pytest
from fastapi import FastAPI, Request
from starlette.datastructures import Headers
from starlette.responses import StreamingResponse
from starlette.types import Receive, Send

from app.observability import logs
from app.web.http.limits import BODY, BodyLimit, Meter, Rate
from app.web.http.security import CSP, forged
from tests.server import servers
from tests.web.browser import Browser
from tests.web.test_people_pages import BASE, found, invite

Open = Callable[[], Browser]

SEATED = {"cookie": "other=1; signet=abc", "host": "signet.test"}
FORGERIES: list[tuple[str, str, dict[str, str], bool]] = [
    ("POST", "/c/a/b/notes", {**SEATED, "sec-fetch-site": "same-origin"}, False),
    ("POST", "/c/a/b/notes", {**SEATED, "sec-fetch-site": "none"}, False),
    ("POST", "/c/a/b/notes", {**SEATED, "sec-fetch-site": "same-site"}, True),
    ("POST", "/c/a/b/notes", {**SEATED, "sec-fetch-site": "cross-site"}, True),
    ("POST", "/c/a/b/notes", {**SEATED, "sec-fetch-site": "cross-site", "origin": "http://signet.test"}, True),
    ("POST", "/c/a/b/notes", {**SEATED, "sec-fetch-site": "something new"}, True),
    ("DELETE", "/c/a/b/notes", {**SEATED, "sec-fetch-site": "cross-site"}, True),
    ("POST", "/c/a/b/notes", {**SEATED, "origin": "http://signet.test"}, False),
    ("POST", "/c/a/b/notes", {**SEATED, "origin": "http://SIGNET.test"}, False),
    ("POST", "/c/a/b/notes", {**SEATED, "origin": "http://signet.test:81"}, True),
    ("POST", "/c/a/b/notes", {**SEATED, "origin": "https://signet.test"}, True),
    ("POST", "/c/a/b/notes", {**SEATED, "origin": "signet.test"}, True),
    ("POST", "/c/a/b/notes", {**SEATED, "origin": "http://[::1"}, True),
    ("POST", "/c/a/b/notes", {**SEATED, "origin": "http://signet.test/"}, True),
    ("POST", "/c/a/b/notes", {**SEATED, "origin": "http://evil.test"}, True),
    ("POST", "/c/a/b/notes", {**SEATED, "origin": "null"}, True),
    ("POST", "/c/a/b/notes", {**SEATED, "origin": ""}, True),
    ("POST", "/join/a/b", {"host": "signet.test", "origin": "http://evil.test"}, True),
    ("POST", "/join/a/b", {"origin": ""}, True),
    ("POST", "/c/a/b/notes", SEATED, True),
    ("POST", "/c/a/b/notes", {"cookie": "__Secure-signet=abc", "host": "signet.test"}, True),
    ("POST", "/new", {"host": "signet.test"}, False),
    ("GET", "/c/a/b/", {**SEATED, "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}, False),
    ("GET", "/c/a/b/", {**SEATED, "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}, True),
    ("GET", "/c/a/b/awaits", {**SEATED, "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors"}, False),
    ("GET", "/rulebook", {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}, False),
]


@pytest.mark.parametrize(("method", "path", "headers", "refused"), FORGERIES)
def test_which_requests_another_site_may_stand_behind(
    method: str, path: str, headers: dict[str, str], refused: bool
) -> None:
    assert forged(method, path, Headers(headers)) is refused


def test_behind_https_the_origin_is_https_too() -> None:
    for scheme, refused in (("https", False), ("http", True)):
        headers = Headers({**SEATED, "origin": f"{scheme}://signet.test"})
        assert forged("POST", "/c/a/b/notes", headers, "https") is refused


ODD = (
    "a'b", "a(b)", "a;b", "a,b", "a=b", "a%41", "a*", "-a", "a..b", ".", "a:0", "a:65536", "a:", "[1::2::3]", "a" * 254
)  # fmt: skip


@pytest.mark.anyio
async def test_a_host_that_is_none_is_refused_in_words(site: FastAPI) -> None:
    """Before anybody tries to make an address of it, also the page that says so."""
    transport = httpx2.ASGITransport(app=site)
    async with httpx2.AsyncClient(transport=transport, base_url="http://signet.test") as client:
        for host in ("[::1", "[::1]x", "[x]", "signet.test:port", "a b", "a/b", "a@b", "a\x01", "é", "<b>", *ODD):
            said = {"Host": host.encode(), "Sec-Fetch-Site": "same-origin"}
            for path in ("/", "/nowhere", "/c/a/b/"):
                answer = await client.get(path, headers=said)
                assert answer.status_code == 400 and "name a host" in answer.text, (host, path)
                assert answer.headers["content-security-policy"] == CSP
        for host in ("[::1]", "[::1]:80", "127.0.0.1:8420", "signet.test.", "my_pc"):
            assert (await client.get("/", headers={"Host": host})).status_code == 200, host
        said["Host"] = b"[::1"
        assert (await client.post("/new", headers=said, content=b"title=" + b"x" * BODY)).status_code == 413


@pytest.mark.anyio
async def test_links_name_the_public_address_whatever_host_was_asked(site: FastAPI, open_browser: Open) -> None:
    """A personal link carries its seat's key: where SIGNET_PUBLIC_URL says where Signet is, no request can turn it."""
    site.state.settings = site.state.settings.model_copy(update={"public_url": "https://signet.example.org"})
    gm = open_browser()
    await found(gm)
    for host in ("signet.test", "elsewhere.test", "localhost", "127.0.0.1:1"):
        gm.http.headers["Host"] = host
        page = await gm.send(await gm.get(f"{BASE}/gerda/people"), "/people/invite")
        assert page.values["invitation-link"].startswith("https://signet.example.org/join/"), host


@pytest.mark.anyio
async def test_a_forged_change_is_refused_and_changes_nothing(open_browser: Open) -> None:
    gm = open_browser()
    await found(gm)
    home = await gm.get(f"{BASE}/gerda/")
    forgery = await gm.send(home, "/notes", {"body": "evil"}, **{"Sec-Fetch-Site": "cross-site"})
    assert forgery.status == 403 and "did not come from one of Signet's own pages" in forgery.text
    bare = await gm.http.post(f"{BASE}/gerda/notes", data={"body": "evil", "version": "0"})
    assert bare.status_code == 403
    plain_http = await gm.http.post(
        f"{BASE}/gerda/notes", data={"body": "good", "version": "0"}, headers={"Origin": "http://signet.test"}
    )
    assert plain_http.status_code == 303
    assert "evil" not in (await gm.get(f"{BASE}/gerda/")).html


@pytest.mark.anyio
async def test_what_every_answer_tells_browsers(open_browser: Open) -> None:
    gm = open_browser()
    await found(gm)
    join = await invite(gm)
    for path in ("/new", f"{BASE}/gerda/", f"{BASE}/nobody/", "/nowhere", join, "/code", f"{BASE}/gerda/awaits"):
        page = await gm.get(path)
        assert page.headers["content-security-policy"] == CSP, path
        assert page.headers["x-content-type-options"] == "nosniff"
        assert page.headers["cross-origin-resource-policy"] == "same-origin"
        assert page.headers["referrer-policy"] == ("strict-origin" if path == join else "same-origin")
        assert page.headers["cache-control"] == ("no-cache" if path == "/nowhere" else "no-store")
        assert "cross-origin-opener-policy" not in page.headers, "browsers complain about it on plain http"
    assert "unsafe" not in CSP and "*" not in CSP
    safe = httpx2.ASGITransport(app=gm.http._transport.app)  # type: ignore[attr-defined]
    async with httpx2.AsyncClient(transport=safe, base_url="https://signet.test") as https:
        assert (await https.get("/new")).headers["cross-origin-opener-policy"] == "same-origin"


@pytest.mark.anyio
@pytest.mark.parametrize("scheme", ["http", "https"])
async def test_the_cookie_is_bound_to_the_seat(site: FastAPI, scheme: str) -> None:
    transport = httpx2.ASGITransport(app=site)
    async with httpx2.AsyncClient(transport=transport, base_url=f"{scheme}://signet.test") as client:
        form = {"title": "The Goblin Road", "name": "Gerda", "ruleset": "toy"}
        answer = await client.post("/new", data=form, headers={"Sec-Fetch-Site": "same-origin"})
        cookie = answer.headers.get_list("set-cookie")[-1]
        name = "__Secure-signet" if scheme == "https" else "signet"
        assert re.match(rf"{name}=[\w-]{{43}};", cookie)
        assert "Path=/c/the-goblin-road/gerda" in cookie and "HttpOnly" in cookie and "SameSite=lax" in cookie
        assert ("Secure" in cookie.split(";", 1)[1]) is (scheme == "https") and "Max-Age=34560000" in cookie
        assert (await client.get("/c/the-goblin-road/gerda/")).status_code == 200


@pytest.mark.anyio
async def test_a_cookie_is_renewed_while_the_seat_is_in_use(site: FastAPI, open_browser: Open) -> None:
    from sqlalchemy import text

    gm = open_browser()
    await found(gm)
    assert "set-cookie" not in (await gm.get(f"{BASE}/gerda/")).headers
    async with site.state.runtime.sessions.begin() as session:
        await session.execute(text("UPDATE sessions SET seen_at = now() - interval '6 minutes'"))
    assert "Max-Age" in (await gm.get(f"{BASE}/gerda/")).headers["set-cookie"]
    assert "set-cookie" not in (await gm.get(f"{BASE}/gerda/")).headers


async def _pieces(total: int) -> AsyncIterator[bytes]:
    yield b"title="
    for _ in range(total // 4096):
        yield b"x" * 4096


@pytest.mark.anyio
@pytest.mark.parametrize("announced", [True, False])
async def test_too_much_is_refused_in_words(open_browser: Open, announced: bool) -> None:
    browser = open_browser()
    headers = {"Sec-Fetch-Site": "same-origin", "Content-Type": "application/x-www-form-urlencoded"}
    body = b"title=" + b"x" * BODY if announced else _pieces(2 * BODY)
    answer = await browser.http.post("/new", content=body, headers=headers)
    assert answer.status_code == 413 and "512 kilobytes" in answer.text
    assert answer.headers["content-security-policy"] == CSP


@pytest.mark.anyio
@pytest.mark.parametrize("announced", [True, False])
async def test_what_is_much_too_much_is_read_to_its_end(announced: bool) -> None:
    """Of a file of ten megabytes, too, and of several at once: a sender who is cut short never sees the answer."""
    size, piece = 10 * 1024 * 1024, b"x" * 65536
    length = [(b"content-length", str(size).encode())] if announced else []

    async def reads(scope: dict, receive: Receive, send: Send) -> None:
        while (await receive()).get("more_body"):
            pass

    async def one() -> None:
        left, answers = size, []

        async def receive() -> dict:
            nonlocal left
            await anyio.lowlevel.checkpoint()
            left -= len(piece)
            return {"type": "http.request", "body": piece, "more_body": left > 0}

        async def send(message: dict) -> None:
            answers.append(message.get("status"))

        scope = {"type": "http", "method": "POST", "path": "/new", "query_string": b"", "headers": length}
        await BodyLimit(reads)(scope, receive, send)
        assert answers[0] == 413 and left <= 0

    async with anyio.create_task_group() as tasks:
        for _ in range(8):
            tasks.start_soon(one)


NO_FORMS = (
    ("application/json", b'{"title": "x"}', 415),
    ("text/plain", b"title=x", 415),
    ("multipart/form-data", b"no boundary", 400),
    ("multipart/form-data; boundary=x", b"--x\r\nnonsense", 422),
    ("multipart/form-data; boundary=x", b"--y\r\n\r\n--y--", 400),
    (
        "multipart/form-data; boundary=x",
        b'--x\r\nContent-Disposition: form-data; name="title"; filename="a.exe"\r\n\r\nMZ\r\n--x--\r\n',
        400,
    ),
    ("application/x-www-form-urlencoded", b"%", 422),
    ("application/x-www-form-urlencoded", b"&".join(b"a=1" for _ in range(3000)), 400),
    ("application/x-www-form-urlencoded; charset=klingon", b"title=%FF%FE", 422),
    ("", b"title=x", 415),
    ("application/x-www-form-urlencoded", b"", 422),
)


@pytest.mark.anyio
async def test_what_is_no_form_is_refused_in_words(open_browser: Open) -> None:
    browser = open_browser()
    for kind, body, status in NO_FORMS:
        headers = {"Sec-Fetch-Site": "same-origin", "Content-Type": kind}
        answer = await browser.http.post("/new", content=body, headers=headers)
        assert (answer.status_code, "<h1>" in answer.text) == (status, True), (kind, body[:40])


@pytest.mark.anyio
@pytest.mark.own_routes
async def test_a_crash_becomes_a_page_with_a_number_and_a_log_without_words(
    site: FastAPI, open_browser: Open, caplog: pytest.LogCaptureFixture
) -> None:
    @site.post("/crash/{token}")
    async def crash(request: Request, token: str) -> None:
        raise ValueError(f"the secret plan {token} {await request.body()!r}")

    with caplog.at_level(logging.ERROR):
        page = await open_browser().post("/crash/my-token", {"plan": "attack at dawn"})
    assert page.status == 500 and "Signet made a mistake" in page.text
    number = re.search(r"[0-9a-f]{12}", page.text)
    assert number is not None
    [logged] = [logs.Door().format(one) for one in caplog.records if number[0] in one.getMessage()]
    assert "ValueError" in logged and "/crash/{token}" in logged and "in crash" in logged
    for secret in ("secret plan", "my-token", "attack at dawn"):
        assert secret not in logged and secret not in caplog.text and secret not in page.html


@pytest.mark.anyio
@pytest.mark.own_routes
async def test_streams_pass_the_guards_unbuffered(site: FastAPI) -> None:
    sent: list[bytes] = []

    async def pieces() -> AsyncIterator[bytes]:
        for n in range(3):
            assert len([part for part in sent if part]) == n, "every piece is on its way before the next is made"
            yield b"piece"

    @site.get("/pieces")
    async def stream() -> StreamingResponse:
        return StreamingResponse(pieces())

    async def send(message: dict) -> None:
        if message["type"] == "http.response.body":
            sent.append(message.get("body", b""))

    async def receive() -> dict:
        await anyio.sleep_forever()
        return {"type": "http.disconnect"}

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": "/pieces",
        "raw_path": b"/pieces",
        "query_string": b"",
        "root_path": "",
        "headers": [(b"host", b"signet.test")],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
    }
    await site(scope, receive, send)
    assert b"".join(sent) == b"piecepiecepiece"


@pytest.mark.anyio
async def test_htmx_gets_an_errors_inner_part_and_leaves_the_page_alone(open_browser: Open) -> None:
    gm = open_browser()
    await found(gm)
    answer = await gm.post(f"{BASE}/gerda/people/of/nobody/remove", **{"HX-Request": "true"})
    assert answer.status == 404 and "<html" not in answer.html and "Nobody by that name" in answer.text
    assert answer.headers["hx-retarget"] == "#problem"
    closed = await open_browser().get(f"{BASE}/gerda/", **{"HX-Request": "true"})
    assert closed.status == 401 and "<html" not in closed.html


def test_rates_let_a_burst_through_and_then_one_at_a_time() -> None:
    now = [0.0]
    meter = Meter(clock=lambda: now[0])
    rate = Rate("door", 3, 30)
    assert [meter.wait(rate, "a") for _ in range(4)] == [0, 0, 0, 10]
    assert meter.wait(rate, "b") == 0
    now[0] = 10.0
    assert [meter.wait(rate, "a") for _ in range(2)] == [0, 10]
    now[0] = 100.0
    assert [meter.wait(rate, "a") for _ in range(4)] == [0, 0, 0, 10]


def test_rates_forget_keys_that_are_free_again() -> None:
    now = [0.0]
    meter = Meter(clock=lambda: now[0], most_keys=3)
    rate = Rate("door", 1, 10)
    for key in "abc":
        meter.wait(rate, key)
    now[0] = 11.0
    meter.wait(rate, "d")
    assert len(meter._free_at) == 1


@pytest.mark.parametrize("announced", [pytest.param(True, marks=pytest.mark.nightly), False])
def test_a_real_connection_brings_the_answer_to_too_much(db_url: str, tmp_path: Path, announced: bool) -> None:
    """The server reads on until the sender is done; else the sender would see a broken connection, and no words."""

    def pieces() -> Iterator[bytes]:
        for _ in range(3 * 1024 // 64):
            yield b"x" * 65536

    headers = {"Sec-Fetch-Site": "same-origin", "Content-Type": "application/x-www-form-urlencoded"}
    with servers(db_url, tmp_path) as [server], httpx2.Client(base_url=server.url) as client:
        body = b"x" * (3 * 1024 * 1024) if announced else pieces()
        answer = client.post("/new", content=body, headers=headers)
        assert answer.status_code == 413 and "512 kilobytes" in answer.text
        assert client.get("/new").status_code == 200
        assert "Traceback" not in server.log.read_text()
