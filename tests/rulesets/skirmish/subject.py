"""Skirmishes as a subject of the laws: random fields, foes, plans, desks, and what hidden foes must not tell."""

from typing import Any, get_args

from hypothesis import strategies as st

from app.engine.ruleset import GM, Ask, Brief, Seat, Setup, Viewer
from app.rulesets.skirmish import RULESET, SKIRMISH
from app.rulesets.skirmish.fight.settings import Settings
from app.rulesets.skirmish.fight.state import Combatant, State, combatant
from app.rulesets.skirmish.sheet.foe_templates import TEMPLATES
from app.rulesets.skirmish.sheet.sheets import Sheet
from app.rulesets.skirmish.sheet.sketch import parse
from app.rulesets.skirmish.view.view import View
from tests.rulesets.laws import Draw, Subject, copied, rolls_in

FIELDS = (
    "Yard (5)\nGate: cover\nMoat: slow, hazard cold water d4\nYard -- Gate\nYard ~~ Moat\nGate -> Moat",
    "Hall\nStair: smoke\nTower (3): trapped\nHall -- Stair\nStair || Tower",
    "",
)


def choices() -> dict[str, tuple[Any, ...]]:
    """The values of every setting; few slots are soon full."""
    found = {name: get_args(field.annotation) for name, field in Settings.model_fields.items() if name != "slots"}
    return {**found, "slots": (6, 10)}


_SETTINGS = st.fixed_dictionaries({name: st.sampled_from(values) for name, values in choices().items()}).map(
    Settings.model_validate
)
_ARMS = st.lists(
    st.sampled_from(
        ["longsword", "dagger", "greataxe", "crossbow", "spear", "rapier", "mace", "flamberge", "spiked_mace"]
    ),
    min_size=1,
    max_size=3,
)


@st.composite
def _sheet(draw: Any, name: str) -> dict[str, Any]:
    places = ["main", "pack", "pack"]
    arms = [{"gear": gear, "held": held} for gear, held in zip(draw(_ARMS), places, strict=False)]
    worn = draw(st.sampled_from(["", "light", "medium", "heavy"]))
    number = st.integers(1, 16)
    return {
        "name": name,
        "mgt": draw(number),
        "agi": draw(number),
        "wil": draw(number),
        "hp": draw(st.integers(0, 6)),
        "hp_max": 6,
        "gear": [*arms, *([{"gear": worn, "held": "worn"}] if worn else [])],
        "spells": draw(st.sampled_from([(), ("fire_bolt",), ("spark",)])),
        "fatigue": draw(st.sampled_from([0, 0, 1])),
        "proficient": [arms[0]["gear"]],
    }


@st.composite
def setups(draw: Any) -> Setup[Sheet, Settings]:
    """Two players, one of them with two characters, against up to five foes, some of them hidden."""
    seats = {Seat("ann"): ("anna",), Seat("bob"): ("bert", "bill"), GM: ()}
    sheets = {key: Sheet.model_validate(draw(_sheet(key.title()))) for keys in seats.values() for key in keys}
    zones = [zone.model_dump(mode="json") for zone in parse(draw(st.sampled_from(FIELDS)))]
    places = [zone["key"] for zone in zones]
    foes = []
    for number in range(draw(st.integers(1, 5))):
        kind = draw(st.sampled_from(sorted(TEMPLATES)))
        more = {"hidden": draw(st.booleans()), "shown": draw(st.booleans()), "leader": draw(st.booleans())}
        more |= {"zone": draw(st.sampled_from(places)) if places else "", "group": draw(st.sampled_from(["", "band"]))}
        foes.append(TEMPLATES[kind].foe(f"foe-{number}", f"Foe {number}", **more).model_dump(mode="json"))
    given = {"description": "Night.", "foes": foes, "zones": zones, "at_once": draw(st.booleans())}
    brief = Brief(kind="skirmish", title="A test", seats=seats, given=given)
    return Setup(brief=brief, settings=draw(_SETTINGS), sheets=sheets, kept={})


