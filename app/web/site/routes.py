"""The routes of this folder; if two match, the first one answers."""

from fastapi import APIRouter

from app.web.site import front, rulebook

router = APIRouter()
for page in (front, rulebook):
    router.include_router(page.router)
