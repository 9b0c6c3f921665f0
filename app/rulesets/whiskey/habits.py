"""Habits: declarations suggested for the GM's characters, which the GM may change or seal unchanged."""

from typing import Any

from app.rulesets.whiskey.state import Fighter, State


def hand(state: State) -> dict[str, dict[str, Any]]:
    """Returns intents by character, as a form spells them; a character who cannot follow the habit stands."""
    foes = [f for f in state.fighters.values() if f.seat == "gm" and f.able]
    seen = [g for g in state.fighters.values() if g.able and not g.hidden]
    enemies = {side: [g.key for g in seen if g.side != side] for side in {f.side for f in foes}}
    return {f.key: _intent(state, f, enemies[f.side], number) for number, f in enumerate(foes)}


def _intent(state: State, f: Fighter, enemies: list[str], number: int) -> dict[str, Any]:
    if f.habit == "guard" and f.guards != f.key and f.guards in state.fighters and state.fighters[f.guards].able:
        return {"intent": "defend", "ward": f"who:{f.guards}"}
    if f.habit in ("nearest", "last", "guard"):
        target = _last(state, f) if f.habit == "last" else ""
        # A Whiskey battle has no positions (WHI-41), so "nearest" spreads out over the enemies in turn.
        target = target or (enemies[number % len(enemies)] if enemies else "")
        if target:
            return {"intent": "attack", "attack": target}
    return {"intent": "stand"}


def _last(state: State, f: Fighter) -> str:
    known = state.fighters.get(f.last_target)
    return f.last_target if known is not None and known.able and known.side != f.side and not known.hidden else ""
