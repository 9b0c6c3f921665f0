"""What a fight leaves: wounds on sheets, what was dropped, and the scenes of those who fled or gave up."""

from typing import Literal

from pydantic import JsonValue

from app.engine.ruleset import Outcome, PlannedEntry
from app.engine.sentences import and_list
from app.rulesets.chronicle.arms import SHIELD
from app.rulesets.chronicle.hand.foes import sheet_of
from app.rulesets.chronicle.hand.muster import belongings
from app.rulesets.chronicle.hand.state import OTHER, Fight, Fighter, Side, State
from app.rulesets.chronicle.next_scenes import Following, Person, escape, parley


def _left(one: Fighter) -> dict[str, JsonValue]:
    """A fighter's wounds, and the items left behind by one who dropped them and left the fight (CHR-ACT-34)."""
    after: dict[str, JsonValue] = {"wounds": one.wounds.model_dump(mode="json")}
    if one.lost and one.gone in ("fled", "surrendered", "left"):
        left = belongings(one)
        for item in one.lost:
            dropped = next((thing for thing in left if thing.item == item), None)
            if dropped is not None:
                left.remove(dropped)
        after["weapons"] = [thing.model_dump(mode="json") for thing in left]
        if SHIELD in one.lost:
            after["shield"] = False
    return after


def outcome(state: State) -> Outcome:
    """Wounds and deaths go to the sheets; the result holds the winner, the rounds and the fate of every fighter."""
    fight = state.fight
    sheets: dict[str, JsonValue] = {one.character: _left(one) for one in fight.fighters.values() if one.character}
    fates: dict[str, JsonValue] = {key: one.gone or "there" for key, one in fight.fighters.items()}
    lost: dict[str, JsonValue] = {key: list(one.lost) for key, one in fight.fighters.items() if one.lost}
    result: dict[str, JsonValue] = {"winner": fight.winner, "rounds": fight.round, "fates": fates, "lost": lost}
    return Outcome(sheets=sheets, entries=_entries(fight), result=result)


def _entries(fight: Fight) -> tuple[PlannedEntry, ...]:
    """For each side whose people fled, an escape from those who still stand (CHR-TRV-22); for those who gave up, a talk
    about what becomes of them (CHR-ACT-36)."""
    if fight.settings.leaves == "entries":
        return ()
    found = list[PlannedEntry]()
    for side in OTHER:
        others = [
            one for one in fight.fighters.values() if one.side == OTHER[side] and one.here and fight.able(one.key)
        ]
        if (fled := _gone(fight, side, "fled")) and others:
            text = f"{_names(fled)} ran from the fight, and {_names(others)} may go after them."
            found.append(escape(_following(fight, fled, others), f"Flight: {_names(fled)}", text))
        if (gave_up := _gone(fight, side, "surrendered")) and others:
            text = f"{_names(gave_up)} gave up the fight. What becomes of them?"
            names = [one.name for one in (*gave_up, *others) if not one.character]
            then = _following(fight, gave_up, others)
            found.append(parley(then, f"Terms for {_names(gave_up)}", text, f"the surrender of {_names(gave_up)}",
                                others=names))  # fmt: skip
    return tuple(found)


def _gone(fight: Fight, side: Side, how: Literal["fled", "surrendered"]) -> list[Fighter]:
    return [one for one in fight.fighters.values() if one.side == side and one.gone == how]


def _names(some: list[Fighter]) -> str:
    return and_list([one.name for one in some])


def _following(fight: Fight, a: list[Fighter], b: list[Fighter]) -> Following:
    sides: tuple[tuple[Side, list[Fighter]], ...] = (("a", a), ("b", b))
    people = [
        Person(
            name=one.name,
            side=side,
            character=one.character,
            seat=one.seat,
            sheet=None if one.character else {**sheet_of(one).model_dump(mode="json"), "key": one.key},
        )
        for side, some in sides
        for one in some
    ]
    return Following(people=people)
