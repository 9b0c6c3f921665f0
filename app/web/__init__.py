"""Pages, streams, forms, sessions, security headers."""

from fastapi import FastAPI


def install(app: FastAPI) -> None:
    """Put every room's pages and the guards before them into the app.

    Guards from the outside in: a line in the log for every request, headers on every answer, a page for every crash,
    a limit to every body, no forgery.
    """
    from app.web import (
        access,
        bounds,
        calendar,
        calendar_feeds,
        calendar_import,
        calendar_rules,
        calendar_shape,
        calendarentries,
        calendarmoves,
        campaigns,
        casting,
        challenges,
        characters,
        deciding,
        deleting,
        doors,
        errors,
        front,
        health,
        limits,
        lives,
        newscene,
        own,
        people,
        practice,
        receipts,
        rolling,
        rulebook,
        scene,
        scenenotes,
        security,
        stop,
        story,
        stream,
        templating,
        tutorial,
        you,
    )

    templating.install_static(app)
    seated = (
        campaigns,
        deleting,
        challenges,
        people,
        you,
        rolling,
        characters,
        newscene,
        scene,
        scenenotes,
        stop,
        receipts,
        stream,
    )
    dated = (
        calendar,
        calendarmoves,
        calendarentries,
        lives,
        calendar_feeds,
        calendar_import,
        calendar_rules,
        calendar_shape,
        deciding,
        casting,
    )
    kept = (bounds, own, story)
    for room in (front, health, rulebook, tutorial, practice, doors, *seated, *dated, *kept):
        app.include_router(room.router)
    errors.install(app)
    app.add_middleware(security.NoForgery)
    app.add_middleware(limits.BodyLimit)
    app.add_middleware(errors.Crash)
    app.add_middleware(security.SafeHeaders)
    app.add_middleware(access.Access)
