"""Every encrypted column, and the place that each of its boxes is bound to.

A new encrypted column must be listed here: a change of the key covers the listed columns and no others.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Column, ColumnElement, Table, func

from app.models import scenes
from app.models.almanac import Almanac
from app.models.base import Base
from app.models.people import Goals, Handout, PreparedScene


@dataclass(frozen=True, slots=True)
class Boxes:
    """The boxes of one column; `place` names the row's key columns in braces."""

    of: str
    name: str
    place: str

    @property
    def table(self) -> Table:
        return Base.metadata.tables[self.of]

    @property
    def column(self) -> Column[Any]:
        return self.table.c[self.name]

    @property
    def keys(self) -> list[Column[Any]]:
        """The row's key columns: the campaign, then the scene if the row belongs to one, then the rest."""
        return [column for column in self.table.c if column.primary_key]

    @property
    def in_scene(self) -> bool:
        """Whether the column is written under a scene's lock; otherwise each row is its own lock."""
        return self.of == scenes.Scene.__tablename__ or "scene_id" in self.table.c

    @property
    def key_name(self) -> ColumnElement[bytes]:
        """The first four bytes of a box, which name its key."""
        return func.substring(self.column, 1, 4)

    def place_of(self, keys: Sequence[object]) -> str:
        """Returns the place that the box of the row with these keys is bound to."""
        named = zip(self.keys, keys, strict=True)
        return self.place.format_map({column.name: value for column, value in named})


BOXES = (
    Boxes(scenes.Scene.__tablename__, "setup", "{campaign_id}/{id}/setup"),
    Boxes(scenes.Scene.__tablename__, "setup_salt", "{campaign_id}/{id}/setup-salt"),
    Boxes(scenes.Scene.__tablename__, "state", "{campaign_id}/{id}/state"),
    Boxes(scenes.Scene.__tablename__, "root", "{campaign_id}/{id}/root"),
    Boxes(scenes.Envelope.__tablename__, "box", "{campaign_id}/{scene_id}/envelope/{step_key}/{seat}/{revision}"),
    Boxes(scenes.Draft.__tablename__, "box", "{campaign_id}/{scene_id}/draft/{step_key}/{seat}"),
    Boxes(scenes.EventRow.__tablename__, "box", "{campaign_id}/{scene_id}/event/{number}"),
    Boxes(scenes.RecordRow.__tablename__, "box", "{campaign_id}/{scene_id}/record/{number}"),
    Boxes(scenes.Whisper.__tablename__, "box", "{campaign_id}/{scene_id}/whisper/{seat}/{id}"),
    Boxes(Almanac.__tablename__, "root", "{campaign_id}/almanac-root"),
    Boxes(Goals.__tablename__, "box", "{campaign_id}/goals/{character_id}/{member_id}"),
    Boxes(PreparedScene.__tablename__, "box", "{campaign_id}/prepared/{id}"),
    Boxes(Handout.__tablename__, "box", "{campaign_id}/handout/{id}"),
    Boxes(Handout.__tablename__, "picture", "{campaign_id}/handout/{id}/picture"),
)


def key_names() -> Iterator[str]:
    """Yields for each column a query for the names of the keys in use there."""
    for boxes in BOXES:
        yield f"SELECT DISTINCT substring({boxes.name} FROM 1 FOR 4) FROM {boxes.of} WHERE {boxes.name} IS NOT NULL"
