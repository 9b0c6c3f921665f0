"""Checks a declaration in a fight; faults are in words for the player, by form field."""

from typing import Any, assert_never

from app.engine.ruleset import Ask, Faults
from app.rulesets.chronicle.hand import declarations as de
from app.rulesets.chronicle.hand import defences, legal
from app.rulesets.chronicle.hand.actions import Defence
from app.rulesets.chronicle.hand.grid import Ground, read
from app.rulesets.chronicle.hand.muster import FOES, MOST
from app.rulesets.chronicle.hand.state import OTHER, Fight
from app.rulesets.chronicle.hand.view import View

NOT_YOURS = "That character is not yours."


def check(view: View, ask: Ask, says: Any) -> Faults:
    """Returns faults by form field; empty: the answer may be sealed."""
    match says:
        case de.Setting():
            return _setting(view.fight, says)
        case de.Ready():
            return _ready(view, says)
        case de.Pair():
            own, _, other = says.pair.partition(":")
            return {} if (own, other) in view.pairs else {"pair": "Choose one of your own and one of the enemy's."}
        case de.JoinPair():
            return {} if says.combat in view.rooms else {"combat": "Choose a combat with room for one more."}
        case de.Join():
            return _join(view, says)
        case de.Step():
            ends = view.moving.squares if view.moving else ()
            return {} if read(says.to) in ends else {"to": "Choose one of the squares within reach."}
        case de.Act():
            return _act(view, says)
        case de.Defend():
            return _defend(view, ask, says)
        case de.Dodge():
            return _dodge(view, ask.about[0], says)
        case de.Protect() | de.Pick():
            return _part(view, ask, says)
        case de.Mercy():
            wrong = [key for key in says.refuse if key not in ask.about]
            return {"refuse": "You can refuse only an enemy who is surrendering to you."} if wrong else {}
        case de.Next():
            reason = legal.why_no_round(view.fight) if says.go == "on" else ""
            return {"go": reason} if reason else {}
        case de.Desk():
            return _desk(view.fight, says)
        case _:
            assert_never(says)


def default(view: View, ask: Ask) -> Any:
    """The answer of an absent seat (the column "player absent" of tables 1.1 and 1.2): safe, and always legal."""
    fight = view.fight
    match ask.kind:
        case "setting":
            return de.Setting()
        case "ready":
            return de.Ready()
        case "pair":
            return de.Pair(pair=":".join(view.pairs[0]))
        case "join_pair":
            return de.JoinPair(combat=view.rooms[0])
        case "join":
            return de.Join()
        case "move":
            usual = view.moving.usual if view.moving and view.moving.usual else (0, 0)
            return de.Step(to=f"{usual[0]},{usual[1]}")
        case "act":
            return de.Act()
        case "defend":
            return de.Defend(of={key: _usual(view, fight, key) for key in _victims(ask)})
        case "dodge":
            key = ask.about[0]
            return _elsewhere(view, defences.again(fight, key), key)
        case "protect":
            return de.Protect()
        case "pick":
            return de.Pick()
        case "mercy":
            return de.Mercy()
        case "next":
            sides = [side for side in OTHER if any(fight.able(one.key) for one in fight.side(side))]
            return de.Next(go="on" if len(sides) > 1 else "end")
        case _:
            return de.Desk(what="end")


def _victims(ask: Ask) -> list[str]:
    return list(dict.fromkeys(about.partition(":")[2] for about in ask.about))


def _usual(view: View, fight: Fight, key: str) -> de.Defending:
    how, square = defences.usual(fight, view.stand[key], key)
    return de.Defending(how=how, square=f"{square[0]},{square[1]}" if square else "")


def _elsewhere(view: View, fight: Fight, key: str) -> de.Dodge:
    how, square = defences.elsewhere(fight, view.stand[key], key)
    dodged = {order.who for order in legal.attacks_on(fight, key) if order.defence == "dodge"}
    to = f"{square[0]},{square[1]}" if square else ""
    return de.Dodge(how={who: said for who, said in how.items() if who in dodged}, square=to)


def _setting(fight: Fight, says: de.Setting) -> Faults:
    blocked = [read(text) for text in says.blocked.split()]
    if None in blocked:
        return {"blocked": "Write squares as x,y separated by spaces: 4,2 5,2."}
    faults: Faults = {}
    people = sum(one.here for one in fight.fighters.values())
    if says.width and says.height and says.width * says.height - len(set(blocked)) < people:
        faults["width"] = f"That is too small for {people} people."
    if bool(says.width) != bool(says.height):
        faults["height" if says.width else "width"] = "Enter both, or leave both empty for open ground."
    taken: set[Any] = set()
    for key, text in says.at.items():
        if not text:
            continue
        square = read(text)
        ground = Ground(says.width, says.height, frozenset(filter(None, blocked)), taken)
        if key not in fight.fighters:
            faults[f"at.{key[:60]}"] = "Nobody in this fight has that name."
        elif square is None or not ground.free(square):
            faults[f"at.{key}"] = "Write a free square as x,y: 3,0."
        else:
            taken.add(square)
    return faults


