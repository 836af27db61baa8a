"""An async client for a millebornes server."""

from .client import Client, ClientError, Seat
from .playing import play_seat
from .views import edition_from, view_from

__all__ = ["Client", "ClientError", "Seat", "edition_from", "play_seat", "view_from"]
