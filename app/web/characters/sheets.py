"""Character sheets: reading, editing, creating; read-only while a scene holds the character."""

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, Field, ValidationError
from sqlalchemy.ext.asyncio import AsyncSession

from app import rulesets
from app.campaign import (
    character_visibility,
    characters,
    downtime,
    goals,
    heroes,
    homebrew,
    names,
    promoting,
    seats,
    tokens,
)
from app.engine.ruleset import Faults, Homebrew, Ruleset
from app.errors import NotThere, NotYours, Refusal
from app.models.people import Character, Member, Role
from app.web.calendar.house_rules import coming
from app.web.characters.downtime import cared
from app.web.characters.history import life
from app.web.forms.reading import Form, Version, fill, read
from app.web.forms.rows import RowsPressed, rows_pressed
from app.web.forms.schema import ROOT, SheetForm
from app.web.http.seat_session import CurrentSeat, SeatSession, changing, sessions
from app.web.http.templating import render, ruleset_template

router = APIRouter(prefix="/c/{slug}/{handle}/characters")

NOTICES = {
    "made": "Character created.",
    "rolled": "Character rolled. All the dice are shown below.",
    "kept": "Sheet saved.",
    "grown": "Level up! The dice are shown below.",
    "aside": "Character retired.",
    "back": "Character brought back.",
    "handed": "Character handed over. Sealed declarations stay sealed.",
    "promoted": "Confirmed: this is a player's character now.",
    "asked": "Request sent. The character is yours as soon as a GM confirms it.",
    "noted": "Notes saved.",
    "aided": "Saved. The care has changed, too.",
    "later": "Days can pass in the meantime.",
    "waits": "Time waits until you choose your next character.",
    "cared": "Care saved. It applies from now on.",
    "wanted": "Goals saved. Nobody else can read them.",
}


NO_BUTTON = "That is not one of this page's buttons. Press one of these."


class Head(BaseModel):
    """The fields of a sheet's form besides the sheet itself; `name` is used only if the sheet has no name field."""

    ruleset: Annotated[str, Field(max_length=40)] = ""
    name: names.OptionalName = ""
    owner: Annotated[str, Field(max_length=60)] = ""
    version: Version = 0


@router.get("/new")
async def new(request: Request, seated: CurrentSeat, ruleset: str = "", sample: str = "") -> Response:
    """An empty sheet, or one of the ruleset's own characters to start from."""
    may_make(seated)
    rules = rules_of(ruleset) if ruleset else usual_rules(seated)
    started = samples(rules).get(sample) or (rules.sheet_pages.blank and rules.sheet_pages.blank())
    return await _form(request, seated, rules, started, Form(), sample=sample)


async def show_new(
    request: Request,
    seated: SeatSession,
    rules: Ruleset[Any, Any],
    *,
    status: int,
    rolling: Form[Any] | None = None,
    wishing: Form[Any] | None = None,
    taking: Form[Any] | None = None,
) -> Response:
    """The page for a new sheet, with the text of a refused roll, wish or choice of a ready-made hero."""
    forms = {"rolling": rolling, "wishing": wishing, "taking": taking}
    return await _form(request, seated, rules, None, Form(), status=status, **forms)


@router.post("")
async def make(request: Request, seated: CurrentSeat) -> Response:
    may_make(seated)
    typed = await read(request)
    rules = rules_of(typed.get("ruleset"))
    if pressed := rows_pressed(typed):
        return await _with_rows(request, seated, rules, pressed)
    form = fill(Head, typed)
    sheet, shape, name = _read(rules, form)
    with form.refusing(NotThere):
        to = form.checked().owner
        async with changing(request, seated.campaign.id) as session:
            owner = await first_owner(session, seated, to)
            made = await characters.create(session, seated.campaign, name, rules.key, sheet, owner, seated.member)
        return RedirectResponse(f"{seated.base}/characters/{made.slug}?did=made", 303)
    return await _form(request, seated, rules, shape, form, status=form.status)


async def first_owner(session: AsyncSession, seated: SeatSession, handle: str) -> Member | None:
    """The owner of a new character: the player who makes it, or a GM's choice; None means the GMs."""
    if not seated.is_gm:
        return seated.member
    owner = await seats.member_by_handle(session, seated.campaign.id, handle) if handle else None
    if owner is not None and owner.role == Role.SPECTATOR:
        raise Refusal(f"{owner.name} only watches. Make them a player first.", field="owner")
    return owner


@router.get("/{who}")
async def page(request: Request, seated: CurrentSeat, who: str, did: str = "") -> Response:
    return await show(request, seated, who, notice=NOTICES.get(did, ""))


