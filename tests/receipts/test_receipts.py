"""Receipts: whoever has the file can check the scene, and whoever changes a sign in it is found out."""

import hashlib
import json
import os
import re
import uuid
from pathlib import Path
from typing import Any

import pytest

from app.engine import form_text
from app.ops.verify_command import report_lines
from app.receipts import chain, luck
from app.receipts.file import NoReceipts, parse
from app.receipts.report import Report
from app.receipts.verify import check, check_many
from app.table import envelopes, gm_actions, hidden_rolls, join_midscene
from app.table.envelopes import Mismatched, Stamp, Submission
from app.table.receipt import lines
from app.table.runtime import Runtime
from tests.receipts.in_javascript import six_words_in_javascript
from tests.server import ROOT
from tests.table.table import Table, sit_down

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("toy")]

KINDS = {"knock": "knock", "steal": "steal", "reply": "reply", "rule": "ruling", "bell": "bell"}


@pytest.fixture
async def table(runtime: Runtime) -> Table:
    return await sit_down(runtime)


def stamp(table: Table, who: str, step: str, pairs: dict[str, object], salt: bytes | None = None) -> Stamp:
    """What a browser makes of a form."""
    salt = salt or os.urandom(32)
    kind = KINDS[step.rsplit("-", 1)[0].split("/")[-1] if not step.startswith("bell") else "bell"]
    text = form_text.spell([(name, str(value)) for name, value in pairs.items()])
    made = luck.seal(str(table.campaign), str(table.scene), step, who, kind, salt, text)
    return Stamp(text, salt, made.commitment)


async def seal(table: Table, who: str, step: str, pairs: dict[str, object], made: Stamp | None = None) -> Any:
    laid = Submission(step, who, (), table.seen.get((step, who), 0), uuid.uuid4(), True)
    laid = Submission(
        **{f: getattr(laid, f) for f in laid.__slots__} | {"stamp": made or stamp(table, who, step, pairs)}
    )
    async with table.runtime.locked_scene(table.campaign, table.scene) as (session, live):
        receipt = await envelopes.lay(session, live, table.people[who].id, laid)
    table.seen[step, who] = receipt.revision
    return receipt


async def file_of(table: Table, who: str) -> str:
    async with table.runtime.sessions() as session:
        return await lines(session, table.runtime.vault, table.campaign, table.scene, table.people[who])


async def play(table: Table, *, rolls: bool = False) -> None:
    """Two rounds with a theft in the dark, a reply, a ruling, a bell that withdraws, somebody who stays away; `rolls`:
    and two secret rolls, of which the GM shows the second."""
    await table.open(rounds=2)
    await seal(table, "gm", "bell/0", {"loud": "true"})
    await seal(table, "ann", "r1/knock-2", {"times": 7, "note": "long live\nthe Queen ñ ☂"})
    await seal(table, "cyd", "r1/steal", {"what": "the bell rope"})
    await seal(table, "bea", "r1/knock-2", {"times": 13})
    await seal(table, "gm", "r1/rule", {"allow": "true"})
    await seal(table, "ann", "r1/reply", {"words": "who is there"})
    if rolls:
        await table.act(hidden_rolls.roll, "Does Ada hear “it”?", "2d8 + d10(0-9) − d4 + 3", 0)
        await table.act(hidden_rolls.roll, "Who is at the door?", "d%", 1)
    await seal(table, "ann", "r2/knock", {"times": 1})
    if rolls:
        await table.act(hidden_rolls.show, 2)
    await table.lay("bea", "r2/knock", {"times": 2}, ready=False)
    await seal(table, "cyd", "r2/steal", {"what": "the door"})
    await table.act(gm_actions.open_now, "r2/knock")


async def test_a_scene_in_progress_and_a_finished_one_hold_for_everybody(table: Table) -> None:
    await table.open(rounds=2)
    await seal(table, "ann", "r1/knock", {"times": 1})
    await seal(table, "cyd", "r1/steal", {"what": "the bell rope"})
    mine = check(parse(await file_of(table, "ann")))
    assert (mine.wrong, mine.closings) == ([], 0)
    assert '"mine"' in await file_of(table, "ann") and '"mine"' not in await file_of(table, "bea")
    for who in ("bea", "sam", "ann"):
        text = await file_of(table, who)
        assert "cyd" not in text and "rope" not in text and "steal" not in text
    await seal(table, "bea", "r1/knock", {"times": 2})
    for who in ("ann", "bea", "cyd", "gm", "sam"):
        text = await file_of(table, who)
        report = check(parse(text))
        assert report.wrong == [] and (report.closings, report.seals) == (2, 2)
        assert ("rope" in text) == (who == "cyd")


