"""Ways through scenes: answers that lead to every ask of every kind, beyond what default answers lead to.

A way is tried under several lucks, since some asks depend on a throw; the first luck that leads to all of them counts.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from app.engine.chance import SeededChance
from app.engine.log import Recorder
from app.engine.ruleset import GM, Answer, Answers, Ask, Brief, Seat, Setup, Step, Viewer
from app.rulesets import SHIPPED
from app.rulesets.chronicle.discussion.sample import the_council_at_the_mill as council
from app.rulesets.duel.sheets import Sheet as Duellist
from app.rulesets.skirmish.sheet.foe_templates import TEMPLATES
from app.rulesets.skirmish.view import habits as skirmish_habits
from tests.kinds import GIVEN, Kind, Rules, sample_of

LUCKS = 40
Said = Mapping[str, Any] | Callable[[Any, Ask], Mapping[str, Any]]


@dataclass(frozen=True, kw_only=True, eq=False)
class Way:
    """How a scene begins and what is answered; a kind of ask that `answers` leaves out gets the rules' default.

    An optional step closes only where `answers` has something for it, once for each thing in the tuple.
    """

    kind: str
    to: tuple[str, ...]  # the kinds of ask it leads to
    answers: Mapping[str, Said | tuple[Said, ...]] = field(default_factory=dict)
    given: Mapping[str, Any] = field(default_factory=dict)  # more than, or other than, what the sample starts from
    settings: Mapping[str, Any] = field(default_factory=dict)
    sheets: Mapping[str, Any] = field(default_factory=dict)  # in place of the sample's, by their keys
    kept: Mapping[str, Any] = field(default_factory=dict)  # what the campaign remembers
    closings: int = 16  # at most

    @property
    def found(self) -> tuple[Rules, Kind]:
        return next((rules, kind) for rules in SHIPPED for kind in rules.kinds if kind.key == self.kind)


def name_of(way: Way) -> str:
    return f"{way.kind}-{'-'.join(way.to)}"


def next_step(way: Way, steps: Sequence[Step], closed: Sequence[Step]) -> Step | None:
    """The step that closes now: an optional one that the way still has an answer for, else the first that waits."""
    for step in steps:
        if step.pace == "whenever" and step.asks and _left(way, step.asks[0], closed):
            return step
    return next((step for step in steps if step.pace != "whenever"), None)


def _left(way: Way, ask: Ask, closed: Sequence[Step]) -> int:
    said = way.answers.get(ask.kind, ())
    done = sum(one.kind == ask.kind for step in closed if step.pace == "whenever" for one in step.asks)
    return (len(said) if isinstance(said, tuple) else 1) - done


def resolving(way: Way, luck: int, closed: list[Step]) -> Kind:
    """The kind of scene with the way's answers in place of the defaults, and with this luck."""
    _, kind = way.found

    def default(view: Any, ask: Ask) -> Any:
        said = way.answers.get(ask.kind)
        if isinstance(said, tuple):
            done = sum(one.kind == ask.kind for step in closed for one in step.asks)
            said = said[done] if done < len(said) else None
        if said is not None:
            typed = said(view, ask) if callable(said) else said
            declared = kind.declaration.validate_python({**typed, "ask": ask.kind})
            if not kind.check(view, ask, declared):
                return declared
        return kind.default(view, ask)

    def resolve(log: Any, step: Step, answers: Answers[Any], chance: Any) -> None:
        kind.resolve(log, step, answers, chance_of(luck, step))

    return replace(kind, default=default, resolve=resolve)


def chance_of(luck: int, step: Step) -> SeededChance:
    open_seed, veil = (hashlib.sha256(f"{luck} {step.key} {name}".encode()).digest() for name in ("open", "veil"))
    public = all(ask.known_to is None for ask in step.asks)
    return SeededChance(open_seed, veil) if public else SeededChance(veil, veil, "veiled")