async def show(
    request: Request,
    seated: SeatSession,
    who: str,
    status: int = 200,
    *,
    notice: str = "",
    wrong: str = "",
    cares: Any = None,
    **forms: Form[Any],
) -> Response:
    """A character's page; `forms` are its refused forms (handing, promoting, choosing, noting, wanting, caring),
    `cares` the choices of the last."""
    async with sessions(request)() as session:
        character = await character_visibility.find(session, seated.member, who)
        members = await seats.members(session, seated.campaign.id)
        held = await character_visibility.holdings(session, seated.member)
        rules = rules_of(character.ruleset)
        context = await life(session, seated, character, rules)
        things = await _things(session, seated, rules)
        company = await downtime.company(session, seated.member, character)
        context["wanted"] = None
        if goals.has(character, seated.member):
            context["wanted"] = await goals.read(session, request.app.state.runtime.vault, character, seated.member)
    context |= {
        name: forms.get(name, Form()) for name in ("handing", "promoting", "choosing", "noting", "wanting", "caring")
    }
    care = cared(seated, character, rules, company, held, context["caring"], cares)
    context |= {"cared": care, "foretold": await coming(request, seated, who) if care and care.foretold else []}
    sheet = _valid(rules, character.sheet)
    return render(
        request,
        "characters/character.html",
        status,
        seated=seated,
        character=character,
        owner=next((member for member in members if member.id == character.owner_id), None),
        members=members,
        holding=held.get(character.slug),
        mine=characters.editable_by(character, seated.member),
        rules=rules,
        sheet=sheet,
        own=ruleset_template(rules, "", rules.sheet_pages.page) if rules.sheet_pages.page and sheet is not None else "",
        sheet_context=rules.sheet_pages.context(sheet, things) if sheet is not None else None,
        root=SheetForm(rules.character).sight(character.sheet),
        notice=notice,
        wrong=wrong,
        **context,
    )


@router.get("/{who}/edit")
async def edit(request: Request, seated: CurrentSeat, who: str) -> Response:
    character = await _mine(request, seated, who)
    return await _form(request, seated, rules_of(character.ruleset), character.sheet, Form(), character=character)


@router.post("/{who}")
async def keep(request: Request, seated: CurrentSeat, who: str) -> Response:
    """Save the sheet; refused with the typed text preserved if a scene holds it or another edit came first."""
    character = await _mine(request, seated, who)
    typed = await read(request)
    rules = rules_of(character.ruleset)
    if pressed := rows_pressed(typed):
        return await _with_rows(request, seated, rules, pressed, character)
    form = fill(Head, typed)
    sheet, shape, name = _read(rules, form)
    with form.refusing():
        version = form.checked().version
        before = _valid(rules, character.sheet)
        if before is not None:
            after = rules.rewrite(before, rules.character.validate_python(sheet))
            sheet = rules.character.dump_python(after, mode="json")
        async with changing(request, seated.campaign.id) as session:
            await characters.edit(session, character, version, name, sheet, seated.member)
        return RedirectResponse(f"{seated.base}/characters/{character.slug}?did=kept", 303)
    return await _form(request, seated, rules, shape, form, character=character, status=form.status)


@router.post("/{who}/aside")
async def lay_aside(request: Request, seated: CurrentSeat, who: str) -> Response:
    return await _retire(request, seated, who, retired=True)


@router.post("/{who}/back")
async def take_back(request: Request, seated: CurrentSeat, who: str) -> Response:
    return await _retire(request, seated, who, retired=False)


async def _retire(request: Request, seated: SeatSession, who: str, *, retired: bool) -> Response:
    character, form = await _mine(request, seated, who), Form[Any]()
    with form.refusing():
        async with changing(request, seated.campaign.id) as session:
            await characters.retire(session, character, seated.member, retired=retired)
        return RedirectResponse(f"{seated.base}/characters/{who}?did={'aside' if retired else 'back'}", 303)
    return await show(request, seated, who, form.status, wrong=form.wrong)


async def _with_rows(
    request: Request,
    seated: SeatSession,
    rules: Ruleset[Any, Any],
    pressed: RowsPressed,
    character: Character | None = None,
) -> Response:
    """The form as typed, with the rows that were asked for; nothing is checked yet, and the version stays."""
    form = fill(Head, pressed.typed)
    _, shape, _ = _read(rules, form)
    form.faults.clear()
    version = pressed.typed.number("version")
    return await _form(request, seated, rules, shape, form, character=character, spare=pressed.spare, version=version)


