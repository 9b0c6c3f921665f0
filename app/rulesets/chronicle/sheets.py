"""The character sheet, one for all kinds of scene: ratings, motivations, wounds, belongings (CHR-SKL, -MOT, -CHA).

Secret goals are not on it (CHR-CHA-08): the table can read a sheet, but not private notes.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema, model_validator

from app.rulesets.chronicle import motivations, skills
from app.rulesets.chronicle.checks import DIFFICULTY
from app.rulesets.chronicle.gear import Carried, Worn
from app.rulesets.chronicle.motivations import MOTIVATIONS, PAIRS
from app.rulesets.chronicle.wounds import Wounds

Rating = Annotated[int, Field(ge=skills.LOWEST, le=skills.HIGHEST)]
Strength = Annotated[int, Field(ge=motivations.LOWEST, le=motivations.HIGHEST)]
Words = Annotated[str, Field(max_length=2000)]
Line = Annotated[str, Field(max_length=120)]
MotivationKey = Annotated[
    str,
    WithJsonSchema(
        {
            "type": "string",
            "enum": list(MOTIVATIONS),
            "x-labels": {key: one.name for key, one in MOTIVATIONS.items()},
        }
    ),
]


Whose = Annotated[
    Literal["talker", "unknown"],
    WithJsonSchema(
        {
            "type": "string",
            "enum": ["talker", "unknown"],
            "x-labels": {
                "talker": "the talker’s",
                "unknown": "unknown. An older Signet wrote the motivation’s own strength here",
            },
        }
    ),
]


class Skills(BaseModel):
    """A rating for each skill; the usual one is 2 (CHR-SKL-02)."""

    model_config = ConfigDict(extra="ignore")

    control: Annotated[Rating, Field(title="Control", description="Coordination of the body, leverage.")] = skills.USUAL
    fighting_mind: Annotated[Rating, Field(title="Fighting Mind", description="Experience and cunning in a fight.")] = (
        skills.USUAL
    )
    speed: Annotated[Rating, Field(title="Speed", description="Quickness.")] = skills.USUAL
    strength: Annotated[Rating, Field(title="Strength", description="Power.")] = skills.USUAL
    endurance: Annotated[Rating, Field(title="Endurance", description="Long effort, heavy loads.")] = skills.USUAL
    hide: Annotated[Rating, Field(title="Hide", description="Unseen and unheard.")] = skills.USUAL
    jump_climb: Annotated[Rating, Field(title="Jump/Climb", description="Over, up and down.")] = skills.USUAL
    ride: Annotated[Rating, Field(title="Ride", description="Any mount, and other animals at need.")] = skills.USUAL
    run: Annotated[Rating, Field(title="Run", description="Fast on your own feet.")] = skills.USUAL
    shoot_aim: Annotated[
        Rating, Field(title="Shoot/Aim", description="Bow, sling, thrown spear; no siege engines.")
    ] = skills.USUAL
    swim: Annotated[Rating, Field(title="Swim", description="In and under water.")] = skills.USUAL
    craft: Annotated[Rating, Field(title="Craft", description="Make and mend.")] = skills.USUAL
    heal: Annotated[Rating, Field(title="Heal", description="Wounds and disease.")] = skills.USUAL
    know: Annotated[Rating, Field(title="Know", description="Learning.")] = skills.USUAL
    notice: Annotated[Rating, Field(title="Notice", description="Details, and things far off or hidden.")] = (
        skills.USUAL
    )
    sail: Annotated[Rating, Field(title="Sail", description="All work on a boat or ship.")] = skills.USUAL
    survive: Annotated[Rating, Field(title="Survive", description="Food, shelter and direction outdoors.")] = (
        skills.USUAL
    )
    trade: Annotated[Rating, Field(title="Trade", description="Buy, sell and value.")] = skills.USUAL
    administer: Annotated[Rating, Field(title="Administer", description="Organise and keep records.")] = skills.USUAL
    convince: Annotated[Rating, Field(title="Convince", description="Win someone over in a discussion.")] = skills.USUAL
    lead: Annotated[Rating, Field(title="Lead", description="Inspire others.")] = skills.USUAL
    perform: Annotated[Rating, Field(title="Perform", description="Impress an audience.")] = skills.USUAL
    tactics: Annotated[Rating, Field(title="Tactics", description="Lead troops in a battle.")] = skills.USUAL

    def of(self, key: str) -> int:
        """The rating of the skill of that key. Raises KeyError if there is none."""
        return int(getattr(self, skills.SKILLS[key].key))


class Motivations(BaseModel):
    """A strength for each motivation; the two of a pair add up to at most 12 (CHR-MOT-02)."""

    model_config = ConfigDict(extra="ignore")

    energetic: Annotated[Strength, Field(title="Energetic")] = 6
    lazy: Annotated[Strength, Field(title="Lazy, efficient")] = 6
    forgiving: Annotated[Strength, Field(title="Forgiving")] = 6
    avenging: Annotated[Strength, Field(title="Avenging")] = 6
    honest: Annotated[Strength, Field(title="Honest")] = 6
    deceitful: Annotated[Strength, Field(title="Deceitful, sly")] = 6
    merciful: Annotated[Strength, Field(title="Merciful, kind")] = 6
    cruel: Annotated[Strength, Field(title="Cruel, ruthless")] = 6
    modest: Annotated[Strength, Field(title="Modest, humble")] = 6
    proud: Annotated[Strength, Field(title="Proud, arrogant")] = 6
    prudent: Annotated[Strength, Field(title="Prudent, cautious")] = 6
    reckless: Annotated[Strength, Field(title="Reckless")] = 6
    bold: Annotated[Strength, Field(title="Valourous, bold")] = 6
    fearful: Annotated[Strength, Field(title="Cowardly, fearful")] = 6
    trusting: Annotated[Strength, Field(title="Trusting")] = 6
    independent: Annotated[Strength, Field(title="Independent")] = 6
    generous: Annotated[Strength, Field(title="Generous, self-sacrificing")] = 6
    selfish: Annotated[Strength, Field(title="Selfish, pleasure-seeking")] = 6

    @model_validator(mode="after")
    def _balanced(self) -> "Motivations":
        for pair in PAIRS:
            left, right = self.of(pair.left.key), self.of(pair.right.key)
            if left + right > motivations.MOST_OF_A_PAIR:
                raise ValueError(
                    f"{pair.left.name} {left} and {pair.right.name.lower()} {right} add up to {left + right}; "
                    f"a pair can have at most {motivations.MOST_OF_A_PAIR}."
                )
        return self

    def of(self, key: str) -> int:
        """The strength of the motivation of that key. Raises KeyError if there is none."""
        return int(getattr(self, MOTIVATIONS[key].key))


class Drive(BaseModel):
    """A Driving Motivation: binding only in its context and topic (CHR-MOT-08).

    One without `whose` is from Chronicle 1, which stored the motivation's strength: the talker's rating is unknown.
    """

    model_config = ConfigDict(extra="ignore", frozen=True)

    motivation: MotivationKey
    rating: Annotated[
        Rating,
        Field(
            title="The talker’s skill rating",
            description="Changing it has a difficulty of 3 or this rating, whichever is higher.",
        ),
    ]
    whose: Annotated[Whose, Field(title="This rating is")]
    context: Annotated[str, Field(min_length=1, max_length=200)]
    topic: Annotated[str, Field(min_length=1, max_length=200)]
    action: Annotated[Words, Field(title="Suggested action")] = ""

    @model_validator(mode="before")
    @classmethod
    def _of_chronicle_1(cls, given: Any) -> Any:
        return {"whose": "unknown", **given} if isinstance(given, dict) else given

    @model_validator(mode="after")
    def _known(self) -> "Drive":
        if self.motivation not in MOTIVATIONS:
            raise ValueError(f"There is no motivation {self.motivation[:40]!r}.")
        return self

    @property
    def difficulty(self) -> int:
        """The difficulty of changing it: 3, or the talker's rating if that is higher and known (CHR-MOT-10)."""
        return max(DIFFICULTY, self.rating) if self.whose == "talker" else DIFFICULTY

    @property
    def about(self) -> tuple[str, str]:
        """Context and topic, which identify a Driving Motivation (CHR-MOT-09, CHR-MOT-10)."""
        return self.context.casefold().strip(), self.topic.casefold().strip()