def brief_of(way: Way) -> tuple[Brief, Mapping[str, Any]]:
    """The brief of a scene and its sheets, as tests/kinds.py opens it on a database."""
    rules, kind = way.found
    if rules.utility or kind.seats_are_people:
        seats: dict[Seat, tuple[str, ...]] = {Seat("ann"): (), Seat("bea"): ()}
        brief, sheets = Brief(kind=kind.key, title=kind.title, seats=seats, given=dict(GIVEN[kind.key])), {}
    else:
        sheets, brief = sample_of(rules, kind)
        if brief.kind != kind.key:
            brief = Brief(kind=kind.key, title=kind.title, seats=brief.seats, given=dict(GIVEN[kind.key]))
    assert isinstance(brief.given, dict)
    seats = {**brief.seats, GM: ()}
    return replace(brief, seats=seats, given={**brief.given, **way.given}), {**sheets, **way.sheets}


def walk(way: Way, luck: int) -> Iterator[tuple[Any, tuple[Step, ...], list[list[Any]]]]:
    """States and open steps of a scene, from closing to closing, and the events of each closing so far."""
    rules, _ = way.found
    closed: list[Step] = []
    kind = resolving(way, luck, closed)
    brief, sheets = brief_of(way)
    settings = rules.settings.validate_python(dict(way.settings))
    log: Any = Recorder(kind.start(Setup(brief=brief, settings=settings, sheets=sheets, kept=way.kept)), kind.apply)
    chapters: list[list[Any]] = []
    for _ in range(way.closings):
        steps = kind.steps(log.state)
        yield log.state, steps, chapters
        step = next_step(way, steps, closed)
        if step is None:
            return
        of = {}
        for ask in step.asks:
            view = kind.view(log.state, Viewer(seats=frozenset({ask.seat}), gm=ask.seat == GM))
            of[ask.seat] = Answer(says=kind.default(view, ask), how="default")
        before = len(log.events)
        kind.resolve(log, step, Answers(of=of), SeededChance(b"", b""))
        closed.append(step)
        chapters.append(log.events[before:])


def reached(way: Way, luck: int) -> set[str]:
    return {ask.kind for _, steps, _ in walk(way, luck) for step in steps for ask in step.asks}


@cache
def luck_of(way: Way) -> int | None:
    """The first luck under which the way leads to all it is for; None: none of them."""
    return next((luck for luck in range(LUCKS) if reached(way, luck).issuperset(way.to)), None)


def ask_kinds(kind: Kind) -> set[str]:
    """Every kind of ask that a kind of scene has a form for."""
    schema = kind.declaration.json_schema()
    mapping = schema.get("discriminator", {}).get("mapping")
    return set(mapping) if mapping else {schema["properties"]["ask"]["const"]}


ASKING = dict.fromkeys(("distance", "protect", "strike", "suffer", "contest", "follow", "steps"), "ask")


def _asking(view: Any, ask: Ask) -> dict[str, Any]:
    return {"of": {key: {"stand": ASKING} for key in ask.about}}


def _with(action: str) -> Callable[[Any, Ask], Mapping[str, Any]]:
    """Everybody attacks so, where they can."""

    def said(view: Any, ask: Ask) -> dict[str, Any]:
        of = {}
        for key in ask.about:
            ways = [one for variant in view.variants[key] for one in variant.options if not one.why_not]
            first = next((one for one in ways if one.action == action), None)
            of[key] = {"action": first.action, "target": first.target} if first else {"action": "wait"}
        return {"of": of}

    return said


def _to_one_square(view: Any, ask: Ask) -> dict[str, Any]:
    of: dict[str, Any] = {}
    for attacker, _, key in (about.partition(":") for about in ask.about):
        of.setdefault(key, {"how": {}, "square": "3,1"})["how"][attacker] = "dodge"
    return {"of": of}


def _joining(view: Any, ask: Ask) -> dict[str, Any]:
    return {"of": {key: {"combat": "", "move": "ask"} for key in ask.about}}


