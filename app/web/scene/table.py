"""The scene table: one page, its live part, and the forms that seal, draft, take back and run the table."""

import uuid
from dataclasses import dataclass, field
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import group_links, seats, tokens
from app.campaign.group_links import PendingRequest
from app.engine.ruleset import Faults
from app.errors import Conflict, NotThere, Refusal
from app.models.people import Role
from app.observability import metrics
from app.play import chain, challenges
from app.play.turns import Turn, of_scenes
from app.table import envelopes, gm_actions, hidden_rolls, join_midscene, whispers
from app.table.envelopes import Illegal, Receipt, Stamp, Submission
from app.table.loaded_scene import LoadedScene
from app.table.open_steps import open_steps
from app.table.page_version import Reader, SceneVersion, version, version_and_seals
from app.table.reading import AskSight, Choose, EventSight, SceneSight, StepSight, sight, sight_of
from app.table.runtime import Runtime
from app.web.desk import page as desk_page
from app.web.forms.reading import Form, FormValues, TypedPairs, nested, read
from app.web.http.fragment_answers import answer
from app.web.http.limits import limit_act
from app.web.http.page_cache import Key, PageCache, may_be_kept
from app.web.http.seat_session import CurrentSeat, SeatSession, cookie_name, current_seat, seat_path
from app.web.http.templating import block, fragment, render
from app.web.scene import rounds, sandboxes
from app.web.scene.ending import Ending, read_ending
from app.web.scene.rounds import RoundAddress
from app.web.scene.sandbox import Sandbox

router = APIRouter(prefix="/c/{slug}/{handle}/scene/{scene_id}")

PAGE = "scene/table.html"
LIVE = "live"  # the block that open pages fetch again after a change
BLOCKS = "scene/blocks.html"  # what a seal alone changes of it
SHOWN = "Signet-Shown"  # the header in which an open page sends the mark of what it shows
NEWEST = RoundAddress()  # no round in particular


@dataclass(slots=True)
class RejectedForm:
    """A refused form: shown again with its faults, so that no typed text is lost."""

    step_key: str = ""
    seat: str = ""
    pairs: list[tuple[str, str]] = field(default_factory=list)
    faults: Faults = field(default_factory=dict)
    notice: str = ""
    said: str = ""
    said_to: str = ""  # the seat it was for; "" for all
    rolling: Form[Any] = field(default_factory=Form)  # a GM's secret roll
    rolls_open: bool = False  # the secret rolls stand unfolded


