"""Hiding and being noticed: stealth against perception, with secret dice (ARC-96 to ARC-104)."""

from collections.abc import Collection, Iterable, Mapping

from app.engine.chance import Chance
from app.rulesets.arcana.effects import sentinel
from app.rulesets.arcana.fight import events as ev
from app.rulesets.arcana.fight.declarations import HOLD, Turn
from app.rulesets.arcana.fight.events import FightLog
from app.rulesets.arcana.fight.roll_parts import Parts, ills, skill, swayed, total
from app.rulesets.arcana.fight.state import Fighter, State
from app.rulesets.arcana.rules.book import STATUSES
from app.rulesets.arcana.rules.grid import Cell

SEARCH = 2  # ARC-29
ASLEEP = -5  # on passive perception
COMPOSURE = 15  # ARC-104
BLIND = -5  # ARC-90


def notice(log: FightLog, chance: Chance) -> None:
    """Phase 0: hidden combatants who act roll, then searchers; the results are compared (ARC-29, ARC-98, ARC-99)."""
    state = log.state
    told = dict[str, int]()
    for who, one in state.fighters.items() if state.hiders else ():
        if one.turn.plain() and (number := _sneak(log, who, chance)):
            told[who] = number
    for who, one in state.fighters.items():
        acts = one.turn.plain()
        if acts and acts[0].do == "search" and one.able and not one.reels:
            told[who] = _search(log, who, chance, one.said)
    for who in sorted(state.hiders):
        compare(log, who, [key for key in state.enemies(who) if who in told or state.fighters[key].search], told)


def searched(log: FightLog, who: str, chance: Chance, because: tuple[int, ...]) -> None:
    """Carries out a conditional search; it counts for the rest of the cycle (ARC-29, ARC-43)."""
    told = {who: _search(log, who, chance, because)}
    for key in sorted(log.state.hiders):
        if key in log.state.enemies(who):
            compare(log, key, (who,), told)


def _search(log: FightLog, who: str, chance: Chance, because: tuple[int, ...]) -> int:
    """A searcher's die, and its event (ARC-29)."""
    one, settings = log.state.fighters[who], log.state.settings
    thrown, ways = swayed(one, chance, f"ARC-29/search/{who}", settings)
    parts = (*skill(one.body, "PER", "Observation"), ("searching", SEARCH), *ills(one))
    checked = ev.Checked(who, "search", thrown.rolls, total(parts), 0, True, "", thrown.kept, parts, ways)
    return log.emit(checked, rule="ARC-29", because=because)


def triggered(log: FightLog, who: str, chance: Chance) -> None:
    """Rolls stealth for a hidden combatant's conditional action, when that is triggered (ARC-99)."""
    if number := _sneak(log, who, chance):
        compare(log, who, log.state.enemies(who), {who: number})


def surprised_by(log: FightLog, turns: Mapping[str, Turn], chance: Chance) -> frozenset[str]:
    """Returns those who hold in the first cycle: marked by the GM, or unaware of all their attackers (ARC-11).

    Rolls the attackers' stealth dice of this cycle now.
    """
    state = log.state
    if state.cycle != 1 or state.settings.surprise == "none":
        return frozenset()
    coming = [who for who in sorted(state.hiders) if turns.get(who, HOLD).plain() or turns.get(who, HOLD).when]
    for who in coming:
        if turns[who].plain() and (number := _sneak(log, who, chance)):
            compare(log, who, state.enemies(who), {who: number})
    caught = {who for who in state.fighters if _caught(state, who, coming)} if coming else set()
    return state.unaware | caught


def _caught(state: State, who: str, coming: Collection[str]) -> bool:
    enemies = [key for key in state.enemies(who) if not state.fighters[key].dead]
    return any(key in coming for key in enemies) and all(state.unseen(key, who) for key in enemies)


def _sneak(log: FightLog, who: str, chance: Chance) -> int:
    """A hidden combatant's stealth die, once a cycle; returns its event, 0 if none is due (ARC-99)."""
    state, one = log.state, log.state.fighters[who]
    if who not in state.hiders or not one.able or one.stole == state.cycle:
        return 0
    thrown, ways = swayed(one, chance.veiled, f"ARC-99/stealth/{who}", state.settings)
    parts = stealth_parts(one)
    checked = ev.Checked(who, "stealth", thrown.rolls, total(parts), 0, True, "", thrown.kept, parts, ways)
    return log.emit(checked, rule="ARC-99", because=one.said)


def stealth_parts(one: Fighter) -> Parts:
    """Returns the parts of the bonus on a stealth die (ARC-96)."""
    return (*skill(one.body, "FIN", "Stealth"), *ills(one))


def compare(log: FightLog, who: str, enemies: Iterable[str], told: Mapping[str, int]) -> None:
    """Emits which of these enemies notice a hidden combatant; its value has to exceed their perception (ARC-98).
    `told`: the events of the dice rolled for it."""
    state, one = log.state, log.state.fighters[who]
    if who not in state.hiders or one.dead:
        return
    for key in enemies:
        other = state.fighters[key]
        if key in one.noticed_by or other.dead or other.has("unconscious"):
            continue
        seen = max(other.body.passive_perception + (ASLEEP if other.has("asleep") else 0), other.search)
        if one.stealth < seen or (one.stealth == seen and state.settings.stealth_tie == "seen"):
            because = tuple(told[one] for one in (who, key) if one in told)
            log.emit(ev.Noticed(who, (key,)), rule="ARC-98", because=because)


