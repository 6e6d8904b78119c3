"""``sanssouci players``: lists the computer players."""

from sanssouci.locale import printable

from .game_options import Json
from .language import Lang, sentence, set_language
from .output import out, print_json


def players(json: Json = False, lang: Lang = "") -> None:
    """List the computer players that can be named in play, simulate and arena.

    Example: sanssouci players --lang de
    """
    from sanssouci.players import about, character, player_names

    language = set_language(lang)
    found = [
        {
            "player": name,
            "name": character(name, language) or None,
            "about": about(name, language),
        }
        for name in player_names()
    ]
    if json:
        print_json(found)
        return
    from rich.table import Table

    table = Table()
    for key in ("players.name", "players.who", "players.about"):
        table.add_column(sentence(key))
    for player in found:
        table.add_row(printable(player["player"]), player["name"], player["about"])
    out().print(table)
