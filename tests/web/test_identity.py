"""What others get is the same, byte for byte, whatever somebody seals, and whatever a hidden seat does.

The same evening is played twice in real servers (`tests/web/theatre.py`), once so and once otherwise. Pages, live
parts, streams, sizes and headers of everybody who may not know are then compared, once the wax (hash and drawing), ids,
hashes and times are masked.
"""

import re
from collections.abc import Callable, Iterator

import pytest

from app.web.drawing import seals
from tests.web.role_matrix import SCENE
from tests.web.searching import opened
from tests.web.theatre import ROLES, Answer, Theatre, theatre

KNOCK, THEFT = "r1/knock", "r1/steal"
MASKS = [
    (rb' data-kept="[\w-]{12}\.\d+"', lambda found: b"<piece>"),  # made of what is masked below, too
    (rb'<svg [^>]*class="seal .*?</svg>', lambda found: b"<seal of %d bytes>" % len(found[0])),
    (rb"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", lambda found: b"<id>"),
    (rb"\"[\w-]{43}\"", lambda found: b"<secret>"),
    (rb"[0-9a-f]{64}", lambda found: b"<hash>"),
    (rb"\b[0-9a-f]{12}\b", lambda found: b"<number>"),
    (rb"\d{4}-\d\d-\d\d[T ][\d:.+]+", lambda found: b"<time>"),
    (rb"\b\d\d:\d\d(?::\d\d)?\b", lambda found: b"<clock>"),
    (rb"toy-[0-9a-f]{8}\b", lambda found: b"<campaign>"),
    (rb"127\.0\.0\.1:\d+", lambda found: b"<server>"),
    (rb'(face\\*"?[=:] ?|total=)\d+', lambda found: found[1] + b"<luck>"),
]
WORDS = re.compile(rb'(?<=[>"])[a-z]{3,12}(?: [a-z]{3,12}){5}(?=[<"])')
"""The head of what has been opened so far, in words of several lengths; what is sealed is not in it."""
UNLIKE = ("date", "set-cookie")  # headers that differ from answer to answer


def masked(body: bytes) -> bytes:
    for pattern, put in MASKS:
        body = re.sub(pattern, put, body, flags=re.DOTALL)
    return body


def shape(answer: Answer) -> tuple[object, ...]:
    """All that whoever got this answer could tell it from another by; times and ids have one length each."""
    head = re.sub(rb"\('(%b)', '[^']*'\)" % "|".join(UNLIKE).encode(), rb"('\1')", answer.head)
    body = WORDS.sub(b"<words>", opened(answer.body, answer.packed))
    return answer.status, masked(head).replace(b"%d" % len(answer.body), b"<length>"), len(body), masked(body)


Play = Callable[[Theatre, bool], None]
Same = tuple[Theatre, Theatre]


def both(play: Play, which: str, **settings: object) -> Iterator[Same]:
    played = []
    for other in (False, True):
        given = {**settings, "honest": other} if which == "hidden" else settings
        with theatre(loud=False, rounds=2, explode=True, **given) as night:
            play(night, other)
            played.append(night)
    yield played[0], played[1]


def differing(one: Theatre, two: Theatre, roles: tuple[str, ...]) -> list[str]:
    """Where answers of these roles differ, with the first place at which they do."""
    found = []
    assert {a.status for a in one.answers} <= {200, 303, 401, 403, 404}
    assert [str(a) for a in one.answers] == [str(a) for a in two.answers]
    for a, b in zip(one.answers, two.answers, strict=True):
        if a.role in roles and shape(a) != shape(b):
            left, right = (masked(WORDS.sub(b"<words>", opened(x.body, x.packed))) for x in (a, b))
            at = next(
                (i for i, (x, y) in enumerate(zip(left, right, strict=False)) if x != y), min(len(left), len(right))
            )
            lengths = f"{len(a.body)} and {len(b.body)} bytes"
            found.append(f"{a}: {lengths}; {left[at - 60 : at + 60]!r} but {right[at - 60 : at + 60]!r}")
    return found


def heard(night: Theatre, role: str) -> bytes:
    """A member's stream, without the pings that only time decides."""
    return re.sub(rb": ping[^\r\n]*(\r\n)+", b"", night.streams[role].got[night.streams[role].begun :])


# ---- two declarations ------------------------------------------------------------------------------------------------

OTHERS = ("stranger", "foreign", "sam", "gm", "bea", "cyd")


