"""Sheets: level, unlocked entries, health; and the opening form of a duel (DUE-55, DUE-67 to -73)."""

from collections.abc import Iterable, Mapping
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema, model_validator

from app.engine.form_fields import blank_as
from app.rulesets.duel.data import ABILITIES, ACTIONS, BASIC, LADDER, TREES, name_of
from app.rulesets.duel.settings import Settings

HP = 10
ENTRIES = tuple(entry for tree in TREES.values() for entry in tree.entries)


def _words(entry: str) -> str:
    found = ACTIONS.get(entry) or ABILITIES[entry]
    return f"{found.name}. {found.words}"


Entry = Annotated[
    str,
    WithJsonSchema({"type": "string", "enum": list(ENTRIES), "x-labels": {entry: _words(entry) for entry in ENTRIES}}),
]
AbilityKey = Annotated[
    str,
    WithJsonSchema({"type": "string", "enum": list(ABILITIES), "x-labels": {key: _words(key) for key in ABILITIES}}),
]


class Sheet(BaseModel):
    """A fighter. Everyone knows the Basic actions; each level brings one entry of a skill tree (DUE-68, DUE-69)."""

    model_config = ConfigDict(extra="ignore")

    name: Annotated[str, Field(min_length=1, max_length=60)]
    level: Annotated[int, Field(ge=1, le=40, description="The referee decides when a character gains a level.")] = 1
    unlocks: Annotated[
        tuple[Entry, ...],
        Field(title="Unlocked", description="One for each level. A tree begins with its starting action."),
    ] = ("guard",)
    active: Annotated[
        tuple[AbilityKey, ...],
        Field(
            title="Active abilities", description="At most two. If you choose none, the first two you know are active."
        ),
    ] = ()
    hp: Annotated[
        Annotated[int, Field(ge=0, le=99)] | None,
        blank_as(None),
        Field(title="HP now", description="Leave empty if unhurt.", json_schema_extra={"x-none": "full"}),
    ] = None
    note: Annotated[str, Field(max_length=4000, description="Anything else.")] = ""

    @model_validator(mode="after")
    def _lawful(self) -> "Sheet":
        """DUE-55, DUE-69, DUE-73."""
        for entry in self.unlocks:
            if entry not in ENTRIES:
                raise ValueError(f"There is nothing called {entry!r} in the skill trees.")
        if len(set(self.unlocks)) != len(self.unlocks):
            raise ValueError("An entry is unlocked twice.")
        if len(self.unlocks) > self.level:
            raise ValueError(
                f"At level {self.level} you can have at most {self.level} unlocked; these are {len(self.unlocks)}."
            )
        for tree in TREES.values():
            mine = [entry for entry in self.unlocks if entry in tree.entries]
            if mine and tree.entries[0] not in mine:
                raise ValueError(f"The {tree.name} tree begins with {name_of(tree.entries[0])}: unlock that first.")
        if len(self.active) > 2:
            raise ValueError("At most two special abilities can be active.")
        unknown = [name_of(key) for key in self.active if key not in self.unlocks]
        if unknown:
            raise ValueError(f"{unknown[0]} is not unlocked, so it cannot be active.")
        return self

    def actions(self, settings: Settings) -> tuple[str, ...]:
        """Every action the fighter knows, Basic ones first; house actions only if the table plays with them."""
        known = [*BASIC, *(entry for entry in self.unlocks if entry in ACTIONS)]
        return tuple(key for key in known if ACTIONS[key].pack == "book" or settings.house_actions == "on")

    def abilities(self) -> tuple[str, ...]:
        """The two active abilities: the chosen ones, else the first two known (DUE-55)."""
        known = tuple(entry for entry in self.unlocks if entry in ABILITIES)
        return self.active or known[:2]

    @property
    def unlocked_names(self) -> tuple[str, ...]:
        return tuple(name_of(entry) for entry in self.unlocks)

    @property
    def step(self) -> int:
        """The step on the stamina ladder, 0 to 5 (DUE-71)."""
        return min(5, sum(count // TREES[key].stamina_every for key, count in self._unlocked().items()))

    @property
    def stamina_max(self) -> int:
        return LADDER[self.step]

    def hp_max(self, settings: Settings) -> int:
        """DUE-67, and DUE-72 if the table plays with it."""
        if settings.house_health == "off":
            return HP
        return HP + sum(2 * (count // TREES[key].health_every) for key, count in self._unlocked().items())

    def hp_now(self, settings: Settings) -> int:
        most = self.hp_max(settings)
        return most if self.hp is None else min(self.hp, most)

    def _unlocked(self) -> Mapping[str, int]:
        return {key: sum(entry in tree.entries for entry in self.unlocks) for key, tree in TREES.items()}


def in_list_order(unlocks: Iterable[str], *, house: bool) -> bool:
    """Whether each tree is unlocked in order from its start (DUE-73); house entries count only if in play."""
    for tree in TREES.values():
        entries = [entry for entry in tree.entries if house or entry not in tree.house]
        mine = {entry for entry in unlocks if entry in entries}
        if mine != set(entries[: len(mine)]):
            return False
    return True


class Given(BaseModel):
    """The opening form of a duel: an opponent from the list if only one fighter is a character."""

    model_config = ConfigDict(extra="ignore")

    description: Annotated[str, Field(max_length=4000)] = ""
    opponent: Annotated[str, Field(max_length=60)] = ""


class Pairing(BaseModel):
    """Exactly two combatants who may fight each other now (DUE-01, DUE-02, DUE-65)."""

    fighters: tuple[str, ...]
    opponent: str
    known: tuple[str, ...] = ()  # keys of all opponents
    together: bool = False  # both in one seat, which could hide nothing from itself
    down: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _two(self) -> "Pairing":
        number = len(self.fighters) + bool(self.opponent)
        if number != 2:
            have = "nobody" if not number else "only one" if number == 1 else str(number)
            raise ValueError(
                f"A duel needs exactly two fighters, and here is {have}. Pair off any others in separate duels."
            )
        if self.opponent and self.opponent not in self.known:
            raise ValueError(f"There is no opponent called {self.opponent!r}.")
        if self.together:
            raise ValueError("Each fighter needs a separate seat: nobody can keep a choice secret from themselves.")
        if self.down:
            raise ValueError(f"{self.down[0]} is down. The referee can heal by changing the sheet (HP now).")
        return self
