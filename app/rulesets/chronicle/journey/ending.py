"""What comes of a journey: arrival, or the next scene with its beginning (steps T8 and T9; CHR-TRV-17 to -22)."""

from typing import Any

from pydantic import JsonValue

from app.engine.ruleset import Outcome, PlannedEntry
from app.engine.sentences import and_list
from app.rulesets.chronicle.hand.muster import FOES
from app.rulesets.chronicle.journey.state import OTHER, SIDES, Side, State, is_mass
from app.rulesets.chronicle.mass.troops import TROOPS
from app.rulesets.chronicle.next_scenes import Following, Person, parley

LEAST = "MI"  # what people without an army count as, if the others have one
SOLDIERS = {
    "LI": "brigand", "MI": "guard", "HI": "sergeant", "PK": "halberdier", "LC": "brigand", "MC": "sergeant",
    "HC": "knight", "BW": "villager",
}  # fmt: skip
"""The ready-made sheet of a soldier who fights hand to hand, by troops."""
POSTURES = {True: "on the march", False: "in camp"}


def outcome(state: State) -> Outcome:
    """How the journey ended, and the entry of what comes next."""
    result: dict[str, JsonValue] = {"end": state.end, "legs": state.leg, "attacker": state.attacker}
    return Outcome(entries=_entries(state), result=result)


def _entries(state: State) -> tuple[PlannedEntry, ...]:
    match state.end:
        case "arrived":
            people, name = _cast(state, state.mover), state.companies[state.mover].name
            title = f"Arrival: {_who(state, state.mover) or name}, {state.goal}"
            return (PlannedEntry(kind="arrival", title=title[:120], in_days=0, people=people, place=state.goal),)
        case "battle" | "ambush":
            return (_fight(state),)
        case "talk":
            return (_talk(state),)
        case "away":
            names = _who(state, state.mover) or state.companies[state.mover].name
            return (PlannedEntry(kind="note", title=f"{names} got away"[:120], in_days=0,
                                 people=_cast(state, state.mover)),)  # fmt: skip
        case _:
            return ()


def _cast(state: State, *sides: Side) -> tuple[str, ...]:
    """The characters of these sides who are there."""
    return tuple(key for side in sides for key in state.here(side) if state.people[key].character)


def _who(state: State, side: Side) -> str:
    return and_list([state.people[key].name for key in _cast(state, side)]) if _cast(state, side) else ""


def place_of(state: State) -> str:
    """Where the sides met, in words."""
    assert state.contact is not None
    route = state.routes[state.contact.route]
    if state.escape:
        return route.name
    return f"{route.name}, {state.contact.at} of {route.length} points from {state.origin} to {state.goal}"


def _told(state: State) -> str:
    """How the fight begins, in words: place and ground (CHR-TRV-24), and how the ambushed army stands (CHR-TRV-17)."""
    assert state.contact is not None
    ground = state.routes[state.contact.route].ground
    words = f"{state.companies['a'].name} and {state.companies['b'].name} meet: {place_of(state)}. {ground} ground."
    if state.end == "ambush" and state.attacker:
        ambushed = OTHER[state.attacker]
        marching = state.courses[ambushed].pace not in ("", "halt")
        words += f" Caught {POSTURES[marching]}: {state.companies[ambushed].name}."
    return words


def _fight(state: State) -> PlannedEntry:
    """The battle on the same day: who attacks, and whether the others are ambushed (CHR-TRV-17 to -21)."""
    side = state.attacker or "a"
    mass = is_mass(state)
    what = "ambush" if state.end == "ambush" else "battle" if mass else "fight"
    title = f"{what.capitalize()}: {state.companies[side].name} against {state.companies[OTHER[side]].name}"
    given = _mass(state) if mass else _hand(state)
    brief = _following(state).brief("mass" if mass else "hand", given) if given else None
    text = _told(state)
    if brief is None:
        text += " One side has nobody who fights. Choose opponents on the form for a new scene."
    return PlannedEntry(
        title=title[:120], in_days=0, place=place_of(state)[:200], people=_cast(state, *SIDES), text=text, brief=brief
    )


def _following(state: State) -> Following:
    """The same people and seats."""
    people = [
        Person(name=one.name, side=side, character=key if one.character else "", seat=one.seat)
        for side in SIDES
        for key in state.here(side)
        for one in (state.people[key],)
    ]
    return Following(people=people)


def _mass(state: State) -> dict[str, Any]:
    """Both armies as they were on the way; people without troops fight as medium infantry."""
    armies: dict[str, dict[str, int]] = {}
    for side in SIDES:
        men = {troop: number for troop, number in state.companies[side].men.items() if number}
        armies[side] = men or {LEAST: max(1, len(state.here(side)))}
    return {
        "description": _told(state),
        "sides": _following(state).sides,
        "names": {side: state.companies[side].name for side in SIDES},
        "attacker": state.attacker,
        "how": "ambush" if state.end == "ambush" else "set",
        "armies": armies,
    }


def _hand(state: State) -> dict[str, Any] | None:
    """All fighters on their sides: people with a sheet, and soldiers with a ready-made one; None if a side has none."""
    if not all(state.fighters(side) for side in SIDES):
        return None
    foes: list[dict[str, Any]] = [
        {**state.people[key].sheet.model_dump(mode="json"), "key": key, "side": side}
        for side in SIDES
        for key in state.here(side)
        if not state.people[key].character
    ]
    foes += [soldier for side in SIDES for soldier in _soldiers(state, side)]
    ambush = state.attacker if state.end == "ambush" else ""
    sides = _following(state).sides
    return {"description": _told(state), "sides": sides, "foes": foes, "ambush": ambush, "gap": state.gap}


def _soldiers(state: State, side: Side) -> list[dict[str, Any]]:
    """The men of a small army, one by one."""
    return [
        {
            **FOES[SOLDIERS[troop]].model_dump(mode="json"),
            "key": f"{troop}-{side}-{number}",
            "name": f"{TROOPS[troop].name.capitalize()} {side.upper()}{number}",
            "side": side,
        }
        for troop, men in state.companies[side].men.items()
        for number in range(1, men + 1)
    ]


def _talk(state: State) -> PlannedEntry:
    """A parley on the same day (CHR-TRV-18)."""
    names = [state.companies[side].name for side in SIDES]
    others = [state.people[key].name for side in SIDES for key in state.here(side) if not state.people[key].character]
    others += [state.companies[side].name for side in SIDES if not state.here(side)]
    place = place_of(state)
    text = f"{names[0]} and {names[1]} meet: {place}. They want to talk."
    title, topic = f"Parley: {names[0]} and {names[1]}", f"the way of {names[0]}"
    return parley(_following(state), title, text, topic, others=others, place=place)
