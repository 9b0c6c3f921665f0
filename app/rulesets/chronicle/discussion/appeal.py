"""An appeal from its ruling to its count (steps D1 and D3 to D8)."""

from app.engine.chance import Chance
from app.engine.decisions import Decision
from app.engine.options import Choice, Options
from app.engine.ruleset import GM, Answers, Ask, Faults, Phase, Seat, Step
from app.engine.steps import retry_suffix
from app.rulesets.chronicle import driving
from app.rulesets.chronicle.checks import DIFFICULTY, TARGET, check
from app.rulesets.chronicle.discussion import events as ev
from app.rulesets.chronicle.discussion import forms
from app.rulesets.chronicle.discussion.asks import Of, say, step
from app.rulesets.chronicle.discussion.state import MOST_HEARD, Appeal, Reply, State
from app.rulesets.chronicle.discussion.view import View
from app.rulesets.chronicle.generation import roll_motivations, roll_skills
from app.rulesets.chronicle.motivations import MOTIVATIONS
from app.rulesets.chronicle.rulings import ruled, ruling_asks
from app.rulesets.chronicle.skills import GROUPS, SKILLS


def current(state: State) -> Appeal:
    """The appeal that is being made."""
    assert state.appeal is not None
    return state.appeal


def _again(state: State, word: str) -> str:
    return f"{word}{retry_suffix(state.tries)}"


# ------------------------------------------------------------------------------------------------ the ruling (D4, D5)


def _frame_options(view: View, ask: Ask) -> Options:
    appeal = view.appeal
    assert appeal is not None
    skills = (Choice("", f"as proposed: {view.skill(appeal.skill)}"), *(Choice(s.key, s.name) for s in SKILLS.values()))
    driven_by = (
        Choice("", f"as proposed: {view.motivation(appeal.motivation)}"),
        *(Choice(one.key, one.name) for one in MOTIVATIONS.values()),
    )
    return {"counts": (Choice("yes", "It is an appeal"), Choice("no", "It is none: the talk goes on")),
            "skill": skills, "motivation": driven_by,
            **{f"of.{one.who}.difficulty": (Choice("3", "difficulty 3"), Choice("2", "2, easy to grant"))
               for one in appeal.listeners if not one.drive}}  # fmt: skip


def _only_open(view: View, ask: Ask, says: forms.Frame) -> Faults:
    """A ruling on the difficulty only of listeners for whom it is open, even if there are none."""
    appeal = view.appeal
    assert appeal is not None
    known = {one.who for one in appeal.listeners if not one.drive}
    return {f"of.{who[:60]}": "There is nothing to choose for that one." for who in says.of if who not in known}


def _frame(log: ev.DiscussionLog, answers: Answers[forms.Frame], chance: Chance) -> None:
    """Skill and motivation as the table rules, else as proposed; then a difficulty for each listener (CHR-DIS-10)."""
    roll_ratings(log, chance)
    appeal = current(log.state)
    ruling = ruled(answers, lambda says: says.counts == "yes" and _chosen(appeal, says))
    counts = ruling.says is None or ruling.says.counts == "yes"
    skill, motivation = _chosen(appeal, ruling.says or forms.Frame())
    framed = ev.Framed(appeal.key, counts, skill, motivation, ruling.how, ruling.votes)
    number = log.emit(framed, rule="CHR-DIS-10" if counts else "CHR-DIS-04", because=(appeal.told,))
    if not counts:
        log.emit(ev.AppealOver(appeal.key, "role-play", ()), rule="CHR-DIS-03", because=(number,))
        return
    for who in appeal.listeners:
        _weigh(log, appeal, who, answers, number)
    log.emit(ev.Stage("hear" if _hearers(log.state) else "check"), rule="CHR-DIS-05")


def roll_ratings(log: ev.DiscussionLog, chance: Chance) -> None:
    """The ratings of people of the story who have none so far (CHR-SKL-14, CHR-SKL-17); of a crowd, one set of
    motivations (CHR-DIS-18).
    """
    guided = log.state.settings.npc_rating == "guide"
    for who, person in log.state.people.items():
        if not person.unknown:
            continue
        rule = label = "CHR-DIS-18" if who in log.state.crowds else "CHR-MOT-04"
        skills = moved = None
        if "skills" in person.unknown:
            rule, how = ("CHR-SKL-17", "guide") if guided else ("CHR-SKL-14", "other")
            land = person.sheet.survive_terrain
            skills = roll_skills(chance, f"{rule}/{who}", how, best=GROUPS[-1].key, terrain=land)
        if "motivations" in person.unknown:
            moved = roll_motivations(chance, f"{label}/{who}")
        log.emit(ev.Rolled(who, skills, moved), rule=rule)


