"""What the form of the GM's declarations is filled in with: the habits of all the GM's combatants."""

from app.engine.gm_desk import Suggestion
from app.engine.ruleset import Ask
from app.engine.sentences import capital
from app.rulesets.skirmish.view.view import View


def suggest(view: View, ask: Ask) -> Suggestion | None:
    """Returns the habits' turns, and "as the rules say" for those whose courage failed; None for players, and for the
    GM's other steps, which need a decision."""
    if not view.is_gm:
        return None
    if ask.kind == "morale":
        names = [capital(view.the(key)) for key in view.wavering]
        lines = tuple(f"{name} surrenders with an enemy close by, otherwise flees" for name in names)
        return Suggestion(form={"of": dict.fromkeys(view.wavering, "")}, lines=lines)
    if ask.kind != "declare":
        return None
    of = {key: view.hand[key] for key in view.mine if key in view.hand}
    lines = tuple(f"{capital(view.the(key))} {view.act(intent)}" for key, intent in of.items())
    return Suggestion(form={"of": of}, lines=lines or ("None of your combatants can act",))
