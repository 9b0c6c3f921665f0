"""The declaration of a silent seat: it continues a Focus or a task, else holds (ledger 1.8, ARC-09)."""

from app.rulesets.arcana.fight.declarations import HOLD, Action, Turn
from app.rulesets.arcana.fight.state import Fighter, State
from app.rulesets.arcana.fight.tasks import CONTINUE, MAINTAIN
from app.rulesets.arcana.phases.legal import check
from app.rulesets.arcana.sheet.accuracy import instinct


def going_on(state: State, who: str) -> Turn | None:
    """Returns the declaration that continues a Focus or task; None: there is none, or it cannot continue."""
    one = state.fighters[who]
    do = MAINTAIN if one.focus is not None else CONTINUE if one.task is not None else ""
    if not do or not one.able:
        return None
    turn = Turn.model_validate({"major": {"do": do}})
    return turn if not check(state, who, turn) else None


def turn(state: State, who: str) -> Turn:
    """Returns the declaration of a silent combatant; it is always legal."""
    one = state.fighters[who]
    on = going_on(state, who)
    if on is not None or not one.able or state.settings.absent_default == "hold":
        return on or HOLD
    return Turn(minors=(_stance(state, one),))


def _stance(state: State, one: Fighter) -> Action:
    """The stance of the higher instinct; of equals Dodge (ARC-76)."""
    block, dodge = (instinct(one.guard(), which, state.settings) for which in ("block", "dodge"))
    return Action(do="brace" if block > dodge else "evade")
