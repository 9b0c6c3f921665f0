"""The routes of this folder; if two match, the first one answers."""

from fastapi import APIRouter

from app.web.members import entry, my_seat, people

router = APIRouter()
for page in (entry, people, my_seat):
    router.include_router(page.router)
