"""Who may ask each address of the app: the role × route matrix that every new route has to stand in."""

import uuid

SEAT, SCENE = "/c/{slug}/{handle}", "/c/{slug}/{handle}/scene/{scene_id}"

CHALLENGES = {f"{SEAT}/challenges{path}" for path in ("", "/{challenge_id}/accept", "/{challenge_id}/close")}
ENTRIES = f"{SEAT}/calendar/entries"
WRITING = {
    f"{ENTRIES}{path}" for path in ("", *(f"/{{entry_id}}/{act}" for act in ("change", "mark", "move", "reply")))
}

# Who may come in: everybody, whoever sits at that address, only GMs who do, or only whose own it is (Alice).
VERDICTS: dict[tuple[str, str], str] = {
    **{("GET", path): "all" for path in ("/", "/about", "/credits", "/rulebook", "/rulebook/{key}", "/new", "/code")},
    **{("GET", path): "all" for path in ("/rulebook/{key}/how-to-play", "/rulebook/{key}/{rule_id}", "/code/{slug}")},
    **{("GET", f"/health/{word}"): "all" for word in ("live", "ready")},
    **{("GET", path): "all" for path in ("/join/{slug}/{token}", "/enter/{slug}/{token}", "/new/{token}")},
    # Whoever waits is known by a cookie of that address alone; without it there is nothing to see.
    **{("GET", path): "all" for path in ("/group/{slug}", "/group/{slug}/state", "/group/{slug}/{token}")},
    ("POST", "/group/{slug}/{token}"): "all",
    **{
        ("POST", path): "all"
        for path in ("/try/{key}", "/practice", "/new", "/code", "/join/{slug}/{token}", f"{SEAT}/enter")
    },
    **{("GET", SEAT + path): "seat" for path in ("/", "/live", "/people", "/people/live", "/you", "/awaits", "/turns")},
    **{("GET", f"{SEAT}/rulebook{path}"): "seat" for path in ("", "/{key}", "/{key}/how-to-play", "/{key}/{rule_id}")},
    **{("GET", f"{SEAT}/calendar{path}"): "seat" for path in ("", "/year", "/agenda", "/day", "/of/{who}")},
    ("GET", "/feed/{slug}/{token}.ics"): "all",
    ("GET", f"{SEAT}/calendar/feeds"): "seat",
    **{(way, f"{SEAT}/calendar/shape{path}"): "gm" for way in ("GET", "POST") for path in ("", "/import")},
    **{(way, f"{SEAT}/calendar/{page}"): "gm" for way in ("GET", "POST") for page in ("rules", "setup", "others")},
    **{("POST", f"{SEAT}/calendar/others/{path}"): "gm" for path in ("{other}", "{other}/remove")},
    **{("POST", f"{SEAT}/calendar/feeds/{path}"): "seat" for path in ("make", "revoke")},
    ("GET", f"{ENTRIES}/{{entry_id}}"): "seat",
    ("GET", f"{ENTRIES}/new"): "seat",
    **{("POST", path): "seat" for path in WRITING},
    **{("GET", f"{SEAT}/calendar{path}"): "gm" for path in ("/move", "/moved/{crossing_id}", "/export")},
    **{("POST", f"{SEAT}/calendar{path}"): "gm" for path in ("/go", "/moved/{crossing_id}/undo")},
    **{("POST", f"{ENTRIES}/{{entry_id}}/{path}"): "gm" for path in ("open", "decide/{what}")},
    **{("GET", f"{SEAT}/characters{path}"): "seat" for path in ("/new", "/{who}", "/{who}/edit")},
    **{
        ("GET", SCENE + path): "seat"
        for path in (
            "",
            "/live",
            "/log",
            "/film",
            "/why/{number}",
            "/verify",
            "/receipts",
            "/story",
            "/story.txt",
            "/replay",
        )
    },
    **{("POST", f"{SEAT}/you/{path}"): "seat" for path in ("name", "drafts", "link", "code", "devices/close-others")},
    ("POST", f"{SEAT}/you/devices/{{device_id}}/close"): "seat",
    ("POST", f"{SEAT}/presence"): "seat",
    **{
        ("POST", f"{SEAT}/characters{path}"): "seat"
        for path in ("", "/new/roll", "/new/ready", "/{who}", "/{who}/aside", "/{who}/back")
    },
    **{("POST", f"{SCENE}/{path}"): "seat" for path in ("lay", "draft", "say", "stop", "resume-vote")},
    **{
        ("POST", f"{SEAT}/characters/{{who}}/{path}"): "seat"
        for path in ("hand-over", "successor", "later", "aid", "care", "grow")
    },
    ("POST", f"{SEAT}/characters/{{who}}/goals"): "own",
    **{("POST", f"{SEAT}/characters/{{who}}/{path}"): "gm" for path in ("notes", "promote")},
    ("POST", f"{SCENE}/notes"): "gm",
    **{("GET", f"{SCENE}/as/{{seat}}{path}"): "gm" for path in ("", "/live", "/log", "/film", "/why/{number}")},
    ("POST", f"{SEAT}/promotions"): "seat",
    ("GET", f"{SCENE}/notes"): "gm",
    ("POST", f"{SEAT}/promotions/{{promotion_id}}/confirm"): "gm",
    ("POST", f"{SEAT}/promotions/{{promotion_id}}/close"): "seat",
    ("POST", f"{SEAT}/people/hand-over"): "seat",
    **{("GET", f"{SEAT}/lines{path}"): "seat" for path in ("", "/live")},
    **{("POST", f"{SEAT}/lines{path}"): "seat" for path in ("", "/{bound_id}")},
    # Players may where the campaign says so (tests/web/test_decisions.py); here it does not.
    **{(method, f"{SEAT}/decide/{kind}"): "gm" for kind in ("vote", "order", "roll") for method in ("GET", "POST")},
    ("POST", f"{SEAT}/decide/ways"): "gm",
    **{(method, f"{SEAT}/draft"): "gm" for method in ("GET", "POST")},
    ("GET", f"{SEAT}/own"): "seat",
    ("GET", f"{SEAT}/own/new"): "gm",
    **{("POST", f"{SEAT}/own{path}"): "gm" for path in ("", "/{thing}", "/{thing}/delete")},
    ("GET", f"{SEAT}/own/{{thing}}"): "gm",
    ("POST", f"{SCENE}/next"): "gm",
    **{("POST", path): "seat" for path in CHALLENGES},
    **{(method, f"{SEAT}/delete"): "gm" for method in ("GET", "POST")},
    ("GET", f"{SEAT}/scenes/new"): "gm",
    ("POST", f"{SEAT}/scenes/new"): "gm",
    **{
        ("POST", f"{SEAT}/scenes/prepared/{{prepared_id}}/{path}"): "gm"
        for path in ("open", "copy", "remove", "restore")
    },
    ("POST", f"{SCENE}/act/{{what}}"): "gm",
    **{("GET", f"{SEAT}/desk{path}"): "gm" for path in ("", "/live", "/steps")},
    ("POST", f"{SEAT}/desk/steps"): "gm",
    **{("GET", f"{SEAT}/handouts{path}"): "seat" for path in ("", "/live", "/{handout_id}/picture")},
    **{(way, f"{SEAT}/handouts{path}"): "gm" for way in ("GET", "POST") for path in ("/new", "/{handout_id}/change")},
    ("POST", f"{SEAT}/handouts/{{handout_id}}/{{act}}"): "gm",
    ("GET", f"{SCENE}/rolls"): "seat",
    **{("POST", f"{SCENE}/rolls{path}"): "gm" for path in ("", "/{number}/show")},
    **{(method, f"{SCENE}/foes"): "gm" for method in ("GET", "POST")},
    ("POST", f"{SCENE}/foes/{{what}}"): "gm",
    ("POST", f"{SEAT}/desk/notes"): "gm",
    **{("POST", f"{SEAT}/desk/npcs/{{who}}/{path}"): "gm" for path in ("shown", "folder")},
    **{("POST", f"{SEAT}/{path}"): "gm" for path in ("notes", "campaign", "people/invite")},
    **{("POST", f"{SEAT}/people/invitations/{{invitation_id}}/{path}"): "gm" for path in ("renew", "revoke")},
    **{("POST", f"{SEAT}/people/of/{{who}}/{path}"): "gm" for path in ("invite", "role", "remove")},
    **{("POST", f"{SEAT}/people/group-link{path}"): "gm" for path in ("", "/close")},
    **{("POST", f"{SEAT}/people/requests/{{request_id}}/{path}"): "gm" for path in ("admit", "decline")},
    ("GET", f"{SEAT}/stream"): "stream",  # endless: held to the same guard by test_streams_open_to_their_seat_alone
}
SPECTATORS_NOT = (
    CHALLENGES
    | WRITING
    | {
        f"{ENTRIES}/new",
        f"{SEAT}/characters/new",
        f"{SEAT}/characters",
        f"{SEAT}/characters/new/roll",
        f"{SEAT}/characters/new/ready",
        f"{SEAT}/promotions",
        f"{SEAT}/characters/{{who}}/edit",
    }
)


def address(route: str, **parts: object) -> str:
    """A route's address: with these parts, and something of the right form for all others."""
    usual: dict[str, object] = {
        "number": 1,
        "who": "alice",
        "key": "whiskey",
        "other": 1,
        "rule_id": "WHI-12",
        "token": "x" * 43,
        "device_id": uuid.uuid4(),
        "invitation_id": uuid.uuid4(),
        "request_id": uuid.uuid4(),
        "entry_id": uuid.uuid4(),
        "crossing_id": uuid.uuid4(),
        "challenge_id": uuid.uuid4(),
        "promotion_id": uuid.uuid4(),
        "bound_id": uuid.uuid4(),
        "handout_id": uuid.uuid4(),
        "act": "give",
        "prepared_id": uuid.uuid4(),
        "thing": "own_frost",
        "what": "pause",
        "seat": "spectator",
    }
    return route.format(**{**usual, **parts})