def _declare(night: Theatre, long: bool) -> None:
    """Ann drafts, seals, replaces, takes back and seals again, in few words or in many."""
    few, many = {"times": "1", "note": ""}, {"times": "42", "note": "quietly, behind the barrels " * 60}
    words = many if long else few
    look: Callable[[str], None] = lambda state: night.sweep(state, roles=OTHERS, every=False)  # noqa: E731
    assert night.lay("ann", KNOCK, words, "draft").startswith(b"303")
    night.settle()
    look("draft")
    for state, act in (("sealed", "seal"), ("replaced", "seal"), ("taken back", "take_back"), ("sealed anew", "seal")):
        before = night.told()
        assert night.lay("ann", KNOCK, {} if act == "take_back" else words, act).startswith(b"303")
        night.settle(before)
        look(state)
    # A refused seal, too, is nobody's to notice.
    refused = {**words, "times": "5"}
    assert night.lay("ann", KNOCK, refused).startswith(b"422")
    before = night.told()
    night.act("pause")
    night.settle(before)
    look("paused")


@pytest.fixture(scope="module")
def declared() -> Iterator[Same]:
    yield from both(_declare, "words", thief=False)


@pytest.mark.nightly
def test_others_pages_are_the_same_for_two_declarations(declared: Same) -> None:
    assert len(declared[0].answers) > 400
    assert differing(*declared, OTHERS) == []


@pytest.mark.nightly
def test_others_streams_are_the_same_for_two_declarations(declared: Same) -> None:
    for role in ("sam", "gm", "bea", "cyd", "foreign"):
        assert heard(declared[0], role) == heard(declared[1], role), role
    assert heard(declared[0], "bea").count(b"data: changed") == 5, "four seals, and the pause"


@pytest.mark.nightly
def test_the_comparison_sees_a_difference(declared: Same) -> None:
    """The author's own page does differ, and the comparison says so; so does a hash that nobody masked."""
    pages = [next(answer for answer in reversed(night.answers) if answer.route == SCENE) for night in declared]
    assert shape(pages[0]) == shape(pages[1])
    spoiled = Answer(**{**vars(pages[1]), "body": pages[1].body.replace(b"</html>", b" </html>")})
    assert shape(pages[0]) != shape(spoiled)
    spoiled = Answer(**{**vars(pages[1]), "head": pages[1].head.replace(b"no-store", b"no-cache")})
    assert shape(pages[0]) != shape(spoiled)


def test_no_drawing_is_longer_for_one_hash_than_for_another() -> None:
    for face in ("sealed", "opened"):
        for draw in (seals.seal, seals.envelope):
            assert len({len(draw("Ann", face, f"{n:02x}" * 32)) for n in range(256)}) == 1, face


# ---- a hidden seat ---------------------------------------------------------------------------------------------------

UNAWARE = ("stranger", "foreign", "sam", "ann", "bea")


def _steal(night: Theatre, honest: bool) -> None:
    """Cyd is asked, drafts, seals, is given time and stumbles; or is never asked at all."""
    look: Callable[[str], None] = lambda state: night.sweep(state, roles=UNAWARE, every=False)  # noqa: E731

    def cyd(step: str, what: str, act: str = "seal") -> None:
        if not honest:
            assert night.lay("cyd", step, {"what": what}, act).startswith(b"303")

    look("asked")
    cyd(THEFT, "the keys", "draft")
    if not honest:
        night.act("time", step=THEFT, seconds="90")
    look("hidden draft, with a clock")
    cyd(THEFT, "the crown")
    night.settle()
    look("hidden seal")
    for who in ("ann", "bea"):
        before = night.told()
        assert night.lay(who, KNOCK, {"times": "20", "note": "tap"}).startswith(b"303")
        night.settle(before)
    look("opened")
    cyd("r2/steal", "boom")  # the rules stumble over it: the step is stuck
    night.settle()
    look("hidden step stuck")
    before = night.told()
    night.act("pause")
    night.settle(before)
    look("paused")


@pytest.fixture(scope="module")
def stolen() -> Iterator[Same]:
    yield from both(_steal, "hidden", seconds=3600)


@pytest.mark.nightly
def test_a_hidden_seat_is_as_if_it_did_not_exist(stolen: Same) -> None:
    assert len(stolen[0].answers) > 400
    assert differing(*stolen, UNAWARE) == []


@pytest.mark.nightly
def test_streams_are_silent_about_a_hidden_seat(stolen: Same) -> None:
    for role in ("sam", "ann", "bea", "foreign"):
        assert heard(stolen[0], role) == heard(stolen[1], role), role


@pytest.mark.nightly
def test_the_hidden_seat_did_act(stolen: Same) -> None:
    """Else the comparison would prove nothing: whoever may know of it was told more, and reads more."""
    with_thief, without = stolen
    assert with_thief.told()["cyd"] > without.told()["cyd"] and with_thief.told()["gm"] > without.told()["gm"]
    assert set(UNAWARE) | {"gm", "cyd"} == set(ROLES)
