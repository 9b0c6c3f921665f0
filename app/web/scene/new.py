"""The form for a new scene: its seats, its settings, and the place and foes as the rules need them.

A GM opens the scene with it, or keeps it for later (app/campaign/prepared.py).
"""

import re
import uuid
from collections.abc import Iterable, Mapping
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import TypeAdapter, ValidationError
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app import rulesets
from app.almanac import calendar_state as books
from app.almanac import entries
from app.almanac.entries import BriefTyped
from app.almanac.visibility import Occurrence
from app.campaign import character_visibility, characters, names, notes, prepared, seats, tokens
from app.campaign import homebrew as things
from app.engine import muster
from app.engine.ruleset import Brief, Faults, Ruleset, SceneKind
from app.engine.sentences import and_list
from app.errors import NotThere, Refusal
from app.models.people import Character
from app.models.scenes import Scene
from app.play import next_up
from app.rulesets import games
from app.table import inner_scenes
from app.table.bus import EVERYBODY
from app.table.envelopes import unwritable
from app.table.loaded_scene import LoadedScene
from app.table.loaded_scene import read as read_scene
from app.table.opening import HeldCharacters, InUse, open_scene
from app.table.repeating import Repeat, read_repeat, read_start
from app.table.runtime import Runtime
from app.web.forms.entry_briefs import AnyKind, Unshown, fields_of, filled, in_full, rules_of, unshown
from app.web.forms.reading import FormValues, faults_in, nested, read
from app.web.http.seat_session import GmSeat, SeatSession, changing
from app.web.http.templating import render
from app.web.scene.plan import Outer, Plan, id_of, seats_of, text_of

router = APIRouter(prefix="/c/{slug}/{handle}/scenes")

MOST_TITLE = 120
MOST_NOTES = 20_000
HELD: tuple[HeldCharacters, ...] = ("wait", "copy", "fresh")


@router.get("/new")
async def blank(request: Request, seated: GmSeat) -> Response:
    """The form, empty, filled in from an entry of the calendar (`entry`), for once more the same (`again`), as it was
    kept for later (`prepared`), or for a scene inside another one (`outer`)."""
    if (prepared_id := id_of(request.query_params.get("prepared", ""))) is not None:
        return await _show(request, seated, await prepared_plan(request, seated, prepared_id), keep_ticks=True)
    if again := await _repeat(request, seated, request.query_params.get("again", "")):
        plan = _repeating(again, FormValues(title=again.next_title, seat=list(again.characters), again=str(again.id)))
        if seated.campaign.demo or request.query_params.get("start"):
            plan.form = FormValues({**plan.form, "start": "yes"})
        return await _show(request, seated, plan, keep_ticks=plan.as_at_start)
    if found := await _outer(request, seated, request.query_params.get("outer", "")):
        ruleset, outer = found
        plan = Plan(ruleset, _kind(ruleset, request.query_params.get("kind", ""), but=outer.kind), outer=outer)
        chosen = request.query_params.getlist("seat")
        seats = [slug for slug in outer.cast if slug in chosen] or list(outer.cast)
        plan.form = FormValues({**_typed(request), "seat": seats, "outer": str(outer.id)})
        if outer.why_not:
            plan.faults[""] = outer.why_not
        return await _show(request, seated, plan)
    ruleset = _ruleset(request.query_params.get("ruleset") or seated.campaign.settings.get("ruleset", ""))
    plan = Plan(ruleset, _kind(ruleset, request.query_params.get("kind", "")))
    entry = id_of(request.query_params.get("entry", ""))
    if entry is not None:  # filled in from the calendar's entry
        async with request.app.state.runtime.sessions() as session:
            one = await entries.get_entry(session, seated.campaign.id, seated.member, entry)
        rules = rules_of(one.brief)
        if rules is not None and request.query_params.get("kind", rules[1].key) == rules[1].key:
            return await _as_planned(request, seated, one, *rules)
        plan.form = FormValues(
            title=one.title, seat=list(one.people), entry=str(one.id), entry_version=str(one.version)
        )
    return await _show(request, seated, plan)


