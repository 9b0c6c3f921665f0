"""What a form is filled in with: quick are the fastest, all move towards the enemy, bowmen shoot at the nearest."""

from app.engine.gm_desk import Suggestion
from app.engine.ruleset import Ask
from app.engine.sentences import and_list
from app.rulesets.chronicle.mass import before, forms, orders, shooting
from app.rulesets.chronicle.mass.hexes import distance, spell
from app.rulesets.chronicle.mass.ranged import NEAREST
from app.rulesets.chronicle.mass.state import SIDES
from app.rulesets.chronicle.mass.troops import BOWMEN
from app.rulesets.chronicle.mass.view import View


def suggest(view: View, ask: Ask) -> Suggestion | None:
    """A usual answer; None where a person has to choose."""
    match ask.kind:
        case "quick":
            keys = list(orders.usual_quick(view, ask).of)
            form = {"of": {key: {"quick": "yes"} for key in keys}}
            return Suggestion(form=form, lines=(f"{and_list(map(view.name, keys))} are quick",))
        case "move":
            return _moves(view, ask)
        case "place":
            form = {"arrange": "line"}
            barred = before.PLACE.check(view, ask, forms.Place.model_validate(form))
            return None if barred else Suggestion(form=form, lines=("The army stands in a line",))
        case "targets":
            return _targets(view, ask)
        case "intent":
            form = {"of": {side: {"intent": "fight"} for side in ask.about}}
            names = (view.battle.names[side] for side in SIDES if side in ask.about)
            return Suggestion(form=form, lines=tuple(f"{name} will fight on" for name in names))
        case _:
            return None


def _moves(view: View, ask: Ask) -> Suggestion:
    """Each unit in turn goes as near to the next enemy as it can; bowmen keep their distance."""
    battle, hexes = view.battle, view.battle.hexes()
    of, lines = dict[str, dict[str, str]](), list[str]()
    for key in ask.about:
        unit = battle.units[key]
        enemies = [hex for one, hex in hexes.items() if battle.units[one].side != unit.side]
        reach = battle.passage(key, hexes).reach(hexes[key], unit.kind.movement)
        far = [hex for hex in reach if all(distance(hex, enemy) >= NEAREST for enemy in enemies)]
        choice = far if unit.troop == BOWMEN and far else reach
        to = min(choice, key=lambda hex: (min(distance(hex, enemy) for enemy in enemies), hex), default=hexes[key])
        if to != hexes[key]:
            of[key], hexes[key] = {"to": spell(to)}, to
            lines.append(f"{view.name(key)} {view.verb(key, 'moves', 'move')} to {spell(to)}")
        else:
            lines.append(f"{view.name(key)} {view.verb(key, 'stays', 'stay')}")
    return Suggestion(form={"order": " ".join(ask.about), "of": of}, lines=tuple(lines))


def _targets(view: View, ask: Ask) -> Suggestion:
    aims = {key: at[0] for key, at in shooting.shooters(view.battle).items() if key in ask.about}
    lines = (f"{view.name(key)} shoot at {view.full_name(at)}" for key, at in aims.items())
    return Suggestion(form={"of": {key: {"at": at} for key, at in aims.items()}}, lines=tuple(lines))
