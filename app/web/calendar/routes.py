"""The routes of this folder; if two match, the first one answers."""

from fastapi import APIRouter

from app.web.calendar import entries, export, feeds, house_rules, imports, others, pages, setup, shape, time_walk

router = APIRouter()
for page in (pages, time_walk, entries, feeds, export, imports, house_rules, setup, others, shape):
    router.include_router(page.router)
