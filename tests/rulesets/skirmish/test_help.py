"""The turn told in help.md is what the rules make of it: numbers are read from the page and played."""

import re
from importlib.resources import files

import pytest

from app.engine.chance import ScriptedChance
from app.engine.log import Recorder
from app.engine.ruleset import GM, Answer, Answers, Brief, Seat, Setup, Step
from app.rulesets.skirmish import SKIRMISH
from app.rulesets.skirmish.fight import events as ev
from app.rulesets.skirmish.fight.declarations import Hand, React
from app.rulesets.skirmish.fight.fold import apply
from app.rulesets.skirmish.fight.odds import tier
from app.rulesets.skirmish.fight.settings import Settings
from app.rulesets.skirmish.fight.state import State, start
from app.rulesets.skirmish.sheet.sheets import Sheet

PAGE = files("app.rulesets.skirmish").joinpath("help.md").read_text(encoding="utf-8")
FIELD = [{"key": "road", "name": "Road", "links": [{"to": "gate"}]}, {"key": "gate", "name": "Gate"}]
COMPANY, FOES = ("Alice", "Bob"), ("Bandit", "Captain")


def _rows(head: str) -> list[list[str]]:
    lines = PAGE.split(head, 1)[1].split("\n\n", 1)[0].splitlines()[2:]
    return [[cell.replace("*", "").strip() for cell in line.strip("|").split("|")] for line in lines]


def _number(words: str) -> int:
    return int(re.findall(r"\d+", PAGE.split(words, 1)[1])[0])


def _sheet(row: list[str]) -> tuple[str, dict[str, object]]:
    name, mgt, agi, wil, hp, armor, weapon = row
    gear = [{"gear": weapon.split(",")[0].replace(" ", "_"), "held": "main"}]
    for kind in ("light", "medium"):
        gear += [{"gear": kind, "held": "worn"}] if f"{kind} armour" in armor else []
    gear += [{"gear": "shield", "held": "off"}] if "shield" in armor else []
    numbers = {"mgt": int(mgt), "agi": int(agi), "wil": int(wil), "hp": int(hp)}
    return name, {"name": name, **numbers, "gear": gear}


def _start() -> State:
    people = dict(_sheet(row) for row in _rows("| | MGT |"))
    assert set(people) == {*COMPANY, *FOES}
    more = {"Bandit": {"zone": "road"}, "Captain": {"zone": "gate", "reactions": ["block"], "leader": True}}
    foes = [{**people[name], **more[name], "key": name.lower(), "group": "gang"} for name in FOES]
    sheets = {name.lower(): Sheet.model_validate(people[name]) for name in COMPANY}
    given = {"foes": foes, "zones": FIELD, "start": "road", "at_once": True}
    brief = Brief(kind="skirmish", title="On the road", seats={Seat(k): (k,) for k in sheets} | {GM: ()}, given=given)
    return start(Setup(brief=brief, settings=Settings(), sheets=sheets, kept={}))


def _step(state: State, kind: str) -> Step:
    return next(step for step in SKIRMISH.steps(state) if step.asks[0].kind == kind)


def _attacks(who: str, target: str) -> dict[str, object]:
    return {"do": "attack", "target": target, "weapon": f"{who}-1"}


DECLARED = {
    "alice": Hand.model_validate(
        {
            "call": "odd",
            "of": {
                "alice": {
                    "turn": "full",
                    "first": {"do": "move", "zone": "road", "close": "bandit"},
                    "then": _attacks("alice", "bandit"),
                }
            },
        }
    ),
    "bob": Hand.model_validate({"of": {"bob": {"turn": "quick", "first": _attacks("bob", "bandit")}}}),
    "gm": Hand.model_validate(
        {
            "of": {
                "bandit": {"turn": "quick", "first": {"do": "move", "zone": "road", "close": "bob"}},
                "captain": {
                    "turn": "full",
                    "first": {"do": "move", "zone": "road", "close": "alice"},
                    "then": _attacks("captain", "alice"),
                },
            }
        }
    ),
}


def _told() -> dict[str, list[str]]:
    """The rows of the four groups by who acts."""
    return {row[1].split()[0].lower(): row for row in _rows("| group | who |")}


