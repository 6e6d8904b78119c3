"""The daily garden: every table has the same deal, and nothing of it is shown early."""

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest

from sanssouci.dealer import commitment, daily_game, daily_seed, prove
from sanssouci.locale import UserError
from sanssouci.table import (
    OPPONENT,
    SPECTATOR,
    AssignChair,
    Caller,
    Chair,
    Create,
    Croupier,
    Ready,
    RejectReason,
    Sitter,
    Table,
    TableSettings,
    Viewer,
    daily_settings,
    new_chair,
    new_table,
    rematch_of,
    table_record,
    write_table,
)
from sanssouci.table.settings import dump_settings, load_settings, write_settings

from .hosted_table import Host, nonce_of

DAY = date(2026, 11, 16)
CHAIRS = [new_chair(Sitter.PERSON, "Ada"), new_chair(Sitter.COMPUTER, "Anselm", OPPONENT)]


def _host(table: str, nonce: int = 0, day: date = DAY) -> Host:
    """A daily table, started with a nonce."""
    settings = daily_settings(day)
    croupier = Croupier(daily_seed(day.isoformat()), settings.game_at(table))
    host = Host(settings, CHAIRS, name=table, croupier=croupier)
    host.do(Ready(nonce_of(nonce)), 0)
    return host


def _dealt(host: Host) -> object:
    """Everything that chance decides, from the boards to the last card."""
    host.play_out()
    deal = table_record(host.state).deal
    return host.state.order, host.state.gardens, deal.missions, deal.decks, deal.tiles


def test_all_tables_of_a_day_have_the_same_deal() -> None:
    """Tables with different nonces have the same deal. Another day has another deal."""
    one, other = _dealt(_host("a", 1)), _dealt(_host("b", 2))
    assert one == other
    assert _dealt(_host("a", 1, DAY + timedelta(days=7))) != one


def test_the_seed_of_a_day_is_fixed() -> None:
    """The seed of a date is a known value for other programs. Invalid dates are refused."""
    known = "5b75892906fe71e183f5db33613651548a90b1c7e6f0cd860ee54b4555d5af56"
    assert daily_seed("2026-11-16").hex() == known
    assert daily_game("2026-11-16") == "daily-2026-11-16"
    for wrong in ("2026-11-31", "20261116", "2026-W47-1", "today"):
        with pytest.raises(ValueError):
            daily_seed(wrong)


def test_a_week_has_every_kind_of_game() -> None:
    """Edition and expansions depend on the weekday. There is one opponent, and there are no hints."""
    week = [daily_settings(DAY + timedelta(days=day)) for day in range(7)]
    played = {(settings.variant.edition, settings.variant.expansions) for settings in week}
    assert len(played) == 6 and all(settings.variant.seats == 2 and not settings.hints for settings in week)
    assert daily_settings(DAY + timedelta(days=7)).variant == week[0].variant


def test_the_record_proves_the_deal() -> None:
    """The record proves the deal under the day's name rather than the table's."""
    host = _host("a")
    _dealt(host)
    record = table_record(host.state)
    prove(record)
    assert record.fair is not None and record.fair["game"] == "daily-2026-11-16"
    assert record.fair["commitment"] == host.state.commitment


def test_hidden_information_is_not_shown() -> None:
    """Neither the seed nor hands and missions of others appear in a view."""
    host = _host("a").pick().play(4)
    for viewer in (SPECTATOR, Viewer(0, owner=True)):
        view: Any = write_table(host.state, viewer)
        assert daily_seed("2026-11-16").hex() not in str(view)
        assert view["game"]["missions"][host.state.seat_of(1)] is None
    view = write_table(host.state, SPECTATOR)
    assert view["game"]["hand"] == []


def test_the_opponent_cannot_be_replaced() -> None:
    """The owner may not appoint another opponent."""
    settings = daily_settings(DAY)
    host = Host(
        settings, CHAIRS, name="a", croupier=Croupier(daily_seed(DAY.isoformat()), settings.game_at("a"))
    )
    assert host.rejected(AssignChair(1, "random", "Jakob"), Caller(owner=True)) is RejectReason.NOT_ALLOWED
    assert "appoint" not in write_table(host.state, Viewer(owner=True))["you"]["may"]


def test_a_rematch_has_another_deal() -> None:
    """The rematch of a daily garden is an ordinary game."""
    host = _host("a").play_out()
    settings, _ = rematch_of(host.state)
    assert settings.daily is None and settings.game_at("b") == "b"


def test_the_day_is_stored_in_the_settings() -> None:
    """The date round-trips and is omitted at other tables, so old logs stay valid."""
    settings = daily_settings(DAY)
    assert (
        load_settings(dump_settings(settings)) == settings
        and write_settings(settings)["daily"] == "2026-11-16"
    )
    assert "daily" not in write_settings(replace(settings, daily=None))
    with pytest.raises(ValueError):
        load_settings(dump_settings(settings) | {"daily": "someday"})


def test_a_daily_table_needs_the_seed_of_the_day() -> None:
    """A daily table with another seed or commitment is rejected."""
    settings: TableSettings = daily_settings(DAY)
    chairs: tuple[Chair, ...] = tuple(CHAIRS)
    with pytest.raises(UserError):
        new_table("a", settings, chairs, 0.0, Croupier(bytes(32), settings.game_at("a")))
    transition = new_table(
        "a", settings, chairs, 0.0, Croupier(daily_seed("2026-11-16"), settings.game_at("a"))
    )
    assert transition.state.commitment == commitment(daily_seed("2026-11-16"), "daily-2026-11-16")
    assert isinstance(transition.event.command, Create)
    with pytest.raises(UserError):
        Table(
            "a", [replace(transition.event, command=replace(transition.event.command, commitment="0" * 64))]
        )
