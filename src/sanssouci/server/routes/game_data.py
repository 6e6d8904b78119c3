"""Game data: editions, boards, names in each language, and the rules."""

from starlette.responses import Response

from sanssouci import __version__
from sanssouci.editions import SHIPPED, Words, load_edition, shipped_boards
from sanssouci.locale import Chapter, Paragraph, RuleText, drawings, rule_chapters
from sanssouci.rules import EDITIONS

from ..auth.principal import CurrentUser, check_rate
from ..error_responses import json_response
from ..limits.rate_limits import Limit
from ..services import Served
from ..wire.game_data import RuleChapter, RuleEntry, RuleParagraph, RulesAnswer, WordsAnswer
from ..wire.requests import PROTOCOL
from ..wire.responses import EditionEntry, EditionsAnswer
from ..wire.route_docs import Audience, described, router_of
from ..wire.scalars import Edition, Language

router = router_of("game_data")


@router.get("/api/editions", **described("Editions and boards", Audience.ANYONE, Limit.READ, EditionsAnswer))
async def editions(services: Served, principal: CurrentUser) -> Response:
    """The editions with their boards, and all sets of boards."""
    check_rate(services, principal, Limit.READ)
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
    **described("Names in an edition", Audience.ANYONE, Limit.READ, WordsAnswer, 400),
)
async def words(
    services: Served, principal: CurrentUser, edition: Edition, language: Language | None = None
) -> Response:
    """The names of motifs, rows and expansions in an edition, in the given or the request's language."""
    check_rate(services, principal, Limit.READ)
    spoken = Words(language or principal.language, edition)
    return json_response(
        WordsAnswer(
            language=spoken.language,
            motifs=spoken.motifs(),
            rows=spoken.rows(),
            expansions=spoken.expansions(),
        )
    )


@router.get(
    "/api/editions/{edition}/rules",
    **described("The rules", Audience.ANYONE, Limit.READ, RulesAnswer, 400),
)
async def rules(
    services: Served, principal: CurrentUser, edition: Edition, language: Language | None = None
) -> Response:
    """The rules with the names of an edition, in the given language or that of the request."""
    check_rate(services, principal, Limit.READ)
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
