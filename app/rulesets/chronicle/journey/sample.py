"""A journey to look around in: Ella rides out by one of three ways, and the town may be waiting on one of them."""

from pydantic import JsonValue

from app.engine.ruleset import GM, Brief, Demo, Seat
from app.rulesets.chronicle.samples import heroes
from app.rulesets.chronicle.sheets import Sheet, Skills


def the_ride_to_the_town() -> tuple[dict[str, Sheet], Brief]:
    sheets = {
        **heroes(),
        "berta": Sheet(
            name="Berta",
            standing="Reeve of the town",
            skills=Skills(notice=4, hide=2, lead=4, tactics=3, ride=2, run=2, endurance=3, survive=2),
        ),
    }
    seats = {Seat(key): (key,) for key in sheets} | {GM: ()}
    given: JsonValue = {
        "description": "The herd stands behind the Count’s palisade, three days away. Three ways lead there, and "
        "somebody in the town has been told to keep the eyes open.",
        "terrain": "hills",
        "origin": "the mill",
        "goal": "the palisade",
        "routes": [
            {"name": "The valley road", "length": 6, "ground": "Open", "skill": "ride"},
            {"name": "Over the pass", "length": 8, "ground": "Closed", "skill": "run"},
            {"name": "Down the river", "length": 5, "ground": "Open", "skill": "sail"},
        ],
        "sides": {"ella": "a", "morten": "a", "berta": "b"},
        "names": {"a": "The raiders", "b": "The town watch"},
        "aims": {"a": "reach", "b": "hold"},
        "armies": {"a": {"LC": 30, "MI": 40}, "b": {"MI": 60, "BW": 20}},
    }
    return sheets, Brief(kind="journey", title="The ride to the palisade", seats=seats, given=given)


DEMO: Demo[Sheet] = Demo(
    title="Three Ways to the Palisade",
    about="Seventy raiders, three ways, and a town watch that can only be on one of them.",
    set_up=the_ride_to_the_town,
)
