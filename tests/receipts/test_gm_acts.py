"""Whatever a GM and the players do to a step, in every order of two: an honest record holds, for both checkers.

The acts are those of the scene's own routes, so that a new one is tried too. A commit tries each act with its neighbour
in the list, a night every pair in both orders, on a public step and on a hidden one.
"""

import ast
import inspect
import json
import re
import uuid
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import product, zip_longest
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.routing import iter_route_contexts
from sqlalchemy import select

from app.campaign import people
from app.errors import Refusal
from app.models.people import Character, Role
from app.receipts.file import parse
from app.receipts.verify import check
from app.settings import Settings
from app.table import (
    awaited_seats,
    gm_actions,
    hidden_rolls,
    inner_scenes,
    join_midscene,
    loaded_scene,
    pauses,
    reassign_seat,
    whispers,
)
from app.table.runtime import Runtime
from tests.receipts.in_javascript import wrong_in_javascript
from tests.receipts.test_receipts import file_of, seal
from tests.table.table import Table, sit_down
from tests.toy import brief
from tests.web.one_app import app_with

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("toy")]

SCENE = "/c/{slug}/{handle}/scene/{scene_id}/"


@dataclass
class Evening:
    """A scene of two rounds; `step` is the kind of step that the acts are about, and Cyd its last seat."""

    table: Table
    step: str
    noted: list[dict[str, Any]] = field(default_factory=list)
    done: set[str] = field(default_factory=set)

    @property
    def seat(self) -> str:
        """A seat that may have sealed while the step is still open; of a hidden step its only one."""
        return "ann" if self.step == "knock" else "cyd"

    async def asked(self, kind: str = "") -> str:
        """The key of the open step of that kind; one that does not exist where there is none."""
        async with self.table.runtime.sessions() as session:
            live = await loaded_scene.read(session, self.table.runtime.vault, self.table.campaign, self.table.scene)
            wanted = f"/{kind or self.step}"
            return next((one.key for one in live.kind.steps(live.state) if wanted in one.key), f"r0{wanted}")

    async def attempt(self, name: str, act: "Act") -> None:
        with suppress(Refusal):
            await act(self)
            self.done.add(name)

    async def gm(self, act: Callable[..., Any], *args: Any) -> None:
        await self.table.act(act, await self.asked(), *args)

    async def lay(self, who: str, kind: str = "", *, ready: bool = True, use_draft: bool = False) -> None:
        """Seals in a browser, which notes it; a draft is laid by a browser without scripts."""
        kind = kind or self.step
        key, pairs = await self.asked(kind), {"what": "the bell"} if kind == "steal" else {"times": 1}
        known = self.table.seen.get((key, who), 0)
        if not ready:
            await self.table.lay(who, key, pairs, ready=False, use_draft=use_draft)
            self._note(who, key, known + 1, "0" * 64, taken=True)
            return
        receipt = await seal(self.table, who, key, pairs)
        self._note(who, key, receipt.revision, receipt.commitment.hex(), head=receipt.head.hex())

    async def take_back(self, who: str) -> None:
        key = await self.asked()
        self.table.seen.setdefault((key, who), 0)
        receipt = await self.table.take_back(who, key)
        self._note(who, key, receipt.revision, receipt.commitment.hex(), taken=True)

    def _note(self, who: str, key: str, revision: int, wax: str, **more: Any) -> None:
        self.noted.append({"step": key, "seat": who, "revision": revision, "wax": wax, **more})

    async def give_back(self, seat: str = "") -> None:
        key = await self.asked()
        await self.gm(awaited_seats.give_back, seat)
        for who in [seat] if seat else ["ann", "bea", "cyd"]:
            if self.table.seen.get((key, who)):
                self.table.seen[key, who] += 1

    async def deadline(self) -> None:
        await self.gm(gm_actions.set_deadline, datetime.now(UTC) + timedelta(hours=1))

    async def bell(self, *, loud: bool) -> None:
        await self.table.lay("gm", await self._bell(), {"loud": str(loud).lower()})

    async def _bell(self) -> str:
        async with self.table.runtime.sessions() as session:
            live = await loaded_scene.read(session, self.table.runtime.vault, self.table.campaign, self.table.scene)
            return next((one.key for one in live.kind.steps(live.state) if one.key.startswith("bell/")), "bell/-1")

    async def roll(self) -> None:
        await self.table.act(hidden_rolls.roll, "Does Ada hear it?", "2d8+1", len(await self._rolls()))

    async def show(self) -> None:
        rolls = await self._rolls()
        await self.table.act(hidden_rolls.show, next((one.number for one in rolls if not one.shown), 0))

    async def _rolls(self) -> tuple[hidden_rolls.HiddenRoll, ...]:
        async with self.table.runtime.sessions() as session:
            return await hidden_rolls.visible_rolls(
                session, self.table.runtime.vault, self.table.campaign, self.table.scene, everything=True
            )

    async def x_card(self) -> None:
        async with self.table.runtime.locked_scene(self.table.campaign, self.table.scene) as (session, live):
            await pauses.stop_here(session, live)

    async def vote(self) -> None:
        await self.table.paused_for(25)
        for who in ("ann", "bea"):
            await self.table.act(pauses.vote_to_resume, who=who)

    async def pause_is_over(self) -> None:
        await self.table.paused_for(73)
        await self.table.runtime.sweep()

    async def time_is_up(self) -> None:
        await self.table.age(await self.asked())
        await self.table.runtime.sweep()

    async def of_people(self, act: Callable[..., Awaitable[object]], *args: Any) -> None:
        async with self.table.runtime.sessions.begin() as session:
            await act(session, *args)

    async def hand_over(self) -> None:
        where, by = Character.campaign_id == self.table.campaign, self.table.people
        async with self.table.runtime.sessions() as session:
            cyd = (await session.scalars(select(Character.id).where(where, Character.slug == "cyd"))).one()
        await self.of_people(people.hand_over, self.table.campaign, cyd, by["bea"], by["gm"])


