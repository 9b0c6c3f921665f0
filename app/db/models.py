"""Every model, imported in one place so that `Base.metadata` is whole (migrations, tests)."""

from app.almanac import models as almanac_models
from app.campaign import models as campaign_models
from app.db.base import Base
from app.table import models as table_models

metadata = Base.metadata

__all__ = ["almanac_models", "campaign_models", "metadata", "table_models"]
