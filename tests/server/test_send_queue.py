"""The send queue: in order for clients that read, closed for those that do not."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import pytest

from sanssouci.server.tables.live_table import SendQueue

T = TypeVar("T")


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine with a timeout; no task may be left."""

    async def alone() -> T:
        result = await asyncio.wait_for(main, 60)
        assert asyncio.all_tasks() == {asyncio.current_task()}
        return result

    return asyncio.run(alone())


class Reader:
    """Takes a number of messages, then none until ``resumed`` is set."""

    def __init__(self, takes: int = 1000) -> None:
        self.messages: list[bytes] = []
        self.takes = takes
        self.resumed = asyncio.Event()

    async def read(self, message: bytes) -> None:
        if len(self.messages) >= self.takes:
            await self.resumed.wait()
        await asyncio.sleep(0)
        self.messages.append(message)


async def run_other_tasks() -> None:
    """Let every other task run until it waits."""
    for _ in range(20):
        await asyncio.sleep(0)


def test_messages_are_sent_in_order() -> None:
    """Earlier and later messages are sent in order, and all of them before closing."""

    async def main() -> None:
        send_queue, reader = SendQueue(10, 1000), Reader()
        assert send_queue.put(b"1") and send_queue.put(b"2")
        draining = asyncio.create_task(send_queue.drain(reader.read))
        await run_other_tasks()
        assert reader.messages == [b"1", b"2"] and len(send_queue) == 0
        assert send_queue.put(b"3") and send_queue.put(b"4")
        send_queue.close()
        assert not send_queue.put(b"5")
        await draining
        assert not send_queue.overflowed
        assert reader.messages == [b"1", b"2", b"3", b"4"]
        assert not send_queue.overflowed

    run(main())


@pytest.mark.parametrize(
    ("max_messages", "max_bytes", "size", "fit"), [(3, 1000, 1, 3), (1000, 25, 10, 2), (3, 30, 10, 3)]
)
def test_a_stalled_reader_is_dropped(max_messages: int, max_bytes: int, size: int, fit: int) -> None:
    """A reader that exceeds the limit of messages or bytes is dropped, and ``drain`` ends."""

    async def main() -> None:
        send_queue, reader = SendQueue(max_messages, max_bytes), Reader(takes=0)
        draining = asyncio.create_task(send_queue.drain(reader.read))
        await run_other_tasks()
        assert [send_queue.put(b"x" * size) for _ in range(fit)] == [True] * fit
        await run_other_tasks()
        assert len(send_queue) == fit and not draining.done()
        assert not send_queue.put(b"x" * size)
        assert send_queue.overflowed and len(send_queue) == 0
        await draining
        assert send_queue.overflowed
        assert reader.messages == [] and not send_queue.put(b"x")

    run(main())


def test_a_reader_that_keeps_up_is_never_dropped() -> None:
    """A reader that keeps up is not dropped, however much is sent in total."""

    async def main() -> None:
        send_queue, reader = SendQueue(4, 40), Reader()
        draining = asyncio.create_task(send_queue.drain(reader.read))
        for number in range(200):
            assert send_queue.put(b"%10d" % number)
            if number % 3 == 2:
                await run_other_tasks()
        send_queue.close()
        await draining
        assert not send_queue.overflowed
        assert [int(message) for message in reader.messages] == list(range(200))

    run(main())


def test_a_single_message_always_fits() -> None:
    """A single message above the byte limit is sent, so that a client can always resume."""

    async def main() -> None:
        send_queue, reader = SendQueue(4, 10), Reader()
        assert send_queue.put(b"x" * 100)
        send_queue.close()
        await send_queue.drain(reader.read)
        assert not send_queue.overflowed
        assert len(reader.messages) == 1

    run(main())


def test_an_overflowed_queue_sends_nothing() -> None:
    """A queue that overflowed before it was drained sends nothing, so that no client sees a gap."""

    async def main() -> None:
        send_queue, reader = SendQueue(1, 10), Reader()
        assert send_queue.put(b"1") and not send_queue.put(b"2")
        await send_queue.drain(reader.read)
        assert send_queue.overflowed
        assert reader.messages == []

    run(main())


def test_overflow_while_a_message_is_sent() -> None:
    """``drain`` ends normally if the queue overflows just when a message is sent."""

    async def main() -> None:
        send_queue, resumed = SendQueue(1, 10), asyncio.Event()

        async def read(_message: bytes) -> None:
            await resumed.wait()

        draining = asyncio.create_task(send_queue.drain(read))
        send_queue.put(b"1")
        await run_other_tasks()
        resumed.set()
        assert not send_queue.put(b"2")
        await draining
        assert send_queue.overflowed

    run(main())


@pytest.mark.parametrize("error", [ConnectionResetError, TimeoutError])
def test_errors_of_sending_are_raised(error: type[Exception]) -> None:
    """An error of the transport, also a timeout, is raised and does not count as overflow."""

    async def fail(_message: bytes) -> None:
        raise error

    async def main() -> None:
        send_queue = SendQueue(4, 10)
        send_queue.put(b"1")
        with pytest.raises(error):
            await send_queue.drain(fail)
        assert not send_queue.overflowed

    run(main())


def test_draining_can_be_cancelled() -> None:
    """A waiting ``drain`` can be cancelled."""

    async def main() -> None:
        send_queue = SendQueue(4, 10)
        draining = asyncio.create_task(send_queue.drain(Reader().read))
        await run_other_tasks()
        draining.cancel()
        with pytest.raises(asyncio.CancelledError):
            await draining

    run(main())


def test_messages_are_written_at_once_while_the_client_reads() -> None:
    """Messages go straight to the connection; once one has to wait, later ones wait behind it."""

    async def main() -> None:
        written: list[bytes] = []
        reads = True

        def write(message: bytes) -> bool:
            if reads:
                written.append(message)
            return reads

        async def send(message: bytes) -> None:
            written.append(message)

        send_queue = SendQueue(10, 1000, write)
        assert send_queue.put(b"1") and written == [b"1"] and len(send_queue) == 0
        reads = False
        assert send_queue.put(b"2") and len(send_queue) == 1
        reads = True
        assert send_queue.put(b"3") and written == [b"1"], "not before the message that waits"
        send_queue.close()
        await send_queue.drain(send)
        assert written == [b"1", b"2", b"3"]

    run(main())


@pytest.mark.parametrize("wake", [lambda queue: queue.put(b"2"), SendQueue.close])
def test_a_task_is_started_when_it_is_needed(wake: Callable[[SendQueue], object]) -> None:
    """Not while messages are written at once, and only once."""
    started: list[bool] = []
    reads = True
    send_queue = SendQueue(10, 1000, lambda message: reads)
    send_queue.start_drain = lambda: started.append(True)
    send_queue.put(b"1")
    assert started == []
    reads = False
    wake(send_queue)
    assert started == [True]
    wake(send_queue)
    assert started == [True]
