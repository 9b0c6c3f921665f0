"""The operator's settings, all from environment variables; a `repr` shows no secret."""

import base64
import binascii
import ipaddress
import os
import secrets
from pathlib import Path
from typing import Literal

from platformdirs import user_data_path
from pydantic import AliasChoices, Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from app.db.engine import normal_url
from app.db.waiting import Patience
from app.errors import UserError

KEY_BYTES = 32


class Settings(BaseSettings):
    """Settings from the environment, each with the prefix SIGNET_; DATABASE_URL and BUS_URL also work without it."""

    model_config = SettingsConfigDict(
        env_prefix="SIGNET_", env_ignore_empty=True, populate_by_name=True, hide_input_in_errors=True
    )

    database_url: str | None = Field(
        default=None, repr=False, validation_alias=AliasChoices("SIGNET_DATABASE_URL", "DATABASE_URL")
    )
    """The address of a Postgres server, with the driver written out. Not set: `signet play` runs its own Postgres."""

    database_password_file: Path | None = None
    """SIGNET_DATABASE_PASSWORD_FILE: a file with the password that DATABASE_URL leaves out."""

    key: SecretStr | None = None
    """SIGNET_KEY: the key of the envelopes, 32 bytes in base64. Several, by commas: the first encrypts, all decrypt."""

    key_file: Path | None = None
    """SIGNET_KEY_FILE: a file with the keys instead, one per line."""

    public_url: str | None = None
    """SIGNET_PUBLIC_URL: the address that people use, where a proxy is in front; a slash at its end is dropped."""

    bus_url: str | None = Field(default=None, repr=False, validation_alias=AliasChoices("SIGNET_BUS_URL", "BUS_URL"))
    """SIGNET_BUS_URL: the bus that wakes open pages: nats://…, valkey://… or redis://…. Not set: the database."""

    founding: Literal["anyone", "invited", "nobody"] = "anyone"
    """SIGNET_FOUNDING: who may found campaigns. Where it is not set, `serve` uses `invited`."""

    acts_per_minute: int = Field(default=600, ge=1)
    """SIGNET_ACTS_PER_MINUTE: seals and lines of talk that a member may send; far more than a hand can do."""

    streams_per_member: int = Field(default=50, ge=1)
    """SIGNET_STREAMS_PER_MEMBER: open pages of a member that receive changes, in each worker."""

    streams_per_address: int = Field(default=500, ge=1)
    """SIGNET_STREAMS_PER_ADDRESS: the same per address, which a whole convention may share."""

    data: Path = Field(default_factory=lambda: default_data())
    """SIGNET_DATA: the folder of `signet play`, with its database, key and log."""

    backups: Path | None = None
    """SIGNET_BACKUPS: the folder for copies of the database; `backups` in the data folder if not set."""

    backups_kept: int = Field(default=5, ge=1, le=1000)
    """SIGNET_BACKUPS_KEPT: how many copies to keep, nightly ones counted apart; the oldest are deleted first."""

    backups_nights: int = Field(default=14, ge=1, le=3650)
    """SIGNET_BACKUPS_NIGHTS: a copy older than this many nights is deleted once there is a newer one."""

    proxies: str = "127.0.0.1,::1"
    """SIGNET_PROXIES: addresses or networks, by commas, of the proxies whose X-Forwarded-For counts; `none` trusts no
    proxy. By default a proxy on the same computer is trusted."""

    metrics: str | None = None
    """SIGNET_METRICS: host:port at which `serve` offers its metrics, as in 127.0.0.1:9420. Not set: no metrics."""

    pool_size: int = Field(default=10, ge=1, le=500)
    """SIGNET_POOL_SIZE: database connections that a worker keeps open."""

    pool_overflow: int = Field(default=10, ge=0, le=500)
    """SIGNET_POOL_OVERFLOW: further connections that it may open in a rush."""

    pool_wait: float = Field(default=10, gt=0, le=600)
    """SIGNET_POOL_WAIT: seconds that a request waits for a free connection; then its page says that there are too
    many."""

    lock_wait: float = Field(default=3, ge=0, le=600)
    """SIGNET_LOCK_WAIT: seconds that a request waits for what another one is changing, at most a third of
    SIGNET_POOL_WAIT; then its page says so. 0 waits for ever, as below."""

    statement_wait: float = Field(default=30, ge=0, le=3600)
    """SIGNET_STATEMENT_WAIT: seconds that one statement of a request may take."""

    idle_wait: float = Field(default=60, ge=0, le=3600)
    """SIGNET_IDLE_WAIT: seconds for which an open transaction may do nothing before Postgres ends it and its locks."""

    @field_validator("database_url")
    @classmethod
    def _with_driver(cls, given: str | None) -> str | None:
        return given and normal_url(given).render_as_string(hide_password=False)

    @field_validator("public_url")
    @classmethod
    def _plain(cls, given: str | None) -> str | None:
        if given and not given.startswith(("http://", "https://")):
            raise ValueError("must start with http:// or https://, for example https://signet.example.org")
        return given and given.rstrip("/")

    @field_validator("proxies")
    @classmethod
    def _are_networks(cls, given: str) -> str:
        try:
            return ",".join(str(ipaddress.ip_network(one.strip())) for one in given.split(",") if given != "none")
        except ValueError:
            raise ValueError(
                "must be addresses or networks separated by commas, for example 10.0.0.7,172.16.0.0/12, or `none`"
            ) from None

    @field_validator("metrics")
    @classmethod
    def _is_address(cls, given: str | None) -> str | None:
        host, _, port = (given or "").rpartition(":")
        if given and not (host and port.isdecimal() and 0 < int(port) < 65536):
            raise ValueError("must be an address with a port, for example 127.0.0.1:9420")
        return given

    @property
    def metrics_address(self) -> tuple[str, int] | None:
        """Host and port of the metrics, or None."""
        host, _, port = (self.metrics or "").rpartition(":")
        return (host.strip("[]"), int(port)) if self.metrics else None

    @property
    def patience(self) -> Patience:
        """How long the server's connections wait: requests give a lock up well before others give up the pool."""
        return Patience(min(self.lock_wait, self.pool_wait / 3), self.statement_wait, self.idle_wait)

    @property
    def backups_folder(self) -> Path:
        """The folder for copies of the database, as an absolute path."""
        return (self.backups or self.data / "backups").expanduser().absolute()

    @property
    def database(self) -> str:
        """The database's address. Raises `UserError` where none is set, or its password file cannot be read."""
        if self.database_url is None:
            raise UserError(
                "No database: set DATABASE_URL to a Postgres server, like postgresql://name:password@host:5432/signet. "
                "To play on this computer, run `signet play`, which brings its own.",
                code=2,
            )
        if self.database_password_file is None:
            return self.database_url
        password = _text(self.database_password_file, "The password's file").strip()
        return normal_url(self.database_url).set(password=password).render_as_string(hide_password=False)

    @property
    def keys(self) -> tuple[bytes, ...]:
        """The keys of the envelopes, the encrypting one first. Raises `UserError` where none is set or one is
        malformed."""
        if self.key is not None:
            return read_keys(self.key.get_secret_value().replace(",", "\n"), "SIGNET_KEY")
        if self.key_file is None:
            raise UserError(
                "No key for the envelopes: set SIGNET_KEY_FILE to a file that holds one (or SIGNET_KEY). "
                "`signet new-key` makes one. Keep it safe: without it nobody can open what was sealed.",
                code=2,
            )
        return read_keys(_text(self.key_file, "The key file"), str(self.key_file))


