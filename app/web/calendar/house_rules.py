"""House rules of time: a campaign's settings for its year, the order of its scenes, and the effects of days."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, Field, ValidationError
from sqlalchemy.ext.asyncio import AsyncSession

from app.almanac import calendar_state as books
from app.almanac.calendar_state import CalendarState
from app.almanac.forecast import foretold
from app.calendar.shape import MOST_MONTHS
from app.calendar.weather import CLIMATES, ClimateKey
from app.campaign import character_visibility, house_rules
from app.engine.ruleset import Faults, Ruleset
from app.errors import Refusal
from app.rulesets import RULESETS
from app.web.forms import schema
from app.web.forms.reading import Form, Version, fill, read
from app.web.forms.schema import SheetForm
from app.web.http.seat_session import GmSeat, SeatSession, changing, sessions
from app.web.http.templating import render

router = APIRouter(prefix="/c/{slug}/{handle}/calendar/rules")


class YearRulesForm(BaseModel):
    """The part of the form for the year, the order of scenes, and the weather."""

    turn_month: Annotated[int, Field(ge=1, le=MOST_MONTHS)]
    turn_day: Annotated[int, Field(ge=1, le=500)]
    at_turn: Literal["pass", "stop"]
    order: Literal["earliest", "clocks"]
    climate: ClimateKey | Literal[""] = ""
    version: Version


@dataclass(frozen=True, slots=True)
class Healing:
    """The settings for the days of one ruleset, as a form."""

    rules: Ruleset[Any, Any]
    form: SheetForm

    @classmethod
    def of(cls, rules: Ruleset[Any, Any]) -> "Healing":
        assert rules.days is not None and rules.days.settings is not None
        return cls(rules, SheetForm(rules.days.settings, root=f"days_{rules.key}"))

    def now(self, seated: SeatSession) -> Any:
        """The settings in force, with every field."""
        adapter = self.form.adapter
        try:
            settled = adapter.validate_python(house_rules.settled(seated.campaign, self.rules.key))
        except ValidationError:
            settled = adapter.validate_python({})
        return adapter.dump_python(settled, mode="json")


@router.get("")
async def page(request: Request, seated: GmSeat, did: str = "") -> Response:
    return await _show(request, seated, Form(), notice="House rules saved." if did == "settled" else "")


@router.post("")
async def settle(request: Request, seated: GmSeat) -> Response:
    """Save all settings at once; typed text is preserved on faults or if another change came first."""
    form = fill(YearRulesForm, await read(request))
    async with sessions(request)() as session:
        healings = await _healings(session, seated)
        book = await books.read(session, seated.campaign.id)
    chosen, typed = dict[str, Any](), dict[str, Any]()
    for one in healings:
        value, typed[one.rules.key], faults = one.form.read(form.typed)
        chosen[one.rules.key] = value
        form.faults |= faults
    with form.refusing():
        data, vault = form.checked(), request.app.state.runtime.vault
        settings = book.settings.model_copy(update=data.model_dump(exclude={"version"}))
        if data.turn_month > len(book.shape.months):
            raise Refusal("This calendar does not have that month.", "Choose one of the options.", field="turn_month")
        async with changing(request, seated.campaign.id) as session:
            await house_rules.settle(session, seated.campaign.id, chosen)
            await books.choose_settings(session, vault, seated.campaign.id, book.fog, settings, data.version)
        return RedirectResponse(f"{seated.base}/calendar/rules?did=settled", 303)
    return await _show(request, seated, form, form.status, typed=typed)


async def coming(request: Request, seated: SeatSession, who: str) -> list[tuple[str, str]]:
    """The effects of the coming days on a character as far as they are rolled ahead: dates and sentences."""
    async with sessions(request)() as session:
        book = await books.read(session, seated.campaign.id)
        found = await foretold(session, request.app.state.runtime.vault, seated.campaign.id, who)
    return [(book.count.said(one.day), one.text) for one in found]


async def _healings(session: AsyncSession, seated: SeatSession) -> list[Healing]:
    """The rulesets in use by the campaign whose days have settings."""
    used = {one.ruleset for one in await character_visibility.known_characters(session, seated.member)}
    used.add(str(seated.campaign.settings.get("ruleset", "")))
    offered = [rules for rules in RULESETS if rules.days is not None and rules.days.settings is not None]
    return [Healing.of(rules) for rules in offered if rules.key in used]


async def _show(
    request: Request,
    seated: SeatSession,
    form: Form[YearRulesForm],
    status: int = 200,
    *,
    typed: Any = None,
    notice: str = "",
) -> Response:
    async with sessions(request)() as session:
        healings = await _healings(session, seated)
        book = await books.read(session, seated.campaign.id)
    return render(
        request,
        "calendar/rules.html",
        status,
        seated=seated,
        form=form,
        book=book,
        months=_months(book),
        climates=[("", "no weather"), *((key, climate.name) for key, climate in CLIMATES.items())],
        healings=[(one.rules, _fields(seated, one, form.faults, typed)) for one in healings],
        notice=notice,
    )


def _fields(seated: SeatSession, one: Healing, faults: Faults, typed: Any) -> schema.Field:
    mine = {name: wrong for name, wrong in faults.items() if name.split(".")[0] == one.form.root}
    return one.form.fields(one.now(seated) if typed is None else typed[one.rules.key], mine)


def _months(book: CalendarState) -> Sequence[tuple[str, str]]:
    return [(str(number), month.name) for number, month in enumerate(book.shape.months, start=1)]
