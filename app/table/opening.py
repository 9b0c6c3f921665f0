"""Opens scenes: claims characters and memories, fixes the chain of luck, and opens the first steps."""

import os
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import ValidationError
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.almanac import calendar_state
from app.campaign import homebrew, seating
from app.crypto.vault import Vault
from app.engine.faults import dotted, faults_of
from app.engine.ruleset import GM, Brief, Ruleset, SceneKind, Seat, Setup
from app.engine.sentences import who_is_in
from app.errors import Conflict, MissingRules, Refusal
from app.models.base import new_id
from app.models.people import Character, Member
from app.models.scenes import CampaignMemory, Claim, Scene
from app.receipts import chain, luck
from app.receipts.setup import write_setup
from app.rulesets import find_kind
from app.table import closing, legs
from app.table.loaded_scene import LoadedScene

HeldCharacters = Literal["wait", "copy", "fresh"]
"""How to treat a character or a memory (such as a deck) that another open scene has claimed: refuse, take a copy, or
begin with a fresh memory (characters are copied). Copies and fresh memories are not written back."""


@dataclass(frozen=True, slots=True)
class Start:
    """What an earlier scene began with; another one that begins so is practice, on copies of everything."""

    sheets: Mapping[str, Any]  # by slug
    kept: Mapping[str, Any]
    carried: Mapping[str, str | None]

    def memory(self, names: frozenset[str]) -> tuple[dict[str, Any], dict[str, str | None]]:
        """Returns the memories of these names, and the heads of the scenes that left them."""
        kept = {name: self.kept[name] for name in names if name in self.kept}
        return kept, {name: self.carried.get(name) for name in kept}


class InUse(Conflict):
    """Characters or memories are in another open scene; the GM chooses to wait, copy, or begin fresh."""

    def __init__(self, things: Mapping[str, str]) -> None:
        """`things`: title of the scene that holds each thing, by thing."""
        listed = "; ".join(who_is_in((_spoken(thing), title) for thing, title in sorted(things.items())))
        super().__init__(
            f"{listed[0].upper()}{listed[1:]}. Finish that scene first, or choose what this one plays with."
        )


class BadBrief(Refusal):
    """The brief names things that do not exist, or its `given` is invalid; the text says which."""


