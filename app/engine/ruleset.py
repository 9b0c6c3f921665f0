"""The interface between the table and a rule system: values and pure functions, walked through in docs/engine.md.

A `Ruleset` is a value with one or more `SceneKind`s. A kind is a state machine: `steps(state)` says what the table
waits for now, `resolve` turns the answers of one closed step into events, and the state is always the fold of the
events. Sealed declarations are never in a state: they enter `resolve` as an argument and leave as events.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Generic, Literal, NewType, Protocol, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, JsonValue, TypeAdapter, ValidationError

from app.engine.chance import Chance, Roll
from app.engine.frozen import frozen
from app.engine.rulebook import Rulebook

C = TypeVar("C")  # a character's sheet
O = TypeVar("O")  # the settings of a scene  # noqa: E741
S = TypeVar("S")  # the state of a scene
D = TypeVar("D")  # a declaration: what one seat answers
E = TypeVar("E")  # an event
V = TypeVar("V")  # what one viewer may know now
S_co = TypeVar("S_co", covariant=True)
E_in = TypeVar("E_in", contravariant=True)

Seat = NewType("Seat", str)
"""A chair at a scene that declares, for example "alice", "side-a", "gm". The scene fixes their order once."""

GM = Seat("gm")
"""The GM's chair: every scene has it, last in the order."""

Audience = frozenset[Seat] | None
"""Who may know something: these seats, or None for everybody at the table, spectators too."""

NOBODY: frozenset[Seat] = frozenset()


@dataclass(frozen=True, kw_only=True, slots=True)
class Ask:
    """What one seat is asked in one step. A seat is asked at most once a step, for all its characters."""

    seat: Seat
    kind: str  # names the form, ask-<kind>.html among the kind's templates; one of the declaration's tags
    call: str = "Decide"  # the line on top, as a command without a full stop: "Declare for Alice"
    about: tuple[str, ...] = ()  # ids only (characters, attacks, questions); what they offer is in the view
    open_to: Audience = NOBODY  # who reads the answer before the step closes; NOBODY: sealed
    known_to: Audience = None  # who may know that this ask exists, its wax included
    opens: Literal["close", "end", "never"] = "close"  # when salt and words are published
    first_stands: bool = False  # no changing one's mind once it is sealed


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """Decisions that close together: all ready, or time up. Several steps may be open, each closes on its own.

    A step with asks waits for its seats; without asks it closes at once (luck nobody decides about). A key is used
    once in a scene, so it names its round: "r3/declare". While a step is open its content never changes.
    """

    key: str
    title: str  # for people: "Round 3: declarations"
    asks: tuple[Ask, ...] = ()
    pace: Literal["plan", "react", "rule", "whenever"] = "plan"  # "whenever": nobody waits for it, no deadline
    seconds: int | None = None  # time the rules or a setting give for it; the scene's tempo may override
    ranked: bool = False  # the rules ask who spoke first: the order of the last changes is public (WHI-27)


