"""Each form that changes something: the page that has it, where it goes, and who sends it."""

from dataclasses import dataclass
from typing import Any

HOME = "/c/the-goblin-road"
MEMBER = "/c/{slug}/{handle}"


@dataclass(frozen=True)
class Row:
    """A form: the page it stands on (with {scene} and the like filled in), where it goes, who sends it. Without a page
    a script sends it: `extra` to the whole address `action`."""

    route: str
    page: str
    action: str  # its end; "*" stands for anything
    who: str = "GM"
    extra: tuple[tuple[str, str], ...] = ()  # what the page's buttons and scripts add
    pick: str = ""  # a field that tells this form from others with the same action
    moves: bool = False  # the form is to be fetched anew each time
    leads: bool = False  # a commit sends it as it stands, too, as a later row is about what comes of it


def gm(route: str, page: str, action: str, **more: Any) -> Row:
    return Row(f"{MEMBER}{route}", f"{HOME}/gm{page}", action, **more)


def alice(route: str, page: str, action: str, **more: Any) -> Row:
    return Row(f"{MEMBER}{route}", f"{HOME}/alice{page}", action, who="Alice", **more)


SCENE = "/scene/{scene_id}"
ENTRY = "/calendar/entries/{entry_id}"
NEW_SCENE = (("held", "copy"), ("seat[]", "ida"), ("given.muster.sword-goblin.count", "1"))
DRAFT = (("_step", "r1/declare"), ("_seat", "alice"), ("_ask", "declare"), ("_words", "[]"), ("_salt", "00" * 32))
GROUP = (("given.muster.0.kind", "wolf"), ("given.muster.0.name", "Grim"), ("given.muster.0.count", "1"))
ROWS = (
    gm("/calendar/moved/{crossing_id}/undo", "{moved}", "/undo"),
    gm(f"{ENTRY}/open", "/calendar/move", "/open"),
    gm(f"{ENTRY}/decide/{{what}}", "/calendar/entries/{fight}", "/decide/put-off"),
    gm("/characters/{who}/aid", "/characters/blue-toy", "/aid", extra=(("helper", "old-toy"),)),  # lets time go on
    gm("/calendar/go", "/calendar/move", "/calendar/go"),
    Row("/new", "/new", "/new", who="nobody"),
    Row("/join/{slug}/{token}", "{invitation}", "", who="nobody"),
    Row("/group/{slug}/{token}", "{group}", "", who="nobody"),
    gm("/people/requests/{request_id}/admit", "/people", "/admit"),
    gm("/people/requests/{request_id}/decline", "/", "/decline"),
    Row(f"{MEMBER}/enter", "{bob}", "/enter", who="nobody"),
    Row("/code", "/code", "/code", who="nobody"),
    Row("/try/{key}", "/", "/try/whiskey", who="nobody"),
    Row("/practice", "/", "/practice", who="nobody", extra=(("fighter", "mira"), ("opponent", "boxer"))),
    gm("/notes", "/", "/notes"),
    gm("/delete", "/delete", "/delete"),  # before the campaign gets any of these names
    gm("/campaign", "/", "/campaign"),
    gm("/characters", "/characters/new", "/characters"),
    alice("/characters", "/characters/new?sample=Bob", "/characters"),
    alice("/characters/new/ready", "/characters/new", "/characters/new/ready", extra=(("hero", "alice"),)),
    alice("/challenges", "/", "/challenges"),
    gm("/challenges/{challenge_id}/close", "/", "/challenges/*/close"),
    gm("/challenges/{challenge_id}/accept", "/", "/challenges/*/accept"),
    gm("/characters/new/roll", "/characters/new?ruleset=chronicle", "/characters/new/roll"),
    gm("/characters/{who}", "/characters/rex/edit", "/characters/rex"),
    gm("/own", "/own/new?rules=arcana&kind=spells", "/own"),
    gm("/own", "/own/new?rules=arcana&kind=foes&like=troll", "/own"),
    gm("/own/{thing}", "/own/own_hag", "/own/own_hag"),
    gm("/own/{thing}/delete", "/own/own_hag", "/delete"),
    gm("/characters/{who}/notes", "/characters/rex", "/rex/notes"),
    alice("/characters/{who}/goals", "/characters/alice", "/alice/goals"),
    gm("/characters/{who}/care", "/characters/old-toy", "/old-toy/care"),
    gm("/characters/{who}/grow", "/characters/old-toy", "/old-toy/grow"),
    gm("/promotions/{promotion_id}/confirm", "/characters/old-toy", "/confirm"),
    alice("/promotions", "/characters/new", "/promotions"),
    alice("/promotions/{promotion_id}/close", "/", "/promotions/*/close"),
    alice("/characters/{who}/later", "/characters/dead-toy", "/later"),
    alice("/characters/{who}/successor", "/characters/dead-toy", "/successor"),
    gm("/characters/{who}/promote", "/characters/young-toy", "/promote"),
    gm("/characters/{who}/hand-over", "/characters/rex", "/rex/hand-over"),
    gm("/characters/{who}/aside", "/characters/rex", "/aside"),
    gm("/characters/{who}/back", "/characters/rex", "/back"),
    alice("/lines", "/lines", "/lines", leads=True),
    gm("/lines/{bound_id}", "/lines", "", pick="version", extra=(("act", "change"),), moves=True),
    alice("/you/name", "/you", "/you/name"),
    alice("/you/drafts", "/you", "/you/drafts"),
    alice("/you/code", "/you", "/you/code"),
    Row(f"{MEMBER}/presence", "", f"{HOME}/alice/presence", who="Alice", extra=(("page", "3"), ("state", "front"))),
    gm("/people/invite", "/people", "/people/invite"),
    gm("/people/invitations/{invitation_id}/renew", "/people", "/renew"),
    gm("/people/group-link", "/people", "/group-link"),
    gm("/people/group-link/close", "/people", "/group-link/close"),
    gm("/people/of/{who}/invite", "/people", "/of/charlie/invite"),
    gm("/people/of/{who}/role", "/people", "/of/bob/role"),
    gm("/scenes/new", "/scenes/new", "/scenes/new", extra=NEW_SCENE),
    gm("/scenes/new", "/scenes/new", "/scenes/new", extra=(*NEW_SCENE, ("_keep", "yes")), leads=True),
    gm("/scenes/prepared/{prepared_id}/copy", "/desk", "/copy"),
    gm("/scenes/prepared/{prepared_id}/remove", "/desk", "/remove", leads=True),
    gm("/scenes/prepared/{prepared_id}/restore", "/desk", "/restore", leads=True),
    gm("/scenes/prepared/{prepared_id}/open", "/desk", "/open"),
    gm("/decide/vote", "/decide/vote", "/decide/vote"),
    gm("/decide/order", "/decide/order", "/decide/order"),
    gm("/decide/roll", "/decide/roll", "/decide/roll"),
    gm("/decide/ways", "/", "/decide/ways"),
    gm("/draft", "/draft?ruleset=chronicle", "/draft"),
    gm(f"{SCENE}/next", "/", "/next"),
    alice(f"{SCENE}/say", "{scene}", "/say"),
    gm(f"{SCENE}/say", "{scene}", "/say", extra=(("to", "alice"),)),
    gm(f"{SCENE}/say", "/desk", "/say"),
    gm(f"{SCENE}/lay", "{scene}", "/lay", pick="description"),
    alice(f"{SCENE}/lay", "{scene}", "/lay", pick="of.alice.intent", extra=(("_act", "seal"),), moves=True),
    alice(f"{SCENE}/lay", "{scene}", "/lay", pick="of.alice.intent", extra=(("_act", "draft"),), moves=True),
    gm(f"{SCENE}/lay", "{scene}", "/lay", pick="what", extra=(("what", "join"),)),
    gm(f"{SCENE}/act/{{what}}", "{scene}", "/act/time"),
    Row(f"{MEMBER}{SCENE}/draft", "", f"{HOME}/alice{{scene}}/draft", who="Alice", extra=DRAFT),
    gm(f"{SCENE}/act/{{what}}", "/desk", "/act/time"),
    gm(f"{SCENE}/act/{{what}}", "/desk", "/act/go-without"),
    gm(f"{SCENE}/act/{{what}}", "/desk", "/act/nudge"),
    gm(f"{SCENE}/act/{{what}}", "/desk", "/act/hold"),
    gm(f"{SCENE}/rolls", "{scene}", "/rolls", moves=True),
    gm(f"{SCENE}/rolls/{{number}}/show", "{scene}", "/show"),
    gm("/desk/steps", "/desk/steps", "/desk/steps"),
    gm(f"{SCENE}/act/{{what}}", "/desk", "/act/suggested"),
    gm(f"{SCENE}/foes", "{foes}", "/foes", extra=GROUP),
    gm(f"{SCENE}/foes/{{what}}", "/desk", "/foes/copy"),
    gm(f"{SCENE}/foes/{{what}}", "/desk", "/foes/out"),
    gm(f"{SCENE}/act/{{what}}", "/desk", "/act/deadline", extra=(("real_date", "2999-01-01"), ("real_time", "20:00"))),
    gm("/handouts/new", "/handouts/new", "/handouts/new"),
    Row(f"{MEMBER}/handouts/{{handout_id}}/change", "{handout}", "/change"),
    gm("/handouts/{handout_id}/{act}", "/desk?panel=handouts", "/give", extra=(("to", "alice"),)),
    gm("/desk/notes", "/desk?note=character/rex&find=r", "/desk/notes"),
    gm("/desk/npcs/{who}/shown", "/desk?panel=npcs", "/rex/shown", extra=(("shown", "gm"),)),
    gm("/desk/npcs/{who}/folder", "/desk?panel=npcs", "/rex/folder"),
    gm(f"{SCENE}/act/{{what}}", "{scene}", "/act/enter"),
    alice(f"{SCENE}/stop", "{scene}", "/stop"),
    alice(f"{SCENE}/resume-vote", "{paused}", "/resume-vote"),
    gm(f"{SCENE}/act/{{what}}", "{scene}", "/act/chair"),
    gm(f"{SCENE}/notes", "{notes}", "/notes"),
    gm(f"{SCENE}/act/{{what}}", "{scene}", "/act/leave"),
    gm("/calendar/shape", "/calendar/shape?from=festivals", "/calendar/shape", extra=(("_do", "keep"),)),
    gm("/calendar/setup", "/calendar/setup", "/calendar/setup", extra=(("preset", "festivals"),)),
    gm("/calendar/others", "/calendar/others?from=lunar", "/calendar/others", extra=(("name", "Elvish"),)),
    gm("/calendar/others/{other}", "/calendar/others", "/others/1"),
    gm("/calendar/others/{other}/remove", "/calendar/others", "/others/1/remove"),
    gm("/calendar/rules", "/calendar/rules", "/calendar/rules"),
    gm("/calendar/shape/import", "/calendar/shape/import", "/shape/import"),
    alice("/calendar/feeds/make", "/calendar/feeds", "/feeds/make"),
    Row(f"{MEMBER}/calendar/feeds/revoke", "{with a feed}", "/feeds/revoke", who="Alice"),
    alice("/calendar/entries", "/calendar/entries/new?kind=session", "/calendar/entries"),
    alice(f"{ENTRY}/reply", "/calendar/entries/{entry}", "/reply", extra=(("answer", "maybe"),)),
    gm(f"{ENTRY}/change", "/calendar/entries/{entry}", "/change"),
    gm(f"{ENTRY}/mark", "/calendar/entries/{entry}", "/mark", extra=(("state", "paused"),)),
    gm(f"{ENTRY}/move", "/calendar/entries/{entry}", "/move"),
    gm("/people/hand-over", "/people", "/people/hand-over"),
    gm("/people/invitations/{invitation_id}/revoke", "/people", "/revoke"),
    gm("/people/of/{who}/remove", "/people", "/of/sam/remove"),
    alice("/you/devices/close-others", "/you", "/close-others"),
    alice("/you/link", "/you", "/you/link"),
    alice("/you/devices/{device_id}/close", "/you", "/close"),
)
