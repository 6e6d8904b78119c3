"""Settings: one table for command line, environment and docs."""

import pickle
import sys
from dataclasses import fields
from importlib.metadata import EntryPoint
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from sanssouci.cli.app import app
from sanssouci.locale import LANGUAGES, UserError
from sanssouci.players import player_names, registry
from sanssouci.server.auth.tokens import Token
from sanssouci.server.limits.rate_limits import DEFAULT_RATES, Limit
from sanssouci.server.settings import SETTINGS, Settings, read_settings, unknown_variables
from sanssouci.terminal.savefile import default_folder

BY_NAME = {setting.name: setting for setting in SETTINGS}


def test_without_a_word_the_defaults_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server for this machine alone, with its data beside the games of the terminal."""
    monkeypatch.setenv("XDG_STATE_HOME", "/state")
    settings = read_settings(environ={})
    assert (settings.host, settings.port, settings.public_url) == ("127.0.0.1", 8017, None)
    assert settings.data == Path("/state/sanssouci/tables.db")
    assert settings.data.parent == default_folder().parent
    assert settings.trusted_proxies == settings.origins == ()
    assert settings.max_message == 16384 and settings.tables_per_guest == 20
    assert settings.rates == DEFAULT_RATES and settings.metrics_token is None
    assert settings == Settings()


def test_every_setting_is_one_line_of_the_table() -> None:
    """With a variable, what one writes and what it is for."""
    assert [setting.name for setting in SETTINGS] == [each.name for each in fields(Settings)]
    for setting in SETTINGS:
        assert setting.variable == f"SANSSOUCI_{setting.name}".upper()
        assert setting.help.endswith(".") and setting.kind.isupper() and setting.default


def test_the_command_has_the_options_that_the_table_says() -> None:
    """With the same words and the same defaults; all other settings are for the environment."""
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
def test_on_a_terminal_lines_are_few_and_for_people(monkeypatch: pytest.MonkeyPatch, terminal: bool) -> None:
    """Elsewhere they are for programs, and every request is among them."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    settings = read_settings(environ={})
    wanted = ("warning", "text") if terminal else ("info", "json")
    assert (settings.log_level, settings.log_format) == wanted


@pytest.mark.parametrize("name", [name for name, setting in BY_NAME.items() if setting.kind == "NUMBER"])
def test_the_default_in_the_table_is_the_default(name: str) -> None:
    """And could have been written by the host."""
    setting, value = BY_NAME[name], getattr(Settings(), name)
    assert setting.read(str(value)) == value
    assert setting.default == str(value) or name == "workers"


GIVEN: dict[str, tuple[str, object]] = {
    "host": ("::", "::"),
    "port": ("0", 0),
    "data": ("/srv/tables.db", Path("/srv/tables.db")),
    "public_url": ("https://Play.example.org/", "https://play.example.org"),
    "trusted_proxies": ("10.0.0.1, fd00::/8", (ip_network("10.0.0.1"), ip_network("fd00::/8"))),
    "origins": ("http://a.example:81,https://b.example", ("http://a.example:81", "https://b.example")),
    "players": ("greedy,level:1,greedy", ("greedy", "level:1")),
    "log_level": ("debug", "debug"),
    "log_format": ("json", "json"),
    "metrics_token": ("a-secret-of-the-host", Token("a-secret-of-the-host")),
}


@pytest.mark.parametrize("name", BY_NAME)
def test_every_setting_can_be_given_by_environment_and_by_word(name: str) -> None:
    """What was typed overrides the variable; an empty variable is none."""
    text, value = GIVEN.get(name, ("1024", 1024))
    if name == "rates":
        assert read_settings(environ={"SANSSOUCI_RATES": "hint=1/day"}).rates[Limit.HINT].amount == 1
        return
    variable = BY_NAME[name].variable
    assert getattr(read_settings(environ={variable: text}), name) == value
    assert getattr(read_settings({name: text}, {variable: "?"}), name) == value
    assert getattr(read_settings({name: None}, {variable: ""}), name) == getattr(Settings(), name)


WRONG = {
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


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in WRONG.items() for text in texts])
def test_a_mistake_is_told_with_its_place(name: str, text: str) -> None:
    """In every language, by option or variable, in one line; a secret is not repeated."""
    setting = BY_NAME[name]
    with pytest.raises(UserError) as caught:
        read_settings({name: text}, {})
    for language in LANGUAGES:
        said = caught.value.translate(language)
        assert said.startswith(setting.option or name) and "\n" not in said and "\0" not in said
        assert not (setting.secret and text in said)
    if text:
        with pytest.raises(UserError, match=f"^{setting.variable}: "):
            read_settings(environ={setting.variable: text})


def test_no_secret_is_shown() -> None:
    """Settings may be logged when the server starts."""
    settings = read_settings(environ={"SANSSOUCI_METRICS_TOKEN": "a-secret-of-the-host"})
    assert "a-secret" not in repr(settings) and "Token(…)" in repr(settings)


def test_settings_go_to_other_processes() -> None:
    """Workers get them as they are."""
    settings = read_settings(environ={"SANSSOUCI_RATES": "hint=1/day"})
    assert pickle.loads(pickle.dumps(settings)) == settings


def test_only_our_own_players_are_allowed_unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plug-in is there for those who installed it; for guests the host says so."""
    assert set(Settings().players) <= set(player_names()) and "level:5" in Settings().players
    stranger = EntryPoint("stranger", "elsewhere:Player", registry.GROUP)
    known = {**registry._installed(), "stranger": (stranger,)}
    monkeypatch.setattr(registry, "_installed", lambda: known)
    assert "stranger" in player_names() and "stranger" not in Settings().players


def test_one_processor_is_left_for_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is only one, it is shared."""
    for cores, workers in ((1, 1), (2, 1), (8, 7)):
        monkeypatch.setattr(
            "os.sched_getaffinity", lambda _pid, cores=cores: set(range(cores)), raising=False
        )
        assert Settings().workers == workers


def test_a_misspelt_variable_is_noticed() -> None:
    """Or a host would trust in a setting that nobody reads."""
    environ = {"SANSSOUCI_PORT": "1", "SANSSOUCI_TRUSTED_PROXY": "10.0.0.1", "PATH": "/bin"}
    assert unknown_variables(environ) == ("SANSSOUCI_TRUSTED_PROXY",)
