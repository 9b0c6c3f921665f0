"""A very small live site for the browser modules: one page, one live part, one form that keeps what is typed."""

import asyncio
import os
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from markupsafe import Markup
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.base import BaseHTTPMiddleware, RequestResponseEndpoint
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from app.web.drawing.page_fragments import kept_element, without

STATIC = Path(__file__).resolve().parent.parent.parent / "static"
CSP = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'"


class Site:
    """What the page shows; tests change it through /control, and every change is told to all streams."""

    def __init__(self) -> None:
        self.shown: dict[str, str] = {
            "text": os.environ.get("SITE_TEXT", "first"),
            "version": "a/0",
            "awaited": "no",
            "stops": "",
            "reveal": "",
            "film": "",
            "due": "",
            "form": "yes",
            "rounds": "",
            "piece": "",
        }
        self.log_asked: list[str] = []
        self.films_asked: list[str] = []
        self.left_out = 0  # bytes of pieces that were not sent
        self.over = False  # nobody is signed in any more
        self.live_status = 200
        self.answer_status = 200
        self.let_go = asyncio.Event()  # while it is not set, the second half of the live part and sent forms wait
        self.let_go.set()
        self.sent: list[dict[str, str]] = []
        self.live_asked = 0
        self.awaits_asked = 0
        self.listeners: set[asyncio.Event] = set()

    @property
    def held(self) -> bool:
        return not self.let_go.is_set()

    @held.setter
    def held(self, held: bool) -> None:
        (self.let_go.clear if held else self.let_go.set)()

    def tell(self) -> None:
        for listener in self.listeners:
            listener.set()

    def begin_anew(self) -> None:
        """As at the start, but for the streams that are open."""
        listeners = self.listeners
        self.let_go.set()
        self.__init__()
        self.shown["text"] = "first"
        self.listeners = listeners


site = Site()


def told(key: str) -> str:
    """A closed step in the log, and the table as it is after it."""
    return f"""<div class="table-side"><div class="stage"><p data-piece="bob" id="on-board">the end</p></div></div>
      <div class="dock"></div><section id="log" data-films="/film"><section class="chapter" data-film="{key}"
      id="chapter"><ol class="events"><li id="e7">line7</li></ol><button type="button" data-film-play="{key}"
      id="replay" hidden>Again</button></section></section>"""


def film(request: Request) -> Response:
    """Three frames: sealed, a clash, and a fall."""
    site.films_asked.append(request.query_params["step"])
    if site.shown["film"] == "none":
        return JSONResponse({"most": 12_000, "longest": None, "frames": []})
    longest = int(site.shown["film"]) if site.shown["film"] else None
    card = {"what": "falls", "title": "Bob goes down", "event": 9, "piece": "bob", "mine": True, "then": "Talk."}
    mark = {"piece": "bob", "text": "−4", "tone": "hurt"}
    told = (("", "sealed", [], []), ("Clash", "met", [], []), ("Wounds", "down", [mark], [card]))
    frames = [
        {
            "step": request.query_params["step"],
            "title": title,
            "edits": [[0, 0, f'<div class="stage">\n<p data-piece="bob">{text}</p>\n</div>']]
            if place == 0
            else [[1, 2, f'<p data-piece="bob">{text}</p>']],
            "lines": f'<p>{text}<a class="why" href="/why/9">Why?</a></p>' if title else "",
            "marks": marks,
            "cards": cards,
        }
        for place, (title, text, marks, cards) in enumerate(told)
    ]
    return JSONResponse({"most": 12_000, "longest": longest, "frames": frames})


def rounds() -> str:
    """Three rounds of a log: earlier ones, one that is fetched when it is opened, and the newest."""
    return """<section id="log" data-lines="/log"><details class="round earlier" data-last="2"><summary>Earlier
      </summary><div class="told"><a href="/log" hx-get="/log?before=2" hx-target="closest .told"
      hx-swap="outerHTML">Story</a></div></details>
      <details class="round" id="round-2" data-first="3" data-last="4"><summary>Round 2</summary>
      <div class="told" id="told-2"><a href="/log" hx-get="/log?round=2" hx-target="closest .told"
      hx-swap="outerHTML">Show</a></div></details></section>"""


