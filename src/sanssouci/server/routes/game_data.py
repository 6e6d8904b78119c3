"""Game data: editions, boards, names in each language, and the rules."""

from starlette.responses import Response

from sanssouci import __version__
from sanssouci.editions import SHIPPED, Words, load_edition, shipped_boards
from sanssouci.locale import Chapter, Paragraph, RuleText, drawings, rule_chapters
from sanssouci.notation.json_types import EditionName, HashText, JsonObject, LanguageName, RuleNumber
from sanssouci.rules import EDITIONS

from ..auth.principal import CurrentUser
from ..error_responses import json_response
from ..services import Served
from ..wire.requests import PROTOCOL
from ..wire.route_docs import Audience, described, router_of


class WordsAnswer(JsonObject):
    """The names of everything in an edition."""

    language: LanguageName
    """The language of the names."""
    motifs: dict[str, str]
    """By column letter, `a` to `i`."""
    rows: dict[str, str]
    """The colours of rows `1` to `6`."""
    expansions: dict[str, str]
    """`rewards` and `wild_boar`."""


class RuleParagraph(JsonObject):
    """A paragraph or a drawing."""

    text: str
    """Empty for a drawing."""
    drawing: str | None
    """Six lines of nine characters, the palace above: `.` free, `#` built, `%` gardener, `&` boar, `N` a
    noble on a built square, `T` built with its noble on the terrace, `*` the squares in question, `S` the
    same if built, `1 2 3 g - =` marks of a reward board."""


class RuleEntry(JsonObject):
    """One rule."""

    rule: RuleNumber
    """Its number, as refusals cite it."""
    title: str
    """Its title."""
    paragraphs: list[RuleParagraph]
    """Its text."""


class RuleChapter(JsonObject):
    """A chapter of the rules."""

    title: str
    """Its title; that of the first chapter is the title of the rules."""
    introduction: list[RuleParagraph]
    """The text before its rules."""
    rules: list[RuleEntry]
    """In order."""


class RulesAnswer(JsonObject):
    """All rules."""

    language: LanguageName
    """The language of the texts."""
    chapters: list[RuleChapter]
    """In order."""


class EditionEntry(JsonObject):
    """An edition."""

    edition: EditionName
    """Its name in the protocol."""
    title: str
    """The title on its box."""
    colours: list[str]
    """The colours of rows 1 to 6 as `#rrggbb`."""
    boards: str
    """Its default set of boards."""


class BoardsEntry(JsonObject):
    """A set of boards."""

    name: str
    """Its name."""
    sha256: HashText
    """The hash of its contents."""


class EditionsAnswer(JsonObject):
    """The editions and boards of this server."""

    version: str
    """The version of the software."""
    protocol: int
    """The version of this protocol."""
    site: str | None
    """The beginning of links; null for the address by which you reached the server."""
    editions: list[EditionEntry]
    """All editions."""
    boards: list[BoardsEntry]
    """All sets of boards supplied."""


router = router_of("game_data")


@router.get("/api/editions", **described("List editions and boards", Audience.ANYONE, EditionsAnswer))
async def editions(services: Served) -> Response:
    """The editions with their boards, and all sets of boards."""
    return json_response(
        EditionsAnswer(
            version=__version__,
            protocol=PROTOCOL,
            site=services.settings.public_url,
            editions=[_edition(name) for name in EDITIONS],
            boards=[{"name": name, "sha256": shipped_boards(name).sha256} for name in SHIPPED],
        )
    )


@router.get(
    "/api/editions/{edition}/words",
    **described("Get the names of an edition", Audience.ANYONE, WordsAnswer, 400),
)
async def words(
    principal: CurrentUser, edition: EditionName, language: LanguageName | None = None
) -> Response:
    """The names of motifs, rows and expansions in an edition, in the given or the request's language."""
    spoken = Words(language or principal.language, edition)
    return json_response(
        WordsAnswer(
            language=spoken.language,
            motifs=spoken.motifs(),
            rows=spoken.rows(),
            expansions=spoken.expansions(),
        )
    )


@router.get("/api/editions/{edition}/rules", **described("Get the rules", Audience.ANYONE, RulesAnswer, 400))
async def rules(
    principal: CurrentUser, edition: EditionName, language: LanguageName | None = None
) -> Response:
    """The rules with the names of an edition, in the given language or that of the request."""
    spoken = Words(language or principal.language, edition)
    chapters = [_chapter(chapter, spoken) for chapter in rule_chapters(spoken.language)]
    return json_response(RulesAnswer(language=spoken.language, chapters=chapters))


def _edition(name: str) -> EditionEntry:
    edition = load_edition(name)
    return {
        "edition": name,
        "title": edition.title,
        "boards": edition.boards.name,
        "colours": [row.colour for row in edition.rows],
    }


def _chapter(chapter: Chapter, words: Words) -> RuleChapter:
    return {
        "title": words.filled(chapter.title),
        "introduction": _paragraphs(chapter.introduction, words),
        "rules": [_rule(rule, words) for rule in chapter.rules],
    }


def _rule(rule: RuleText, words: Words) -> RuleEntry:
    return {
        "rule": f"R{rule.number}",
        "title": words.filled(rule.title),
        "paragraphs": _paragraphs(rule.paragraphs, words),
    }


def _paragraphs(paragraphs: tuple[Paragraph, ...], words: Words) -> list[RuleParagraph]:
    return [
        {"text": words.filled(paragraph.text), "drawing": drawings().get(paragraph.drawing)}
        for paragraph in paragraphs
    ]
