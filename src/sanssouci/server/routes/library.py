"""The library: editions and boards, what everything is called in them, and the rules."""

from typing import Any

from starlette.responses import Response

from sanssouci import __version__
from sanssouci.editions import SHIPPED, Words, load_edition, shipped_boards
from sanssouci.locale import Chapter, Paragraph, RuleText, drawings, rule_chapters
from sanssouci.rules import EDITIONS

from ..description.schemas.answers import EditionsAnswer
from ..description.schemas.game import Edition
from ..description.schemas.library import RulesAnswer, WordsAnswer
from ..description.schemas.routes import Who, described, router_of
from ..description.schemas.words import Language
from ..edge.limits import Bucket
from ..messages import PROTOCOL
from ..replies import answer
from ..services import Served
from ..visitor import Visits, check_rate

Json = dict[str, Any]

router = router_of("library")


@router.get("/api/editions", **described("Editions and boards", Who.ANYONE, Bucket.READ, EditionsAnswer))
async def editions(services: Served, visitor: Visits) -> Response:
    """The editions with their own boards, and all sets of boards."""
    check_rate(services, visitor, Bucket.READ)
    return answer(
        {
            "version": __version__,
            "protocol": PROTOCOL,
            "site": services.settings.public_url,
            "editions": [_edition(name) for name in EDITIONS],
            "boards": [{"name": name, "sha256": shipped_boards(name).sha256} for name in SHIPPED],
        }
    )


@router.get(
    "/api/editions/{edition}/words",
    **described("What everything is called", Who.ANYONE, Bucket.READ, WordsAnswer, 400),
)
async def words(
    services: Served, visitor: Visits, edition: Edition, language: Language | None = None
) -> Response:
    """The names of motifs, rows and expansions in an edition, in a language or the reader's own."""
    check_rate(services, visitor, Bucket.READ)
    spoken = Words(language or visitor.language, edition)
    return answer(
        {
            "language": spoken.language,
            "motifs": spoken.motifs(),
            "rows": spoken.rows(),
            "expansions": spoken.expansions(),
        }
    )


@router.get(
    "/api/editions/{edition}/rules",
    **described("The rules", Who.ANYONE, Bucket.READ, RulesAnswer, 400),
)
async def rules(
    services: Served, visitor: Visits, edition: Edition, language: Language | None = None
) -> Response:
    """The rules with the names of an edition, in a language or the reader's own."""
    check_rate(services, visitor, Bucket.READ)
    spoken = Words(language or visitor.language, edition)
    chapters = [_chapter(chapter, spoken) for chapter in rule_chapters(spoken.language)]
    return answer({"language": spoken.language, "chapters": chapters})


def _edition(name: str) -> Json:
    edition = load_edition(name)
    return {
        "edition": name,
        "title": edition.title,
        "boards": edition.boards.name,
        "colours": [row.colour for row in edition.rows],
    }


def _chapter(chapter: Chapter, words: Words) -> Json:
    return {
        "title": words.filled(chapter.title),
        "introduction": _paragraphs(chapter.introduction, words),
        "rules": [_rule(rule, words) for rule in chapter.rules],
    }


def _rule(rule: RuleText, words: Words) -> Json:
    return {
        "rule": f"R{rule.number}",
        "title": words.filled(rule.title),
        "paragraphs": _paragraphs(rule.paragraphs, words),
    }


def _paragraphs(paragraphs: tuple[Paragraph, ...], words: Words) -> list[Json]:
    return [
        {"text": words.filled(paragraph.text), "drawing": drawings().get(paragraph.drawing)}
        for paragraph in paragraphs
    ]