def _moving(**wishes: tuple[str, ...]) -> Callable[[Any, Ask], Mapping[str, Any]]:
    """The first of each fighter's wishes that may be chosen now."""

    def said(view: Any, ask: Ask) -> dict[str, Any]:
        usable = {one.action.key for one in view.options[ask.about[0]] if one.usable}
        return {"action": next((key for key in (*wishes[ask.about[0]], "rest") if key in usable), "rest")}

    return said


def _copying(view: Any, ask: Ask) -> dict[str, Any]:
    return {"copied": view.copies[ask.about[0]][0].key}


def _named(view: Any, ask: Ask) -> dict[str, Any]:
    return {"of": dict.fromkeys(ask.about, "spell_shield")}


def _each(**of: Mapping[str, Any]) -> Callable[[Any, Ask], Mapping[str, Any]]:
    """To each seat what it says for its own characters."""
    return lambda view, ask: {"of": {key: of[key] for key in ask.about if key in of}}


def _by_habit(view: Any, ask: Ask) -> dict[str, Any]:
    """Everybody goes for the nearest enemy."""
    return {"of": {key: skirmish_habits.plan(view.known, view.known.combatants[key]) for key in view.mine}}


def _tricking(view: Any, ask: Ask) -> dict[str, Any]:
    """Players' characters go up to an enemy and try something of their own; foes go by habit."""
    of = _by_habit(view, ask)["of"]
    for key, turn in of.items():
        if view.fighters[key].pc and turn.get("then", {}).get("do") == "attack":
            turn["then"] |= {"do": "gambit", "gambit": "other", "words": "throws sand"}
    return {"of": of}


def _at_the_archer(view: Any, ask: Ask) -> dict[str, Any]:
    """A wizard and a chief whose numbers are the GM's cast a spark and throw an axe."""
    cast = {"first": {"do": "cast", "target": "sefton", "spell": "spark"}}
    throw = {"first": {"do": "attack", "target": "sefton", "weapon": "chief-1"}}
    return {"of": {"wizard": cast, "chief": throw} if view.is_gm else {}}


def _wishing(side: str, intent: str) -> Callable[[Any, Ask], Mapping[str, Any]]:
    """One side retreats or surrenders, the other fights on."""
    return lambda view, ask: {"of": {one: {"intent": intent if one == side else "fight"} for one in ask.about}}


def _watching(station: int) -> Said:
    """Orders of a journey: both on the first route, and a holder at that place of it."""
    return lambda view, ask: {"of": {side: {"route": "0", "station": station} for side in ask.about}}


def _appealing(talker: str) -> Callable[[Any, Ask], Mapping[str, Any]]:
    """One appeals to all the others, who have nothing to say."""

    def said(view: Any, ask: Ask) -> dict[str, Any]:
        if ask.about != (talker,):
            return {"what": "stop"}
        others = [key for key in view.here if key != talker]
        return {"what": "appeal", "words": "Ride with me.", "listeners": others, "context": "in the council",
                "topic": "the raid", "action": "Ride tonight.", "skill": "lead", "motivation": "bold"}  # fmt: skip

    return said


def _replying(**replies: str) -> Callable[[Any, Ask], Mapping[str, Any]]:
    """What these listeners do; the others listen."""
    return lambda view, ask: {"of": {key: {"what": replies.get(key, "listen")} for key in ask.about}}


def _onto(*hexes: str) -> Callable[[Any, Ask], Mapping[str, Any]]:
    """The attackers' units stand on these hexes, in their order; the others where they usually do."""

    def said(view: Any, ask: Ask) -> dict[str, Any]:
        keys = [key for key in ask.about if view.battle.units[key].side == view.battle.attacker]
        return {"of": {key: {"to": hex} for key, hex in zip(keys, hexes, strict=False)}}

    return said


