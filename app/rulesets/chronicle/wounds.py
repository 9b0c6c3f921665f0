"""Wounds: six parts of the body, two severities, and the progress of healing (CHR-WND-01 to -05, CHR-HEA-12)."""

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, WithJsonSchema

PARTS = ("left_arm", "right_arm", "left_leg", "right_leg", "body", "head")
"""In the order of the die and of healing rolls (CHR-HEA-02, CHR-WND-01)."""

NAMES = {part: part.replace("_", " ") for part in PARTS}
ARMS, LEGS = PARTS[:2], PARTS[2:4]
TO_A_MAJOR, TO_HEAL = 3, 4  # CHR-WND-02, CHR-HEA-05

FRESH = {"aided": False, "given_up": False}  # decisions about a head wound hold for that wound only

Successes = Annotated[int, Field(ge=0, lt=TO_HEAL)]


def _gain(words: str) -> dict[str, JsonValue]:
    return {"x-gain": f"wounded: {{within}}, {words}"}


class Part(BaseModel):
    """One part of the body. It never has two Major wounds; with one, Minor ones only count up (CHR-WND-03)."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    minor: Annotated[int, Field(ge=0, le=99, title="Minor wounds", json_schema_extra=_gain("Minor wounds: {now}"))] = 0
    major: Annotated[bool, Field(title="A Major wound", json_schema_extra=_gain("a Major wound"))] = False
    successes: Annotated[Successes, Field(title="Healing rolls towards the Major", description="Four heal it.")] = 0

    @property
    def hurt(self) -> bool:
        return self.major or self.minor > 0


class Track(BaseModel):
    """The healing rolls towards one Minor wound, if each heals by itself (CHR-HEA-12, "per wound")."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    part: Annotated[
        Literal["left_arm", "right_arm", "left_leg", "right_leg", "body", "head"],
        WithJsonSchema({"type": "string", "enum": list(PARTS), "x-labels": NAMES}),
        Field(title="Part"),
    ]
    successes: Annotated[int, Field(ge=1, lt=TO_HEAL, title="Healing rolls")]


class Wounds(BaseModel):
    """A person's lasting wounds. Immutable: every change returns a new value."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    left_arm: Part = Field(default_factory=Part)
    right_arm: Part = Field(default_factory=Part)
    left_leg: Part = Field(default_factory=Part)
    right_leg: Part = Field(default_factory=Part)
    body: Part = Field(default_factory=Part)
    head: Part = Field(default_factory=Part)
    minor_successes: Annotated[
        Successes, Field(title="Healing rolls towards all Minor wounds", description="Four heal them all.")
    ] = 0
    tracks: Annotated[
        tuple[Track, ...],
        Field(
            title="Healing rolls towards single Minor wounds",
            description="If each wound heals separately in your campaign. Wounds without successes are left out.",
            max_length=200,
            exclude_if=lambda tracks: not tracks,  # records of earlier scenes stay the same to the byte
        ),
    ] = ()
    aided: Annotated[
        bool, Field(title="The head wound was treated in time", description="Within the hour (CHR-HEA-10).")
    ] = False
    given_up: Annotated[
        bool,
        Field(
            title="Nobody treats the head wound",
            description="It kills on the next day that passes (CHR-HEA-10).",
            exclude_if=lambda said: not said,  # records of scenes from before this question stay the same to the byte
        ),
    ] = False
    dead: Annotated[bool, Field(title="Dead", json_schema_extra={"x-gain": "died"})] = False

    def of(self, part: str) -> Part:
        """The part of that name. Raises KeyError if there is none."""
        found: Part = getattr(self, PARTS[_place(part)])
        return found

    def put(self, part: str, now: Part) -> "Wounds":
        return self.model_copy(update={PARTS[_place(part)]: now})

    @property
    def majors(self) -> tuple[str, ...]:
        """Parts with a Major wound, in body order."""
        return tuple(part for part in PARTS if self.of(part).major)

    @property
    def minors(self) -> int:
        """The number of Minor wounds of the whole body."""
        return sum(self.of(part).minor for part in PARTS)

    def each(self, part: str) -> tuple[int, ...]:
        """The successes towards each Minor wound of a part, most first."""
        found = sorted((one.successes for one in self.tracks if one.part == part), reverse=True)
        minor = self.of(part).minor
        return (*found[:minor], *[0] * (minor - len(found)))

    def track(self, part: str, each: Sequence[int]) -> "Wounds":
        """Returns the wounds with these successes towards the Minor wounds of a part, one number per wound."""
        others = [one for one in self.tracks if one.part != part]
        own = [Track(part=PARTS[_place(part)], successes=count) for count in each if count]
        fresh = self.put(part, self.of(part).model_copy(update={"minor": len(each)}))
        return fresh.model_copy(update={"tracks": tuple(sorted((*others, *own), key=lambda one: _place(one.part)))})

    @property
    def any(self) -> bool:
        return any(self.of(part).hurt for part in PARTS)


def _place(part: str) -> int:
    if part not in PARTS:
        raise KeyError(part)
    return PARTS.index(part)


def add_minor(wounds: Wounds, part: str) -> Wounds:
    """Adds a Minor wound: the third turns the first two into a Major and remains (CHR-WND-02, CHR-WND-03)."""
    now = wounds.of(part)
    minor = now.minor + 1
    if minor >= TO_A_MAJOR and not now.major:
        newest = [0, *wounds.each(part)][: minor - 2]
        return add_major(wounds.track(part, newest), part)
    return wounds.put(part, now.model_copy(update={"minor": minor}))


def add_major(wounds: Wounds, part: str) -> Wounds:
    """Adds a Major wound, with all its healing to come; a part with a Major does not change (CHR-WND-03)."""
    now = wounds.of(part)
    if now.major:
        return wounds
    fresh = wounds.put(part, now.model_copy(update={"major": True, "successes": 0}))
    return fresh.model_copy(update=FRESH) if part == "head" else fresh


def words(wounds: Wounds) -> tuple[str, ...]:
    """The wounds in words, in body order: "Major wound: left arm", "2 Minor wounds: head"."""
    if wounds.dead:
        return ("Dead",)
    said = []
    for part in PARTS:
        one = wounds.of(part)
        if one.major:
            said.append(f"Major wound: {NAMES[part]}")
        if one.minor:
            said.append(f"{'Minor wound' if one.minor == 1 else f'{one.minor} Minor wounds'}: {NAMES[part]}")
    return tuple(said)
