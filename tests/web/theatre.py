"""A whole evening at the toy's table over real sockets, every secret word of it a canary, everything written down.

One real `signet serve` with logs as verbose as they go, on a Postgres of its own that logs each statement with its
parameters; every member's stream open; every route asked for by every role in every state of the table.
"""

import asyncio
import base64
import os
import re
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx2
import psycopg
import pytest
from sqlalchemy import make_url
from sqlalchemy.ext.asyncio import async_sessionmaker

import app.rulesets
from app.campaign import founding, seats, tokens
from app.crypto.vault import Vault
from app.db.embedded import Embedded
from app.db.engine import make_engine, migrate
from app.db.postgres_home import binaries, owner_of
from app.engine import form_text
from app.models.base import new_id
from app.models.people import Campaign, Member, Role
from app.play import decisions
from app.receipts import luck
from app.table.bus import PostgresBus
from app.table.runtime import Runtime
from tests.forking import program
from tests.selection import nightly
from tests.server import KEY, ROOT, Server, free_port
from tests.table.table import Table, sit_down
from tests.toy import TOY
from tests.web.role_matrix import SCENE, VERDICTS, address
from tests.web.searching import ACCEPTED, Canaries, Search, files_under

LOUD = {  # the most that Postgres can be made to write down
    "log_statement": "all",
    "log_min_duration_statement": "0",
    "log_duration": "on",
    "log_parameter_max_length": "-1",
    "log_parameter_max_length_on_error": "-1",
    "log_min_error_statement": "debug5",
    "log_min_messages": "debug1",
    "log_error_verbosity": "verbose",
}
LOUDLY = {"TOY_SERVER_LOUD": "yes"}
IN_DEV_MODE = {"PYTHONDEVMODE": "1"}
"""What the nightly evening runs in besides: it has asyncio tell of what is slow, and takes twice as long."""
ROLES = ("stranger", "foreign", "sam", "gm", "ann", "bea", "cyd")


KNOWN = frozenset((Path(__file__).parent / "known_routes.txt").read_text().split())
"""Pages that a nightly run has asked for in every state. A page that is not among them is asked for in all of them with
each commit, too."""
SEALED = "sealed"
"""The state in which a commit asks for each page as each role: most of what is secret is laid, nothing is opened."""
IN_EVERY_STATE = (SCENE, f"{SCENE}/as/{{seat}}")


def in_sweep(state: str, route: str) -> bool:
    """Whether this run asks for that page in that state."""
    return nightly() or state == SEALED or route in IN_EVERY_STATE or route not in KNOWN


class LoudServer(Server):
    """The real command, with the toy among its rules, and figures told at a port of their own."""

    metrics: int = 0

    def start(self) -> "LoudServer":
        env = {
            **os.environ,
            "SIGNET_KEY": base64.b64encode(KEY).decode(),
            "PYTHONPATH": str(ROOT),
        }
        env |= {"DATABASE_URL": self.database_url, **self.extra}
        self.metrics = free_port()
        env["SIGNET_METRICS"] = f"127.0.0.1:{self.metrics}"
        command = program("tests.web.toy_server", str(self.port))
        if "PYTHONDEVMODE" in self.extra:  # which a fork would come too late for
            command = [sys.executable, "-m", "tests.web.toy_server", str(self.port)]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(command, env=env, cwd=ROOT, stdout=log, stderr=log)
        self.wait()
        return self


class Stream(threading.Thread):
    """One member's open stream, byte for byte."""

    def __init__(self, url: str, cookie: str) -> None:
        super().__init__(daemon=True)
        self.client = httpx2.Client(timeout=60)
        self.url, self.cookie = url, cookie
        self.got = b""
        self.begun = 0  # how much of it came before the evening began
        self.head = ""

    def run(self) -> None:
        said = {"Cookie": f"signet={self.cookie}", "Accept-Encoding": ACCEPTED}
        with suppress(httpx2.HTTPError), self.client.stream("GET", self.url, headers=said) as answer:
            self.head = f"{answer.status_code} {answer.headers}"
            for piece in answer.iter_raw():
                self.got += piece

    def wait(self, seconds: float = 30) -> None:
        """Until the first event is in: from then on nothing is missed."""
        until = time.monotonic() + seconds
        while b"changed" not in self.got:
            assert time.monotonic() < until, f"the stream did not begin: {self.head} {self.got!r}"
            time.sleep(0.02)


