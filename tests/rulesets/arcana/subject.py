"""Fights as a subject of the laws: wizards of three seats against foes of the list, some of them hidden."""

import random
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from app.engine.ifthen import ANY_ALLY, ANYONE
from app.engine.ruleset import GM, Ask, Brief, Seat, Setup, Viewer
from app.rulesets.arcana import FIGHT, RULESET
from app.rulesets.arcana.fight.declarations import DECLARATION, HOLD, Action, Free, React, Turn
from app.rulesets.arcana.fight.state import Fighter, State
from app.rulesets.arcana.phases.visibility import names_in
from app.rulesets.arcana.rules.book import STATUSES
from app.rulesets.arcana.rules.settings import Settings
from app.rulesets.arcana.sheet.foes import FOES
from app.rulesets.arcana.sheet.sheets import Sheet
from app.rulesets.arcana.view.view import View
from tests.rulesets.arcana.test_random import turn
from tests.rulesets.laws import Draw, Subject, copied, rolls_in

_SETTINGS = st.fixed_dictionaries(
    {
        "collisions": st.sampled_from(["slam", "ask"]),
        "condition_loops": st.sampled_from(["nothing", "trigger"]),
        "foe_hp": st.sampled_from(["words", "words", "numbers", "hidden"]),
        "collision_mode": st.sampled_from(["endpoint", "path"]),
        "transport_timing": st.sampled_from(["before_actions", "with_actions"]),
        "outcome_conditions": st.sampled_from(["off", "on"]),
        "counterspell_vs_melee": st.sampled_from(["off", "on"]),
        "interrupt_check": st.sampled_from(["passive_speed", "fixed_15", "opposed", "gm"]),
    }
).map(Settings.model_validate)
_SPELLS = ("spark_volley", "force_push", "stun_bolt", "mend", "kindle", "trip", "wail", "muddle", "hush")
_SKILLS = st.sampled_from([(), ("sentinel", "merciful"), ("instinctive_retribution", "area_dodge")])
_SCHOOLS = dict.fromkeys(("malediction", "restoration", "illusion", "transmutation"), "novice")


@st.composite
def setups(draw: Any) -> Setup[Sheet, Settings]:
    """Two players, one of them with two wizards, against up to four foes of two sides; anybody may be hidden."""
    seats = {Seat("ann"): ("anna",), Seat("bob"): ("bert", "bill"), GM: ()}
    sheets = {
        key: Sheet(
            name=key.title(), spells=_SPELLS, schools=_SCHOOLS, proficient=("wand", "Stealth"),
            weapons=("wand", "club"), hp=draw(st.sampled_from([None, 4, 9])), skills=draw(_SKILLS),
        )
        for key in ("anna", "bert", "bill")
    }  # fmt: skip
    foes = []
    for number in range(draw(st.integers(1, 4))):
        foe = {"key": f"foe-{number}", "name": f"Foe {number}", "foe": draw(st.sampled_from(sorted(FOES)))}
        foe |= {"grade": draw(st.sampled_from(["minor", "greater"])), "hidden": draw(st.booleans())}
        foe |= {"habit": draw(st.sampled_from(["nearest", "guard", "flee", "hold"])), "guards": "foe-0"}
        foes.append(foe | draw(st.sampled_from([{}, {"side": "wolves"}])))
    at = {key: cell for key, cell in (("anna", "10,10"), ("bert", "12,10"), ("bill", "10,13"))}
    hidden = draw(st.sampled_from([[], [], ["bert"], ["anna"]]))
    covers = {"12,10": "half", "20,10": "full"}
    lay_out = draw(st.booleans())
    near = [foe | {"place": [13 + number, 11]} for number, foe in enumerate(foes)]
    objects = draw(st.sampled_from(["", "barrel 11,12 1 m 4 hp\nlamp 14,10 30 cm -1"]))
    given = {"description": "Night.", "foes": near, "covers": covers, "hidden": hidden, "at": at, "lay_out": lay_out,
             "objects": objects}  # fmt: skip
    brief = Brief(kind="fight", title="A test", seats=seats, given=given)
    return Setup(brief=brief, settings=draw(_SETTINGS), sheets=sheets, kept={})


