"""What a rate limit in Redis costs: ``python -m benchmarks.shared_limits``.

Starts a Redis server, which must be installed, and counts commands of one address alone and through Redis.
"""

import asyncio
import time

import uvloop
from sqlalchemy import make_url

from sanssouci.cluster import redis_limits
from sanssouci.server.rate_limits import Limit, RateLimiter, StorageQuota, read_rates
from tests.cluster.programs import Redis

HITS = 4000
RATES = read_rates("command=1000000/minute")


async def measure(name: str, limiter: RateLimiter, at_once: int) -> None:
    seconds: list[float] = []

    async def client(number: int) -> None:
        for _ in range(HITS // at_once):
            begun = time.perf_counter()
            await limiter.enforce(Limit.COMMAND, "192.0.2.1", f"guest {number}")
            seconds.append(time.perf_counter() - begun)

    used = time.process_time()
    await asyncio.gather(*(client(number) for number in range(at_once)))
    used = time.process_time() - used
    seconds.sort()
    p50, p99 = (1000 * seconds[int(len(seconds) * part)] for part in (0.5, 0.99))
    core = 1e6 * used / HITS
    print(f"{name}, {at_once} at a time: p50 {p50:.3f} ms, p99 {p99:.3f} ms, {core:.0f} µs of a core")


async def main(redis: Redis) -> None:
    shared = redis_limits(make_url(redis.url))
    alone = RateLimiter(RATES, storage=StorageQuota(10**12))
    together = RateLimiter(RATES, storage=StorageQuota(10**12), shared=shared)
    for at_once in (1, 8, 32):
        await measure("alone", alone, at_once)
        await measure("Redis", together, at_once)
    await shared.close()


if __name__ == "__main__":
    server = Redis()
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(main(server))
    finally:
        server.remove()