How = Literal["sealed", "draft", "standing", "default"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer(Generic[D]):
    """What one seat said, and how it came about; "default" is the ruleset's safe answer for an absent seat."""

    says: D
    how: How = "sealed"
    rank: int = 0  # 1..n by last change, defaults behind in seat order; always 0 unless the step is ranked


@dataclass(frozen=True, kw_only=True, slots=True)
class Answers(Generic[D]):
    """All answers of a closing step, complete and in seat order, never in order of arrival."""

    of: Mapping[Seat, Answer[D]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Viewer:
    """Whose eyes. A page has all seats of its member; `check` and `default` get exactly one; a spectator has none."""

    seats: frozenset[Seat] = NOBODY
    gm: bool = False


SPECTATOR = Viewer()


@frozen(kw_only=True)
class LoggedEvent(Generic[E]):
    """An event in the log: its number, the rule that made it, and the numbers of the events it follows from."""

    number: int
    rule: str
    because: tuple[int, ...]
    event: E


class Log(Protocol[S_co, E_in]):
    """Tells events one by one; `state` is always the fold so far, so that `resolve` reads like the book."""

    @property
    def state(self) -> S_co: ...

    def emit(self, event: E_in, *, rule: str, because: tuple[int, ...] = ()) -> int:
        """Append an event and fold it; returns its number, to be used in a later `because`."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Brief:
    """An order for a scene: which kind, who sits where, what it starts from (`given`, checked by its kind)."""

    kind: str
    title: str
    seats: Mapping[Seat, tuple[str, ...]]  # seat -> character ids, in roster order; GM last
    given: JsonValue = None


OWN = "own_"
"""How the ids of a campaign's own things begin; nothing that a ruleset brings has such an id."""

Homebrew = Mapping[str, Mapping[str, Any]]
"""Kind, as in `Ruleset.homebrew` -> id -> thing."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Setup(Generic[C, O]):
    """Everything a scene starts from."""

    brief: Brief
    settings: O
    sheets: Mapping[str, C]  # character id -> sheet
    kept: Mapping[str, JsonValue]  # what the campaign remembers by name, e.g. "deck/players"
    own: Homebrew = field(default_factory=dict)  # what the campaign added to the book, as it was when the scene began


@dataclass(frozen=True, kw_only=True, slots=True)
class PlannedEntry:
    """An entry that a scene leaves on the campaign's calendar, open (CHR-CAL-02, CHR-CAL-13)."""

    kind: Literal["scene", "leg", "arrival", "completion", "event", "note"] = "scene"  # of the entry
    title: str
    day: int | None = None  # a day number of the campaign's calendar; None: counted from the day it is written
    in_days: int = 1  # from that day, where `day` says nothing
    place: str = ""
    people: tuple[str, ...] = ()  # character ids
    text: str = ""
    brief: Mapping[str, JsonValue] | None = None  # what a scene that is begun from it starts with


@dataclass(frozen=True, kw_only=True, slots=True)
class NewCharacter:
    """A character that a scene made: whoever holds that seat owns it (CHR-CHA-04)."""

    seat: str
    name: str  # 1 to 60 characters
    sheet: Mapping[str, JsonValue]  # what the ruleset's adapter dumps as JSON, whole


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """What a scene leaves behind: changed sheets and named memories for the campaign, entries for its calendar, new
    characters in the order in which they were made, a result for who waited."""

    sheets: Mapping[str, JsonValue] = field(default_factory=dict)
    kept: Mapping[str, JsonValue] = field(default_factory=dict)
    entries: tuple[PlannedEntry, ...] = ()
    made: tuple[NewCharacter, ...] = ()
    result: JsonValue = None


Faults = dict[str, str]
"""Field name as the form spells it -> what is wrong and what to do. Empty: legal. "" names the form as a whole."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SoFar(Generic[S]):
    """How a case file begins in the middle of a scene ([given.so_far]). A table's scene never does."""

    says: TypeAdapter[Any]
    place: Callable[[S, Any], tuple[str, ...]]
    """Changes a state that has just started, or leaves it and tells in sentences why it never comes to that."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Pages:
    """What a kind of scene brings of its pages: files below `templates/` and `static/` of its ruleset's folder.

    In `folder` lie situation.html, board.html, log.html and ask-<kind>.html for each kind of ask; whatever else there
    is stands here by name. app/engine/pieces.py says which of them are missing.
    """

    folder: str = ""  # below templates/; "" where the ruleset has one kind, or one look for all
    styles: tuple[str, ...] = ()  # style sheets, in the order in which pages load them
    scripts: tuple[str, ...] = ()  # module scripts, loaded after those of the page
    opening: str = "new.html"  # the form that opens such a scene; "": a page of the campaign opens it
    envelopes: str = ""  # what stands in place of the row of envelopes, where the board shows the seals itself


class _Nothing(BaseModel):
    model_config = ConfigDict(extra="forbid")


NOTHING: TypeAdapter[Any] = TypeAdapter(Annotated[_Nothing, BeforeValidator(lambda given: given or {})])
"""What a scene is given that needs to know no more than who sits there."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SceneKind(Generic[C, O, S, D, E, V]):
    """One state machine of a ruleset, as a value.

    The laws in tests/rulesets/laws.py hold for every kind: defaults are legal; the order of sealing changes nothing
    unless a step is ranked; folding the log gives the state; `resolve` never fails on answers that `check` let in;
    what a viewer cannot see changes nothing that viewer is shown; S, D, E and Step survive JSON.
    """

    key: str
    title: str
    state: TypeAdapter[S]
    declaration: TypeAdapter[D]  # a union tagged "ask"; the table validates {**unflatten(form), "ask": ask.kind}
    event: TypeAdapter[E]
    start: Callable[[Setup[C, O]], S]  # no luck here: the first closing has it; both may refuse by ValidationError
    steps: Callable[[S], tuple[Step, ...]]  # empty: the scene is over
    view: Callable[[S, Viewer], V]  # built up field by field, never by leaving out
    sees: Callable[[E, Viewer], bool]
    check: Callable[[V, Ask, D], Faults]  # V of exactly that seat
    default: Callable[[V, Ask], D]  # what an absent seat does: safe, and legal by check
    resolve: Callable[[Log[S, E], Step, Answers[D], Chance], None]
    apply: Callable[[S, LoggedEvent[E]], None]  # folds into S in place; the fold is the only writer of a state
    outcome: Callable[[S], Outcome]
    given: TypeAdapter[Any] = NOTHING  # what Brief.given must be
    needs: Callable[[Brief, Mapping[str, C]], frozenset[str]] = lambda brief, sheets: frozenset()
    """The names in `kept` that a scene claims, by its order and its sheets by character."""
    enter: Callable[[Log[S, E], Seat, str, C], None] | None = None  # a newcomer in mid-scene
    may_invalidate_sealed: Callable[[V], bool] = lambda view: False
    """Whether a sealed declaration may have become illegal since; `resolve` then leaves the illegal part out."""
    presets: Mapping[str, Any] = field(default_factory=dict)  # foes and other prepared combatants, by key
    seats_are_people: bool = False  # its seats are people without characters; opened from a page of its own
    by_challenge: bool = False  # two players may begin one between their characters, without the GM
    so_far: SoFar[S] | None = None  # for cases only
    pages: Pages = Pages()


@dataclass(frozen=True, kw_only=True, slots=True)
class DayEvent:
    """One thing that a passing day did to a character: told to people, with its rule and its dice."""

    about: str  # what of the character, once a day: "left-arm", "minor"
    text: str  # a sentence: "Ella's left arm: a healing roll succeeds, the second of four."
    rule: str
    rolls: tuple[Roll, ...] = ()
    marks: bool = False  # worth an entry on the calendar by itself (CHR-CAL-08)
    mark: str = ""  # what that entry says after the character's name: "left arm, 2 of 4"


@dataclass(frozen=True, kw_only=True, slots=True)
class Prospect:
    """One line on what a care means for somebody's next day, told before any dice, with its rule."""

    text: str  # a sentence: "Bea treats the wounds, with Heal 5."
    rule: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Plea:
    """Somebody for whom a person has to decide before their next day: time stands still until then."""

    text: str  # a sentence: "Ella dies of the Major head wound within the hour, unless somebody comes."
    rule: str
    helpers: tuple[str, ...] = ()  # slugs of who can come, those first who stand by unhurt


@dataclass(frozen=True, kw_only=True, slots=True)
class Days(Generic[C]):
    """What passing days do to characters (healing), as a value. Pure: luck comes labelled by character and day, so
    thirty days at once give what thirty single days give."""

    care: TypeAdapter[Any]  # standing answers of a character's player: who heals, what rests, how they live
    usual: Callable[[C], Any]  # the care of who never said anything
    waits: Callable[[C], bool]  # whether a day would do anything to this character
    live: Callable[[Mapping[str, C], str, Any, Chance], tuple[C, tuple[DayEvent, ...]]]
    """All sheets of the campaign's characters by slug, who lives this day, the care, the luck: the sheet afterwards."""
    condition: Callable[[C], tuple[str, ...]] = lambda sheet: ()
    """What of this character's state outlives scenes, in words for the campaign's page: "Major wound: left arm"."""
    shows: Callable[[Roll], int] = lambda roll: roll.face
    """What a die of a day counts, for pages: a d10 may have the faces 0 to 9."""
    ahead: Callable[[Mapping[str, C], str, Any], tuple[Prospect, ...]] = lambda sheets, who, care: ()
    """As for `live`: who does what on the next day, and the exact odds of its rolls. Empty: pages show the care."""
    pleads: Callable[[Mapping[str, C], str, Any], Plea | None] = lambda sheets, who, care: None
    """As for `live`: what a person has to decide before this character's next day; None: nothing."""
    answered: Callable[[C, Any, str], tuple[C, Any]] = lambda sheet, care, helper: (sheet, care)
    """The sheet and the care of who pleads, once the helper of that slug comes; "": nobody does."""
    settings: TypeAdapter[Any] | None = None
    """What a campaign may settle otherwise about its days, each with a default; None: nothing."""
    settled: Callable[[Any], "Days[C]"] | None = None  # these days under such settings
    foretold: bool = False  # whether what the coming days will do is told beforehand, as long as nothing changes

    def under(self, said: Mapping[str, Any]) -> "Days[C]":
        """The days as a campaign has settled them; as usual where what it said does not fit any more."""
        if self.settings is None or self.settled is None:
            return self
        try:
            return self.settled(self.settings.validate_python(dict(said)))
        except ValidationError:
            return self

    def cared(self, said: Mapping[str, Any], sheet: C) -> Any:
        """The care that holds: what was said, or what is usual where that was never or does not fit any more."""
        if said:
            try:
                return self.care.validate_python(dict(said))
            except ValidationError:
                pass  # said under other rules, or before they changed
        return self.usual(sheet)


@dataclass(frozen=True, kw_only=True, slots=True)
class Dice:
    """Some of the dice somebody was made with, and what came of them in words: "Physical: rating 4, a bank of 28"."""

    about: str
    rolls: tuple[Roll, ...]
    text: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class HomebrewKind:
    """A kind of thing that GMs may add to their campaign's book, as a value: spells, foes.

    Its adapter reads an object with `id` (OWN and more of a-z, 0-9, _; at most 60) and `name`, and so does each thing
    in `book`. A thing that everybody may read is in every scene; of what only GMs read (`scene` is given) a scene has
    what it names, since all that a scene starts from is open when it is over.
    """

    title: str  # "Spells"
    one: str  # "spell": one of them in a sentence
    adapter: TypeAdapter[Any]
    book: Mapping[str, Any]  # what the rules bring, by id: to begin with a copy
    sample: Mapping[str, JsonValue]  # what an empty form begins with
    text: Callable[[Any, Homebrew], tuple[str, ...]]  # what one does, in sentences, among the campaign's own things
    fits: Callable[[Any, Homebrew], Faults] = lambda thing, own: {}  # faults by path, for what others must be there
    within: Callable[[Any], frozenset[str]] = lambda one: frozenset()
    """Ids of this kind that a sheet, or a thing of another kind, names: who would miss them."""
    scene: Callable[[Brief, Mapping[str, Any]], frozenset[str]] | None = None
    """For GMs' eyes only: the ids that a brief names, out of the campaign's own ones."""
    form: str = ""  # the template that lays out its form; "": one field under another


@dataclass(frozen=True, kw_only=True, slots=True)
class SheetPages(Generic[C]):
    """A ruleset's own pages of a character sheet: templates of its folder, and what fills them."""

    page: str = ""  # shows a sheet; "": one field under another
    form: str = ""  # changes a sheet, with field names as in app/web/forms/schema.py; "": one field under another
    blank: Callable[[], Mapping[str, Any]] | None = None
    """What the form of a new sheet begins with: a sound character who lacks only a name. None: defaults."""
    context: Callable[[C | None, Homebrew], Any] = lambda sheet, own: None
    """`sheet_context` of both templates: figures, options of each field. The sheet of a new character is None."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Demo(Generic[C]):
    """A campaign to look around in: people with sheets, and a scene that waits for them."""

    title: str
    about: str
    lay: Callable[[], tuple[Mapping[str, C], Brief]]  # sheets by character id, and the order for the scene
    settings: Mapping[str, JsonValue] = field(default_factory=dict)  # of the scene, where not the usual ones
    dated: bool = False  # whether it has a calendar too


Pick = Callable[[Sequence[Any]], Any]
"""One of several, by luck that is nobody's: the book's own when it plays."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Trial(Generic[C]):
    """A scene from the front page for one person who has never played by these rules; the book plays the others.

    Of the seats without characters the first is that person's, the others and the GM's are the book's.
    """

    title: str  # of the campaign that is made for it
    button: str  # on the front page: "Try it in two minutes"
    begin: Callable[[], tuple[Mapping[str, C], Brief]]  # sheets by character id, that person's; the order for the scene
    answer: Callable[[Any, str, Pick], Mapping[str, str]]
    """What the book declares: the view of its seat, the kind of ask, a choice by luck -> values by form field."""
    page: str = ""  # the template above the board that says what to do now


@dataclass(frozen=True, kw_only=True, slots=True)
class Ruleset(Generic[C, O]):
    """A rule system as a value: one folder, one `RULESET`, one line in the list of app/rulesets."""

    key: str
    package: str  # the import name of its folder, whose templates/ and static/ pages take
    title: str
    blurb: str  # two sentences for somebody who has never heard of it
    version: str  # in every scene's record; recomputing needs the same one
    character: TypeAdapter[C]
    settings: TypeAdapter[O]
    kinds: tuple[SceneKind[C, O, Any, Any, Any, Any], ...]
    rulebook: Rulebook
    reads: frozenset[str] = frozenset()  # older versions whose scenes this one continues
    days: Days[C] | None = None  # None: days do nothing to characters by themselves
    generate: Callable[[str, Chance], tuple[C, tuple[Dice, ...]]] | None = None
    """A character of that name by the dice, and the dice in order; None: these rules roll no characters."""
    generation_note: str = "The dice make a main character, in the order of the book, and every die is shown."
    level_up: Callable[[C, Chance], tuple[C, tuple[Dice, ...]]] | None = None
    """The sheet one level higher, and its dice; ValueError in words at the highest level. None: no levels."""
    rewrite: Callable[[C, C], C] = lambda before, after: after
    """The sheet to save after an edit by hand, from the old sheet and the new one."""
    condition: Callable[[C], tuple[str, ...]] | None = None
    """A sheet's state in words, for lists; None: `days.condition`."""
    dead: Callable[[C], bool] = lambda sheet: False  # whether the player needs another character
    unfit: Callable[[C], str] = lambda sheet: ""
    """Why a character could do nothing in a scene that begins now, after a name: "at 0 HP"; "" for a fit one."""
    heal: Callable[[C], C] | None = None
    """The sheet at full HP, for a GM's order; None: these rules count no HP."""
    promote: Callable[[C, Chance], tuple[C, tuple[Dice, ...]]] = lambda sheet, chance: (sheet, ())
    """The sheet of a minor character who becomes a main one, and the dice for missing ratings; present ones stay."""
    homebrew: Mapping[str, HomebrewKind] = field(default_factory=dict)  # what GMs may add to the book, by kind
    luck: Mapping[str, str] = field(default_factory=dict)
    """The labels of all draws of scenes and days, `<...>` for what changes, and what is drawn, in words."""
    help: tuple[str, ...] = ("help.md",)  # how to play, from a player's chair: Markdown below the folder, in that order
    heroes: Callable[[], Mapping[str, C]] = dict  # characters ready to be played, by a key
    sheet_pages: SheetPages[C] = field(default_factory=SheetPages)
    demo: Demo[C] | None = None
    trial: Trial[C] | None = None
    utility: bool = False  # decisions beside the games: no characters, and nobody's usual rules

    def kind(self, key: str) -> SceneKind[C, O, Any, Any, Any, Any]:
        """The scene kind of that key; LookupError with the known keys otherwise."""
        for kind in self.kinds:
            if kind.key == key:
                return kind
        raise LookupError(f"{self.key} has no scene kind {key!r}; it has {', '.join(k.key for k in self.kinds)}")
