"""Every message that the server reads or sends, as typed models: the source of OpenAPI and the docs."""
