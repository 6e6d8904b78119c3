"""Tables for the load: two guests each, brought to the first turn by HTTP."""

import asyncio
from dataclasses import dataclass
from typing import Any

import httpx

BOTH = {"edition": "imperial", "expansions": ["rewards", "wild_boar"]}
"""Every other game is the largest there is; the rest are the base game."""
_AT_ONCE = 16
_KEPT = 2.0
"""Seconds for which a connection is used again: the server closes it after five, perhaps when asked."""


@dataclass(frozen=True)
class Prepared:
    """A table whose game can begin, and what opens it."""

    table: str
    guests: tuple[str, str]
    """The tokens of those on chairs 0 and 1."""
    watch: str


class Desk:
    """Asks the server by HTTP."""

    def __init__(self, url: str) -> None:
        self.host = url.removeprefix("http://")
        limits = httpx.Limits(
            max_connections=_AT_ONCE, max_keepalive_connections=_AT_ONCE, keepalive_expiry=_KEPT
        )
        self._client = httpx.AsyncClient(base_url=url, limits=limits, timeout=60, trust_env=False)
        self._gate = asyncio.Semaphore(_AT_ONCE)
        self._tables = 0

    async def close(self) -> None:
        """Ask no more."""
        await self._client.aclose()

    async def guest(self, number: int) -> str:
        """The token of a new guest."""
        return str((await self._post("/api/guests", {"name": f"Guest {number}", "cookie": False}))["token"])

    async def table(self, guests: tuple[str, str]) -> Prepared:
        """A table at which two guests are about to play."""
        self._tables += 1
        terms = BOTH if self._tables % 2 else {}
        chairs = [{"sitter": "person"}, {"sitter": "open"}]
        made = await self._post("/api/tables", {"chairs": chairs, "hints": False, **terms}, guests[0])
        table = str(made["table"])
        await self._post(f"/api/tables/{table}/seats", {}, guests[1], made["join"])
        while (view := await self._view(table, guests[0]))["stage"] != "playing":
            for given, chair in enumerate(view["waiting"]):
                await self._command(table, guests[chair], view["seq"] + given, _preparation(view["stage"]))
        return Prepared(table, guests, str(made["watch"]))

    async def seat_ticket(self, prepared: Prepared, chair: int) -> str:
        """A ticket for the socket of one who plays."""
        path = f"/api/tables/{prepared.table}/tickets"
        return str((await self._post(path, {}, prepared.guests[chair]))["ticket"])

    async def watch_ticket(self, prepared: Prepared) -> str:
        """A ticket for the socket of one who watches."""
        path = f"/api/tables/{prepared.table}/tickets"
        return str((await self._post(path, {"watch": True}, key=prepared.watch))["ticket"])

    async def _command(self, table: str, guest: str, seq: int, command: dict[str, object]) -> None:
        body = {"command_id": f"prepare-{seq}", "expected_seq": seq, "command": command}
        await self._post(f"/api/tables/{table}/commands", body, guest)

    async def _view(self, table: str, guest: str) -> dict[str, Any]:
        async with self._gate:
            answer = await self._client.get(f"/api/tables/{table}", headers=_headers(guest))
        answer.raise_for_status()
        view: dict[str, Any] = answer.json()
        return view

    async def _post(
        self, path: str, body: dict[str, object], guest: str | None = None, key: str | None = None
    ) -> dict[str, Any]:
        async with self._gate:
            answer = await self._client.post(path, json=body, headers=_headers(guest, key))
        if answer.is_error:
            raise SystemExit(f"{path}: {answer.text}")
        document: dict[str, Any] = answer.json()
        return document


def _headers(guest: str | None, key: str | None = None) -> dict[str, str]:
    headers = {"authorization": f"Bearer {guest}"} if guest is not None else {}
    return headers | ({"x-sanssouci-key": key} if key is not None else {})


def _preparation(stage: str) -> dict[str, object]:
    return {"type": "ready", "nonce": "00" * 16} if stage == "lobby" else {"type": "pick", "side": 0}
