"""JSON for people: short things one after the other on a line, long ones in lines of their own."""

import json
from typing import Any

WIDTH = 116


def json_text(value: Any, leave_out: str = "", indent: int = 0, before: int = 0) -> str:
    """A document in lines; a field called ``leave_out`` shows as ``{…}``, ``before`` signs precede it."""
    whole = _flat(value, leave_out)
    if indent + before + len(whole) <= WIDTH or not isinstance(value, dict | list):
        return whole
    ends = "{}" if isinstance(value, dict) else "[]"
    parts = _parts(value, leave_out, indent + 2)
    return f"{ends[0]}\n{_filled(parts, ' ' * (indent + 2))}\n{' ' * indent}{ends[1]}"


def _parts(value: Any, leave_out: str, indent: int) -> list[str]:
    if isinstance(value, list):
        return [json_text(item, leave_out, indent) for item in value]
    return [_entry(name, item, leave_out, indent) for name, item in value.items()]


def _entry(name: str, item: Any, leave_out: str, indent: int) -> str:
    key = f"{json.dumps(name)}: "
    return key + ("{…}" if name == leave_out else json_text(item, leave_out, indent, len(key)))


def _filled(parts: list[str], inner: str) -> str:
    """As many parts on a line as it holds; one of several lines stands alone."""
    lines = [""]
    for number, part in enumerate(parts):
        piece = part + ("," if number + 1 < len(parts) else "")
        alone = "\n" in piece or "\n" in lines[-1]
        if lines[-1] and (alone or len(inner) + len(lines[-1]) + 1 + len(piece) > WIDTH):
            lines.append(piece)
        else:
            lines[-1] = f"{lines[-1]} {piece}".strip()
    return "\n".join(inner + line for line in lines)


def _flat(value: Any, leave_out: str) -> str:
    if isinstance(value, dict):
        parts = (
            f"{json.dumps(name)}: " + ("{…}" if name == leave_out else _flat(item, leave_out))
            for name, item in value.items()
        )
        return "{" + ", ".join(parts) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_flat(item, leave_out) for item in value) + "]"
    return json.dumps(value, ensure_ascii=False)
