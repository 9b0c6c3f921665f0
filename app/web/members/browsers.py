"""Names for browsers that their owners recognise: "Firefox on Android"."""

from fastapi import Request

_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chromium/", "Chromium"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "Mac"),
    ("Linux", "Linux"),
)


def label(request: Request) -> str:
    """A short name for the browser of a request: a guess from its User-Agent, for display only."""
    said = request.headers.get("user-agent", "")[:400]
    browser = next((name for sign, name in _BROWSERS if sign in said), "A browser")
    system = next((name for sign, name in _SYSTEMS if sign in said), None)
    return f"{browser} on {system}" if system else browser
