"""A campaign leaves one house and arrives in another: everything but what is sealed, whole or not at all."""

import base64
import gzip
import json
import os
import stat
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker
from sqlalchemy.pool import NullPool

from app.almanac import calendar_state, entries
from app.almanac.entries import EntryTyped
from app.archive.arriving import arrive
from app.archive.leaving import Left, leave
from app.archive.rows import TABLES, of, rebox
from app.archive.values import read
from app.crypto.vault import Vault
from app.db.engine import make_engine
from app.errors import Conflict, UserError
from app.models.people import Campaign, HomebrewItem, Member, Note, PreparedScene
from app.models.scenes import Scene
from app.ops import verify_command
from app.play import chain, decisions
from app.settings import Settings, read_keys
from app.table import gm_actions, inner_scenes, pauses, receipt
from app.table.bus import PostgresBus
from app.table.runtime import Runtime
from tests.archive import altering
from tests.server import KEY
from tests.start.test_cli import fails, signet
from tests.table.table import Table, sit_down
from tests.toy import brief

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("toy")]

OTHER_KEY = b"another key of thirty-two bytes."
KNOCK = "r1/knock"
SECRET = "canary-sealed-words"
ENTRY: dict[str, Any] = {"kind": "scene", "state": "open", "title": "Behind", "seen_by": "all", "standing": "stop"}


def settings(url: str, key: bytes) -> Settings:
    return Settings(database_url=url, key=base64.b64encode(key).decode())  # type: ignore[arg-type]


@pytest.fixture
async def table(runtime: Runtime) -> Table:
    """A scene in which one step is closed, and one is open with two seals and a draft in it."""
    table = await sit_down(runtime)
    await table.open()
    await table.lay("cyd", "r1/steal", {"what": "the bell"})
    for who in ("ann", "bea"):
        await table.lay(who, KNOCK, {"times": 2, "note": "aloud"})
    step = next(step.key for step in (await table.sight("ann")).steps if step.key.endswith("/knock"))
    assert step != KNOCK
    await table.lay("ann", step, {"times": 3, "note": SECRET})
    await table.lay("bea", step, {"times": 4, "note": SECRET}, ready=False)
    await table.lay("cyd", "r2/steal", {"what": SECRET}, ready=False)
    async with runtime.sessions.begin() as session:
        await calendar_state.hold(session, runtime.vault, table.campaign)
        session.add(Note(campaign_id=table.campaign, topic="", body="The baron did it. Žluťoučký 🐎"))
        key = uuid.uuid4()
        box = runtime.vault.encrypt(b'{"pairs": [["title", "The bridge"]]}', f"{table.campaign}/prepared/{key}")
        session.add(PreparedScene(campaign_id=table.campaign, id=key, box=box))
        data = {"id": "own_hag", "name": "Žába", "hp": [20, 30, 40]}
        session.add(HomebrewItem(campaign_id=table.campaign, key="own_hag", ruleset="toy", kind="foes", data=data))
    return table


@pytest.fixture
async def elsewhere(other_db_url: str) -> AsyncIterator[Runtime]:
    """Another house: its own database, its own key."""
    engine = make_engine(other_db_url, poolclass=NullPool)
    bus = PostgresBus(other_db_url)
    yield Runtime(async_sessionmaker(engine, expire_on_commit=False), Vault([OTHER_KEY]), bus, decisions.after)
    await bus.close()
    await engine.dispose()


@pytest.fixture
async def left(table: Table, db_url: str, tmp_path: Path) -> Left:
    return await leave(settings(db_url, KEY), await slug_of(table.runtime, table.campaign), tmp_path / "toys.signet")


async def slug_of(runtime: Runtime, campaign: uuid.UUID) -> str:
    async with runtime.sessions() as session:
        return (await session.get_one(Campaign, campaign)).slug


def url_of(runtime: Runtime) -> str:
    return runtime.sessions.kw["bind"].url.render_as_string(hide_password=False)


def lines_of(left: Left) -> list[dict[str, Any]]:
    return [json.loads(line) for line in gzip.decompress(left.place.read_bytes()).splitlines()]


