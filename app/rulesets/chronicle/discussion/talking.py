"""Between appeals: every seat may speak, appeal, or have nothing more to say (steps D0, D2, D9)."""

from typing import Any

from app.engine.chance import Chance
from app.engine.decisions import Decision
from app.engine.options import Choice, Options
from app.engine.ruleset import Answers, Ask, Faults, Phase, Seat, Step
from app.engine.steps import retry_suffix
from app.rulesets.chronicle import driving
from app.rulesets.chronicle.discussion import events as ev
from app.rulesets.chronicle.discussion import forms
from app.rulesets.chronicle.discussion.asks import Of, by_round, end_if_empty, say, step
from app.rulesets.chronicle.discussion.state import State
from app.rulesets.chronicle.discussion.view import View
from app.rulesets.chronicle.motivations import MOTIVATIONS
from app.rulesets.chronicle.rulings import ruled, ruling_asks
from app.rulesets.chronicle.skills import SKILLS


def _judge(log: ev.DiscussionLog, answers: Answers[forms.Open], chance: Chance) -> None:
    ruling = ruled(answers, lambda says: says.changed)
    changed = ruling.says is not None and ruling.says.changed == "yes"
    words = ruling.says.words.strip() if ruling.says else ""
    log.emit(ev.Judged(changed, words, ruling.how, ruling.votes), rule="CHR-DIS-08")
    if not changed:
        log.emit(ev.Over("refused", "", ruling.how), rule="CHR-DIS-08")


def _said_what(view: View, ask: Ask, says: forms.Open) -> Faults:
    if says.changed == "yes" and not says.words.strip():
        return {"words": "Say what is different now; everyone reads it."}
    return {}


OPEN: Of[forms.Open] = Decision(
    forms.Open,
    step=lambda state: Step(
        key=f"open{retry_suffix(state.tries)}", title="", asks=ruling_asks(state, "open"), pace="rule"
    ),
    resolve=_judge,
    phase=Phase(words="Whether it begins", steps=("open",), default="refuse it", opening=True),
    options=lambda view, ask: {
        "changed": (Choice("no", "No: it does not begin"), Choice("yes", "Yes: they may speak of it again"))
    },
    check=_said_what,
    title="Has anything changed?",
    call="Say whether the situation has changed",
)


def talk_steps(state: State) -> tuple[Step, ...]:
    """A step for each seat with somebody here; nobody waits for those who have nothing more to say (step D2)."""
    return tuple(_talk(state, seat) for seat in state.talking())


def _talk(state: State, seat: str) -> Step:
    number = retry_suffix(state.tries + state.turns.get(seat, 0))
    kind, pace = ("again", "whenever") if seat in state.stopped else ("talk", "plan")
    ask = Ask(seat=Seat(seat), kind=kind, call="", about=state.here(seat), open_to=None)
    return Step(key=f"{by_round(state)}{kind}/{seat}{number}", title="", asks=(ask,), pace=pace)


def _options(view: View, ask: Ask) -> Options:
    mine = [view.people[key] for key in ask.about]
    drives = [(one, drive) for one in mine for drive in one.drives]
    no_growth = "" if any(drive.may_grow for _, drive in drives) else "No Driving Motivation of yours can weaken now."
    return {
        "what": (
            Choice("say", "Say something"),
            Choice("appeal", "Make an appeal"),
            Choice("stop", "Nothing more to say"),
            Choice("leave", "Leave"),
            Choice("grow", "Grow: bad consequences weaken a motivation", why_not=no_growth),
            Choice("guide", "Ask what this character would do"),
        ),
        "who": (Choice("", mine[0].name), *(Choice(one.key, one.name) for one in mine)),
        "listeners": tuple(Choice(key, view.name(key)) for key in view.here),
        "skill": tuple(Choice(one.key, one.name) for one in SKILLS.values()),
        "motivation": (Choice("", "choose…"), *(Choice(one.key, one.name) for one in MOTIVATIONS.values())),
        "drive": (
            Choice("", "choose…"),
            *(Choice(drive.key, f"{view.motivation(drive.motivation)}, {drive.topic}") for _, drive in drives),
        ),
    }