def _says(draw: Draw, view: View, ask: Ask) -> Any:
    luck = random.Random(draw(st.integers(0, 2**32)))
    said: dict[str, Any] = {"ask": ask.kind}
    match ask.kind:
        case "plan":
            said["of"] = {key: turn(luck, view.known, key) for key in view.mine if luck.random() < 0.9}
        case "rule":
            verdict = luck.choice(["", "yes", "no", "simply"])
            count = len(view.questions)
            said["of"] = {str(n): {"yes": verdict, "value": luck.choice(["", 3, 19])} for n in range(1, count + 1)}
        case "collide":
            said["slam"] = luck.choice(["slam", "stop"])
        case "counter":
            said["of"] = {key: luck.choice(["", *_SPELLS]) for key in view.names}
        case "resist":
            said["of"] = {str(n): luck.choice(["yes", "no"]) for n in range(1, len(view.resists) + 1)}
        case "setting":
            people = sorted(view.people)
            said["at"] = {luck.choice(people): f"{luck.randint(5, 20)},{luck.randint(5, 20)}"}
            said["hidden"] = {luck.choice(people): luck.choice(["yes", "no"])}
            said["objects"] = luck.choice([None, "door 15,15 2 m 9 hp", "barrel 11,12 1 m 4 hp\nlamp 9,9 20 cm"])
            said["covers"] = {"11,10": luck.choice(["half", "full", "three_quarter"])}
        case "next":
            said["go"] = luck.choice(["on", "on", "end"])
        case _:
            said |= _desk(luck, view)
    return DECLARATION.validate_python(said)


def _desk(luck: random.Random, view: View) -> dict[str, Any]:
    acts = [
        "correct",
        "place",
        "cover",
        "objects",
        "show",
        "hide",
        "join",
        "out",
        *(["end"] if luck.random() < 0.2 else []),
    ]
    return {
        "what": luck.choice(acts), "who": luck.choice(sorted(view.people)), "reason": "I was wrong.",
        "hp": luck.choice(["", 1, 12]), "fp": luck.choice(["", 3]), "status": luck.choice(["", *sorted(STATUSES)]),
        "off": luck.choice(["", "yes"]), "at": f"{luck.randint(5, 20)},{luck.randint(5, 20)}",
        "cover": luck.choice(["none", "half"]), "template": luck.choice(sorted(FOES)),
        "hidden": luck.choice(["", "yes"]), "objects": luck.choice(["", "barrel 12,12 1 m 2/4 hp"]),
    }  # fmt: skip


def _unknown(state: State, who: Viewer) -> list[str]:
    """Whom this viewer does not know of."""
    own = [key for key, one in state.fighters.items() if one.seat in who.seats]
    return [key for key in sorted(state.hiders) if all(state.unseen(key, one) for one in own)]


def _blur(draw: Draw, state: State, who: Viewer) -> State:
    """Other numbers of foes that look the same, and what the veil hides."""
    other = _veil(draw, state, who)
    for one in other.fighters.values():
        if one.seat == GM and other.settings.foe_hp == "words" and not one.dead:
            _change(one)
    return other


def _change(one: Fighter) -> None:
    looks = one.looks
    one.fp, one.habit = one.fp + 1, "hold"
    one.body = replace(one.body, hp_max=one.body.hp_max + 2, speed=one.body.speed + 50)
    one.hp += 2 if looks == "fresh" else 0
    if one.looks != looks:
        one.body = replace(one.body, hp_max=one.body.hp_max - 2)