def _one(draw: Draw, among: Any) -> Any:
    return draw(st.sampled_from(list(among)))


def _deed(draw: Draw, view: View, key: str, among: list[str]) -> dict[str, Any]:
    options = view.options[key]
    deed: dict[str, Any] = {"do": _one(draw, among), "gambit": _one(draw, ["shove", "disarm", "trip", "stun", "other"])}
    deed["words"] = "throws sand"
    if options.targets:
        reach = _one(draw, options.targets)
        deed |= {"target": reach.who, "spare": [one.who for one in options.targets[:2]]}
        deed["weapon"] = _one(
            draw, [one for one in reach.weapons if one not in {s.key for s in options.spells}] or [""]
        )
    deed |= {"spell": _one(draw, options.spells).key} if options.spells else {}
    deed |= {"zone": _one(draw, options.moves).key} if options.moves else {"zone": view.fighters[key].zone}
    deed |= {"close": _one(draw, options.beside).key} if options.beside and draw(st.booleans()) else {}
    deed |= {"item": _one(draw, options.items).key} if options.items else {}
    if options.seconds and draw(st.booleans()):
        deed |= {"second": _one(draw, options.seconds).key, "quicker": draw(st.booleans())}
    return deed


def _turn(draw: Draw, view: View, key: str) -> dict[str, Any]:
    quick = ["attack", "attack", "gambit", "move", "ready", "hold", "retreat", "cast"]
    more = {
        "react": _one(draw, ["defend", "fight", "block", "dodge", "parry"]),
        "sacrifice": {c.key: _one(draw, ["never", "any", "mgt", "lethal"]) for c in view.options[key].sacrifices},
    }
    if draw(st.booleans()):
        return {"turn": "quick", "first": _deed(draw, view, key, quick), **more}
    first = _deed(draw, view, key, ["move", "move", "withdraw", "retreat", "cast"])
    then = _deed(draw, view, key, ["attack", "gambit", "move", "hold"]) if first["do"] == "move" else {}
    return {"turn": "full", "first": first, "then": then, **more}


def _desk(draw: Draw, view: View) -> dict[str, Any]:
    acts = ["correct", "place", "field", "join", "show", "hide", "out"]
    what = _one(draw, [*acts, *(["end"] if draw(st.integers(0, 5)) == 0 else [])])
    return {
        "what": what,
        "who": _one(draw, view.fighters),
        "hp": draw(st.sampled_from(["", 0, 5])),
        "mgt": draw(st.sampled_from(["", "", 0, 9])),
        "odds": draw(st.sampled_from(["", "impaired", "enhanced"])),
        "zone": _one(draw, view.zones),
        "sketch": draw(st.sampled_from([view.sketch, FIELDS[1]])),
        "reason": "I was wrong.",
        "template": _one(draw, view.templates),
        "count": draw(st.integers(1, 2)),
        "hidden": draw(st.booleans()),
    }


def _says(draw: Draw, view: View, ask: Ask) -> Any:
    said: dict[str, Any] = {}
    match ask.kind:
        case "declare":
            of = {key: _turn(draw, view, key) for key in view.mine if draw(st.integers(0, 7))}
            said = {"of": of, "call": _one(draw, ["odd", "even"])}
        case "before":
            sides = [["foes"], ["company"], ["company", "foes"], []]
            said = {"unaware": _one(draw, sides), "situation": _one(draw, ["normal", "low", "element", "helpless"])}
            said |= {"ambush": draw(st.booleans()), "attitude": draw(st.booleans())}
        case "ready":
            said = {}
        case "attitude":
            said = {"weapons": _one(draw, ["mixed", "drawn", "sheathed"])}
        case "parley":
            said = {"go": _one(draw, ["fight", "fight", "peace"])}
        case "rule":
            verdict = {
                "allowed": draw(st.booleans()),
                "against": _one(draw, ["mgt", "agi", "wil"]),
                "words": "Blinded.",
            }
            said = {"of": {who: verdict for who, _, _ in view.odd_gambits}}
        case "order":
            said = {"of": {key: draw(st.integers(0, 3)) for keys in view.orders.values() for key in keys}}
        case "react":
            said = {"of": {one.attack: _one(draw, one.reactions).key for one in view.incoming}}
        case "morale":
            said = {"of": {who: _one(draw, ["", "flee", "surrender"]) for who in view.wavering}}
        case "next":
            said = {"go": _one(draw, ["on", "on", "end", ""])}
        case _:
            said = _desk(draw, view)
    return SKIRMISH.declaration.validate_python({**said, "ask": ask.kind})


