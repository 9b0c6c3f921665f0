"""How people show in scenes without a battle: all of it is public (CHR-FLO-09)."""

from dataclasses import dataclass

from app.engine.ruleset import Faults
from app.rulesets.chronicle.driving import may_grow, may_ungrow
from app.rulesets.chronicle.motivations import MOTIVATIONS, PAIRS, Pair
from app.rulesets.chronicle.people import Person
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
    may_ungrow: bool
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
class PeopleView:
    """What the views of scenes with people have in common: names, and the lists of the book."""

    people: dict[str, Who]

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


def objection_faults(view: PeopleView, who: str, drive: str, words: str) -> Faults:
    """Faults of an objection to growth, by form field (CHR-MOT-13)."""
    found = next((one for one in view.people[who].drives if one.key == drive), None)
    if found is None or not found.may_ungrow:
        return {"drive": "Choose a Driving Motivation of this character that has brought growth in this scene."}
    return {} if words.strip() else {"words": "Say why; everyone reads it."}


def who(person: Person, terrain: str, mine: bool) -> Who:
    """A person in that land."""
    return Who(
        key=person.key,
        name=person.name,
        seat=person.seat,
        mine=mine,
        character=person.character,
        main=person.sheet.is_main,
        skills={skill: person.sheet.rating(skill, terrain) for skill in SKILLS},
        terrain=person.sheet.survive_terrain,
        motivations={name: person.sheet.motivations.of(name) for name in MOTIVATIONS},
        drives=tuple(
            DriveSight(name, drive.motivation, drive.rating, drive.context, drive.topic, drive.action,
                       may_grow(person, name), may_ungrow(person, name), drive.whose, drive.difficulty)
            for name, drive in person.drives.items()
        ),
        unknown=person.unknown,
    )  # fmt: skip
