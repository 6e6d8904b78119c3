"""Editions, names and rules: what a reader asks for, in the language asked for."""

from sanssouci.editions import Words
from sanssouci.locale import LANGUAGES, RULES
from sanssouci.rules import EDITIONS

from .house import House, housed


@housed()
async def test_names_are_those_of_the_edition_and_the_language(house: House) -> None:
    """All of them, in every language; the reader's own if none is asked for."""
    nobody = house.nobody()
    for edition in EDITIONS:
        for language in LANGUAGES:
            said = (await nobody.ask("GET", f"/api/editions/{edition}/words?language={language}")).json()
            words = Words(language, edition)
            assert said["language"] == language and list(said["motifs"]) == list("abcdefghi")
            assert said["rows"]["4"] == words.row(4) and said["motifs"]["g"] == words.motif(6)
            assert set(said["expansions"]) == {"rewards", "wild_boar"}
    spoken = await nobody.ask("GET", "/api/editions/imperial/words", accept_language="fr-CA,en")
    assert spoken.json()["language"] == "fr"


@housed()
async def test_all_rules_can_be_read(house: House) -> None:
    """R1 to R38 in order, nothing left open in them, drawings of six lines of nine."""
    for language in LANGUAGES:
        page = await house.nobody().ask("GET", f"/api/editions/imperial/rules?language={language}")
        chapters = page.json()["chapters"]
        rules = [rule for chapter in chapters for rule in chapter["rules"]]
        assert [rule["rule"] for rule in rules] == [f"R{number}" for number in RULES]
        paragraphs = [paragraph for rule in rules for paragraph in rule["paragraphs"]]
        assert all(bool(one["text"]) != bool(one["drawing"]) for one in paragraphs)
        assert not any("{" in one["text"] for one in paragraphs)
        drawn = [one["drawing"].splitlines() for one in paragraphs if one["drawing"]]
        assert drawn and all(len(lines) == 6 and {*map(len, lines)} == {9} for lines in drawn)


@housed()
async def test_what_there_is_not_is_malformed(house: House) -> None:
    """No such edition, no such language."""
    nobody = house.nobody()
    for path in ("/api/editions/deluxe/words", "/api/editions/imperial/rules?language=la"):
        answer = await nobody.ask("GET", path)
        assert answer.status_code == 400 and answer.json()["error"]["code"] == "server.malformed"