async def opened(runtime: Runtime, campaign: uuid.UUID) -> dict[str, list[dict[str, Any]]]:
    """Every row of a campaign with its boxes open: what is equal after a round trip."""
    rows: dict[str, list[dict[str, Any]]] = {}
    async with runtime.sessions() as session:
        for table in TABLES:
            found = await session.execute(select(table).where(of(table, campaign)).order_by(*table.primary_key))
            rows[table.name] = [rebox(table, row, runtime.vault, row, Glass()) for row in map(dict, found.mappings())]
    return rows


class Glass(Vault):
    """Encrypts nothing."""

    def __init__(self) -> None:
        super().__init__([KEY])

    def encrypt(self, plain: bytes, aad: str) -> bytes:
        return aad.encode() + b": " + plain


async def test_a_campaign_arrives_as_it_left(table: Table, left: Left, elsewhere: Runtime) -> None:
    before = await opened(table.runtime, table.campaign)
    arrived = await arrive(settings(url_of(elsewhere), OTHER_KEY), left.place, None)
    after = await opened(elsewhere, table.campaign)

    assert before["almanacs"][0]["root"].startswith(str(table.campaign).encode())
    assert before["scenes"][0]["root"] == after["scenes"][0]["root"], "the same luck, closed with another key"
    kept = [one for one in before["envelopes"] if one["step_key"].startswith("r1/")]
    assert after["envelopes"] == kept and len(before["envelopes"]) >= len(kept) + 2
    waiting = [{**one, "status": "waiting"} if one["how"] is None else one for one in before["asks"]]
    assert after["asks"] == waiting != before["asks"]
    same = [name for name in before if name not in ("envelopes", "asks")]
    assert {name: after[name] for name in same} == {name: before[name] for name in same}
    assert arrived.rows == {name: len(rows) for name, rows in after.items() if rows}
    assert arrived.left_out == left.left_out and list(left.left_out.values()) == [len(before["envelopes"]) - len(kept)]


@pytest.mark.parametrize("copy", [False, True])
async def test_an_entry_follows_from_the_same_scene_after_the_journey(
    table: Table, db_url: str, tmp_path: Path, elsewhere: Runtime, copy: bool
) -> None:
    """Scenes have the same ids in an archive and in a copy."""
    async with table.runtime.sessions.begin() as session:
        typed = EntryTyped(kind="scene", title="Behind the door", day=1)
        where = (table.runtime.vault, table.campaign, table.people["gm"], typed)
        await entries.add(session, *where, from_scene=table.scene)
    left = await leave(settings(db_url, KEY), await slug_of(table.runtime, table.campaign), tmp_path / "t.signet")
    house, key = (table.runtime, KEY) if copy else (elsewhere, OTHER_KEY)
    arrived = await arrive(settings(url_of(house), key), left.place, None, copy=copy)
    async with house.sessions() as session:
        gm = await session.get_one(Member, (arrived.campaign, table.people["gm"].id))
        found = await chain.chain_of(session, gm, table.scene, over=True)
    assert [one.title for one in found.after] == ["Behind the door"]


@pytest.mark.parametrize("scene", ["no scene", "urn:uuid:8e9d2c1e-0000-4000-8000-000000000000", 7, ["x"]])
async def test_an_entry_that_follows_from_nonsense_does_not_arrive(
    table: Table, left: Left, elsewhere: Runtime, scene: Any
) -> None:
    lines = altering.planted(altering.lines_of(left), "entries", **ENTRY, data={"from_scene": scene})
    altering.write(lines, left.place, altering.key_of(left))
    with pytest.raises(UserError, match="data"):
        await arrive(settings(url_of(elsewhere), OTHER_KEY), left.place, None)


async def test_a_second_journey_carries_the_same(table: Table, left: Left, elsewhere: Runtime, tmp_path: Path) -> None:
    there = settings(url_of(elsewhere), OTHER_KEY)
    await arrive(there, left.place, None)
    again = await leave(there, await slug_of(elsewhere, table.campaign), tmp_path / "again.signet")
    assert again.left_out == {}

    def rows(one: Left) -> list[dict[str, Any]]:
        key = Vault(read_keys(one.key.read_text(), "key"))
        found = []
        for line in lines_of(one)[1:-1]:
            place = next(table for table in TABLES if table.name == line["table"])
            row = read(place, line["row"])
            found.append({"table": line["table"], **rebox(place, row, key, row, Glass())})
        return found

    assert rows(again) == rows(left)


