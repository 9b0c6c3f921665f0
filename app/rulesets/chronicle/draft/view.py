"""The view of a draft, the same for every viewer; and the checks and defaults of its declarations."""

from dataclasses import dataclass

from app.engine.ruleset import Ask, Faults, Viewer
from app.rulesets.chronicle import motivations, skills
from app.rulesets.chronicle.draft import declarations as de
from app.rulesets.chronicle.draft.names import free_name
from app.rulesets.chronicle.draft.state import USUAL, Set, State

MOST_SHOWN = 5  # skills and motivations that characterise a set


@dataclass(frozen=True, slots=True)
class Rated:
    name: str
    rating: int


@dataclass(frozen=True, slots=True)
class SetView:
    """A set for readers: its best ratings come first."""

    number: int
    groups: tuple[tuple[Rated, tuple[Rated, ...]], ...]  # each group with its rating, and its skills, best first
    best: tuple[Rated, ...]  # of all skills
    strong: tuple[Rated, ...]  # motivations
    pairs: tuple[tuple[Rated, Rated], ...]
    terrain: str
    taker: str  # seat; "": free
    name: str  # of the character it has become


@dataclass(frozen=True, slots=True)
class Picked:
    """A character of the cast."""

    seat: str
    number: int
    name: str
    standing: str
    home: str
    context: str
    relations: str
    past: str
    silent: bool


@dataclass(frozen=True, slots=True)
class View:
    seats: tuple[str, ...]
    wanted: dict[str, int]
    least: int
    most: int
    usual: int
    sets: tuple[SetView, ...]
    left: tuple[int, ...]
    faces: dict[str, tuple[int, ...]]
    order: tuple[str, ...]
    coming: tuple[str, ...]  # the seats that pick, from now to the end
    people: tuple[Picked, ...]  # in the order of the picks
    terrains: tuple[str, ...]  # to choose from, if not rolled
    spare: str  # a name for a character without one
    over: bool

    @property
    def turn(self) -> str:
        """The seat whose turn it is; "": none."""
        return self.coming[0] if self.coming else ""

    def of(self, seat: str) -> tuple[Picked, ...]:
        return tuple(one for one in self.people if one.seat == seat)

    @property
    def round(self) -> tuple[str, ...]:
        """The next picks, at most one more than a round."""
        return self.coming[: len(self.order) + 1]


def view(state: State, viewer: Viewer) -> View:
    """The same view for all (CHR-CHA-05)."""
    least, most = state.least_most
    chosen = state.settings.survive_terrain == "chosen"
    return View(
        seats=state.seats,
        wanted=dict(state.wanted),
        least=least,
        most=most,
        usual=USUAL,
        sets=tuple(_shown(state, one) for one in state.sets.values()),
        left=state.left,
        faces=dict(state.faces),
        order=state.order,
        coming=state.coming,
        people=tuple(
            Picked(
                seat=one.seat,
                number=one.number,
                name=one.name,
                standing=one.standing,
                home=one.home,
                context=one.context,
                relations=one.relations,
                past=one.past,
                silent=one.how == "default",
            )
            for one in state.taken.values()
        ),
        terrains=skills.TERRAINS if chosen else (),
        spare=free_name([one.name for one in state.taken.values()]),
        over=state.over,
    )


def _shown(state: State, one: Set) -> SetView:
    taken = state.taken.get(one.number)
    rated = {key: Rated(skill.name, one.skills[key]) for key, skill in skills.SKILLS.items()}
    moved = {key: Rated(of.name, one.motivations[key]) for key, of in motivations.MOTIVATIONS.items()}
    groups = tuple(
        (Rated(group.name, one.groups[group.key]), _best(tuple(rated[skill.key] for skill in group.skills)))
        for group in skills.GROUPS
    )
    return SetView(
        number=one.number,
        groups=groups,
        best=_best(tuple(rated.values()))[:MOST_SHOWN],
        strong=_best(tuple(moved.values()))[:MOST_SHOWN],
        pairs=tuple((moved[pair.left.key], moved[pair.right.key]) for pair in motivations.PAIRS),
        terrain=one.terrain,
        taker=taken.seat if taken else "",
        name=taken.name if taken else "",
    )


def _best(rated: tuple[Rated, ...]) -> tuple[Rated, ...]:
    return tuple(sorted(rated, key=lambda one: -one.rating))


def check(view: View, ask: Ask, says: de.Declaration) -> Faults:
    if isinstance(says, de.Cast):
        fits = view.least <= says.number <= view.most
        return {} if fits else {"number": f"Choose {view.least} to {view.most}."}
    faults: Faults = {}
    if says.number not in view.left:
        faults["number"] = "Choose one of the sets that are left."
    if not says.named:
        faults["name"] = "Give them a name."
    if view.terrains and says.terrain not in view.terrains:
        faults["terrain"] = "Choose the land they survive best in."
    return faults


def default(view: View, ask: Ask) -> de.Cast | de.Pick:
    """Three characters; the lowest set left, with a name from the list and no texts (CHR-CHA-05)."""
    if ask.kind == "cast":
        return de.Cast(number=view.usual)
    terrain = view.terrains[0] if view.terrains else ""
    return de.Pick(number=view.left[0], name=view.spare, terrain=terrain)
