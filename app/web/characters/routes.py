"""The routes of this folder; if two match, the first one answers."""

from fastapi import APIRouter

from app.web.characters import lifecycle, ready_made, rolling, sheets

router = APIRouter()
for page in (rolling, ready_made, sheets, lifecycle):
    router.include_router(page.router)
