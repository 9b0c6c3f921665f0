"""The fight told in hand/help.md is what the rules make of it: numbers are read from the page and played."""

import re
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from app.engine.chance import ScriptedChance
from app.engine.log import Recorder
from app.engine.ruleset import GM, Answer, Answers, Brief, Seat, Setup, Viewer
from app.rulesets.chronicle.checks import ways
from app.rulesets.chronicle.hand import HAND
from app.rulesets.chronicle.hand import events as ev
from app.rulesets.chronicle.hand.actions import ACTIONS, DEFENCE_NAMES
from app.rulesets.chronicle.samples import heroes
from app.rulesets.chronicle.settings import Settings
from tests.rulesets.chronicle.hand.stage import dice

PAGE = files("app.rulesets.chronicle.hand").joinpath("help.md").read_text(encoding="utf-8")
KEYS = {made.name: key for key, made in ACTIONS.items()} | {"Parry": "parry", "Fighting Mind": "mind"}
OTHER = {"ella": "morten", "morten": "ella"}
Table = Recorder[Any, Any]


def _rows(head: str) -> list[list[str]]:
    lines = PAGE.split(head, 1)[1].split("\n\n", 1)[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


FEET = _rows("| round | Ella | Morten |")
BLOWS = _rows("| round | who | does |")


def _faces(cell: str) -> tuple[int, int, int]:
    """As the dice lie: the d10 of 0 to 9 has the faces 1 to 10."""
    first, second, third = map(int, cell.split(", "))
    return first, second, third + 1


def _foot(number: int) -> dict[str, int]:
    return dice(f"CHR-FTW-04/r{number}/ella>morten", *_faces(FEET[number - 1][3])) if number <= len(FEET) else {}


def _begin() -> Table:
    sheets = heroes()
    seats = {Seat(key): (key,) for key in sheets} | {GM: ()}
    brief = Brief(kind="hand", title="A quarrel at the forge", seats=seats, given={"sides": {"morten": "b"}})
    return Recorder(HAND.start(Setup(brief=brief, settings=Settings(), sheets=sheets, kept={})), HAND.apply)


def _close(log: Table, key: str, luck: Mapping[str, int], **says: Mapping[str, Any]) -> list[Any]:
    step = next(step for step in HAND.steps(log.state) if step.key == key)
    of = {}
    for ask in step.asks:
        view = HAND.view(log.state, Viewer(seats=frozenset({ask.seat}), gm=ask.seat == GM))
        said = says.get(str(ask.seat))
        made = HAND.declaration.validate_python({**said, "ask": ask.kind}) if said else HAND.default(view, ask)
        assert not HAND.check(view, ask, made)
        of[ask.seat] = Answer(says=made)
    assert set(says) <= {str(seat) for seat in of}
    chance, before = ScriptedChance(luck), len(log.events)
    HAND.resolve(log, step, Answers(of=of), chance)
    assert not chance.unused()
    return [one.event for one in log.events[before:]]


def _contest(told: list[Any], number: int) -> None:
    found = next(event for event in told if isinstance(event, ev.Contest))
    _, mine, theirs, _, total, target, winner = FEET[number - 1]
    check = found.check
    assert check is not None and found.mine is not None and found.theirs is not None
    assert [found.mine.total, found.theirs.total, check.total, check.target] == [
        *map(int, (mine, theirs, total, target))
    ]
    assert found.winner == winner.lower()


DICE_OF_LUCK = {2: {"CHR-ACT-07/r2/morten>ella/severity": 1, "CHR-ACT-07/r2/morten>ella/part": 4}}
STRIKES = {2: "right_arm"}  # else wherever the rules have it


def test_the_quarrel_comes_out_as_told() -> None:
    log = _begin()
    _close(log, "setting", {})
    told = _close(log, "ready", _foot(1))
    for number in (1, 2, 3):
        _contest(told, number)
        assert log.state.fight.distance("ella", "morten") == 2
        blows = {row[1].lower(): row for row in BLOWS if row[0] == str(number)}
        orders = {who: {"action": KEYS[row[2]], "target": OTHER[who]} for who, row in blows.items()}
        ella = {**orders["ella"], "stand": {"strike": STRIKES.get(number, "")}}
        _close(log, f"r{number}/act", {}, ella={"of": {"ella": ella}}, morten={"of": {"morten": orders["morten"]}})
        asked = {str(ask.seat) for ask in HAND.steps(log.state)[0].asks}
        answers = {who: {"of": {who: {"how": {OTHER[who]: KEYS[blows[OTHER[who]][4]]}}}} for who in asked}
        rolls = {who: dice(f"CHR-RND-17/r{number}/{who}>{OTHER[who]}", *_faces(row[7])) for who, row in blows.items()}
        told = _close(
            log, f"r{number}/defend", rolls["ella"] | rolls["morten"] | DICE_OF_LUCK.get(number, {}), **answers
        )
        for struck in (event for event in told if isinstance(event, ev.Struck)):
            _, _, _, rating, met, theirs, odds, _, total, target, effect = blows[struck.who]
            assert struck.mine is not None and struck.theirs is not None and struck.check is not None
            found = [struck.mine.total, struck.theirs.total, struck.check.total, struck.check.target]
            assert found == [*map(int, (rating, theirs, total, target))]
            assert ways(struck.mine.total, struck.theirs.total) == int(odds)
            assert (DEFENCE_NAMES[struck.defence], struck.strong) == (met, effect == "strong")
        told = _close(log, f"r{number}/next", _foot(number + 1) or dice("CHR-FTW-04/r4/ella>morten", 8, 8, 10))
    ella, morten = log.state.fight["ella"], log.state.fight["morten"]
    assert ella.wounds.right_leg.minor == 2
    assert (morten.wounds.right_arm.major, morten.wounds.right_arm.minor) == (True, 1)
    assert log.state.fight.weapon("morten").key == "hands"
    _close(log, "r4/act", {}, morten={"of": {"morten": {"action": "wait", "surrender": True}}})
    _close(log, "r4/mercy", {})
    _close(log, "r4/next", {})
    assert (log.state.fight.winner, morten.gone) == ("a", "surrendered")


def test_the_page_names_the_people_as_they_are() -> None:
    for name, who in heroes().items():
        said = re.search(rf"\*\*{who.name}\*\* has ([^.]*?) and a (\w+)\.", PAGE.replace("\n", " "))
        assert said is not None, name
        numbers = [who.skills.control, who.skills.fighting_mind, who.skills.speed, who.skills.strength]
        assert [int(number) for number in re.findall(r"\d", said[1])] == numbers
        assert [one.name for one in who.weapons] == [said[2]]
