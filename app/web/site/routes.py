"""The addresses of this folder; of two that fit, the first one answers."""

from fastapi import APIRouter

from app.web.site import front, rulebook

router = APIRouter()
for page in (front, rulebook):
    router.include_router(page.router)