@dataclass(slots=True)
class ScenePage:
    """The data that the scene's templates work with."""

    sight: SceneSight
    kept: RejectedForm
    base: str  # the member's own address, "/c/<slug>/<handle>"
    guests: list[tuple[str, str]] = field(default_factory=list)  # characters that could join, as slug and name
    players: list[tuple[str, str]] = field(default_factory=list)  # for GMs: possible holders of seats: handle and name
    coach: Any = None  # in a sandbox, the data of its coach
    called: list[challenges.Sight] = field(default_factory=list)  # open challenges to a character of the member
    elsewhere: tuple[Turn, ...] = ()  # other scenes that are stopped, and what waits for the member in other scenes
    stops_elsewhere: int = 0  # how many other scenes are stopped
    requests: list[PendingRequest] = field(default_factory=list)  # for GMs: people who ask to join the campaign
    sandbox: Sandbox | None = None  # if the campaign is one
    sealed: Receipt | None = None  # in the response to a seal
    rolls: tuple[hidden_rolls.HiddenRoll, ...] = ()  # for GMs the last ones; once the scene is over for everybody
    chain: Any = None  # app.play.chain.Chain: the scenes before it and, once it is over, what came of it
    ending: Ending | None = None  # of a scene that is not open any more
    log: rounds.Log | None = None  # by rounds, on the scene's own page
    as_seat: str | None = None  # for a GM who sees it as a seat does: the last part of its address
    quiet_drafts: bool = False  # the member wants what they choose to be saved
    folds_sealed: bool = False  # a form that is sealed is fetched when it is unfolded
    mark: str = ""  # of what the page shows but for the seals of others; "" where it has to be fetched whole

    @property
    def scene_at(self) -> str:
        return f"{self.base}/scene/{self.sight.id}"

    @property
    def at(self) -> str:
        """The address below which this page's own parts are: the scene's, or that of the scene as a seat sees it."""
        return self.scene_at if self.as_seat is None else f"{self.scene_at}/as/{self.as_seat}"

    @property
    def seen_by(self) -> str:
        """For a GM who sees it as a seat does: the seat's name, or "a spectator"."""
        return next((one.name for one in self.sight.seats if one.seat == self.as_seat), "a spectator")

    @property
    def whisper_to(self) -> tuple[tuple[str, str], ...]:
        """To whom the member may speak alone, as seat and label; in a sandbox to nobody, as the computer plays."""
        return self.sight.whisper_to if self.sandbox is None else ()

    @property
    def says_to(self) -> str:
        """The seat that the talk's field is for, "" for all: as it was sent, else as the member spoke last, so that an
        answer to a whisper is none for the table by mistake."""
        if self.kept.said:
            return self.kept.said_to
        return next((line.seat for line in reversed(self.sight.lines) if line.is_mine), "")

    @property
    def stops(self) -> int:
        """How many scenes of the campaign the X-card has stopped, this one included."""
        return self.sight.stopped + self.stops_elsewhere

    @property
    def may_stop(self) -> bool:
        """Whether the member may stop the scene: it is open, not stopped yet, and no sandbox."""
        playing = self.sandbox is None and self.as_seat is None
        return self.sight.status == "open" and not self.sight.stopped and playing

    def form(self, step: StepSight, ask: AskSight) -> FormValues:
        """The values of an ask's fields: the text just typed, else the stored envelope's, else none."""
        if (self.kept.step_key, self.kept.seat) == (step.key, ask.seat):
            return nested(self.kept.pairs)
        return nested(ask.mine.pairs) if ask.mine else FormValues()

    def faults(self, step: StepSight, ask: AskSight) -> Faults:
        return self.kept.faults if (self.kept.step_key, self.kept.seat) == (step.key, ask.seat) else {}

    def kept_elsewhere(self) -> list[tuple[str, str]]:
        """Text typed for a step that is no longer open, to be shown beside the notice."""
        open_now = {(step.key, ask.seat) for step in self.sight.steps for ask in step.asks}
        if not self.kept.pairs or (self.kept.step_key, self.kept.seat) in open_now:
            return []
        return [(name, value) for name, value in self.kept.pairs if value]

    def place(self, step: StepSight, ask: AskSight) -> dict[str, str]:
        """The place that a seal's hash is bound to, beside salt and words."""
        scene = {"campaign": self.sight.sealed_in, "scene": str(self.sight.id)}
        return {**scene, "step": step.key, "seat": ask.seat, "ask": ask.kind}

    def receipt(self, step: StepSight, ask: AskSight) -> dict[str, Any]:
        """The receipt that the browser stores once its seal is in."""
        assert ask.mine is not None
        mine = {"revision": ask.mine.revision, "order": ask.rank or 0, "wax": ask.mine.commitment}
        return {"step": step.key, "seat": ask.seat, **mine, "head": self.sight.head}

    @property
    def closed_with(self) -> dict[str, Any] | None:
        """The receipt of the seal just laid, if no card of an open step shows it: the last seal has closed its step."""
        mine = self.sealed
        if mine is None or not mine.ready or any(step.key == mine.step_key for step in self.sight.steps):
            return None
        found = {"step": mine.step_key, "seat": mine.seat, "revision": mine.revision, "wax": mine.commitment.hex()}
        return {**found, "head": mine.head.hex() if mine.head else None}

    @property
    def notes(self) -> str:
        """The name under which the browser stores its receipts: one for each seat, as several may share a browser."""
        return f"{self.base} {self.sight.id}"

    def new_request(self) -> str:
        """An id for one press of a button; a press that arrives twice counts as one seal."""
        return str(uuid.uuid4())

    def why(self, number: int) -> list[EventSight]:
        """The events behind one event, causes first, the event itself last."""
        found: dict[int, EventSight] = {}
        wanted = [number]
        while wanted:
            event = self.sight.event(wanted.pop())
            if event is not None and event.number not in found:
                found[event.number] = event
                wanted.extend(event.because)
        return [found[n] for n in sorted(found)]


