"""Checks a declaration; faults are in words for the player, by form field."""

from app.engine.ruleset import Ask, Faults
from app.engine.sentences import and_list, capital
from app.rulesets.whiskey import declarations as de
from app.rulesets.whiskey.cards import CARDS
from app.rulesets.whiskey.view import View


def hand(view: View, ask: Ask, says: de.Hand) -> Faults:
    faults: Faults = {}
    for key, intent in says.of.items():
        if key not in view.mine:
            faults[f"of.{key[:60]}.intent"] = "This character is not yours to declare for, or is out of the battle."
            continue
        for name, what in _intent(view, key, intent).items():
            faults[f"of.{key}.{name}"] = what
    return faults


def _intent(view: View, key: str, intent: de.Intent) -> Faults:
    able = {who.key for who in view.others(key)}
    match intent.intent:
        case "attack":
            faults = _attack(view, key, intent, able)
        case "advance":
            faults = _advance(view, key, intent, able)
        case "defend":
            faults = _defend(view, intent, able)
        case "other":
            faults = _other(view, key, intent)
        case _:
            return _rider(view, key, intent)
    return faults | _rider(view, key, intent)


def _attack(view: View, key: str, intent: de.Intent, able: set[str]) -> Faults:
    if intent.attack not in able:
        return {"attack": "Choose whom to attack: someone in sight who is still standing."}
    friend = view.fighters[intent.attack].side == view.fighters[key].side
    if friend and not intent.sure:
        return {"sure": f"{capital(view.the(intent.attack))} is on your own side. Tick the box if you mean it."}
    return {}


def _advance(view: View, key: str, intent: de.Intent, able: set[str]) -> Faults:
    if intent.area not in view.areas:
        return {"area": "Choose an area to advance to."}
    barrers = [who.key for who in view.barrers(key, intent.area) if who.key in able]
    if intent.engage and intent.engage not in barrers:
        return {"engage": f"Choose one of the fighters who bar the way to {view.areas[intent.area].name}."}
    if barrers and not intent.engage:
        names = and_list((view.the(who) for who in barrers), "or")
        return {"engage": f"The way is barred. Choose whom to engage: {names}."}
    return {}


def _defend(view: View, intent: de.Intent, able: set[str]) -> Faults:
    what, _, name = intent.ward.partition(":")
    known = (what == "who" and name in able) or (what == "area" and name in view.areas)
    if not known:
        return {"ward": "Choose a person or an area to defend."}
    for who in intent.prefer:
        if who not in able:
            return {"prefer": "You can only prefer attackers who are in sight and still standing."}
    return {}


def _other(view: View, key: str, intent: de.Intent) -> Faults:
    if intent.card:
        return _card(view, key, intent.card, intent.rider_target, "card", main=True)
    if not intent.other.strip():
        return {"other": "Describe in your own words what you try to do."}
    return {}


def _rider(view: View, key: str, intent: de.Intent) -> Faults:
    if intent.rider == "text" and not intent.rider_text.strip():
        return {"rider_text": "Describe in your own words what else you do."}
    if intent.rider != "card":
        return {}
    faults = _card(view, key, intent.rider_card, intent.rider_target, "rider_card", main=False)
    if not faults and CARDS[intent.rider_card].aim == "attack" and intent.intent not in ("attack", "advance"):
        return {"rider_card": f"{CARDS[intent.rider_card].name} can only be played with an attack."}
    if not faults and intent.intent == "other" and intent.card:
        if intent.card == intent.rider_card:
            return {"rider_card": "A card can be used only once a round."}
        if not CARDS[intent.rider_card].kept_when_stopped:  # such a card is for the spell itself (WHI-04, WHI-05)
            return {"rider_card": f"You already play {CARDS[intent.card].name}: you cannot add a second card."}
    return faults


def _card(view: View, key: str, card: str, target: str, field: str, *, main: bool) -> Faults:
    hand = {c.key: c for c in view.cards_of(key)}
    if card not in hand:
        return {field: "Choose one of the ability cards this character still has."}
    if main and hand[card].aim == "attack":
        return {field: f"{hand[card].name} can only be played with an attack."}
    if hand[card].needs_target and target not in {who.key for who in view.friends(key)}:
        return {"rider_target": f"Choose who gets {hand[card].name}: someone else on your side."}
    return {}


def scene(view: View, ask: Ask, says: de.Scene) -> Faults:
    faults: Faults = {}
    for number, area in enumerate(says.areas or ()):
        for who in area.barrers:
            if who not in view.fighters:
                faults[f"areas.{number}.barrers"] = "Only fighters in this battle can bar the way."
    keys = [area.key for area in says.areas or ()]
    if len(set(keys)) != len(keys):
        faults["areas"] = "Two areas have the same name."
    for name in ("show", "hide"):
        if any(who not in view.fighters for who in getattr(says, name)):
            faults[name] = "There is nobody with that name in this battle."
    return faults


def veto(view: View, ask: Ask, says: de.Veto) -> Faults:
    known = {clash for clash, _, _ in view.clashes}
    if any(clash not in known for clash in says.strike):
        return {"strike": "There is no such clash in this round."}
    if says.strike and not says.reason.strip():
        return {"reason": "Say why; everyone reads it."}
    return {}


def rule(view: View, ask: Ask, says: de.Rule) -> Faults:
    known = {question.key for question in view.questions}
    faults: Faults = {}
    for key, verdict in says.of.items():
        if key not in known:
            faults[f"of.{key[:60]}.words"] = "There is no such question."
            continue
        if verdict.hp and verdict.who not in view.fighters:
            faults[f"of.{key}.who"] = "Choose whose HP change."
        if verdict.check_who and (verdict.check_who not in view.fighters or view.fighters[verdict.check_who].hidden):
            faults[f"of.{key}.check_who"] = "Choose who makes the check: someone in sight."
        elif bool(verdict.check_who) != (verdict.check_value is not None):
            what = "check_value" if verdict.check_who else "check_who"
            faults[f"of.{key}.{what}"] = "A check needs a fighter who makes it and a number to make it with."
    return faults
