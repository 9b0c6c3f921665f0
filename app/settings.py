"""What an operator may set, all by environment variables; nothing secret shows in a `repr`."""

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
from app.errors import UserError

KEY_BYTES = 32


class Settings(BaseSettings):
    """Read from the environment, each with the prefix SIGNET_; DATABASE_URL is understood without it too."""

    model_config = SettingsConfigDict(
        env_prefix="SIGNET_", env_ignore_empty=True, populate_by_name=True, hide_input_in_errors=True
    )

    database_url: str | None = Field(
        default=None, repr=False, validation_alias=AliasChoices("SIGNET_DATABASE_URL", "DATABASE_URL")
    )
    """A Postgres server's address, with the driver written out. Not set: `signet play`'s own Postgres."""

    database_password_file: Path | None = None
    """SIGNET_DATABASE_PASSWORD_FILE: a file with the password that DATABASE_URL leaves out."""

    key: SecretStr | None = None
    """SIGNET_KEY: what closes the envelopes, 32 bytes in base64. Several, by commas: the first closes, all open."""

    key_file: Path | None = None
    """SIGNET_KEY_FILE: a file with the same, one key a line."""

    public_url: str | None = None
    """SIGNET_PUBLIC_URL: the address people use, without a slash at its end, when a proxy stands in front."""

    bus_url: str | None = Field(default=None, repr=False, validation_alias=AliasChoices("SIGNET_BUS_URL", "BUS_URL"))
    """What wakes the workers' open pages: nats://…, valkey://… or redis://…. Not set: the database itself."""

    founding: Literal["anyone", "invited", "nobody"] = "anyone"
    """SIGNET_FOUNDING: who may found campaigns. `serve` takes it for `invited` where nothing is said."""

    acts_per_minute: int = Field(default=600, ge=1)
    """SIGNET_ACTS_PER_MINUTE: seals and lines of talk that one member may send; far above what a hand can do."""

    streams_per_member: int = Field(default=50, ge=1)
    """SIGNET_STREAMS_PER_MEMBER: open pages of one member that are told of changes, in each worker."""

    streams_per_address: int = Field(default=500, ge=1)
    """SIGNET_STREAMS_PER_ADDRESS: the same for one address, behind which there may be a whole convention."""

    data: Path = Field(default_factory=lambda: default_data())
    """SIGNET_DATA: where `signet play` keeps its database, its key and its log."""

    backups: Path | None = None
    """SIGNET_BACKUPS: where copies of the database go; `backups` in the data folder if not set."""

    backups_kept: int = Field(default=5, ge=1, le=1000)
    """SIGNET_BACKUPS_KEPT: how many copies stay, each night's counted apart; the oldest go first."""

    backups_nights: int = Field(default=14, ge=1, le=3650)
    """SIGNET_BACKUPS_NIGHTS: after so many nights a copy goes as soon as there is a newer one."""

    proxies: str = "127.0.0.1,::1"
    """SIGNET_PROXIES: addresses or networks of the proxies that may say who is asking (X-Forwarded-For), by commas;
    `none` believes nobody. Usually a proxy on the same computer is believed."""

    metrics: str | None = None
    """SIGNET_METRICS: host:port at which `serve` tells its figures, as in 127.0.0.1:9420. Not set: it keeps none."""

    pool_size: int = Field(default=10, ge=1, le=500)
    """SIGNET_POOL_SIZE: connections a worker keeps open."""

    pool_overflow: int = Field(default=10, ge=0, le=500)
    """SIGNET_POOL_OVERFLOW: more of them that it may open for a rush."""

    pool_wait: float = Field(default=10, gt=0, le=600)
    """SIGNET_POOL_WAIT: seconds a request waits for one that is free; then its page says that too many are here."""

    @field_validator("database_url")
    @classmethod
    def _with_driver(cls, given: str | None) -> str | None:
        return given and normal_url(given).render_as_string(hide_password=False)

    @field_validator("public_url")
    @classmethod
    def _plain(cls, given: str | None) -> str | None:
        if given and not given.startswith(("http://", "https://")):
            raise ValueError("begins with http:// or https://, as in https://signet.example.org")
        return given and given.rstrip("/")

    @field_validator("proxies")
    @classmethod
    def _are_networks(cls, given: str) -> str:
        try:
            return ",".join(str(ipaddress.ip_network(one.strip())) for one in given.split(",") if given != "none")
        except ValueError:
            raise ValueError("are addresses or networks by commas, as in 10.0.0.7,172.16.0.0/12, or `none`") from None

    @field_validator("metrics")
    @classmethod
    def _is_address(cls, given: str | None) -> str | None:
        host, _, port = (given or "").rpartition(":")
        if given and not (host and port.isdecimal() and 0 < int(port) < 65536):
            raise ValueError("is an address with a port, as in 127.0.0.1:9420")
        return given

    @property
    def metrics_address(self) -> tuple[str, int] | None:
        """Host and port of the figures."""
        host, _, port = (self.metrics or "").rpartition(":")
        return (host.strip("[]"), int(port)) if self.metrics else None

    @property
    def backups_folder(self) -> Path:
        """Where copies of the database go."""
        return (self.backups or self.data / "backups").expanduser().absolute()

    @property
    def database(self) -> str:
        """The database's address; `UserError` if none is set."""
        if self.database_url is None:
            raise UserError(
                "No database: set DATABASE_URL to a Postgres server, like postgresql://name:password@host:5432/signet. "
                "For a table on this computer, `signet play` brings its own.",
                code=2,
            )
        if self.database_password_file is None:
            return self.database_url
        password = _text(self.database_password_file, "The password's file").strip()
        return normal_url(self.database_url).set(password=password).render_as_string(hide_password=False)

    @property
    def keys(self) -> tuple[bytes, ...]:
        """The keys of the envelopes, the closing one first; `UserError` if there is none or one has a wrong form."""
        if self.key is not None:
            return read_keys(self.key.get_secret_value().replace(",", "\n"), "SIGNET_KEY")
        if self.key_file is None:
            raise UserError(
                "No key for the envelopes: set SIGNET_KEY_FILE to a file that holds one (or SIGNET_KEY). "
                "`signet new-key` makes one. Keep it: without it nobody can open what was sealed.",
                code=2,
            )
        return read_keys(_text(self.key_file, "The key file"), str(self.key_file))


def load() -> Settings:
    """The settings of this process. Raises `UserError` that names each wrong variable, and never its value."""
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
    """Keys from base64, one a line. `source` is what the error names, never the text itself."""
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
    """A fresh key in its written form."""
    return base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode()


def default_data() -> Path:
    """The user's own data folder; for root one that Postgres' system user can walk into, which /root is not."""
    if hasattr(os, "geteuid") and os.geteuid() == 0 and not os.environ.get("XDG_DATA_HOME"):
        return Path("/var/lib/signet")
    return user_data_path("signet", appauthor=False)
