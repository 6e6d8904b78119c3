"""The server's description as tables in Markdown: one for each schema, route, code and limit."""

import json
from collections.abc import Sequence
from typing import Any

from pydantic import TypeAdapter

from sanssouci.notation import json_types
from sanssouci.server.wire.openapi import operations
from sanssouci.server.wire.route_docs import COMMON_STATUSES

Json = dict[str, Any]

_NAMES = {
    "SquareText": "square",
    "MotifText": "motif",
    "CardText": "card",
    "TileText": "tile",
    "BoarGoalText": "square or `x`",
    "MarkText": "mark",
    "TurnText": "turn",
    "RuleNumber": "`R1`…",
    "SpaceText": "space",
    "TableId": "16 hex digits",
    "HashText": "64 hex digits",
    "NonceText": "hex digits",
    "SecretText": "secret",
}
"""How the texts of the notation are called on a page."""
_WORDS = {
    TypeAdapter(getattr(json_types, name)).json_schema()["pattern"]: word for name, word in _NAMES.items()
}


_COMMON = (*COMMON_STATUSES, 500, 503)
"""Error statuses that are not repeated for each route."""
_FEW = 2
"""Fields of a schema that are listed without a table."""


def link(name: str) -> str:
    """A link to a schema's table."""
    return f"[{name}](#{name.lower()})"


def schema_table(document: Json, name: str, beside: str = "") -> str:
    """A schema: heading, description and fields, without those that it shares with ``beside``.

    A constant ``type`` stands in the description, and a schema with few fields has a list instead of a table.
    """
    schemas = document["components"]["schemas"]
    known = set(schemas[beside]["properties"]) - {"type"} if beside else set()
    schema = schemas[name]
    rows = [
        (f"`{field}`", kind_of(described), _meaning(described, field in schema.get("required", ())))
        for field, described in schema["properties"].items()
        if field not in known and not (field == "type" and "const" in described)
    ]
    kind = schema["properties"].get("type", {}).get("const")
    head = f"#### {name}\n\n{plain(schema['description'])}" + (f" Type: `{kind}`.\n" if kind else "\n")
    if not rows:
        return head
    if len(rows) <= _FEW:
        return head + "\n" + "".join(f"- {field} ({kind}): {meaning}\n" for field, kind, meaning in rows)
    return head + "\n" + table(("Field", "Type", "Meaning"), rows)


def _meaning(schema: Json, required: bool) -> str:
    said = plain(schema.get("description", ""))
    return said if required or "missing" in said else f"{said} {_left_out(schema)}".strip()


def kind_of(schema: Json) -> str:
    """What a value is, in a few words."""
    match schema:
        case {"$ref": reference}:
            return link(reference.rpartition("/")[2])
        case {"anyOf": kinds} | {"oneOf": kinds}:
            return " or ".join(map(kind_of, kinds))
        case {"type": "array", "items": items}:
            return f"list of {_within(items)}"
        case {"type": "object", "patternProperties": keys}:
            (pattern, values), *_ = keys.items()
            return f"object: {_WORDS[pattern]} → {_within(values)}"
    return _plain_kind(schema)


def _within(schema: Json) -> str:
    """What a value is inside of another one."""
    kind = kind_of(schema)
    return f"({kind})" if " or " in kind or " → " in kind or ", " in kind else kind


def _plain_kind(schema: Json) -> str:
    """What a value is that has no parts."""
    values = schema.get("enum", [schema["const"]] if "const" in schema else [])
    if values:
        return ", ".join(f"`{value}`" for value in values)
    match schema.get("type"):
        case "string":
            return _text_kind(schema)
        case "integer":
            return "number" + _range(schema.get("minimum"), schema.get("maximum"))
        case "number" if schema.get("minimum") == 0 and "maximum" not in schema:
            return "time"
        case "boolean":
            return "boolean"
    return str(schema.get("type", "any value"))


def _text_kind(schema: Json) -> str:
    pattern = schema.get("pattern")
    if pattern is not None:
        return _WORDS.get(pattern, f"string matching `{plain(pattern)}`")
    signs = _range(schema.get("minLength"), schema.get("maxLength"))
    return f"string of{signs} characters" if signs else "string"


def _range(least: float | None, most: float | None) -> str:
    """Numbers are floats in the description, also whole ones."""
    if most is not None:
        return f" {int(least or 0):,}…{int(most):,}"
    return "" if least is None else f" from {int(least)}"


def _left_out(schema: Json) -> str:
    """What holds if a field is left out."""
    if "default" not in schema:
        return "Optional."
    return f"Default: `{json.dumps(schema['default'])}`."


def plain(text: str) -> str:
    """A docstring in one line, with Markdown's own quotes, safe in a table."""
    return " ".join(text.split()).replace("``", "`").replace("|", "\\|")


def route_section(document: Json, method: str, path: str) -> str:
    """A route: what it does, who may, what is sent, what comes back."""
    operation = operations(document)[method, path]
    good = [status for status in operation["responses"] if status < "300"]
    bad = [status for status in operation["responses"] if status >= "300" and int(status) not in _COMMON]
    lines = [f"#### {method} {path}", "", plain(operation["description"]), ""]
    access = [f"- Access: {operation['x-who']}"]
    if "x-rate" in operation:
        access.append(f"rate limit: `{operation['x-rate']}`")
    if bad:
        access.append(f"errors: {', '.join(bad)}")
    lines.append("; ".join(access))
    lines += [f"- {_parameter(parameter)}" for parameter in operation.get("parameters", [])]
    if "requestBody" in operation:
        lines.append(f"- Body: {_body(operation['requestBody']['content'])}")
    lines += [f"- Response {status}: {_body(operation['responses'][status]['content'])}" for status in good]
    return "\n".join(lines) + "\n"


def _parameter(parameter: Json) -> str:
    where, kind = parameter["in"], kind_of(parameter["schema"])
    meaning = _meaning(parameter["schema"], parameter["required"])
    return f"{where.capitalize()} `{parameter['name']}`: {kind}. {meaning}"


def _body(content: Json) -> str:
    kind, described = next(iter(content.items()))
    schema = described["schema"]
    return kind_of(schema) if "$ref" in schema else f"{schema.get('description', '')} {kind}".strip()


def table(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """A table of texts."""
    lines = ["| " + " | ".join(row) + " |" for row in (heads, ("---",) * len(heads), *rows)]
    return "\n".join(lines) + "\n"


def code_table(document: Json, *beginnings: str) -> str:
    """The codes that begin so, with what they mean."""
    rows = [
        (
            f"`{code}`",
            str(entry["status"]),
            plain(entry["sentence"]) + (f" ({entry['rule']})" if entry["rule"] else ""),
        )
        for code, entry in document["x-errors"].items()
        if code.startswith(beginnings)
    ]
    return table(("Code", "Status", "Sentence"), rows)