def sees(state: State, by: str, who: str) -> bool:
    """Whether `by` can see the place of `who`, hidden or not (ARC-30, ARC-100)."""
    there = overlooks(state, by, state.fighters[who].place)
    return there and not state.sightless(by, who) and state.cover(who) != "full"


def overlooks(state: State, by: str, place: Cell) -> bool:
    """Whether a combatant can see a place."""
    other = state.fighters[by]
    blind = other.has("blinded") or any(STATUSES[key].unaware for key in other.statuses)
    if other.dead or blind or state.cover(by) == "full" or state.walled(other.place, place):
        return False
    return state.murk(other.place, place) != "total"


def hide(log: FightLog, who: str, chance: Chance, because: int) -> None:
    """Hides a combatant, if no enemy it knows of sees the place. Enemies it does not know of do not prevent it, but go
    on seeing it (ARC-30)."""
    state, one = log.state, log.state.fighters[who]
    watching = [key for key in state.enemies(who) if sees(state, key, who)]
    ok = all(state.unseen(key, who) for key in watching)
    thrown, ways = swayed(one, chance.veiled, f"ARC-30/hide/{who}", state.settings)
    parts = stealth_parts(one)
    checked = ev.Checked(who, "hide", thrown.rolls, total(parts), 0, ok, "", thrown.kept, parts, ways)
    number = log.emit(checked, rule="ARC-30", because=(because,))
    log.emit(ev.Hid(who, ok), rule="ARC-30", because=(number,))
    if ok and watching:
        log.emit(ev.Noticed(who, tuple(watching)), rule="ARC-30", because=(number,))
    if ok:
        compare(log, who, state.enemies(who), {who: number})
        sentinel.lose(log, who, number)


def give_away(
    log: FightLog, who: str, number: int, targets: Collection[str] = (), *, at: Cell | None = None, heard: bool = False
) -> None:
    """Reveals a hidden combatant who strikes or speaks to all who see a target or the place, or who hear (ARC-100)."""
    state = log.state
    enemies = state.enemies(who) if who in state.hiders else ()
    found = [
        key for key in enemies
        if state.unseen(who, key) and (_hears(state, key) if heard else _watches(state, key, targets, at))
    ]  # fmt: skip
    if found:
        log.emit(ev.Noticed(who, tuple(found)), rule="ARC-100", because=(number,))


def _watches(state: State, key: str, targets: Collection[str], at: Cell | None) -> bool:
    """Whether a combatant feels the blow, or sees a target or the place."""
    if key in targets:
        return not state.fighters[key].dead
    if any(sees(state, key, target) and not state.unseen(target, key) for target in targets):
        return True
    return at is not None and overlooks(state, key, at)


def _hears(state: State, key: str) -> bool:
    one = state.fighters[key]
    return not (one.dead or one.has("deaf") or any(STATUSES[status].unaware for status in one.statuses))


def warn(log: FightLog, who: str, of: str, allies: Iterable[str], coded: bool, number: int) -> None:
    """Words name a hidden enemy: friends know its place; if it hears them, it knows that (ARC-33)."""
    state = log.state
    if of not in state.hiders or of not in state.enemies(who) or state.unseen(of, who):
        return
    side = state.fighters[who].side
    friends = tuple(
        key for key in sorted(set(allies) or state.fighters.keys())
        if key in state.fighters and state.fighters[key].side == side and state.unseen(of, key)
        and _hears(state, key)
    )  # fmt: skip
    if friends:
        log.emit(ev.Noticed(of, friends), rule="ARC-33", because=(number,))
    one = state.fighters[of]
    if not coded and not one.discovered and _hears(state, of):
        log.emit(ev.Discovered(of, who), rule="ARC-33", because=(number,))


def health(state: State) -> dict[str, int]:
    """Returns the HP of all hidden combatants, for `hurt`."""
    return {who: state.fighters[who].hp for who in state.hiders}


def hurt(log: FightLog, before: Mapping[str, int], chance: Chance) -> None:
    """Checks whether combatants hurt in hiding stay quiet; else all notice them (ARC-104). `before`: their old HP."""
    state = log.state
    for who, hp in sorted(before.items()):
        one = state.fighters[who]
        unknowing = tuple(key for key in state.enemies(who) if state.unseen(who, key))
        if who not in state.hiders or one.dead or one.hp >= hp or not unknowing:
            continue
        thrown, ways = swayed(one, chance.veiled, f"ARC-104/quiet/{who}/{one.quiet + 1}", state.settings)
        parts = (*skill(one.body, "SPR", "Endurance"), *ills(one))
        ok = thrown.kept + total(parts) >= COMPOSURE
        checked = ev.Checked(who, "composure", thrown.rolls, total(parts), COMPOSURE, ok, "", thrown.kept, parts, ways)
        number = log.emit(checked, rule="ARC-104")
        if not ok:
            log.emit(ev.Noticed(who, unknowing), rule="ARC-104", because=(number,))


def slammed(log: FightLog, who: Collection[str], goals: Mapping[str, tuple[int, int]]) -> None:
    """Combatants in a body slam notice each other (ARC-21)."""
    state = log.state
    for key in sorted(set(who) & state.hiders):
        place = goals.get(key, state.fighters[key].place)
        by = tuple(
            other for other in sorted(who)
            if other != key and state.unseen(key, other) and goals.get(other, state.fighters[other].place) == place
        )  # fmt: skip
        if by:
            log.emit(ev.Noticed(key, by), rule="ARC-21")
