"""Landings other than attacks and spells: words, items, shaking off a status (ledger 2.3, 2.4)."""

from app.engine.chance import Chance
from app.rulesets.arcana.effects import custom_actions, resisting, stealth
from app.rulesets.arcana.effects.batch import Pending
from app.rulesets.arcana.effects.health import Healing
from app.rulesets.arcana.fight import events as ev
from app.rulesets.arcana.fight import hands
from app.rulesets.arcana.fight.events import FightLog
from app.rulesets.arcana.fight.flight import Flight
from app.rulesets.arcana.fight.roll_parts import ills, skill, swayed, total
from app.rulesets.arcana.fight.trading import carried, half, taken
from app.rulesets.arcana.rules.items import is_named

ANTIDOTE = 5  # HP at most (ARC-171)
CARE, CARED = "emergency_care", 10  # ARC-30


def speak(log: FightLog, flight: Flight) -> None:
    """Speaks: all hear that a combatant speaks; only the named allies read coded words (ARC-32, ARC-33)."""
    action = flight.action
    stealth.give_away(log, flight.who, flight.number, heard=True)
    if action.allies:
        log.emit(ev.Spoke(flight.who, "", action.allies), rule="ARC-32", because=(flight.number,))
    said = ev.Spoke(flight.who, action.words, action.allies)
    number = log.emit(said, rule="ARC-32", because=(flight.number,))
    for key, other in log.state.fighters.items() if not action.allies else ():
        if other.has("asleep") and not other.has("deaf") and not other.dead:
            log.emit(ev.Ended(key, "asleep"), rule="ARC-142", because=(number,))
    stealth.warn(log, flight.who, action.target, action.allies, bool(action.allies), number)


def item(log: FightLog, flight: Flight, on: Pending) -> None:
    """Drinks a draught, or gives it to a combatant within touch (ARC-34, ARC-171)."""
    key, target = flight.action.item, flight.targets[0][0]
    poison = log.state.fighters[target].poison
    number = log.emit(ev.Used(flight.who, key, target), rule="ARC-171", because=(flight.number,))
    on.because.append(number)
    if key == "healing_draught":
        on.healing.append(Healing(amount=10))
    elif key == "spirit_draught":
        on.fp -= 10
    else:
        on.healing.append(Healing(amount=min(ANTIDOTE, poison)))
        on.cures.update(name for name in log.state.fighters[target].statuses if name.startswith("poisoned"))


def use(log: FightLog, flight: Flight, chance: Chance, on: Pending) -> None:
    """Uses a small item: a draught, or one the book does not have, by the GM's ruling (ARC-34)."""
    key, one = flight.action.item, log.state.fighters[flight.who]
    if not one.items.get(key):
        rule = "ARC-34" if is_named(key) else "ARC-171"
        log.emit(ev.Void(flight.who, "use", "there is none left"), rule=rule, because=(flight.number,))
    elif is_named(key):
        custom_actions.used(log, flight, chance)
    else:
        item(log, flight, on)


def put_down(log: FightLog, flight: Flight) -> None:
    """Puts a carried item on the ground (ARC-34)."""
    who, key, one = flight.who, flight.action.item, log.state.fighters[flight.who]
    if key not in carried(one):
        log.emit(ev.Void(who, "drop", "there is none left"), rule="ARC-34", because=(flight.number,))
        return
    log.emit(ev.Dropped(who, key, one.place), rule="ARC-34", because=(flight.number,))


def shake_off(log: FightLog, flight: Flight, chance: Chance, on: Pending) -> None:
    """Repeats a Resist as a major, at its usual price (ARC-10, ARC-125, ARC-144)."""
    state, who, one = log.state, flight.who, log.state.fighters[flight.who]
    for key in one.shakeable:
        if one.fp < resisting.PRICE:
            void = ev.Void(who, "shake_off", "has not the FP for a Resist")
            log.emit(void, rule="ARC-125", because=(flight.number,))
            return
        held = one.statuses[key]
        spell, label = state.spell(held.source), f"ARC-144/shake/{who}/{key}"
        ok = resisting.roll(log, who, held.source or key, spell.resist if spell else None, held.value, label, chance,
                            because=(flight.number,), rule="ARC-144")  # fmt: skip
        if ok:
            on.ended.append(key)


def give(log: FightLog, flight: Flight) -> None:
    """Carries out one half of a trade: accepted items change hands, wherever the two are by now (ARC-19)."""
    state, who, action = log.state, flight.who, flight.action
    theirs = half(state, who, action)
    if theirs is None:
        return
    there, given = carried(state.fighters[who]), list[str]()
    for key in action.gives:
        if key in there and key not in given and taken(theirs, key):
            given.append(key)
    log.emit(ev.Gave(who, action.target, tuple(given)), rule="ARC-28", because=(flight.number,))


def handle(log: FightLog, flight: Flight, chance: Chance) -> None:
    """Takes a weapon or shield in hand, picks up an item, or does something in the player's words (ARC-26, ARC-167)."""
    who, action, one = flight.who, flight.action, log.state.fighters[flight.who]
    if action.item == CARE and action.target in log.state.fighters:
        care(log, flight, chance)
        return
    if action.item and action.item not in hands.draws(log.state, who):
        void = ev.Void(who, action.do, "it is not there any more")
        log.emit(void, rule="ARC-26", because=(flight.number,))
        return
    if not action.item:
        words = action.words.strip() or "It is done."
        log.emit(ev.Described(who, action.target, words), rule="ARC-26", because=(flight.number,))
        return
    if action.item in hands.things_in_reach(log.state, who):
        picked = ev.Drew(who, action.item, hands.holding(one), True)
        log.emit(picked, rule="ARC-26", because=(flight.number,))
        return
    found = None if action.item in one.body.weapons else hands.in_reach(log.state, who).get(action.item)
    now = hands.taken(one, action.item, action.hand == "other", found)
    log.emit(ev.Drew(who, action.item, now, found is not None), rule="ARC-167", because=(flight.number,))


def care(log: FightLog, flight: Flight, chance: Chance) -> None:
    """Emergency Care: stabilises a dying combatant by touch (ARC-30, ARC-138)."""
    one, target = log.state.fighters[flight.who], flight.action.target
    other = log.state.fighters[target]
    parts = (*skill(one.body, "INT"), *ills(one))
    thrown, ways = swayed(one, chance, f"ARC-30/care/{flight.label}", log.state.settings)
    ok = thrown.kept + total(parts) >= CARED
    about = f"Emergency Care for {other.body.name}"
    checked = ev.Checked(flight.who, "custom", thrown.rolls, total(parts), CARED, ok, about, thrown.kept, parts, ways)
    number = log.emit(checked, rule="ARC-30", because=(flight.number,))
    if ok and other.has("critical"):
        log.emit(ev.Ended(target, "critical"), rule="ARC-138", because=(number,))
        log.emit(ev.Gained(target, "stable", 0), rule="ARC-138", because=(number,))