@router.get("")
async def page(request: Request, slug: str, handle: str, scene_id: str) -> Response:
    return await _page(request, slug, handle, scene_id, part=False)


@router.get("/live")
async def live_part(request: Request, slug: str, handle: str, scene_id: str, round: str = "") -> Response:
    """Only the live part, for open pages after a change; of a page with an older round, with that round."""
    if round:
        seated = await current_seat(request, slug, handle)
        return await show(request, seated, scene_id, fragment=True, asked=RoundAddress(round))
    return await _page(request, slug, handle, scene_id, part=True)


async def _page(request: Request, slug: str, handle: str, scene_id: str, *, part: bool) -> Response:
    """The page from the cache, if one query confirms its version; else the usual way: find the seat, read the scene,
    draw the page."""
    pages: PageCache[Key, Reader] = request.app.state.drawn
    part = part or bool(request.headers.get("HX-Request"))
    key = (slug, handle, scene_id, tokens.digest(request.cookies.get(cookie_name(request), "")), part)
    shown = request.headers.get(SHOWN, "") if part else ""
    reader = pages.reader(key)
    if reader is None and shown:
        reader = _reader(await current_seat(request, slug, handle), scene_id)
        pages.note(key, reader)
    if reader is not None:
        runtime: Runtime = request.app.state.runtime
        async with runtime.read_sessions() as session:
            found = await (version_and_seals if shown else version)(session, reader)
        if shown and found is not None and found.mark(runtime.vault, reader) == shown:
            desk = ScenePage(open_steps(reader, found), RejectedForm(), seat_path(slug, handle))
            return block(request, BLOCKS, "seals", desk=desk, sight=desk.sight)
        text = pages.get(key, reader, found) if found is not None else None
        if text is not None:
            return answer(request, text)
    seated = await current_seat(request, slug, handle)
    if seated.is_gm:  # a GM's page also names guests, which the page version does not cover
        return await show(request, seated, scene_id, fragment=part)
    return await _drawn(request, seated, scene_id, key)


@router.get("/why/{number}")
async def why(request: Request, seated: CurrentSeat, scene_id: str, number: str) -> Response:
    """The answer to "Why?": the events behind an event, each with its rule."""
    return answer_why(request, seated, await scene_page(request, seated, scene_id), number)


def answer_why(request: Request, seated: SeatSession, desk: ScenePage, number: str) -> Response:
    """The events behind the event with this number. Raises NotThere where the scene's log has none."""
    event = desk.sight.event(int(number)) if number.isdecimal() and len(number) < 9 else None
    if event is None:
        raise NotThere("There is no such line in this scene's log.")
    context = {"desk": desk, "sight": desk.sight, "event": event, "chain": desk.why(event.number), "seated": seated}
    if request.headers.get("HX-Request"):
        return block(request, "scene/why.html", "answer", **context)
    return render(request, "scene/why.html", **context)


