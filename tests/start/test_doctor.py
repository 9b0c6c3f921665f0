"""The doctor finds each fault, and says what to do."""

import hashlib
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import text

from app.crypto.vault import key_name
from app.db.engine import migrate, sync_engine
from app.ops import doctor
from app.ops.doctor import Finding, examine
from app.settings import Settings, new_key, read_keys


def settings(url: str | None, place: Path, key: str | None = None) -> Settings:
    return Settings(database_url=url, key=key, key_file=None, data=place)  # type: ignore[arg-type]


def faults(findings: list[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.good is False]


@pytest.fixture
def migrated(empty_db_url: str) -> str:
    migrate(empty_db_url)
    return empty_db_url


def test_a_healthy_house_has_no_fault(migrated: str, tmp_path: Path) -> None:
    findings = list(examine(settings(migrated, tmp_path, new_key())))
    assert faults(findings) == []
    told = "\n".join(finding.what for finding in findings)
    for word in (
        "Python 3.",
        "The key for the envelopes",
        "Static files",
        "MB free",
        "Postgres 1",
        "fsync",
        "clocks",
        "Tables are at",
    ):
        assert word in told


def test_tables_that_are_behind_and_a_missing_key_are_found(empty_db_url: str, tmp_path: Path) -> None:
    found = faults(list(examine(settings(empty_db_url, tmp_path))))
    assert [(finding.what.split(",")[0], finding.remedy.split(":")[0]) for finding in found] == [
        ("There is no key for the envelopes", "No key for the envelopes"),
        ("Tables are at nothing yet", "Run `signet migrate`."),
    ]


def test_a_key_of_another_database_is_found(migrated: str, tmp_path: Path) -> None:
    mine, other = new_key(), new_key()
    engine = sync_engine(migrated)
    with engine.begin() as connection:
        # Foreign keys and the many columns of a scene do not matter here: only which key its first box names.
        connection.execute(text("SET LOCAL session_replication_role = replica"))
        columns = connection.execute(
            text(
                "SELECT column_name, data_type FROM information_schema.columns WHERE table_name = 'scenes' "
                "AND is_nullable = 'NO' AND column_default IS NULL"
            )
        ).all()
        fit = {"uuid": "gen_random_uuid()", "bytea": ":box", "jsonb": "'{}'", "text": "'x'", "character varying": "'x'"}
        names = ", ".join(name for name, _ in columns)
        values = ", ".join(fit.get(kind, "0") for _, kind in columns)
        box = key_name(read_keys(other, "it")[0]) + b"rest"
        connection.execute(text(f"INSERT INTO scenes ({names}) VALUES ({values})"), {"box": box})
    engine.dispose()

    (fault,) = faults(list(examine(settings(migrated, tmp_path, mine))))
    assert "need a key that is missing here" in fault.what and "another line of the key file" in fault.remedy
    assert faults(list(examine(settings(migrated, tmp_path, f"{mine},{other}")))) == []


def test_a_newer_signets_database_is_left_alone(migrated: str, tmp_path: Path) -> None:
    engine = sync_engine(migrated)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999_future'"))
    engine.dispose()
    (fault,) = faults(list(examine(settings(migrated, tmp_path, new_key()))))
    assert fault.what == "The tables are from a newer Signet"
    assert "9999_future" in fault.remedy


def test_a_silent_database_is_found(tmp_path: Path) -> None:
    nobody = f"postgresql://signet:s3cret@/signet?host={tmp_path}"
    (fault,) = faults(list(examine(settings(nobody, tmp_path, new_key()))))
    assert "does not answer" in fault.what and "DATABASE_URL" in fault.remedy
    assert "s3cret" not in fault.what + fault.remedy


def test_switched_off_durability_is_found(migrated: str, tmp_path: Path) -> None:
    with psycopg.connect(migrated.replace("+psycopg", ""), autocommit=True) as connection:
        name = connection.info.dbname
        connection.execute(f'ALTER DATABASE "{name}" SET synchronous_commit = off'.encode())
    (fault,) = faults(list(examine(settings(migrated, tmp_path, new_key()))))
    assert fault.what == "Postgres may lose accepted seals: synchronous_commit off"


def test_a_changed_static_file_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "find", lambda name: tmp_path / name)
    (tmp_path / "static").mkdir()
    (tmp_path / "static/it.js").write_text("alert(1)")
    digest = hashlib.sha256(b"alert(1)").hexdigest()
    (tmp_path / "vendor.toml").write_text(f'[sha256]\n"static/it.js" = "{digest}"\n"tests/gone.js" = "0"\n')
    assert doctor.static_files() == Finding(True, "Static files are unchanged (1 checked)")
    (tmp_path / "static/it.js").write_text("alert(2)")
    assert (doctor.static_files().good, "static/it.js" in doctor.static_files().what) == (False, True)
    (tmp_path / "static/it.js").unlink()
    assert doctor.static_files().good is False
    (tmp_path / "vendor.toml").unlink()
    assert doctor.static_files().good is False
