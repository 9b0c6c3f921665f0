"""The GM's acts between the steps: corrections with a public reason, newcomers, hiding and showing."""

from dataclasses import replace

from app.engine.ruleset import GM, Log, Seat
from app.engine.unused_names import unused_name
from app.rulesets.whiskey import declarations as de
from app.rulesets.whiskey import events as ev
from app.rulesets.whiskey.sheets import Foe, Sheet, free_key
from app.rulesets.whiskey.state import State
from app.rulesets.whiskey.templates import TEMPLATES

Table = Log[State, ev.Event]


def at_the_desk(log: Table, says: de.Desk) -> None:
    """Carries out one act of the GM. If it changes which declarations are legal, every seat is asked again."""
    anew = False
    match says.what:
        case "correct":
            able = log.state.fighters[says.who].able
            _correct(log, says)
            anew = log.state.fighters[says.who].able != able
        case "join":
            _join(log, says)
        case "out":
            log.emit(ev.Left(says.who, "", says.reason.strip(), log.state.fighters[says.who].hidden), rule="WHI-61")
            anew = True
        case "show" | "hide":
            log.emit(ev.Shown(says.who, says.what == "show"), rule="WHI-02")
            # An enemy who bars a way makes a plain advance illegal once he is seen.
            anew = says.what == "hide" or any(says.who in area.barrers for area in log.state.areas.values())
        case "end":
            standing = log.state.standing()
            winner = standing[0] if len(standing) == 1 else ""
            log.emit(ev.RoundOver(log.state.round, False, winner, says.reason.strip()), rule="WHI-01")
            return
    log.emit(ev.Desk(anew), rule="WHI-02")


def _correct(log: Table, says: de.Desk) -> None:
    """Corrects numbers. If they are the GM's secret, the table reads only that there was a correction, and why."""
    fighter, reason = log.state.fighters[says.who], says.reason.strip()
    whole = ev.Corrected(says.who, says.hp, says.combat, reason, fighter.hidden)
    if fighter.hidden or fighter.shown:
        log.emit(whole, rule="WHI-45")
        return
    known = says.combat if fighter.combat_known else None
    public = log.emit(ev.Corrected(says.who, None, known, reason, False), rule="WHI-45")
    log.emit(replace(whole, reason="", hidden=True), rule="WHI-45", because=(public,))


def _join(log: Table, says: de.Desk) -> None:
    """Adds newcomers from a template, each with a unique name; friends have a separate deck (WHI-47)."""
    sheet = TEMPLATES[says.template]
    side, faction = ("players", "friends") if says.side == "players" else (sheet.side, sheet.faction)
    for _ in range(says.count):
        name = free_name(log.state, says.name.strip() or sheet.name)
        key = free_key(log.state.fighters, de.slug(name))
        foe = Foe.model_validate(
            {**sheet.model_dump(), "key": key, "name": name, "side": side, "faction": faction}
            | {"habit": says.habit, "guards": says.guards}
        )
        log.emit(ev.Joined(key, name, foe.side, foe.faction, GM, says.hidden), rule="WHI-02")
        log.emit(ev.Numbered(key, foe.model_dump(mode="json"), says.shown), rule="WHI-46")


def enter(log: Table, seat: Seat, key: str, sheet: Sheet) -> None:
    """Adds a latecomer's character; open declarations are asked again, with the newcomer.

    Does nothing for a character who is in the battle already; a foe with the same key keeps it.
    """
    if any(f.character == key for f in log.state.fighters.values()):
        return
    who = free_key(log.state.fighters, key)
    log.emit(ev.Joined(who, sheet.name, sheet.side, sheet.faction, seat, False, character=key), rule="WHI-02")
    log.emit(ev.Numbered(who, sheet.model_dump(mode="json"), True), rule="WHI-46")
    log.emit(ev.Desk(True), rule="WHI-02")


def free_name(state: State, name: str) -> str:
    taken = {f.name for f in state.fighters.values()}
    return unused_name(name, taken)
