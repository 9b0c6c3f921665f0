"""Decisions before the battle: armies, the field, placing, the row between (steps M0 to M7)."""

from collections.abc import Mapping

from app.engine.chance import Chance
from app.engine.decisions import Decision
from app.engine.options import Choice, Options
from app.engine.ruleset import Answers, Ask, Faults, Phase, Step
from app.rulesets.chronicle.mass import events as ev
from app.rulesets.chronicle.mass import forms, opening, placing
from app.rulesets.chronicle.mass.asks import Of, aloud, commanders, commanders_answer, only_about, step
from app.rulesets.chronicle.mass.field_text import FIELDS
from app.rulesets.chronicle.mass.hexes import Hex
from app.rulesets.chronicle.mass.opening import OWN
from app.rulesets.chronicle.mass.orders import begin
from app.rulesets.chronicle.mass.state import SIDES, Side, State
from app.rulesets.chronicle.mass.troops import TROOPS
from app.rulesets.chronicle.mass.view import View


def _choosing(state: State) -> list[Side]:
    return [side for side in SIDES if side not in state.armies]


def _armies_check(view: View, ask: Ask, says: forms.Armies) -> Faults:
    faults = only_about(ask, says.of, next(iter(TROOPS)))
    for side in SIDES:
        if side not in ask.about or faults:
            continue
        men, points = says.of.get(side, {}), view.battle.points[side]
        if wrong := opening.army_fault(men):
            strange = next((troop for troop in men if troop not in TROOPS), next(iter(TROOPS)))
            faults[f"of.{side}.{strange}"] = wrong
        elif (cost := opening.cost(men)) > points:
            most = max(men, key=lambda troop: opening.cost({troop: men[troop]}))
            faults[f"of.{side}.{most}"] = f"This army costs {cost} points, and there are {points}. Take fewer men."
    return faults


