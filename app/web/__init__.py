"""Pages, streams, forms, sessions, security headers."""

from fastapi import FastAPI


def install(app: FastAPI) -> None:
    """Put every room's pages and the guards before them into the app."""
    from app.web import front, rulebook, scene, stream, templating

    templating.install_static(app)
    app.include_router(front.router)
    app.include_router(rulebook.router)
    app.include_router(scene.router)
    app.include_router(stream.router)