async def _as_planned(
    request: Request, seated: SeatSession, one: Occurrence, ruleset: Ruleset[Any, Any], kind: AnyKind
) -> Response:
    """The form filled in from an entry's brief. A first drawing tells which fields it has; it keeps the rest."""
    brief = in_full(BriefTyped.model_validate(one.brief).in_order(one.people), ruleset, kind)
    plan = Plan(ruleset, kind)
    about = {"title": one.title, "seat": [slug for who in brief.seats.values() for slug in who]}
    about |= {"entry": str(one.id), "entry_version": str(one.version), "planned": "yes"}
    plan.form = FormValues({**about, **filled(brief)})
    drawn = await _show(request, seated, plan, keep_ticks=True)
    shown = fields_of(bytes(drawn.body).decode())
    plan.form, plan.unshown = FormValues({**about, **filled(brief, shown)}), unshown(brief, shown)
    await name_missing(request, seated, plan)
    return await _show(request, seated, plan, keep_ticks=True)


@router.post("/new")
async def open_it(request: Request, seated: GmSeat) -> Response:
    """Open the scene or keep it for later, or show the form again with its faults and everything that was typed."""
    form = await read(request)
    again = await _repeat(request, seated, form.get("again"))
    plan = _plan(form.pairs, seated, again)
    if found := await _outer(request, seated, form.get("outer")):
        plan.outer = found[1]
    if text_of(plan.form, "_heal"):
        return await _heal(request, seated, plan)
    if press := text_of(plan.form, "_muster"):
        return await _regroup(request, seated, plan, press)
    if text_of(plan.form, "_keep"):
        return await _keep(request, seated, plan, prepared.without_buttons(form.pairs))
    plan.doubted = not plan.faults and plan.without_foes and "_doubt" in plan.form
    scene = None if plan.doubted else await try_open(request, seated, plan)
    if scene is None:
        return await show_again(request, seated, plan)
    return RedirectResponse(f"{seated.base}/scene/{scene}", status_code=303)


async def try_open(request: Request, seated: SeatSession, plan: Plan) -> uuid.UUID | None:
    """Opens the scene and returns its id, or None where the plan has faults, which it then names. A prepared scene is
    opened once: whoever presses again gets the same scene."""
    runtime: Runtime = request.app.state.runtime
    if plan.faults:
        return None
    try:
        async with runtime.sessions.begin() as session:
            if plan.prepared is not None:
                row = await prepared.hold(session, runtime.vault, seated.member, plan.prepared)
                if row.opened_as is not None:
                    return row.opened_as
            if plan.outer is not None:
                async with runtime.joined(session, seated.campaign.id, plan.outer.id) as live:
                    scene = await _opened(session, runtime, seated, plan, live)
            else:
                scene = await _opened(session, runtime, seated, plan)
            if plan.prepared is not None:
                await prepared.opened(session, seated.member, plan.prepared, scene)
            await runtime.bus.publish(session, seated.campaign.id, EVERYBODY)
        return scene
    except InUse as taken:
        plan.in_use = taken.text
    except Refusal as refusal:
        plan.faults[""] = refusal.text
    return None


async def _opened(
    session: AsyncSession, runtime: Runtime, seated: SeatSession, plan: Plan, outer: LoadedScene | None = None
) -> uuid.UUID:
    """The new scene, with its entry of the calendar and the GM's text as its notes."""
    entry = plan.entry
    if entry is not None:  # `link` needs the calendar's lock below, after the characters' locks
        await books.hold(session, runtime.vault, seated.campaign.id)
    scene = await _open(session, runtime, seated, plan, outer)
    if entry is not None:
        where = (runtime.vault, seated.campaign.id, *entry, scene, seated.member)
        await next_up.link(session, *where)
    if text := names.prose(text_of(plan.form, "notes")):
        await notes.write(session, seated.campaign.id, seated.member, text, 0, f"scene/{scene}")
    return scene