def _chosen(appeal: Appeal, says: forms.Frame) -> tuple[str, str]:
    return says.skill or appeal.skill, says.motivation or appeal.motivation


def _weigh(log: ev.DiscussionLog, appeal: Appeal, who: str, answers: Answers[forms.Frame], framed: int) -> None:
    """3 or the stored rating where a Driving Motivation stands in the way, else 2 or 3 (CHR-DIS-11, CHR-DIS-12)."""
    person = log.state.people[who]
    if drive := driving.current(person, appeal.context, appeal.topic):
        difficulty, rule = person.drives[drive].difficulty, "CHR-DIS-12"
    else:
        ruling = ruled(answers, lambda says: says.of.get(who, forms.Weight()).difficulty)
        of = ruling.says.of if ruling.says else {}
        difficulty, rule = of.get(who, forms.Weight()).difficulty, "CHR-DIS-11"
    log.emit(ev.Weighed(appeal.key, who, difficulty, drive), rule=rule, because=(framed,))


FRAME: Of[forms.Frame] = Decision(
    forms.Frame,
    step=lambda state: step(
        state, _again(state, "frame"), ruling_asks(state, "frame", current(state).listeners), "rule"
    ),
    resolve=_frame,
    phase=Phase(
        words="Skill, motivation, difficulty", steps=("frame",), default="take the proposal, with difficulty 3"
    ),
    options=_frame_options,
    check=_only_open,
    default=lambda view, ask: forms.Frame(),
    title="Appeal <n>: what it takes",
    call="Set skill, motivation and difficulty",
)

# ---------------------------------------------------------------------------------------- staying and ignoring (D1, D3)


def _hearers(state: State) -> dict[str, tuple[str, ...]]:
    """The seats with listeners, in order; a talker who reflects does not ask themselves."""
    appeal = current(state)
    others = tuple(key for key in appeal.listeners if key != appeal.who and key not in state.gone)
    return dict(state.seats_of(others))


def _hear_step(state: State) -> Step:
    asks = [Ask(seat=Seat(seat), kind="hear", call="", about=keys) for seat, keys in _hearers(state).items()]
    return step(state, _again(state, "hear"), asks, "react")


def _hear_options(view: View, ask: Ask) -> Options:
    return {f"of.{key}.what": _replies(view, key) for key in ask.about}


def _replies(view: View, key: str) -> tuple[Choice, ...]:
    heard = view.heard[key]
    early = f"Only after {MOST_HEARD} appeals: {view.name(key)} has heard {heard}."
    talker = view.name(view.appeal.who) if view.appeal else ""
    return (
        Choice("", "As the rules say"),
        Choice("listen", "Listen"),
        Choice("ignore", "Ignore it", why_not="" if heard >= MOST_HEARD else early),
        Choice("escape", "Get away"),
        Choice("fight", "Turn to violence"),
        Choice("remove", f"Have {talker} removed"),
    )


def _reply(log: ev.DiscussionLog, answers: Answers[forms.Hear], chance: Chance) -> None:
    """What the listeners do, in cast order. Violence comes before all else, and removal before the roll."""
    appeal = current(log.state)
    of = {key: (answers.of[Seat(seat)]) for seat, keys in _hearers(log.state).items() for key in keys}
    for who in appeal.listeners:
        if who not in of:
            continue
        says = of[who].says.of.get(who, forms.Answer())
        told = say(log, who, says.words)
        reply = says.what or usual(log.state, who)
        rule = "CHR-DIS-06" if reply == "ignore" else "CHR-DIS-05"
        because = (appeal.told, *((told,) if told else ()))
        number = log.emit(ev.Replied(appeal.key, who, reply, of[who].how), rule=rule, because=because)
        if reply == "escape":
            log.emit(ev.Went(who, "escaped"), rule="CHR-DIS-05", because=(number,))
    by = _wanting(log.state, "fight")
    if by:
        log.emit(ev.AppealOver(appeal.key, "broken-off", ()), rule="CHR-DIS-05")
        log.emit(ev.Violence(by, appeal.who), rule="CHR-FLO-04")
    else:
        log.emit(ev.Stage("remove" if _wanting(log.state, "remove") else "check"), rule="CHR-DIS-05")


def usual(state: State, who: str) -> Reply:
    """An absent player's answer: to listen or, after three appeals, to ignore this one (steps D1 and D3)."""
    return "ignore" if state.heard.get(who, 0) >= MOST_HEARD else "listen"


def _wanting(state: State, reply: Reply) -> tuple[str, ...]:
    return tuple(key for key, one in current(state).replies.items() if one == reply)


