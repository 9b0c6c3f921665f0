"""The front page, and the page on who sees what."""

from fastapi import APIRouter, Request, Response

from app.web.http.templating import render
from app.web.scene.trial import trials

router = APIRouter()


@router.get("/")
async def landing(request: Request) -> Response:
    return render(request, "site/landing.html", trials=trials())


@router.get("/about")
async def about(request: Request) -> Response:
    return render(request, "site/about.html")
