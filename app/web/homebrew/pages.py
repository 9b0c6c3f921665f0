"""Pages of a campaign's homebrew: each thing in words for members who may read it, and its form for GMs."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import homebrew as things_of
from app.engine.ruleset import Homebrew, HomebrewKind, Ruleset
from app.errors import NotThere
from app.models.people import HomebrewItem
from app.rulesets import games
from app.web.forms.reading import EMPTY, Form, TypedPairs, read
from app.web.homebrew.form import ROOT, OwnForm
from app.web.http.seat_session import CurrentSeat, GmSeat, SeatSession, changing, sessions
from app.web.http.templating import render, ruleset_template

router = APIRouter(prefix="/c/{slug}/{handle}/own")

NOTICES = {
    "added": "Added to your homebrew. New scenes can use it.",
    "changed": "Homebrew changed. Scenes that are already open keep the old version.",
    "deleted": "Homebrew deleted. Scenes that are already open keep it.",
}
AGAIN = ("more", "make")
"""Presses that bring the form again, and save nothing."""
MAKE = "make."


@dataclass(frozen=True, slots=True)
class Entry:
    """One homebrew thing on the list; without `lines` if it no longer fits the rules. `drawn` is for its card."""

    key: str
    name: str
    lines: tuple[str, ...]
    drawn: Any = None


@dataclass(frozen=True, slots=True)
class Shelf:
    """One kind of a ruleset's things."""

    rules: Ruleset[Any, Any]
    kind: str
    own: HomebrewKind
    entries: tuple[Entry, ...]


def shelves(rules: Ruleset[Any, Any], rows: list[HomebrewItem], *, gm: bool) -> list[Shelf]:
    """The homebrew of a ruleset by kind; what only GMs may read is left out for other members."""
    things = things_of.read(rules.homebrew, rows)
    found = [
        Shelf(
            rules,
            kind,
            own,
            tuple(
                _entry(row, own, things)
                for row in rows
                if row.kind == kind and (gm or _readable(own, things[kind].get(row.key)))
            ),
        )
        for kind, own in rules.homebrew.items()
    ]
    return [shelf for shelf in found if gm or shelf.own.scene is None or shelf.entries]


def _readable(own: HomebrewKind, thing: Any) -> bool:
    """Whether players may read a thing."""
    return own.scene is None or (own.shown is not None and thing is not None and own.shown(thing))


def _entry(row: HomebrewItem, own: HomebrewKind, things: Homebrew) -> Entry:
    thing = things[row.kind].get(row.key)
    name = str(row.data.get("name", row.key))
    if thing is None:
        return Entry(row.key, name, ())
    return Entry(row.key, name, own.text(thing, things), own.pages.card and own.pages.context(row.data))


async def offered(session: AsyncSession, seated: SeatSession) -> list[Shelf]:
    """The shelves that a member's pages link to: of the campaign's usual rules, and of others with things on them.
    For members who cannot add things, only shelves with things on them."""
    found: list[Shelf] = []
    for rules in games():
        if rules.homebrew:
            rows = list(await things_of.rows(session, seated.campaign.id, rules.key))
            here = shelves(rules, rows, gm=seated.is_gm)
            usual = seated.is_gm and rules.key == seated.campaign.settings.get("ruleset")
            found += here if usual or any(shelf.entries for shelf in here) else []
    return found if seated.is_gm else [shelf for shelf in found if shelf.entries]


@router.get("")
async def page(request: Request, seated: CurrentSeat, rules: str = "", did: str = "") -> Response:
    """All shelves, or those of the rules named."""
    async with sessions(request)() as session:
        found = await offered(session, seated)
        named = next((one for one in games() if one.key == rules and one.homebrew), None)
        if named is not None:
            rows = list(await things_of.rows(session, seated.campaign.id, named.key))
            found = shelves(named, rows, gm=seated.is_gm)
    return render(request, "homebrew/list.html", seated=seated, shelves=found, notice=NOTICES.get(did, ""))


@router.get("/new")
async def new(request: Request, seated: GmSeat, rules: str = "", kind: str = "", like: str = "") -> Response:
    """An empty form, or one with a copy of a thing from the book or of the campaign's own."""
    ruleset, own = _kind(rules, kind)
    value: Any = dict(own.sample)
    if like in own.book:
        value = own.adapter.dump_python(own.book[like], mode="json")
    elif like:
        async with sessions(request)() as session:
            value = (await _row(session, seated, like, ruleset, kind)).data
    called = str(value.get("name", ""))
    return await _form(request, seated, ruleset, kind, {**value, "name": ""}, copied=called)


@router.post("")
async def add(request: Request, seated: GmSeat) -> Response:
    typed = await read(request)
    ruleset, own = _kind(typed.get("ruleset"), typed.get("kind"))
    kind = typed.get("kind")
    form = await _open(request, seated, ruleset, own)
    if (did := typed.get("_do")) in AGAIN:
        shape, faults = _again(own, form, typed, did)
        return await _form(request, seated, ruleset, kind, shape, faults, typed=typed)
    data, shape, faults = form.taken(typed)
    sent: Form[Any] = Form(typed, data, faults)
    with sent.refusing(at=_place):
        sent.checked()
        async with changing(request, seated.campaign.id) as session:
            await things_of.add(session, seated.campaign, ruleset, kind, data)
        return RedirectResponse(f"{seated.base}/own?rules={ruleset.key}&did=added#{kind}", 303)
    return await _form(request, seated, ruleset, kind, shape, sent.faults, typed=typed, status=sent.status)


