"""Files that users hold, written by released and earlier versions; every later version must still open them.

Each folder in ``files/`` is one generation, written by the program of that month and never changed again:

::

    files/2026-11/
        tables.db.xz            the data file of a server
        games.jsonl.xz          its export, sanssouci-games/1
        secrets.json            tokens of its guests and the secrets of its links
        expected.json           what the server answered about each table, guest and review
        records/NAME.json       the record of each finished table, byte by byte
        saves/                  saved terminal games, sanssouci-save/1, with the record each leads to
        arena/                  arena journals, sanssouci-arena/1, with their standings
        boards/                 boards files with their digests
        results.csv             the first rows of `simulate --out`
        browser-storage.json    all keys in the browser's storage, with the state that each is read to
        addresses.json          addresses of pages and links, with what each shows

Game records have their own fixtures in ``tests/records``. ``generate.py`` adds a generation.
"""
