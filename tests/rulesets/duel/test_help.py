"""The duel told in help.md is what the rules make of it: actions and numbers are read from the page and played."""

import re
from importlib.resources import files

from app.engine.chance import Chance, ScriptedChance
from app.engine.log import Recorder
from app.engine.ruleset import GM, Answer, Answers, Brief, Seat, Setup
from app.rulesets.duel import DUEL
from app.rulesets.duel import declarations as de
from app.rulesets.duel import events as ev
from app.rulesets.duel.clash import effective_cost
from app.rulesets.duel.data import ACTIONS, TREES, name_of
from app.rulesets.duel.settings import Settings
from app.rulesets.duel.sheets import Sheet
from app.rulesets.duel.state import State

PAGE = files("app.rulesets.duel").joinpath("help.md").read_text(encoding="utf-8")
KEYS = {action.name: key for key, action in ACTIONS.items()}
ENTRIES = {name_of(entry): entry for tree in TREES.values() for entry in tree.entries}
Table = Recorder[State, ev.Event]


def _rows(head: str) -> list[list[str]]:
    lines = PAGE.split(head, 1)[1].split("\n\n", 1)[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def _table() -> Table:
    sheets = {}
    for name, hp, most, stamina, learned in _rows("| | HP |"):
        sheet = Sheet(name=name, unlocks=(ENTRIES[learned],), hp=int(hp) if hp != most else None)
        assert (sheet.hp_max(Settings()), sheet.stamina_max) == (int(most), int(stamina))
        sheets[name.lower()] = sheet
    seats = {Seat(key): (key,) for key in sheets} | {GM: ()}
    brief = Brief(kind="duel", title="Behind the inn", seats=seats)
    return Recorder(DUEL.start(Setup(brief=brief, settings=Settings(), sheets=sheets, kept={})), DUEL.apply)


def _close(log: Table, key: str, chance: Chance, **says: de.Declaration) -> None:
    step = next(step for step in DUEL.steps(log.state) if step.key == key)
    assert {ask.about[0] for ask in step.asks} == says.keys()
    DUEL.resolve(log, step, Answers(of={Seat(who): Answer(says=said) for who, said in says.items()}), chance)


def _action(cell: str, who: str, state: State) -> str:
    """The key of an action in the table, whose cost stands behind it."""
    name, cost = re.fullmatch(r"(.+) \((\d+)\)", cell).groups()  # type: ignore[union-attr]
    assert effective_cost(state.fighters[who], KEYS[name]) == int(cost)
    return KEYS[name]


def test_the_duel_behind_the_inn_comes_out_as_told() -> None:
    log = _table()
    luck = ScriptedChance({"DUE-08/coin/halves": 1})  # heads
    _close(log, "halves", luck, alice=de.Half(half="high"), bob=de.Half(half="high"))
    assert (log.state.high, log.state.low, luck.unused()) == ("alice", "bob", [])
    rows = _rows("| clash | on the offence |")
    assert len(rows) == 6
    quiet = ScriptedChance({})
    for clash, offence, before, alice, bob, die, hp_a, stamina_a, hp_b, stamina_b, then in rows:
        fighters = log.state.fighters
        assert (log.state.offence.title() or "nobody") == offence
        if before == "continues":
            _close(log, f"c{clash}/combo", quiet, **{offence.lower(): de.Combo()})
        plays = {who: _action(cell, who, log.state) for who, cell in (("alice", alice), ("bob", bob))}
        asked = {who: de.Move(action=plays[who]) for who in plays if not fighters[who].must_rest}
        assert all(plays[who] == "rest" for who in plays if who not in asked)
        _close(log, "initial" if clash == "1" else f"c{clash}/clash", quiet, **asked)
        assert (log.state.die, fighters["alice"].hp, fighters["alice"].stamina) == (
            int(die),
            int(hp_a),
            int(stamina_a),
        )
        assert (fighters["bob"].hp, fighters["bob"].stamina) == (int(hp_b), int(stamina_b))
        over = log.state.phase == "over"
        assert ("nobody" if over else log.state.offence.title()) == then
    assert (log.state.winner, log.state.why) == ("alice", "defeat")


def test_what_might_have_been_comes_out_as_told() -> None:
    """The two clashes at the end of the page that went another way."""
    quiet = ScriptedChance({})
    log = _table()
    _close(
        log, "halves", ScriptedChance({"DUE-08/coin/halves": 1}), alice=de.Half(half="high"), bob=de.Half(half="high")
    )
    _close(log, "initial", quiet, alice=de.Move(action="bide"), bob=de.Move(action="jab"))
    _close(log, "c2/combo", quiet, alice=de.Combo())
    _close(log, "c2/clash", quiet, alice=de.Move(action="jab"), bob=de.Move(action="parry"))
    assert (log.state.fighters["bob"].hp, log.state.combo, log.state.die, log.state.offence) == (5, 0, 6, "alice")

    log = _table()
    _close(
        log, "halves", ScriptedChance({"DUE-08/coin/halves": 1}), alice=de.Half(half="high"), bob=de.Half(half="high")
    )
    for key, alice, bob in (("initial", "bide", "jab"), ("c2", "jab", "counter"), ("c3", "hook", "guard")):
        if key != "initial":
            _close(log, f"{key}/combo", quiet, alice=de.Combo())
        said = {"alice": de.Move(action=alice), "bob": de.Move(action=bob)}
        _close(log, key if key == "initial" else f"{key}/clash", quiet, **said)
    _close(log, "c4/clash", quiet, alice=de.Move(action="counter"), bob=de.Move(action="jab"))
    _close(log, "c5/combo", quiet, bob=de.Combo())
    _close(log, "c5/clash", quiet, alice=de.Move(action="block"), bob=de.Move(action="jab"))
    one, bob = log.state.fighters["alice"], log.state.fighters["bob"]
    assert (one.hp, bob.stamina, log.state.combo, log.state.die) == (8, 1, 2, 4)