async def _keep(request: Request, seated: SeatSession, plan: Plan, pairs: prepared.Pairs) -> Response:
    """Keep the form for later. It needs no characters yet, and they may be in another scene now."""
    runtime: Runtime = request.app.state.runtime
    if not seats_of(plan.form):
        plan.faults.pop("seat", None)
    await name_missing(request, seated, plan)
    if not plan.faults:
        try:
            async with changing(request, seated.campaign.id) as session:
                if plan.prepared is None:
                    key = tokens.derive_id(plan.once, f"prepared/{seated.member.id}")
                    await prepared.add(session, runtime.vault, seated.member, pairs, key)
                else:
                    where = (session, runtime.vault, seated.member, plan.prepared)
                    await prepared.change(*where, pairs, plan.version)
            return RedirectResponse(f"{seated.base}/desk?did=kept#prepared", 303)
        except Refusal as refusal:
            plan.faults[""] = refusal.text
    return await show_again(request, seated, plan)


async def prepared_plan(request: Request, seated: SeatSession, prepared_id: uuid.UUID) -> Plan:
    """The plan of a prepared scene, with what no longer fits among its faults. Raises NotThere if there is none."""
    runtime: Runtime = request.app.state.runtime
    async with runtime.sessions() as session:
        row = await prepared.find(session, runtime.vault, seated.member, prepared_id)
    again = await _repeat(request, seated, text_of(nested(row.pairs), "again"))
    plan = _plan(row.pairs, seated, again)
    plan.prepared, plan.version = row.id, row.version
    wanted = (text_of(plan.form, "ruleset"), text_of(plan.form, "kind"))
    if not again and wanted != (plan.ruleset.key, plan.kind.key):
        plan.faults[""] = f"This scene was prepared for rules that are not here any more: {' '.join(wanted)}."
    await name_missing(request, seated, plan)
    return plan


async def name_missing(request: Request, seated: SeatSession, plan: Plan) -> None:
    """Adds a fault for chosen characters that can take part no more: retired, or made for other rules."""
    async with request.app.state.runtime.sessions() as session:
        there = {row.slug for row, _ in await _cast(session, seated, plan)}
        called = await character_visibility.known_names(session, seated.member)
    gone = [called.get(slug, slug) for slug in seats_of(plan.form) if slug not in there]
    if gone:
        plan.faults["seat"] = f"{and_list(gone)} can’t take part: retired, or made for other rules."


async def show_again(request: Request, seated: SeatSession, plan: Plan) -> Response:
    """The form as typed, with its faults."""
    return await _show(request, seated, plan, status=422)


async def _heal(request: Request, seated: SeatSession, plan: Plan) -> Response:
    """Heal all characters that are down and in no scene, and show the form again as typed, with them seated."""
    async with changing(request, seated.campaign.id) as session:
        cast = await _cast(session, seated, plan)
        for row, whole in await _down(session, seated, plan.ruleset, cast):
            sheet = plan.ruleset.character.dump_python(whole, mode="json")
            await characters.edit(session, row, row.version, row.name, sheet, seated.member)
            plan.healed.append(row.name)
            plan.form = FormValues({**plan.form, "seat": [*seats_of(plan.form), row.slug]})
    plan.faults = {}
    return await _show(request, seated, plan)


async def _regroup(request: Request, seated: SeatSession, plan: Plan, press: str) -> Response:
    """Show the form again as typed, with a group of foes added, copied or removed."""
    rows = muster.regrouped(plan.groups, press)
    given = {**plan.form.get("given", {}), "muster": {str(number): row for number, row in enumerate(rows)}}
    plan.form = FormValues({**plan.form, "given": given})
    plan.faults = {}
    return await _show(request, seated, plan, keep_ticks=True)


def _typed(request: Request) -> FormValues:
    """What an address fills the form in with: fields of the opening."""
    pairs = request.query_params.multi_items()
    return nested([(name, text) for name, text in pairs if name.startswith("given.")])


async def _outer(request: Request, seated: SeatSession, scene: str) -> tuple[Ruleset[Any, Any], Outer] | None:
    """The scene that another one is to be opened out of, with its rules. Raises NotThere if there is none."""
    scene_id = id_of(scene)
    if scene_id is None:
        return None
    runtime: Runtime = request.app.state.runtime
    async with runtime.read_sessions() as session:
        live = await read_scene(session, runtime.vault, seated.campaign.id, scene_id)
    cast = tuple(slug for row in live.seats for slug in row.characters)
    return live.ruleset, Outer(live.id, live.row.title, live.kind.key, cast, inner_scenes.why_not(live))


