"""Secret votes: seals that never open, and a list of ballots that must be theirs (COU-08)."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.engine.ruleset import GM, Answer, Brief, Seat, Setup
from app.receipts.file import parse
from app.receipts.verify import check
from app.rulesets import find
from tests.receipts.forging import made_anew, taken_apart
from tests.receipts.in_javascript import wrong_in_javascript
from tests.receipts.recorder import RecordedScene
from tests.rulesets.subjects import SUBJECTS

NONCES = {"ann": "0a" * 16, "bea": "0b" * 16, "cyd": "0c" * 16}
VOTES = {"ann": 1, "bea": 1, "cyd": 2}


def words(seat: str) -> str:
    return json.dumps([["nonce", NONCES[seat]], ["choice", str(VOTES[seat])]], separators=(",", ":"))


def recorded() -> str:
    """Three vote in secret: two for the first answer, one for the second; a fourth does not answer."""
    rules, subject = find("council"), next(one for one in SUBJECTS if one.key == "vote")
    seats: dict[Seat, tuple[str, ...]] = {Seat(name): () for name in ("ann", "bea", "cyd", "dan")} | {GM: ()}
    given = {"purpose": "Which way?", "options": ["the pass", "the ferry"], "otherwise": 0, "gm": False}
    settings = rules.settings.validate_python({"secret": "on"})
    brief = Brief(kind="vote", title="A vote", seats=seats, given=given)
    scene = RecordedScene(subject, Setup(brief=brief, settings=settings, sheets={}, kept={}), acted=True)
    [step] = scene.kind.steps(scene.state)
    answers: list[tuple[Any, Answer[Any], str | None]] = []
    for ask in step.asks:
        if ask.seat in VOTES:
            said = {"ask": "vote", "choice": VOTES[ask.seat], "nonce": NONCES[ask.seat]}
            answers.append((ask, Answer(says=scene.kind.declaration.validate_python(said)), words(ask.seat)))
        else:
            answers.append((ask, Answer(says=scene.kind.default(None, ask), how="default"), None))
    scene.close(step, answers)
    return scene.end()


def with_own(text: str, seat: str) -> str:
    """The file as that seat's player gets it: with salt and words of the seal that never opens."""
    rows = next(entry for line in map(json.loads, text.splitlines()) if "record" in line
                and "rows" in (entry := json.loads(line["record"])))["rows"]  # fmt: skip
    row = next(row for row in rows if row["seat"] == seat)
    salt = hashlib.sha256(f"vote/{seat}".encode()).hexdigest()  # as the recorder makes it
    mine = {"step": "vote", "seat": seat, "revision": 1, "wax": row["wax"], "salt": salt, "words": words(seat)}
    return f"{text}\n{json.dumps({'mine': mine | {'ready': True, 'salted_by': 'browser'}})}"


def test_a_secret_vote_is_counted_again_without_its_voters(tmp_path: Path) -> None:
    text = recorded()
    assert "ann" not in json.dumps([event for event in taken_apart(text)[1]["record"]["events"]])
    mine = with_own(text, "ann")
    report = check(parse(mine))
    assert (report.code, report.wrong, report.replayed, report.ballots) == (0, [], 1, 1)
    assert wrong_in_javascript([text, mine], tmp_path) == [[], []]


def _events(lines: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    """The events of a kind, in the record and in the log."""
    opened = next(line["opened"] for line in lines if "opened" in line)
    events = [*lines[1]["record"]["events"], *opened["log"]]
    return [event["event"] for event in events if event["event"]["kind"] == kind]


def invented(lines: list[dict[str, Any]]) -> None:
    """Another result."""
    for event in _events(lines, "decided"):
        event["choice"] = 2


def stuffed(lines: list[dict[str, Any]]) -> None:
    """One ballot more, counted."""
    for event in _events(lines, "ballots"):
        event["ballots"].append(["0d" * 16, 2])
    for event in _events(lines, "counted"):
        event |= {"votes": [2, 2], "none": 0}


def turned(lines: list[dict[str, Any]]) -> None:
    """Ann's ballot for the other answer, and the result that follows."""
    for event in _events(lines, "ballots"):
        event["ballots"][0][1] = 2
    for event in _events(lines, "counted"):
        event["votes"] = [1, 2]
    for event in _events(lines, "decided"):
        event["choice"] = 2


@pytest.mark.parametrize("forge", [invented, stuffed])
def test_what_the_ballots_do_not_give_is_found(forge: Callable[[list[dict[str, Any]]], None]) -> None:
    lines = taken_apart(recorded())
    forge(lines)
    assert check(parse(made_anew(lines, seals=False))).wrong != []


@pytest.mark.parametrize("spoiled", ["no form", "[1, 2]", "{}", "[[[[]]]]"])
def test_own_words_that_are_no_form_are_found(spoiled: str, tmp_path: Path) -> None:
    """Both programs go on to the end."""
    *whole, own = with_own(recorded(), "ann").splitlines()
    line = json.loads(own)
    line["mine"]["words"] = spoiled
    text = "\n".join([*whole, json.dumps(line)])
    assert check(parse(text)).wrong == ["vote: ann's own ballot is not counted as it was sealed."]
    assert not any("unreadable" in said for said in wrong_in_javascript([text], tmp_path)[0])


def test_a_ballot_that_was_turned_is_found_by_its_voter(tmp_path: Path) -> None:
    """Nobody else can know; for everybody else the count follows from the list."""
    lines = taken_apart(recorded())
    turned(lines)
    text = made_anew(lines, seals=False)
    hers, others = with_own(text, "ann"), with_own(text, "bea")
    assert check(parse(others)).wrong == []
    assert check(parse(hers)).wrong == ["vote: ann's own ballot is not counted as it was sealed."]
    assert [bool(wrong) for wrong in wrong_in_javascript([hers, others], tmp_path)] == [True, False]