class Sheet(BaseModel):
    """A person of the campaign. By default every skill has the usual 2 and every motivation 6."""

    model_config = ConfigDict(extra="ignore")

    name: Annotated[str, Field(min_length=1, max_length=60)]
    is_main: Annotated[bool, Field(title="A main character")] = True
    standing: Annotated[Line, Field(title="Occupation or standing")] = ""
    home: Line = ""
    context: Annotated[Words, Field(description="This person's place in the story.")] = ""
    relations: Annotated[Words, Field(title="Relationships")] = ""
    past: Annotated[Words, Field(title="A past in outline")] = ""
    skills: Skills = Field(default_factory=Skills)
    survive_terrain: Annotated[
        Line, Field(title="Survives best in", description="One kind of land: Survive is 1 higher there.")
    ] = ""
    motivations: Motivations = Field(default_factory=Motivations)
    drives: Annotated[tuple[Drive, ...], Field(title="Driving Motivations", max_length=40)] = ()
    wounds: Wounds = Field(default_factory=Wounds)
    weapons: Annotated[
        tuple[Carried, ...],
        Field(
            max_length=12, description="Weapons at hand. In a fight only what each one counts as matters, not its name."
        ),
    ] = ()
    armour: Annotated[Worn, Field(description="Protects the whole body equally.")] = Field(default_factory=Worn)
    shield: Annotated[bool, Field(title="Carries a shield")] = False
    possessions: Words = ""

    def rating(self, skill: str, terrain: str = "") -> int:
        """A skill's rating; Survive is one higher in the terrain this person knows best (CHR-SKL-03)."""
        best = self.survive_terrain.casefold()
        more = skill == "survive" and bool(best) and best == terrain.casefold()
        return self.skills.of(skill) + more
