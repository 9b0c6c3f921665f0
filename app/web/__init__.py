"""All pages and forms, event streams, sessions and security headers."""

from fastapi import FastAPI


def install(app: FastAPI) -> None:
    """Add the routers of all folders and the middleware to the app.

    Middleware from the outside in: the access log, security headers, error pages for crashes, a limit to body sizes, a
    check against forged requests, HEAD answered as GET.
    """
    from app.web.calendar.routes import router as calendar
    from app.web.campaign.routes import router as campaign
    from app.web.characters.routes import router as characters
    from app.web.desk.routes import router as desk
    from app.web.homebrew.pages import router as homebrew
    from app.web.http import access, errors, head, health, limits, security, templating
    from app.web.members.routes import router as members
    from app.web.scene.routes import router as scene
    from app.web.site.routes import router as site

    templating.install_static(app)
    for router in (health.router, site, members, campaign, characters, scene, desk, calendar, homebrew):
        app.include_router(router)
    errors.install(app)
    app.add_middleware(head.HeadAsGet)
    app.add_middleware(security.NoForgery)
    app.add_middleware(limits.BodyLimit)
    app.add_middleware(errors.Crash)
    app.add_middleware(security.SafeHeaders)
    app.add_middleware(access.Access)
