"""Settings: from flags, then the environment, then defaults; a bad one is named, its value is not."""

from ipaddress import ip_network
from pathlib import Path

import pytest

from server.settings import BadSetting, Settings, default_data_dir


def test_without_any() -> None:
    settings = Settings.from_environment({})
    assert (settings.host, settings.port) == ("127.0.0.1", 8080)
    assert settings.database_url is None
    assert settings.rate_limits
    assert settings.bot_pace_ms == 700


def test_all_from_the_environment(tmp_path: Path) -> None:
    settings = Settings.from_environment(
        {
            "HEARTLINE_DATABASE_URL": "postgresql://card:room@db.example:5433/hearts",
            "HEARTLINE_NATS_URL": "nats://nats.example:4222",
            "HEARTLINE_SECRET": "hush",
            "HEARTLINE_HOST": "0.0.0.0",
            "HEARTLINE_PORT": "80",
            "HEARTLINE_DATA_DIR": str(tmp_path),
            "HEARTLINE_PUBLIC_URL": "https://cards.example/",
            "HEARTLINE_TRUSTED_PROXIES": "10.0.0.0/8, ::1",
            "HEARTLINE_RATE_LIMITS": "off",
            "HEARTLINE_BOT_PACE_MS": "0",
        }
    )
    assert settings == Settings(
        database_url="postgresql://card:room@db.example:5433/hearts",
        nats_url="nats://nats.example:4222",
        secret="hush",
        host="0.0.0.0",
        port=80,
        data_dir=tmp_path,
        public_url="https://cards.example",
        trusted_proxies=(ip_network("10.0.0.0/8"), ip_network("::1")),
        rate_limits=False,
        bot_pace_ms=0,
    )


def test_a_flag_wins_and_a_missing_one_does_not() -> None:
    environment = {"HEARTLINE_PORT": "80", "HEARTLINE_HOST": "::1"}
    settings = Settings.from_environment(environment, port=0, host=None)
    assert (settings.host, settings.port) == ("::1", 0)


def test_an_empty_variable_is_none() -> None:
    assert Settings.from_environment({"HEARTLINE_SECRET": "", "HEARTLINE_PORT": " "}) == Settings()


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("DATABASE_URL", "mysql://hush@host/db"),
        ("DATABASE_URL", "hush"),
        ("DATABASE_URL", "postgresql:hush"),
        ("DATABASE_URL", "postgresql://localhost:hush/db"),
        ("DATABASE_URL", "postgresql://localhost:65536/db"),
        ("DATABASE_URL", "postgresql://host/db?hush=1"),
        ("DATABASE_URL", "postgresql://host/db?port=hush"),
        ("DATABASE_URL", "postgresql://host/db?ssl=hush&ssl=hush"),
        ("DATABASE_URL", "postgresql://u:\udcff@host/db"),
        ("NATS_URL", "http://hush"),
        ("NATS_URL", "nats://hush:port"),
        ("NATS_URL", "nats://:4222"),
        ("PORT", "http"),
        ("PORT", "65536"),
        ("PORT", "-1"),
        ("PORT", "８０"),
        ("PORT", "9" * 5000),
        ("DATA_DIR", "~no-such-user/hush"),
        ("SECRET", "\udcff"),
        ("PUBLIC_URL", "room.test"),
        ("PUBLIC_URL", "https://room.test/cards"),
        ("PUBLIC_URL", "https://room.test:port"),
        ("PUBLIC_URL", "https://[room.test"),
        ("PUBLIC_URL", "https://mali@room.test"),
        ("TRUSTED_PROXIES", "proxy.example"),
        ("RATE_LIMITS", "maybe"),
        ("BOT_PACE_MS", "0.7"),
    ],
)
def test_a_bad_value_is_refused_by_name(variable: str, value: str) -> None:
    with pytest.raises(BadSetting, match=f"^HEARTLINE_{variable} must ") as refused:
        Settings.from_environment({f"HEARTLINE_{variable}": value})
    assert value not in str(refused.value)


def test_a_database_url_may_say_what_the_driver_and_postgresql_call_it() -> None:
    several = "postgresql:///db?host=one:5432&host=two:5433&target_session_attrs=primary"
    assert Settings.from_environment({"HEARTLINE_DATABASE_URL": several}).database_url == several
    ours = Settings.from_environment({"HEARTLINE_DATABASE_URL": "postgresql://u:p%40ss@h/db?sslmode=require"})
    assert ours.database_url == "postgresql://u:p%40ss@h/db?ssl=require"


def test_secrets_stay_out_of_what_is_printed() -> None:
    settings = Settings(
        secret="hush", database_url="postgresql://u:hush@host/db", nats_url="nats://hush@host"
    )
    assert "hush" not in repr(settings)


def test_data_lie_in_the_home_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/home/mali/data")
    assert default_data_dir() == Path("/home/mali/data/heartline")
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", "/home/mali")
    assert default_data_dir() == Path("/home/mali/.local/share/heartline")


def test_a_user_without_a_home_has_to_name_a_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    with pytest.raises(BadSetting, match="HEARTLINE_DATA_DIR must name a folder"):
        Settings.from_environment({})
