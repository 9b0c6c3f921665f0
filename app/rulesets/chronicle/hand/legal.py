"""Legal orders and defences, with reasons against illegal ones, in words for the player.

Everything here reads only the public `Fight`, so that a form can never be right or wrong for a hidden reason.
"""

from dataclasses import replace

from app.engine.sentences import capital
from app.rulesets.chronicle.arms import ITEMS, item_name
from app.rulesets.chronicle.hand import ratings
from app.rulesets.chronicle.hand.actions import ACTIONS, Defence, action_name
from app.rulesets.chronicle.hand.declarations import Readiness
from app.rulesets.chronicle.hand.grid import OUT_OF_REACH, SPEAR, Square, distance, distance_name
from app.rulesets.chronicle.hand.names import called
from app.rulesets.chronicle.hand.state import OTHER, Arm, Fight, Fighter, Order

PARRIES_OF_ONE = 2  # against many (CHR-MUL-16)


def acts(fight: Fight, key: str) -> bool:
    """Whether a fighter has an order to give: able, in a combat, or near an enemy who could be killed."""
    return fight.able(key) and bool(fight.foes(key) or victims(fight, key))


def victims(fight: Fight, key: str) -> list[Fighter]:
    """Enemies within reach of a Killing Blow: with a Major of the head, near enough (CHR-WND-09, CHR-WND-10)."""
    one = fight[key]
    found = fight.foes(key) or [
        foe for foe in fight.side(OTHER[one.side]) if not fight.combat(foe.key) and not one.combat
    ]
    return [foe for foe in found if fight.helpless(foe.key) and fight.distance(key, foe.key) <= SPEAR]


def why_no_round(fight: Fight) -> str:
    """The reason why another round would be empty; "" if a fighter can act and both sides are present (step R11)."""
    if not any(fight.able(key) for key in fight.fighters):
        return "Nobody here can act anymore: end the fight, or heal someone at the desk first."
    if all(any(fight.side(side)) for side in OTHER):
        return ""
    return "No enemy is left: end the fight, or add a fighter at the desk first."


def targets(fight: Fight, key: str) -> list[Fighter]:
    """Possible targets: present enemies of the own combat; for free fighters, those they may kill."""
    return fight.foes(key) or victims(fight, key)


def with_hands(fight: Fight, key: str, drop: tuple[str, ...], grip: str, uses: str) -> Fight:
    """The same fight with a fighter's hands as ordered: dropped items gone, grip chosen (CHR-EQP-09)."""
    one = fight[key]
    if not drop and grip in ("", one.grip) and uses in ("", one.uses):
        return fight
    new = replace(
        one,
        left="" if "left" in drop else one.left,
        right="" if "right" in drop else one.right,
        grip="one" if grip == "one" else "two",
        uses=uses if uses in ("left", "right") else "",
    )
    return replace(fight, fighters={**fight.fighters, key: new})


def why_not(fight: Fight, key: str, what: str, target: str) -> str:
    """The reason why a fighter may not do this to that target now; "" if they may."""
    if not fight.able(key):
        return "You cannot act with such a wound."
    if what not in ACTIONS:
        return _special(fight, key, what, target)
    if target not in [foe.key for foe in fight.foes(key)]:
        return "Choose an enemy in your own combat."
    made, d = ACTIONS[what], fight.distance(key, target)
    if reason := _body(fight, key, what):
        return reason
    if d >= OUT_OF_REACH:
        return f"{capital(called(fight, target))} is out of reach."
    at = ratings.reach(fight, key, what)
    if not fight.can_move(key) and d > at:
        return f"You cannot move, and {made.name} needs {distance_name(at)} or nearer."
    return ""


def _body(fight: Fight, key: str, what: str) -> str:
    """The reason in the fighter's own body; "" if there is none."""
    made = ACTIONS[what]
    if what == "push":
        if fight.prone(key):
            return "You cannot Push while PRONE."
        return "You cannot Push while TACKLED." if fight.tackled(key) else ""
    if fight.armless(key):
        return "" if what == "trip" else "Both your arms are useless: only Push and Trip are left."
    if made.grapple:
        if fight.free_hand(key):
            return ""
        opened = fight.two_hands(key)
        return "You need a free hand: take one hand off your weapon." if opened else "You need a free hand."
    return "Your only good hand is holding someone." if fight.empty_handed(key) else ""


def _special(fight: Fight, key: str, what: str, target: str) -> str:
    match what:
        case "wait":
            return ""
        case "stand":
            if not fight.prone(key):
                return "You are already on your feet."
            return "You cannot stand up with such a wound." if fight.lamed(key) else ""
        case "break-hold" | "break-tackle":
            kind = "held" if what == "break-hold" else "tackled"
            gripping = [grip.holder for grip in fight.grips_on(key) if grip.kind == kind]
            if not gripping:
                return f"You are not {kind.upper()}."
            return "" if target in gripping else "Choose who is holding you."
        case "kill":
            return _kill(fight, key, target)
        case "ready":
            return ""
        case "flee":
            if not fight.can_move(key):
                return "You cannot move."
            near = [
                foe for foe in fight.foes(key) if fight.able(foe.key) and fight.distance(key, foe.key) < OUT_OF_REACH
            ]
            if not near:
                return ""
            return f"{capital(called(fight, near[0].key))} is too near: you can flee from four squares or farther."
        case _:
            return "Choose an action."


def _kill(fight: Fight, key: str, target: str) -> str:
    if target not in [foe.key for foe in targets(fight, key)] or not fight.helpless(target):
        return "A Killing Blow needs a helpless enemy: one with a Major wound of the head."
    d = fight.distance(key, target)
    if d > SPEAR:
        return f"{capital(called(fight, target))} is out of reach."
    far = not fight.can_move(key) and d > fight.weapon(key).distance
    return "You cannot move, and your weapon does not reach." if far else ""