ELLA, MORTEN = {"ella": "a", "morten": "b"}, {"ella": "a", "morten": "a"}
MEET = {"major": {"do": "move", "to": "9,15"}}
CUSTOM = {"major": {"do": "custom", "words": "pulls the gate from its last hinge"}}
PUSH = {"major": {"do": "cast", "spell": "force_push", "target": "brom"}}
TOMO = Duellist(name="Tomo", level=6, unlocks=("bide", "headbutt", "uppercut", "haymaker", "flurry", "the-reads"))
OTHER = {"intent": "other", "other": "climbs the tallest fir and throws the net"}
SECRETIVE = [
    TEMPLATES[kind].foe(key, zone="yard").model_dump(mode="json")
    for kind, key in (("hedge_wizard", "wizard"), ("bandit_chief", "chief"))
]

WAYS = (
    Way(kind="battle", to=("scene", "declare", "next", "desk")),
    Way(
        kind="battle",
        to=("veto", "rule"),
        settings={"veto": "on"},
        answers={"declare": _each(alice=OTHER, bob=OTHER, charlie={"intent": "attack", "attack": "red-axe"})},
    ),
    Way(
        kind="duel",
        to=("half", "move", "combo", "ditto", "concede"),
        settings={"house_actions": "on"},
        sheets={"tomo": TOMO},
        answers={"move": _moving(mira=("block",), tomo=("the-reads", "bide")), "ditto": _copying},
    ),
    Way(kind="duel", to=("stalled",), settings={"stall_limit": 5}, answers={"move": _moving(mira=(), tomo=())}),
    Way(
        kind="free",
        to=("own", "frame", "go", "desk"),
        answers={"own": ({"who": "ella", "skill": "jump_climb", "aim": "the roof of the mill"},)},
    ),
    Way(
        kind="free",
        to=("frame",),  # several vote
        settings={"table_gm": "none"},
        answers={"own": ({"who": "ella", "skill": "jump_climb", "aim": "the roof of the mill"},)},
    ),
    Way(
        kind="free",
        to=("back",),
        settings={"table_gm": "none", "host_acts": "voted"},
        answers={"desk": ({"what": "situation", "words": "The river rises."},)},
    ),
    Way(
        kind="hand",
        to=("setting", "ready", "act", "defend", "move", "protect", "pick", "next", "desk"),
        given={"sides": ELLA},
        answers={"ready": _asking, "act": _with("quick")},
    ),
    Way(
        kind="hand",
        to=("pair", "join_pair", "join", "move"),
        given={"sides": MORTEN, "muster": [{"kind": "brigand", "count": "5", "side": "b"}]},
        answers={"ready": _asking, "act": _with("quick"), "join": _joining},
    ),
    Way(
        kind="hand",
        to=("dodge",),
        given={"sides": MORTEN, "muster": [{"kind": "brigand", "count": "2", "side": "b"}]},
        settings={"footwork_winner_min": "0"},
        answers={
            "setting": {"at": {"ella": "2,0", "morten": "2,2", "brigand-1": "0,0", "brigand-2": "0,2"}},
            "ready": lambda view, ask: {"of": {key: {"stand": {"contest": "ask"}} for key in ask.about}},
            "act": _with("bash"),
            "defend": _to_one_square,
        },
    ),
    Way(
        kind="hand",
        to=("mercy", "join", "move"),  # the victor is too far from the others to join them
        given={"sides": MORTEN, "muster": [{"kind": "brigand", "count": "2", "side": "b"}]},
        answers={
            "setting": {"at": {"ella": "0,0", "morten": "0,7", "brigand-1": "2,0", "brigand-2": "2,8"}},
            "act": _each(**{"brigand-2": {"surrender": "yes"}}),
            "join": _joining,
        },
    ),
    Way(
        kind="mass",
        to=("armies", "field", "place", "line"),
        given={"how": "set", "field": "", "armies": {}, "points": {"a": 900, "b": 900}},
        closings=5,
    ),
    Way(
        kind="mass",  # charges a column on the march from both sides
        to=("place", "clusters", "targets", "order", "whom", "fall", "step", "intent", "quick", "move"),
        answers={"place": _onto("K8", "M9", "M11", "K10", "M13", "K13", "L4", "L17")},
        closings=17,
    ),
    Way(kind="mass", to=("leave",), answers={"intent": _wishing("b", "retreat")}),
    Way(
        kind="mass",
        to=("terms", "agree"),
        answers={"intent": _wishing("b", "surrender"), "terms": {"terms": "All arms stay here."}},
    ),
    Way(kind="mass", to=("quiet", "desk"), settings={"battle_quiet_rounds": 1}),
    Way(
        kind="discussion",
        to=("talk", "frame", "hear", "remove"),
        answers={"talk": _appealing("ella"), "hear": _replying(ida="remove", morten="escape")},
        closings=8,
    ),
    Way(
        kind="discussion",
        to=("fight",),
        answers={"talk": _appealing("ella"), "hear": _replying(ida="fight")},
        closings=4,
    ),
    Way(kind="discussion", to=("again", "end", "desk"), answers={"again": ({"what": "say", "words": "Wait!"},)}),
    Way(
        kind="discussion",
        to=("back",),
        settings={"table_gm": "none", "host_acts": "voted"},
        answers={"desk": ({"what": "out", "who": "ida", "reason": "Her horse is lame."},)},
        closings=4,
    ),
    Way(
        kind="discussion",
        to=("open",),
        kept={"talked/the raid": {"groups": [[*sorted(council()[0]), "the-valley"]]}},
        closings=2,
    ),
    Way(
        kind="journey",  # the watch lies where the raiders have to pass; some luck lets one side alone see the other
        to=("orders", "see"),
        answers={"orders": _watching(2)},
        closings=2,
    ),
    Way(kind="journey", to=("stance", "desk"), answers={"orders": _watching(2)}, closings=3),
    Way(
        kind="journey",
        to=("back",),
        settings={"table_gm": "none", "host_acts": "voted"},
        answers={"desk": ({"what": "situation", "words": "It rains."},)},
    ),
    Way(kind="draft", to=("cast", "pick")),
    Way(kind="fight", to=("setting", "plan", "desk"), given={"lay_out": "yes"}),
    Way(kind="fight", to=("rule",), answers={"plan": _each(**dict.fromkeys(("isaura", "brom", "nerys"), CUSTOM))}),
    Way(
        kind="fight",
        to=("counter", "rule"),
        given={"at": {"isaura": "14,15", "brom": "11,15", "nerys": "8,18"}},  # before him, not behind
        answers={"plan": _each(brom={"minors": [{"do": "counterspell"}]}, isaura=PUSH), "counter": _named},
    ),
    Way(
        kind="fight",
        to=("resist",),
        answers={"plan": _each(isaura=PUSH, brom={"react": {"resist": "ask"}})},
    ),
    Way(
        kind="fight",
        to=("collide",),
        settings={"collisions": "ask"},
        answers={"plan": _each(isaura=MEET, brom=MEET)},
    ),
    Way(
        kind="fight",
        to=("next",),
        given={"foes": [{"key": "imp", "name": "Imp", "foe": "imp", "place": "19,8"}]},
        answers={"desk": ({"what": "out", "who": "imp", "reason": "It flees."},)},
    ),
    Way(
        kind="skirmish",
        to=("before", "ready", "attitude", "parley", "declare"),
        given={"at_once": False},
        answers={"before": {"unaware": ["foes"], "attitude": "yes"}},
    ),
    Way(
        kind="skirmish",
        to=("rule", "order", "react", "desk"),
        settings={"group_order": "side"},
        answers={"declare": _tricking},
    ),
    Way(kind="skirmish", to=("morale", "react"), answers={"declare": _by_habit}),
    Way(kind="skirmish", to=("react",), given={"foes": SECRETIVE}, answers={"declare": _at_the_archer}),
    Way(kind="skirmish", to=("next",), given={"foes": []}),
    Way(kind="vote", to=("vote",)),
    Way(kind="next", to=("mark",)),
    Way(kind="order", to=("ready", "pick")),
    Way(kind="roll", to=("ready",)),
    Way(kind="throw", to=("throw",)),
)