async def test_what_is_sealed_stays_in_the_house(table: Table, left: Left) -> None:
    """Not even with the file's key: the search looks into every box, and finds what is open."""
    key = Vault(read_keys(left.key.read_text(), "key"))
    said = ""
    for line in lines_of(left)[1:-1]:
        place = next(one for one in TABLES if one.name == line["table"])
        row = read(place, line["row"])
        said += str(rebox(place, row, key, row, Glass()))
    assert "aloud" in said and SECRET not in said
    assert stat.S_IMODE(left.place.stat().st_mode) == stat.S_IMODE(left.key.stat().st_mode) == 0o600
    plain = gzip.decompress(left.place.read_bytes())
    async with table.runtime.sessions() as session:
        scene = await session.get_one(Scene, (table.campaign, table.scene))
        root = table.runtime.vault.decrypt(scene.root, f"{table.campaign}/{table.scene}/root")
    assert base64.b64encode(root) not in plain and root.hex().encode() not in plain


async def test_the_step_opens_again_and_play_goes_on(table: Table, left: Left, elsewhere: Runtime) -> None:
    await arrive(settings(url_of(elsewhere), OTHER_KEY), left.place, None)
    moved = Table(elsewhere, table.campaign, table.people, table.scene)
    sight = await moved.sight("ann")
    step = next(step for step in sight.steps if step.key.endswith("/knock"))
    assert [ask.mine for ask in step.asks if ask.seat == "ann"] == [None]
    for who in ("ann", "bea"):
        await moved.lay(who, step.key, {"times": 6})
    knocked = [e.event for c in (await moved.sight("sam")).chapters for e in c.events if e.event.kind == "knocked"]
    assert [event.times for event in knocked] == [2, 2, 6, 6]


async def test_clocks_stand_still_on_the_way(runtime: Runtime, db_url: str, elsewhere: Runtime, tmp_path: Path) -> None:
    table = await sit_down(runtime)
    await table.open(seconds=600)
    left = await leave(settings(db_url, KEY), await slug_of(runtime, table.campaign), tmp_path / "clock.signet")
    await arrive(settings(url_of(elsewhere), OTHER_KEY), left.place, None)
    moved = Table(elsewhere, table.campaign, table.people, table.scene)
    sight = await moved.sight("gm")
    assert sight.paused
    await moved.act(pauses.go_on)
    step = next(step for step in (await moved.sight("gm")).steps if step.key == KNOCK)
    assert step.due_at is not None and 500 < (step.due_at - sight.now).total_seconds() <= 600


async def test_a_scene_that_waits_arrives_waiting(
    runtime: Runtime, db_url: str, elsewhere: Runtime, tmp_path: Path
) -> None:
    table = await sit_down(runtime)
    await table.open(seconds=600)
    inner = await table.act(inner_scenes.open_inner, brief(thief=False), {}, "fresh")
    left = await leave(settings(db_url, KEY), await slug_of(runtime, table.campaign), tmp_path / "waits.signet")
    await arrive(settings(url_of(elsewhere), OTHER_KEY), left.place, None)
    outside = Table(elsewhere, table.campaign, table.people, table.scene)
    inside = Table(elsewhere, table.campaign, table.people, inner)
    assert await elsewhere.sweep() == 0, "it still waits"
    with pytest.raises(Conflict):
        await outside.act(pauses.go_on)
    await inside.act(gm_actions.leave)
    sight = await outside.sight("gm")
    assert not sight.paused and sight.inner is None
    step = next(step for step in sight.steps if step.key == KNOCK)
    assert step.due_at is not None and 500 < (step.due_at - sight.now).total_seconds() <= 600


async def test_it_is_refused_where_it_is_already(table: Table, left: Left, db_url: str) -> None:
    before = await opened(table.runtime, table.campaign)
    with pytest.raises(UserError, match=r"already here.*--copy"):
        await arrive(settings(db_url, KEY), left.place, None)
    assert await opened(table.runtime, table.campaign) == before


