"""The interface between the table and a rule system: values and pure functions, explained in docs/engine.md.

A `Ruleset` is a value with one or more `SceneKind`s. A kind is a state machine: `steps(state)` returns the steps the
table waits for now, `resolve` turns the answers of one closed step into events, and the state is always the fold of the
events. Sealed declarations are never in a state: they enter `resolve` as an argument and leave as events.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Generic, Literal, NewType, Protocol, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, JsonValue, TypeAdapter, ValidationError

from app.engine.chance import Chance, Roll
from app.engine.durations import Duration
from app.engine.film import Beat
from app.engine.frozen import frozen
from app.engine.gm_desk import Foes, Suggestion, Vital
from app.engine.options import Options
from app.engine.rulebook import Rulebook

C = TypeVar("C")  # a character's sheet
O = TypeVar("O")  # the settings of a scene  # noqa: E741
S = TypeVar("S")  # the state of a scene
D = TypeVar("D")  # a declaration: the answer of one seat
E = TypeVar("E")  # an event
V = TypeVar("V")  # a view: what one viewer may know now
S_co = TypeVar("S_co", covariant=True)
E_in = TypeVar("E_in", contravariant=True)

Seat = NewType("Seat", str)
"""A chair at a scene that declares, for example "alice", "side-a", "gm". Their order in a scene never changes."""

GM = Seat("gm")
"""The GM's chair: every scene has it, last in the order."""

Audience = frozenset[Seat] | None
"""The seats that may know something; None: everyone at the table, spectators included."""

NOBODY: frozenset[Seat] = frozenset()


@frozen(kw_only=True)
class Ask:
    """A step's ask of one seat. A seat has at most one ask per step, for all its characters."""

    seat: Seat
    kind: str  # the form, ask-<kind>.html among the kind's templates; one of the declaration's tags
    call: str = "Decide"  # the line on top, as a command without a full stop: "Declare for Alice"
    about: tuple[str, ...] = ()  # ids only (characters, attacks, questions); the view has their options
    open_to: Audience = NOBODY  # seats that read the answer before the step closes; NOBODY: sealed
    known_to: Audience = None  # seats that may know that this ask exists, its wax included
    opens: Literal["close", "end", "never"] = "close"  # when salt and words are published
    first_stands: bool = False  # a sealed answer cannot be changed


@frozen(kw_only=True)
class Step:
    """Decisions that close together, when all are ready or the time is up. Several open steps close independently.

    A step with asks waits for its seats; one without asks closes at once (luck without a decision). A key is used once
    in a scene, so it names its round: "r3/declare". The content of an open step never changes.
    """

    key: str
    title: str  # for people: "Round 3: declarations"
    asks: tuple[Ask, ...] = ()
    pace: Literal["plan", "react", "rule", "whenever"] = "plan"  # "whenever": nothing waits for it, no deadline
    seconds: int | None = None  # time limit by the rules or a setting; the scene's tempo may override it
    ranked: bool = False  # the rules need to know who spoke first: the order of the last changes is public (WHI-27)


