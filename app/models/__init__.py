"""Every table, in one place so that `Base.metadata` is complete for migrations, archives and tests."""

from app.models import almanac, people, scenes
from app.models.base import Base

metadata = Base.metadata

__all__ = ["almanac", "metadata", "people", "scenes"]