async def open_scene(
    session: AsyncSession,
    vault: Vault,
    campaign: uuid.UUID,
    ruleset_key: str,
    brief: Brief,
    settings: Mapping[str, Any] | None = None,
    held: HeldCharacters = "wait",
    *,
    people: Mapping[Seat, Member] | None = None,
    scene: uuid.UUID | None = None,
    start: Start | None = None,
    lenders: Sequence[LoadedScene] = (),
    has_entry: bool = False,
) -> uuid.UUID:
    """Opens a scene and its first steps; returns its id, which is `scene` if the caller passes one.

    Seats follow `brief.seats`; the GM's seat is always the last. A seat is held by the owners of its characters, the
    GM's by all GMs; a seat without characters is held by its member in `people` and has that member's name. Raises
    InUse and BadBrief, each with the reason in words. With `start`, characters and memories are copies of what an
    earlier scene began with, and nothing is claimed or written back. `lenders`: the scene that this one is opened out
    of, locked, and those that wait for that one; their characters are lent to it, as they are there now. `has_entry`:
    the caller links it to an entry of the calendar; else a scene with legs gets one, unless it is practice or inner.
    """
    ruleset, kind = _rules(ruleset_key, brief)
    seats = {**{seat: chars for seat, chars in brief.seats.items() if seat != GM}, GM: brief.seats.get(GM, ())}
    brief = Brief(kind=brief.kind, title=brief.title, seats=seats, given=brief.given)
    is_dated = kind.leg is not None and not (has_entry or lenders or start)
    if is_dated:  # before characters
        await calendar_state.hold(session, vault, campaign)
    characters = await _characters(session, campaign, ruleset_key, brief)
    scene = scene or new_id()
    try:
        now = _lent_sheets(lenders)
        sheets = {slug: ruleset.character.validate_python(_sheet(row, start, now)) for slug, row in characters.items()}
        kept_names = kind.needs(brief, sheets)
        taken = await _taken(session, campaign, list(characters), kept_names, [one.id for one in lenders])
        if taken and held == "wait" and start is None:
            raise InUse(taken)
        fresh = {t for t in taken if held == "fresh"}
        kept, heads = await _kept(session, campaign, kept_names, fresh) if start is None else start.memory(kept_names)
        setup = Setup(
            brief=brief,
            settings=ruleset.settings.validate_python(ruleset.of_new_scene(settings or {})),
            sheets=sheets,
            kept=kept,
            own=await homebrew.of_scene(session, campaign, ruleset, brief),
        )
        kind.given.validate_python(brief.given)
        state = kind.start(setup)
    except ValidationError as wrong:
        raise BadBrief(_first_fault(wrong)) from wrong
    names = _names(brief, characters, people or {})
    live = await _scene_row(session, vault, campaign, scene, ruleset, kind, setup, state, heads, names)
    if lenders:
        live.row.outer_id = lenders[0].id
        await seating.lend(session, live.row, [one.id for one in lenders], [f"character/{slug}" for slug in characters])
    things = {f"character/{slug}" for slug in characters} | {f"kept/{name}" for name in kept_names}
    free = things - set(taken) if start is None else set()
    missed = await seating.claim(session, live.row, sorted(free))
    if missed - {f"character/{slug}" for slug in await seating.lent(session, campaign, scene)}:
        raise InUse(dict.fromkeys(missed, "a scene that has just been opened"))
    await seating.add(session, live.seats, people or {})
    if any(not step.asks for step in kind.steps(live.state)):
        raise RuntimeError("a scene cannot begin with luck: no player has put a salt in yet")
    if is_dated:
        await legs.begin(session, live, [*characters])
    await closing.reconcile(session, live)
    return scene


def _rules(key: str, brief: Brief) -> tuple[Ruleset[Any, Any], SceneKind[Any, Any, Any, Any, Any, Any]]:
    try:
        return find_kind(key, brief.kind)
    except MissingRules as unknown:
        raise BadBrief(str(unknown)) from unknown


async def _characters(session: AsyncSession, campaign: uuid.UUID, ruleset: str, brief: Brief) -> dict[str, Character]:
    wanted = [slug for slugs in brief.seats.values() for slug in slugs]
    if len(set(wanted)) != len(wanted):
        raise BadBrief("A character can only take one seat.")
    found = await seating.lock_characters(session, campaign, wanted)
    for slug in wanted:
        if slug not in found:
            raise BadBrief(f"There is no character “{slug}” in this campaign.")
        if found[slug].ruleset != ruleset:
            raise BadBrief(f"{found[slug].name} is made for different rules.")
    return {slug: found[slug] for slug in wanted}


async def _taken(
    session: AsyncSession,
    campaign: uuid.UUID,
    characters: Sequence[str],
    kept: frozenset[str],
    lenders: Sequence[uuid.UUID],
) -> dict[str, str]:
    """Returns the things that other scenes hold, with their titles; not the characters that `lenders` hold."""
    things = [f"character/{slug}" for slug in characters] + [f"kept/{name}" for name in kept]
    rows = await session.execute(
        select(Claim.thing, Scene.title)
        .join(Scene, (Scene.campaign_id == Claim.campaign_id) & (Scene.id == Claim.scene_id))
        .where(Claim.campaign_id == campaign, Claim.thing.in_(things))
        .where(Claim.scene_id.not_in(lenders) | Claim.thing.startswith("kept/"))
    )
    return {row[0]: row[1] for row in rows}


async def _kept(
    session: AsyncSession, campaign: uuid.UUID, names: frozenset[str], fresh: set[str]
) -> tuple[dict[str, Any], dict[str, str | None]]:
    """Returns the memories that are not to be fresh, and the heads of the scenes that left them, by name."""
    rows = await session.scalars(
        select(CampaignMemory).where(CampaignMemory.campaign_id == campaign, CampaignMemory.name.in_(names))
    )
    found = [row for row in rows if f"kept/{row.name}" not in fresh]
    heads = {row.name: row.from_head.hex() if row.from_head else None for row in found}
    return {row.name: row.body["is"] for row in found}, heads