def load() -> Settings:
    """Returns the settings of this process. Raises `UserError`, which names each wrong variable and never its value."""
    try:
        return Settings()
    except ValidationError as wrong:
        lines = [f"{_variable(error['loc'])}: {error['msg'].removeprefix('Value error, ')}" for error in wrong.errors()]
        raise UserError("These settings are wrong. " + "; ".join(lines) + ".", code=2) from None


def _text(file: Path, what: str) -> str:
    try:
        return file.read_text()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        raise UserError(f"{what} {file} cannot be read: {reason}.") from None


def _variable(where: tuple[int | str, ...]) -> str:
    name = str(where[0]).upper()
    return name if name.startswith("SIGNET_") or name == "DATABASE_URL" else f"SIGNET_{name}"


def read_keys(text: str, source: str) -> tuple[bytes, ...]:
    """Returns keys from base64 text, one per line. Raises `UserError`, which names `source` and never shows the
    text."""
    keys = []
    for line in filter(None, map(str.strip, text.splitlines())):
        try:
            key = base64.b64decode(line, altchars=b"-_" if set(line) & set("-_") else None, validate=True)
        except (binascii.Error, ValueError):
            key = b""
        if len(key) != KEY_BYTES:
            raise UserError(
                f"{source} does not hold a key: a key is 32 bytes in base64. `signet new-key` makes one.", code=2
            )
        keys.append(key)
    if not keys:
        raise UserError(f"{source} is empty: a key is 32 bytes in base64. `signet new-key` makes one.", code=2)
    return tuple(keys)


def new_key() -> str:
    """Returns a new key in base64."""
    return base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode()


def default_data() -> Path:
    """Returns the user's data folder; for root one that Postgres' system user can enter, which /root is not."""
    if hasattr(os, "geteuid") and os.geteuid() == 0 and not os.environ.get("XDG_DATA_HOME"):
        return Path("/var/lib/signet")
    return user_data_path("signet", appauthor=False)
