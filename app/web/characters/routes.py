"""The routes of this folder; if two match, the first one answers."""

from fastapi import APIRouter

from app.web.characters import lifecycle, rolling, sheets

router = APIRouter()
for page in (rolling, sheets, lifecycle):
    router.include_router(page.router)
