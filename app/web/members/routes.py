"""The routes of this folder; if two match, the first one answers."""

from fastapi import APIRouter

from app.web.members import entry, group_link, my_seat, people, presence

router = APIRouter()
for page in (entry, group_link, people, my_seat, presence):
    router.include_router(page.router)
