"""What a GM does about single seats of an open step: goes on without one, nudges it, gives its seal back.

Each action tells others no more than the campaign shows them of who has sealed. The scene must be locked.
"""

from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import sealing_shows, seating
from app.engine.ruleset import Step
from app.errors import Conflict, Refusal
from app.models.people import Member
from app.models.scenes import AskRow, StepRow
from app.table import closing, envelopes, step_acts
from app.table.gm_actions import awaited_step, notice, viewer_of
from app.table.loaded_scene import LoadedScene, knows, public

NUDGED_EVERY = timedelta(minutes=10)
"""How long a seat is left alone after a nudge, in one step."""


async def go_without(session: AsyncSession, live: LoadedScene, who: Member, step_key: str, seat: str) -> bool:
    """Stops waiting for one seat: what it seals until the step opens still counts, else the rules' default. Opens the
    step if it was the last one. Returns False if that got stuck; raises Conflict for a seat that is not awaited."""
    row, step, ask = await _asked(session, live, who, step_key, seat)
    if ask.status == "ready" or not ask.awaited:
        raise Conflict("The table is not waiting for that seat.")
    ask.awaited, ask.excused = False, True
    await _tell(session, live, who, step, [seat], f"{who.name} continued without {_name(live, seat)}.")
    await session.flush()
    if live.row.paused_at is None and closing.complete(row, await closing.asks_of(session, live, step_key)):
        return await closing.close(session, live, row, "gm")
    return True


async def wait_again(session: AsyncSession, live: LoadedScene, who: Member, step_key: str, seat: str) -> None:
    """Waits for a seat again that the GM went on without."""
    _, step, ask = await _asked(session, live, who, step_key, seat)
    if ask.awaited:
        raise Conflict("The table is waiting for that seat already.")
    if seat in await seating.empty(session, live.campaign, live.id):
        raise Refusal(f"Nobody plays {_name(live, seat)} now.", "Hand over the seat first: its new player is asked.")
    _await(ask)
    await _tell(session, live, who, step, [seat], f"{who.name} waits for {_name(live, seat)} again.")


async def give_back(session: AsyncSession, live: LoadedScene, who: Member, step_key: str, seat: str = "") -> None:
    """Gives the seal of a seat back, or all seals that this GM knows of: each is a draft again, as if its owner had
    taken it back, and the table waits for it. That of an empty seat stands. Raises Conflict where there is none to give
    back."""
    row, step, asks = await _known_asks(session, live, who, step_key)
    final = {str(ask.seat) for ask in step.asks if ask.first_stands}
    if seat in final:
        raise Conflict("A first answer cannot be changed here, so its seal stays.")
    empty = await seating.empty(session, live.campaign, live.id)
    if seat in empty:
        raise Refusal(f"Nobody plays {_name(live, seat)} now, so the seal stays.", "Hand over the seat first.")
    stand = final | empty
    sealed = [ask for ask in asks if ask.status == "ready" and ask.seat not in stand and seat in ("", ask.seat)]
    if not sealed:
        raise Conflict("There is no seal to give back. The page shows the current state.")
    for ask in sealed:
        _await(ask)
    await session.flush()
    for ask in sealed:
        await envelopes.give_back(session, live, step_key, ask.seat)
        await session.refresh(ask)
    step_acts.give_back(row, [ask.seat for ask in sealed])
    if seat:
        await _tell(session, live, who, step, [seat], f"{who.name} lets {_name(live, seat)} decide again.")
    else:
        await _tell(session, live, who, step, [ask.seat for ask in sealed], f"{who.name} gave all seals back.")


async def nudge(session: AsyncSession, live: LoadedScene, who: Member, step_key: str, seat: str = "") -> None:
    """Tells a seat that the GM waits for it, or all others that are missing, on each page of their campaign. Raises
    Refusal while the last nudge is fresh."""
    _, step, asks = await _known_asks(session, live, who, step_key)
    if live.row.paused_at is not None:
        raise Refusal("The scene is paused. Resume it first.")
    mine = (await viewer_of(session, live, who)).seats
    missing = [ask for ask in asks if ask.awaited and ask.status != "ready" and ask.seat not in mine]
    missing = [ask for ask in missing if seat in ("", ask.seat)]
    if not missing:
        raise Conflict("The table is not waiting for that seat." if seat else "The table is waiting for nobody else.")
    due = [ask for ask in missing if ask.nudged_at is None or ask.nudged_at + NUDGED_EVERY <= live.now]
    if not due:
        first = min(ask.nudged_at for ask in missing if ask.nudged_at is not None) + NUDGED_EVERY
        minutes = -(-int((first - live.now).total_seconds()) // 60) or 1
        again = "in a minute" if minutes == 1 else f"in {minutes} minutes"
        have = "has" if len(missing) == 1 else "have"
        raise Refusal(f"{_names(live, missing)} {have} just been nudged. You can nudge again {again}.")
    for ask in due:
        ask.nudged_at = live.now
    said = f"{who.name} nudged {_names(live, due)}: the table is waiting."
    await _tell(session, live, who, step, [ask.seat for ask in due], said)


async def _known_asks(
    session: AsyncSession, live: LoadedScene, who: Member, step_key: str
) -> tuple[StepRow, Step, list[AskRow]]:
    """Returns an open step and those of its asks that this member may know of."""
    row, step = await awaited_step(session, live, who, step_key)
    viewer = await viewer_of(session, live, who)
    known = [str(ask.seat) for ask in step.asks if knows(ask.known_to, viewer)]
    found = {ask.seat: ask for ask in await closing.asks_of(session, live, step_key)}
    return row, step, [found[seat] for seat in known]


async def _asked(
    session: AsyncSession, live: LoadedScene, who: Member, step_key: str, seat: str
) -> tuple[StepRow, Step, AskRow]:
    row, step, asks = await _known_asks(session, live, who, step_key)
    found = next((ask for ask in asks if ask.seat == seat), None)
    if found is None:
        raise Conflict("That seat is not asked in this step. The page shows the current state.")
    return row, step, found


def _await(ask: AskRow) -> None:
    ask.awaited, ask.excused = True, False


async def _tell(
    session: AsyncSession, live: LoadedScene, who: Member, step: Step, seats: Sequence[str], said: str
) -> None:
    """All members learn it where the campaign shows who has sealed, as it tells who has not; else only these seats and
    the GMs find anything new to look at."""
    if await sealing_shows.read(session, live.campaign) != "names":
        live.touch_asked(step, seats)
        return
    if public(step):
        notice(session, live, who, said)
    live.touch(step)


def _name(live: LoadedScene, seat: str) -> str:
    return next(row.name for row in live.seats if row.seat == seat)


def _names(live: LoadedScene, asks: Sequence[AskRow]) -> str:
    *others, last = [_name(live, ask.seat) for ask in asks]
    return f"{', '.join(others)} and {last}" if others else last