async def test_a_copy_is_played_on_its_own(table: Table, left: Left, db_url: str, tmp_path: Path) -> None:
    before = await opened(table.runtime, table.campaign)
    came = await arrive(settings(db_url, KEY), left.place, None, copy=True)
    assert came.campaign != table.campaign and came.slug != await slug_of(table.runtime, table.campaign)
    copied = Table(table.runtime, came.campaign, table.people, table.scene)
    step = next(step for step in (await copied.sight("ann")).steps if step.key.endswith("/knock"))
    for who in ("ann", "bea"):
        await copied.lay(who, step.key, {"times": 1})
    assert await opened(table.runtime, table.campaign) == before, "the first one is as it was"

    async with table.runtime.sessions() as session:
        scene = await session.get_one(Scene, (came.campaign, table.scene))
        assert scene.made_in == table.campaign
        said = await receipt.lines(session, table.runtime.vault, came.campaign, table.scene, table.people["sam"])
        ways_in = await session.scalars(
            text("SELECT count(*) FROM members WHERE campaign_id = :id AND way_back IS NOT NULL"), {"id": came.campaign}
        )
        assert ways_in.one() == 0
    file = tmp_path / "receipts.jsonl"
    file.write_text(said)
    assert verify_command.verify([file]) == 0, "seals from before and after, under the first campaign's name"


DAMAGE: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "cut off": (lambda raw: raw[:-40], "cannot be read to the end"),
    "no end": (lambda raw: gzip.compress(b"\n".join(gzip.decompress(raw).splitlines()[:-1]) + b"\n"), "its end is"),
    "a word changed": (lambda raw: gzip.compress(gzip.decompress(raw).replace(b'"Ann"', b'"Eve"')), "MAC does not fit"),
    "its packing": (lambda raw: raw[:10] + b"\xff" * 20 + raw[30:], "cannot be read to the end"),
    "more behind": (lambda raw: gzip.compress(gzip.decompress(raw) + b"{}\n"), "data after it"),
    "not packed": (gzip.decompress, "cannot be read"),
    "not ours": (lambda raw: gzip.compress(b'{"hello": 1}\n'), "not a campaign exported"),
    "empty": (lambda raw: b"", "not a campaign exported"),
    "a list": (lambda raw: gzip.compress(b"[1]\n"), "lines cannot be read"),
    "deep": (lambda raw: gzip.compress(b"[" * 100_000 + b"\n"), "cannot be read"),
}


async def test_a_damaged_file_changes_nothing(left: Left, elsewhere: Runtime) -> None:
    whole = left.place.read_bytes()
    for how, (damage, words) in DAMAGE.items():
        left.place.write_bytes(damage(whole))
        with pytest.raises(UserError, match=words):
            await arrive(settings(url_of(elsewhere), OTHER_KEY), left.place, None)
        assert await _campaigns(elsewhere) == 0, how


def _forged(left: Left, change: Callable[[list[dict[str, Any]]], object]) -> None:
    """The file as someone who has its key would change it: the MAC fits again."""
    lines = lines_of(left)[:-1]
    change(lines)
    altering.write(lines, left.place, altering.key_of(left))


def _row(lines: list[dict[str, Any]], table: str) -> dict[str, Any]:
    return next(line["row"] for line in lines if line.get("table") == table)


FORGED: dict[str, tuple[Callable[[list[dict[str, Any]]], object], str]] = {
    "a box of another": (lambda ls: _row(ls, "scenes").update(state=_row(ls, "scenes")["root"]), "cannot be decrypted"),
    "another campaign's row": (
        lambda ls: _row(ls, "members").update(campaign_id=str(uuid.uuid4())),
        "of another campaign than the file",
    ),
    "a column too many": (
        lambda ls: _row(ls, "notes").update(owner="me"),
        "Row 1 of notes, field owner: there is no such field",
    ),
    "no such table": (lambda ls: ls.append({"table": "pg_authid", "row": {}}), "no row of a table"),
    "a number for a name": (
        lambda ls: _row(ls, "characters").update(made_at="yesterday"),
        "Row 1 of characters, field made_at: is not a date",
    ),
    "newer tables": (lambda ls: ls[0].update(tables="9999"), "newer Signet"),
    "a long title": (lambda ls: ls[0].update(title="x" * 301), "does not say which campaign"),
    "a long header": (lambda ls: ls[0].update(left_out={"x" * 2**20: 1}), "lines cannot be read"),
    "another key": (lambda ls: ls[0].update(key="00000000"), "another file"),
    "twice": (lambda ls: ls.append(ls[-1]), "is there twice"),
}