@router.post("/lay")
async def lay(request: Request, seated: CurrentSeat, scene_id: str) -> Response:
    """Seal, store a draft, or take a seal back, depending on `_act`."""
    form = await read(request)
    limit_act(request, "lay", seated.member.id)
    kept = _kept(form)
    runtime: Runtime = request.app.state.runtime
    try:
        async with runtime.locked_scene(seated.campaign.id, scene_of(scene_id)) as (session, live):
            if form.get("_act") == "take_back":
                receipt = await envelopes.take_back(
                    session, live, seated.member.id, kept.step_key, kept.seat, _revision(form), _press(form)
                )
            else:
                receipt = await envelopes.lay(session, live, seated.member.id, _laid(form, kept))
    except Illegal as illegal:
        kept.faults, kept.notice = illegal.faults, illegal.message
        return await show(request, seated, scene_id, kept, status=422)
    except Refusal as refused:
        return await refused_page(request, seated, scene_id, kept, refused)
    metrics.sealed(live.ruleset.key, form.get("_act"))
    await sandboxes.play_on(runtime, seated, scene_of(scene_id))
    return await _own_blocks(request, seated, live, receipt) or await after_change(request, seated, scene_id, receipt)


@router.post("/say")
async def say(request: Request, seated: CurrentSeat, scene_id: str) -> Response:
    """Table talk, or, with a seat in `to`, a word between that seat and the GMs; from the GM's desk that alone."""
    form = await read(request)
    said, to = form.get("said"), form.get("to")
    limit_act(request, "say", seated.member.id)
    runtime: Runtime = request.app.state.runtime
    from_desk = seated.is_gm and desk_page.is_from_here(form)
    try:
        async with runtime.locked_scene(seated.campaign.id, scene_of(scene_id)) as (session, live):
            if to or from_desk:
                await whispers.whisper(session, live, seated.member, to, said)
            else:
                gm_actions.say(session, live, seated.member, said)
    except Refusal as refused:
        if from_desk and refused.status == 409:
            return await desk_page.refused_act(request, seated, str(scene_of(scene_id)), "say", form, refused)
        kept = RejectedForm(said=said, said_to=to)
        return await refused_page(request, seated, scene_id, kept, refused, status=422)
    if from_desk:
        return await desk_page.after_change(request, seated, desk_page.panel_of(form))
    return await after_change(request, seated, scene_id)


async def table_page(
    request: Request,
    seated: SeatSession,
    scene_id: str,
    kept: RejectedForm | None = None,
    asked: RoundAddress = NEWEST,
    stands: SceneVersion | None = None,
) -> ScenePage:
    """Like `scene_page`, with the log as the scene's own page shows it, and the mark of what it shows. `stands` is the
    page's version, if the caller has just read it."""
    runtime: Runtime = request.app.state.runtime
    reader = _reader(seated, scene_id)
    if stands is None:  # before the scene, so that the mark is never newer than the page
        async with runtime.read_sessions() as session:
            stands = await version(session, reader)
    desk = await scene_page(request, seated, scene_id, kept, choose=asked.and_newest)
    desk.log = await rounds.log_of(runtime, seated, desk, asked)
    apart = desk.sight.seals_apart and not (desk.sandbox or desk.ending or desk.kept.notice or desk.log.asked)
    desk.mark = stands.mark(runtime.vault, reader) if stands is not None and apart else ""
    return desk


def _reader(seated: SeatSession, scene_id: str) -> Reader:
    return Reader(seated.campaign.id, seated.member.id, seated.device_id, scene_of(scene_id))


