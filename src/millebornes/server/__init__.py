"""The server: tables over HTTP and WebSocket, with a store and bot workers.

This module imports nothing, so that only code that starts a server (`run`) loads one.
"""

__all__: list[str] = []
