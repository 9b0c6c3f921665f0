"""Nothing of a sealed declaration is anywhere before the reveal: pages, streams, logs, dumps, the database's own files.

One evening is played in a real server (`tests/web/theatre.py`); what was said and written meanwhile is then searched
for every secret word, in every spelling and packing (`tests/web/searching.py`).
"""

import re
from collections.abc import Callable, Iterator

import psycopg
import pytest
from fastapi import FastAPI
from sqlalchemy import make_url

from tests.arcana_fight import lay
from tests.selection import nightly
from tests.web.browser import Browser
from tests.web.role_matrix import SCENE, VERDICTS, address
from tests.web.searching import Canaries, Search, opened, planted
from tests.web.seated_fight import Fight, seated
from tests.web.test_arcana_secrets import HOLD, Night, of
from tests.web.theatre import KNOWN, ROLES, SEALED, Theatre, in_sweep, theatre

KNOCK, AGAIN, NEXT = "r1/knock", "r1/knock-2", "r2/knock"
SHOWN = {"ann's last", "bea's last"}
"""Sealed and opened with everything else; all other canaries are never anybody's but their authors'."""
ENDS = {"theft"}
"""Of the hidden seat: its holder and the GM may read it once it is in, others perhaps when the scene is over."""
WHISPERS = {"whisper to ann", "ann's whisper"}
"""Between the GM and Ann, who read them for ever; where the GM sees the scene as somebody else, they are not shown."""
ROLLS = {"secret roll"}
"""Read by GMs at once, on pages of their own, and by all when the scene is over."""
STATES = ("nothing sealed", "sealed", "taken back", "withdrawn", "paused", "stuck", "stuck late", "opened", "over")
PLACES = ("server log", "postgres log", "dump", "files", "streams", "figures")


def knock(canary: str, times: int = 1) -> dict[str, str]:
    return {"times": str(times), "note": canary}


@pytest.fixture(scope="module")
def evening() -> Iterator[Theatre]:
    with theatre(rounds=2, explode=True) as night:
        night.let_people_in()
        night.sweep("nothing sealed")
        _seal(night)
        night.sweep(SEALED)
        night.sweep(SEALED, ("POST",), ("stranger", "foreign", "sam", "cyd"))
        _take_back(night)
        _pause(night)
        scene = night.table.scene
        _get_stuck(night)
        night.table.scene = scene
        night.record("before")
        _open(night)
        night.record("after")
        yield night


def _seal(night: Theatre) -> None:
    """Seals, drafts and everything that can be refused; words between the GM and one seat; a secret roll."""
    c = night.canaries
    _whisper(night)
    _roll(night)
    told = night.told()
    for name in ("chosen first", "chosen last"):
        assert night.choose("ann", KNOCK, "knock", knock(c[name])) == b"204 "
    assert night.choose("cyd", "r1/steal", "steal", {"what": c["hidden choice"]}) == b"204 "
    assert night.choose("bea", KNOCK, "knock", knock("x" * 70000 + c["chosen too long"])).startswith(b"422 ")
    night.settle()
    assert night.told() == told, "a quiet draft woke somebody"
    assert night.lay("ann", KNOCK, knock(c["replaced"])).startswith(b"303")
    assert night.lay("ann", KNOCK, knock(c["taken back"])).startswith(b"303")
    assert night.lay("bea", KNOCK, knock(c["draft"]), "draft").startswith(b"303")
    assert night.lay("cyd", "r1/steal", {"what": c["hidden draft"]}, "draft").startswith(b"303")
    assert night.lay("cyd", "r1/steal", {"what": c["theft"]}).startswith(b"303")
    kept = {
        "refused": (422, night.lay("bea", KNOCK, knock(c["refused"], 5))),
        "no number": (422, night.lay("bea", KNOCK, {"times": c["no number"], "note": ""})),
        "too long": (422, night.lay("bea", KNOCK, knock(c["too long"] + "x" * 2000))),
        "stale": (409, night.lay("bea", KNOCK, knock(c["stale"]), seen=7)),
        "rules broke": (500, night.lay("bea", KNOCK, knock("boom:" + c["rules broke"]))),
    }
    with psycopg.connect(night.plain_url, autocommit=True) as admin:
        admin.execute("ALTER TABLE envelopes ADD CONSTRAINT broken CHECK (revision < 0) NOT VALID")
        kept["database broke"] = (500, night.lay("bea", KNOCK, knock(c["database broke"])))
        admin.execute("ALTER TABLE envelopes DROP CONSTRAINT broken")
        admin.execute("ALTER TABLE envelopes ALTER box TYPE bytea USING box, ADD CHECK (length(box) < 9) NOT VALID")
        assert night.choose("ann", KNOCK, "knock", knock(c["chosen late"])).startswith(b"409 ")
        kept["row shown"] = (500, night.lay("bea", KNOCK, knock(c["row shown"]), "draft"))
        admin.execute("ALTER TABLE envelopes DROP CONSTRAINT envelopes_box_check")
    for name, (status, answer) in kept.items():
        assert answer.startswith(b"%d " % status), f"{name}: {answer[:40]!r}"
        assert c[name].encode() in answer, f"{name}: what was typed is lost"


