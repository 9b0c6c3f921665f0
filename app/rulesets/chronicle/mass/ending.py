"""The end of a battle: why it ends, and what is lost for good (CHR-END)."""

from typing import Literal

from pydantic import JsonValue

from app.engine.ruleset import Outcome, PlannedEntry
from app.engine.sentences import capital
from app.rulesets.chronicle.mass import events as ev
from app.rulesets.chronicle.mass import losses
from app.rulesets.chronicle.mass.state import OTHER, SIDES, End, Side, State
from app.rulesets.chronicle.next_scenes import Following, Person, parley, pursuit

RULES: dict[End, str] = {
    "surrender": "CHR-END-08",
    "retreat": "CHR-END-07",
    "no-units": "CHR-END-10",
    "quiet": "CHR-END-13",
    "gm": "CHR-FLO-06",
}


def standing(state: State) -> list[Side]:
    """The sides that still have units."""
    return [side for side in SIDES if state.of(side)]


def ends(log: ev.BattleLog) -> bool:
    """Ends the battle if a side has no units (CHR-END-01). Returns whether it is over."""
    left = standing(log.state)
    if len(left) == 2:
        return False
    gone = [side for side in SIDES if side not in left]
    retreat = any(unit.gone == "left" and unit.side in gone for unit in log.state.units.values())
    end(log, "retreat" if retreat else "no-units", left[0] if left else "")
    return True


def end(log: ev.BattleLog, why: End, winner: Side | Literal[""], reason: str = "") -> None:
    """Tells the end, with the men of each unit that are lost for good."""
    event = ev.Ended(why, winner, halved(log.state), tuple(for_good(log.state).items()), reason)
    log.emit(event, rule=RULES[why])


def halved(state: State) -> tuple[Side, ...]:
    """The sides whose losses are halved: all but those who ever declared retreat (CHR-END-07, -08, -10 to -12)."""
    return tuple(side for side in SIDES if side not in state.retreated)


def for_good(state: State) -> dict[str, int]:
    """The men of each unit that are lost for good, if the battle ends now (CHR-END-06 to -09)."""
    sides, rounding = halved(state), state.settings.battle_end_rounding
    return {
        unit.key: losses.lasting(unit.losses, unit.men, halved=unit.side in sides, rounding=rounding)
        for unit in state.units.values()
    }


def giving_up(state: State) -> list[Side]:
    """The sides that offer surrender in this round."""
    return [side for side in SIDES if state.intents.get(side) == "surrender"]


def outcome(state: State) -> Outcome:
    """The winner, the rounds and the losses for good by side and troops; terms and pursuit for the calendar."""
    found, lost = for_good(state), dict[str, JsonValue]()
    for side in SIDES:
        own = [unit for unit in state.units.values() if unit.side == side]
        troops = dict.fromkeys(unit.troop for unit in own)
        lost[side] = {troop: sum(found[unit.key] for unit in own if unit.troop == troop) for troop in troops}
    result: dict[str, JsonValue] = {
        "winner": state.winner,
        "names": {side: state.names[side] for side in SIDES},
        "rounds": state.round,
        "end": state.end,
        "lost": lost,
    }
    return Outcome(result=result, entries=_entries(state))


def _entries(state: State) -> tuple[PlannedEntry, ...]:
    if not state.winner:
        return ()
    scenes = state.settings.leaves == "scenes"
    people = tuple(key for side in SIDES for key in state.people[side])
    winner, loser = state.names[state.winner], state.the(OTHER[state.winner])
    if state.end == "surrender":
        title, text = f"Terms of surrender for {loser}", _terms(state)
        if scenes and not state.agreed:
            others = [state.names[side] for side in SIDES if not state.people[side]]
            return (parley(_following(state), title, text, f"the surrender of {loser}", others=others),)
        return (PlannedEntry(kind="note", title=title, people=people, text=text),)
    if state.end == "retreat":
        title = f"{winner}: pursuit of {loser}"
        if scenes:
            return (pursuit(_following(state), title, f"{capital(loser)} left the field.", _left(state)),)
        return (PlannedEntry(kind="scene", title=title, people=people),)
    return ()


def _terms(state: State) -> str:
    if not state.terms:
        return "The table decides the terms."
    agreed = "They were accepted." if state.agreed else "The table decides about them."
    return f"{state.terms}\n\n{agreed}"


def _next_sides(state: State) -> dict[Side, Side]:
    """The sides of this battle, and what they are in the next scene: who lost is side A."""
    assert state.winner
    return {OTHER[state.winner]: "a", state.winner: "b"}


def _following(state: State) -> Following:
    """The people of the scene that follows: those who lost are its side A."""
    of = _next_sides(state)
    people = [
        Person(name=key, side=of[side], character=key, seat=state.seat_of.get(key, key))
        for side in of
        for key in state.people[side]
    ]
    return Following(people=people, called={of[side]: state.names[side] for side in SIDES})


def _left(state: State) -> dict[Side, dict[str, int]]:
    """The men whom each side still has, by troops, those who lost as side A."""
    found, left = for_good(state), dict[Side, dict[str, int]]()
    for side, name in _next_sides(state).items():
        men: dict[str, int] = {}
        for unit in state.units.values():
            if unit.side == side:
                men[unit.troop] = men.get(unit.troop, 0) + unit.men - found[unit.key]
        left[name] = {troop: number for troop, number in men.items() if number}
    return left
