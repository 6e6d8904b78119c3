"""Editions, names and rules, in the requested language."""

from sanssouci.editions import Words
from sanssouci.locale import LANGUAGES, RULES
from sanssouci.rules import EDITIONS

from ..harness.server import InProcessServer, with_server


@with_server()
async def test_words_of_editions(server: InProcessServer) -> None:
    """The words of each edition are complete in every language; the default is the reader's language."""
    nobody = server.client()
    for edition in EDITIONS:
        for language in LANGUAGES:
            response = (
                await nobody.request("GET", f"/api/editions/{edition}/words?language={language}")
            ).json()
            words = Words(language, edition)
            assert response["language"] == language and list(response["motifs"]) == list("abcdefghi")
            assert response["rows"]["4"] == words.row(4) and response["motifs"]["g"] == words.motif(6)
            assert set(response["expansions"]) == {"rewards", "wild_boar"}
    by_header = await nobody.request("GET", "/api/editions/imperial/words", accept_language="fr-CA,en")
    assert by_header.json()["language"] == "fr"


@with_server()
async def test_rules_are_complete(server: InProcessServer) -> None:
    """R1 to R38 are listed in order in every language, without placeholders, with drawings of 6 by 9."""
    for language in LANGUAGES:
        page = await server.client().request("GET", f"/api/editions/imperial/rules?language={language}")
        chapters = page.json()["chapters"]
        rules = [rule for chapter in chapters for rule in chapter["rules"]]
        assert [rule["rule"] for rule in rules] == [f"R{number}" for number in RULES]
        paragraphs = [paragraph for rule in rules for paragraph in rule["paragraphs"]]
        assert all(bool(paragraph["text"]) != bool(paragraph["drawing"]) for paragraph in paragraphs)
        assert not any("{" in paragraph["text"] for paragraph in paragraphs)
        drawn = [paragraph["drawing"].splitlines() for paragraph in paragraphs if paragraph["drawing"]]
        assert drawn and all(len(lines) == 6 and {*map(len, lines)} == {9} for lines in drawn)


@with_server()
async def test_unknown_editions_and_languages_are_malformed(server: InProcessServer) -> None:
    """An unknown edition or language is a 400."""
    nobody = server.client()
    for path in ("/api/editions/deluxe/words", "/api/editions/imperial/rules?language=la"):
        answer = await nobody.request("GET", path)
        assert answer.status_code == 400 and answer.json()["error"]["code"] == "server.malformed"
