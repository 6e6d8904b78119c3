"""What the server sends, described field by field: for its OpenAPI, docs/protocol.md and tests.

Nothing here runs when a request is answered; answers are written as bytes. Tests read them by these models,
which allow no field that is not described.
"""