def log(request: Request) -> Response:
    site.log_asked.append(str(request.query_params))
    if "hx-request" not in request.headers:
        return page(request)
    return HTMLResponse("""<div class="told" id="told-2" hx-morph-skip><section class="chapter" data-film="old"><ol
      class="events"><li id="e3">one</li><li id="e4">two</li></ol></section></div>""")


def clock() -> str:
    now = datetime.now(UTC)
    due = now + timedelta(seconds=float(site.shown["due"]))
    return f'<time id="clock" data-due="{due.isoformat()}" data-now="{now.isoformat()}">{due:%H:%M:%S} UTC</time>'


def form(fault: str = "", typed: str = "") -> str:
    """With what was typed, as a refusal gives it back; "plain": without htmx, so that the whole page is the answer."""
    said = f'<p class="fault">{fault}</p>' if fault else ""
    htmx = "" if site.shown["form"] == "plain" else 'hx-post="/send" hx-target="#live" hx-swap="outerMorph"'
    return f"""<form id="declare" method="post" action="/send" {htmx}
      data-keep data-version="{site.shown["version"]}" data-typed="/ {site.shown["version"]}">
      {said}<input type="hidden" name="_request" value="">
      <textarea name="plan" id="plan">{typed}</textarea><input type="radio" name="hand" value="left"><input type="radio"
      name="hand" value="right"><select name="how"><option>slow, {site.shown["text"]}
      <option>fast, {site.shown["text"]}</select>
      <span data-unsaved-note hidden>not sealed yet</span><button data-key="s">Seal it</button></form>"""


TABLE = """<div class="table-side"><div class="stage"><p data-piece="bob" id="on-board">before</p></div></div>
  <div class="dock"></div><section id="log" data-films="/film"></section>"""


def live(fault: str = "", wrong: str = "", typed: str = "") -> str:
    shown = site.shown
    stops = f'data-stops="{shown["stops"]}"' if shown["stops"] else ""
    return f"""<div id="live" hx-get="/live" hx-trigger="signet:changed from:body" hx-swap="outerMorph"
      data-awaited="{shown["awaited"]}" {stops}><p id="text">{shown["text"]}</p>
      {f'<p class="notice bad" role="alert" id="notice">{wrong}</p>' if wrong else ""}
      {clock() if shown["due"] else ""}{form(fault, typed) if shown["form"] != "no" else ""}
      {piece() if shown["piece"] else ""}
      <details id="more"><summary>More</summary><p>more</p></details>
      {rounds() if shown["rounds"] else told(shown["reveal"]) if shown["reveal"] else TABLE}</div>"""


def piece() -> str:
    """A drawing that stays the same, with a word that may change."""
    inner = Markup(f'<path d="M0 0l14 8 14-8 14 8"/><text id="drawn">{site.shown["piece"]}</text>')
    return str(kept_element("svg", caller=lambda: inner, width=40))


