"""ASGI middleware, in the order of `stack.with_middleware`."""
