"""Every part of a finished scene is forged in turn; what is not found stands in docs/fairness.md with its reason."""

import json
import re
from collections.abc import Iterator

import pytest

from app.receipts.file import NoReceipts, parse
from app.receipts.report import Report
from app.receipts.verify import check
from tests.receipts.forging import Forgery, composed, forgeries, made_anew, taken_apart
from tests.receipts.recorder import examples
from tests.rulesets.laws import Subject
from tests.rulesets.subjects import SUBJECTS
from tests.rulesets.whiskey.subject import WHISKEY_SUBJECT
from tests.server import ROOT

CHEAP = {"duel/duel"}  # on every commit; the others each night


def _subjects() -> Iterator[object]:
    for subject in SUBJECTS:
        name = f"{subject.ruleset.key}/{subject.key}"
        yield pytest.param(subject, id=name, marks=() if name in CHEAP else pytest.mark.nightly)


def allowed() -> list[re.Pattern[str]]:
    """What docs/fairness.md says may be written otherwise: "act part", a star for whatever follows."""
    chapter = (ROOT / "docs" / "fairness.md").read_text(encoding="utf-8").split("## What a forger", 1)[1]
    rows = [line.split("|")[1] for line in chapter.split("\n## ", 1)[0].splitlines() if line.startswith("| `")]
    said = [code for row in rows for code in re.findall(r"`([^`]+)`", row)]
    return [re.compile(re.escape(code).replace(r"\*", ".*")) for code in said]


def found(text: str) -> Report | None:
    """None: it is no file that can be read."""
    try:
        return check(parse(text))
    except NoReceipts:
        return None


def passing(lines: list[dict[str, object]], true: str) -> Iterator[tuple[Forgery, Report]]:
    """The forgeries that are not found."""
    same = [json.loads(line) for line in true.splitlines()]
    for number, forgery in enumerate([*composed(lines), *forgeries(lines)]):
        try:
            text = made_anew(forgery.lines, seals=number % 2 == 0)
        except (AttributeError, KeyError, TypeError, ValueError):
            continue  # what is left of it has no place for a hash
        report = found(text) if [json.loads(line) for line in text.splitlines()] != same else None
        if report is not None and report.code != 1:
            yield forgery, report


@pytest.mark.parametrize("subject", [*_subjects()])
def test_what_is_forged_is_found_or_stands_in_the_docs(subject: Subject) -> None:
    cheap, known = f"{subject.ruleset.key}/{subject.key}" in CHEAP, allowed()
    for text in examples(subject, 2, 3 if cheap else 5):
        true = found(text)
        assert true is not None and (true.wrong, true.unplayed) == ([], [])
        for forgery, report in passing(taken_apart(text), text):
            name = f"{forgery.act} {forgery.part}"
            assert report.unplayed or any(one.fullmatch(name) for one in known), f"{name} could be forged"


def test_a_true_scene_is_not_changed_by_making_its_hashes_anew() -> None:
    """Else a forgery might be found because its forger cannot hash."""
    for text in examples(WHISKEY_SUBJECT, 3, 4):
        report = found(made_anew(taken_apart(text)))
        assert report is not None and report.code == 0