async def _own_blocks(request: Request, seated: SeatSession, live: LoadedScene, receipt: Receipt) -> Response | None:
    """The blocks that a seal changes for its own seat. None where the page has to be fetched whole: the browser does
    not say that it showed what was there before the seal, or more than this seal has changed since."""
    shown = request.headers.get(SHOWN, "") if request.headers.get("HX-Request") else ""
    if not shown or receipt.closed or receipt.stuck:
        return None
    runtime: Runtime = request.app.state.runtime
    reader = _reader(seated, str(live.id))
    mine = (receipt.step_key, receipt.seat, receipt.revision)
    async with runtime.repeatable_read() as session:
        stands = await version(session, reader)
        if stands is None or stands.without(mine).mark(runtime.vault, reader) != shown:
            return None
        seen = await sight_of(
            session, live, seated.member, histories=runtime.histories, choose=lambda rounds: (), talk=False
        )
        called = await challenges.called(session, seated.member) if stands.row.challenges else []
    if not seen.seals_apart:
        return None
    marked: dict[str, Any] = {"mark": stands.mark(runtime.vault, reader), "stops_elsewhere": stands.stops_elsewhere}
    marked |= {"quiet_drafts": seated.member.quiet_drafts, "folds_sealed": seen.pages.folds_sealed}
    desk = ScenePage(seen, RejectedForm(), seated.base, called=called, **marked)
    return block(request, BLOCKS, "own", desk=desk, sight=seen, seated=seated)


async def scene_page(
    request: Request,
    seated: SeatSession,
    scene_id: str,
    kept: RejectedForm | None = None,
    *,
    choose: Choose | None = None,
) -> ScenePage:
    """Read the scene for this member, after closing what is due; of its log the rounds that `choose` returns, or all.

    Raises `NotThere` if there is no such scene.
    """
    runtime: Runtime = request.app.state.runtime
    await runtime.close_if_due(seated.campaign.id, scene_of(scene_id))
    async with runtime.repeatable_read() as session:
        there = (seated.campaign.id, scene_of(scene_id), seated.member)
        seen = await sight(session, runtime.vault, *there, histories=runtime.histories, choose=choose)
        guests = await _guests(session, seated, seen) if seated.is_gm else []
        players = await _players(session, seated) if seated.is_gm else []
        called = await challenges.called(session, seated.member)
        elsewhere = await of_scenes(session, seated.member, but=seen.id)
        requests = await group_links.waiting(session, seated.campaign) if seated.is_gm else []
        ending = await read_ending(session, seated, seen)
        links = await chain.chain_of(session, seated.member, seen.id, inside=bool(seen.outer), over=bool(ending))
        may = seated.is_gm or seen.status != "open"
        rolls = await hidden_rolls.last(session, runtime.vault, seated.campaign.id, seen.id) if may else ()
    alone = sandboxes.of(seated.campaign)
    coach = await alone.coach(runtime, seated, seen) if alone is not None and alone.coach is not None else None
    named: dict[str, Any] = {"guests": guests, "players": players, "coach": coach, "requests": requests}
    named |= {"quiet_drafts": seated.member.quiet_drafts, "called": called, "elsewhere": elsewhere}
    named |= {"stops_elsewhere": sum(one.stop for one in elsewhere), "chain": links}
    return ScenePage(seen, kept or RejectedForm(), seated.base, **named, sandbox=alone, rolls=rolls, ending=ending)


async def _guests(session: AsyncSession, seated: SeatSession, seen: SceneSight) -> list[tuple[str, str]]:
    here = {slug for seat in seen.seats for slug in seat.characters}
    rows = await join_midscene.guests(session, seated.campaign.id, seen.ruleset.key, here)
    return [(row.slug, row.name) for row in rows] if seen.status == "open" else []


async def _players(session: AsyncSession, seated: SeatSession) -> list[tuple[str, str]]:
    here = await seats.members(session, seated.campaign.id)
    return [(one.handle, one.name) for one in here if one.role == Role.PLAYER]


async def show(
    request: Request,
    seated: SeatSession,
    scene_id: str,
    kept: RejectedForm | None = None,
    *,
    fragment: bool = False,
    status: int = 200,
    asked: RoundAddress = NEWEST,
) -> Response:
    """The page, or its live part for htmx and streams."""
    desk = await table_page(request, seated, scene_id, kept, asked)
    return _draw(request, seated, desk, part=fragment or bool(request.headers.get("HX-Request")), status=status)


