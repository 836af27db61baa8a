"""Tables served over HTTP and WebSocket: the application, its store, its bot workers.

Nothing is imported here: `run` starts a server, and whoever does not needs none of it.
"""

__all__: list[str] = []
