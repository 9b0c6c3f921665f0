"""The cycle told in help.md is what the rules make of it: dice and numbers are read from the page and played."""

from importlib.resources import files

from app.engine.chance import ScriptedChance
from app.engine.log import Recorder
from app.engine.ruleset import GM, Answer, Answers, Brief, Seat, Setup, Viewer
from app.rulesets.arcana import FIGHT
from app.rulesets.arcana.fight import declarations as de
from app.rulesets.arcana.fight import events as ev
from app.rulesets.arcana.fight.state import State
from app.rulesets.arcana.rules.settings import Settings
from app.rulesets.arcana.sheet.sheets import Sheet

PAGE = files("app.rulesets.arcana").joinpath("help.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in PAGE.split("| who | what |", 1)[1].split("\n\n", 1)[0].splitlines()[2:]
]
LABELS = (
    "ARC-148/cast/dara/1", "ARC-71/accuracy/troll/1>elio", "ARC-71/accuracy/dara/1>troll",
    "ARC-128/damage/dara/1>troll/1", "ARC-148/cast/cleo/1", "ARC-134/heal/cleo/1>elio/2",
)  # fmt: skip
NOVICE = {"schools": {"malediction": "novice", "restoration": "novice"}, "spells": ("spark_volley", "mend")}
PLACES = {"dara": "0,0", "elio": "16,0", "cleo": "8,0", "troll": "18,0"}


def _played() -> tuple[State, list[ev.Event], str]:
    luck = {
        f"{label}/{number}": int(face)
        for label, row in zip(LABELS, ROWS, strict=True)
        for number, face in enumerate(row[2].split(", "), 1)
    }
    plain = {"hp_stated": 20, "fp_stated": 20, **NOVICE}
    sheets = {key: Sheet.model_validate({"name": key.capitalize(), **plain}) for key in ("dara", "elio", "cleo")}
    troll = {"key": "troll", "name": "Troll", "attributes": {"ATH": 14, "FIN": 8}, "hp_stated": 30, "fp_stated": 6,
             "weapons": ["club"]}  # fmt: skip
    seats = {Seat(key): (key,) for key in sheets} | {GM: ()}
    brief = Brief(kind="fight", title="The gate", seats=seats, given={"foes": [troll], "at": PLACES, "lay_out": "no"})
    log: Recorder[State, ev.Event] = Recorder(
        FIGHT.start(Setup(brief=brief, settings=Settings(), sheets=sheets, kept={})), FIGHT.apply
    )
    volley = de.Action(do="cast", spell="spark_volley", target="troll", pp=1)
    mend = de.Action(do="cast", spell="mend", target="elio")
    turns = {
        "dara": de.Turn(major=volley),
        "elio": de.Turn(minors=(de.Action(do="evade"), de.Action(do="communicate", words="Behind you!"))),
        "cleo": de.Turn(major=mend, when=de.When(who="troll", verb="attacks", whom="elio")),
        "troll": de.Turn(major=de.Action(do="attack", weapon="club", target="elio"), react=de.React(resist="never")),
    }
    step = FIGHT.steps(log.state)[0]
    says = {ask.seat: de.Plan(of={key: turns[key] for key in (ask.about or ("troll",))}) for ask in step.asks}
    FIGHT.resolve(log, step, Answers(of={seat: Answer(says=plan) for seat, plan in says.items()}), chance(luck))
    view = FIGHT.view(log.state, Viewer(seats=frozenset({Seat("cleo")})))
    return log.state, [told.event for told in log.events], view.name("troll")


def chance(luck: dict[str, int]) -> ScriptedChance:
    return ScriptedChance(luck)


def test_the_cycle_comes_out_as_told() -> None:
    state, told, troll = _played()
    assert troll == "Troll"
    casts = [one for one in told if isinstance(one, ev.Checked) and one.what == "casting"]
    blows = [one for one in told if isinstance(one, ev.Struck)]
    harm = [one for one in told if isinstance(one, ev.Damaged)]
    heals = [one for one in told if isinstance(one, ev.Healed)]
    found = [
        (casts[0].rolls[0].face + casts[0].bonus, casts[0].value, "launched" if casts[0].ok else "fails"),
        (blows[0].kept + blows[0].bonus, blows[0].value, "hits" if blows[0].hit else "misses"),
        (blows[1].kept + blows[1].bonus, blows[1].value, "hits" if blows[1].hit else "misses"),
        (harm[0].amount, "–", state.fighters["troll"].hp),
        (casts[1].rolls[0].face + casts[1].bonus, casts[1].value, "launched" if casts[1].ok else "fails"),
        (heals[0].amount, "–", state.fighters["elio"].hp),
    ]
    assert [[str(value) for value in row] for row in found] == [row[3:] for row in ROWS]
    assert [one.fp for key, one in state.fighters.items() if key in ("cleo", "dara", "elio")] == [15, 15, 20]
    card = next(one.card for one in told if isinstance(one, ev.Judged))
    assert (card.verdict, card.watched) == ("fired", "troll")


def test_the_words_are_those_that_a_form_reads_back() -> None:
    """The declarations of the page are the sentences that pages make of them."""
    state, told, _ = _played()
    del state
    turns = {one.who: one.turn for one in told if isinstance(one, ev.Revealed)}
    log = FIGHT.start(
        Setup(
            brief=Brief(
                kind="fight",
                title="x",
                seats={Seat(key): (key,) for key in ("dara", "elio", "cleo")} | {GM: ()},
                given={"foes": [{"key": "troll", "name": "Troll", "weapons": ["club"]}], "lay_out": "no"},
            ),
            settings=Settings(),
            sheets={
                key: Sheet.model_validate({"name": key.capitalize(), **NOVICE}) for key in ("dara", "elio", "cleo")
            },
            kept={},
        )
    )
    view = FIGHT.view(log, Viewer(seats=frozenset({Seat("cleo")})))
    page = " ".join(PAGE.replace("**", "").split())
    for who in ("dara", "elio", "cleo", "troll"):
        assert view.declared(who, turns[who]) in page
