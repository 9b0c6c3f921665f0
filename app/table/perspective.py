"""Whose knowledge of a scene a page shows: a viewer's own, or as much of it as a GM has, too.

A page on which a GM sees the scene as a seat shows the second: what only the seat knows is missing there, as it never
enters the answer.
"""

from dataclasses import dataclass
from typing import Any

from app.engine.ruleset import Audience, SceneKind, Viewer
from app.table.loaded_scene import knows


@dataclass(frozen=True, slots=True)
class Perspective:
    """A viewer, and the GM who looks at the scene as that viewer does; None: nobody does."""

    viewer: Viewer
    gm: Viewer | None = None

    def is_in(self, audience: Audience) -> bool:
        """Whether this belongs to an audience, which may be None for everybody; of a GM's page the GM has to, too."""
        return knows(audience, self.viewer) and (self.gm is None or knows(audience, self.gm))

    def sees(self, kind: SceneKind[Any, Any, Any, Any, Any, Any], event: Any) -> bool:
        """Whether an event of this kind of scene is shown."""
        reads = kind.gm_reads or kind.sees
        return kind.sees(event, self.viewer) and (self.gm is None or reads(event, self.gm))

    def view(self, kind: SceneKind[Any, Any, Any, Any, Any, Any], state: Any) -> Any:
        """The ruleset's view of a state; of a GM's page it is of the state as that GM knows it."""
        return kind.view(state if self.gm is None else kind.as_gm_knows(state, self.gm), self.viewer)