def usual_army(points: int) -> dict[str, int]:
    """The army of somebody who chooses none: as many of the cheapest troops as the points buy."""
    key = min(TROOPS, key=lambda troop: TROOPS[troop].cost)
    return {key: min(points // TROOPS[key].cost, opening.MOST_MEN)}


def _usual_armies(view: View, ask: Ask) -> forms.Armies:
    of = {side: usual_army(view.battle.points[side]) for side in SIDES if side in ask.about}
    return forms.Armies(of=of)


def _muster(log: ev.BattleLog, answers: Answers[forms.Armies], chance: Chance) -> None:
    """Both armies, then their units and the loss number (CHR-UNI)."""
    for side in _choosing(log.state):
        says, how = commanders_answer(log.state, side, answers)
        men = says.of.get(side, {}) if says else usual_army(log.state.points[side])
        event = ev.Army(side, tuple((troop, men[troop]) for troop in TROOPS if men.get(troop)), how)
        log.emit(event, rule="CHR-ARM-12")
    log.emit(opening.divided(log.state), rule="CHR-UNI-12")
    log.emit(ev.Stage("field"), rule="CHR-PLC-01")


ARMIES: Of[forms.Armies] = Decision(
    forms.Armies,
    step=lambda state: step(state, "armies", commanders(state, "armies", {side: (side,) for side in _choosing(state)})),
    resolve=_muster,
    phase=Phase(
        words="Armies", steps=("armies",), default="take as many of the cheapest troops as it can", opening=True
    ),
    check=_armies_check,
    default=_usual_armies,
    title="The armies",
    call="Choose the numbers of <seat>’s army",
)


def _field_check(view: View, ask: Ask, says: forms.Battlefield) -> Faults:
    wrong = opening.field_fault(says.field, says.map, view.battle.offered)
    return {"map" if says.field == OWN else "field": wrong} if wrong else {}


def _choose_field(log: ev.BattleLog, answers: Answers[forms.Battlefield], chance: Chance) -> None:
    side = opening.picker(log.state)
    says, how = commanders_answer(log.state, side, answers)
    if says:
        offered = log.state.offered
        field = opening.field_of(says.field, says.map, offered)
        name = offered[says.field].name if says.field in offered else ""
        rule = "CHR-PLC-07" if log.state.how == "ambush" else "CHR-PLC-02"
        log.emit(ev.Battlefield(side, says.field, field, how, name), rule=rule)
    log.emit(ev.Stage("place"), rule="CHR-PLC-12")


def _field_choices(view: View, ask: Ask) -> Options:
    kept = ((key, one.name) for key, one in view.battle.offered.items())
    named = (Choice(key, words) for key, words in (*FIELDS.items(), *kept))
    return {"field": (*named, Choice(OWN, "A map of your own"))}


FIELD: Of[forms.Battlefield] = Decision(
    forms.Battlefield,
    step=lambda state: step(state, "field", () if state.field else aloud(state, "field", opening.picker(state))),
    resolve=_choose_field,
    phase=Phase(words="The field", steps=("field",), default="fight on open ground", opening=True),
    options=_field_choices,
    check=_field_check,
    title="The battlefield",
    call="Choose the battlefield",
)


def _place_step(state: State) -> Step:
    side = placing.placer(state)
    return step(state, f"place/{side}", aloud(state, "place", side, [unit.key for unit in state.of(side)]))


ARRANGED: Mapping[placing.Arrange, str] = {
    "": "The usual place",
    "line": "A line",
    "two lines": "Two lines",
    "wedge": "A wedge",
    "column": "A column",
    "camp": "A camp",
}


def _spots(state: State, says: forms.Place) -> dict[str, Hex | None]:
    named = {key: spot.to for key, spot in says.of.items()}
    return placing.placed(state, placing.placer(state), named, says.arrange)


def _place_check(view: View, ask: Ask, says: forms.Place) -> Faults:
    state, side = view.battle, placing.placer(view.battle)
    faults = only_about(ask, says.of, "to")
    seats = ("", *state.members[side])
    for key, spot in says.of.items():
        if state.shared and spot.seat not in seats:
            faults[f"of.{key[:60]}.seat"] = "Choose one of this side’s players."
    if faults:
        return faults
    found = placing.faults(state, side, _spots(state, says), says.shape)
    return {f"of.{key}.to" if key else "arrange": wrong for key, wrong in found.items()}


SHAPES = (
    Choice("march", "On the march: each unit next to the one before"),
    Choice("camp", "In camp: all within two hexes of one hex"),
)


def _place_choices(view: View, ask: Ask) -> Options:
    """The arrangements with the hexes they come to, and what an ambushed army is doing (CHR-PLC-07)."""
    state = view.battle
    found = {"arrange": tuple(Choice(how, f"{ARRANGED[how]}: {hexes}") for how, hexes in view.arrangements.items())}
    surprised = state.how == "ambush" and placing.is_first(state, placing.placer(state))
    return found | ({"shape": SHAPES} if surprised else {})


def _usual_place(view: View, ask: Ask) -> forms.Place:
    """The usual hexes; an ambushed army that finds no room for a march column is in camp."""
    tries = [forms.Place(), forms.Place(shape="camp"), forms.Place(shape="camp", arrange="camp")]
    return next((says for says in tries if not _place_check(view, ask, says)), tries[0])


def dealt(state: State, side: Side, said: Mapping[str, str]) -> dict[str, str]:
    """The seat that moves each unit: as the commander gave them out, else dealt in order; without shared command all
    are the commander's.
    """
    keys, seats = [unit.key for unit in state.of(side)], state.members[side]
    if not state.shared:
        return dict.fromkeys(keys, state.commanders[side])
    return {key: said.get(key) or seats[number % len(seats)] for number, key in enumerate(keys)}


def _place(log: ev.BattleLog, answers: Answers[forms.Place], chance: Chance) -> None:
    """An army takes its place; after the second one round 1 begins with its clusters (CHR-PLC-10)."""
    state, side = log.state, placing.placer(log.state)
    says, how = commanders_answer(state, side, answers)
    assert says is not None
    first = placing.is_first(state, side)
    seats = dealt(state, side, {key: spot.seat for key, spot in says.of.items()})
    at = tuple((key, hex, seats[key]) for key, hex in _spots(state, says).items() if hex)
    shape = says.shape if first and state.how == "ambush" else ""
    log.emit(ev.Placed(side, at, shape, how), rule="CHR-PLC-12")
    if not first:
        begin(log, chance)
    elif state.how == "set":
        log.emit(ev.Stage("line"), rule="CHR-PLC-04")
    else:
        log.emit(ev.Stage("place", 2), rule="CHR-PLC-08")


PLACE: Of[forms.Place] = Decision(
    forms.Place,
    step=_place_step,
    resolve=_place,
    phase=Phase(words="Placing", steps=("place",), default="take the usual hexes", opening=True),
    options=_place_choices,
    check=_place_check,
    default=_usual_place,
    title="Placing an army",
    call="Place the army",
)


def _line_step(state: State) -> Step:
    return step(state, "line", aloud(state, "line", state.defender) if len(placing.rows(state)) > 1 else (), "react")


def _row_choices(view: View, ask: Ask) -> Options:
    state = view.battle
    army = [unit.at for unit in state.of(state.defender) if unit.here]
    return {"line": tuple(Choice(key, placing.row_in_words(line, army)) for key, line in placing.rows(state).items())}


def _draw_line(log: ev.BattleLog, answers: Answers[forms.Row], chance: Chance) -> None:
    state, side = log.state, log.state.defender
    says, how = commanders_answer(state, side, answers)
    rows = placing.rows(state)
    line = rows.get(says.line if says else "") or next(iter(rows.values()), None)
    if line:  # else the GM has moved the army since, and the attackers place freely
        log.emit(ev.Lined(side, line.axis, line.value, line.sign, how), rule="CHR-PLC-05")
    log.emit(ev.Stage("place", 2), rule="CHR-PLC-03")


LINE: Of[forms.Row] = Decision(
    forms.Row,
    step=_line_step,
    resolve=_draw_line,
    phase=Phase(
        words="The row between", steps=("line",), default="take the row of its northernmost unit", opening=True
    ),
    options=_row_choices,
    title="The row between the armies",
    call="Choose the row behind which the attackers are placed",
)