async def _repeat(request: Request, seated: SeatSession, scene: str) -> Repeat | None:
    scene_id = id_of(scene)
    if scene_id is None:
        return None
    runtime: Runtime = request.app.state.runtime
    async with runtime.read_sessions() as session:
        return await read_repeat(session, runtime.vault, seated.campaign.id, scene_id)


def _repeating(again: Repeat, form: FormValues) -> Plan:
    """Raises NotThere for a scene that the form for a new scene does not open: a vote, or a draft of characters."""
    ruleset, kind = rulesets.find_kind(again.ruleset, again.kind)
    if kind.seats_are_people or not kind.pages.opening:
        raise NotThere("A scene of this kind begins on a page of its own.")
    return Plan(ruleset, kind, form, again=again)


def _plan(pairs: Iterable[tuple[str, str]], seated: SeatSession, again: Repeat | None) -> Plan:
    """Read the form: the ruleset's own types check settings and `given`, faults are named by field."""
    form = nested(pairs)
    ruleset = _ruleset(text_of(form, "ruleset") or seated.campaign.settings.get("ruleset", ""))
    plan = _repeating(again, form) if again else Plan(ruleset, _kind(ruleset, text_of(form, "kind")), form)
    plan.prepared, plan.once = id_of(text_of(form, "prepared")), text_of(form, "_once") or plan.once
    seen = text_of(form, "prepared_version")
    plan.version = int(seen) if re.fullmatch("[0-9]{1,9}", seen) else 0
    plan.faults = unwritable(pairs)
    plan.faults |= _notes_faults(form)
    try:
        plan.unshown = Unshown.read(text_of(form, "unshown"))
    except ValueError as wrong:
        plan.faults[""] = str(wrong)
    title = text_of(form, "title").strip()
    if len(title) > MOST_TITLE:
        plan.faults["title"] = f"That is {len(title)} characters; a title has at most {MOST_TITLE}."
    if not seats_of(form):
        plan.faults["seat"] = "Choose at least one character to take part."
    plan.faults |= _faults(plan.ruleset.settings, plan.settings, "settings")
    plan.faults |= _faults(plan.kind.given, plan.given, "given")
    return plan


def _notes_faults(form: Mapping[str, Any]) -> Faults:
    """The GM's text, which becomes the scene's notes."""
    try:
        length = len(names.prose(text_of(form, "notes")))
    except ValueError as wrong:
        return {"notes": str(wrong)}
    return {"notes": f"Shorten this: at most {MOST_NOTES:,} characters."} if length > MOST_NOTES else {}


async def _open(
    session: AsyncSession, runtime: Runtime, seated: SeatSession, plan: Plan, outer: LoadedScene | None
) -> uuid.UUID:
    brief = Brief(
        kind=plan.kind.key,
        title=text_of(plan.form, "title").strip() or await _usual_title(session, seated, plan.kind, plan.ruleset.key),
        seats=plan.seats,
        given=plan.kind.given.dump_python(plan.kind.given.validate_python(plan.given), mode="json"),
    )
    settings = plan.settings if isinstance(plan.settings, Mapping) else {}
    held: HeldCharacters = next((one for one in HELD if one == text_of(plan.form, "held")), "wait")
    if outer is not None:
        return await inner_scenes.open_inner(session, outer, seated.member, brief, settings, held)
    start = None
    if plan.again is not None and plan.as_at_start:
        start = await read_start(session, runtime.vault, seated.campaign.id, plan.again.id)
    return await open_scene(
        session,
        runtime.vault,
        seated.campaign.id,
        plan.ruleset.key,
        brief,
        settings,
        held=held,
        start=start,
        has_entry=plan.entry is not None,
    )


async def _usual_title(
    session: AsyncSession, seated: SeatSession, kind: SceneKind[Any, Any, Any, Any, Any, Any], ruleset: str
) -> str:
    """The title of a scene whose GM types none: "Battle 3" for the campaign's third battle."""
    same = (Scene.campaign_id == seated.campaign.id, Scene.ruleset == ruleset, Scene.kind == kind.key)
    before = await session.scalar(select(func.count()).select_from(Scene).where(*same)) or 0
    name = kind.title.removeprefix("A ").removeprefix("An ")
    return f"{name[:1].upper()}{name[1:]} {before + 1}"