@dataclass
class Answer:
    """What a role got at a route in a state of the table."""

    state: str
    role: str
    method: str
    route: str
    status: int
    head: bytes
    body: bytes
    packed: str

    def __str__(self) -> str:
        return f"{self.state}: {self.role}, {self.method} {self.route} ({self.status})"

    def found(self, search: Search) -> set[str]:
        return search(self.body, self.packed) | search(self.head)


@dataclass
class Theatre:
    place: Path
    database: Embedded
    url: str
    server: LoudServer
    table: Table
    slug: str
    foreign: str
    cookies: dict[str, str]
    canaries: Canaries = field(default_factory=Canaries)
    answers: list[Answer] = field(default_factory=list)
    streams: dict[str, Stream] = field(default_factory=dict)
    records: dict[tuple[str, str], dict[str, bytes]] = field(default_factory=dict)
    at_first: dict[str, bytes] = field(default_factory=dict)  # the files of the database before the evening
    http: httpx2.Client = field(default_factory=lambda: httpx2.Client(timeout=30))
    revisions: dict[tuple[uuid.UUID, str, str], int] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)  # what opens a seat, by what it is
    own: dict[str, set[str]] = field(default_factory=dict)  # which canaries a role may read: it typed them itself

    # ---- asking ------------------------------------------------------------------------------------------------

    def ask(
        self, role: str, method: str, path: str, data: dict[str, str] | None = None, **said: str
    ) -> httpx2.Response:
        """Ask as a role; the body stays as it came over the wire, and is in `extensions["raw"]`."""
        head = {"Accept-Encoding": ACCEPTED, "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "navigate", **said}
        if role in self.cookies:
            head["Cookie"] = "; ".join([f"signet={self.cookies[role]}", *filter(None, [head.get("Cookie")])])
        with self.http.stream(method, self.server.url + path, data=data, headers=head) as answer:
            answer.extensions["raw"] = b"".join(answer.iter_raw())
        self.http.cookies.clear()  # each role brings its own: one that is given again must not sit down with a stranger
        return answer

    def home(self, role: str) -> str:
        return (
            f"/c/{self.foreign}/gm" if role == "foreign" else f"/c/{self.slug}/{'gm' if role == 'stranger' else role}"
        )

    def at(self, role: str) -> str:
        return f"{self.home(role)}/scene/{self.table.scene}"

    def lay(self, role: str, step: str, words: dict[str, str], act: str = "seal", seen: int | None = None) -> bytes:
        """Send a scene's form as the page does; the answer's body, as wide as the browser of that role sees it."""
        key = (self.table.scene, step, role)
        known = self.revisions.get(key, 0) if seen is None else seen
        control = {"_step": step, "_seat": role, "_revision": str(known), "_request": str(uuid.uuid4()), "_act": act}
        self.own.setdefault(role, set()).update(n for n, word in self.canaries.words.items() if word in str(words))
        answer = self.ask(role, "POST", f"{self.at(role)}/lay", {**control, **words})
        if answer.status_code == 303:
            self.revisions[key] = known + 1
        raw: bytes = answer.extensions["raw"]
        return b"%d " % answer.status_code + raw

    def choose(self, role: str, step: str, ask: str, words: dict[str, str]) -> bytes:
        """Save a quiet draft as the page's script does; the answer's status and body."""
        salt, text = os.urandom(32), form_text.spell(list(words.items()))
        campaign, scene = str(self.table.campaign), str(self.table.scene)
        wax = luck.seal(campaign, scene, step, role, ask, salt, text).commitment
        place = {"_campaign": campaign, "_step": step, "_seat": role, "_ask": ask}
        self.own.setdefault(role, set()).update(n for n, word in self.canaries.words.items() if word in text)
        made = {"_words": text, "_salt": salt.hex(), "_wax": wax.hex()}
        answer = self.ask(role, "POST", f"{self.at(role)}/draft", {**place, **made})
        raw: bytes = answer.extensions["raw"]
        return b"%d " % answer.status_code + raw

    def act(self, what: str, **data: str) -> None:
        answer = self.ask("gm", "POST", f"{self.at('gm')}/act/{what}", data)
        assert answer.status_code == 303, f"{what}: {answer.status_code}"

    def let_people_in(self) -> None:
        """Every way into a seat, used once: invitation, group link, personal link, a code for one more device."""
        home = f"/c/{self.slug}"

        def behind(role: str, answer: httpx2.Response) -> httpx2.Response:
            """The page to which a change has led, with what it shows once."""
            given = "; ".join(one.split(";")[0] for one in answer.headers.get_list("set-cookie"))
            return self.ask(role, "GET", answer.headers["location"], Cookie=given)

        def link(kind: str, answer: httpx2.Response) -> str:
            found = re.search(rf"/{kind}/{self.slug}/([\w-]{{43}})".encode(), answer.extensions["raw"])
            assert found, f"{answer.status_code}: {answer.extensions['raw'][-600:]!r}"
            return found[1].decode()

        def cookie(answer: httpx2.Response) -> str:
            given = (one.split(";")[0] for one in answer.headers.get_list("set-cookie"))
            return next(one.removeprefix("signet=") for one in given if one.startswith("signet="))

        def once(name: str) -> dict[str, str]:
            self.tokens[name] = tokens.fresh()
            return {"_once": self.tokens[name]}

        t = self.tokens
        invited = self.ask("gm", "POST", f"{home}/gm/people/invite", {"role": "spectator", **once("a form's once")})
        t["invitation"] = link("join", behind("gm", invited))
        assert self.ask("", "GET", f"/join/{self.slug}/{t['invitation']}").status_code == 200
        joined = self.ask(
            "", "POST", f"/join/{self.slug}/{t['invitation']}", {"name": "Newt", **once("a guest's once")}
        )
        t["personal link"], t["cookie of a guest"] = link("enter", behind("", joined)), cookie(joined)
        assert self.ask("gm", "POST", f"{home}/gm/people/group-link").status_code == 303
        t["group link"] = link("group", self.ask("gm", "GET", f"{home}/gm/people"))
        asked = self.ask(
            "", "POST", f"/group/{self.slug}/{t['group link']}", {"name": "Nan", **once("an asker's once")}
        )
        t["cookie that waits"] = asked.headers["set-cookie"].split(";")[0].removeprefix("signet_waiting=")
        assert self.ask("gm", "POST", f"{home}/gm/people/group-link/close").status_code == 303
        renewed = self.ask("ann", "POST", f"{home}/ann/you/link", once("a link's once"))
        t["renewed link"] = link("enter", behind("ann", renewed))
        assert self.ask("", "GET", f"/enter/{self.slug}/{t['renewed link']}").status_code == 200
        t["cookie by link"] = cookie(self.ask("", "POST", f"{home}/ann/enter", {"_token": t["renewed link"]}))
        coded = behind("ann", self.ask("ann", "POST", f"{home}/ann/you/code"))
        shown = re.search(rb">([2-9A-Z]{4}-[2-9A-Z]{4})<", coded.extensions["raw"])
        assert shown
        t["code"] = shown[1].decode()
        t["cookie by code"] = cookie(self.ask("", "POST", "/code", {"campaign": self.slug, "code": t["code"]}))
        feed = self.ask("ann", "POST", f"{home}/ann/calendar/feeds/make", {"kind": "real", **once("a feed's once")})
        t["feed"] = link("feed", behind("ann", feed))
        assert self.ask("", "GET", f"/feed/{self.slug}/{t['feed']}.ics").status_code == 200
        for path in (f"/join/{self.slug}/{t['invitation']}", f"/enter/{self.slug}/{t['renewed link']}x?{t['code']}"):
            assert self.ask("", "GET", path).status_code in (200, 404)  # used up, or mistyped

    def told(self) -> dict[str, int]:
        """How many events each stream has had."""
        return {role: stream.got.count(b"data: changed") for role, stream in self.streams.items()}

    def settle(self, before: dict[str, int] | None = None, seconds: float = 30, quiet_for: float = 0.25) -> None:
        """Until every stream of this campaign has had an event since `before`, and then none for a while."""
        until = time.monotonic() + seconds
        while before and any(self.told()[role] <= count for role, count in before.items() if role != "foreign"):
            assert time.monotonic() < until, f"not every stream was told: {before}, then {self.told()}"
            time.sleep(0.02)
        last, quiet = self.told(), time.monotonic()
        while time.monotonic() - quiet < quiet_for:
            time.sleep(0.02)
            if (now := self.told()) != last:
                last, quiet = now, time.monotonic()

    def another_scene(self, **settings: Any) -> None:
        """From now on everything is about a new scene."""
        asyncio.run(_open(self.url, self.table, settings))

    def sweep(
        self, state: str, methods: tuple[str, ...] = ("GET",), roles: tuple[str, ...] = ROLES, every: bool = True
    ) -> None:
        """Every route as every role, as far as `in_sweep` goes; pages that are the same for everybody once, as a
        stranger, or not at all."""
        for method, route in VERDICTS:
            if VERDICTS[method, route] == "all" and not every:
                continue
            if method not in methods or route in ("/try/{key}", "/practice") or VERDICTS[method, route] == "stream":
                continue
            for role in roles if VERDICTS[method, route] != "all" else ("stranger",):
                if method == "GET" and not in_sweep(state, route):
                    continue
                for seat in ("ann", "bea", "cyd", "spectator") if "{seat}" in route and role == "gm" else ("ann",):
                    self._ask_for(state, role, method, route, seat)

    def _ask_for(self, state: str, role: str, method: str, route: str, seat: str) -> None:
        # A GM who changes or removes somebody does it to Zoe, whom nobody needs.
        who = "ann" if method == "GET" else "zoe"
        handle = self.home(role).rsplit("/", 1)[1]
        slug = self.foreign if role == "foreign" else self.slug
        parts: dict[str, Any] = {"who": who, "seat": seat}
        path = address(route, slug=slug, handle=handle, scene_id=self.table.scene, **parts)
        got = self.ask(role, method, path, {"x": "y"} if method == "POST" else None)
        # A cookie is given again, to its owner, when it has not been for five minutes.
        again = f"signet={self.cookies.get(role)};"
        given = [(name, value) for name, value in got.headers.multi_items() if not value.startswith(again)]
        head = str(given).encode()
        packed = got.headers.get("content-encoding", "")
        self.answers.append(Answer(state, role, method, route, got.status_code, head, got.extensions["raw"], packed))
        if (method, route) == ("GET", f"{SCENE}/live"):
            self._look_again(state, role, path, got)

    def _look_again(self, state: str, role: str, path: str, live: httpx2.Response) -> None:
        """What an open page gets that tells what it shows: blocks, where it has a mark."""
        shown = re.search(rb'data-shown="([0-9a-f]*)"', live.extensions["raw"])
        if shown is None:
            return
        said = {"HX-Request": "true", "Signet-Shown": shown[1].decode()}
        got = self.ask(role, "GET", path, **said)
        assert (b"<hx-partial" in got.extensions["raw"]) == bool(shown[1]), f"{state}: {role} got {got.status_code}"
        head = str(got.headers.multi_items()).encode()
        raw, packed = got.extensions["raw"], got.headers.get("content-encoding", "")
        self.answers.append(Answer(state, role, "GET", f"{SCENE}/live", got.status_code, head, raw, packed))

    # ---- what is written down ----------------------------------------------------------------------------------

    def record(self, when: str) -> None:
        """Everything that was written so far: logs, a dump, the database files that the evening has changed."""
        time.sleep(0.3)  # Postgres' own log is written by a process of its own
        with psycopg.connect(self.plain_url, autocommit=True) as admin:
            admin.execute("CHECKPOINT")
        self.records[when, "server log"] = {"server.log": self.server.log.read_bytes()}
        self.records[when, "postgres log"] = {"postgres.log": self.database.log.read_bytes()}
        self.records[when, "dump"] = {"dump.sql": self.dump()}
        files = files_under(self.database.cluster)
        self.records[when, "files"] = {name: body for name, body in files if body != self.at_first.get(name)}
        figures = self.http.get(f"http://127.0.0.1:{self.server.metrics}/metrics")
        self.records[when, "figures"] = {"metrics": figures.read() + str(figures.headers).encode()}
        self.records[when, "streams"] = {role: s.got + s.head.encode() for role, s in self.streams.items()}

    @property
    def plain_url(self) -> str:
        return make_url(self.url).set(drivername="postgresql").render_as_string(hide_password=False)

    def dump(self) -> bytes:
        """The whole database as SQL, as a thief of a back-up has it."""
        owner = owner_of(self.database.data, self.database.cluster)
        tool = binaries(self.database.data, owner) / "pg_dump"
        done = subprocess.run([tool, "--inserts", self.plain_url], capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout


@contextmanager
def theatre(*, loud: bool = True, **settings: Any) -> Iterator[Theatre]:
    """The table laid: members seated, a scene open, the server up, a stream open in each seat."""
    with ExitStack() as stack:
        place = Path(stack.enter_context(TemporaryDirectory(prefix="sgn", ignore_cleanup_errors=True)))
        place.chmod(0o755)  # as root the database runs as another user, who must reach it
        database = Embedded(place / "pg")
        here = stack.enter_context(pytest.MonkeyPatch.context())
        here.setattr(app.rulesets, "RULESETS", (*app.rulesets.RULESETS, TOY))
        url = database.start()
        stack.callback(database.stop)
        migrate(url)
        at_first = dict(files_under(database.cluster)) if loud else {}
        plain = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
        with psycopg.connect(plain, autocommit=True) as admin:
            for name, value in LOUD.items() if loud else ():
                admin.execute(f"ALTER ROLE signet SET {name} = '{value}'")
        table, slug, foreign, cookies = asyncio.run(_furnish(url, settings))
        server = LoudServer(url, place / "server.log", (LOUDLY | IN_DEV_MODE if nightly() else LOUDLY) if loud else {})
        server.start()
        stack.callback(server.stop)
        night = Theatre(place, database, url, server, table, slug, foreign, cookies)
        night.at_first = at_first
        stack.callback(night.http.close)
        for role in cookies:
            night.streams[role] = Stream(f"{server.url}{night.home(role)}/stream", cookies[role])
            night.streams[role].start()
        for stream in night.streams.values():
            stream.wait()
        night.settle(quiet_for=1)  # a stream that begins may be told once more by the first look at the counters
        for stream in night.streams.values():
            stream.begun = len(stream.got)
        yield night


@asynccontextmanager
async def _runtime(url: str) -> AsyncIterator[Runtime]:
    engine = make_engine(url)
    runtime = Runtime(
        async_sessionmaker(engine, expire_on_commit=False), Vault([KEY]), PostgresBus(url), decisions.after
    )
    try:
        yield runtime
    finally:
        await runtime.bus.close()
        await engine.dispose()


async def _furnish(url: str, settings: dict[str, Any]) -> tuple[Table, str, str, dict[str, str]]:
    async with _runtime(url) as runtime:
        table = await sit_down(runtime)
        cookies = {role: tokens.fresh() for role in table.people}
        async with runtime.sessions.begin() as session:
            campaign = await session.get_one(Campaign, table.campaign)
            campaign.settings = {"ruleset": "toy"}
            zoe = Member(campaign_id=table.campaign, id=new_id(), handle="zoe", name="Zoe", role=Role.SPECTATOR)
            session.add(zoe)
            for role, member in table.people.items():
                await seats.sit_down(session, member, "test", cookies[role])
            other = await founding.found_campaign(session, "Elsewhere", "whiskey", "GM", "test")
            cookies["foreign"] = other.token
        await table.open(**settings)
        return table, campaign.slug, other.campaign.slug, cookies


async def _open(url: str, table: Table, settings: dict[str, Any]) -> None:
    async with _runtime(url) as runtime:
        table.runtime = runtime
        await table.open(held="fresh", **settings)
