"""The routes of this folder; if two match, the first one answers."""

from fastapi import APIRouter

from app.web.calendar import (
    entries,
    export,
    feeds,
    further_calendars,
    house_rules,
    imports,
    pages,
    setup,
    shape,
    time_walk,
)

router = APIRouter()
for page in (pages, time_walk, entries, feeds, export, imports, house_rules, setup, further_calendars, shape):
    router.include_router(page.router)