def _check(view: View, ask: Ask, says: forms.Talking) -> Faults:
    match says.what:
        case "say":
            return {} if says.words.strip() else {"words": "Write what is said, or choose something else."}
        case "appeal":
            return _appeal_faults(view, says.who or ask.about[0], says)
        case "grow":
            return _grow_faults(view, says.who or ask.about[0], says.drive)
        case "guide":
            return {} if says.pair else {"pair": "Choose the pair that fits."}
        case _:
            return {}


def _appeal_faults(view: View, who: str, says: forms.Talking) -> Faults:
    faults: Faults = {}
    if not says.listeners:
        faults["listeners"] = "Choose who is spoken to."
    elif who in says.listeners and len(says.listeners) > 1:
        faults["listeners"] = "Speak to yourself or to others, not to both in one appeal."
    if not says.context.strip():
        faults["context"] = "Enter the context in which it would bind."
    if not says.topic.strip():
        faults["topic"] = "Enter what it is about."
    if not says.action.strip():
        faults["action"] = "Suggest what the listener should do."
    if not says.motivation:
        faults["motivation"] = "Choose the motivation that it speaks to."
    return faults


def _grow_faults(view: View, who: str, drive: str) -> Faults:
    found = next((one for one in view.people[who].drives if one.key == drive), None)
    if found is None:
        return {"drive": "Choose a Driving Motivation of this character."}
    if not found.may_grow:
        return {"drive": "This motivation has already brought growth in this scene, or it is as low as it can get."}
    return {}


def _turn(log: ev.DiscussionLog, answers: Answers[Any], chance: Chance) -> None:
    """What a seat says or does; an appeal withdraws the steps of the others (CHR-DIS-02, -04)."""
    ((seat, answer),) = answers.of.items()
    says, state = answer.says, log.state
    who = says.who or state.here(seat)[0]
    told = say(log, who, says.words)
    because = (told,) if told else ()
    match says.what:
        case "stop":
            log.emit(ev.Stopped(seat, answer.how), rule="CHR-DIS-04", because=because)
            return
        case "appeal":
            listeners = tuple(key for key in state.people if key in says.listeners and key not in state.gone)
            log.emit(
                ev.Appealed(
                    f"a{state.number}", who, listeners, says.context.strip(), says.topic.strip(),
                    says.action.strip(), says.skill, says.motivation,
                ),
                rule="CHR-DIS-19" if listeners == (who,) else "CHR-DIS-09",
                because=because,
            )  # fmt: skip
            return
        case "leave":
            log.emit(ev.Went(who, "walked"), rule="CHR-DIS-05", because=because)
        case "grow":
            driving.grow(log, who, says.drive)
        case "guide":
            driving.guide(log, who, says.pair or 1)
        case "say":
            pass
    log.emit(ev.Turned(seat), rule="CHR-DIS-04", because=because)
    end_if_empty(log)


TALK: Of[forms.Talk] = Decision(
    forms.Talk,
    step=lambda state: _talk(state, state.talking()[0]),
    resolve=_turn,
    phase=Phase(words="The talk", steps=("talk",), default="have nothing more to say"),
    options=_options,
    check=_check,
    default=lambda view, ask: forms.Talk(what="stop"),
    title="The talk",
    call="Speak for <seat>",
)


AGAIN: Of[forms.Again] = Decision(
    forms.Again,
    step=TALK.step,
    resolve=_turn,
    options=_options,
    check=_check,
    default=lambda view, ask: forms.Again(what="stop"),
    title="The talk",
    call="Speak after all for <seat>",
)


def _end(log: ev.DiscussionLog, answers: Answers[forms.End], chance: Chance) -> None:
    ruling = ruled(answers, lambda says: says.end)
    if ruling.says is not None and ruling.says.end == "go-on":
        log.emit(ev.Stage("talk"), rule="CHR-DIS-04")
        return
    words = ruling.says.words.strip() if ruling.says else ""
    log.emit(ev.Over("agreed", words, ruling.how), rule="CHR-DIS-04")


END: Of[forms.End] = Decision(
    forms.End,
    step=lambda state: step(state, f"end{retry_suffix(state.rests)}", ruling_asks(state, "end"), "rule"),
    resolve=_end,
    phase=Phase(words="Nobody has more to say", steps=("end",), default="end the discussion"),
    options=lambda view, ask: {"end": (Choice("end", "End the discussion"), Choice("go-on", "Let them talk on"))},
    title="Nobody has more to say",
    call="End the discussion or let it go on",
)
