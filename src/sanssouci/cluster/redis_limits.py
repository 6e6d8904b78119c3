"""Shared rate limits in Redis.

A window is a counter for each period of ``seconds``. The part of the period before that is still in the
window is estimated, as if its requests had been spread evenly. So a key takes 150 bytes however high its
limit is. All requests that arrive during one call to Redis are counted in the next.

``limits`` has such windows too, but makes a call for each, and counts a request that the next window denies.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress

from redis.asyncio import Redis
from redis.exceptions import RedisError

from .shared_limits import Denied, LimitsUnavailable, Window

_PREFIX = "sanssouci:limit:"
_RETRY_DELAY = 1.0
"""Seconds without a request to a Redis that has not answered."""
_LOCK_TIMEOUT, _LOCK_WAIT = 10.0, 2.0
"""Seconds after which a lock ends if its server dies, and to wait for it."""
_MAX_BATCH = 100
"""Requests in one call."""
_HIT = """
local time = redis.call('TIME')
local now = time[1] + time[2] / 1000000
local answers, first, at = {}, 0, 0

local function argument()
  at = at + 1
  return tonumber(ARGV[at])
end

while at < #ARGV do -- a request: the number of its windows, and four values for each
  local number, windows, longest, full = argument(), {}, 0, 0
  for i = 1, number do
    local key, amount, seconds, taken, used = KEYS[first + i], argument(), argument(), argument(), argument()
    local period = math.floor(now / seconds)
    local stored = redis.call('HMGET', key, 'period', 'count', 'before')
    local age = period - (tonumber(stored[1]) or 0)
    local count, before = tonumber(stored[2]) or 0, tonumber(stored[3]) or 0
    if age > 0 then
      before = age == 1 and count or 0
      count = 0
    end
    count = count + used
    local left = 1 - (now / seconds - period) -- of the period before, as a part of it
    if count + before * left + 1 > amount then
      local free, wait = amount - 1 - count, 0
      if free >= 0 then
        wait = (left - free / before) * seconds
      else
        wait = (left + 1 - (amount - 1) / count) * seconds
      end
      if wait > longest then longest, full = wait, i end
    end
    windows[i] = {key, period, count, before, seconds, taken, used}
  end
  for _, window in ipairs(windows) do
    local key, period, count, before, seconds, taken, used = unpack(window)
    if full == 0 or used > 0 then
      count = full == 0 and count + taken or count
      redis.call('HSET', key, 'period', period, 'count', count, 'before', before)
      redis.call('EXPIRE', key, 2 * seconds)
    end
  end
  first = first + number
  table.insert(answers, full)
  table.insert(answers, math.ceil(longest))
end
return answers
"""

_log = logging.getLogger("sanssouci.cluster")


class RedisLimits:
    def __init__(self, client: Redis, clock: Callable[[], float] = time.monotonic) -> None:
        """The client should have a short timeout: requests wait for it."""
        self._client = client
        self._clock = clock
        self._script = client.register_script(_HIT)
        self._waiting: list[tuple[Sequence[Window], asyncio.Future[Denied | None]]] = []
        self._sending: asyncio.Task[None] | None = None
        self._retry_at = 0.0
        self.connected = True

    async def hit(self, windows: Sequence[Window]) -> Denied | None:
        self._check_connected()
        answer: asyncio.Future[Denied | None] = asyncio.get_running_loop().create_future()
        self._waiting.append((windows, answer))
        if self._sending is None:
            self._sending = asyncio.create_task(self._send())
        return await answer

    async def _send(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting[:_MAX_BATCH], self._waiting[_MAX_BATCH:]
            try:
                denials = await self._call([windows for windows, _ in batch])
                self._found()
            except (RedisError, OSError):
                self._lost()
                denials = None
            for number, (_, answer) in enumerate(batch):
                if answer.done():  # its request was cancelled
                    continue
                if denials is None:
                    answer.set_exception(LimitsUnavailable())
                else:
                    answer.set_result(denials[number])
        self._sending = None

    async def _call(self, requests: Sequence[Sequence[Window]]) -> list[Denied | None]:
        keys = [_PREFIX + each.key for windows in requests for each in windows]
        arguments: list[int] = []
        for windows in requests:
            arguments.append(len(windows))
            for each in windows:
                arguments += (each.amount, each.seconds, each.taken, each.used)
        found = await self._script(keys, arguments)
        pairs = zip(found[::2], found[1::2], strict=True)
        return [Denied(full - 1, max(1, seconds)) if full else None for full, seconds in pairs]

    @asynccontextmanager
    async def lock(self, name: str) -> AsyncIterator[None]:
        lock = self._client.lock(_PREFIX + name, timeout=_LOCK_TIMEOUT, blocking_timeout=_LOCK_WAIT)
        held = False
        with suppress(LimitsUnavailable, RedisError, OSError):
            self._check_connected()
            held = await lock.acquire()
        try:
            yield
        finally:
            if held:
                with suppress(RedisError, OSError):
                    await lock.release()

    async def close(self) -> None:
        if self._sending is not None:
            await self._sending
        await self._client.aclose()

    def _check_connected(self) -> None:
        """``LimitsUnavailable`` while Redis is away, except for one request a second that tries again."""
        if self.connected:
            return
        if self._clock() < self._retry_at:
            raise LimitsUnavailable
        self._retry_at = self._clock() + _RETRY_DELAY

    def _found(self) -> None:
        if not self.connected:
            _log.warning("limits_shared_again")
        self.connected = True

    def _lost(self) -> None:
        """Log it once; every server counts alone until Redis is back."""
        if self.connected:
            _log.warning("limits_per_server")
        self.connected = False
        self._retry_at = self._clock() + _RETRY_DELAY
