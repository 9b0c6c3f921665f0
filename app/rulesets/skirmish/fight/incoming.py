"""The attacks that are about to be carried out, as declared, and what each target may do against them (SKI-63)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.rulesets.skirmish.fight import events as ev
from app.rulesets.skirmish.fight import legal, zones
from app.rulesets.skirmish.fight.state import Combatant, State
from app.rulesets.skirmish.sheet.gear import Weapon
from app.rulesets.skirmish.sheet.sheets import REACTIONS, Reaction


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack on one target, as it is if all goes as declared; of a blast there are as many as targets."""

    key: str  # "attacker>target"
    by: str
    who: str
    weapons: tuple[Weapon, ...]
    thrown: bool
    hindrances: Mapping[Reaction, ev.Hindrance]  # of each reaction
    back: legal.Arm | None  # to fight back with

    @property
    def reactions(self) -> tuple[Reaction, ...]:
        """Those that are possible, Defend first."""
        return tuple(one for one, hindrance in self.hindrances.items() if not hindrance)


def weapons_of(who: Combatant, deed: ev.Deed) -> tuple[Weapon, ...]:
    """The weapons or the spell of an attack that he still has; empty: none."""
    found = [who.weapon(key) for key in ((deed.weapon, deed.second) if deed.second else (deed.weapon,))]
    return tuple(weapon for weapon in found if weapon is not None)


def is_blast(who: Combatant, weapons: Sequence[Weapon]) -> bool:
    """A blast attacks everybody; so does a detachment (SKI-50, SKI-51)."""
    return who.detachment or any(weapon.blast for weapon in weapons)


def targets_of(state: State, who: Combatant, deed: ev.Deed, weapons: Sequence[Weapon], target: str) -> list[Combatant]:
    """The target, or every enemy in the zone of a blast: one's own in melee (SKI-51)."""
    aimed = state.combatants[target]
    if not is_blast(who, weapons):
        return [aimed]
    zone = who.zone if all(weapon.melee for weapon in weapons) else aimed.zone
    there = [c for c in zones.occupants(state, zone) if c.side != who.side]
    return there if aimed in there else [aimed, *there]


def attacks(state: State) -> tuple[Attack, ...]:
    """All attacks declared for this turn on somebody in sight, in roster order of attackers, then of targets."""
    found: list[Attack] = []
    for d in state.now.declared.values():
        by, then = state.combatants.get(d.who), state
        for deed in d.deeds if by else ():
            assert by is not None
            if deed.do in ("attack", "cast") and deed.target in state.combatants:
                found += _of(then, by, deed)
            then, by = zones.after(then, by, deed)
    return tuple(found)


def _of(state: State, by: Combatant, deed: ev.Deed) -> list[Attack]:
    """An attack on each of its targets; `state` is the fight as it will be when it comes (SKI-63, SKI-84)."""
    found = []
    weapons = weapons_of(by, deed)
    for target in targets_of(state, by, deed, weapons, deed.target) if weapons else ():
        if not target.able or target.hidden:
            continue
        thrown = weapons[0].thrown and zones.range_of(state, by, target) != "close"
        back = legal.riposte(state, target, by, melee=weapons[0].melee and not thrown)
        hindrances = {one: _hindrance(state, target, by, weapons, one, thrown=thrown) for one in REACTIONS}
        found.append(Attack(f"{by.key}>{target.key}", by.key, target.key, weapons, thrown, hindrances, back))
    return found


def _hindrance(
    state: State, target: Combatant, by: Combatant, weapons: Sequence[Weapon], one: Reaction, *, thrown: bool
) -> ev.Hindrance:
    if one != "defend" and state.free and target.side == state.surprised:
        return "surprised"
    return legal.hindrance(state, target, by, weapons, one, state.settings.slots, thrown=thrown)


def odd_gambits(state: State) -> tuple[tuple[str, str, str], ...]:
    """Gambits in own words: who, against whom, and the words (SKI-55)."""
    return tuple(
        (d.who, deed.target, deed.words)
        for d in state.now.declared.values()
        for deed in d.deeds
        if deed.do == "gambit" and deed.gambit == "other"
    )


def orders(state: State) -> dict[str, tuple[str, ...]]:
    """Who act in this turn and are in sight, by side in roster order (SKI-25)."""
    found: dict[str, list[str]] = {}
    for c in state.present():
        if c.key in state.now.declared:
            found.setdefault(c.side, []).append(c.key)
    return {side: tuple(keys) for side, keys in found.items()}
