"""What the GM does between the steps: corrections with a reason for all to read, newcomers, hiding and showing."""

from dataclasses import replace

from app.engine.ruleset import GM, Seat, Tale
from app.rulesets.whiskey import declarations as de
from app.rulesets.whiskey import events as ev
from app.rulesets.whiskey.sheets import Foe, Sheet, free, free_key
from app.rulesets.whiskey.state import State
from app.rulesets.whiskey.templates import TEMPLATES

Table = Tale[State, ev.Event]


def at_the_desk(tale: Table, says: de.Desk) -> None:
    """One act at the desk. If it changes what an open declaration may say, everybody is asked anew."""
    anew = False
    match says.what:
        case "correct":
            able = tale.state.fighters[says.who].able
            _correct(tale, says)
            anew = tale.state.fighters[says.who].able != able
        case "join":
            _join(tale, says)
        case "out":
            tale.tell(ev.Left(says.who, "", says.reason.strip(), tale.state.fighters[says.who].hidden), rule="WHI-61")
            anew = True
        case "show" | "hide":
            tale.tell(ev.Shown(says.who, says.what == "show"), rule="WHI-02")
            # Somebody who bars a way and is seen makes a plain advance past him illegal.
            anew = says.what == "hide" or any(says.who in area.barrers for area in tale.state.areas.values())
        case "end":
            standing = tale.state.standing()
            winner = standing[0] if len(standing) == 1 else ""
            tale.tell(ev.RoundOver(tale.state.round, False, winner, says.reason.strip()), rule="WHI-01")
            return
    tale.tell(ev.Desk(anew), rule="WHI-02")


def _correct(tale: Table, says: de.Desk) -> None:
    """Numbers that are the GM's stay the GM's: the table reads that something was corrected, and why."""
    fighter, reason = tale.state.fighters[says.who], says.reason.strip()
    whole = ev.Corrected(says.who, says.hp, says.combat, reason, fighter.hidden)
    if fighter.hidden or fighter.shown:
        tale.tell(whole, rule="WHI-45")
        return
    known = says.combat if fighter.combat_known else None
    public = tale.tell(ev.Corrected(says.who, None, known, reason, False), rule="WHI-45")
    tale.tell(replace(whole, reason="", hidden=True), rule="WHI-45", because=(public,))


def _join(tale: Table, says: de.Desk) -> None:
    """Newcomers from a template, each with a name of its own; friends have a deck of their own (WHI-47)."""
    sheet = TEMPLATES[says.template]
    side, faction = ("players", "friends") if says.side == "players" else (sheet.side, sheet.faction)
    for _ in range(says.count):
        name = free_name(tale.state, says.name.strip() or sheet.name)
        key = free_key(tale.state.fighters, de.slug(name))
        foe = Foe.model_validate(
            {**sheet.model_dump(), "key": key, "name": name, "side": side, "faction": faction}
            | {"habit": says.habit, "guards": says.guards}
        )
        tale.tell(ev.Joined(key, name, foe.side, foe.faction, GM, says.hidden), rule="WHI-02")
        tale.tell(ev.Numbered(key, foe.model_dump(mode="json"), says.shown), rule="WHI-46")


def enter(tale: Table, seat: Seat, key: str, sheet: Sheet) -> None:
    """A latecomer's character takes the field; an open declaration is asked anew, with the newcomer.

    Somebody who is in the battle already does not come in a second time; a foe of the same key keeps it.
    """
    if any(f.character == key for f in tale.state.fighters.values()):
        return
    who = free_key(tale.state.fighters, key)
    tale.tell(ev.Joined(who, sheet.name, sheet.side, sheet.faction, seat, False, character=key), rule="WHI-02")
    tale.tell(ev.Numbered(who, sheet.model_dump(mode="json"), True), rule="WHI-46")
    tale.tell(ev.Desk(True), rule="WHI-02")


def free_name(state: State, name: str) -> str:
    taken = {f.name for f in state.fighters.values()}
    return free(name, taken, " ")