async def test_a_finished_scene_is_played_again_by_the_rules(table: Table) -> None:
    await play(table)
    for who in ("ann", "sam", "gm"):
        receipts = parse(await file_of(table, who))
        report = check(receipts)
        assert report.wrong == []
        assert receipts.opened is not None and report.replayed == len([place for place in receipts.opened.records]) - 1
        assert (report.closed, report.waiting_draws) == (0, 0)
        assert report.notes == []
        assert "Everything that can be checked is correct." in report_lines("x", receipts, report)[-1]
    heads = {check(parse(await file_of(table, who))).head for who in ("ann", "bea", "cyd", "gm", "sam")}
    assert len(heads) == 1 and len(chain.six_words(heads.pop()).split()) == 6


def _changes(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to every leaf of a JSON value."""
    if isinstance(value, dict):
        return [way for key, inner in value.items() for way in _changes(inner, (*path, key))]
    if isinstance(value, list):
        return [way for place, inner in enumerate(value) for way in _changes(inner, (*path, place))]
    return [path]


def _changed(value: Any, path: tuple[Any, ...]) -> Any:
    copy = json.loads(json.dumps(value))
    place = copy
    for key in path[:-1]:
        place = place[key]
    old = place[path[-1]]
    match old:
        case bool():
            new: Any = not old
        case int():
            new = old + 1
        case str() if len(old) == 64:
            new = ("0" if old[0] != "0" else "1") + old[1:]
        case str():
            new = old + "x"
        case _:
            new = "0" * 64
    place[path[-1]] = new
    return copy


FREE = {"title", "name"}  # words beside the proof: shown to people, proving nothing


async def test_whatever_is_changed_in_a_file_is_found(table: Table) -> None:
    await play(table)
    text = await file_of(table, "ann")
    whole = [json.loads(line) for line in text.splitlines()]
    tried = 0
    for number, line in enumerate(whole):
        deep = {**line, "record": json.loads(line["record"])} if "record" in line else line
        for path in _changes(deep):
            if path[-1] in FREE and path[0] != "opened" and path[0] != "record":
                continue
            broken = _changed(deep, path)
            if "record" in broken:
                broken["record"] = chain.canonical(broken["record"])
            forged = "\n".join(json.dumps(broken if n == number else one) for n, one in enumerate(whole))
            tried += 1
            assert _found_out(forged), f"line {number + 1}: {path} could be changed"
    assert tried > 250


async def test_a_forger_who_makes_all_heads_anew_is_found_by_links_seals_and_rules(table: Table) -> None:
    """The host may write another history from the start; what players hold and what was fixed gives it away."""
    await play(table)
    whole = [json.loads(line) for line in (await file_of(table, "ann")).splitlines()]
    tried = 0
    for number, line in enumerate(whole):
        if "record" not in line:
            continue
        entry = json.loads(line["record"])
        for path in _changes(entry):
            if path[0] == "by" or path[-1] in ("revision", "salted_by"):
                continue  # the server's word: the fairness page says so
            if entry["what"] in ("entered", "told"):
                continue
            forged = _rehashed([*whole[:number], {"record": _changed(entry, path)}, *whole[number + 1 :]])
            tried += 1
            assert _found_out(forged), f"line {number + 1}: {path} could be forged"
    assert tried > 100


def _rehashed(whole: list[dict[str, Any]]) -> str:
    header = whole[0]
    head = chain.first_head(
        protocol=header["signet-receipts"],
        campaign=header["campaign"],
        scene=header["scene"],
        ruleset=header["ruleset"],
        kind=header["kind"],
        version=header["version"],
        anchor=bytes.fromhex(header["anchor"]),
        setup=bytes.fromhex(header["setup"]),
        carried=header["carried"],
    )
    made = []
    for line in whole:
        if "record" in line:
            text = line["record"] if isinstance(line["record"], str) else chain.canonical(line["record"])
            head = chain.next_head(head, text)
            line = {"record": text, "head": head.hex()}
        made.append(json.dumps(line))
    return "\n".join(made)


def _found_out(text: str) -> bool:
    try:
        return bool(check(parse(text)).wrong)
    except NoReceipts:
        return True


async def test_lines_cannot_be_left_out_doubled_or_exchanged(table: Table) -> None:
    await play(table)
    whole = (await file_of(table, "ann")).splitlines()
    records = [n for n, line in enumerate(whole) if '"record"' in line]
    for n in records:
        without = whole[:n] + whole[n + 1 :]
        assert _found_out("\n".join(without)) and _found_out("\n".join([*whole[: n + 1], *whole[n:]]))
        assert _found_out(_rehashed([json.loads(line) for line in without]))
    assert _found_out("\n".join(whole[:-1])), "a finished scene must open"


async def test_what_a_browser_kept_convicts_a_server_that_shows_something_else(table: Table) -> None:
    await table.open(rounds=1)
    receipt = await seal(table, "ann", "r1/knock", {"times": 1})
    await seal(table, "bea", "r1/knock", {"times": 2})
    text = await file_of(table, "ann")
    kept = {
        "step": "r1/knock", "seat": "ann", "revision": 1, "wax": receipt.commitment.hex(), "head": receipt.head.hex()
    }  # fmt: skip
    assert check(parse(text + json.dumps({"kept": kept}))).wrong == []
    assert check(parse(text + json.dumps({"kept": kept | {"wax": "0" * 64}}))).wrong
    assert check(parse(text + json.dumps({"kept": kept | {"head": "0" * 64}}))).wrong


async def test_copied_and_mismatched_seals_are_refused(table: Table) -> None:
    await table.open(rounds=1)
    theirs = stamp(table, "ann", "r1/knock", {"times": 1})
    await seal(table, "ann", "r1/knock", {}, theirs)
    for made in (
        theirs,
        Stamp(theirs.words, os.urandom(32), theirs.commitment),
        Stamp(theirs.words, b"short", theirs.commitment),
        Stamp('[["times","2"]]', theirs.salt, theirs.commitment),
    ):
        with pytest.raises(Mismatched):
            await seal(table, "bea", "r1/knock", {}, made)
    sight = await table.sight("bea")
    assert [ask.status for step in sight.steps for ask in step.asks if ask.seat == "bea"] == ["waiting"]


async def test_who_comes_late_and_what_scenes_hand_on(table: Table) -> None:
    first = await table.open(rounds=1, thief=False, late=True)
    await table.act(join_midscene.enter, "cyd")
    for who in ("ann", "bea", "cyd"):
        await seal(table, who, "r1/knock-2", {"times": 3})
    one = parse(await file_of(table, "ann"))
    table.seen.clear()
    second = await table.open(rounds=1)
    assert first != second
    for who, step in (("cyd", "r1/steal"), ("ann", "r1/knock"), ("bea", "r1/knock")):
        await seal(table, who, step, {"times": 1, "what": "x"})
    two = parse(await file_of(table, "sam"))
    reports, apart = check_many([one, two])
    assert [report.wrong for report in reports] == [[], []] and apart == []
    assert two.header.carried == {"bell": reports[0].head.hex()}
    assert one.opened is not None and two.opened is not None
    other = json.loads(two.opened.setup)
    other["kept"]["bell"] = 99
    two.opened = two.opened.model_copy(update={"setup": json.dumps(other)})
    assert check_many([one, two])[1]


async def test_an_abandoned_scene_opens_too_and_a_stuck_step_loses_nothing(table: Table) -> None:
    await table.open(rounds=2, explode=True)
    await seal(table, "ann", "r1/knock", {"times": 66})
    receipt = await seal(table, "bea", "r1/knock", {"times": 1})
    assert receipt.stuck and check(parse(await file_of(table, "ann"))).wrong == []
    await table.act(gm_actions.leave)
    receipts = parse(await file_of(table, "bea"))
    assert receipts.opened is not None and check(receipts).wrong == []


@pytest.mark.parametrize(
    "text",
    ["", "not json", "[]", "{}", '{"signet-receipts": 2}', "{" * 5000],
)
async def test_what_is_no_file_of_receipts_is_said(text: str, tmp_path: Path) -> None:
    with pytest.raises(NoReceipts):
        parse(text)


def test_six_words_are_read_off_the_front_of_a_head() -> None:
    assert chain.six_words(bytes(32)) == "abandon " * 5 + "abandon"
    assert chain.six_words(b"\xff" * 32) == "zoo " * 5 + "zoo"
    assert chain.six_words(bytes([0, 32]) + bytes(30)).startswith("ability abandon")


def test_a_browser_and_the_server_say_the_same_six_words(tmp_path: Path) -> None:
    """Finds a word that stands twice, a moved place, an ugly word that came back, another reading of bits."""
    words = chain.words()
    assert len(set(words)) == 2048 and all(re.fullmatch("[a-z]{3,13}", word) for word in words)
    vendored = re.search("`([^`]*)`", (ROOT / "static" / chain.WORD_LIST).read_text())
    assert vendored and 150 < sum(a != b for a, b in zip(words, vendored[1].split(), strict=True)) <= 300
    assert not {"abuse", "gun", "sadness", "suffer", "toilet", "weapon", "wrong"} & set(words)
    heads = [hashlib.sha256(bytes([n])).digest() for n in range(50)]
    assert six_words_in_javascript([head.hex() for head in heads], tmp_path) == (
        list(words),
        [chain.six_words(head) for head in heads],
    )


def test_a_report_says_what_was_not_checked() -> None:
    report = Report(closings=2, seals=3, opened=1, closed=2, waiting_draws=1)
    assert report.wrong == [] and report.expect(False, "x") is False and report.wrong == ["x"]
