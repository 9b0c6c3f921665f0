"""A tiny ruleset with every awkward thing the table must carry.

Two knocks (Ann, Bea) are sealed in one step while a hidden thief, held by Cyd, is asked in another that only Cyd and
the GM may know of. A knock of 13 needs a ruling by the GM, a knock of 7 a follow-up from whoever knocked. The GM may
strike the bell at any time, which withdraws the open knocks and asks anew.

Between scenes bruises mend: a die a day for each who has some, with a helper's luck or without, two successes a bruise.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, assert_never

from pydantic import BaseModel, Field, TypeAdapter

from app.engine.chance import Chance, Roll
from app.engine.rulebook import Rule, Rulebook
from app.engine.ruleset import (
    GM,
    Answers,
    Ask,
    Brief,
    DayEvent,
    Days,
    Dice,
    Faults,
    InnerScene,
    Log,
    LoggedEvent,
    Outcome,
    PlannedEntry,
    Plea,
    Ruleset,
    SceneKind,
    Seat,
    Setup,
    Step,
    Viewer,
)

ANN, BEA, CYD = Seat("ann"), Seat("bea"), Seat("cyd")


class Sheet(BaseModel):
    name: str
    luck: int = 0
    bruises: int = 0
    mending: int = 0


class Care(BaseModel):
    helper: str = ""
    rest: bool = True


class Settings(BaseModel):
    rounds: int = 2
    seconds: int | None = None
    ranked: bool = False
    aloud: bool = False
    explode: bool = False
    late: bool = False  # Cyd, if he comes in late, knocks like the others
    honest: bool = False  # Cyd, though at the table, is never asked
    leads_on: str = ""  # the characters, between blanks, for whom its end leaves a scene on the calendar


class Knock(BaseModel):
    ask: Literal["knock"] = "knock"
    times: int = Field(ge=0, le=99)
    note: str = Field(default="", max_length=2000)


class Steal(BaseModel):
    ask: Literal["steal"] = "steal"
    what: str = Field(max_length=2000)


class Ruling(BaseModel):
    ask: Literal["ruling"] = "ruling"
    allow: bool = False


class Reply(BaseModel):
    ask: Literal["reply"] = "reply"
    words: str = "nothing"


class Bell(BaseModel):
    ask: Literal["bell"] = "bell"
    loud: bool = False


Declared = Annotated[Knock | Steal | Ruling | Reply | Bell, Field(discriminator="ask")]


class Knocked(BaseModel):
    kind: Literal["knocked"] = "knocked"
    seat: str
    times: int
    rank: int
    how: str
    note: str = ""


class Rolled(BaseModel):
    kind: Literal["rolled"] = "rolled"
    roll: Roll


class Stolen(BaseModel):
    kind: Literal["stolen"] = "stolen"
    what: str
    roll: Roll


class Ruled(BaseModel):
    kind: Literal["ruled"] = "ruled"
    allow: bool


class Replied(BaseModel):
    kind: Literal["replied"] = "replied"
    seat: str
    words: str


class Came(BaseModel):
    kind: Literal["came"] = "came"
    seat: str


class Rang(BaseModel):
    kind: Literal["rang"] = "rang"
    loud: bool


Event = Annotated[Knocked | Rolled | Stolen | Ruled | Replied | Rang | Came, Field(discriminator="kind")]


@dataclass
class State:
    rounds: int
    seconds: int | None
    ranked: bool
    aloud: bool
    explode: bool
    late: bool = False
    honest: bool = False
    people: list[str] = field(default_factory=list)
    round: int = 1
    tries: int = 1
    bells: int = 0
    rolled: bool = True
    to_rule: bool = False
    to_reply: list[str] = field(default_factory=list)
    stolen: list[str] = field(default_factory=list)
    stealing: bool = True
    leads_on: str = ""
    total: int = 0


@dataclass
class View:
    round: int
    total: int
    stolen: list[str]
    seats: list[str]


def start(setup: Setup[Sheet, Settings]) -> State:
    s = setup.settings
    people = [str(seat) for seat in setup.brief.seats]
    more = {"stealing": not s.honest, "leads_on": s.leads_on}
    return State(s.rounds, s.seconds, s.ranked, s.aloud, s.explode, s.late, s.honest, people, **more)


def steps(state: State) -> tuple[Step, ...]:
    if state.explode and state.total == 67:
        raise RuntimeError(f"the rules broke after {state.total}")
    if state.round > state.rounds:
        return ()
    bell = Step(
        key=f"bell/{state.bells}", title="The bell", pace="whenever", asks=(Ask(seat=GM, kind="bell", call="Strike"),)
    )
    r = state.round
    if state.to_rule:
        return (bell, Step(key=f"r{r}/rule", title="A ruling", pace="rule", asks=(Ask(seat=GM, kind="ruling"),)))
    if state.to_reply:
        asks = tuple(Ask(seat=Seat(s), kind="reply", call="Reply") for s in state.to_reply)
        return (bell, Step(key=f"r{r}/reply", title="The door opens", pace="react", asks=asks))
    if not state.rolled:
        return (bell, Step(key=f"r{r}/roll", title="Luck"))
    found = [bell, _knocks(state)]
    if state.stealing and not state.late and "cyd" in state.people:
        thief = Ask(seat=CYD, kind="steal", call="Steal", known_to=frozenset({CYD, GM}), opens="end")
        found.append(Step(key=f"r{r}/steal", title="In the dark", asks=(thief,), seconds=state.seconds))
    return tuple(found)


def _knocks(state: State) -> Step:
    aloud = None if state.aloud else frozenset[Seat]()
    asks = tuple(
        Ask(seat=Seat(s), kind="knock", call=f"Knock for {s}", open_to=aloud)
        for s in state.people
        if s != "gm" and (s != "cyd" or state.late)
    )
    key = f"r{state.round}/knock" + (f"-{state.tries}" if state.tries > 1 else "")
    return Step(key=key, title=f"Round {state.round}", asks=asks, seconds=state.seconds, ranked=state.ranked)


def resolve(log: Log[State, Any], step: Step, answers: Answers[Any], chance: Chance) -> None:
    what = step.key.split("/")[1].split("-")[0]
    if step.key.startswith("bell/"):
        log.emit(Rang(loud=answers.of[GM].says.loud), rule="TOY-01")
    elif what == "knock":
        for seat, answer in answers.of.items():
            said = answer.says
            if said.times == 66 and log.state.explode:
                raise RuntimeError(f"the rules broke on {said.times}")
            log.emit(
                Knocked(seat=seat, times=said.times, rank=answer.rank, how=answer.how, note=said.note), rule="TOY-02"
            )
    elif what == "steal":
        if log.state.explode and answers.of[CYD].says.what.startswith("boom"):
            raise RuntimeError(f"the rules broke on {answers.of[CYD].says.what}")
        roll = chance.die(6, f"TOY-03/steal/{log.state.round}")
        assert roll.stream == "veiled"
        log.emit(Stolen(what=answers.of[CYD].says.what, roll=roll), rule="TOY-03")
    elif what == "rule":
        log.emit(Ruled(allow=answers.of[GM].says.allow), rule="TOY-04")
    elif what == "reply":
        for seat, answer in answers.of.items():
            log.emit(Replied(seat=seat, words=answer.says.words), rule="TOY-05")
    else:
        roll = chance.die(6, f"TOY-06/luck/{log.state.round}")
        log.emit(Rolled(roll=roll), rule="TOY-06")


def apply(state: State, told: LoggedEvent[Any]) -> None:
    event = told.event
    match event:
        case Knocked():
            state.total += event.times
            state.rolled = False
            state.to_rule = state.to_rule or event.times == 13
            if event.times == 7:
                state.to_reply.append(event.seat)
        case Stolen():
            state.stealing = False
            state.stolen.append(event.what)
        case Ruled():
            state.to_rule = False
        case Replied():
            state.to_reply.remove(event.seat)
        case Came():
            state.people.append(event.seat)
            state.tries += 1
        case Rang():
            state.bells += 1
            if event.loud:
                state.tries += 1
        case Rolled():
            state.round, state.tries, state.rolled, state.stealing = state.round + 1, 1, True, not state.honest
            state.total += event.roll.face
        case _:
            assert_never(event)


def enter(log: Log[State, Any], seat: Seat, key: str, sheet: Sheet) -> None:
    log.emit(Came(seat=seat), rule="TOY-01")


def inner(log: Log[State, Any], came: InnerScene[Sheet]) -> None:
    log.emit(Rang(loud=False), rule="TOY-01")


def sees(event: Any, viewer: Viewer) -> bool:
    return viewer.gm or CYD in viewer.seats or not isinstance(event, Stolen)


def view(state: State, viewer: Viewer) -> View:
    stolen = list(state.stolen) if viewer.gm or CYD in viewer.seats else []
    return View(state.round, state.total, stolen, [s for s in state.people if s != "cyd" or CYD in viewer.seats])


def check(view: View, ask: Ask, says: Any) -> Faults:
    if isinstance(says, Knock) and says.note.startswith("boom:"):
        raise RuntimeError(f"the rules broke on {says.note}")
    if isinstance(says, Knock) and says.times == 5:
        return {"times": "Five knocks are the watch's sign. Choose another number."}
    return {}


def default(view: View, ask: Ask) -> Any:
    safe = {"knock": Knock(times=0), "steal": Steal(what="nothing"), "ruling": Ruling(), "reply": Reply()}
    return safe.get(ask.kind, Bell())


def outcome(state: State) -> Outcome:
    sheets = {name: {"name": name.title(), "luck": state.total} for name in ("ann", "bea")}
    people = tuple(state.leads_on.split())
    entries = (PlannedEntry(title="Behind the door", people=people),) if people else ()
    return Outcome(sheets=sheets, kept={"bell": state.bells}, entries=entries, result=state.total)


def live(sheets: Mapping[str, Sheet], who: str, care: Care, chance: Chance) -> tuple[Sheet, tuple[DayEvent, ...]]:
    """A day: 4 and more mends, 3 with a helper at hand whose own bruises are fewer; without rest nothing does."""
    sheet = sheets[who]
    if not care.rest:
        return sheet, (DayEvent(about="bruises", text=f"{sheet.name} does not rest.", rule="TOY-06"),)
    helper = sheets.get(care.helper)
    roll = chance.die(6, "TOY-06/mend")
    good = roll.face >= (3 if helper is not None and helper.bruises < sheet.bruises else 4)
    mending = sheet.mending + good
    healed = mending == 2
    after = sheet.model_copy(update={"mending": 0 if healed else mending, "bruises": sheet.bruises - healed})
    text = f"{sheet.name}’s bruises {'mend' if good else 'ache'}: {after.bruises} left."
    return after, (DayEvent(about="bruises", text=text, rule="TOY-06", rolls=(roll,), marks=good),)


def grown(sheet: Sheet, chance: Chance) -> tuple[Sheet, tuple[Dice, ...]]:
    """As much more luck as a die shows, up to 20."""
    if sheet.luck >= 20:
        raise ValueError("Nobody is luckier than that.")
    roll = chance.die(6, "TOY-06/level")
    luck = sheet.luck + roll.face
    return sheet.model_copy(update={"luck": luck}), (Dice(about="Luck", rolls=(roll,), text=f"Now {luck}."),)


def pleads(sheets: Mapping[str, Sheet], who: str, care: Care) -> Plea | None:
    """Whoever is black and blue all over waits for somebody with a salve."""
    sheet = sheets[who]
    if sheet.bruises < 50 or not care.rest or care.helper in sheets:
        return None
    others = [one for one in sheets if one != who]
    return Plea(text=f"{sheet.name} faints for pain.", rule="TOY-06", helpers=tuple(others))


DAYS: Days[Sheet] = Days(
    care=TypeAdapter(Care),
    usual=lambda sheet: Care(),
    waits=lambda sheet: sheet.bruises > 0,
    live=live,
    condition=lambda sheet: (f"{sheet.bruises} bruises",) if sheet.bruises else (),
    pleads=pleads,
    answered=lambda sheet, care, helper: (sheet, Care(helper=helper, rest=bool(helper))),
)

KIND: SceneKind[Sheet, Settings, State, Any, Any, View] = SceneKind(
    key="door",
    title="A door",
    state=TypeAdapter(State),
    declaration=TypeAdapter(Declared),
    event=TypeAdapter(Event),
    given=TypeAdapter(dict[str, Any] | None),
    needs=lambda brief, sheets: frozenset({"bell"}),
    start=start,
    steps=steps,
    view=view,
    sees=sees,
    check=check,
    default=default,
    resolve=resolve,
    apply=apply,
    outcome=outcome,
    enter=enter,
    inner=inner,
)


def _rule(number: int, title: str) -> Rule:
    return Rule(id=f"TOY-0{number}", title=title, text=f"{title}.", origin="ruling", chapter="The door")


TOY: Ruleset[Sheet, Settings] = Ruleset(
    key="toy",
    package=__name__,
    help=(),
    title="Toy",
    blurb="Somebody knocks. Somebody steals.",
    version="1",
    character=TypeAdapter(Sheet),
    settings=TypeAdapter(Settings),
    kinds=(KIND,),
    days=DAYS,
    dead=lambda sheet: sheet.luck <= -13,
    level_up=grown,
    rulebook=Rulebook(
        {r.id: r for r in (_rule(n, t) for n, t in enumerate(("Bell", "Knock", "Steal", "Ruling", "Reply", "Luck"), 1))}
    ),
)


def brief(thief: bool = True) -> Brief:
    seats: dict[Seat, tuple[str, ...]] = {ANN: ("ann",), BEA: ("bea",)}
    if thief:
        seats[CYD] = ("cyd",)
    return Brief(kind="door", title="At the door", seats=seats)