HEAR: Of[forms.Hear] = Decision(
    forms.Hear,
    step=_hear_step,
    resolve=_reply,
    phase=Phase(words="Listen or not", steps=("hear",), default="listen, or ignore it after three appeals"),
    options=_hear_options,
    default=lambda view, ask: forms.Hear(),
    title="Appeal <n>: who listens",
    call="Listen to the appeal, or not",
)


def _remove(log: ev.DiscussionLog, answers: Answers[forms.Remove], chance: Chance) -> None:
    """The talker goes and the appeal with them; or whoever wanted it has to listen (CHR-DIS-05)."""
    appeal = current(log.state)
    ruling = ruled(answers, lambda says: says.removed)
    removed = ruling.says is not None and ruling.says.removed == "yes"
    by = _wanting(log.state, "remove")
    told = ev.Removal(appeal.key, appeal.who, by, removed, ruling.how, ruling.votes)
    number = log.emit(told, rule="CHR-DIS-05")
    if removed:
        log.emit(ev.AppealOver(appeal.key, "broken-off", ()), rule="CHR-DIS-05", because=(number,))
        log.emit(ev.Went(appeal.who, "removed"), rule="CHR-DIS-05", because=(number,))
    else:
        log.emit(ev.Stage("check"), rule="CHR-DIS-05", because=(number,))


REMOVE: Of[forms.Remove] = Decision(
    forms.Remove,
    step=lambda state: step(state, _again(state, "remove"), ruling_asks(state, "remove"), "rule"),
    resolve=_remove,
    phase=Phase(words="Removing the talker", steps=("remove",), default="let the talker stay"),
    options=lambda view, ask: {
        "removed": (Choice("no", "No: they have to listen"), Choice("yes", "Yes: the talker has to go"))
    },
    title="Appeal <n>: removing the talker",
    call="Say whether the talker is removed",
)


def _calm(log: ev.DiscussionLog, answers: Answers[forms.Fight], chance: Chance) -> None:
    (answer,) = answers.of.values()
    log.emit(ev.Calmed(answer.how, answer.says.words.strip()), rule="CHR-FLO-04")


FIGHT: Of[forms.Fight] = Decision(
    forms.Fight,
    step=lambda state: step(
        state, _again(state, "fight"), (Ask(seat=GM, kind="fight", call="", open_to=None),), "rule"
    ),
    resolve=_calm,
    phase=Phase(words="Violence", steps=("fight",), default="call the fight off", gms=True),
    title="It comes to blows",
    call="Open the fight, or call it off",
)

# ------------------------------------------------------------------------------------------------- the roll (D6 to D8)


def roll(log: ev.DiscussionLog, chance: Chance) -> None:
    """The talker's one check, a d12 of each listener whom it beats, in cast order; the count (CHR-DIS-13 to -17)."""
    state, appeal = log.state, current(log.state)
    hearing = tuple(key for key in appeal.listeners if key not in state.gone and _hears(appeal, key))
    if not hearing or appeal.who in state.gone:
        log.emit(ev.AppealOver(appeal.key, "unheard", ()), rule="CHR-DIS-06", because=(appeal.told,))
        return
    lowest = min(appeal.difficulties.get(key, DIFFICULTY) for key in hearing)
    checked = check(chance, f"CHR-DIS-13/{appeal.key}", state.rating(appeal.who, appeal.skill), lowest)
    beaten = tuple(key for key in hearing if checked.total >= TARGET + appeal.difficulties.get(key, DIFFICULTY))
    spoke = ev.Spoke(appeal.key, appeal.who, appeal.skill, checked, beaten)
    rule = "CHR-DIS-17" if len(hearing) > 1 else "CHR-DIS-13"
    number = log.emit(spoke, rule=rule, because=(appeal.told,))
    for who in beaten:
        _sway(log, chance, appeal, who, number)
    log.emit(ev.AppealOver(appeal.key, "spoken", hearing), rule="CHR-DIS-07", because=(number,))


def _hears(appeal: Appeal, who: str) -> bool:
    return who == appeal.who or appeal.replies.get(who) in ("listen", "remove")


def _sway(log: ev.DiscussionLog, chance: Chance, appeal: Appeal, who: str, spoke: int) -> None:
    """A d12 against the motivation; a success writes a Driving Motivation (CHR-DIS-14 to -16)."""
    stirred = driving.stir(log, chance, who, appeal.motivation, f"CHR-DIS-14/{who}", "CHR-DIS-14", (spoke,))
    if stirred:
        rating = driving.talkers_rating(log.state, appeal.who, appeal.skill)
        about = (appeal.context, appeal.topic)
        talker = (appeal.who, appeal.skill, rating)
        driving.write(log, who, appeal.motivation, about, appeal.action, talker, stirred)
