"""What lies on the demo GM's desk: two of the GM's people, two handouts, and the scene that comes next."""

from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import characters, handouts, library, prepared, seats
from app.crypto.vault import Vault
from app.models.people import Campaign
from app.rulesets import find

GAME = "whiskey"
NPCS = (
    ("Wenna of the mill", "Thornwick", "bandit", "players", "known", "Knows the road. Expects a chest."),
    ("The grey rider", "The goblin road", "captain", "enemies", "name", "Pays the goblins. Nobody has seen his face."),
)
"""Name, folder, the foe of the book with such numbers, side, what players know, and the note of the sheet."""

LETTER = (
    "The bill of lading",
    "Nine sacks of barley, two of salt, one locked chest. To be handed to Wenna of the mill, in Thornwick, unopened.",
)
SECRET = ("What is in the chest", "The toll of the bridge, in coins that nobody has minted for a hundred years.")

BRIDGE = (
    ("ruleset", GAME),
    ("kind", "battle"),
    ("title", "The old stone bridge"),
    ("seat[]", "alice"),
    ("seat[]", "bob"),
    ("seat[]", "charlie"),
    ("given.muster.0.kind", "bandit"),
    ("given.muster.0.count", "2"),
    ("given.muster.1.kind", "captain"),
    ("given.muster.1.count", "1"),
    ("given.muster.1.name", "The grey rider"),
    ("given.areas.0.name", "the middle of the bridge"),
    (
        "notes",
        "Someone has hung a lantern over the middle of the bridge. The rider wants the chest, not a fight: he lets "
        "everyone go who leaves the cart.",
    ),
)
"""The form of a prepared scene."""


async def fill(session: AsyncSession, vault: Vault, campaign: Campaign) -> None:
    """Puts people, handouts and a prepared scene on the desk of the demo of GAME."""
    rules = find(GAME)
    book = rules.kind("battle").presets
    gm = next(one for one in await seats.members(session, campaign.id) if one.handle == "gm")
    for name, folder, like, side, shown, note in NPCS:
        sheet = book[like].model_copy(update={"name": name, "note": note, "side": side})
        typed = rules.character.dump_python(sheet, mode="json")
        one = await characters.create(session, campaign, name, GAME, typed, None, gm)
        await library.move(session, one, folder, gm)
        await library.show(session, one, shown, gm)
    letter = await handouts.add(session, vault, gm, *LETTER, None)
    await handouts.give(session, gm, letter, None)
    await handouts.add(session, vault, gm, *SECRET, None)
    await prepared.add(session, vault, gm, BRIDGE)
