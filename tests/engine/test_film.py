"""Beats: how events become groups, and how too many of them become fewer."""

from dataclasses import dataclass

from app.engine.film import Beat, Card, Mark, at_most, gain, grouped, with_cues


@dataclass(frozen=True)
class Happened:
    number: int
    event: str


def log(*events: str) -> list[Happened]:
    return [Happened(number, event) for number, event in enumerate(events, start=3)]


def test_runs_of_a_title_are_beats() -> None:
    def title(event: str) -> str | tuple[str, str]:
        return {"a": "First", "b": ("Blow", "b"), "c": ("Blow", "c")}.get(event, "")

    beats = grouped(log("-", "a", "a", "-", "b", "-", "c", "a"), title)
    assert [(beat.title, beat.events) for beat in beats] == [
        ("", (3,)),
        ("First", (4, 5, 6)),
        ("Blow", (7, 8)),
        ("Blow", (9,)),
        ("First", (10,)),
    ]


def test_cues_come_with_their_event() -> None:
    beats = [Beat(title="A", events=(1, 2)), Beat(title="B", events=(3,))]
    found = with_cues(beats, [(3, gain("bob", -4)), (1, gain("ann", 2))], [Card(what="falls", title="Bob", event=3)])
    assert [beat.marks for beat in found] == [
        (Mark(piece="ann", text="+2", tone="good"),),
        (Mark(piece="bob", text="−4", tone="hurt"),),
    ]
    assert [len(beat.cards) for beat in found] == [0, 1]


def test_the_smallest_neighbours_become_one_and_nothing_is_lost() -> None:
    beats = [Beat(title=f"T{n}", events=(n,), marks=(gain("x", n),)) for n in range(1, 41)]
    found = at_most(beats, 14)
    assert len(found) == 14
    assert [number for beat in found for number in beat.events] == list(range(1, 41))
    assert sum(len(beat.marks) for beat in found) == 40
    assert at_most(beats[:3], 1)[0].title == "T1, t2, t3"
    assert at_most((), 5) == ()