async def _form(
    request: Request,
    seated: SeatSession,
    rules: Ruleset[Any, Any],
    sheet: Any,
    form: Form[Head],
    *,
    character: Character | None = None,
    sample: str = "",
    rolling: Form[Any] | None = None,
    wishing: Form[Any] | None = None,
    taking: Form[Any] | None = None,
    spare: int | None = None,
    version: int | None = None,
    status: int = 200,
) -> Response:
    """The sheet's form, for a new character or an existing one."""
    async with sessions(request)() as session:
        members = await seats.members(session, seated.campaign.id)
        held = await characters.in_scenes(session, seated.campaign.id)
        current = character and await character_visibility.find(session, seated.member, character.slug)
        things = await _things(session, seated, rules)
        asks = character is None and not seated.is_gm
        offers = await promoting.offered(session, seated.member) if asks else ()
    sheet_form = SheetForm(rules.character)
    fits = _valid(rules, sheet)
    if fits is None and current is not None:
        fits = _valid(rules, current.sheet)
    return render(
        request,
        "characters/form.html",
        status,
        seated=seated,
        character=current,
        holding=held.get(character.slug) if character else None,
        rules=rules,
        choices=rulesets.games(),
        heroes=heroes.offered(rules),
        sample=sample,
        taking=taking or Form(),
        rolling=rolling or Form(),
        wishing=wishing or Form(),
        offers=offers,
        once=(rolling and rolling.typed.get("_once")) or tokens.fresh(),
        form=form,
        faults=form.faults,
        members=[member for member in members if member.role != Role.SPECTATOR],
        has_name=sheet_form.has_name,
        root=sheet_form.fields(sheet if sheet is not None else {}, _sheet_faults(form.faults), spare),
        rows_at=f"{seated.base}/characters{f'/{character.slug}' if character else ''}",
        version=version if version is not None else current.version if current else 0,
        own=rules.sheet_pages.form and ruleset_template(rules, "", rules.sheet_pages.form),
        sheet_context=rules.sheet_pages.context(fits, things),
    )


async def _things(session: AsyncSession, seated: SeatSession, rules: Ruleset[Any, Any]) -> Homebrew:
    """The campaign's homebrew for these rules that every member may read."""
    kinds = {key: kind for key, kind in rules.homebrew.items() if kind.scene is None}
    return homebrew.read(kinds, await homebrew.rows(session, seated.campaign.id, rules.key)) if kinds else {}


def _valid(rules: Ruleset[Any, Any], sheet: Any) -> Any:
    """The sheet as the rules read it; None if it does not fit."""
    try:
        return rules.character.validate_python(sheet)
    except ValidationError:
        return None


def _read(rules: Ruleset[Any, Any], form: Form[Head]) -> tuple[Any, Any, str]:
    """(the sheet to store, the typed one in its shape, the character's name); adds faults to the form."""
    sheet_form = SheetForm(rules.character)
    sheet, shape, faults = sheet_form.read(form.typed)
    form.faults.update(faults)
    if not sheet_form.has_name:
        name, place = form.typed.get("name"), "name"
    else:
        name, place = str(shape.get("name") or "") if isinstance(shape, Mapping) else "", f"{ROOT}.name"
    try:
        name = names.line(name)
        said = "Fill this in." if not name else "At most 60 characters." if len(name) > 60 else ""
    except ValueError as wrong:
        said = str(wrong)
    if said:
        form.faults.setdefault(place, said)
    return sheet, shape, name


def _sheet_faults(faults: Faults) -> Faults:
    return {name: said for name, said in faults.items() if name == ROOT or name.startswith(f"{ROOT}.")}


async def character_of(request: Request, seated: SeatSession, who: str) -> Character:
    """The character that an address names. Raises `NotThere` if this member knows of none."""
    async with sessions(request)() as session:
        return await character_visibility.find(session, seated.member, who)


async def _mine(request: Request, seated: SeatSession, who: str) -> Character:
    character = await character_of(request, seated, who)
    if not characters.editable_by(character, seated.member):
        raise NotYours(f"You cannot change {character.name}'s sheet.", "Ask its player or a GM.")
    return character


def may_make(seated: SeatSession) -> None:
    if seated.role == Role.SPECTATOR:
        raise NotYours("You watch this campaign, so you have no characters here.", "A GM can make you a player.")


def usual_rules(seated: SeatSession) -> Ruleset[Any, Any]:
    return rules_of(seated.campaign.settings.get("ruleset", ""))


def rules_of(key: str) -> Ruleset[Any, Any]:
    found = next((ruleset for ruleset in rulesets.games() if ruleset.key == key), None)
    if found is None:
        raise NotThere("This server does not have those rules.", "Choose one of its rulesets.")
    return found


def samples(rules: Ruleset[Any, Any]) -> Mapping[str, Any]:
    """The ruleset's own heroes by name, as sheets to start from; empty if it has none."""
    return {key: rules.character.dump_python(sheet, mode="json") for key, sheet in rules.heroes().items()}
