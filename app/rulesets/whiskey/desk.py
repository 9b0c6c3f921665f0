"""The GM's acts between the steps, and foes in mid-battle: how everybody is, newcomers, copies, and a foe's sheet."""

from dataclasses import replace
from typing import Any

from app.engine.decisions import Decision
from app.engine.desks import SAY_WHY, Act, Picker, desk, unseen
from app.engine.gm_desk import Vital
from app.engine.muster import Newcomers
from app.engine.ruleset import GM, Faults, Seat
from app.engine.unused_names import free_key, unnumbered, unused_name
from app.rulesets.whiskey import declarations as de
from app.rulesets.whiskey import events as ev
from app.rulesets.whiskey.sheets import Foe, Sheet
from app.rulesets.whiskey.state import BattleLog, State
from app.rulesets.whiskey.templates import TEMPLATES
from app.rulesets.whiskey.view import View


def _may_correct(view: View, says: de.Desk) -> Faults:
    if says.hp is None and says.combat is None:
        return {"hp": "Enter what changes: HP, combat, or both."}
    if not says.reason.strip():
        return {"reason": SAY_WHY}
    who = next(one for one in vitals(view) if one.key == says.who)
    changes = says.hp is not None and (says.hp > 0) != who.able
    return unseen(who, hushed=view.phase == "declare") if changes else {}


def _correct(log: BattleLog, says: de.Desk) -> bool:
    """Corrects numbers. If they are the GM's secret, the table reads only that there was a correction, and why."""
    fighter, reason = log.state.fighters[says.who], says.reason.strip()
    able = fighter.able
    whole = ev.Corrected(says.who, says.hp, says.combat, reason, fighter.hidden)
    if fighter.hidden or fighter.shown:
        log.emit(whole, rule="WHI-45")
    else:
        known = says.combat if fighter.combat_known else None
        public = log.emit(ev.Corrected(says.who, None, known, reason, False), rule="WHI-45")
        log.emit(replace(whole, reason="", hidden=True), rule="WHI-45", because=(public,))
    return log.state.fighters[says.who].able != able


def _may_join(view: View, says: de.Desk) -> Faults:
    guards = says.habit == "guard" and says.guards not in view.fighters
    return {"guards": "Choose whom they guard."} if guards else {}


def _join(log: BattleLog, says: de.Desk) -> bool:
    """Adds newcomers from a template, each with a unique name; friends have a separate deck (WHI-47)."""
    sheet = TEMPLATES[says.template]
    side, faction = ("players", "friends") if says.side == "players" else (sheet.side, sheet.faction)
    for _ in range(says.count):
        name = unused_name(says.name.strip() or sheet.name, {f.name for f in log.state.fighters.values()})
        key = free_key(log.state.fighters, de.slug(name))
        foe = Foe.model_validate(
            {**sheet.model_dump(), "key": key, "name": name, "side": side, "faction": faction}
            | {"habit": says.habit, "guards": says.guards}
        )
        log.emit(ev.Joined(key, name, foe.side, foe.faction, GM, says.hidden), rule="WHI-02")
        log.emit(ev.Numbered(key, foe.model_dump(mode="json"), says.shown), rule="WHI-46")
    return False


def _out(log: BattleLog, says: de.Desk) -> bool:
    log.emit(ev.Left(says.who, "", says.reason.strip(), log.state.fighters[says.who].hidden), rule="WHI-61")
    return True


def _may_hide(view: View, says: de.Desk) -> Faults:
    if view.phase == "veto":
        return {"who": "Draw the cards first: nobody can slip out of sight in the middle of a clash."}
    return {}


def _sight(log: BattleLog, says: de.Desk) -> bool:
    """Shows or hides; an enemy who bars a way makes a plain advance illegal once he is seen."""
    log.emit(ev.Shown(says.who, says.what == "show"), rule="WHI-02")
    return says.what == "hide" or any(says.who in area.barrers for area in log.state.areas.values())


def _end(log: BattleLog, says: de.Desk) -> None:
    standing = log.state.standing()
    winner = standing[0] if len(standing) == 1 else ""
    log.emit(ev.RoundOver(log.state.round, False, winner, says.reason.strip()), rule="WHI-01")


def vitals(view: View) -> tuple[Vital, ...]:
    return tuple(
        Vital(
            key=who.key,
            name=who.name,
            health=f"{who.hp} of {who.hp_max} HP" if who.hp is not None and who.health != "gone" else who.health,
            able=who.able,
            gone=who.health == "gone",
            hidden=who.hidden,
            foe=not who.pc,
            character=who.character,
        )
        for who in view.fighters.values()
    )


DESK: Decision[State, ev.Event, View, de.Desk] = desk(
    de.Desk,
    "Change something in the battle",
    {
        "correct": Act(_correct, _may_correct),
        "join": Act(_join, _may_join),
        "show": Act(_sight),
        "hide": Act(_sight, _may_hide),
        "out": Act(_out),
        "end": Act(_end),
    },
    people=vitals,
    kinds=lambda view: TEMPLATES,
    number=lambda state: state.desk,
    done=lambda log, anew: log.emit(ev.Desk(anew), rule="WHI-02"),
    hushed=lambda view: view.phase == "declare",
)


def enter(log: BattleLog, seat: Seat, key: str, sheet: Sheet) -> None:
    """Adds a latecomer's character; open declarations are asked again, with the newcomer.

    Does nothing for a character who is in the battle already; a foe with the same key keeps it.
    """
    if any(f.character == key for f in log.state.fighters.values()):
        return
    who = free_key(log.state.fighters, key)
    log.emit(ev.Joined(who, sheet.name, sheet.side, sheet.faction, seat, False, character=key), rule="WHI-02")
    log.emit(ev.Numbered(who, sheet.model_dump(mode="json"), True), rule="WHI-46")
    log.emit(ev.Desk(True), rule="WHI-02")


def _like(view: View, group: Newcomers, number: int) -> dict[str, str]:
    guards = group.row.get("guards", "")
    return {name: group.row.get(name, "") for name in ("hidden", "shown")} | {
        "habit": "guard" if guards else group.row.get("habit", "nearest"),
        "guards": guards,
    }


def _like_one(view: View, key: str) -> dict[str, str]:
    who = view.fighters[key]
    return {
        "shown": "yes" if who.shown else "",
        "habit": who.habit,
        "guards": who.guards if who.guards in view.fighters else "",
        "side": "players" if who.side == "players" else "enemies",
    }


def _kind(view: View, key: str) -> str:
    """The kind of the book that a foe was made from: by its key, else by its numbers."""
    who = view.fighters[key]
    for kind, sheet in view.templates.items():
        if unnumbered(key, "-") == de.slug(sheet.name):
            return kind
    mine = (who.base, who.die, who.hp_max, who.capacity, tuple(card.key for card in who.cards))
    for kind, sheet in view.templates.items():
        if mine == (sheet.base, sheet.die, sheet.hp_max, sheet.guard_capacity, sheet.cards):
            return kind
    return ""


def keep(view: View, key: str) -> Sheet:
    who = view.fighters[key]
    numbers: dict[str, Any] = {"combat": who.combat, "base": who.base, "die": who.die, "hp": who.hp}
    return Sheet.model_validate(
        {**numbers, "name": who.name, "hp_max": who.hp_max, "guard_capacity": who.capacity}
        | {"cards": [card.key for card in who.cards], "faction": who.faction, "side": who.side}
    )


PICKER: Picker[View] = Picker(
    people=vitals, kinds=lambda view: view.templates, like=_like, kind_of=_kind, like_one=_like_one
)
FOES = PICKER.foes(keep)
