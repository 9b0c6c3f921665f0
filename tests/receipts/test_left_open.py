"""What the protocol does not leave open is wrong: found by hand once, and forged here again."""

import json
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from app.ops import verify_command
from app.receipts import replay
from app.receipts.file import NoReceipts, parse
from app.receipts.report import Report
from app.receipts.verify import check, check_many
from app.table import awaited_seats, gm_actions, join_midscene
from app.table.runtime import Runtime
from tests.receipts.forging import composed, forgeries, made_anew, taken_apart
from tests.receipts.in_javascript import wrong_in_javascript
from tests.receipts.recorder import examples
from tests.receipts.test_receipts import file_of, play, seal, stamp
from tests.rulesets.whiskey.subject import WHISKEY_SUBJECT
from tests.selection import nightly
from tests.table.table import Table, sit_down

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("toy")]

Lines = list[dict[str, Any]]
STRIDE = 1 if nightly() else 8
"""Two programs are compared by night on every forgery, with a commit on every eighth."""


@pytest.fixture
async def table(runtime: Runtime) -> Table:
    return await sit_down(runtime)


def forged(text: str, change: Callable[[Lines], object]) -> Report:
    """The file with a change in it and every hash made anew; without the change it must hold."""
    lines = taken_apart(text)
    assert check(parse(made_anew(lines))).code == 0
    change(lines)
    return check(parse(made_anew(lines)))


def entries(lines: Lines, what: str) -> Lines:
    return [line["record"] for line in lines if "record" in line and line["record"]["what"] == what]


async def with_a_latecomer(table: Table) -> str:
    await table.open(rounds=1, thief=False, late=True)
    await table.act(join_midscene.enter, "cyd")
    for who in ("ann", "bea", "cyd"):
        await seal(table, who, "r1/knock-2", {"times": 3})
    return await file_of(table, "ann")


async def test_whoever_comes_in_is_who_the_rules_make_of_the_sheet(table: Table) -> None:
    text = await with_a_latecomer(table)

    def other(lines: Lines) -> None:
        event = {"kind": "rang", "loud": True}
        entries(lines, "entered")[0]["events"][0]["event"] = event
        lines[-1]["opened"]["log"][0]["event"] = event

    assert any("the rules give a different result" in wrong for wrong in forged(text, other).wrong)
    assert forged(text, lambda lines: lines[-1]["opened"]["records"][0].pop("sheet")).wrong
    assert forged(text, lambda lines: entries(lines, "entered")[0].update(seat="gm")).wrong


async def test_what_an_older_signet_recorded_holds_and_says_what_it_cannot_show(table: Table) -> None:
    text = await with_a_latecomer(table)

    def older(lines: Lines) -> None:
        del lines[-1]["opened"]["setup"]["names"], lines[-1]["opened"]["records"][0]["sheet"]
        for name in ("name", "sheet"):
            del entries(lines, "entered")[0][name]

    report = forged(text, older)
    assert (report.wrong, report.code) == ([], 3) and "cyd joined" in report.unplayed[0]
    await table.open(rounds=1)
    await acting(table)
    one = forged(await file_of(table, "ann"), lambda lines: lines[-1]["opened"]["setup"].pop("names"))
    assert one.code == 0 and any("seats are called" in note for note in one.notes)


async def acting(table: Table) -> None:
    table.seen.clear()
    await seal(table, "ann", "r1/knock", {"times": 3})
    await seal(table, "cyd", "r1/steal", {"what": "x"})
    await seal(table, "bea", "r1/knock", {"times": 3})


async def test_words_that_the_rules_open_may_not_be_missing(table: Table) -> None:
    await play(table)
    text = await file_of(table, "ann")

    def closed(lines: Lines) -> None:
        row = entries(lines, "closing")[1]["rows"][0]
        del row["salt"], row["words"]

    assert any("words are missing" in wrong for wrong in forged(text, closed).wrong)


async def test_words_that_open_at_the_end_may_not_be_missing() -> None:
    """Leaving out one of them made the rules not be played again, and nothing was wrong."""
    text = next(one for one in examples(WHISKEY_SUBJECT, 3, 4) if taken_apart(one)[-1]["opened"]["rows"])
    late = forged(text, lambda lines: lines[-1]["opened"]["rows"].pop())
    assert any("words are missing" in wrong for wrong in late.wrong)


async def test_a_seal_that_was_acknowledged_is_the_one_that_opens(table: Table) -> None:
    await table.open(rounds=1)
    one = await seal(table, "ann", "r1/knock", {"times": 1})
    two = await seal(table, "ann", "r1/knock", {"times": 2})
    await seal(table, "bea", "r1/knock", {"times": 2})
    text = await file_of(table, "ann")
    noted = [
        {
            "step": "r1/knock",
            "seat": "ann",
            "revision": made.revision,
            "wax": made.commitment.hex(),
            "head": made.head.hex(),
        }
        for made in (one, two)
    ]
    assert kept(text, *noted) == []
    assert "an older seal" in kept(text, *noted, {**noted[1], "revision": 3})[0]
    assert (
        "sealed something different"
        in kept(text, noted[0], {**noted[1], "revision": 1, "wax": two.commitment.hex()})[0]
    )


