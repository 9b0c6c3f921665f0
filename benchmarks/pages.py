"""The scene page against a bare page of the same size, and the size of a browser's first load."""

import asyncio
import gzip
import http.client
import re
import statistics
from collections.abc import Iterator
from html.parser import HTMLParser
from urllib.parse import urljoin

from benchmarks import ground, presses, tables
from benchmarks.figures import Figure
from benchmarks.ground import Server
from benchmarks.tables import Chair

CONNECTIONS = 16
TABLES = 20
MOST_BYTES = 90_000


def figures(*, quick: bool = False, count: int = TABLES) -> Iterator[Figure]:
    """Yields pages per second, and bytes of a first load."""
    rounds, seconds = (1, 3.0) if quick else (3, 6.0)
    ground.tool("wrk")
    rates: list[tuple[float, float]] = []
    floors: list[tuple[float, float]] = []
    with ground.database() as url:
        chairs = [table.players[1] for table in asyncio.run(tables.lay_tables(url, count))]
        with ground.signet(url) as server:
            size, loaded = _get(server, chairs[0].page, chairs[0])[1], first_load(server, chairs[0])
            with ground.bare("page", SIZE=str(size)) as floor:
                for _ in range(rounds):
                    presses.look(server, chairs, 1, CONNECTIONS)
                    rates.append(_rate(server, [(chair.page, chair.cookie) for chair in chairs], seconds))
                    floors.append(_rate(floor, [("/page", "")], seconds))
    ratio = statistics.median(rate / floor for (rate, _), (floor, _) in zip(rates, floors, strict=True))
    (rate, work), (least, less) = (map(statistics.median, zip(*each, strict=True)) for each in (rates, floors))
    yield Figure(name=f"Scene page of {size / 1000:.0f} kB, kept", measured=f"{rate:,.0f}/s",
                 floor=f"{least:,.0f}/s (bare page)", ratio=ratio, at_least=0.25,
                 work=work, floor_work=less)  # fmt: skip
    total = sum(loaded.values())
    yield Figure(name=f"First load, compressed: {len(loaded)} files", measured=f"{total / 1000:.1f} kB",
                 floor=f"{MOST_BYTES / 1000:.0f} kB allowed", ratio=total / MOST_BYTES, at_most=1.0)  # fmt: skip
    sent = total - loaded[chairs[0].page] + size
    yield Figure(name="First load as it is sent, the page not compressed", measured=f"{sent / 1000:.1f} kB")


def _rate(server: Server, asked: list[tuple[str, str]], seconds: float) -> tuple[float, float]:
    """Returns pages per second, and the processor time of one."""
    before = server.work()
    pressed = presses.paths(server, asked, seconds, CONNECTIONS)
    if pressed.failed or pressed.refused:
        raise RuntimeError(f"{pressed.failed} pages had no answer, {pressed.refused} were refused")
    return pressed.a_second, (server.work() - before) / max(1, pressed.count)


def _get(server: Server, path: str, chair: Chair) -> tuple[int, int, bytes]:
    """Returns status, bytes on the wire, and content."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    try:
        connection.request("GET", path, headers={"Cookie": chair.cookie, "Accept-Encoding": "gzip"})
        answer = connection.getresponse()
        body = answer.read()
        packed = answer.getheader("Content-Encoding") == "gzip"
        return answer.status, len(body), gzip.decompress(body) if packed else body
    finally:
        connection.close()


class _Links(HTMLParser):
    """Collects the files that a page makes a browser load at once, and the signs that it may show."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.shown: set[int] = set()

    def handle_data(self, data: str) -> None:
        self.shown |= {*map(ord, data)}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.shown |= {ord(sign) for name in ("value", "placeholder", "alt") for sign in given.get(name) or ""}
        rel = (given.get("rel") or "").split()
        if tag == "script" and given.get("src"):
            self.found.append(given["src"] or "")
        elif tag == "link" and {"stylesheet", "icon", "preload", "modulepreload", "manifest"} & set(rel):
            self.found.append(given.get("href") or "")
        elif tag == "img" and given.get("loading") != "lazy" and given.get("src"):
            self.found.append(given["src"] or "")
        elif tag == "use" and given.get("href"):
            self.found.append((given["href"] or "").partition("#")[0])


ASKED = re.compile(r"""url\(["']?([^"')]+)|^(?:import|export)\b[^"'\n]*["']([./][^"']+\.js)["']""", re.MULTILINE)


FACE = re.compile(r"@font-face\s*{[^}]*}")
RANGE = re.compile(r"U\+([0-9A-F]+)(?:-([0-9A-F]+))?")


def _used(text: str, shown: set[int]) -> str:
    """Returns a style sheet without the fonts that a browser does not load: the page has none of their characters."""

    def kept(face: re.Match[str]) -> str:
        ranges = [(int(low, 16), int(high or low, 16)) for low, high in RANGE.findall(face[0])]
        return face[0] if not ranges or any(low <= sign <= high for sign in shown for low, high in ranges) else ""

    return FACE.sub(kept, text)


def first_load(server: Server, chair: Chair) -> dict[str, int]:
    """Returns address -> bytes on the wire for the page and all that it and its parts load, everything compressed. The
    page itself is sent uncompressed, since its length must not disclose its contents: `figures` shows that apart.

    Counts rather too much than too little: every picture that a style sheet names, and every font with a character of
    the page, used or not. Scripts that another script loads only when it needs them (`import(…)`) do not count.
    """
    loaded: dict[str, int] = {}
    shown: set[int] = set()
    wanted = [chair.page]
    while wanted:
        path = wanted.pop()
        if path in loaded or path.startswith(("data:", "#")) or not path:
            continue
        status, loaded[path], body = _get(server, path, chair)
        if path == chair.page:
            loaded[path] = len(gzip.compress(body))
        if status != 200:
            raise RuntimeError(f"{path} was answered with {status}")
        if path == chair.page:
            links = _Links()
            links.feed(body.decode())
            shown = links.shown
            wanted += [urljoin(path, link) for link in links.found if not link.startswith("data:")]
        elif path.endswith((".css", ".js")):
            named = (one or two for one, two in ASKED.findall(_used(body.decode(), shown)))
            wanted += [urljoin(path, name) for name in named if not name.startswith(("data:", "#"))]
    return loaded