def _draw(request: Request, seated: SeatSession, desk: ScenePage, *, part: bool, status: int = 200) -> Response:
    context = {"desk": desk, "sight": desk.sight, "seated": seated}
    if part:
        return block(request, PAGE, LIVE, status_code=status, **context)
    return render(request, PAGE, status_code=status, **context)


async def _drawn(request: Request, seated: SeatSession, scene_id: str, key: Key) -> Response:
    """Draw the page, and cache it if allowed. The version is read first, so that it is never newer than the page. Of
    simultaneous requests for the same page, one draws."""
    runtime: Runtime = request.app.state.runtime
    pages: PageCache[Key, Reader] = request.app.state.drawn
    reader = _reader(seated, scene_id)
    async with runtime.read_sessions() as session:
        stands = await version(session, reader)
    if stands is None:
        return _draw(request, seated, await table_page(request, seated, scene_id), part=key[-1])
    async with pages.turn(key, reader, stands):
        text = pages.get(key, reader, stands)
        if text is None:
            desk = await table_page(request, seated, scene_id, stands=stands)
            context = {"desk": desk, "sight": desk.sight, "seated": seated}
            whole = not key[-1] and bytes(render(request, PAGE, **context).body).decode()
            text = whole or fragment(request, PAGE, LIVE, **context)
            if may_be_kept(desk.sight) and desk.ending is None:
                pages.keep(key, reader, stands, text)
        return answer(request, text)


async def after_change(
    request: Request, seated: SeatSession, scene_id: str, receipt: Receipt | None = None
) -> Response:
    """The response after a change: the live part for htmx, else a redirect to the page, so a reload repeats nothing."""
    if request.headers.get("HX-Request"):
        desk = await table_page(request, seated, scene_id)
        desk.sealed = receipt
        return _draw(request, seated, desk, part=True)
    return RedirectResponse(f"{seated.base}/scene/{scene_id}", status_code=303)


async def refused_page(
    request: Request, seated: SeatSession, scene_id: str, kept: RejectedForm, refused: Refusal, status: int = 409
) -> Response:
    """The scene's current page with the typed text and the reason of the refusal. Raises `refused` again if its status
    is not 409: it then gets an error page of its own."""
    if refused.status != 409:
        raise refused
    kept.notice = refused.text
    return await show(request, seated, scene_id, kept, status=409 if isinstance(refused, Conflict) else status)


def _kept(form: TypedPairs) -> RejectedForm:
    pairs = [(name, value) for name, value in form.pairs if not name.startswith("_")]
    return RejectedForm(step_key=form.get("_step"), seat=form.get("_seat"), pairs=pairs)


def _laid(form: TypedPairs, kept: RejectedForm) -> Submission:
    return Submission(
        step_key=kept.step_key,
        seat=kept.seat,
        pairs=kept.pairs,
        revision_seen=_revision(form),
        request_id=_press(form),
        ready=form.get("_act") != "draft",
        use_draft=form.get("_use_draft") == "yes",
        stamp=stamp_of(form),
    )


def stamp_of(form: TypedPairs) -> Stamp | None:
    """The seal that the browser made; None without scripts."""
    if not form.get("_wax"):
        return None
    return Stamp(form.get("_words"), _bytes(form.get("_salt")), _bytes(form.get("_wax")))


def _bytes(text: str) -> bytes:
    """32 bytes from hex; empty for any other text, which no seal fits, so the whole form is refused."""
    try:
        return bytes.fromhex(text) if len(text) == 64 else b""
    except ValueError:
        return b""


def _revision(form: TypedPairs) -> int:
    text = form.get("_revision", "0")
    return int(text) if text.isdecimal() and len(text) < 9 else -1


def _press(form: TypedPairs) -> uuid.UUID:
    try:
        return uuid.UUID(form.get("_request"))
    except ValueError:
        return uuid.uuid4()


def scene_of(text: str) -> uuid.UUID:
    try:
        return uuid.UUID(text)
    except ValueError as wrong:
        raise NotThere("There is no such scene in this campaign.") from wrong