def kept(text: str, *noted: dict[str, Any]) -> list[str]:
    return check(parse(text + "".join(json.dumps({"kept": one}) + "\n" for one in noted))).wrong


async def test_a_draft_that_counted_is_the_one_that_was_saved_last(table: Table, tmp_path: Path) -> None:
    """Both checkers; a draft of another browser, or one that was not legal, is only noted."""
    await table.open(rounds=1)
    older, wax = [await table.choose("ann", "r1/knock", {"times": times}) for times in (1, 2)]
    await table.act(gm_actions.open_now, "r1/knock")
    text = await file_of(table, "ann")
    ann = next(one for one in entries(taken_apart(text), "closing")[0]["rows"] if one["seat"] == "ann")
    assert (ann["how"], ann["revision"], ann["salted_by"], ann["wax"]) == ("draft", 1, "browser", wax.hex())
    place = {"step": "r1/knock", "seat": "ann", "revision": 0, "taken": True, "draft": True}
    said = {**place, "wax": wax.hex(), "luck": ann["luck"], "sure": True}
    files = {
        "the last one": ([said], []),
        "the last one, and one whose answer was lost": ([{**said, "wax": "0" * 64}, {**said, "sure": False}], []),
        "an older one": ([{**said, "wax": older.hex()}], ["is not the one saved last"]),
        "another browser's": ([{**said, "wax": "0" * 64, "luck": "1" * 64}], []),
        "bea's, who had none that was legal": ([{**said, "seat": "bea"}], []),
    }
    for name, (noted, wrong) in files.items():
        found = kept(text, *noted)
        assert len(found) == len(wrong) and all(a in b for a, b in zip(wrong, found, strict=True)), name
    texts = [text + "".join(json.dumps({"kept": one}) + "\n" for one in noted) for noted, _ in files.values()]
    for (name, (_, wrong)), found in zip(files.items(), wrong_in_javascript(texts, tmp_path), strict=True):
        assert len(found) == len(wrong) and all(a in b for a, b in zip(wrong, found, strict=True)), name


async def test_a_seal_that_was_acknowledged_may_not_be_left_out(table: Table) -> None:
    await table.open(rounds=1)
    made = stamp(table, "ann", "r1/knock", {"times": 1})
    await table.act(gm_actions.open_now, "r1/knock")
    text = await file_of(table, "ann")
    noted = {"step": "r1/knock", "seat": "ann", "revision": 1, "wax": made.commitment.hex()}
    assert "acknowledged, and then left out" in kept(text, noted)[0]
    assert kept(text, noted, {**noted, "revision": 2, "taken": True}) == []
    assert kept(text, noted, {**noted, "revision": 2, "taken": True}, {**noted, "revision": 3})


async def test_an_older_record_of_going_on_without_a_seat_holds(table: Table) -> None:
    """An older Signet wrote that all had sealed; the new one says that a GM closed it. Neither hides a noted seal."""
    await table.open(rounds=1)
    await table.act(awaited_seats.go_without, "r1/knock", "ann")
    await seal(table, "bea", "r1/knock", {"times": 2})
    text = await file_of(table, "ann")
    true = check(parse(text))
    closing = next(json.loads(line["record"]) for line in map(json.loads, text.splitlines()) if "record" in line)
    assert (closing["by"], [row["how"] for row in closing["rows"]]) == ("gm", ["default", "sealed"])
    assert (true.wrong, true.notes) == ([], [])
    lines = taken_apart(text)
    older(lines)
    old, noted = made_anew(lines), {"step": "r1/knock", "seat": "ann", "revision": 1, "wax": "0" * 64}
    assert check(parse(old)).wrong == []
    assert check(parse(old)).notes == ["r1/knock: the server says that a GM went on without ann."]
    for one in (text, old):
        assert "acknowledged, and then left out" in kept(f"{one}\n", noted)[0]


def older(lines: Lines) -> None:
    """As if a Signet from before had closed what a GM closed."""
    for entry in entries(lines, "closing"):
        entry["by"] = "all" if entry["by"] == "gm" else entry["by"]


async def test_a_seal_for_what_the_rules_never_asked_is_found(table: Table) -> None:
    await play(table)
    text, noted = await file_of(table, "ann"), {"seat": "ann", "revision": 1, "wax": "0" * 64}
    assert kept(text, {**noted, "step": "r1/knock"}) == [], "the bell withdrew it"
    assert "never asked" in kept(text, {**noted, "step": "r9/knock"})[0]


ROLLS: list[Callable[[dict[str, Any]], object]] = [
    lambda roll: roll.update(stream="veiled"),
    lambda roll: roll.update(note="lucky"),
    lambda roll: roll.pop("stream"),
    lambda roll: roll.update(face=roll["face"] % 6 + 1),
    lambda roll: roll.update(face=str(roll["face"])),
]


