"""The routes of this folder; if two match, the first one answers."""

from fastapi import APIRouter

from app.web.campaign import cast_draft, challenges, decisions, deleting, handouts, home, lines_and_veils

router = APIRouter()
for page in (home, deleting, challenges, lines_and_veils, handouts, cast_draft, decisions):
    router.include_router(page.router)
