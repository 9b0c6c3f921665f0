"""The routes of this folder; if two match, the first one answers."""

from fastapi import APIRouter

from app.web.desk import note_forms, npc_forms, openings, page

router = APIRouter()
for one in (openings, page, note_forms, npc_forms):
    router.include_router(one.router)