def _sheet(row: Character, start: Start | None, lent: Mapping[str, Any]) -> Any:
    """A character's sheet; one that took no part in the earlier scene begins as it is now."""
    if start is not None:
        return start.sheets.get(row.slug, row.sheet)
    changed = lent.get(row.slug)
    return {**row.sheet, **changed} if isinstance(changed, dict) else row.sheet


def _lent_sheets(lenders: Sequence[LoadedScene]) -> dict[str, Any]:
    """Returns what the lending scenes have changed about their characters so far, by slug."""
    found: dict[str, Any] = {}
    for one in reversed(lenders):
        found |= one.kind.outcome(one.state).sheets
    return found


def _names(brief: Brief, characters: Mapping[str, Character], people: Mapping[Seat, Member]) -> dict[Seat, str]:
    """Returns the seats' names, which stay the same when holders change."""
    names = {seat: " and ".join(characters[slug].name for slug in slugs) or seat for seat, slugs in brief.seats.items()}
    return {**names, GM: "GM", **{seat: member.name for seat, member in people.items() if seat in names}}


async def _scene_row(
    session: AsyncSession,
    vault: Vault,
    campaign: uuid.UUID,
    scene: uuid.UUID,
    ruleset: Ruleset[Any, Any],
    kind: SceneKind[Any, Any, Any, Any, Any, Any],
    setup: Setup[Any, Any],
    state: Any,
    carried: Mapping[str, str | None],
    names: Mapping[Seat, str],
) -> LoadedScene:
    place, root, salt = f"{campaign}/{scene}", os.urandom(32), os.urandom(32)
    anchor = luck.chain_link(root, 0)
    setup_text = write_setup(ruleset, setup, {**names})
    head = chain.first_head(
        protocol=luck.PROTOCOL,
        campaign=str(campaign),
        scene=str(scene),
        ruleset=ruleset.key,
        kind=kind.key,
        version=ruleset.version_of(kind),
        anchor=anchor,
        setup=chain.setup_digest(salt, setup_text.decode()),
        carried=carried,
    )
    row = Scene(
        campaign_id=campaign,
        id=scene,
        title=setup.brief.title,
        ruleset=ruleset.key,
        kind=kind.key,
        rules_version=ruleset.version_of(kind),
        status="open",
        settings=ruleset.settings.dump_python(setup.settings, mode="json"),
        setup=vault.encrypt(setup_text, f"{place}/setup"),
        setup_salt=vault.encrypt(salt, f"{place}/setup-salt"),
        state=vault.encrypt(kind.state.dump_json(state), f"{place}/state"),
        last_event=0,
        orders=0,
        changes=0,
        root=vault.encrypt(root, f"{place}/root"),
        anchor=anchor,
        carried=dict(carried),
        head=head,
        records=0,
        public_events=0,
        links_used=0,
        protocol=luck.PROTOCOL,
        hidden_closings=0,
        untold=[],
        desk_draws=0,
        thread=luck.first_thread(anchor),
    )
    session.add(row)
    await session.flush()
    now = (await session.execute(select(func.statement_timestamp()))).scalar_one()
    seats = [
        seating.new_seat(row, seat, position, names[seat], slugs)
        for position, (seat, slugs) in enumerate(setup.brief.seats.items())
    ]
    return LoadedScene(
        row=row, campaign=campaign, id=scene, seats=seats, ruleset=ruleset, kind=kind, vault=vault, state=state, now=now
    )


def _spoken(thing: str) -> str:
    what, _, name = thing.partition("/")
    return name.capitalize() if what == "character" else f"the {name.replace('deck/', 'deck of the ')}"


def _first_fault(wrong: ValidationError) -> str:
    where, words = next(iter(faults_of(wrong, dotted).items()))
    return f"{where}: {words}" if where else words
