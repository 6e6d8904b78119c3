"""Problems: what is answered to a request that does not get as far as a route."""

import orjson
from starlette.types import Send

from sanssouci.locale import Complaint


def problem_body(complaint: Complaint, language: str = "en") -> bytes:
    """A complaint as JSON: its key for programs, its sentence for people."""
    return orjson.dumps({"error": {"code": complaint.key, "rule": None, "sentence": complaint.say(language)}})


async def send_problem(
    send: Send, status: int, complaint: Complaint, more: dict[str, str] | None = None
) -> None:
    """Answer a request with a problem."""
    body = problem_body(complaint)
    told = {"content-type": "application/json", "content-length": str(len(body)), **(more or {})}
    headers = [(name.encode("ascii"), value.encode("ascii")) for name, value in told.items()]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
