"""Settings: what is wrong is named, and what is secret is never shown."""

import base64
from pathlib import Path

import pytest

from app import settings
from app.db.engine import normal_url
from app.errors import UserError
from app.settings import Settings

KEY = base64.b64encode(bytes(range(32))).decode()
OLD = base64.urlsafe_b64encode(bytes([255] * 32)).decode()


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DATABASE_URL", "SIGNET_DATABASE_URL", "SIGNET_KEY", "SIGNET_KEY_FILE", "SIGNET_PUBLIC_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg", "postgresql+psycopg2"])
def test_every_postgres_address_gets_our_driver(scheme: str) -> None:
    url = normal_url(f"{scheme}://anna:s3cret@db:5433/table?sslmode=require")
    assert url.render_as_string(hide_password=False) == "postgresql+psycopg://anna:s3cret@db:5433/table?sslmode=require"


@pytest.mark.parametrize("wrong", ["sqlite:///x.db", "mysql://anna:s3cret@db/x", "s3cret", "", "postgresql//s3cret"])
def test_another_address_is_refused_without_repeating_it(wrong: str) -> None:
    with pytest.raises(UserError, match="not a Postgres address") as caught:
        normal_url(wrong)
    assert "s3cret" not in str(caught.value)
    assert caught.value.code == 2


def test_the_environment_is_read_with_and_without_prefix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgres://db/one")
    assert settings.load().database == "postgresql+psycopg://db/one"
    monkeypatch.setenv("SIGNET_DATABASE_URL", "postgres://db/two")
    assert settings.load().database == "postgresql+psycopg://db/two"
    monkeypatch.setenv("SIGNET_PUBLIC_URL", "https://signet.example.org/")
    assert settings.load().public_url == "https://signet.example.org"
    monkeypatch.setenv("SIGNET_PUBLIC_URL", "")
    assert settings.load().public_url is None


def test_the_bus_has_an_address_that_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BUS_URL", "nats://anna:s3cret@bus")
    assert settings.load().bus_url == "nats://anna:s3cret@bus"
    monkeypatch.setenv("SIGNET_BUS_URL", "valkey://anna:s3cret@bus")
    assert settings.load().bus_url == "valkey://anna:s3cret@bus"
    assert "s3cret" not in repr(settings.load())


def test_wrong_settings_are_all_named_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIGNET_POOL_SIZE", "many-s3cret")
    monkeypatch.setenv("SIGNET_PUBLIC_URL", "ftp://s3cret")
    with pytest.raises(UserError) as caught:
        settings.load()
    assert "SIGNET_POOL_SIZE: " in str(caught.value)
    assert "SIGNET_PUBLIC_URL: must start with http:// or https://" in str(caught.value)
    assert "s3cret" not in str(caught.value)


def test_a_wrong_database_address_names_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "mysql://anna:s3cret@db/x")
    with pytest.raises(UserError, match="DATABASE_URL is not a Postgres address") as caught:
        settings.load()
    assert "s3cret" not in str(caught.value)


def test_keys_come_from_the_variable_or_the_file_and_the_first_closes(tmp_path: Path) -> None:
    both = (bytes(range(32)), bytes([255] * 32))
    assert Settings(key=f"{KEY},{OLD}").keys == both  # type: ignore[arg-type]
    file = tmp_path / "key"
    file.write_text(f"\n{KEY}\n  {OLD}\n")
    assert Settings(key_file=file).keys == both


@pytest.mark.parametrize("wrong", ["short", KEY[:-4], KEY + KEY, "ü" * 44, KEY + "\nnonsense"])
def test_a_wrong_key_is_refused_and_not_shown(tmp_path: Path, wrong: str) -> None:
    file = tmp_path / "key"
    file.write_text(wrong)
    with pytest.raises(UserError, match="does not hold a key") as caught:
        _ = Settings(key_file=file).keys
    assert wrong.splitlines()[-1] not in str(caught.value)


def test_no_key_says_how_to_get_one(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="signet new-key"):
        _ = Settings().keys
    with pytest.raises(UserError, match=r"gone cannot be read: No such file"):
        _ = Settings(key_file=tmp_path / "gone").keys
    (tmp_path / "empty").touch()
    with pytest.raises(UserError, match="empty is empty"):
        _ = Settings(key_file=tmp_path / "empty").keys


def test_nothing_secret_shows_when_settings_are_printed() -> None:
    shown = repr(Settings(database_url="postgres://anna:s3cret@db/x", key=KEY))  # type: ignore[arg-type]
    assert "s3cret" not in shown and KEY not in shown


def test_a_new_key_is_a_key_and_never_twice_the_same() -> None:
    one, two = settings.new_key(), settings.new_key()
    assert one != two
    assert len(settings.read_keys(one, "it")[0]) == 32


def test_the_databases_password_can_stand_in_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "password").write_text("s3/cr@t\n")
    monkeypatch.setenv("DATABASE_URL", "postgresql://signet@db/signet")
    monkeypatch.setenv("SIGNET_DATABASE_PASSWORD_FILE", str(tmp_path / "password"))
    assert normal_url(settings.load().database).password == "s3/cr@t"
    (tmp_path / "password").unlink()
    with pytest.raises(UserError, match=r"password's file .* cannot be read: No such file"):
        _ = settings.load().database


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("10.0.0.7", "10.0.0.7/32"),
        ("10.0.0.7, ::1", "10.0.0.7/32,::1/128"),
        ("172.16.0.0/12", "172.16.0.0/12"),
        ("none", ""),
    ],
)
def test_proxies_are_addresses_or_networks(monkeypatch: pytest.MonkeyPatch, given: str, kept: str) -> None:
    monkeypatch.setenv("SIGNET_PROXIES", given)
    assert settings.load().proxies == kept


@pytest.mark.parametrize("wrong", ["*", "proxy", "10.0.0.1/8", "10.0.0"])
def test_a_proxy_that_cannot_be_checked_is_refused(monkeypatch: pytest.MonkeyPatch, wrong: str) -> None:
    monkeypatch.setenv("SIGNET_PROXIES", wrong)
    with pytest.raises(UserError, match="SIGNET_PROXIES: must be addresses or networks"):
        settings.load()