def _whisper(night: Theatre) -> None:
    for who, name in (("gm", "whisper to ann"), ("ann", "ann's whisper")):
        said = night.ask(who, "POST", f"{night.at(who)}/say", {"said": night.canaries[name], "to": "ann"})
        assert said.status_code == 303
    for who in ("gm", "ann"):
        night.own.setdefault(who, set()).update(WHISPERS)
    refused = night.ask("bea", "POST", f"{night.at('bea')}/say", {"said": night.canaries["bea's whisper"], "to": "ann"})
    assert refused.status_code == 422 and night.canaries["bea's whisper"].encode() in refused.extensions["raw"]


def _roll(night: Theatre) -> None:
    """The second one, as the sweep shows the first to everybody."""
    for purpose, seen in (("Who hears it?", "0"), (night.canaries["secret roll"], "1")):
        typed = {"purpose": purpose, "formula": "2d10+3", "after": seen}
        assert night.ask("gm", "POST", f"{night.at('gm')}/rolls", typed).status_code == 303
    night.own["gm"].update(ROLLS, {"refused roll"})
    typed = {"purpose": night.canaries["refused roll"], "formula": "d"}
    refused = night.ask("gm", "POST", f"{night.at('gm')}/rolls", typed)
    assert refused.status_code == 422 and night.canaries["refused roll"].encode() in refused.extensions["raw"]


def _take_back(night: Theatre) -> None:
    c = night.canaries
    assert night.lay("ann", KNOCK, {}, "take_back").startswith(b"303")
    night.sweep("taken back")
    assert night.lay("ann", KNOCK, knock(c["withdrawn"])).startswith(b"303")
    assert night.lay("gm", "bell/0", {"loud": "yes"}).startswith(b"303")
    night.sweep("withdrawn")


def _pause(night: Theatre) -> None:
    """Everybody has sealed, and nothing opens."""
    night.act("pause")
    for who in ("ann", "bea"):
        assert night.lay(who, AGAIN, knock(night.canaries[f"{who}'s last"])).startswith(b"303")
    night.sweep("paused")
    night.sweep("paused", ("POST",), ("gm",))


def _get_stuck(night: Theatre) -> None:
    """The rules fail with all declarations in hand: in the middle of the reveal, and when it was nearly over."""
    for state, times in (("stuck", 66), ("stuck late", 67)):
        night.another_scene(explode=True, thief=False)
        assert night.lay("ann", KNOCK, knock(night.canaries[state], times)).startswith(b"303")
        assert night.lay("bea", KNOCK, knock(night.canaries[f"{state} too"], 0)).startswith(b"303")
        assert b"could not be opened" in night.ask("sam", "GET", night.at("sam")).extensions["raw"]
        night.sweep(state)


def _open(night: Theatre) -> None:
    night.act("go-on")
    night.sweep("opened")
    for who in ("ann", "bea"):
        assert night.lay(who, NEXT, knock("")).startswith(b"303")
    assert b"This scene is over" in night.ask("sam", "GET", night.at("sam")).extensions["raw"]
    night.sweep("over")