def why_not_ready(fight: Fight, key: str, item: str, into: str) -> str:
    """The reason against Ready: one item out, one in (CHR-ACT-34); the item may be carried or in the other hand."""
    one = fight[key]
    if into not in ("left", "right"):
        return "Choose the hand you want to change."
    arm: Arm = "left" if into == "left" else "right"
    if not one.arm_able(arm):
        return "That arm is useless."
    if fight.busy(key, arm):
        return "That hand is holding someone: let go first."
    if not item:
        return "" if one.holds(arm) else "That hand is already empty."
    if item not in ITEMS or item not in (*one.carried, one.left if arm == "right" else one.right):
        return "Choose something you carry."
    return f"That hand already holds the {item_name(item)}." if one.holds(arm) == item else ""


def hands_of(one: Fighter, says: Readiness) -> tuple[str, str, list[str]]:
    """Right hand, left hand and the rest, when readied: "empty" for nothing, "" for the rules' default."""
    carried = [item for item in (one.right, one.left, *one.carried) if item]
    hands = []
    for wish, usual in ((says.right, one.right), (says.left, one.left)):
        item = "" if wish == "empty" else wish or usual
        if item not in carried:
            item = ""  # the other hand has it
        if item:
            carried.remove(item)
        hands.append(item)
    return hands[0], hands[1], carried


def why_not_hands(one: Fighter, says: Readiness) -> dict[str, str]:
    """Faults of the items taken in hand (CHR-EQP-08)."""
    carried = [item for item in (one.right, one.left, *one.carried) if item]
    faults: dict[str, str] = {}
    arms: tuple[tuple[Arm, str], ...] = (("right", says.right), ("left", says.left))
    for arm, wish in arms:
        if wish in ("", "empty"):
            continue
        if wish not in carried:
            faults[arm] = "Choose something you carry, once for each hand."
        elif not one.arm_able(arm):
            faults[arm] = "That arm is useless."
        else:
            carried.remove(wish)
    return faults


def attacks_on(fight: Fight, key: str) -> list[Order]:
    """The actions against a fighter this round that need a defence, in actor order."""
    found = [order for order in fight.orders.values() if order.target == key and order.action in ACTIONS]
    if len(found) > 1:
        found.sort(key=lambda order: list(fight.fighters).index(order.who))
    return found


def dodge_squares(fight: Fight, key: str, attacker: str) -> list[Square]:
    """Valid squares of a Dodge (CHR-DEF-05); none for the PRONE, HELD, TACKLED and lamed (CHR-DEF-18)."""
    return fight.ground.away(fight[key].at, fight[attacker].at) if fight.can_move(key) else []


def defences(fight: Fight, key: str, attacker: str, what: str) -> list[Defence]:
    """The legal defences against one action, before the limits of one against many (CHR-DEF-01)."""
    if fight.helpless(key):
        return []
    found: list[Defence] = []
    for how in ACTIONS[what].against:
        if how == "dodge" and not dodge_squares(fight, key, attacker):
            continue
        if how == "parry" and ratings.parries_with(fight, key, attacker) is None:
            continue
        found.append(how)
    return found


def fits(fight: Fight, attacker: str, key: str, square: Square) -> bool:
    """Whether one move is a valid Dodge of that attacker too (CHR-MUL-17)."""
    return distance(square, fight[attacker].at) == fight.distance(key, attacker) + 1


def faults_of(fight: Fight, key: str, how: dict[str, Defence], square: Square | None) -> dict[str, str]:
    """Faults of one defender's answers, by attacker; "" for the square. Empty: they may be sealed."""
    faults: dict[str, str] = {}
    attacks = attacks_on(fight, key)
    dodging = [order for order in attacks if how.get(order.who) == "dodge"]
    squares = dodging_squares(fight, key) if dodging else []
    parries = sum(how.get(order.who) == "parry" for order in attacks)
    if dodging and (square is None or square not in squares):
        faults[""] = "Choose a free square to dodge to, exactly one farther from the attacker."
    for order in attacks:
        said = how.get(order.who, "none")
        legal = defences(fight, key, order.who, order.action)
        name = called(fight, order.who)
        if said == "none":
            open_still = _open_still(fight, key, order, legal, parries, square if dodging else None)
            if open_still:
                faults[order.who] = f"Choose a defence against the {action_name(order.action)} by {name}."
        elif said not in legal:
            faults[order.who] = f"That is no defence against the {action_name(order.action)} by {name} now."
        elif said == "dodge" and square in squares and not fits(fight, order.who, key, square):
            faults[order.who] = f"You cannot dodge {name} there: that square is not one farther away."
        elif said == "parry" and parries > PARRIES_OF_ONE and fight.alone(key):
            faults[order.who] = "Alone against many, you can parry only two actions a round."
    return faults


def _open_still(
    fight: Fight, key: str, order: Order, legal: list[Defence], parries: int, square: Square | None
) -> bool:
    """Whether a defence is left within the limits of one against many (CHR-DEF-17, CHR-MUL-18)."""
    for how in legal:
        if how == "parry" and fight.alone(key) and parries >= PARRIES_OF_ONE:
            continue
        if how == "dodge" and square is not None and not fits(fight, order.who, key, square):
            continue
        return True
    return False


def dodging_squares(fight: Fight, key: str) -> list[Square]:
    """Every square that is a Dodge of at least one action that can be dodged, in order."""
    found: dict[Square, None] = {}
    for order in attacks_on(fight, key):
        if "dodge" in ACTIONS[order.action].against:
            found.update(dict.fromkeys(dodge_squares(fight, key, order.who)))
    return sorted(found, key=lambda square: (square[1], square[0]))
