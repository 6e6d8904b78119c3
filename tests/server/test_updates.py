"""Updates contain the whole view, and only the last events."""

import orjson

from sanssouci.server.tables.live_table import MAX_EVENTS, LiveTable
from sanssouci.table import Ready, Unready, Viewer

from ..table.hosted_table import Host, nonce_of


def test_an_update_contains_the_last_events_only() -> None:
    """An update contains at most ``MAX_EVENTS`` events, and only those after the known one."""
    host = Host.of(2)
    while host.table.seq < MAX_EVENTS + 50:
        host.do(Ready(nonce_of(0)), 0)
        host.do(Unready(), 0)
    live_table, seq = LiveTable(host.table, host.croupier, 0.0), host.table.seq

    def event_numbers(after: int) -> list[int]:
        update = orjson.loads(live_table.update(Viewer(0), after))
        assert update["seq"] == update["view"]["seq"] == seq
        return [event["seq"] for event in update["events"]]

    assert event_numbers(-1) == [*range(seq - MAX_EVENTS + 1, seq + 1)]
    assert event_numbers(seq - 2) == [seq - 1, seq]
    assert event_numbers(seq) == event_numbers(seq + 9) == []
