"""A viewer's view of a free scene: everything is public; views differ only in the viewer's own people."""

from dataclasses import dataclass

from app.engine.ruleset import Viewer
from app.rulesets.chronicle import host
from app.rulesets.chronicle.checks import said, ways
from app.rulesets.chronicle.free.frames import usual
from app.rulesets.chronicle.free.state import Attempt, State
from app.rulesets.chronicle.host import ActShown
from app.rulesets.chronicle.people_view import PeopleView, who


@dataclass(frozen=True, slots=True)
class Trial:
    """A check: who against what, and its exact odds for the attempt, out of 640."""

    key: str
    who: str
    skill: str
    aim: str
    against: str
    other_skill: str
    roller: str
    stage: str
    turn: int
    acting: int
    opposing: int
    consequence: str
    words: str
    outcome: str
    ways: int
    odds: str
    usual: str  # the verdict if no one frames it: roll, or refuse


@dataclass(frozen=True, slots=True)
class View(PeopleView):
    is_gm: bool
    words: str
    terrain: str
    votes: bool  # a table without a GM
    either: bool  # the roller may be chosen
    chosen: bool  # the terrain that a person knows best may be chosen
    guide: bool  # people have a guide rating
    mine: tuple[str, ...]
    busy: bool  # one of mine has a check in progress
    attempts: dict[str, Trial]
    failed: tuple[tuple[str, str, str], ...]  # who, skill, goal: barred until the situation changes
    pending: ActShown | None  # of the host, unless it is voted back
    shows_first: bool  # so are all acts at the desk
    over: bool
    end: str


def view(state: State, viewer: Viewer) -> View:
    """The scene for this viewer."""
    mine = tuple(key for key, one in state.people.items() if one.seat in viewer.seats)
    return View(
        is_gm=viewer.gm,
        words=state.words,
        terrain=state.terrain,
        votes=state.settings.table_gm == "none",
        either=state.settings.check_roller == "either",
        chosen=state.settings.survive_terrain == "chosen",
        guide=state.settings.npc_rating == "guide",
        people={key: who(one, state.terrain, key in mine) for key, one in state.people.items()},
        mine=mine,
        busy=any(state.busy(seat) for seat in viewer.seats),
        attempts={key: _trial(state, one) for key, one in state.attempts.items()},
        failed=tuple(
            (one.who, one.skill, one.aim)
            for one in state.attempts.values()
            if one.failed and one.situation == state.situation
        ),
        pending=host.sight(state),
        shows_first=host.shows_first(state),
        over=state.over,
        end=state.end,
    )


def _trial(state: State, one: Attempt) -> Trial:
    acting, opposing = state.rating(one.who, one.skill), state.opposing(one)
    return Trial(
        key=one.key,
        who=one.who,
        skill=one.skill,
        aim=one.aim,
        against=one.against,
        other_skill=one.other_skill,
        roller=one.roller,
        stage=one.stage,
        turn=one.turn,
        acting=acting,
        opposing=opposing,
        consequence=one.consequence,
        words=one.words,
        outcome=one.outcome,
        ways=ways(acting, opposing),
        odds=said(acting, opposing),
        usual=usual(state, one).verdict,
    )
