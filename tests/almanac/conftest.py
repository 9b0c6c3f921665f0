import pytest

from app.crypto.vault import Vault
from tests.almanac.small_campaign import Land, Sessions, settle


@pytest.fixture
async def land(sessions: Sessions, vault: Vault) -> Land:
    return await settle(sessions, vault)
