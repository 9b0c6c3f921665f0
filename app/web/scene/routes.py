"""The routes of this folder; if two match, the first one answers."""

from fastapi import APIRouter

from app.web.scene import (
    foes,
    gm_acts,
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
PLAY = (new, table, gm_acts, foes, notes, x_card, receipts, stream, transcript, log, see_as)
for page in (trial, practice, prepared, *PLAY):
    router.include_router(page.router)
