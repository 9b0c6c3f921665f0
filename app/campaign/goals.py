"""A player's goals for a character: only that player reads and writes them, no GM does; encrypted in the database."""

from dataclasses import dataclass

from sqlalchemy import func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.crypto.vault import Vault
from app.errors import Conflict, NotYours
from app.models.people import Character, Goals, Member


@dataclass(frozen=True, slots=True)
class GoalsText:
    """A player's goals for one character; `version` 0: never written."""

    words: str
    version: int


def has(character: Character, member: Member) -> bool:
    """Whether this member is the character's player, who alone has goals for it. A GMs' character has no goals."""
    return character.owner_id is not None and character.owner_id == member.id


async def read(session: AsyncSession, vault: Vault, character: Character, member: Member) -> GoalsText:
    """Returns this member's goals for a character they play (CHR-CHA-08). Raises NotYours for other members."""
    _own(character, member)
    row = await session.scalar(
        select(Goals)
        .where(
            Goals.campaign_id == character.campaign_id,
            Goals.character_id == character.id,
            Goals.member_id == member.id,
        )
        .execution_options(populate_existing=True)
    )
    if row is None:
        return GoalsText("", 0)
    return GoalsText(vault.decrypt(row.box, _place(character, member)).decode(), row.version)


async def write(
    session: AsyncSession, vault: Vault, character: Character, member: Member, words: str, seen: int
) -> None:
    """Replaces the goals. Raises Conflict where the player changed them on another page since version `seen`, and
    NotYours like `read`."""
    _own(character, member)
    box = vault.encrypt(words.encode(), _place(character, member))
    key = {"campaign_id": character.campaign_id, "character_id": character.id, "member_id": member.id}
    if seen == 0:
        made = insert(Goals).values(**key, box=box).on_conflict_do_nothing().returning(Goals.version)
        done = await session.scalar(made)
    else:
        done = await session.scalar(
            update(Goals)
            .where(*(getattr(Goals, name) == value for name, value in key.items()), Goals.version == seen)
            .values(box=box, version=seen + 1, changed_at=func.now())
            .returning(Goals.version)
            .execution_options(synchronize_session=False)
        )
    if done is None:
        raise Conflict(
            "You changed these goals on another page after you opened this one.",
            "What you typed is still here; the saved goals are below.",
        )


def _own(character: Character, member: Member) -> None:
    if not has(character, member):
        raise NotYours("Only the character's player can read the goals.")


def _place(character: Character, member: Member) -> str:
    return f"{character.campaign_id}/goals/{character.id}/{member.id}"
