"""The description: what can be asked and answered, for programs (OpenAPI) and for people (a page)."""