How = Literal["sealed", "draft", "standing", "default"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer(Generic[D]):
    """The answer of one seat, and how it came about; "default" is the ruleset's safe answer for an absent seat."""

    says: D
    how: How = "sealed"
    rank: int = 0  # 1..n by last change, defaults last in seat order; always 0 unless the step is ranked


@dataclass(frozen=True, kw_only=True, slots=True)
class Answers(Generic[D]):
    """All answers of a closing step, complete and in seat order, never in order of arrival."""

    of: Mapping[Seat, Answer[D]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Viewer:
    """A viewer's seats: a page has all seats of its member, `check` and `default` get exactly one, a spectator has
    none.
    """

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
    """Records events one by one; `state` is always the fold so far, so that `resolve` reads like the book."""

    @property
    def state(self) -> S_co: ...

    def emit(self, event: E_in, *, rule: str, because: tuple[int, ...] = ()) -> int:
        """Appends an event, folds it, and returns its number, for use in a later `because`."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Brief:
    """The order for a scene: its kind, its seats, and its start (`given`, checked by the kind)."""

    kind: str
    title: str
    seats: Mapping[Seat, tuple[str, ...]]  # seat -> character ids, in roster order; GM last
    given: JsonValue = None


OWN = "own_"
"""The prefix of the ids of a campaign's own things; no thing of a ruleset has it."""

Homebrew = Mapping[str, Mapping[str, Any]]
"""Kind, as in `Ruleset.homebrew` -> id -> thing."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Setup(Generic[C, O]):
    """Everything a scene starts from."""

    brief: Brief
    settings: O
    sheets: Mapping[str, C]  # character id -> sheet
    kept: Mapping[str, JsonValue]  # what the campaign stores by name, e.g. "deck/players"
    own: Homebrew = field(default_factory=dict)  # the campaign's additions to the book when the scene began


@dataclass(frozen=True, kw_only=True, slots=True)
class PlannedEntry:
    """An entry that a scene adds to the campaign's calendar, open (CHR-CAL-02, CHR-CAL-13)."""

    kind: Literal["scene", "leg", "arrival", "completion", "event", "note"] = "scene"  # of the entry
    title: str
    day: int | None = None  # a day number of the campaign's calendar; None: counted from the day of writing
    in_days: int = 1  # from that day, if `day` is None
    place: str = ""
    people: tuple[str, ...] = ()  # character ids
    text: str = ""
    brief: Mapping[str, JsonValue] | None = None  # the start of a scene that is begun from it


@dataclass(frozen=True, kw_only=True, slots=True)
class NewCharacter:
    """A character that a scene made; the holder of the seat owns it (CHR-CHA-04)."""

    seat: str
    name: str  # 1 to 60 characters
    sheet: Mapping[str, JsonValue]  # the JSON of the ruleset's adapter, complete


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """The results of a scene for the campaign: changed sheets, stored values by name, calendar entries, new characters
    in the order they were made, and a result.
    """

    sheets: Mapping[str, JsonValue] = field(default_factory=dict)
    kept: Mapping[str, JsonValue] = field(default_factory=dict)
    entries: tuple[PlannedEntry, ...] = ()
    made: tuple[NewCharacter, ...] = ()
    result: JsonValue = None


Faults = dict[str, str]
"""Form field name -> what is wrong and what to do. Empty: legal. "" names the form as a whole."""


@dataclass(frozen=True, kw_only=True, slots=True)
class InnerScene(Generic[C]):
    """What came of a scene that was opened out of this one, which waited for it (CHR-FLO-04)."""

    id: str
    kind: str  # of the same ruleset
    title: str
    over: bool  # its rules ended it; else nothing came of it
    result: JsonValue = None  # of its `Outcome`; None if nothing came of it
    sheets: Mapping[str, C] = field(default_factory=dict)  # of the characters that come back, by character id


@dataclass(frozen=True, kw_only=True, slots=True)
class SoFar(Generic[S]):
    """The start of a case file in the middle of a scene ([given.so_far]). Scenes of a table never use it."""

    says: TypeAdapter[Any]
    place: Callable[[S, Any], tuple[str, ...]]
    """Changes a state that has just started; or leaves it unchanged and returns sentences on why it cannot occur."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Pages:
    """The page files of a kind of scene, below `templates/` and `static/` of its ruleset's folder.

    `folder` holds situation.html, board.html, log.html and ask-<kind>.html for each kind of ask; the fields name all
    other files. Pieces of a board with `data-piece` choose the options with the same `data-piece` in the form.
    app/engine/declared_files.py lists files that are missing.
    """

    folder: str = ""  # below templates/; "" if the ruleset has one kind, or one look for all
    styles: tuple[str, ...] = ()  # style sheets, in the order in which pages load them
    scripts: tuple[str, ...] = ()  # module scripts, loaded after those of the page
    opening: str = "new.html"  # the form that opens such a scene; "": a page of the campaign opens it
    envelopes: str = ""  # replaces the row of envelopes, for boards that show the seals themselves
    ending: str = ""  # who won, and how each fighter left the scene; "": the ending shows the log's last line
    seals_on_board: bool = False  # its board or situation shows who has sealed, or changes by the reader's own seal
    acts_first: Mapping[str, str] = field(default_factory=dict)  # optional asks whose form is open -> call, or ""
    remembered: frozenset[str] = frozenset()  # kinds of event that sentences of later rounds refer to
    folds_sealed: bool = False  # a form just sealed is fetched when it is unfolded, as its scripts read no sealed form


class _Nothing(BaseModel):
    model_config = ConfigDict(extra="forbid")


NOTHING: TypeAdapter[Any] = TypeAdapter(Annotated[_Nothing, BeforeValidator(lambda given: given or {})])
"""The `given` of a scene that needs only its seats."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Phase:
    """A part of a round in the book's words, as the GM's desk lists them; app/engine/steps.py finds a step's."""

    words: str  # "Declarations"
    steps: tuple[str, ...]  # the first words of its steps' keys after the round: "declare" for "r3/declare-2"
    default: str = ""  # what happens to a seat without a seal, in words that follow "will"; "": not said
    gms: bool = False  # asks only the GM
    opening: bool = False  # comes before the first round
    unseen: bool = False  # its steps may be known only to the seats they ask


@dataclass(frozen=True, kw_only=True, slots=True)
class SceneKind(Generic[C, O, S, D, E, V]):
    """One state machine of a ruleset, as a value.

    The laws in tests/rulesets/laws.py hold for every kind: defaults are legal; the order of sealing changes nothing
    unless a step is ranked; folding the log gives the state; `resolve` never fails on answers that `check` accepted;
    what a viewer cannot see changes nothing in that viewer's view; S, D, E and Step survive JSON.
    """

    key: str
    title: str
    state: TypeAdapter[S]
    declaration: TypeAdapter[D]  # a union tagged "ask"; the table validates {**unflatten(form), "ask": ask.kind}
    event: TypeAdapter[E]
    start: Callable[[Setup[C, O]], S]  # no luck here; it and `needs` may raise ValidationError
    steps: Callable[[S], tuple[Step, ...]]  # empty: the scene is over
    view: Callable[[S, Viewer], V]  # built up field by field, never by leaving out
    sees: Callable[[E, Viewer], bool]
    check: Callable[[V, Ask, D], Faults]  # V of exactly that seat
    default: Callable[[V, Ask], D]  # the answer of an absent seat: safe, and legal by check
    resolve: Callable[[Log[S, E], Step, Answers[D], Chance], None]
    apply: Callable[[S, LoggedEvent[E]], None]  # folds into S in place; nothing else writes a state
    outcome: Callable[[S], Outcome]
    given: TypeAdapter[Any] = NOTHING  # the type of Brief.given
    needs: Callable[[Brief, Mapping[str, C]], frozenset[str]] = lambda brief, sheets: frozenset()
    """The names in `kept` that a scene claims, from its brief and its sheets by character id."""
    enter: Callable[[Log[S, E], Seat, str, C], None] | None = None  # adds a newcomer in mid-scene
    inner: Callable[[Log[S, E], InnerScene[C]], None] | None = None
    """Tells what came of a scene that was opened out of this one, without luck; None: none can be opened out of it.
    What seats have sealed in open steps stays legal, or `may_invalidate_sealed`."""
    as_gm_knows: Callable[[S, Viewer], S] = lambda state, gm: state
    """The state without what this GM may not know: what a GM sees "as a seat" is that seat's view of it."""
    gm_reads: Callable[[E, Viewer], bool] | None = None
    """Whether a GM reads what an event says, perhaps in an event of their own; None: if the GM `sees` it."""
    may_invalidate_sealed: Callable[[V], bool] = lambda view: False
    """Whether a sealed declaration may have become illegal since; `resolve` then leaves the illegal part out."""
    presets: Mapping[str, Any] = field(default_factory=dict)  # foes and other prepared combatants, by key
    seats_are_people: bool = False  # its seats are people without characters; it is opened from its own page
    by_challenge: bool = False  # two players may begin one between their characters, without the GM
    so_far: SoFar[S] | None = None  # for cases only
    pages: Pages = Pages()
    phases: tuple[Phase, ...] = ()  # in order; each step that a scene waits for belongs to exactly one
    unnamed: Callable[[Step, Sequence[E]], Sequence[D] | None] = lambda step, events: None
    """What the seats sealed in a step whose words never open, in any order, as its events tell; None: they do not."""
    version: str = ""  # of its rules, if not the ruleset's: then it changes with this kind alone
    reads: frozenset[str] = frozenset()  # of a kind with its own version: older ones, the ruleset's included
    titles: Mapping[str, str] = field(default_factory=dict)  # by first word of the step's key: "Round <n>: moves"
    calls: Mapping[str, str] = field(default_factory=dict)  # by kind of ask: "Move the units of <seat>"
    """Of a kind whose steps store neither titles nor calls (app/engine/wording.py)."""
    words: Mapping[str, str] = field(default_factory=dict)
    """Better words for stored titles of steps and calls of asks (app/engine/wording.py); only pages show them."""
    options: Callable[[V, Ask], Options] = lambda view, ask: {}
    """What may be chosen in the fields of an ask's form, for forms that are drawn from their model and for laws."""
    suggest: Callable[[V, Ask], Suggestion | None] = lambda view, ask: None
    """V of exactly the asked seat: what its form is filled in with, legal by `check`; None: a person has to choose."""
    vitals: Callable[[V], tuple[Vital, ...]] = lambda view: ()
    """Everybody in the scene, as far as the view has them, in its order. Empty: nobody has anything to lose."""
    foes: Foes[V] | None = None  # what a GM does with foes in mid-scene; None: there are none
    film: Callable[[Sequence[LoggedEvent[E]], V, V], Sequence[Beat]] | None = None
    """What a viewer sees of a closed step's events, and their views before and after it -> its beats, in the order of
    the events, each event in one of them. No beats: nothing happened on the board. None: the step is one beat."""
    film_seconds: int = 12  # that a film takes at most
    leg: Callable[[S], int] | None = None
    """The number of the leg that a long scene is in, from 1; each leg takes a day and has an entry of its own on the
    calendar (CHR-CAL-06). Everybody may know it. None, or 0: it has no legs."""


@dataclass(frozen=True, kw_only=True, slots=True)
class DayEvent:
    """One effect of a passing day on a character, in words for people, with its rule and its dice."""

    about: str  # the part of the character, once a day: "left-arm", "minor"
    text: str  # a sentence: "Ella's left arm: a healing roll succeeds, the second of four."
    rule: str
    rolls: tuple[Roll, ...] = ()
    marks: bool = False  # deserves a separate calendar entry (CHR-CAL-08)
    mark: str = ""  # that entry's text after the character's name: "left arm, 2 of 4"


@dataclass(frozen=True, kw_only=True, slots=True)
class Prospect:
    """One line on the effect of a care on a character's next day, before any dice, with its rule."""

    text: str  # a sentence: "Bea treats Ann (Heal 5)."
    rule: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Plea:
    """A character whose next day needs a person's decision; until then time does not pass."""

    text: str  # a sentence: "Ella dies of the Major head wound within the hour, unless somebody comes."
    rule: str
    helpers: tuple[str, ...] = ()  # slugs of possible helpers, unhurt ones who are present first


@dataclass(frozen=True, kw_only=True, slots=True)
class Days(Generic[C]):
    """The effects of passing days on characters (healing), as a value. Pure: luck is labelled by character and day, so
    thirty days at once have the same effect as thirty single days.
    """

    care: TypeAdapter[Any]  # a player's standing answers for a character: who heals, what rests, how they live
    usual: Callable[[C], Any]  # the care of a character without one
    waits: Callable[[C], bool]  # whether a day has an effect on this character
    live: Callable[[Mapping[str, C], str, Any, Chance], tuple[C, tuple[DayEvent, ...]]]
    """The campaign's sheets by slug, the slug of the character, the care, the luck -> the sheet after this day."""
    condition: Callable[[C], tuple[str, ...]] = lambda sheet: ()
    """The lasting part of this character's state, in words for the campaign's page: "Major wound: left arm"."""
    shows: Callable[[Roll], int] = lambda roll: roll.face
    """The value of a day's die, for pages: a d10 may have the faces 0 to 9."""
    ahead: Callable[[Mapping[str, C], str, Any], tuple[Prospect, ...]] = lambda sheets, who, care: ()
    """Arguments as for `live`: the next day's care and the exact odds of its rolls. Empty: pages show the care."""
    pleads: Callable[[Mapping[str, C], str, Any], Plea | None] = lambda sheets, who, care: None
    """Arguments as for `live`: the decision a person has to make before this character's next day; None: none."""
    answered: Callable[[C, Any, str], tuple[C, Any]] = lambda sheet, care, helper: (sheet, care)
    """The sheet and the care of a pleading character once the helper of that slug comes; "": no helper comes."""
    settings: TypeAdapter[Any] | None = None
    """A campaign's options for its days, each with a default; None: there are none."""
    settled: Callable[[Any], "Days[C]"] | None = None  # these days with such settings
    foretold: bool = False  # whether pages tell the coming days' effects beforehand, as long as nothing changes

    def under(self, said: Mapping[str, Any]) -> "Days[C]":
        """Returns the days with a campaign's settings; the usual ones if the settings no longer fit."""
        if self.settings is None or self.settled is None:
            return self
        try:
            return self.settled(self.settings.validate_python(dict(said)))
        except ValidationError:
            return self

    def cared(self, said: Mapping[str, Any], sheet: C) -> Any:
        """Returns the care in force: the player's, or the usual one if there is none or it no longer fits."""
        if said:
            try:
                return self.care.validate_python(dict(said))
            except ValidationError:
                pass  # written under other rules, or before they changed
        return self.usual(sheet)


@dataclass(frozen=True, kw_only=True, slots=True)
class Dice:
    """Some of the dice that made a character, and their result in words: "Physical: rating 4, a bank of 28"."""

    about: str
    rolls: tuple[Roll, ...]
    text: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class HomebrewPages:
    """How pages show and edit a kind of homebrew, beyond fields and sentences."""

    card: str = ""  # the template that draws a thing on the list, above its sentences
    context: Callable[[Mapping[str, Any]], Any] = lambda value: None
    """`drawn` of both templates, from the values as typed or stored, which may be wrong."""
    make: Callable[[Mapping[str, str], str], tuple[Mapping[str, JsonValue], Faults]] | None = None
    """What a press of "make" puts in the form: (the form's fields "make.*" without that, a fresh seed) -> the values it
    changes, and faults by those fields."""
    again: str = "Show more fields"  # the button that sends the form without saving
    again_hint: str = "This adds the fields for what you just chose, and another empty row. It does not save anything."
    styles: tuple[str, ...] = ()  # in static/, of the form and the list
    scripts: tuple[str, ...] = ()  # modules in static/, of the form
    wide: bool = False  # whether the form takes the whole width


@dataclass(frozen=True, kw_only=True, slots=True)
class HomebrewKind:
    """A kind of thing that GMs may add to their campaign's book, as a value: spells, foes.

    Its adapter reads an object with `id` (OWN and more of a-z, 0-9, _; at most 60) and `name`, and so does each thing
    in `book`. Things that everyone may read are in every scene. Of things that only GMs read (`scene` is given), a
    scene has those it names, since everything it starts from is published when it is over.
    """

    title: str  # "Spells"
    one: str  # "spell": the noun in a sentence
    adapter: TypeAdapter[Any]
    book: Mapping[str, Any]  # the ruleset's own things by id, offered as a start for a copy
    sample: Mapping[str, JsonValue]  # the initial values of an empty form
    text: Callable[[Any, Homebrew], tuple[str, ...]]  # the effects in sentences, given the campaign's own things
    fits: Callable[[Any, Homebrew], Faults] = lambda thing, own: {}  # faults by path: what must exist elsewhere
    within: Callable[[Any], frozenset[str]] = lambda one: frozenset()
    """Ids of this kind that a sheet, or a thing of another kind, refers to; they must not be deleted."""
    scene: Callable[[Brief, Mapping[str, Any]], frozenset[str]] | None = None
    """For things that only GMs may see: the ids that a brief names, out of the campaign's own ones."""
    shown: Callable[[Any], bool] | None = None
    """Of things that only GMs may see: whether players may read this one. None: they read none."""
    form: str = ""  # the template of its form; "": one field below another
    pages: HomebrewPages = HomebrewPages()


@dataclass(frozen=True, kw_only=True, slots=True)
class SheetPages(Generic[C]):
    """A ruleset's own pages of a character sheet: templates of its folder, and their values."""

    page: str = ""  # shows a sheet; "": one field below another
    form: str = ""  # changes a sheet, with field names as in app/web/forms/schema.py; "": one field below another
    blank: Callable[[], Mapping[str, Any]] | None = None
    """The initial form of a new sheet: a valid character without a name. None: defaults."""
    context: Callable[[C | None, Homebrew], Any] = lambda sheet, own: None
    """`sheet_context` of both templates: figures, options of each field. The sheet of a new character is None."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Demo(Generic[C]):
    """A campaign to look around in: characters with sheets, and a scene that waits for them."""

    title: str
    about: str
    set_up: Callable[[], tuple[Mapping[str, C], Brief]]  # sheets by character id, and the brief of the scene
    settings: Mapping[str, JsonValue] = field(default_factory=dict)  # of the scene, if not the usual ones
    dated: bool = False  # whether it has a calendar too


Pick = Callable[[Sequence[Any]], Any]
"""Picks one of several by the book's own luck, outside any scene's luck."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Trial(Generic[C]):
    """A scene for one newcomer, who has the seats of characters and the first other one; the book plays the others."""

    title: str  # of the campaign created for it
    button: str  # on the front page: "Try it in two minutes"
    set_up: Callable[[], tuple[Mapping[str, C], Brief]]  # sheets by character id, that person's; the brief of the scene
    answer: Callable[[Any, str, Pick], Mapping[str, str]] | None = None
    """View of its seat, kind of ask, a picker -> values by form field. None: the kind's suggestion, else default."""
    at_random: bool = False  # without `answer`: any of the options of an ask that has some
    settings: Mapping[str, JsonValue] = field(default_factory=dict)  # of the scene, if not the usual ones
    page: str = ""  # the template above the board that explains what to do now
    in_front: bool = True  # on the front page, too; each is on its ruleset's page of the rulebook


@dataclass(frozen=True, kw_only=True, slots=True)
class Ruleset(Generic[C, O]):
    """A rule system as a value: one folder, one `RULESET`, one line in the list of app/rulesets."""

    key: str
    package: str  # the import name of its folder, from which pages take templates/ and static/
    title: str
    blurb: str  # two sentences for a newcomer
    version: str  # stored in the record of every scene whose kind has none; recomputing needs the same version
    character: TypeAdapter[C]
    settings: TypeAdapter[O]
    kinds: tuple[SceneKind[C, O, Any, Any, Any, Any], ...]
    rulebook: Rulebook
    reads: frozenset[str] = frozenset()  # older versions whose scenes this one continues
    begins_with: Mapping[str, JsonValue] = field(default_factory=dict)
    """What new scenes have for settings that their opening leaves out, if not the default: the default of a setting
    that came later is how scenes were played before it."""
    days: Days[C] | None = None  # None: days have no effect on characters
    generate: Callable[[str, Chance], tuple[C, tuple[Dice, ...]]] | None = None
    """A new character of that name, made by dice, and the dice in order; None: these rules roll no characters."""
    generation_note: str = "Rolls a main character in the order of the book. Every die is shown."
    level_up: Callable[[C, Chance], tuple[C, tuple[Dice, ...]]] | None = None
    """The sheet one level higher, and its dice; raises ValueError in words at the highest level. None: no levels."""
    rewrite: Callable[[C, C], C] = lambda before, after: after
    """The sheet to save after an edit by hand, from the old sheet and the new one."""
    condition: Callable[[C], tuple[str, ...]] | None = None
    """A sheet's state in words, for lists; None: `days.condition`."""
    dead: Callable[[C], bool] = lambda sheet: False  # whether the player needs another character
    unfit: Callable[[C], str] = lambda sheet: ""
    """The reason a character can do nothing in a scene that begins now, to follow a name: "at 0 HP"; "": fit."""
    heal: Callable[[C], C] | None = None
    """The sheet at full HP, for the GM's healing; None: these rules have no HP."""
    promote: Callable[[C, Chance], tuple[C, tuple[Dice, ...]]] = lambda sheet, chance: (sheet, ())
    """The sheet of a minor character who becomes a main one, and the dice for missing ratings; present ones stay."""
    homebrew: Mapping[str, HomebrewKind] = field(default_factory=dict)  # what GMs may add to the book, by kind
    luck: Mapping[str, str] = field(default_factory=dict)
    """The labels of all draws of scenes and days, with `<...>` for the variable parts -> a description of the draw."""
    help: tuple[str, ...] = ("help.md",)  # how to play, for players: Markdown files of the folder, in that order
    heroes: Callable[[], Mapping[str, C]] = dict  # ready-made characters, by key
    hero_lines: Mapping[str, str] = field(default_factory=dict)  # what each hero is good at, in a sentence, by key
    sheet_pages: SheetPages[C] = field(default_factory=SheetPages)
    demo: Demo[C] | None = None
    demos: Mapping[str, Demo[C]] = field(default_factory=dict)
    """More demos, each by a key that is neither a ruleset's nor another demo's."""
    trial: Trial[C] | None = None
    asks_next: bool = False  # a new campaign asks for the next scene at the end of every scene
    durations: tuple[Duration, ...] = ()  # how long things usually take, for whoever dates an entry
    utility: bool = False  # votes and rolls beside the games: no characters, never a campaign's usual rules

    def kind(self, key: str) -> SceneKind[C, O, Any, Any, Any, Any]:
        """Returns the scene kind of that key. Raises LookupError, with the known keys, if there is none."""
        for kind in self.kinds:
            if kind.key == key:
                return kind
        raise LookupError(f"{self.key} has no scene kind {key!r}; it has {', '.join(k.key for k in self.kinds)}")

    def of_new_scene(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the settings of a scene that begins now, from those that its opening names."""
        return {**self.begins_with, **settings}

    def version_of(self, kind: SceneKind[C, O, Any, Any, Any, Any]) -> str:
        """Returns the version of a kind's rules, which is stored in the record of its scenes."""
        return kind.version or self.version

    def continues(self, kind: SceneKind[C, O, Any, Any, Any, Any], version: str) -> bool:
        """Whether scenes of a kind that were opened with an older version go on by the present one."""
        return version in (kind.reads if kind.version else self.reads)