@router.get("/{thing}")
async def edit(request: Request, seated: GmSeat, thing: str) -> Response:
    async with sessions(request)() as session:
        row, ruleset, _ = await _found(session, seated, thing)
    return await _form(request, seated, ruleset, row.kind, row.data, row=row)


@router.post("/{thing}")
async def change(request: Request, seated: GmSeat, thing: str) -> Response:
    """Save the changes, or show the form again with its faults and everything that was typed."""
    async with sessions(request)() as session:
        row, ruleset, own = await _found(session, seated, thing)
    typed = await read(request)
    form = await _open(request, seated, ruleset, own)
    if (did := typed.get("_do")) in AGAIN:
        shape, faults = _again(own, form, typed, did)
        return await _form(request, seated, ruleset, row.kind, shape, faults, row=row, typed=typed)
    data, shape, faults = form.taken(typed, thing)
    sent: Form[Any] = Form(typed, data, faults)
    with sent.refusing(at=_place):
        sent.checked()
        async with changing(request, seated.campaign.id) as session:
            await things_of.change(session, seated.campaign.id, thing, typed.number("version"), own, data)
        return RedirectResponse(f"{seated.base}/own?rules={ruleset.key}&did=changed#{row.kind}", 303)
    return await _form(request, seated, ruleset, row.kind, shape, sent.faults, row=row, typed=typed, status=sent.status)


@router.post("/{thing}/delete")
async def delete(request: Request, seated: GmSeat, thing: str) -> Response:
    """Delete a thing, if the confirming page listed everything that refers to it."""
    async with sessions(request)() as session:
        row, ruleset, _ = await _found(session, seated, thing)
    sent: Form[Any] = Form(await read(request))
    with sent.refusing(at=lambda _: "delete"):
        async with changing(request, seated.campaign.id) as session:
            await things_of.remove(session, row, ruleset, frozenset(sent.typed.get("told").split()))
        return RedirectResponse(f"{seated.base}/own?rules={ruleset.key}&did=deleted#{row.kind}", 303)
    return await _form(request, seated, ruleset, row.kind, row.data, sent.faults, row=row, status=sent.status)


def _kind(rules: str, kind: str) -> tuple[Ruleset[Any, Any], HomebrewKind]:
    ruleset = next((one for one in games() if one.key == rules), None)
    if ruleset is None or kind not in ruleset.homebrew:
        raise NotThere("You cannot add that kind of homebrew.", "The homebrew page lists what you can add.")
    return ruleset, ruleset.homebrew[kind]


async def _found(
    session: AsyncSession, seated: SeatSession, thing: str
) -> tuple[HomebrewItem, Ruleset[Any, Any], HomebrewKind]:
    row = await things_of.get_item(session, seated.campaign.id, thing)
    ruleset, own = _kind(row.ruleset, row.kind)
    return row, ruleset, own


async def _row(
    session: AsyncSession, seated: SeatSession, thing: str, ruleset: Ruleset[Any, Any], kind: str
) -> HomebrewItem:
    row = await things_of.get_item(session, seated.campaign.id, thing)
    if (row.ruleset, row.kind) != (ruleset.key, kind):
        raise NotThere("There is nothing by that name to copy.", "Choose one of the options.")
    return row


def _again(own: HomebrewKind, form: OwnForm, typed: TypedPairs, did: str) -> tuple[Any, Mapping[str, str]]:
    """The form as typed, and after "make" with what the rules put into it; with what is wrong with their fields."""
    shape = form.typed(typed)[0]
    if did == "more" or own.pages.make is None or not isinstance(shape, dict):
        return shape, {}
    said = {name.removeprefix(MAKE): text for name, text in typed.pairs if name.startswith(MAKE)}
    made, faults = own.pages.make(said, secrets.token_hex(3))
    return {**shape, **made}, {f"{MAKE}{name}": words for name, words in faults.items()}


def _place(field: str) -> str:
    return f"{ROOT}.{field}" if field else ""


async def _open(request: Request, seated: SeatSession, ruleset: Ruleset[Any, Any], own: HomebrewKind) -> OwnForm:
    async with sessions(request)() as session:
        rows = await things_of.rows(session, seated.campaign.id, ruleset.key)
    return OwnForm(own, things_of.read(ruleset.homebrew, rows))


async def _form(
    request: Request,
    seated: SeatSession,
    ruleset: Ruleset[Any, Any],
    kind: str,
    value: Any,
    faults: Mapping[str, str] | None = None,
    *,
    row: HomebrewItem | None = None,
    typed: TypedPairs = EMPTY,
    copied: str = "",
    status: int = 200,
) -> Response:
    own, missed = ruleset.homebrew[kind], dict[str, str]()
    form = await _open(request, seated, ruleset, own)
    if row is not None:
        async with sessions(request)() as session:
            missed = await things_of.missed_by(session, row, ruleset)
    said = dict(faults or {})
    return render(
        request,
        "homebrew/form.html",
        status,
        seated=seated,
        rules=ruleset,
        kind=kind,
        own=own,
        row=row,
        action=f"{seated.base}/own{f'/{row.key}' if row else ''}",
        version=typed.get("version") or (row.version if row else 0),
        root=form.fields(value, {name: words for name, words in said.items() if name.startswith(ROOT)}),
        faults=said,
        missed=missed,
        copied=copied,
        drawn=own.pages.context(value if isinstance(value, Mapping) else {}),
        made={name: text for name, text in typed.pairs if name.startswith(MAKE)},
        layout=ruleset.homebrew[kind].form and ruleset_template(ruleset, "", ruleset.homebrew[kind].form),
    )
