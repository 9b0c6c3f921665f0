"""What the form of the GM's declarations is filled in with: the habits of all the GM's combatants."""

from app.engine.gm_desk import Suggestion
from app.engine.ruleset import Ask
from app.engine.sentences import capital
from app.rulesets.arcana.view import forms
from app.rulesets.arcana.view.view import View


def suggest(view: View, ask: Ask) -> Suggestion | None:
    """Returns the habits' declarations; None for players, and for the GM's other steps, which need a decision."""
    if ask.kind != "plan" or not view.is_gm:
        return None
    lines = tuple(_line(view, key) for key in view.mine if view.can[key].able)
    return Suggestion(form={"of": forms.of_seat(view)}, lines=lines or ("None of your people can act",))


def _line(view: View, key: str) -> str:
    said = forms.said(view, key, forms.filled(view, key), me=False)
    return said.removesuffix(".") or f"{capital(view.the(key))} waits and does nothing"
