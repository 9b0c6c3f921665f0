"""What a GM, a host too, can do to the luck of a scene: nothing that is not told (docs/fairness.md)."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.engine.ruleset import GM, Answer, Brief, Seat, Setup, Step
from app.receipts.draws import rolls
from app.receipts.file import parse
from app.receipts.verify import check
from tests.receipts.in_javascript import wrong_in_javascript
from tests.receipts.recorder import RecordedScene, examples, pairs
from tests.rulesets.laws import Subject
from tests.rulesets.subjects import SUBJECTS

EACH_COMMIT = {"free", "skirmish", "fight"}
"""Kinds with luck of every sort: at the desk, veiled, and of hidden steps."""


def _subjects() -> Iterator[object]:
    for subject in SUBJECTS:
        marks = () if subject.key in EACH_COMMIT else pytest.mark.nightly
        yield pytest.param(subject, id=subject.key, marks=marks)


def drawn(text: str) -> list[dict[str, Any]]:
    """All draws of a finished scene, in the order of its log."""
    opened = parse(text).opened
    assert opened is not None
    return [roll for event in opened.log for roll in rolls(event.event)]


@pytest.mark.parametrize("subject", [*_subjects()])
def test_a_gms_salts_move_no_luck(subject: Subject) -> None:
    """The same answers with other salts of the GM's: every die and card, open or veiled, shows the same."""
    one, other = (examples(subject, 3, 8, salt) for salt in (b"a salt", b"a better salt"))
    assert [drawn(text) for text in one] == [drawn(text) for text in other]
    if subject.key in EACH_COMMIT:  # in others no GM is asked, or nothing is drawn
        assert one != other and any(drawn(text) for text in one)


@pytest.mark.parametrize("subject", [*_subjects()])
def test_both_checkers_work_out_the_same_luck(subject: Subject, tmp_path: Path) -> None:
    texts = examples(subject, 3, 8)
    assert [check(parse(text)).wrong for text in texts] == wrong_in_javascript(texts, tmp_path) == [[]] * 3


def free_scene() -> RecordedScene:
    """The villagers' free scene."""
    return demo_scene("free")


def demo_scene(key: str) -> RecordedScene:
    """The demo's scene of that kind, recorded from its beginning."""
    subject = next(one for one in SUBJECTS if one.key == key)
    rules = subject.ruleset
    assert rules.demo is not None
    sheets, brief = rules.demo.set_up()
    seats: dict[Seat, tuple[str, ...]] = {**brief.seats, GM: ()}
    whole = Brief(kind=brief.kind, title=brief.title, seats=seats, given=json.loads(json.dumps(brief.given)))
    return RecordedScene(
        subject, Setup(brief=whole, settings=rules.settings.validate_python({}), sheets=sheets, kept={})
    )


def act(scene: RecordedScene, seat: str, says: dict[str, Any]) -> None:
    """What one seat does beside all others: its optional step closes by its seal alone."""
    step = next(one for one in scene.kind.steps(scene.state) if one.pace == "whenever" and one.asks[0].seat == seat)
    close(scene, step, says)


def close(scene: RecordedScene, step: Step, says: dict[str, Any]) -> None:
    ask = step.asks[0]
    declared = scene.kind.declaration.validate_python({**says, "ask": ask.kind})
    words = json.dumps([[name, value] for name, value in pairs(says)], separators=(",", ":"))
    scene.close(step, [(ask, Answer(says=declared, how="sealed"), words)])


def bring(scene: RecordedScene, name: str = "Odo") -> dict[str, Any]:
    """The first draw of an act at the GM's desk: somebody is brought in."""
    before = len(scene.log)
    act(scene, GM, {"what": "bring", "name": name})
    return next(roll for line in scene.log[before:] for roll in rolls(line["event"]))


NOTHING = {"what": "situation", "words": "It rains."}


def test_acts_that_do_nothing_choose_no_luck() -> None:
    """Neither that of the next act at the desk, nor that of a step: they open no link and are not in the thread."""
    one, other = free_scene(), free_scene()
    before = other.links, other.thread
    for _ in range(3):
        act(other, GM, NOTHING)
    first = bring(one)
    assert bring(other) == first
    act(other, GM, NOTHING)
    second = bring(one)
    assert bring(other) == second and second["face"] != first["face"], "by the acts that drew, not by their keys"
    assert (other.links, other.thread) == before


@pytest.mark.parametrize("salted", [False, True])
def test_what_falls_at_the_desk_before_a_players_salt_is_noted(salted: bool, tmp_path: Path) -> None:
    scene = free_scene()
    if salted:
        step = next(one for one in scene.kind.steps(scene.state) if one.asks[0].seat != GM)
        close(scene, step, {"what": "guide", "who": str(step.asks[0].seat), "pair": 1})
    bring(scene)
    text = scene.end()
    note = "gm/1: its luck was drawn before any player's browser had put a salt in."
    report = check(parse(text))
    assert (report.wrong, note in report.notes) == ([], not salted)
    assert wrong_in_javascript([text], tmp_path) == [[]]
