"""An update is never longer than it must be: the view is whole, the events are the last ones."""

import orjson

from sanssouci.server.tables.live_table import MAX_EVENTS, LiveTable
from sanssouci.table import Ready, Unready, Viewer

from ..table.host import Host, nonce_of


def test_an_update_tells_the_last_events_only() -> None:
    """Of a long log, to who asks from the start; who is up to date hears what is new."""
    host = Host.of(2)
    while host.table.seq < MAX_EVENTS + 50:
        host.do(Ready(nonce_of(0)), 0)
        host.do(Unready(), 0)
    live_table, seq = LiveTable(host.table, host.croupier, 0.0), host.table.seq

    def told(after: int) -> list[int]:
        update = orjson.loads(live_table.update(Viewer(0), after))
        assert update["seq"] == update["view"]["seq"] == seq
        return [event["seq"] for event in update["events"]]

    assert told(-1) == [*range(seq - MAX_EVENTS + 1, seq + 1)]
    assert told(seq - 2) == [seq - 1, seq]
    assert told(seq) == told(seq + 9) == []