# ---- the searches ---------------------------------------------------------------------------------------------------


def test_the_search_finds_whatever_is_planted() -> None:
    canaries = Canaries()
    search, other = Canaries({"it": canaries["it"]}).search(), Canaries({"not": canaries["not"]}).search()
    for what, body, packed in planted(canaries["it"]):
        assert search(body, packed), f"{what} was overlooked"
        assert not other(body, packed), f"{what} was taken for another word"


def test_what_cannot_be_looked_into_does_not_pass() -> None:
    with pytest.raises(AssertionError, match="cannot read"):
        opened(b"anything", "br")


def test_every_route_was_asked_for(evening: Theatre) -> None:
    """The evening went as planned: else nothing below proves anything."""
    asked = {(a.state, a.route, a.role) for a in evening.answers if a.method == "GET"}
    wanted = {
        (state, route, role)
        for state in STATES
        for (method, route), verdict in VERDICTS.items()
        if method == "GET" and verdict != "stream"
        for role in (ROLES if verdict != "all" else ("stranger",))
        if in_sweep(state, route)
    }
    assert asked == wanted
    pages = {route for (method, route), verdict in VERDICTS.items() if method == "GET" and verdict != "stream"}
    assert {route for _, route, _ in asked} == pages, "each page at least once"
    posted = {a.route for a in evening.answers if a.method == "POST"}
    assert posted == {route for (method, route), _ in VERDICTS.items() if method == "POST"} - {
        "/try/{key}",
        "/practice",
    }
    assert [str(a) for a in evening.answers if a.status >= 500] == []
    seated = [a for a in evening.answers if a.route == SCENE and a.role in ("gm", "ann", "bea", "cyd", "sam")]
    assert {a.status for a in seated} == {200}


def test_the_list_of_pages_that_a_night_has_asked_for_in_every_state() -> None:
    """It names no page that is gone. A page that is new is added once a night has asked for it."""
    pages = {route for (method, route), verdict in VERDICTS.items() if method == "GET" and verdict != "stream"}
    assert sorted(KNOWN - pages) == []
    if nightly():
        assert sorted(pages - KNOWN) == [], "add these to tests/web/known_routes.txt if this night is green"


def test_no_page_shows_anothers_words_before_the_reveal(evening: Theatre) -> None:
    leaks = []
    for answer in evening.answers:
        late = SHOWN | ENDS | ROLLS if answer.state == "over" else SHOWN if answer.state == "opened" else set()
        mine = evening.own.get(answer.role, set()) | (ENDS if answer.role == "gm" else set())
        mine -= WHISPERS | ROLLS if "/as/{seat}" in answer.route else set()
        secret = set(evening.canaries.words) - late - mine
        leaks += [f"{answer}: {hit}" for hit in answer.found(evening.canaries.search(secret))]
    assert leaks == []


def test_authors_read_their_own_words_and_everybody_what_was_opened(evening: Theatre) -> None:
    """The same search over the same answers does find what may be there."""

    def readers(state: str, name: str) -> set[str]:
        search = evening.canaries.search([name])
        return {a.role for a in evening.answers if a.state == state and a.route == SCENE and a.found(search)}

    assert readers("sealed", "taken back") == readers("taken back", "taken back") == {"ann"}
    assert readers("sealed", "draft") == {"bea"}
    assert readers("withdrawn", "withdrawn") == {"ann"}
    assert readers("sealed", "theft") == {"cyd", "gm"}
    assert readers("paused", "ann's last") == {"ann"}
    assert readers("stuck", "stuck too") <= {"bea"}
    assert readers("opened", "ann's last") == {"ann", "bea", "cyd", "gm", "sam"}
    assert readers("sealed", "whisper to ann") == readers("over", "ann's whisper") == {"ann", "gm"}
    route, log = f"{SCENE}/as/{{seat}}", evening.canaries.search(["ann's last"])
    seen_as = [a for a in evening.answers if (a.state, a.route, a.role) == ("opened", route, "gm")]
    assert seen_as and all(a.found(log) for a in seen_as), "it does show the log"
    assert readers("sealed", "secret roll") == {"gm"}
    assert readers("over", "replaced") == readers("over", "draft") == readers("over", "withdrawn") == set()


