"""Uvicorn protocols with timeouts and limits that uvicorn itself does not have."""
