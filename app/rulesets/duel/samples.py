"""The demo of duels: two fighters who trained in different corners of the same gym."""

from pydantic import JsonValue

from app.engine.ruleset import GM, Brief, Demo, Seat
from app.rulesets.duel.sheets import Sheet


def heroes() -> dict[str, Sheet]:
    """Mira, who waits for her moment, and Tomo, who makes it."""
    return {
        "mira": Sheet(
            name="Mira",
            level=6,
            unlocks=("guard", "leg-sweep", "hand-catch", "sidestep", "recuperate", "tough-skin"),
        ),
        "tomo": Sheet(
            name="Tomo",
            level=6,
            unlocks=("bide", "headbutt", "uppercut", "haymaker", "flurry", "surprise"),
        ),
    }


HERO_LINES = {
    "mira": "Waits for her moment: guards, sidesteps and sweeps the legs of anyone who rushes in.",
    "tomo": "Makes his own moment: headbutts, uppercuts, and one haymaker that ends fights.",
}


def mira_and_tomo() -> tuple[dict[str, Sheet], Brief]:
    sheets = heroes()
    seats = {Seat(key): (key,) for key in sheets} | {GM: ()}
    given: JsonValue = {"description": "The old gym after closing time. Two lamps, a chalk circle, nobody to stop it."}
    return sheets, Brief(kind="duel", title="After closing time", seats=seats, given=given)


DEMO: Demo[Sheet] = Demo(
    title="The Chalk Circle",
    about="A gym where everyone has lost to someone. Tonight two fighters find out who is better.",
    set_up=mira_and_tomo,
)