def _blur(draw: Draw, state: State, who: Viewer) -> State:
    """Other numbers of all the GM's combatants that are not shown, and what the veil hides."""
    other = _veil(draw, state, who)
    for c in other.combatants.values():
        if c.seat == GM and not c.shown:
            _change(c)
    return other


def _veil(draw: Draw, state: State, who: Viewer) -> State:
    """Other numbers of hidden foes, and one more of them somewhere in the roster."""
    other: State = copied(SKIRMISH, state)
    for c in other.combatants.values():
        if c.hidden and c.able:
            _change(c)
            c.zone = next(iter(other.zones))
    ghost = combatant("ghost", TEMPLATES["wolf"].foe("ghost", hidden=True), GM, "foes", "", state.settings, {})
    ghost.zone = next(iter(other.zones))
    crowd = list(other.combatants.items())
    crowd.insert(draw(st.integers(0, len(crowd))), ("ghost", ghost))
    other.combatants = dict(crowd)
    return other


def _change(c: Combatant) -> None:
    """Numbers that look the same."""
    unhurt = c.hp >= c.hp_max
    c.hp_max += 3
    c.hp += 3 if unhurt else 1 if c.hp else 0
    for part in ("mgt", "agi", "wil"):
        if part not in c.known:
            setattr(c, part, getattr(c, part) + 2)
            setattr(c, f"{part}_max", getattr(c, f"{part}_max") + 2)
    c.fatigue, c.habit, c.leader, c.kills = c.fatigue + 1, "hold", not c.leader, {"dagger": 3}


def _murmur(state: State, ask: Ask, says: Any) -> Any:
    """Hidden foes hold in other words: what a form has for the choices not taken comes to nothing."""
    if ask.kind != "declare" or ask.seat != GM:
        return says
    hold = {"turn": "quick", "first": {"do": "hold", "target": "anna", "words": "waits"}, "react": "block"}
    return _hand(says, {c.key: hold for c in state.combatants.values() if c.hidden and c.able})


def _quiet(state: State, ask: Ask, says: Any) -> Any:
    """An answer that leaves hidden foes alone: they only hold."""
    hidden = {c.key for c in state.combatants.values() if c.hidden}
    match ask.kind:
        case "declare" if ask.seat == GM:
            return _hand(says, {key: {"turn": "quick"} for key in hidden})
        case "next":
            return None if says.go == "" else says
        case "desk":
            return None if says.what in ("show", "field", "join") or says.who in hidden else says
        case _:
            return says


def _hand(says: Any, more: dict[str, dict[str, Any]]) -> Any:
    of = {key: intent.model_dump() for key, intent in says.of.items()} | more
    return SKIRMISH.declaration.validate_python({"ask": "declare", "of": of, "call": says.call})


SKIRMISH_SUBJECT = Subject(
    ruleset=RULESET,
    key="skirmish",
    setups=setups(),
    says=_says,
    rolls=lambda state, event: rolls_in(event),
    still=lambda state: ({key: c.zone for key, c in state.combatants.items()}, state.winner),  # a hazard still burns
    blur=_blur,
    veil=_veil,
    murmur=_murmur,
    quiet=_quiet,
)