@pytest.mark.parametrize("place", PLACES)
def test_nothing_is_written_down_before_the_reveal(evening: Theatre, place: str) -> None:
    search = evening.canaries.search()
    look = search.plain if place == "files" else search
    found = {name: hits for name, body in evening.records["before", place].items() if (hits := look(body))}
    assert found == {}


@pytest.mark.parametrize("place", PLACES)
def test_what_was_never_opened_is_nowhere_after_the_reveal_either(evening: Theatre, place: str) -> None:
    search = evening.canaries.search(set(evening.canaries.words) - SHOWN)
    look = search.plain if place == "files" else search
    found = {name: hits for name, body in evening.records["after", place].items() if (hits := look(body))}
    assert found == {}


@pytest.mark.parametrize("place", ["postgres log", "dump", "files"])
def test_what_was_opened_is_found_where_the_search_looked(evening: Theatre, place: str) -> None:
    search = evening.canaries.search(SHOWN)
    found = {hit for body in evening.records["after", place].values() for hit in search.plain(body)}
    assert {hit.split(" (")[0] for hit in found} == SHOWN


def test_the_logs_were_as_loud_as_they_go(evening: Theatre) -> None:
    """They hold statements with parameters, failed ones too, and each request: silence would prove nothing."""
    postgres = evening.records["before", "postgres log"]["postgres.log"].decode()
    assert "INSERT INTO envelopes" in postgres and "Failing row contains" in postgres
    assert postgres.lower().count("parameters: $1 = ") > 100
    server = evening.records["before", "server log"]["server.log"].decode()
    assert "INSERT INTO envelopes" in server and "Row (" in server
    assert '"route": "/c/{slug}/{handle}/scene/{scene_id}/lay"' in server
    assert "RuntimeError" in server and "is stuck" in server
    assert b"# HELP" in evening.records["before", "figures"]["metrics"]


def test_streams_say_that_something_changed_and_nothing_else(evening: Theatre) -> None:
    for role, got in evening.records["after", "streams"].items():
        lines = {line.split(b":")[0] + b":" for line in got.split(b"200 Headers")[0].splitlines() if line}
        assert lines <= {b"data:", b"retry:", b":"}, role
        assert {line for line in got.splitlines() if line.startswith(b"data:")} == {b"data: changed"}, role
    assert evening.records["after", "streams"]["sam"].count(b"data: changed") > 5


def test_no_token_is_written_down(evening: Theatre) -> None:
    """What opens a seat is in no log and not in the database: whoever reads those can sit down nowhere."""
    search = Canaries({**evening.cookies, **evening.tokens}).search()
    assert len(evening.tokens) == 15 and search(f"GET /x?{evening.tokens['code']}".encode())
    for place in PLACES:
        look = search.plain if place == "files" else search
        for name, body in evening.records["after", place].items():
            assert look(body) == set(), f"{place}: {name}"
    leaks = [f"{answer}: {hit}" for answer in evening.answers for hit in answer.found(search)]
    assert leaks == [], "shown once, to whom they were made for, and on no other page"


def test_no_token_goes_to_another_site(evening: Theatre) -> None:
    """The pages with a token in their address tell nobody more than our origin; all others tell other sites nothing."""
    policies = {"strict-origin": 0, "same-origin": 0}
    for answer in evening.answers:
        secret = "{token}" in answer.route or answer.route.startswith("/group/")
        policy = "strict-origin" if secret else "same-origin"
        assert f"('referrer-policy', '{policy}')".encode() in answer.head, answer
        policies[policy] += 1
        for host in re.findall(rb"""(?:src|href|action)=["'](?:https?:)?//([^"'/]+)""", answer.body):
            assert not secret, f"{answer} points to {host!r}"
    assert min(policies.values()) > 10


# ---- a wizards' fight ------------------------------------------------------------------------------------------------

