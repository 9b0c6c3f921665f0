"""The legality of declarations at each step, by its author's knowledge; faults are named like the form's fields."""

import re
from typing import Any, assert_never

from app.engine.ruleset import Ask, Faults
from app.engine.sentences import capital
from app.rulesets.arcana.fight import declarations as de
from app.rulesets.arcana.fight.muster import SIDE
from app.rulesets.arcana.phases import legal
from app.rulesets.arcana.phases.desk import size
from app.rulesets.arcana.rules.book import STATUSES
from app.rulesets.arcana.rules.cover import Wrong, read_walls
from app.rulesets.arcana.rules.grid import Cell
from app.rulesets.arcana.rules.objects import WrongObject, read_objects
from app.rulesets.arcana.rules.terrain import WrongTerrain, read_zones
from app.rulesets.arcana.view.view import View


def check(view: View, ask: Ask, says: Any) -> Faults:
    """Returns faults by form field; {}: it may be sealed."""
    match says:
        case de.Plan():
            return _plan(view, says)
        case de.Rule():
            return _known(says.of, len(view.questions))
        case de.Counter():
            return _counter(view, says)
        case de.Resist():
            numbers = {str(number) for number in range(1, len(view.resists) + 1)}
            return {f"of.{key[:20]}": "Nothing of yours is hit by that." for key in says.of if key not in numbers}
        case de.Setting():
            return _setting(view, says)
        case de.Desk():
            return _desk(view, says)
        case de.Collide() | de.Next():
            return {}
        case _:
            assert_never(says)


def default(view: View, ask: Ask) -> Any:
    """Returns a silent seat's declaration: the reveal fills in its combatants, else defaults apply (ledger 1.8, 5)."""
    match ask.kind:
        case "plan":
            return de.Plan()
        case "rule":
            return de.Rule()
        case "collide":
            return de.Collide()
        case "counter":
            return de.Counter()
        case "resist":
            return de.Resist()
        case "setting":
            return de.Setting()
        case "next":
            return de.Next()
        case _:
            return de.Desk(what="end")


def _plan(view: View, says: de.Plan) -> Faults:
    faults: Faults = {}
    for key, turn in says.of.items():
        if key not in view.mine:
            faults[f"of.{key[:60]}.major.do"] = "This character is not yours to declare for, or is out of the fight."
            continue
        for name, what in legal.check(view.known, key, turn).items():
            faults[f"of.{key}.{name}" if name else f"of.{key}.major.do"] = what
    return faults


def _known(of: dict[str, Any], count: int) -> Faults:
    numbers = {str(number) for number in range(1, count + 1)}
    return {f"of.{key[:20]}.yes": "There is no such question." for key in of if key not in numbers}


def _counter(view: View, says: de.Counter) -> Faults:
    faults: Faults = {}
    for who, spell in says.of.items():
        if who not in view.names:
            faults[f"of.{who[:60]}"] = "Nothing is aimed at this character, or they have no counterspell prepared."
        elif spell:
            action = de.Action(do="quickspell", spell=spell, target=who)
            found = legal.check(view.known, who, de.Turn(minors=(action,)))
            wrong = {name: what for name, what in found.items() if not name.endswith(".target")}
            if wrong:
                faults[f"of.{who}"] = next(iter(wrong.values()))
    return faults


def _setting(view: View, says: de.Setting) -> Faults:
    faults: Faults = {}
    wide, high = size(view.known, says)
    if says.walls is not None:
        faults |= _walls(says.walls, wide, high)
    if says.terrain:
        faults |= _terrain(view, says.terrain, wide, high)
    if says.objects is not None:
        faults |= _objects(says.objects, wide, high)
    for cell in says.covers:
        parts = cell.split(",")
        if len(parts) != 2 or not all(part.isdecimal() and len(part) < 4 for part in parts):
            faults[f"covers.{cell}"] = "Write a place like 12,4: cells across, then cells down."
    cells: dict[tuple[int, int], str] = {}
    for key, cell in says.at.items():
        if key not in view.people:
            faults[f"at.{key[:60]}"] = "Nobody here has that name."
        elif cell is not None and not _on(cell, wide, high):
            faults[f"at.{key}"] = f"The ground goes from 0,0 to {wide - 1},{high - 1}."
        elif cell is not None and cell in cells:
            faults[f"at.{key}"] = f"{capital(view.the(cells[cell]))} is already standing there."
        elif cell is not None:
            cells[cell] = key
    left = [key for key, one in view.people.items() if not says.at.get(key) and not _on(one.place, wide, high)]
    if left and (says.wide or says.high):
        faults["wide"] = f"{capital(view.the(left[0]))} is standing beyond that. Move them nearer first."
    beyond = [one for one in view.known.objects.values() if not _on(one.at, wide, high)]
    if beyond and says.objects is None:
        faults["wide"] = f"{beyond[0].label} is beyond that. Move it nearer first."
    return faults


def _on(cell: Cell, wide: int, high: int) -> bool:
    return 0 <= cell[0] < wide and 0 <= cell[1] < high


def _walls(text: str, wide: int, high: int) -> Faults:
    try:
        read_walls(text, wide, high)
    except Wrong as wrong:
        return {"walls": str(wrong)}
    return {}


def _terrain(view: View, text: str, wide: int, high: int) -> Faults:
    if view.known.settings.terrain == "off":
        return {"terrain": "Terrain is switched off in the settings of this fight."}
    try:
        read_zones(text, wide, high)
    except WrongTerrain as wrong:
        return {"terrain": str(wrong)}
    return {}


def _objects(text: str, wide: int, high: int) -> Faults:
    try:
        read_objects(text, wide, high)
    except WrongObject as wrong:
        return {"objects": str(wrong)}
    return {}


def _desk(view: View, says: de.Desk) -> Faults:
    faults: Faults = {}
    if says.what in ("correct", "place", "show", "hide", "out") and says.who not in view.people:
        faults["who"] = "Choose whom this is about."
    if says.what == "correct":
        faults |= _correct(says)
    if says.what == "walls":
        faults |= _walls(says.walls, view.known.width, view.known.height)
    if says.what == "terrain":
        faults |= _terrain(view, says.terrain, view.known.width, view.known.height)
    if says.what == "objects":
        faults |= _objects(says.objects, view.known.width, view.known.height)
    if says.what in ("place", "cover"):
        at = says.at
        if at is None or not _on(at, view.known.width, view.known.height):
            faults["at"] = f"Choose a place on the ground, from 0,0 to {view.known.width - 1},{view.known.height - 1}."
    if says.what == "join":
        faults |= _join(view, says)
    return faults


def _correct(says: de.Desk) -> Faults:
    faults: Faults = {}
    if says.status and says.status not in STATUSES:
        faults["status"] = "Choose a status from the list."
    if says.hp is None and says.fp is None and not says.status:
        faults["hp"] = "Enter what changes: HP, FP or a status."
    if not says.reason.strip():
        faults["reason"] = "Give a reason; everyone will read it."
    return faults


def _join(view: View, says: de.Desk) -> Faults:
    faults: Faults = {}
    if says.template not in view.templates:
        faults["template"] = "Choose who joins the fight."
    if says.guards and says.guards not in view.people:
        faults["guards"] = "Choose someone in this fight."
    if not re.fullmatch(SIDE, says.side):
        faults["side"] = "Write the side as one short lowercase word, such as players or foes."
    return faults
