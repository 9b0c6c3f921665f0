"""A draft step by step: the sizes, then all the luck at once, then one pick after another, snaking (CHR-CHA)."""

from typing import Any

from pydantic import JsonValue

from app.engine.chance import Chance
from app.engine.ruleset import Answers, Ask, Log, NewCharacter, Outcome, Phase, Seat, Step
from app.engine.turn_order import ranked
from app.rulesets.chronicle import generation
from app.rulesets.chronicle.draft import events as ev
from app.rulesets.chronicle.draft.state import State
from app.rulesets.chronicle.sheets import Motivations, Sheet, Skills
from app.rulesets.chronicle.skills import TERRAINS

DraftLog = Log[State, ev.Event]

PHASES = (
    Phase(words="How many characters each plays", steps=("cast",), default="play the usual number"),
    Phase(words="Picks", steps=("draft",), default="get the lowest set left"),
)

WORDS = {
    "Say how many main characters you play": "Choose how many main characters you play",
    "How many each plays": "How many characters each plays",
}


def steps(state: State) -> tuple[Step, ...]:
    """Sizes are sealed, which also mixes every seat's salt into the luck; every pick is open (CHR-CHA-05)."""
    if state.over:
        return ()
    if not state.order:
        call = "Say how many main characters you play"
        asks = tuple(Ask(seat=Seat(seat), kind="cast", call=call) for seat in state.seats)
        return (Step(key="cast", title="How many each plays", asks=asks, seconds=state.seconds),)
    number = len(state.taken) + 1
    ask = Ask(seat=Seat(state.coming[0]), kind="pick", call="Take a set", open_to=None)
    return (Step(key=f"draft/{number}", title=f"Pick {number}", asks=(ask,), seconds=state.seconds),)


def resolve(log: DraftLog, step: Step, answers: Answers[Any], chance: Chance) -> None:
    """Resolves one closed step."""
    if step.key == "cast":
        _cast(log, answers, chance)
    else:
        _pick(log, answers)


def _cast(log: DraftLog, answers: Answers[Any], chance: Chance) -> None:
    sized = []
    for seat, answer in answers.of.items():
        sized.append(log.emit(ev.Sized(str(seat), answer.says.number, answer.how), rule="CHR-CHA-01"))
    chosen = TERRAINS[0] if log.state.settings.survive_terrain == "chosen" else ""  # the set's taker chooses
    for number in range(1, sum(log.state.wanted.values()) + 1):
        label = f"CHR-CHA-02/set-{number}"
        rolled = generation.roll_skills(chance, label, "main", terrain=chosen)
        moved = generation.roll_motivations(chance, label)
        log.emit(ev.SetRolled(number, rolled, moved), rule="CHR-CHA-02", because=tuple(sized))
    seats, throws = ranked(chance, log.state.seats, "CHR-CHA-03/d20")
    told = [log.emit(one, rule="CHR-CHA-03") for one in throws]
    log.emit(ev.Ordered(tuple(seats)), rule="CHR-CHA-03", because=tuple(told))


def _pick(log: DraftLog, answers: Answers[Any]) -> None:
    ((seat, answer),) = answers.of.items()
    says = answer.says
    of = log.state.sets[says.number]
    taken = ev.Taken(
        seat=str(seat),
        number=says.number,
        how=answer.how,
        name=says.name,
        home=says.home,
        standing=says.standing,
        context=says.context,
        relations=says.relations,
        past=says.past,
        terrain=of.terrain or says.terrain,
    )
    told = log.emit(taken, rule="CHR-CHA-05" if answer.how == "default" else "CHR-CHA-07")
    state = log.state
    if not state.left:
        log.emit(ev.Drafted(len(state.taken)), rule="CHR-CHA-04", because=(told,))
    elif state.full(taken.seat):
        log.emit(ev.Full(taken.seat, state.wanted[taken.seat]), rule="CHR-CHA-06", because=(told,))


def outcome(state: State) -> Outcome:
    """A character for each pick, in the order of the picks."""
    picked: dict[str, JsonValue] = {str(number): one.seat for number, one in state.taken.items()}
    return Outcome(
        made=tuple(
            NewCharacter(seat=one.seat, name=one.name, sheet=_sheet(state, one)) for one in state.taken.values()
        ),
        result={"order": list(state.order), "taken": picked},
    )


def _sheet(state: State, taken: ev.Taken) -> dict[str, JsonValue]:
    of = state.sets[taken.number]
    sheet = Sheet(
        name=taken.name,
        is_main=True,
        standing=taken.standing,
        home=taken.home,
        context=taken.context,
        relations=taken.relations,
        past=taken.past,
        skills=Skills.model_validate(of.skills),
        survive_terrain=taken.terrain,
        motivations=Motivations.model_validate(of.motivations),
    )
    dumped: dict[str, JsonValue] = sheet.model_dump(mode="json")
    return dumped
