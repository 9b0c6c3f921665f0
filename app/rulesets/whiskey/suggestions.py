"""What the form of the GM's declarations is filled in with: the habits of all the GM's fighters."""

from app.engine.gm_desk import Suggestion
from app.engine.ruleset import Ask
from app.engine.sentences import capital
from app.rulesets.whiskey.view import View


def suggest(view: View, ask: Ask) -> Suggestion | None:
    """Returns the habits' declarations, and another round while two sides stand; None for players, and for the GM's
    other steps, which need a decision."""
    if not view.is_gm:
        return None
    if ask.kind == "next" and len(view.standing) > 1:
        return Suggestion(form={"go": "on"}, lines=("Another round",))
    if ask.kind != "declare":
        return None
    of = {key: view.hand[key] for key in view.mine if key in view.hand}
    lines = tuple(f"{capital(view.the(key))} {view.act(intent)}" for key, intent in of.items())
    return Suggestion(form={"of": of}, lines=lines or ("None of your fighters can act",))