def page(request: Request, part: str | None = None, refused_at: str = "") -> Response:
    if site.over:
        return HTMLResponse("<!doctype html><title>Closed</title>", status_code=401)
    refused = f'data-refused="{refused_at}"' if refused_at else ""
    return HTMLResponse(
        status_code=409 if refused else 200,
        content=f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Small</title>
<meta name="htmx-config" content='{{"includeIndicatorCSS":false}}'>
<script src="/static/js/theme-early.js"></script>
<link rel="icon" href="/static/seal.svg" data-calm="/static/seal.svg" data-awaited="/static/seal-awaited.svg">
<link rel="stylesheet" href="/static/css/fonts.css"><link rel="stylesheet" href="/static/css/signet.css">
<script src="/static/vendor/htmx.org/4.0.1/htmx.min.js" defer></script>
<script type="module" src="/static/js/main.js"></script>
<script type="module" src="/static/js/rounds.js"></script></head>
<body {refused} data-stream="/stream" data-awaits="/awaits"><p id="connection" hidden>Connection lost. Trying again…</p>
<button type="button" data-theme-toggle hidden>Theme</button>
<button type="button" data-sound-toggle hidden>Bell</button>
<button type="button" data-copy="#text" hidden>Copy</button>
<time id="when" datetime="2026-11-21T20:15:00+00:00" data-local="both">20:15 UTC</time>
<form id="end" method="post" action="/send" hx-post="/send" hx-target="#live" hx-swap="outerMorph"
  data-confirm="End it?"><button id="ender">End it now</button></form>
<main id="main">{part or live()}</main><div id="announce" role="log"></div></body></html>""",
    )


def front(request: Request) -> Response:
    return page(request)


def live_part(request: Request) -> Response:
    site.live_asked += 1
    # With a title, as a page has that fetches itself anew: htmx puts it in after everything else.
    whole = f"<title>Small</title>{live()}" if site.live_status < 400 else "<h1>Broken</h1>"
    text = without(whole, set(request.headers.get("signet-kept", "").split()))
    site.left_out += len(whole) - len(text)

    async def halves() -> AsyncIterator[str]:
        yield text[: len(text) // 2]
        await site.let_go.wait()
        yield text[len(text) // 2 :]

    return StreamingResponse(halves(), site.live_status, media_type="text/html")


async def send(request: Request) -> Response:
    sent = await request.form()
    site.sent.append({name: str(value) for name, value in sent.items()})
    await site.let_go.wait()
    if site.answer_status == 422:
        return HTMLResponse(live(fault="Too short."), status_code=422)
    if site.answer_status == 409:
        part = live(wrong="Someone was faster.", typed=str(sent["plan"]))
        whole = "hx-request" not in request.headers
        return page(request, part, "/send") if whole else HTMLResponse(part, status_code=409)
    if site.answer_status == 503:
        told = '<div class="notice bad stack"><p><strong>Nothing was changed.</strong> Send it again.</p></div>'
        return HTMLResponse(told, status_code=503)
    if site.answer_status >= 400:
        return HTMLResponse("<h1>Broken</h1>", status_code=site.answer_status)
    site.shown["version"] = f"a/{len(site.sent)}"
    site.tell()
    return HTMLResponse(live())


async def stream(request: Request) -> Response:
    if site.over:
        return Response(status_code=401)

    async def hints() -> AsyncIterator[ServerSentEvent]:
        mine = asyncio.Event()
        site.listeners.add(mine)
        try:
            yield ServerSentEvent(data="changed")
            while True:
                await mine.wait()
                mine.clear()
                if site.over:
                    yield ServerSentEvent(event="closed", data="closed")
                    return
                yield ServerSentEvent(data="changed")
        finally:
            site.listeners.discard(mine)

    return EventSourceResponse(hints())


def awaits(request: Request) -> Response:
    site.awaits_asked += 1
    if site.over:
        return Response(status_code=401)
    stops = [{"where": "The bridge", "call": "Someone would like to stop here"}] * int(site.shown["stops"] or 0)
    return JSONResponse({"awaited": site.shown["awaited"] == "yes", "line": "Declare.", "stops": stops})


async def control(request: Request) -> Response:
    """Set what is shown or how the site behaves, tell the streams (unless `quiet`), and say how things stand."""
    given = await request.json()
    if given.pop("anew", False):
        site.begin_anew()
    quiet = given.pop("quiet", False)
    times = given.pop("times", 1)
    for name, value in given.items():
        if name in site.shown:
            site.shown[name] = value
        else:
            setattr(site, name, value)
    for _ in range(0 if quiet else times):
        site.tell()
        await asyncio.sleep(0.005)
    names = ("sent", "live_asked", "awaits_asked", "log_asked", "films_asked", "left_out")
    return JSONResponse({name: getattr(site, name) for name in names} | {"streams": len(site.listeners)})


class Guard(BaseHTTPMiddleware):
    async def dispatch(self, request: Request, call_next: RequestResponseEndpoint) -> Response:
        response = await call_next(request)
        response.headers["Content-Security-Policy"] = CSP
        return response


app = Starlette(
    routes=[
        Route("/", front),
        Route("/live", live_part),
        Route("/log", log),
        Route("/film", film),
        Route("/send", send, methods=["POST"]),
        Route("/stream", stream),
        Route("/awaits", awaits),
        Route("/control", control, methods=["POST"]),
        Mount("/static", StaticFiles(directory=STATIC)),
    ],
    middleware=[Middleware(Guard)],
)