def _ready(view: View, says: de.Ready) -> Faults:
    faults: Faults = {}
    for key, one in says.of.items():
        if key not in view.mine:
            faults[f"of.{key[:60]}.right"] = NOT_YOURS
            continue
        for hand, reason in legal.why_not_hands(view.fight[key], one).items():
            faults[f"of.{key}.{hand}"] = reason
    return faults


def _join(view: View, says: de.Join) -> Faults:
    faults: Faults = {}
    for key, one in says.of.items():
        if key not in view.joins:
            faults[f"of.{key[:60]}.combat"] = NOT_YOURS
        elif one.combat == "free":
            if not view.fight[key].combat:
                faults[f"of.{key}.combat"] = "You are already free."
        elif one.combat not in ("", "leave", *view.joins[key]):
            faults[f"of.{key}.combat"] = (
                "That combat is out of reach, or has no room: an enemy must be within 3 squares."
            )
    return faults


def _act(view: View, says: de.Act) -> Faults:
    faults: Faults = {}
    for key, one in says.of.items():
        if key not in view.mine or not legal.acts(view.fight, key):
            faults[f"of.{key[:60]}.action"] = "This fighter is not yours, or has nothing to decide now."
            continue
        for name, reason in _order(view.fight, key, one).items():
            faults[f"of.{key}.{name}"] = reason
    return faults


def _order(fight: Fight, key: str, one: de.OrderSaid) -> Faults:
    faults: Faults = {}
    fighter = fight[key]
    if any(arm not in ("left", "right") for arm in one.drop):
        faults["drop"] = "Choose the right or the left hand."
    if any(all(grip.victim != victim for grip in fight.grips_by(key)) for victim in one.release):
        faults["release"] = "You can only let go of someone you are holding."
    if one.uses and not fighter.holds(one.uses):
        faults["uses"] = "That hand is empty."
    if one.surrender:
        if one.action != "wait":
            faults["action"] = "You cannot act if you give up: choose Wait."
        return faults
    seen = legal.with_hands(fight, key, one.drop, one.grip or fighter.grip, one.uses or fighter.uses)
    target = "" if one.action in ("wait", "stand", "ready", "flee") else one.target
    if reason := legal.why_not(seen, key, one.action, target):
        wrong = "target" if target not in fight.fighters and one.action not in ("wait", "stand", "flee") else "action"
        faults[wrong] = reason
    elif one.action == "ready" and (reason := legal.why_not_ready(seen, key, one.item, one.into)):
        faults["item"] = reason
    return faults


def _defend(view: View, ask: Ask, says: de.Defend) -> Faults:
    faults: Faults = {}
    for key in says.of:
        if key not in _victims(ask):
            faults[f"of.{key[:60]}.square"] = NOT_YOURS
    for key in _victims(ask):
        one = says.of.get(key)
        if one is None:
            continue  # defends by the rules' default
        usual, _ = defences.usual(view.fight, view.stand[key], key)
        how: dict[str, Defence] = {**usual, **one.how}
        for attacker, reason in legal.faults_of(view.fight, key, how, read(one.square)).items():
            faults[f"of.{key}.how.{attacker}" if attacker else f"of.{key}.square"] = reason
    return faults


def _dodge(view: View, key: str, says: de.Dodge) -> Faults:
    seen = defences.again(view.fight, key)
    kept: dict[str, Defence] = {
        order.who: order.defence or "none" for order in legal.attacks_on(seen, key) if order.defence != "dodge"
    }
    found = legal.faults_of(seen, key, {**says.how, **kept}, read(says.square))
    return {f"how.{attacker}" if attacker else "square": reason for attacker, reason in found.items()}


def _part(view: View, ask: Ask, says: de.Protect | de.Pick) -> Faults:
    faults: Faults = {}
    by_attacker = {about.partition(":")[0]: about for about in ask.about}
    for attacker, part in says.of.items():
        about = by_attacker.get(attacker, "")
        if not about:
            faults[f"of.{attacker[:60]}"] = "There is no such attack to decide about."
        elif part and part not in view.parts.get(about, ()):
            faults[f"of.{attacker}"] = "Choose another part: this one is not possible here."
    return faults


def _desk(fight: Fight, says: de.Desk) -> Faults:
    if says.what == "end":
        return {}
    if says.what == "join":
        if says.template not in FOES:
            return {"template": "Choose who joins the fight."}
        full = sum(one.here for one in fight.fighters.values()) >= MOST
        return {"template": f"There are already {MOST} people here."} if full else {}
    if says.who not in fight.fighters or not fight[says.who].here:
        return {"who": "Choose someone in this fight."}
    if not says.reason.strip():
        return {"reason": "Give a reason; everyone will read it."}
    if says.what == "out":
        return {}
    faults: Faults = {}
    if (says.x is None) != (says.y is None):
        faults["x" if says.x is None else "y"] = "Enter both numbers of the square."
    elif says.x is not None and says.y is not None and not fight.ground.free((says.x, says.y)):
        faults["x"] = "That square is taken, blocked or outside the ground."
    return faults
