"""The routes of this folder; if two match, the first one answers."""

from fastapi import APIRouter

from app.web.scene import new, notes, practice, receipts, stream, table, transcript, trial, x_card

router = APIRouter()
for page in (trial, practice, new, table, notes, x_card, receipts, stream, transcript):
    router.include_router(page.router)
