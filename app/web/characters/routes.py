"""The addresses of this folder; of two that fit, the first one answers."""

from fastapi import APIRouter

from app.web.characters import lifecycle, rolling, sheets

router = APIRouter()
for page in (rolling, sheets, lifecycle):
    router.include_router(page.router)
