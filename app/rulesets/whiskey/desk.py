"""What the GM does between the steps: corrections with a reason for all to read, newcomers, hiding and showing."""

from app.engine.ruleset import GM, Seat, Tale
from app.rulesets.whiskey import declarations as de
from app.rulesets.whiskey import events as ev
from app.rulesets.whiskey.sheets import Foe, Sheet
from app.rulesets.whiskey.state import State
from app.rulesets.whiskey.templates import TEMPLATES

Table = Tale[State, ev.Event]


def at_the_desk(tale: Table, says: de.Desk) -> None:
    """One act at the desk. If it changes what an open declaration may say, everybody is asked anew."""
    anew = False
    match says.what:
        case "correct":
            fighter = tale.state.fighters[says.who]
            able = fighter.able
            hidden = fighter.hidden
            tale.tell(ev.Corrected(says.who, says.hp, says.combat, says.reason.strip(), hidden), rule="WHI-45")
            anew = tale.state.fighters[says.who].able != able
        case "join":
            anew = _join(tale, says)
        case "show" | "hide":
            tale.tell(ev.Shown(says.who, says.what == "show"), rule="WHI-02")
            anew = says.what == "hide"
        case "end":
            standing = tale.state.standing()
            winner = standing[0] if len(standing) == 1 else ""
            tale.tell(ev.RoundOver(tale.state.round, False, winner, says.reason.strip()), rule="WHI-01")
            return
    tale.tell(ev.Desk(anew), rule="WHI-02")


def _join(tale: Table, says: de.Desk) -> bool:
    """New foes from a template, each with a name of its own."""
    sheet = TEMPLATES[says.template]
    anew = False
    for _ in range(says.count):
        name = free_name(tale.state, says.name.strip() or sheet.name)
        key = free_key(tale.state, de.slug(name))
        foe = Foe.model_validate(
            {**sheet.model_dump(), "key": key, "name": name, "habit": says.habit, "guards": says.guards}
        )
        came_hidden = says.hidden
        tale.tell(ev.Joined(key, name, foe.side, foe.faction, GM, came_hidden), rule="WHI-02")
        tale.tell(ev.Numbered(key, foe.model_dump(mode="json"), says.shown), rule="WHI-46")
        anew = anew or (came_hidden and tale.state.gm_aloud and tale.state.settings.declaration == "open")
    return anew


def enter(tale: Table, seat: Seat, key: str, sheet: Sheet) -> None:
    """A latecomer's character takes the field; an open declaration is asked anew, with the newcomer."""
    tale.tell(ev.Joined(key, sheet.name, sheet.side, sheet.faction, seat, False), rule="WHI-02")
    tale.tell(ev.Numbered(key, sheet.model_dump(mode="json"), True), rule="WHI-46")
    tale.tell(ev.Desk(True), rule="WHI-02")


def free_name(state: State, name: str) -> str:
    taken = {f.name for f in state.fighters.values()}
    return name if name not in taken else next(f"{name} {n}" for n in range(2, 10**6) if f"{name} {n}" not in taken)


def free_key(state: State, key: str) -> str:
    return (
        key
        if key not in state.fighters
        else next(f"{key}-{n}" for n in range(2, 10**6) if f"{key}-{n}" not in state.fighters)
    )
