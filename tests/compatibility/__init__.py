"""Files of users, written by released and earlier versions; every later version must open them.

Each folder in ``files/`` is one generation, written by the program of that month and never changed:

::

    files/2026-11/
        tables.db.xz            the data file of a server
        games.jsonl.xz          its export, sanssouci-games/1
        secrets.json            tokens of its guests and the secrets of its links
        expected.json           the server's responses about each table, guest and review
        records/NAME.json       the record of each finished table, byte by byte
        saves/                  saved terminal games, sanssouci-save/1, each with its record
        arena/                  arena journals, sanssouci-arena/1, with their standings
        boards/                 boards files with their digests
        results.csv             the first rows of `simulate --out`
        browser-storage.json    all keys in the browser's storage, with the parsed state of each
        addresses.json          addresses of pages and links, with the page that each shows

Game records have separate fixtures in ``tests/records``. ``generate.py`` adds a generation.
"""
