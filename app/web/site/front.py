"""The front page, the page on who sees what, and the credits."""

from fastapi import APIRouter, Request, Response

from app import rulesets
from app.web.http.templating import render
from app.web.scene.trial import trials

router = APIRouter()


@router.get("/")
async def landing(request: Request) -> Response:
    shown = {key: trial for key, trial in trials().items() if trial.in_front}
    return render(request, "site/landing.html", trials=shown)


@router.get("/about")
async def about(request: Request) -> Response:
    return render(request, "site/about.html")


@router.get("/credits")
async def credits(request: Request) -> Response:
    """The games that the rulebooks rest on, by ruleset; those without any are left out."""
    credited = [ruleset for ruleset in rulesets.RULESETS if ruleset.rulebook.credits]
    return render(request, "site/credits.html", rulesets=credited)
