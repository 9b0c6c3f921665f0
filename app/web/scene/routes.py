"""The routes of this folder; if two match, the first one answers."""

from fastapi import APIRouter

from app.web.scene import (
    gm_acts,
    log,
    new,
    notes,
    practice,
    prepared,
    receipts,
    stream,
    table,
    transcript,
    trial,
    x_card,
)

router = APIRouter()
for page in (trial, practice, prepared, new, table, gm_acts, notes, x_card, receipts, stream, transcript, log):
    router.include_router(page.router)
