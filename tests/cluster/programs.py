"""Throw-away PostgreSQL and Redis servers, run from the system's packages in temporary folders.

PostgreSQL refuses to run as root, so root runs it as ``nobody``.
"""

import os
import shutil
import signal
import socket
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import psutil
from sqlalchemy import URL

PASSWORD = "Dornroeschen-17"
"""Searched for in everything that servers and commands print."""
_USER = "sanssouci"
_POLL = 0.02
_CONNECT_TIMEOUT = 10
"""Seconds. Another program may have taken a port that was free, and never answer."""
_numbers = count(1)


@cache
def postgres_folder() -> Path | None:
    """The folder with the programs of the newest PostgreSQL."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[-3]))
    return found[-1].parent if found else None


def redis_program() -> str | None:
    return shutil.which("redis-server")


def missing() -> str | None:
    """Why tests that need PostgreSQL cannot run here, or None."""
    try:
        import psycopg  # noqa: F401
    except ImportError:
        return "psycopg is not installed: pip install 'sanssouci-game[cluster]'"
    if postgres_folder() is None:
        return "PostgreSQL is not installed: apt install postgresql"
    if os.name != "posix" or (os.geteuid() == 0 and shutil.which("setpriv") is None):
        return "PostgreSQL cannot be started as another user here"
    return None


def missing_redis() -> str | None:
    try:
        import redis  # noqa: F401
    except ImportError:
        return "redis is not installed: pip install 'sanssouci-game[cluster]'"
    return None if redis_program() else "Redis is not installed: apt install redis-server"


def _as_nobody(*words: object) -> list[str]:
    prefix = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] if os.geteuid() == 0 else []
    return [*prefix, *map(str, words)]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def _folder() -> Path:
    folder = Path(mkdtemp(prefix="sanssouci-cluster-"))
    if os.geteuid() == 0:
        shutil.chown(folder, "nobody", "nogroup")
    return folder


class Program(ABC):
    """A server program; ``kill`` and ``start`` simulate a crash."""

    start_timeout = 60.0
    environment: dict[str, str] | None = None
    """If it is not that of this process."""

    def __init__(self, as_nobody: bool = True) -> None:
        self.folder = _folder() if as_nobody else Path(mkdtemp(prefix="sanssouci-cluster-"))
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @abstractmethod
    def words(self) -> list[str]:
        """The command that starts it."""

    @abstractmethod
    def is_up(self) -> bool: ...

    def start(self) -> None:
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                self.words(),
                cwd="/",
                env=self.environment,
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )
        deadline = time.monotonic() + self.start_timeout
        while not self.is_up():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError((self.folder / "log").read_text(errors="replace")[-2000:])
            time.sleep(_POLL)

    def send(self, number: int) -> None:
        """Send a signal to the program and all processes that it has started."""
        assert self._process is not None, "it was started"
        with suppress(psutil.NoSuchProcess):
            found = psutil.Process(self._process.pid)
            for process in (found, *found.children(recursive=True)):
                with suppress(psutil.NoSuchProcess):
                    process.send_signal(number)

    @property
    def is_running(self) -> bool:
        return self._process is not None

    def stop(self, number: int = signal.SIGKILL) -> int:
        """End it; by default as a crash. The exit status."""
        if self._process is None:
            return 0
        if number == signal.SIGKILL:
            self._kill()
        else:
            self._process.send_signal(number)
        status = self._process.wait()
        self._process = None
        return status

    def _kill(self) -> None:
        """Kill it with all processes that it has started, and wait until these are gone."""
        assert self._process is not None, "it was started"
        with suppress(psutil.NoSuchProcess):
            found = psutil.Process(self._process.pid)
            found.suspend()  # so that it starts no more of them
            started = found.children(recursive=True)
            for process in (found, *started):
                with suppress(psutil.NoSuchProcess):
                    process.kill()
            psutil.wait_procs(started, timeout=self.start_timeout)

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


class Postgres(Program):
    def __init__(self, durable: bool = False) -> None:
        """Without ``durable`` it never waits for the disk."""
        super().__init__()
        programs = postgres_folder()
        assert programs is not None, "it is installed"
        self._programs = programs
        self._durable = durable
        secret = self.folder / "password"
        secret.write_text(PASSWORD)
        secret.chmod(0o644)
        words = _as_nobody(
            programs / "initdb", "--no-sync", "--no-locale", "--encoding=UTF8", "-D", self._data
        )
        words += [f"--username={_USER}", f"--pwfile={secret}", "--auth=scram-sha-256"]
        subprocess.run(words, check=True, capture_output=True, cwd="/")
        self.start()

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    def words(self) -> list[str]:
        sync = "on" if self._durable else "off"
        options = {"port": self.port, "listen_addresses": "127.0.0.1", "unix_socket_directories": ""}
        options |= {"fsync": sync, "full_page_writes": sync, "max_connections": 60, "shared_buffers": "32MB"}
        words = [word for name, value in options.items() for word in ("-c", f"{name}={value}")]
        return _as_nobody(self._programs / "postgres", "-D", self._data, *words)

    def is_up(self) -> bool:
        import psycopg

        try:
            psycopg.connect(self._dsn()).close()
        except psycopg.OperationalError:
            return False
        return True

    def _dsn(self, database: str = "postgres") -> str:
        address = f"host=127.0.0.1 port={self.port} connect_timeout={_CONNECT_TIMEOUT}"
        return f"{address} user={_USER} password={PASSWORD} dbname={database}"

    def url(self, database: str = "postgres") -> URL:
        return URL.create("postgresql+psycopg", _USER, PASSWORD, "127.0.0.1", self.port, database)

    def run(self, sql: str, database: str = "postgres") -> list[tuple[object, ...]]:
        """The rows of a statement, run as the owner of the server."""
        import psycopg

        with psycopg.connect(self._dsn(database), autocommit=True) as connection:
            cursor = connection.execute(sql.encode("utf-8"))
            return cursor.fetchall() if cursor.description else []

    def connect(self) -> Any:
        import psycopg

        return psycopg.connect(self._dsn(), autocommit=True)

    def try_connect(self) -> Any | None:
        """A connection, or None if there are too many."""
        import psycopg

        try:
            return self.connect()
        except psycopg.OperationalError:
            return None

    def new_database(self, template: str = "template1") -> URL:
        name = f"test{next(_numbers)}"
        self.run(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self.url(name)

    def cut_connections(self, url: URL) -> None:
        """End all connections to a database, as a network that breaks."""
        here = f"FROM pg_stat_activity WHERE datname = '{url.database}'"
        old = self.run(f"SELECT pid, pg_terminate_backend(pid) {here}")
        while any((pid,) in self.run(f"SELECT pid {here}") for pid, _ in old):
            time.sleep(_POLL)


class Redis(Program):
    def __init__(self, *options: str) -> None:
        super().__init__()
        self._options = options
        self.start()

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def words(self) -> list[str]:
        program = redis_program()
        assert program is not None, "it is installed"
        options = {"port": self.port, "bind": "127.0.0.1", "save": "", "appendonly": "no", "dir": self.folder}
        return _as_nobody(
            program,
            *(word for name, value in options.items() for word in (f"--{name}", value)),
            *self._options,
        )

    def flush(self) -> None:
        """Forget everything, scripts too."""
        import redis

        with redis.Redis(port=self.port) as client:
            client.flushall()
            client.script_flush()

    def is_up(self) -> bool:
        import redis

        try:
            with redis.Redis(port=self.port, socket_timeout=_CONNECT_TIMEOUT) as client:
                return bool(client.ping())
        except (redis.ConnectionError, redis.TimeoutError):
            return False


@contextmanager
def postgres(durable: bool = False) -> Iterator[Postgres]:
    found = Postgres(durable)
    try:
        yield found
    finally:
        found.remove()