Act = Callable[[Evening], Awaitable[object]]
Pair = tuple[str, str]

ACTS: dict[str, Act] = {
    "act/open": lambda e: e.gm(gm_actions.open_now),
    "act/hold": lambda e: e.gm(gm_actions.hold),
    "act/release": lambda e: e.gm(gm_actions.release),
    "act/give-back": lambda e: e.give_back(e.seat),
    "act/pause": lambda e: e.table.act(pauses.pause),
    "act/go-on": lambda e: e.table.act(pauses.go_on),
    "act/nudge": lambda e: e.gm(awaited_seats.nudge),
    "act/go-without": lambda e: e.gm(awaited_seats.go_without, "cyd"),
    "act/wait-again": lambda e: e.gm(awaited_seats.wait_again, "cyd"),
    "act/time": lambda e: e.gm(gm_actions.give_time, 600),
    "act/deadline": lambda e: e.deadline(),
    "act/no-limit": lambda e: e.gm(gm_actions.remove_limit),
    "act/renew": lambda e: e.table.act(pauses.renew),
    "resume-vote": lambda e: e.vote(),
    "stop": lambda e: e.x_card(),
    "rolls": lambda e: e.roll(),
    "rolls/{number}/show": lambda e: e.show(),
    "lay: seal": lambda e: e.lay("cyd"),
    "lay: draft": lambda e: e.lay("cyd", ready=False),
    "lay: a draft to be used": lambda e: e.lay("cyd", ready=False, use_draft=True),
    "lay: take_back": lambda e: e.take_back(e.seat),
    "say": lambda e: e.gm(lambda session, live, who, key: _say(session, live, who)),
    "foes": lambda e: e.bell(loud=False),
    "foes: and what was asked is asked anew": lambda e: e.bell(loud=True),
    "give all back": lambda e: e.give_back(),
    "a seal's time is up": lambda e: e.time_is_up(),
    "a pause is over": lambda e: e.pause_is_over(),
    "act/enter": lambda e: e.table.act(join_midscene.enter, "dan"),
    "act/chair": lambda e: e.table.act(reassign_seat.give_chair, "cyd", "bea"),
    "act/leave": lambda e: e.table.act(gm_actions.leave),
    "hand a character over": lambda e: e.hand_over(),
    "remove a member": lambda e: e.of_people(people.remove, e.table.people["cyd"], e.table.people["gm"]),
    "make a spectator": lambda e: e.of_people(
        people.set_role, e.table.people["cyd"], Role.SPECTATOR, e.table.people["gm"]
    ),
    "act/go-on-without": lambda e: e.table.act(inner_scenes.go_on_without),
}
"""Each act by its route, and those that other pages and the clock do to a scene."""

LIKE = {
    "act/suggested": "lay: seal",  # seals by envelopes.lay what the form is filled in with
    **dict.fromkeys(("foes/copy", "foes/show", "foes/hide", "foes/out"), "foes"),  # seal the GM's optional step
}
"""Acts that change a record by the code of another."""
APART = {"notes", "foes/keep", "next", "draft"}
"""Acts that change nothing of a scene that is played."""
LASTING = {"act/enter", "act/chair", "act/leave", "hand a character over", "remove a member", "make a spectator"}
"""Acts that change who is at the table for the rest of the scene."""
BEFORE: dict[str, Act] = {
    **dict.fromkeys(("act/go-on", "act/renew", "resume-vote", "a pause is over"), ACTS["act/pause"]),
    **dict.fromkeys(("act/give-back", "give all back", "lay: take_back"), lambda e: e.lay(e.seat)),
    "act/release": ACTS["act/hold"],
    "act/wait-again": ACTS["act/go-without"],
    "rolls/{number}/show": ACTS["rolls"],
    "act/go-on-without": lambda e: e.table.act(inner_scenes.open_inner, brief(thief=False), {}, "fresh"),
}
"""What is done before an act to make it possible."""


async def _say(session: Any, live: Any, who: Any) -> None:
    gm_actions.say(session, live, who, "Who is there?")
    await whispers.whisper(session, live, who, "ann", "Only you hear the step.")


