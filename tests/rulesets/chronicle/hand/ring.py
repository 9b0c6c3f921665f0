"""Fights between people who do whatever they may: the set-ups, the answers, and what must hold after every closing."""

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from app.engine import options
from app.engine.chance import Roll
from app.engine.log import Recorder
from app.engine.ruleset import GM, Answer, Answers, Ask, Brief, Seat, Setup, Step, Viewer
from app.engine.unions import members
from app.rulesets.chronicle.gear import Carried, Worn
from app.rulesets.chronicle.hand import HAND
from app.rulesets.chronicle.hand import events as ev
from app.rulesets.chronicle.hand.actions import CHOICES
from app.rulesets.chronicle.hand.legal import dodging_squares
from app.rulesets.chronicle.hand.settings import HandSettings
from app.rulesets.chronicle.hand.state import State
from app.rulesets.chronicle.hand.view import View
from app.rulesets.chronicle.sheets import Sheet, Skills
from app.rulesets.chronicle.wounds import PARTS, Part, Wounds

Choose = Callable[[Sequence[Any]], Any]
Table = Recorder[State, ev.Event]
ARMS = ("Dagger", "Rock", "Sword", "Club", "Hammer", "Mace", "Axe", "Fencing Sword", "Big Sword", "Spear", "Staff",
        "Halberd")  # fmt: skip


def viewer(seat: Seat) -> Viewer:
    return Viewer(seats=frozenset({seat}), gm=seat == GM)


def sheet(name: str, choose: Choose) -> Sheet:
    """Anybody, perhaps with old wounds."""
    skills = {skill: choose(range(8)) for skill in ("control", "fighting_mind", "speed", "strength")}
    wounds = Wounds()
    if not choose(range(5)):
        wounds = wounds.put(choose(PARTS[:5]), Part(minor=choose((0, 1, 2)), major=not choose(range(3))))
    return Sheet(
        name=name,
        skills=Skills.model_validate(skills),
        weapons=tuple(Carried.of(choose(ARMS)) for _ in range(choose((0, 1, 1, 2)))),
        armour=Worn.of(choose(("", "", "leather", "chain mail", "plate"))),
        shield=choose((True, False, False)),
        wounds=wounds,
    )


def setup(a: int, b: int, choose: Choose, settings: HandSettings | None = None) -> Setup[Sheet, HandSettings]:
    """So many people on each side; players on A, some on B, the rest the GM's."""
    sheets = {f"a{n}": sheet(f"Ann {n}", choose) for n in range(a)} | {
        f"b{n}": sheet(f"Bert {n}", choose) for n in range(b)
    }
    seats: dict[Seat, list[str]] = {Seat("ann"): [], Seat("art"): [], Seat("bea"): [], GM: []}
    for key in sheets:
        seats[Seat(choose(("ann", "art"))) if key[0] == "a" else Seat(choose(("bea", GM)))].append(key)
    given = {"sides": {key: key[0] for key in sheets}}
    brief = Brief(kind="hand", title="A test", seats={s: tuple(k) for s, k in seats.items()}, given=given)
    return Setup(brief=brief, settings=settings or HandSettings(), sheets=sheets, kept={})


def says(choose: Choose, view: View, ask: Ask) -> Any:
    """A declaration, legal as a rule."""
    if ask.kind not in SAYS:
        return options.drawn(members(HAND.declaration)[ask.kind], HAND.options(view, ask), choose)
    made = SAYS[ask.kind](choose, view, ask)
    return HAND.declaration.validate_python({**made, "ask": ask.kind})


def _setting(choose: Choose, view: View, ask: Ask) -> dict[str, Any]:
    size = choose((0, 0, 8))
    return {
        "width": size,
        "height": size,
        "blocked": choose(("", "1,1 5,5", "2,0")),
        "gap": choose((3, 3, 1, 4)),
        "ambush": choose(("", "", "a", "b")),
    }


def standing(choose: Choose) -> dict[str, Any]:
    return {
        "distance": choose(("", "dagger", "sword", "spear", "away", "ask")),
        "protect": choose(("", "ask", *PARTS)),
        "strike": choose(("", "ask", *PARTS)),
        "suffer": choose(("", "ask", *PARTS)),
        "prefer": choose(("", "dodge", "parry,dodge", "mind,strength")),
        "defend": choose(("ask", "ask", "prefer")),
        "dodge": choose(("", "n,ne,nw", "w,s")),
        "contest": choose(("", "ask")),
        "follow": choose(("", "yes", "ask")),
        "steps": choose(("", "ask")),
    }


def _ready(choose: Choose, view: View, ask: Ask) -> dict[str, Any]:
    of = {}
    for key in ask.about:
        one = view.fight[key]
        items = [item for item in (one.right, one.left, *one.carried) if item]
        of[key] = {what: choose(("", *pair)) for what, pair in CHOICES.items()}
        of[key] |= {"right": choose(("", "empty", *items)), "left": choose(("", "empty")), "stand": standing(choose)}
    return {"of": of}


def _join(choose: Choose, view: View, ask: Ask) -> dict[str, Any]:
    def one(key: str) -> dict[str, str]:
        combat = choose(("", *view.joins[key], *view.joins[key], "leave") if not choose(range(9)) else
                        ("", *view.joins[key]))  # fmt: skip
        return {"combat": combat, "move": choose(("stay", "near", "near", "ask"))}

    return {"of": {key: one(key) for key in ask.about}}