def _veil(draw: Draw, state: State, who: Viewer) -> State:
    """Other numbers of whom this viewer does not know of, and one more of them far away."""
    other: State = copied(FIGHT, state)
    for key in _unknown(state, who):
        one = other.fighters[key]
        if not one.dead and not one.down and one.hp > 0:
            one.fp += 1
    own = {one.side for one in state.fighters.values() if one.seat in who.seats}
    sides = [side for side in other.standing if side not in own]
    if sides and state.stage in ("plan", "setting"):
        ghost = replace(
            next(iter(copied(FIGHT, state).fighters.values())), side=draw(st.sampled_from(sides)), seat=str(GM),
            place=(390, 390), hidden=True, noticed_by=frozenset(), statuses={}, character="", hp=20, dead=False,
            stealth=99, habit="hold",
        )  # fmt: skip
        key = draw(st.sampled_from(["aaa", "ghost", "zzz"]))
        ghost.body = replace(ghost.body, key=key, name="A ghost")
        other.fighters = dict(sorted({**other.fighters, key: ghost}.items()))
        other.hiders |= {key}
    return other


def _unknown_to_gm(draw: Draw, state: State, gm: Viewer) -> State:
    """Other reactions, coded words, tasks and surges of the players, and another aim of each Focus."""
    other: State = copied(FIGHT, state)
    for one in other.fighters.values():
        if one.seat in gm.seats:
            continue
        react = React(resist=draw(st.sampled_from(["always", "ask"])))
        one.turn = one.turn.model_copy(update={"react": react, "minors": _coded(one.turn.minors)})
        one.last = one.last.model_copy(update={"react": react, "minors": _coded(one.last.minors)})
        one.surged, one.watched, one.watching = not one.surged, (), one.watching + 1
        if one.focus is not None:
            one.focus = replace(one.focus, action=one.focus.action.model_copy(update={"target": "troll"}))
    return other


def _coded(minors: tuple[Action, ...]) -> tuple[Action, ...]:
    return tuple(one.model_copy(update={"words": "other words"}) if one.allies else one for one in minors)


def _murmur(state: State, ask: Ask, says: Any) -> Any:
    """Hidden ones look another way, and keep to themselves how they would resist."""
    if ask.kind != "plan":
        return says
    of = dict(says.of)
    for key in sorted(state.hiders):
        one = state.fighters[key]
        if one.seat == ask.seat == GM and one.able and not one.noticed_by:
            of[key] = Turn(free=Free(face=(0, 99)))
    return says.model_copy(update={"of": of})


def _quiet(state: State, ask: Ask, says: Any) -> Any:
    """Hidden ones do nothing, nobody speaks of them, and no friend waits for what they might do."""
    hidden = set(state.hiders)
    match ask.kind:
        case "plan":
            of = {key: HOLD if key in hidden or hidden & set(names_in(one)) else one for key, one in says.of.items()}
            loud = {key: one for key, one in of.items() if not _searches(one) and not _waits_for_friends(one)}
            silent = {key: HOLD for key in hidden if state.fighters[key].seat == ask.seat}
            return says.model_copy(update={"of": {**loud, **silent}})
        case "setting":
            return None if says.hidden or hidden & set(says.at) else says
        case "desk":
            return None if says.what in ("show", "hide", "end") or says.who in hidden else says
        case _:
            return says


def _waits_for_friends(one: Turn) -> bool:
    """Friends know a hidden one, and what they do on its account is seen by all."""
    return one.when is not None and one.when.who in (ANYONE, ANY_ALLY)


def _searches(one: Turn) -> bool:
    return any(action.do in ("search", "hide", "communicate") for action in one.plain())


def _may_show(here: State, there: State) -> bool:
    """A fight goes on though nobody is left in sight; who came to light in this cycle has turned as it was told."""
    seen = [key for key, one in here.fighters.items() if key not in here.hiders or one.noticed_by]
    turned = any(here.fighters[key].facing != there.fighters[key].facing for key in seen)
    return turned or len(here.standing) < 2 <= len(there.standing)


FIGHT_SUBJECT = Subject(
    ruleset=RULESET,
    key="fight",
    setups=setups(),
    says=_says,
    rolls=lambda state, event: rolls_in(event),
    still=lambda state: {key: (one.hp, one.dead) for key, one in state.fighters.items()},
    blur=_blur,
    veil=_veil,
    unknown_to_gm=_unknown_to_gm,
    murmur=_murmur,
    quiet=_quiet,
    may_show=_may_show,
)