def _cases(endpoint: Any) -> list[str]:
    """The words between which the module of an address tells its acts apart."""
    module = inspect.getmodule(endpoint)
    assert module is not None
    matches = [one for one in ast.walk(ast.parse(inspect.getsource(module))) if isinstance(one, ast.Match)]
    found = [one for match in matches for case in match.cases for one in ast.walk(case.pattern)]
    return [str(one.value) for one in found if isinstance(one, ast.Constant)]


def acts_of(site: FastAPI) -> Iterator[str]:
    """Every address under a scene that changes something, a word each for those that take one."""
    for one in iter_route_contexts(site.routes):
        if "POST" in (one.methods or ()) and (one.path or "").startswith(SCENE):
            name = (one.path or "").removeprefix(SCENE)
            assert "{what}" not in name or _cases(one.endpoint), f"{name}: its acts cannot be found"
            yield from (name.replace("{what}", what) for what in (_cases(one.endpoint) if "{what}" in name else [name]))


def test_every_act_of_a_scene_is_tried() -> None:
    known = {name.split(":")[0] for name in ACTS} | LIKE.keys() | APART
    found = set(acts_of(app_with(Settings())))
    assert {"act/open", "foes/out", "lay"} <= found
    assert found <= known, "an act without a record that was checked after it"
    assert {name for name in known if "/" in name} <= found, "an act that there is no more"


def evenings(pairs: Sequence[Pair]) -> Iterator[list[Pair]]:
    """The pairs of each scene: an act that lasts is in a scene of its own, the others follow each other, round by
    round."""
    yield from ([pair] for pair in pairs if LASTING & set(pair))
    rest = [pair for pair in pairs if not LASTING & set(pair)]
    yield from (rest[begin : begin + 40] for begin in range(0, len(rest), 40))


async def evening(runtime: Runtime, step: str, pairs: Sequence[Pair]) -> tuple[Evening, list[str]]:
    """A round for each pair of acts, which come before its last seals. Returns the file of receipts before the scene's
    end and after it, with what Ann's and Cyd's browsers noted."""
    table = await sit_down(runtime)
    async with runtime.sessions.begin() as session:
        dan = Character(campaign_id=table.campaign, id=uuid.uuid4(), slug="dan", name="Dan", ruleset="toy")
        dan.sheet = {"name": "Dan"}
        session.add(dan)
    await table.open(rounds=len(pairs), late=step == "knock", seconds=600)
    played = Evening(table, step)
    for number, (first, second) in enumerate(pairs, start=1):
        if number % 2:
            await played.attempt("", lambda e: e.lay("ann", "knock"))
        for name in (first, second):
            if name in BEFORE:
                await played.attempt("", BEFORE[name])
            await played.attempt(name, ACTS[name])
        if number % 2 == 0:
            await played.attempt("", lambda e: e.lay("ann", "knock"))
        await played.attempt("", lambda e: e.lay("bea", "knock"))
        await played.attempt("", ACTS["act/go-on"])
        for kind in dict.fromkeys((step, "knock")):
            key = await played.asked(kind)
            if number < len(pairs) and key.startswith(f"r{number}/"):
                await played.attempt("", lambda e, key=key: e.table.act(gm_actions.open_now, key))
    texts = [await file_of(table, "ann")]
    await played.attempt("", ACTS["act/leave"])
    texts.append(await file_of(table, "ann"))
    noted = "".join(json.dumps({"kept": one}) + "\n" for one in played.noted)
    return played, [text + noted for text in texts]


async def _hold(runtime: Runtime, place: Path, step: str, pairs: Sequence[Pair]) -> None:
    """Plays each of them, and checks all files with both programs."""
    scenes, texts, done = list[list[Pair]](), list[str](), set[str]()
    for some in evenings(pairs):
        played, files = await evening(runtime, step, some)
        done |= played.done
        scenes += [some] * len(files)
        texts += files
    assert done >= {name for pair in pairs for name in pair}, "an act that was never possible"
    wrong = []
    for some, text, there in zip(scenes, texts, wrong_in_javascript(texts, place), strict=True):
        report = check(parse(text))
        for said in [*report.wrong, *report.unplayed, *there]:
            number = re.search(r"r(\d+)/|Round (\d+)", said)
            wrong.append((some[int(number[1] or number[2]) - 1] if number else some, said))
    assert not wrong, "\n".join(map(str, wrong))


async def test_each_act_and_its_neighbour_leave_an_honest_record(runtime: Runtime, tmp_path: Path) -> None:
    names = list(ACTS)
    await _hold(runtime, tmp_path, "knock", list(zip_longest(names[::2], names[1::2], fillvalue=names[0])))


@pytest.mark.nightly
async def test_any_two_acts_leave_an_honest_record(runtime: Runtime, tmp_path: Path) -> None:
    await _hold(runtime, tmp_path, "knock", list(product(ACTS, repeat=2)))


@pytest.mark.nightly
async def test_any_two_acts_on_a_hidden_step_leave_an_honest_record(runtime: Runtime, tmp_path: Path) -> None:
    others = {name for name in ACTS if name.startswith(("rolls", "say", "foes"))}
    names = [name for name in ACTS if name not in LASTING | others]
    await _hold(runtime, tmp_path, "steal", list(product(names, repeat=2)))
