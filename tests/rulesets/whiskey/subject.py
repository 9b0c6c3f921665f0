"""Whiskey battles as a subject of the laws: random bands, plans, desks, and what hidden foes must not give away."""

from typing import Any

from hypothesis import strategies as st

from app.engine.ruleset import GM, Ask, Brief, Seat, Setup, Viewer
from app.rulesets.whiskey import BATTLE, RULESET
from app.rulesets.whiskey.cards import CARDS
from app.rulesets.whiskey.settings import Settings
from app.rulesets.whiskey.sheets import Foe, Sheet
from app.rulesets.whiskey.state import Fighter, State, fighter
from app.rulesets.whiskey.view import View
from tests.rulesets.laws import Draw, Subject, copied, rolls_in

_SETTINGS = st.fixed_dictionaries(
    {
        name: st.sampled_from(values)
        for name, values in {
            "declaration": ["sealed", "open"],
            "mode": ["", "casual", "tournament"],
            "deck_mode": ["halves", "single", "dice"],
            "who_checks": ["initiator", "pc_first"],
            "spent_on_stop": ["no", "yes"],
            "overkill": ["clamp", "keep"],
            "advance_through": ["blockers_down", "win"],
            "show_discards": ["on", "off"],
            "veto": ["off", "on"],
        }.items()
    }
).map(Settings.model_validate)


@st.composite
def _sheet(draw: Any, name: str) -> dict[str, Any]:
    hp = draw(st.integers(1, 12))
    return {
        "name": name,
        "combat": draw(st.integers(5, 14)),
        "base": draw(st.integers(0, 4)),
        "die": draw(st.integers(0, 2)),
        "hp": hp,
        "hp_max": hp + draw(st.integers(0, 3)),
        "guard_capacity": draw(st.sampled_from([1, 1, 2, 9])),
        "cards": tuple(draw(st.lists(st.sampled_from(sorted(CARDS)), max_size=3, unique=True))),
    }


@st.composite
def setups(draw: Any) -> Setup[Sheet, Settings]:
    """Two players, one of them with two characters, against up to four foes of two sides, some of them hidden."""
    seats = {Seat("ann"): ("anna",), Seat("bob"): ("bert", "bill"), GM: ()}
    sheets = {key: Sheet.model_validate(draw(_sheet(key.title()))) for keys in seats.values() for key in keys}
    foes = []
    for number in range(draw(st.integers(1, 4))):
        foe = draw(_sheet(f"Foe {number}")) | {"key": f"foe-{number}"}
        foe |= {"hidden": draw(st.booleans()), "shown": draw(st.booleans())}
        foe |= {"habit": draw(st.sampled_from(["nearest", "last", "guard", "stand"])), "guards": "foe-0"}
        foes.append(foe | draw(st.sampled_from([{}, {"side": "wolves", "faction": "wolves"}])))
    areas = [{"key": "ford", "name": "the ford", "barrers": ["foe-0"]}, {"key": "gate", "name": "the gate"}]
    given = {"description": "Night.", "foes": foes, "areas": areas}
    brief = Brief(kind="battle", title="A test", seats=seats, given=given)
    kept: dict[str, Any] = {"deck/players": {"half": "B", "left": [13, -12]}}
    return Setup(brief=brief, settings=draw(_SETTINGS), sheets=sheets, kept=draw(st.sampled_from([{}, kept])))


def _one(draw: Draw, among: Any) -> Any:
    return draw(st.sampled_from(list(among)))


def _intent(draw: Draw, view: View, key: str) -> dict[str, Any]:
    others = [who.key for who in view.others(key)]
    cards = [card.key for card in view.cards_of(key)]
    intent: dict[str, Any] = {
        "intent": _one(draw, ["attack", "attack", "advance", "defend", "defend", "stand", "other"])
    }
    if others:
        intent |= {"attack": _one(draw, others), "sure": "yes", "ward": f"who:{_one(draw, others)}"}
        intent["prefer"] = draw(st.lists(st.sampled_from(others), max_size=2))
    if view.areas:
        area = _one(draw, view.areas)
        barrers = [who.key for who in view.barrers(key, area) if who.able]
        intent |= {"area": area, "engage": _one(draw, barrers) if barrers else ""}
        if not others or draw(st.integers(0, 3)) == 0:
            intent["ward"] = f"area:{area}"
    if intent["intent"] == "other":
        intent |= {"other": "I shout."} if not cards or draw(st.booleans()) else {"card": _one(draw, cards)}
    rider = draw(st.sampled_from(["none", "card", "text"]))
    if rider == "card" and cards:
        friends = [key, *(who.key for who in view.friends(key))]
        intent |= {"rider": "card", "rider_card": _one(draw, cards), "rider_target": _one(draw, friends)}
    elif rider == "text":
        intent |= {"rider": "text", "rider_text": "I laugh."}
    return intent


def _desk(draw: Draw, view: View) -> dict[str, Any]:
    what = _one(
        draw, ["correct", "join", "show", "hide", "hide", "out", *(["end"] if draw(st.integers(0, 5)) == 0 else [])]
    )
    foes = [who for who in view.fighters.values() if not who.pc and who.hidden == (what == "show")]
    among = foes if what in ("show", "hide") and foes else list(view.fighters.values())
    return {
        "what": what,
        "who": _one(draw, [who.key for who in among]),
        "hp": draw(st.sampled_from(["", -3, 0, 1, 9])),
        "combat": draw(st.sampled_from(["", 3, 12])),
        "reason": "I was wrong.",
        "template": _one(draw, view.templates),
        "count": draw(st.integers(1, 2)),
        "habit": _one(draw, ["nearest", "last", "stand"]),
        "hidden": draw(st.booleans()),
        "side": draw(st.sampled_from(["enemies", "players"])),
    }


