"""Settings: one table for command line, environment and docs."""

import pickle
import sys
from dataclasses import fields
from importlib.metadata import EntryPoint
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import make_url
from typer.main import get_command

from sanssouci.cli.app import app
from sanssouci.locale import LANGUAGES, UserError
from sanssouci.players import player_names, registry
from sanssouci.server.auth.tokens import Token
from sanssouci.server.rate_limits import DEFAULT_RATES, Limit
from sanssouci.server.settings import SETTINGS, Settings, read_settings, unknown_variables
from sanssouci.terminal.savefile import default_folder

BY_NAME = {setting.name: setting for setting in SETTINGS}


def test_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    """By default the server is local, with its data next to the games of the terminal."""
    monkeypatch.setenv("XDG_STATE_HOME", "/state")
    settings = read_settings(environ={})
    assert (settings.host, settings.port, settings.public_url) == ("127.0.0.1", 8017, None)
    assert settings.data == Path("/state/sanssouci/tables.db")
    assert Path(str(settings.data)).parent == default_folder().parent
    assert settings.trusted_proxies == settings.origins == ()
    assert settings.max_message == 16384 and settings.tables_per_guest == 20
    assert settings.rates == DEFAULT_RATES and settings.metrics_token is None
    assert settings == Settings()


def test_the_table_has_every_setting() -> None:
    """The table has a row for every field, with variable, help, kind and default."""
    assert [setting.name for setting in SETTINGS] == [each.name for each in fields(Settings)]
    for setting in SETTINGS:
        assert setting.variable == f"SANSSOUCI_{setting.name}".upper()
        assert setting.help.endswith(".") and setting.kind.isupper() and setting.default


def test_urls_of_databases_hide_their_passwords() -> None:
    """Neither a setting as text nor the error for a bad one shows the password."""
    for scheme in ("postgres", "postgresql"):
        settings = read_settings(environ={"SANSSOUCI_DATA": f"{scheme}://me:geheim@db/x"})
        assert str(settings.data) == "postgresql+psycopg://me:***@db/x"
    settings = read_settings(environ={"SANSSOUCI_REDIS": "redis://:geheim@cache/0"})
    assert "geheim" not in repr(settings) + str(settings.redis)
    for name, bad in (
        ("DATA", "mysql://me:geheim@db/x"),
        ("REDIS", "http://:geheim@x"),
        ("DATA", "postgresql://a:geheim@b:c/d"),
        ("DATA", "postgresql://me:secret@geheim@db/x"),
        ("DATA", "postgresql://db/x?user=me&password=geheim"),
        ("DATA", "postgresql://db/x?sslkey=key&sslpassword=geheim"),
        ("REDIS", "redis://:secret@geheim@cache/0"),
        ("REDIS", "redis://cache/0?password=geheim"),
        ("REDIS", "redis://:geheim@cache/games"),
        ("REDIS", "redis://geheim@cache/0"),
        ("REDIS", "redis://:geheim@cache/0?foo=bar"),
        ("DATA", '"postgresql://me:geheim@db/x"'),
        ("DATA", " postgresql://me:geheim@db/x"),
        ("DATA", "PostgreSQL:/me:geheim@db/x"),
        ("DATA", "postgres:/me:geheim@db/x"),
        ("DATA", "postgresql-psycopg://me:geheim@db/x"),
        ("DATA", "postgresql://me:geheim@db/x?sslmode=maybe"),
    ):
        with pytest.raises(UserError) as caught:
            read_settings(environ={f"SANSSOUCI_{name}": bad})
        assert "geheim" not in str(caught.value) + repr(caught.value)


def test_command_line_options_match_the_table() -> None:
    """``sanssouci serve`` has the options of the table, with the same help and defaults."""
    command: Any = get_command(app)
    options = {parameter.opts[0]: parameter for parameter in command.commands["serve"].params}
    assert set(options) - {"--open", "--lang"} == {setting.option for setting in SETTINGS} - {None}
    for setting in SETTINGS:
        if setting.option is not None:
            option = options[setting.option]
            assert (option.help, option.show_default, option.metavar) == (
                setting.help,
                setting.default,
                setting.kind,
            )