def _act(choose: Choose, view: View, ask: Ask) -> dict[str, Any]:
    of = {}
    for key in ask.about:
        variant = choose(view.variants[key])
        ways = [o for o in variant.options if not o.why_not and o.action not in ("wait", "flee", "ready")]
        one = view.fight[key]
        order: dict[str, Any] = {"action": "wait", "grip": variant.grip, "uses": variant.uses}
        roll = choose(range(60))
        if roll == 0:
            order["surrender"] = "yes"
        elif roll == 1 and one.carried:
            order |= {"action": "ready", "item": choose(one.carried), "into": choose(("left", "right"))}
        elif roll == 2 and view.option(key, "flee") and not view.option(key, "flee").why_not:  # type: ignore[union-attr]
            order["action"] = "flee"
        elif ways and roll > 3:
            option = choose(ways)
            order |= {"action": option.action, "target": option.target}
        if not choose(range(12)):
            order["release"] = [grip.victim for grip in view.fight.grips_by(key)]
        if not choose(range(30)) and one.right:
            order |= {"drop": ["right"], "action": "wait"}
        if not choose(range(3)):
            order["stand"] = standing(choose)
        of[key] = order
    return {"of": of}


def _defend(choose: Choose, view: View, ask: Ask) -> dict[str, Any]:
    of: dict[str, Any] = {}
    for about in ask.about:
        attacker, _, key = about.partition(":")
        attack = next(a for a in view.attacks[key] if a.attacker == attacker)
        ways = [way.defence for way in attack.defences]
        squares = [(*square,) for square in dodging_squares(view.fight, key)]
        row = of.setdefault(key, {"how": {}, "square": ""})
        row["how"][attacker] = choose(ways)
        if squares and not row["square"]:
            row["square"] = "{},{}".format(*choose(squares))
    return {"of": of}


def _dodge(choose: Choose, view: View, ask: Ask) -> dict[str, Any]:
    key = ask.about[0]
    dodged = [a for a in view.attacks[key] if view.fight.orders[a.attacker].defence == "dodge"]
    squares = [square for a in dodged for way in a.defences for square in way.squares]
    how = {a.attacker: choose([way.defence for way in a.defences]) for a in dodged}
    return {"how": how, "square": "{},{}".format(*choose(squares)) if squares else ""}


def _desk(choose: Choose, view: View, ask: Ask) -> dict[str, Any]:
    here = [key for key, one in view.fight.fighters.items() if one.here]
    what = choose(("correct", "correct", "join", "out"))
    if what == "join":
        return {"what": what, "template": choose(list(view.templates)), "side": choose(("a", "b"))}
    said: dict[str, Any] = {"what": what, "who": choose(here), "reason": "So it was."} if here else {"what": "end"}
    if what == "correct":
        said |= {"prone": choose(("", "yes", "no")), "weakening": choose(("", "0", "2"))}
        said["wounds"] = {choose(PARTS): {"minor": choose(("", "0", "2")), "major": choose(("", "yes", "no"))}}
    return said


SAYS: dict[str, Callable[[Choose, View, Ask], dict[str, Any]]] = {
    "setting": _setting,
    "ready": _ready,
    "join": _join,
    "act": _act,
    "defend": _defend,
    "dodge": _dodge,
    "next": lambda choose, view, ask: {"go": HAND.default(view, ask).go},  # or fights would soon be over
    "desk": _desk,
}
"""Of asks whose options do not say all; the others are drawn by these."""


class Coins:
    """Luck out of a generator; labels are only looked at for being new in their closing."""

    def __init__(self, luck: random.Random) -> None:
        self.luck, self.used = luck, set[str]()

    def die(self, size: int, label: str) -> Roll:
        assert label not in self.used, label
        self.used.add(label)
        return Roll(label=label, size=size, face=self.luck.randint(1, size))

    def pick(self, among: tuple[Any, ...], label: str) -> tuple[Any, Roll]:
        roll = self.die(len(among), label)
        return among[roll.face - 1], roll

    @property
    def veiled(self) -> "Coins":
        raise AssertionError("a fight has no hidden luck")


def begin(given: Setup[Sheet, HandSettings]) -> Table:
    return Recorder(HAND.start(given), HAND.apply)


def answer(state: State, step: Step, choose: Choose | None) -> Answers[Any]:
    """Legal answers of all who are asked: chosen, or with None what the rules do for the absent."""
    of: dict[Seat, Answer[Any]] = {}
    for ask in step.asks:
        view = HAND.view(state, viewer(ask.seat))
        made = says(choose, view, ask) if choose else None
        if made is None or HAND.check(view, ask, made):
            made = HAND.default(view, ask)
            assert not HAND.check(view, ask, made), (ask, made, HAND.check(view, ask, made))
            of[ask.seat] = Answer(says=made, how="default")
        else:
            of[ask.seat] = Answer(says=made)
    return Answers(of=of)


def play(log: Table, luck: random.Random, most: int, silent: float = 0.0, desk: float = 0.0) -> Iterator[Step]:
    """Close step after step, at most so many; with some of the answers left to the rules, and acts at the desk."""
    for _ in range(most):
        steps = HAND.steps(log.state)
        if not steps:
            return
        step = steps[1] if luck.random() < desk else steps[0]
        choose = None if luck.random() < silent else luck.choice
        if step.pace == "whenever":
            view = HAND.view(log.state, viewer(GM))
            said = says(luck.choice, view, step.asks[0])
            if HAND.check(view, step.asks[0], said):
                continue
            answers = Answers(of={GM: Answer(says=said)})
        else:
            answers = answer(log.state, step, choose)
        HAND.resolve(log, step, answers, Coins(luck))
        yield step