async def _show(
    request: Request, seated: SeatSession, plan: Plan, status: int = 200, *, keep_ticks: bool = False
) -> Response:
    runtime: Runtime = request.app.state.runtime
    async with runtime.sessions() as session:
        cast = await _cast(session, seated, plan)
        down = await _down(session, seated, plan.ruleset, cast)
        usual_title = await _usual_title(session, seated, plan.kind, plan.ruleset.key)
        own = plan.ruleset.homebrew and things.read(
            plan.ruleset.homebrew, await things.rows(session, seated.campaign.id, plan.ruleset.key)
        )
    unfit = {row.slug: why for row, _ in cast if (why := _unfit(plan.ruleset, row.sheet))}
    chosen = set(seats_of(plan.form)) if plan.form else {row.slug for row, owner in cast if owner is not None}
    if status == 200 and not keep_ticks:  # no refused choice to keep: characters unable to act are not preselected
        chosen -= set(unfit)
    return render(
        request,
        "scene/new.html",
        status_code=status,
        seated=seated,
        plan=plan,
        form=plan.form,
        faults=plan.faults,
        cast=cast,
        chosen=chosen,
        unfit=unfit,
        down=[row.name for row, _ in down],
        rulesets=games(),
        own=own,
        usual_title=usual_title,
        called=muster.called,
        foes_at=f"{seated.base}/scenes/new",
    )


async def _cast(session: AsyncSession, seated: SeatSession, plan: Plan) -> list[tuple[Character, str | None]]:
    """The characters that could take part, with the names of their players."""
    members = {one.id: one.name for one in await seats.members(session, seated.campaign.id)}
    cast = [
        one for one in await character_visibility.known_characters(session, seated.member) if one.retired_at is None
    ]
    rows = sorted((one for one in cast if one.ruleset == plan.ruleset.key), key=lambda one: (one.made_at, one.name))
    return [(row, members.get(row.owner_id) if row.owner_id else None) for row in rows]


async def _down(
    session: AsyncSession, seated: SeatSession, ruleset: Ruleset[Any, Any], cast: Iterable[tuple[Character, str | None]]
) -> list[tuple[Character, Any]]:
    """The characters that a GM may heal here, each with its healed sheet: alive, down, and in no scene."""
    if ruleset.heal is None:
        return []
    held = await characters.in_scenes(session, seated.campaign.id)
    read = [(row, _sheet(ruleset, row.sheet)) for row, _ in cast if row.slug not in held]
    down = [(row, own) for row, own in read if own is not None and not ruleset.dead(own) and ruleset.unfit(own)]
    return [(row, ruleset.heal(own)) for row, own in down]


def _sheet(ruleset: Ruleset[Any, Any], sheet: Any) -> Any:
    try:
        return ruleset.character.validate_python(sheet)
    except ValidationError:
        return None


def _unfit(ruleset: Ruleset[Any, Any], sheet: Any) -> str:
    own = _sheet(ruleset, sheet)
    if own is None:
        return "with a sheet these rules cannot read"
    return "dead" if ruleset.dead(own) else ruleset.unfit(own)


def _ruleset(key: str) -> Ruleset[Any, Any]:
    return next((ruleset for ruleset in games() if ruleset.key == key), games()[0])


def _kind(ruleset: Ruleset[Any, Any], key: str, but: str = "") -> SceneKind[Any, Any, Any, Any, Any, Any]:
    """The kind of scene with that key; the ruleset's first one if there is none, if possible another than `but`."""
    kinds = [kind for kind in ruleset.kinds if not kind.seats_are_people]
    return next((kind for kind in kinds if kind.key == key), next((one for one in kinds if one.key != but), kinds[0]))


def _faults(adapter: TypeAdapter[Any], value: Any, prefix: str) -> Faults:
    return faults_in(adapter, value, lambda place: ".".join((prefix, *map(str, place))))