@pytest.mark.parametrize("terminal", [True, False])
def test_log_defaults_depend_on_the_terminal(monkeypatch: pytest.MonkeyPatch, terminal: bool) -> None:
    """Logs are warnings in text on a terminal, and all requests in JSON elsewhere."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    settings = read_settings(environ={})
    expected = ("warning", "text") if terminal else ("info", "json")
    assert (settings.log_level, settings.log_format) == expected


@pytest.mark.parametrize("name", [name for name, setting in BY_NAME.items() if setting.kind == "NUMBER"])
def test_documented_defaults(name: str) -> None:
    """The default in the table is the actual default, and can be parsed."""
    setting, value = BY_NAME[name], getattr(Settings(), name)
    assert setting.read(str(value)) == value
    assert setting.default == str(value) or name == "workers"


EXAMPLES: dict[str, tuple[str, object]] = {
    "host": ("::", "::"),
    "port": ("0", 0),
    "data": ("/srv/tables.db", Path("/srv/tables.db")),
    "redis": ("redis://:secret@localhost:6379/0", make_url("redis://:secret@localhost:6379/0")),
    "public_url": ("https://Play.example.org/", "https://play.example.org"),
    "trusted_proxies": ("10.0.0.1, fd00::/8", (ip_network("10.0.0.1"), ip_network("fd00::/8"))),
    "origins": ("http://a.example:81,https://b.example", ("http://a.example:81", "https://b.example")),
    "players": ("greedy,level:1,greedy", ("greedy", "level:1")),
    "drain_seconds": ("20", 20),
    "log_level": ("debug", "debug"),
    "log_format": ("json", "json"),
    "metrics_token": ("a-secret-of-the-host", Token("a-secret-of-the-host")),
}


@pytest.mark.parametrize("name", BY_NAME)
def test_settings_from_environment_and_command_line(name: str) -> None:
    """The command line overrides the variable, and an empty variable is ignored."""
    text, value = EXAMPLES.get(name, ("1024", 1024))
    if name == "rates":
        assert read_settings(environ={"SANSSOUCI_RATES": "hint=1/day"}).rates[Limit.HINT].amount == 1
        return
    variable = BY_NAME[name].variable
    assert getattr(read_settings(environ={variable: text}), name) == value
    assert getattr(read_settings({name: text}, {variable: "?"}), name) == value
    assert getattr(read_settings({name: None}, {variable: ""}), name) == getattr(Settings(), name)


INVALID = {
    "host": ["", "a b", "http://a", "[::1]"],
    "port": ["", "-1", "65536", "８０", "1e3", "9" * 5000],
    "data": ["", "/", "a\0b"],
    "public_url": [
        "play.example.org",
        "ftp://a",
        "https://a/b",
        "https://u:p@a",
        "https://a?b",
        "https://a:x",
    ],
    "trusted_proxies": ["proxy", "10.0.0.0/99", "10.0.0.1,"],
    "origins": ["*", "https://a,null"],
    "players": ["nobody", "", "cmd:true", "greedy,,random"],
    "workers": ["0", "1025"],
    "rates": ["command", "chat=1/minute"],
    "max_message": ["1", "10000000"],
    "log_level": ["loud", "INFO"],
    "log_format": ["xml"],
    "metrics_token": ["short", "has a space within it", "sécret-sécret-sécret"],
}


@pytest.mark.parametrize(
    ("name", "text"), [(name, text) for name, texts in INVALID.items() for text in texts]
)
def test_invalid_settings_are_reported(name: str, text: str) -> None:
    """The error names option or variable in every language, in one line, without repeating a secret."""
    setting = BY_NAME[name]
    with pytest.raises(UserError) as caught:
        read_settings({name: text}, {})
    for language in LANGUAGES:
        message = caught.value.translate(language)
        assert message.startswith(setting.option or name) and "\n" not in message and "\0" not in message
        assert not (setting.secret and text in message)
    if text:
        with pytest.raises(UserError, match=f"^{setting.variable}: "):
            read_settings(environ={setting.variable: text})


def test_secrets_are_not_shown() -> None:
    """The repr of settings contains no secret."""
    settings = read_settings(environ={"SANSSOUCI_METRICS_TOKEN": "a-secret-of-the-host"})
    assert "a-secret" not in repr(settings) and "Token(…)" in repr(settings)


def test_settings_can_be_pickled() -> None:
    """Settings can be sent to worker processes."""
    settings = read_settings(environ={"SANSSOUCI_RATES": "hint=1/day"})
    assert pickle.loads(pickle.dumps(settings)) == settings


def test_plugins_are_not_allowed_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    """Installed plug-ins are not among the default players."""
    assert set(Settings().players) <= set(player_names()) and "level:5" in Settings().players
    plugin = EntryPoint("stranger", "elsewhere:Player", registry.GROUP)
    known = {**registry._installed(), "stranger": (plugin,)}
    monkeypatch.setattr(registry, "_installed", lambda: known)
    assert "stranger" in player_names() and "stranger" not in Settings().players


def test_default_number_of_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """One core is left for the server, unless there is only one."""
    for cores, workers in ((1, 1), (2, 1), (8, 7)):
        monkeypatch.setattr(
            "os.sched_getaffinity", lambda _pid, cores=cores: set(range(cores)), raising=False
        )
        assert Settings().workers == workers


def test_unknown_variables_are_found() -> None:
    """Misspelt variables are found."""
    environ = {"SANSSOUCI_PORT": "1", "SANSSOUCI_TRUSTED_PROXY": "10.0.0.1", "PATH": "/bin"}
    assert unknown_variables(environ) == ("SANSSOUCI_TRUSTED_PROXY",)
