"""The routes of this folder; if two match, the first one answers."""

from fastapi import APIRouter

from app.web.desk import openings, page

router = APIRouter()
for one in (openings, page):
    router.include_router(one.router)
