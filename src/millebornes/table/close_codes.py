"""Why a server closes a WebSocket: server, clients and the protocol page share these codes."""

from enum import IntEnum

__all__ = ["CloseCode"]


class CloseCode(IntEnum):
    """A close code, what it means, and what a client does next.

    1011 and 1012 are the WebSocket protocol's own; the codes from 4000 on are private to ours.
    """

    meaning: str
    advice: str
    is_final: bool
    """Reconnecting is pointless unless a person asks for it."""

    def __new__(cls, value: int, meaning: str, advice: str, is_final: bool) -> "CloseCode":
        """One row of the table below."""
        code = int.__new__(cls, value)
        code._value_ = value
        code.meaning, code.advice, code.is_final = meaning, advice, is_final
        return code

    INTERNAL_ERROR = 1011, "the server failed", "reconnect with `after`", False
    RESTARTING = (
        1012,
        "the server is restarting ([Stopping](#stopping) was sent)",
        "reconnect with `after`",
        False,
    )
    SUPERSEDED = (
        4001,
        "a newer connection of the same guest took over",
        "reconnect only if a person asks for it",
        True,
    )
    SENT_AWAY = (
        4003,
        "the host sent you away (`table.sent_away` in the last frame says so, too)",
        "nothing: the table refuses you from now on",
        True,
    )
    TOO_SLOW = (
        4008,
        "you read too slowly, or nothing for half a minute",
        "reconnect with `after`",
        False,
    )
    TABLE_CLOSED = 4009, "the table is closed", "nothing: its record is kept", True
    SIGNED_OUT = (
        4401,
        "this device was signed out: its token is no longer valid",
        "become a guest again, or claim a new code",
        True,
    )
    TOO_MANY = (
        4429,
        "too many messages, or frames of any kind",
        "wait, then reconnect with `after`",
        False,
    )