SPEAKS = {"what": "minors", "minors.0.do": "communicate"}
CUSTOM = {"what": "major", "major.do": "custom"}
CODED = {"minors.0.allies[]": "ada"}
WAITS = {"what": "major", "major.do": "cast", "major.spell": "mend", "major.target": "ada", "when.verb": "text"}


async def read_by(table: Fight, who: str, search: Search, under: str = SCENE) -> set[str]:
    """Which of these canaries a member can find on any page there."""
    _, _, slug, handle, _, scene = table.at.format(who=who).split("/")
    found: set[str] = set()
    for (method, route), verdict in VERDICTS.items():
        if method == "GET" and verdict not in ("all", "stream") and route.startswith(under):
            path = address(route, slug=slug, handle=handle, scene_id=scene, who="ada", number=3)
            answer = await table.browsers[who].http.get(path)
            found |= search(answer.content, "") | search(str(answer.headers).encode(), "")
    return {hit.split(" (")[0] for hit in found}


def stored(url: str, search: Search) -> set[str]:
    """Which of these canaries stand in any row of the database."""
    plain = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    found: set[str] = set()
    with psycopg.connect(plain) as admin:
        tables = admin.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        for (name,) in tables:
            for (row,) in admin.execute(f'SELECT t::text FROM "{name}" t').fetchall():
                found |= search(str(row).encode(), "")
    return {hit.split(" (")[0] for hit in found}


async def _refused(night: Night, who: str, typed: dict[str, str], canary: str) -> None:
    """A form that is sent back has what was typed still in it."""
    page = await night.table.answer(who, "plan", **of(who, typed))
    assert page.status == 422 and canary in page.html


@pytest.mark.anyio
async def test_words_of_a_wizards_fight_are_nowhere_before_the_reveal(
    site: FastAPI, open_browser: Callable[[], Browser], db_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Spoken, coded, custom, conditions in one's own words, the GM's reasons; sealed, replaced, taken back, a draft."""
    c, plan = Canaries(), "c1/plan"
    night = Night(await seated(site, open_browser, lay))
    await night.send("ada", plan, of("ada", {**SPEAKS, "minors.0.words": c["replaced"]}))
    await night.send("ada", plan, of("ada", {**SPEAKS, "minors.0.words": c["spoken"]}))
    await night.send("ben", plan, of("ben", {**WAITS, "when.words": c["taken back"]}))
    await night.send("ben", plan, {}, "take_back")
    await _refused(night, "ben", {**CUSTOM, "major.words": c["refused"], "free.step": "39,29"}, c["refused"])
    await night.send("ben", plan, of("ben", {**CUSTOM, "major.words": c["draft"]}), "draft")
    await night.send("cleo", plan, of("cleo", {**SPEAKS, "minors.0.words": c["coded"], **CODED}))
    reason = {"what": "correct", "who": "troll", "hp": "-1", "reason": c["reason"]}
    await night.send("gm", await night.table.step("gm", "desk"), reason, "draft")
    await night.send("gm", plan, of("troll", {**CUSTOM, "major.words": c["foe's"]}), "draft")
    search = c.search()
    own = {"ada": {"spoken"}, "ben": {"draft"}, "cleo": {"coded"}, "gm": {"reason", "foe's"}, "sam": set()}
    for who, words in own.items():
        assert await read_by(night.table, who, search) == words, who
    assert stored(db_url, search) == set() and search(caplog.text.encode(), "") == set()
    await night.send("ben", plan, of("ben", {**WAITS, "when.words": c["condition"]}))
    await night.send("gm", plan, of("troll", HOLD))
    await night.send("gm", "c1/rule", {"of.1.yes": "no", "of.1.words": c["ruling"]})
    search = c.search()
    assert await read_by(night.table, "sam", search) == {"spoken", "condition", "ruling"}
    assert await read_by(night.table, "ada", search) == {"spoken", "condition", "ruling", "coded"}
    assert await read_by(night.table, "gm", search) == {"spoken", "condition", "ruling", "reason"}
    assert not stored(db_url, search) & {"replaced", "taken back", "refused", "draft", "coded", "reason", "foe's"}
