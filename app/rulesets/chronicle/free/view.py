"""A viewer's view of a free scene: everything is public; views differ only in the viewer's own people."""

from dataclasses import dataclass

from app.engine.ruleset import Viewer
from app.rulesets.chronicle.checks import said, ways
from app.rulesets.chronicle.free.desk import may_grow
from app.rulesets.chronicle.free.frames import usual
from app.rulesets.chronicle.free.state import Attempt, State
from app.rulesets.chronicle.motivations import MOTIVATIONS, PAIRS, Pair
from app.rulesets.chronicle.skills import GROUPS, SKILLS, Group, Skill


@dataclass(frozen=True, slots=True)
class DriveSight:
    """A Driving Motivation, and whether it may bring growth now."""

    key: str
    motivation: str
    rating: int
    context: str
    topic: str
    action: str
    may_grow: bool
    whose: str  # "unknown": its rating is from Chronicle 1
    difficulty: int  # of changing it


@dataclass(frozen=True, slots=True)
class Who:
    key: str
    name: str
    seat: str
    mine: bool
    character: bool
    main: bool
    skills: dict[str, int]  # as they count here: Survive with the terrain
    terrain: str
    motivations: dict[str, int]
    drives: tuple[DriveSight, ...]
    unknown: tuple[str, ...]


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
class View:
    is_gm: bool
    words: str
    terrain: str
    votes: bool  # a table without a GM
    either: bool  # the roller may be chosen
    chosen: bool  # the terrain that a person knows best may be chosen
    guide: bool  # people have a guide rating
    people: dict[str, Who]
    mine: tuple[str, ...]
    busy: bool  # one of mine has a check in progress
    attempts: dict[str, Trial]
    failed: tuple[tuple[str, str, str], ...]  # who, skill, goal: barred until the situation changes
    over: bool
    end: str

    @property
    def groups(self) -> tuple[Group, ...]:
        return GROUPS

    @property
    def pairs(self) -> tuple[Pair, ...]:
        return PAIRS

    def name(self, key: str) -> str:
        return self.people[key].name if key in self.people else key

    def skill(self, key: str) -> str:
        return SKILLS[key].name if key in SKILLS else key

    def motivation(self, key: str) -> str:
        return MOTIVATIONS[key].name if key in MOTIVATIONS else key

    def tries(self, who: str) -> tuple[Skill, ...]:
        """Three skills of a person to try something with: the best first, in the order of the book."""
        rated = self.people[who].skills
        return tuple(sorted(SKILLS.values(), key=lambda one: -rated[one.key])[:3])

    def pair(self, number: int) -> str:
        pair = PAIRS[number - 1]
        return f"{pair.left.name} / {pair.right.name}"


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
        people={key: _who(state, key, key in mine) for key in state.people},
        mine=mine,
        busy=any(state.busy(seat) for seat in viewer.seats),
        attempts={key: _trial(state, one) for key, one in state.attempts.items()},
        failed=tuple(
            (one.who, one.skill, one.aim)
            for one in state.attempts.values()
            if one.failed and one.situation == state.situation
        ),
        over=state.over,
        end=state.end,
    )


def _who(state: State, key: str, mine: bool) -> Who:
    one = state.people[key]
    return Who(
        key=key,
        name=one.name,
        seat=one.seat,
        mine=mine,
        character=one.character,
        main=one.sheet.is_main,
        skills={skill: state.rating(key, skill) for skill in SKILLS},
        terrain=one.sheet.survive_terrain,
        motivations={name: one.sheet.motivations.of(name) for name in MOTIVATIONS},
        drives=tuple(
            DriveSight(name, drive.motivation, drive.rating, drive.context, drive.topic, drive.action,
                       may_grow(one, name), drive.whose, drive.difficulty)
            for name, drive in one.drives.items()
        ),
        unknown=one.unknown,
    )  # fmt: skip


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
