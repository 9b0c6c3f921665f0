"""Foes in mid-scene: a GM's acts, sealed one after the other as declarations of the GM's seat, and a foe's sheet.

Each act is an envelope of the GM's optional step, laid by the same code as any other, so receipts and replays hold.
The scene must be locked.
"""

import uuid
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import characters
from app.engine import form_text, gm_desk
from app.engine.gm_desk import Foes, Form
from app.engine.ruleset import GM, Step
from app.errors import Conflict, NotThere, Refusal
from app.models.people import Campaign, Character, Member
from app.table import envelopes, gm_actions
from app.table.envelopes import Submission
from app.table.loaded_scene import LoadedScene

NO_FOES = "The rules of this scene know no foes."
Act = Callable[[Foes[Any], Any], Iterable[Form | None]]
"""From the rules' foes and the GM's view, the forms to seal."""


async def act(session: AsyncSession, live: LoadedScene, member: Member, wanted: Act) -> int:
    """Seals the forms one after the other, each by the rules as they are then; returns how many.

    Raises Illegal, NotThere or Conflict, and Refusal with the words of the rules; nothing is done then.
    """
    foes = _ready(live)
    try:
        forms = list(wanted(foes, gm_view(live)))
    except ValueError as wrong:
        raise Refusal(str(wrong)) from wrong
    for form in forms:
        step = _desk(live)
        if form is None or step is None:
            raise Conflict("Nothing was changed: that is not possible here.")
        pairs = form_text.flatten(form)
        receipt = await envelopes.lay(
            session, live, member.id, Submission(step.key, GM, pairs, 0, uuid.uuid4(), ready=True)
        )
        if receipt.stuck or not receipt.closed:
            raise Conflict("Nothing was changed: the rules of this scene could not do it.")
    return len(forms)


async def keep(
    session: AsyncSession, live: LoadedScene, campaign: Campaign, member: Member, key: str, once: uuid.UUID
) -> Character:
    """Makes a character of the GMs, secret from the players, from a foe; with the same `once` only the first time.

    The scene need not be locked: nothing in it changes."""
    gm_actions.must_run(live)
    if live.kind.foes is None:
        raise NotThere(NO_FOES)
    view = gm_view(live)
    name, sheet = foe_name(live, view, key), live.kind.foes.keep(view, key)
    typed = live.ruleset.character.dump_python(sheet, mode="json")
    return await characters.create(session, campaign, name, live.ruleset.key, typed, None, member, character_id=once)


def foe_name(live: LoadedScene, view: Any, key: str) -> str:
    """Returns the name of one of the GM's fighters. Raises NotThere where there is none with that key."""
    name = next((one.name for one in live.kind.vitals(view) if one.key == key and one.foe), None)
    if name is None:
        raise NotThere("There is no such foe in this scene.")
    return name


def gm_view(live: LoadedScene) -> Any:
    return live.kind.view(live.state, live.viewer(GM))


def may_act(live: LoadedScene) -> bool:
    """Whether the rules know foes here, and wait for the GM's acts."""
    return live.kind.foes is not None and live.row.status == "open" and _desk(live) is not None


def possible(live: LoadedScene, view: Any) -> Mapping[str, frozenset[str]]:
    """Returns what a GM may do now with each foe, by its key: copy, show, hide, out, keep; in a pause only keep."""
    foes, step, paused = live.kind.foes, _desk(live), live.row.paused_at is not None
    if foes is None or step is None:
        return {}
    ask = step.asks[0]

    def fits(form: Form | None) -> bool:
        if form is None:
            return False
        words = form_text.unflatten(form_text.flatten(form))
        return not live.kind.check(view, ask, live.kind.declaration.validate_python({**words, "ask": ask.kind}))

    found = {}
    for one in live.kind.vitals(view):
        if one.foe:
            may = {"copy": foes.copy(view, one.key), "out": gm_desk.out(one.key, "—")}
            if foes.hides and not one.gone:
                may["show" if one.hidden else "hide"] = gm_desk.sight(one.key, seen=one.hidden)
            keeps = frozenset() if one.character else frozenset({"keep"})
            found[one.key] = keeps | {what for what, form in may.items() if not paused and fits(form)}
    return found


def _ready(live: LoadedScene) -> Foes[Any]:
    gm_actions.must_run(live)
    if live.kind.foes is None:
        raise NotThere(NO_FOES)
    if live.row.paused_at is not None:
        raise Conflict("The scene is paused. Resume it first.")
    return live.kind.foes


def _desk(live: LoadedScene) -> Step | None:
    steps = live.kind.steps(live.state)
    return next((step for step in steps if step.pace == "whenever" and step.asks[0].kind == "desk"), None)
