"""The routes of this folder; if two match, the first one answers."""

from fastapi import APIRouter

from app.web.scene import (
    drafts,
    film,
    foes,
    gm_acts,
    hidden_rolls,
    log,
    new,
    notes,
    practice,
    prepared,
    receipts,
    see_as,
    stream,
    table,
    transcript,
    trial,
    x_card,
)

router = APIRouter()
PLAY = (new, table, drafts, gm_acts, hidden_rolls, foes, notes, x_card, receipts, stream, transcript, log, film, see_as)
for page in (trial, practice, prepared, *PLAY):
    router.include_router(page.router)