async def test_a_forged_file_changes_nothing(left: Left, elsewhere: Runtime) -> None:
    whole = left.place.read_bytes()
    for how, (change, words) in FORGED.items():
        left.place.write_bytes(whole)
        _forged(left, change)
        with pytest.raises(UserError, match=words):
            await arrive(settings(url_of(elsewhere), OTHER_KEY), left.place, None)
        assert await _campaigns(elsewhere) == 0, how


async def test_a_file_from_before_a_column_was_there(table: Table, left: Left, elsewhere: Runtime) -> None:
    def older(lines: list[dict[str, Any]]) -> None:
        lines[0]["tables"] = "0008"
        for line in lines:
            if line.get("table") == "scenes":
                del line["row"]["made_in"]

    _forged(left, older)
    await arrive(settings(url_of(elsewhere), OTHER_KEY), left.place, None)
    assert await _campaigns(elsewhere) == 1


async def test_without_its_key_the_file_says_so(left: Left, elsewhere: Runtime) -> None:
    left.key.unlink()
    with pytest.raises(UserError, match=r"key is not at .*--key"):
        await arrive(settings(url_of(elsewhere), OTHER_KEY), left.place, None)


async def _campaigns(runtime: Runtime) -> int:
    async with runtime.sessions() as session:
        return len((await session.scalars(select(Campaign.id))).all())


@pytest.fixture
def commands(db_url: str) -> Iterator[dict[str, str]]:
    yield {"DATABASE_URL": db_url, "SIGNET_KEY": base64.b64encode(KEY).decode()}


@pytest.mark.nightly
async def test_the_commands(session: AsyncSession, vault: Vault, commands: dict[str, str], tmp_path: Path) -> None:
    """There, back, beside itself, and gone."""
    from app.play.demo import ensure_demo

    async with session.begin():
        await ensure_demo(session, vault)
    file = tmp_path / "road.signet"
    done = signet("export", "the-goblin-road", file, **commands)
    assert done.returncode == 0 and f"{file}.key" in done.stdout, done.stderr
    fails(signet("export", "the-goblin-road", file, **commands), 2, "already exists")
    fails(signet("export", "nowhere", tmp_path / "x", **commands), 2, "no campaign 'nowhere'")
    fails(signet("import", file, **commands), 1, "already here")
    done = signet("import", file, "--copy", **commands)
    assert "/c/the-goblin-road-2/" in done.stdout and "/enter/the-goblin-road-2/" in done.stdout, done.stderr
    asked = signet("delete", "the-goblin-road", **commands)
    which = "“The Goblin Road” at /c/the-goblin-road: 5 people, 1 scene, never played."
    assert asked.returncode == 1 and which in asked.stdout, asked.stdout + asked.stderr
    done = signet("delete", "the-goblin-road", "--yes", **commands)
    assert done.returncode == 0 and "within 14 nights" in done.stdout, done.stderr
    fails(signet("delete", "the-goblin-road", "--yes", **commands), 2, "no campaign")
    done = signet("import", file, **commands)
    assert done.returncode == 0 and "/c/the-goblin-road/" in done.stdout, done.stderr
    assert "MAC fits its key" in done.stdout and "/enter/" not in done.stdout
    road = Left(file, file.with_name(f"{file.name}.key"), "")
    lines = altering.planted(altering.lines_of(road), "feeds")
    lines = altering.planted(lines, "members", role="gm", handle="eve", name="Eve\x1b[8m\nMAC fits")
    lines[0] = lines[0] | {"format": 1, "title": "The\x1b[2J Road"}
    altering.write(lines, file, altering.key_of(road))
    done = signet("import", file, "--copy", **commands)
    assert done.returncode == 0 and "Nobody can tell whether this file was changed" in done.stdout, done.stderr
    assert r"“The\x1b[2J Road”" in done.stdout and r": Eve\x1b[8m\nMAC fits" in done.stdout
    assert done.stdout.count("/enter/") == 2 and "\x1b" not in done.stdout
    assert set(os.listdir(tmp_path)) == {file.name, f"{file.name}.key"}
