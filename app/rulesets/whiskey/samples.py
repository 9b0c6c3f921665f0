"""Two sample battles: the goblins in the woods, and the shaman's clearing of the tutorial."""

from collections.abc import Mapping
from typing import Any

from pydantic import JsonValue

from app.engine.ruleset import GM, Brief, Demo, Pick, Seat, Trial
from app.rulesets.whiskey.sheets import Sheet
from app.rulesets.whiskey.templates import TEMPLATES
from app.rulesets.whiskey.view import View


def heroes() -> dict[str, Sheet]:
    """Alice, Bob and Charlie (house numbers that fit the book's examples)."""
    return {
        "alice": Sheet(name="Alice", combat=11, base=3, die=1, hp=15, hp_max=15, cards=("steady-hand", "slippery")),
        "bob": Sheet(name="Bob", combat=12, base=2, die=1, hp=15, hp_max=15, cards=("bodyguard", "second-wind")),
        "charlie": Sheet(name="Charlie", combat=10, base=4, die=1, hp=14, hp_max=14, cards=("heavy-blow", "mend")),
    }


HERO_LINES = {
    "alice": "Steady and quick: fights better when it counts, and slips past guards.",
    "bob": "The shield: hard to beat, stops two attackers at once, and recovers in battle.",
    "charlie": "Hits hardest of the three, and mends wounds between blows.",
}


def goblins_in_the_woods() -> tuple[dict[str, Sheet], Brief]:
    """Three goblins jump out of the trees at Alice, Bob and Charlie."""
    foes = [
        _foe("sword-goblin", "sword-goblin", "Sword goblin", shown=True),
        _foe("axe-goblin", "red-axe", "Red axe goblin", shown=True),
        _foe("axe-goblin", "old-axe", "Old axe goblin", shown=True),
    ]
    description = (
        "The path narrows between the firs. Three goblins jump out and rush at you, one with a sword, two with axes. "
        "Behind them the trail climbs to an old stone bridge."
    )
    bridge: dict[str, JsonValue] = {"key": "bridge", "name": "the stone bridge", "barrers": ["old-axe"], "exit": False}
    sheets = heroes()
    seats = {Seat(key): (key,) for key in sheets} | {GM: ()}
    given: JsonValue = {"description": description, "foes": foes, "areas": [bridge]}
    return sheets, Brief(kind="battle", title="Goblins in the woods", seats=seats, given=given)


def shaman_example() -> tuple[dict[str, Sheet], Brief]:
    """The book's example: Alice and Bob want the shaman, two bodyguards want to prevent it."""
    sheets = {key: sheet for key, sheet in heroes().items() if key != "charlie"}
    foes = [
        _foe("goblin-bodyguard", "first-guard", "First bodyguard", habit="guard", guards="shaman", shown=True),
        _foe("goblin-bodyguard", "second-guard", "Second bodyguard", habit="guard", guards="shaman", shown=True),
        _foe("goblin-shaman", "shaman", "Goblin shaman", habit="stand", shown=True),
    ]
    description = (
        "An old shaman rattles bones in a bowl; smoke begins to lean toward you. Two bodyguards close ranks before him."
    )
    seats = {Seat(key): (key,) for key in sheets} | {GM: ()}
    given: JsonValue = {"description": description, "foes": foes, "areas": []}
    return sheets, Brief(kind="battle", title="The shaman's clearing", seats=seats, given=given)


def _foe(template: str, key: str, name: str, **more: Any) -> JsonValue:
    found: dict[str, JsonValue] = {**TEMPLATES[template].model_dump(mode="json"), "key": key, "name": name, **more}
    return found


DEMO: Demo[Sheet] = Demo(
    title="The Goblin Road",
    about="A cart, a fir wood, and the road to the old stone bridge. Something rustles in the trees.",
    set_up=goblins_in_the_woods,
    dated=True,
)


def _answer(view: View, ask: str, pick: Pick) -> Mapping[str, str]:
    """The book's answer for a seat: the GM's by habit; a field left out takes its default."""
    if ask == "declare":
        intents: Mapping[str, Mapping[str, Any]] = view.hand
        return {f"of.{who}.{name}": str(value) for who, intent in intents.items() for name, value in intent.items()}
    if ask == "next":
        return {"go": "on" if len(view.standing) > 1 else "end"}
    return {}


TRIAL: Trial[Sheet] = Trial(
    title="Learn it in two minutes",
    button="Try it in two minutes",
    set_up=shaman_example,
    answer=_answer,
    page="trial.html",
)