def _says(draw: Draw, view: View, ask: Ask) -> Any:
    said: dict[str, Any] = {}
    match ask.kind:
        case "declare":
            said = {"of": {key: _intent(draw, view, key) for key in view.mine if draw(st.integers(0, 7))}}
        case "scene":
            everybody = list(view.fighters)
            said = {"description": "Rain.", "seconds": draw(st.sampled_from(["", 30]))}
            if draw(st.booleans()):
                barrers = draw(st.lists(st.sampled_from(everybody), max_size=2, unique=True))
                out = {"exit": "yes"} if draw(st.booleans()) else {}
                said["areas"] = {"0": {"name": "The ford", "key": "ford", "barrers": barrers, **out}}
            said |= {name: draw(st.lists(st.sampled_from(everybody), max_size=1)) for name in ("show", "hide")}
        case "veto":
            strike = [clash for clash, _, _ in view.clashes if draw(st.integers(0, 3)) == 0]
            said = {"strike": strike, "reason": "They are too far away."}
        case "rule":
            who, hp = _one(draw, view.fighters), draw(st.sampled_from(["", -2, 3]))
            said = {"of": {question.key: {"words": "So be it.", "who": who, "hp": hp} for question in view.questions}}
            if said["of"] and draw(st.integers(0, 2)) == 0:
                said["of"][_one(draw, said["of"])] = {"check_who": who, "check_value": 9, "against": 12}
        case "next":
            said = {"go": _one(draw, ["on", "on", "on", "end"])}
        case _:
            said = _desk(draw, view)
    return BATTLE.declaration.validate_python({**said, "ask": ask.kind})


def _blur(draw: Draw, state: State, who: Viewer) -> State:
    """Other numbers of all the GM's characters that are not shown, and what the veil hides."""
    other = _veil(draw, state, who)
    for f in other.fighters.values():
        if f.seat == GM and not f.shown:
            _change(f)
    return other


def _veil(draw: Draw, state: State, who: Viewer) -> State:
    """Other numbers and habits of hidden foes, and one more of them somewhere in the roster."""
    other: State = copied(BATTLE, state)
    hidden = [f for f in other.fighters.values() if f.hidden and f.able and not _fights(state, f.key)]
    for f in hidden:
        _change(f)
        f.hp, f.habit, f.last_target = f.hp + 5, "nearest", "anna"
    if state.phase == "next" and not hidden:
        return other  # who still stands decides whether the battle goes on
    sides = [hidden[0].side] if state.phase == "next" else ["ghosts", "players", "wolves"]
    ghost = Foe(key="ghost", name="A ghost", faction="ghosts", side=draw(st.sampled_from(sides)))
    crowd = list(other.fighters.items())
    crowd.insert(draw(st.integers(0, len(crowd))), ("ghost", fighter("ghost", ghost, GM, pc=False, hidden=True)))
    other.fighters = dict(crowd)
    other.decks["ghosts"] = type(other.decks["players"]).fresh(other.settings.deck_mode)
    return other


def _change(f: Fighter) -> None:
    f.capacity, f.cards = f.capacity + 3, [*f.cards, "mend"]
    if not f.weapon_known:
        f.base, f.die = f.base + 7, f.die + 1
    f.combat += 0 if f.combat_known else 4


def _fights(state: State, key: str) -> bool:
    """Whether somebody who slipped out of sight still has a clash of this round to be decided."""
    return state.phase == "veto" and any(key in (f.by, f.other) for f in state.last.fights.values())


def _murmur(state: State, ask: Ask, says: Any) -> Any:
    """Hidden foes stand in other words: what a form holds for the choices not taken comes to nothing."""
    if ask.kind != "declare" or ask.seat != GM:
        return says
    stand = {"intent": "stand", "attack": "anna", "ward": "who:bert", "other": "I wait."}
    return _hand(says, {f.key: stand for f in state.fighters.values() if f.hidden and f.able})


def _quiet(state: State, ask: Ask, says: Any) -> Any:
    """A hand that leaves hidden foes alone: they only stand, and nobody goes for them or guards them."""
    hidden = {f.key for f in state.fighters.values() if f.hidden}
    match ask.kind:
        case "declare" if ask.seat == GM:
            named = {
                key
                for key, i in says.of.items()
                if hidden & {i.attack, i.engage, i.ward.removeprefix("who:"), i.rider_target, *i.prefer}
            }
            return _hand(says, {key: {"intent": "stand"} for key in hidden | named})
        case "scene":
            return None if hidden & {*says.show} else says
        case "rule":
            return None if hidden & {verdict.who for verdict in says.of.values()} else says
        case "desk":
            return None if says.what in ("show", "end") else says
        case _:
            return says


def _hand(says: Any, more: dict[str, dict[str, Any]]) -> Any:
    of = {key: intent.model_dump() for key, intent in says.of.items()} | more
    return BATTLE.declaration.validate_python({"ask": "declare", "of": of})


WHISKEY_SUBJECT = Subject(
    ruleset=RULESET,
    key="battle",
    setups=setups(),
    says=_says,
    rolls=lambda state, event: rolls_in(event),
    still=lambda state: (state.fighters, state.decks, state.areas, state.winner),
    blur=_blur,
    veil=_veil,
    murmur=_murmur,
    quiet=_quiet,
)
