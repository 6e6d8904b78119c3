"""The server fixtures and the client for tests.

::

    @with_server()                                      # or with_server(tables_per_guest=2)
    async def test_...(server: InProcessServer) -> None:
        ada = await server.guest("Ada")                 # a bearer token; browser=True: a cookie
        table = await ada.create_table("person", "open")    # id, seats, join, watch: the secrets of its links
        bob = await server.guest("Bob")
        await bob.with_key(table.join).join(table)      # the same guest, with the secret of a link
        socket = await ada.connect(table)               # the first update is still to be read
        update = await socket.receive()
        await socket.send_command("ready", update["seq"], nonce=NONCE)
        view = await bob.view(table)                    # by HTTP
        response = await bob.command(table, "ready", nonce=NONCE)     # httpx.Response
        await bob.do(table, "ready", nonce=NONCE)       # the same; fails unless the command is executed
        await server.play_out(table, {0: ada, 1: bob})
        await server.restart()                          # on the same data
        server.clock.advance(60)
        await server.sweep()                            # run what is due, and wait until it is done

``server.players`` are fake computer players. They answer at once, unless ``hold()`` is called or ``error`` is
set. ``server.store`` fails on demand (``with server.store.broken()``). ``server.rows()`` are all stored rows.

``ServerProcess`` is ``sanssouci serve`` in a separate process. ``Client`` and ``Socket`` talk to both kinds
of server; only the transport differs (``AsgiTransport``, ``TcpTransport``).
"""
