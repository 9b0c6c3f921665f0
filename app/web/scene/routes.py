"""The routes of this folder; if two match, the first one answers."""

from fastapi import APIRouter

from app.web.scene import (
    foes,
    gm_acts,
    log,
    new,
    notes,
    practice,
    receipts,
    see_as,
    stream,
    table,
    transcript,
    trial,
    x_card,
)

router = APIRouter()
for page in (trial, practice, new, table, gm_acts, foes, notes, x_card, receipts, stream, transcript, log, see_as):
    router.include_router(page.router)
