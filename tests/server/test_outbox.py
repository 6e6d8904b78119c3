"""The outbox: everything in order for those who read, an end for those who do not."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import pytest

from sanssouci.server.send_queue import CloseReason, SendQueue

T = TypeVar("T")


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run to the end, which comes soon; afterwards no task is left."""

    async def alone() -> T:
        result = await asyncio.wait_for(main, 60)
        assert asyncio.all_tasks() == {asyncio.current_task()}
        return result

    return asyncio.run(alone())


class Reader:
    """Takes so many messages, then none until it is told to go on."""

    def __init__(self, takes: int = 1000) -> None:
        self.got: list[bytes] = []
        self.takes = takes
        self.goes_on = asyncio.Event()

    async def read(self, message: bytes) -> None:
        """One message."""
        if len(self.got) >= self.takes:
            await self.goes_on.wait()
        await asyncio.sleep(0)
        self.got.append(message)


async def turn_of_others() -> None:
    """Let every other task run until it waits."""
    for _ in range(20):
        await asyncio.sleep(0)


def test_messages_are_sent_in_their_order() -> None:
    """Those that waited already, those that come, and all of them before it closes."""

    async def main() -> None:
        send_queue, reader = SendQueue(10, 1000), Reader()
        assert send_queue.put(b"1") and send_queue.put(b"2")
        draining = asyncio.create_task(send_queue.drain(reader.read))
        await turn_of_others()
        assert reader.got == [b"1", b"2"] and len(send_queue) == 0
        assert send_queue.put(b"3") and send_queue.put(b"4")
        send_queue.close()
        assert not send_queue.put(b"5")
        assert await draining is CloseReason.CLOSED
        assert reader.got == [b"1", b"2", b"3", b"4"]
        assert not send_queue.overflowed

    run(main())


@pytest.mark.parametrize(
    ("max_messages", "max_bytes", "size", "fit"), [(3, 1000, 1, 3), (1000, 25, 10, 2), (3, 30, 10, 3)]
)
def test_a_reader_that_stands_still_is_dropped(
    max_messages: int, max_bytes: int, size: int, fit: int
) -> None:
    """By number or by bytes, what is being sent counts too; drain ends though nobody has read."""

    async def main() -> None:
        send_queue, reader = SendQueue(max_messages, max_bytes), Reader(takes=0)
        draining = asyncio.create_task(send_queue.drain(reader.read))
        await turn_of_others()
        assert [send_queue.put(b"x" * size) for _ in range(fit)] == [True] * fit
        await turn_of_others()
        assert len(send_queue) == fit and not draining.done()
        assert not send_queue.put(b"x" * size)
        assert send_queue.overflowed and len(send_queue) == 0
        assert await draining is CloseReason.OVERFLOWED
        assert reader.got == [] and not send_queue.put(b"x")

    run(main())


def test_a_reader_that_keeps_up_is_never_dropped() -> None:
    """However much passes through in the end."""

    async def main() -> None:
        send_queue, reader = SendQueue(4, 40), Reader()
        draining = asyncio.create_task(send_queue.drain(reader.read))
        for number in range(200):
            assert send_queue.put(b"%10d" % number)
            if number % 3 == 2:
                await turn_of_others()
        send_queue.close()
        assert await draining is CloseReason.CLOSED
        assert [int(message) for message in reader.got] == list(range(200))

    run(main())


def test_one_message_alone_always_fits() -> None:
    """Or a client that comes back for a large one would be dropped for ever."""

    async def main() -> None:
        send_queue, reader = SendQueue(4, 10), Reader()
        assert send_queue.put(b"x" * 100)
        send_queue.close()
        assert await send_queue.drain(reader.read) is CloseReason.CLOSED
        assert len(reader.got) == 1

    run(main())


def test_an_outbox_that_ran_over_before_anyone_read_sends_nothing() -> None:
    """The client resumes from its last seq; a gap it never gets."""

    async def main() -> None:
        send_queue, reader = SendQueue(1, 10), Reader()
        assert send_queue.put(b"1") and not send_queue.put(b"2")
        assert await send_queue.drain(reader.read) is CloseReason.OVERFLOWED
        assert reader.got == []

    run(main())


def test_running_over_while_a_message_goes_out_is_no_accident() -> None:
    """The message arrives in the same moment in which the outbox runs over."""

    async def main() -> None:
        send_queue, goes_on = SendQueue(1, 10), asyncio.Event()

        async def read(_message: bytes) -> None:
            await goes_on.wait()

        draining = asyncio.create_task(send_queue.drain(read))
        send_queue.put(b"1")
        await turn_of_others()
        goes_on.set()
        assert not send_queue.put(b"2")
        assert await draining is CloseReason.OVERFLOWED

    run(main())


@pytest.mark.parametrize("error", [ConnectionResetError, TimeoutError])
def test_what_goes_wrong_in_sending_is_raised(error: type[Exception]) -> None:
    """Also a time-out of the sender's own is no overflow."""

    async def fail(_message: bytes) -> None:
        raise error

    async def main() -> None:
        send_queue = SendQueue(4, 10)
        send_queue.put(b"1")
        with pytest.raises(error):
            await send_queue.drain(fail)
        assert not send_queue.overflowed

    run(main())


def test_who_waits_can_be_cancelled() -> None:
    """A server that stops leaves no task behind."""

    async def main() -> None:
        send_queue = SendQueue(4, 10)
        draining = asyncio.create_task(send_queue.drain(Reader().read))
        await turn_of_others()
        draining.cancel()
        with pytest.raises(asyncio.CancelledError):
            await draining

    run(main())
