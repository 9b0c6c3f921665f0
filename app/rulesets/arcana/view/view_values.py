"""What one viewer may know of a fight, as values for the modules that make texts and forms of it."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.engine.ifthen import Menu
from app.rulesets.arcana.fight.counterspells import Coming
from app.rulesets.arcana.fight.declarations import Turn
from app.rulesets.arcana.fight.state import Fighter, State
from app.rulesets.arcana.rules.settings import Settings
from app.rulesets.arcana.view import options


@dataclass(frozen=True, slots=True)
class Visible:
    cycle: int
    stage: str  # as this viewer may know it: "resolving" while somebody else decides
    is_gm: bool
    known: State
    mine: tuple[str, ...]  # of mine, those not dead, by id
    can: dict[str, options.Can]  # of mine, while declarations are made
    menus: dict[str, Menu]
    hand: dict[str, Turn]  # what habits suggest, for the GM
    looks: dict[str, str]  # how somebody looks, by id
    coming: Mapping[str, Coming]  # what those of mine may meet with it who may name a prepared counterspell now

    @property
    def settings(self) -> Settings:
        return self.known.settings

    @property
    def people(self) -> dict[str, Fighter]:
        return self.known.fighters

    def name(self, key: str) -> str:
        """A name for people; whoever this viewer does not know of is somebody."""
        if key in self.people:
            return self.people[key].body.name
        one = self.known.objects.get(key)
        return one.called if one is not None else self.known.gone.get(key, "somebody")
