"""The battle that the help of mass battles plays through, "The hill above the mill", as the rules play it."""

from app.engine.chance import Roll
from app.rulesets.chronicle.mass import MASS
from app.rulesets.chronicle.mass.field import Field
from app.rulesets.chronicle.mass.hexes import read, spell
from app.rulesets.chronicle.mass.strength import total
from tests.rulesets.chronicle.mass.stage import Luck, answer, only, run, stage, step_now

UNITS = {
    "a1": ("LI J15", 60), "a2": ("HC K9", 45), "a3": ("HC K12", 45),
    "b1": ("MI L11", 50), "b2": ("MI K13", 50), "b3": ("MI K15", 50), "b4": ("PK L9", 50), "b5": ("BW M11", 40),
}  # fmt: skip
DICE = {
    "b5>a3": (4, 5, 3), "a2>b4": (5, 3, 4), "a3>b1": (7, 4, 5), "a3>b2": (2, 5, 3), "a1>b3": (6, 5, 4),
}  # fmt: skip


class Dice(Luck):
    """The dice of the example."""

    def die(self, size: int, label: str) -> Roll:
        pair, die = label.split("/")[2:]
        value = DICE[pair][("d8-1", "d8-2", "d10").index(die)]
        return Roll(label=label, size=size, face=value + (size == 10))


def test_the_hill_above_the_mill() -> None:
    hill = {hex: 1 for text in ("L9", "L11", "M11", "K11") if (hex := read(text))}
    wood = [hex for text in ("J15", "I15") if (hex := read(text))]
    ground = Field(levels=hill, kinds=dict.fromkeys(wood, "closed"))
    log = stage({key: words for key, (words, _) in UNITS.items()}, ground=ground, number=3, loss=18)
    for key, (_, men) in UNITS.items():
        log.state.units[key].men = men
    told = run(log)
    assert set(only(told, "clustered")[0].clusters) == {("a1", "b3"), ("a2", "b4"), ("a3", "b1", "b2")}
    told = answer(log, Dice(), bob={"of": {"b5": {"at": "a3"}}})
    (shot,) = only(told, "shot")
    assert (total(shot.own), total(shot.other), shot.checked.total, shot.losses) == (3, 5, 15, 4)

    told = answer(log, Dice(), ann={"order": "2 3 1"})
    assert [(total(one.own), total(one.against), one.checked.total) for one in only(told, "fought")] == [(7, 8, 19)]
    told = answer(log, Dice(), ann={"of": {"a2": {"to": "K8"}}})
    assert [(one.who, one.after) for one in only(told, "lost")] == [("a2", 18)]
    rolls = [(total(one.own), total(one.against), one.checked.success) for one in only(told, "fought")]
    assert rolls == [(5, 4, True), (5, 3, False)]
    answer(log, Dice(), bob={"winner": "b1"})
    assert "K11" not in [spell(hex) for hex in log.state.ground.away((10, 11), (11, 10), log.state.taken)]
    assert "K11" in [spell(hex) for hex in log.state.ground.away((10, 11), (10, 12), log.state.taken)]
    answer(log, Dice())
    assert log.state.units["a3"].losses == 22
    assert step_now(log).asks[0].about == ("b3",), "the wood comes last"
    answer(log, Dice(), bob={"of": {"b3": {"to": "L15"}}})
    answer(log, Dice(), ann={"of": {"a1": {"step": "I15"}}})

    answer(log, ann={"of": {"a": {"intent": "retreat"}}})
    told = answer(log)
    assert log.state.end == "retreat" and log.state.winner == "b"
    found = MASS.outcome(log.state).result
    assert isinstance(found, dict) and found["lost"] == {
        "a": {"LI": 0, "HC": 40},
        "b": {"MI": 9, "PK": 0, "BW": 0},
    }
