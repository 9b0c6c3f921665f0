"""What the forms of the GM's fighters are filled in with."""

from typing import Any

from app.engine.gm_desk import Suggestion
from app.engine.ruleset import Ask
from app.engine.sentences import capital
from app.rulesets.chronicle.hand.actions import DEFENCE_NAMES
from app.rulesets.chronicle.hand.grid import OUT_OF_REACH, Square, distance, distance_name, spell
from app.rulesets.chronicle.hand.view import View


def suggest(view: View, ask: Ask) -> Suggestion | None:
    """Returns what a GM's form has; None for players, and where the GM has to choose."""
    if not view.is_gm:
        return None
    match ask.kind:
        case "ready":
            lines = tuple(f"{capital(view.the(key))} keeps the usual choices" for key in ask.about)
            return Suggestion(form={}, lines=lines)
        case "pair":
            one, other = view.pairs[0]
            line = f"{capital(view.the(one))} against {view.the(other)}"
            return Suggestion(form={"pair": f"{one}:{other}"}, lines=(line,))
        case "join":
            return _join(view, ask)
        case "move":
            return _move(view)
        case "act":
            return _act(view, ask)
        case "defend":
            return _defend(view, ask)
        case "next" if len({one.side for one in view.people.values() if one.able and not one.gone}) > 1:
            return Suggestion(form={"go": "on"}, lines=("Another round",))
        case _:
            return None


def _join(view: View, ask: Ask) -> Suggestion:
    to = {key: view.joining(key) for key in ask.about}
    lines = tuple(f"{capital(view.the(key))} {_joins(view, key, where)}" for key, where in to.items())
    return Suggestion(form={"of": {key: {"combat": where, "move": "near"} for key, where in to.items()}}, lines=lines)


def _joins(view: View, key: str, where: str) -> str:
    if where.startswith("vs:"):
        return f"starts a combat with {view.the(where[3:])}"
    if where:
        return f"joins combat {where}"
    return "stays with those who are down" if view.fight[key].combat else "stays free and moves nearer"


def _move(view: View) -> Suggestion | None:
    moving = view.moving
    if moving is None or moving.usual is None:
        return None
    return Suggestion(form={"to": spell(moving.usual)}, lines=(_goes(view, moving.who, moving.usual),))


def _goes(view: View, key: str, to: Square) -> str:
    if to == view.fight[key].at:
        return f"{capital(view.the(key))} stays"
    near = min(view.fight.foes(key), key=lambda foe: distance(to, foe.at), default=None)
    if near is None:
        return f"{capital(view.the(key))} moves"
    far = distance(to, near.at)
    name = view.the(near.key)
    where = f"out of reach of {name}" if far >= OUT_OF_REACH else f"to {distance_name(far)} from {name}"
    return f"{capital(view.the(key))} moves {where}"


def _act(view: View, ask: Ask) -> Suggestion:
    of = {key: dict(zip(("action", "target"), view.suggested(key), strict=True)) for key in ask.about}
    lines = tuple(
        f"{view.name(key)}: {view.deed(one['action'])}{' against ' + view.the(one['target']) if one['target'] else ''}"
        for key, one in of.items()
    )
    return Suggestion(form={"of": of}, lines=lines)


def _defend(view: View, ask: Ask) -> Suggestion:
    of: dict[str, Any] = {}
    lines: list[str] = []
    for key in dict.fromkeys(about.partition(":")[2] for about in ask.about):
        how, square = view.best(key)
        of[key] = {"how": how, "square": spell(square) if square else ""}
        lines += [f"{view.name(key)}: {DEFENCE_NAMES[one]} against {view.the(who)}" for who, one in how.items()]
    return Suggestion(form={"of": of}, lines=tuple(lines))