@pytest.mark.parametrize("change", ROLLS)
async def test_draws_are_checked_while_the_scene_lasts(
    table: Table, change: Callable[[dict[str, Any]], object]
) -> None:
    text = await at_the_second_round(table)
    assert forged(text, lambda lines: change(rolled(lines)[0])).wrong


async def test_a_draw_of_an_earlier_round_is_none_of_this_one(table: Table) -> None:
    text = await at_the_second_round(table)

    def again(lines: Lines) -> None:
        first, second = rolled(lines)
        second |= first

    assert any("luck did not give" in wrong for wrong in forged(text, again).wrong)


def rolled(lines: Lines) -> Lines:
    events = [event["event"] for entry in entries(lines, "closing") for event in entry["events"]]
    return [event["roll"] for event in events if "roll" in event]


async def at_the_second_round(table: Table) -> str:
    await table.open(rounds=3)
    for number in ("1", "2"):
        await seal(table, "ann", f"r{number}/knock", {"times": 1})
        await seal(table, "bea", f"r{number}/knock", {"times": 2})
    return await file_of(table, "sam")


def broken_off(lines: Lines) -> None:
    lines[0]["status"] = "abandoned"
    entries(lines, "end")[0].update(how="abandoned", kept={}, sheets={})


def seats_exchanged(lines: Lines) -> None:
    one, other = lines[0]["seats"][:2]
    one["name"], other["name"] = other["name"], one["name"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (broken_off, "did not end as the rules say"),
        (seats_exchanged, "is called"),
        (lambda lines: lines[0].update(title="Another"), "title or kind"),
        (lambda lines: lines[0]["carried"].update(bell="0" * 64), "more or less than it says"),
        (lambda lines: entries(lines, "closing")[0].update(note=1), "less or more than such a record"),
        (lambda lines: entries(lines, "closing")[0]["step"].update(note=1), "less or more than questions do"),
    ],
)
async def test_what_heads_a_file_is_what_the_scene_was(
    table: Table, change: Callable[[Lines], None], says: str
) -> None:
    await table.open(rounds=1)
    await acting(table)
    assert any(says in wrong for wrong in forged(await file_of(table, "ann"), change).wrong)


async def test_what_cannot_be_played_again_has_its_own_code(table: Table, tmp_path: Path) -> None:
    await table.open(rounds=1)
    await acting(table)
    text = await file_of(table, "ann")
    for name, other in (("ruleset", "chess"), ("kind", "window"), ("version", "0")):
        report = forged(text, lambda lines, n=name, o=other: lines[0].update({n: o}))
        assert report.code == (1 if name == "kind" else 3), name
    lines = taken_apart(text)
    lines[0]["ruleset"] = "chess"
    path = tmp_path / "a.jsonl"
    path.write_text(made_anew(lines), encoding="utf-8")
    assert verify_command.verify([path]) == 3
    whole = tmp_path / "b.jsonl"
    whole.write_text(text, encoding="utf-8")
    assert (verify_command.verify([whole]), verify_command.verify([whole, path])) == (0, 3)


async def test_what_was_taken_over_from_nowhere_is_said(table: Table) -> None:
    for _ in range(2):
        await table.open(rounds=1)
        await acting(table)
    two = parse(await file_of(table, "ann"))
    reports, apart = check_many([two])
    assert not apart, "\n".join(map(str, apart)) and "It went on with bell" in reports[0].notes[-1]


async def test_both_programs_give_the_same_verdict(
    table: Table, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """On everything that a browser can look at too; it cannot play the rules again."""
    await play(table, rolls=True)
    lines = taken_apart(await file_of(table, "ann"))
    noted = {"step": "r1/knock-2", "seat": "ann", "revision": 2, "wax": "0" * 64}
    texts = [made_anew([*lines, *beside]) for beside in ([], [{"kept": noted}], [{"kept": {**noted, "step": "x"}}])]
    names = ["true", "kept", "kept", "older", "byte order mark", "Windows"]
    before = taken_apart(made_anew(lines))
    older(before)
    texts += [made_anew(before), f"\ufeff{texts[0]}", texts[0].replace("\n", "\r\n")]
    for forgery in islice([*composed(lines), *forgeries(lines)], 0, None, STRIDE):
        try:
            texts.append(made_anew(forgery.lines, seals=len(texts) % 2 == 0))
            names.append(f"{forgery.act} {forgery.part}")
        except (AttributeError, KeyError, TypeError, ValueError):
            continue
    monkeypatch.setattr(replay, "replay", lambda *_: None)
    here = [_wrong(text) for text in texts]
    there = wrong_in_javascript(texts, tmp_path)
    apart = [one for one in zip(names, here, there, strict=True) if bool(one[1]) != bool(one[2])]
    assert not apart, "\n".join(map(str, apart))
    assert {name for name, wrong in zip(names, here, strict=True) if not wrong} >= {"true", *names[3:6]}
    assert sum(not wrong for wrong in here) > 1 and sum(map(bool, here)) > 200 / STRIDE


def _wrong(text: str) -> list[str]:
    try:
        return check(parse(text)).wrong
    except NoReceipts as wrong:
        return [str(wrong)]
