"""The round told in help.md is what the rules make of it: numbers are read from the page and played."""

import re
from importlib.resources import files

from app.engine.chance import ScriptedChance
from app.engine.log import Recorder
from app.engine.ruleset import GM, Answer, Answers, Brief, Seat, Setup, Step
from app.rulesets.whiskey import BATTLE
from app.rulesets.whiskey import events as ev
from app.rulesets.whiskey.declarations import Hand, Intent, Scene
from app.rulesets.whiskey.settings import Settings
from app.rulesets.whiskey.sheets import Sheet
from app.rulesets.whiskey.state import State

PAGE = files("app.rulesets.whiskey").joinpath("help.md").read_text(encoding="utf-8")
KEYS = {"Alice": "alice", "Bob": "bob", "Charlie": "charlie", "Sword goblin": "sword", "two Axe goblins": "axe"}
DECLARED = {
    "alice": Intent(intent="attack", attack="sword"),
    "bob": Intent(intent="attack", attack="axe-1"),
    "charlie": Intent(intent="defend", ward="who:alice"),
    "sword": Intent(intent="attack", attack="alice"),
    "axe-1": Intent(intent="attack", attack="bob"),
    "axe-2": Intent(intent="attack", attack="bob"),
}
CHECKS = [("alice", "sword"), ("bob", "axe-1"), ("charlie", "sword"), ("axe-2", "bob")]


def _rows(head: str) -> list[list[str]]:
    lines = PAGE.split(head, 1)[1].split("\n\n", 1)[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def _sheets() -> dict[str, Sheet]:
    found = {}
    for name, combat, damage, hp in _rows("| | combat |"):
        base, die = re.fullmatch(r"(\d+) \+ (\d+) × d6", damage).groups()  # type: ignore[union-attr]
        numbers = {"combat": int(combat), "base": int(base), "die": int(die), "hp": int(hp.split()[0])}
        found[KEYS[name]] = Sheet.model_validate({"name": name, **numbers})
    return found


def _start() -> State:
    sheets = _sheets()
    goblins = {"sword": sheets.pop("sword"), "axe-1": sheets["axe"], "axe-2": sheets.pop("axe")}
    enemies = {"faction": "enemies", "side": "enemies"}
    foes = [{**sheet.model_dump(), **enemies, "key": key, "name": key} for key, sheet in goblins.items()]
    seats = {Seat(key): (key,) for key in sheets} | {GM: ()}
    brief = Brief(kind="battle", title="In the woods", seats=seats, given={"foes": foes})
    return BATTLE.start(Setup(brief=brief, settings=Settings(), sheets=sheets, kept={}))


def _step(state: State, kind: str) -> Step:
    return next(step for step in BATTLE.steps(state) if step.asks[0].kind == kind)


def test_the_round_in_the_woods_comes_out_as_told() -> None:
    told = [
        [re.sub(r"[*−]", lambda m: {"*": "", "−": "-"}[m[0]], cell) for cell in row] for row in _rows("| who checks |")
    ]
    cards = [int(row[1].split("= ")[1]) for row in told]
    dice = [int(row[4]) for row in told]
    script: dict[str, int | str] = {}
    for (who, other), card, die in zip(CHECKS, cards, dice, strict=True):
        script |= {f"WHI-36/card/{who}>{other}": str(card), f"WHI-36/die/{who}>{other}": die}
    log = Recorder(_start(), BATTLE.apply)
    quiet = ScriptedChance({})
    BATTLE.resolve(log, _step(log.state, "scene"), Answers(of={GM: Answer(says=Scene())}), quiet)

    step, chance = _step(log.state, "declare"), ScriptedChance(script)
    mine = {ask.seat: ask.about or ("sword", "axe-1", "axe-2") for ask in step.asks}
    hands = {seat: Answer(says=Hand(of={key: DECLARED[key] for key in keys})) for seat, keys in mine.items()}
    BATTLE.resolve(log, step, Answers(of=hands), chance)

    assert chance.unused() == []
    happened = [t.event for t in log.events]
    checked = [e for e in happened if isinstance(e, ev.Checked)]
    assert [(e.checker, e.against) for e in checked] == CHECKS
    for row, check in zip(told, checked, strict=True):
        total, needed = (int(number) for number in re.findall(r"-?\d+", row[2]))
        assert (check.x + check.card, check.y, check.passed) == (total, needed, row[3] == "passes")
    hits = [e for e in happened if isinstance(e, ev.Hit)]
    assert [e.damage for e in hits] == [int(row[5].split("= ")[1]) for row in told]
    assert {key: fighter.hp for key, fighter in log.state.fighters.items()} == {
        "alice": 11, "bob": 15, "charlie": 14, "sword": 1, "axe-1": 6, "axe-2": 3,
    }  # fmt: skip
    left = log.state.decks["players"].left
    assert (len(left), sum(11 + card > 10 for card in left)) == (23, 12), "the odds told at the end"
