"""What one viewer may know of a fight, as values for the modules that make texts and forms."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from app.engine.ifthen import Menu
from app.engine.sentences import the
from app.rulesets.arcana.fight.counterspells import Coming
from app.rulesets.arcana.fight.declarations import Turn
from app.rulesets.arcana.fight.state import Fighter, State
from app.rulesets.arcana.rules.settings import Settings
from app.rulesets.arcana.view import options


@dataclass(frozen=True, slots=True)
class Visible:
    cycle: int
    stage: str  # as this viewer may know it: "resolving" during another seat's decision
    is_gm: bool
    known: State
    mine: tuple[str, ...]  # the viewer's living combatants, by id
    can: dict[str, options.Can]  # by combatant of `mine`, during planning
    menus: dict[str, Menu]
    hand: dict[str, Turn]  # declarations suggested by habits, for the GM
    looks: dict[str, str]  # apparent health by id
    coming: Mapping[str, Coming]  # attacks on those of `mine` who may name a counterspell now
    kinds: Collection[str]  # names of kinds by which this viewer knows foes

    @property
    def settings(self) -> Settings:
        return self.known.settings

    @property
    def people(self) -> dict[str, Fighter]:
        return self.known.fighters

    def name(self, key: str) -> str:
        """Returns a name for lists and tokens; an unknown combatant is "someone"."""
        if key in self.people:
            return self.people[key].body.name
        one = self.known.objects.get(key)
        return one.called if one is not None else self.known.gone.get(key, "someone")

    def the(self, key: str) -> str:
        """Returns a name within a sentence: "the troll", "Mara", "someone"."""
        return the(self.name(key), self.kinds)

    def those(self, side: str) -> str:
        """Returns a side within a sentence: "the foes"."""
        words = side.replace("-", " ")
        return words if words.startswith("the ") else f"the {words}"