def _script() -> dict[str, int | str]:
    rows, aims = _told(), {"bob": "bandit", "alice": "bandit", "captain": "alice"}
    script: dict[str, int | str] = {"SKI-21/caller": _number("Alice rolls"), "SKI-21/gm": _number("the GM rolls")}
    for who, target in aims.items():
        script[f"SKI-33/test/{who}>{target}"] = int(rows[who][2])
        for label, cell in (("SKI-36/damage", rows[who][5]), ("SKI-37/impaired", rows[who][6])):
            script |= {f"{label}/{who}>{target}": int(cell)} if cell.isdecimal() else {}
    script["SKI-38/critical/alice>bandit"] = _number("He rolls")
    script["SKI-72/morale/both/captain"] = _number("The Captain rolls")
    return script


def _play(reaction: str, **more: int) -> tuple[Recorder[State, ev.Event], ScriptedChance]:
    log, chance = Recorder(_start(), apply), ScriptedChance({**_script(), **more})
    declare = _step(log.state, "declare")
    SKIRMISH.resolve(
        log, declare, Answers(of={ask.seat: Answer(says=DECLARED[ask.seat]) for ask in declare.asks}), chance
    )
    react = _step(log.state, "react")
    assert [(ask.seat, ask.about) for ask in react.asks] == [("alice", ("captain>alice",))]
    says = React.model_validate({"of": {"captain>alice": reaction}})
    SKIRMISH.resolve(log, react, Answers(of={Seat("alice"): Answer(says=says)}), chance)
    return log, chance


def test_the_turn_on_the_road_comes_out_as_told() -> None:
    log, chance = _play("block")
    assert chance.unused() == []
    state, happened = log.state, [told.event for told in log.events]
    initiative = next(event for event in happened if isinstance(event, ev.Initiative))
    assert (initiative.call, initiative.leads) == ("odd", "company")
    groups = next(event for event in happened if isinstance(event, ev.Queued)).groups
    assert [(f"{turn}, {side}", *order) for side, turn, order in groups] == [
        (row[0], who) for who, row in _told().items()
    ]
    tests = {event.who: event for event in happened if isinstance(event, ev.Tested)}
    for who, test in tests.items():
        row = _told()[who]
        assert (f"{test.attribute.upper()} {test.value}", str(test.tier)) == (row[3], row[4])
    hits = {event.by: event.damage for event in happened if isinstance(event, ev.Damage)}
    assert hits == {who: int(_told()[who][8].split("= ")[-1]) for who in ("alice", "captain")}
    saves = [(event.who, event.why, event.value, event.passed) for event in happened if isinstance(event, ev.Saved)]
    assert saves == [("bandit", "critical", 7, False), ("captain", "morale", 13, True)]
    assert {key: (c.hp, c.mgt, c.fatigue, c.status) for key, c in state.combatants.items()} == {
        "alice": (3, 12, 1, ""), "bob": (4, 9, 0, ""), "bandit": (0, 7, 0, "out"), "captain": (9, 12, 0, ""),
    }  # fmt: skip
    assert state.close == [("alice", "captain")]


def test_without_a_block_alice_is_at_exactly_0_hp() -> None:
    log, _ = _play("defend")
    alice = log.state.combatants["alice"]
    assert (alice.hp, alice.mgt, alice.fatigue, alice.status) == (0, 12, 0, "")


@pytest.mark.parametrize(("own", "left"), [(8, 12), (7, 4)])
def test_a_parry_needs_another_8(own: int, left: int) -> None:
    log, _ = _play("parry", **{"SKI-36/damage/parry/captain>alice": own})
    alice, captain = (log.state.combatants[who] for who in ("alice", "captain"))
    assert (alice.hp, alice.mgt, captain.mgt) == (6, left, 12)


def test_the_table_of_tiers_is_right() -> None:
    for attribute in range(1, 19):
        for face in range(1, 21):
            told = 3 if face <= attribute // 2 or face == 1 else 1 if face > attribute or face == 20 else 2
            assert tier("rollunder", attribute, (face,)) == told
