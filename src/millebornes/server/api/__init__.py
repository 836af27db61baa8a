"""The REST interface: one module per subject, which declares its operations."""

from millebornes.server.admission import Admission
from millebornes.server.bot_workers import Thinkers
from millebornes.server.clock import Clock
from millebornes.server.config import Config
from millebornes.server.connections import Connections
from millebornes.server.entropy import Entropy
from millebornes.server.hub import Hub
from millebornes.server.metrics import Metrics
from millebornes.server.replayer import Replayer
from millebornes.server.store import Store

from .games import Games
from .guests import Guests
from .judge import Judging
from .lobby import Lobby
from .openapi import Description, Operation
from .operator import Operator
from .replays import Replays
from .rules import Rules
from .score_pad import ScorePads
from .tables import Tables

__all__ = ["Operation", "all_operations"]


def all_operations(
    *,
    config: Config,
    store: Store,
    hub: Hub,
    clock: Clock,
    entropy: Entropy,
    admission: Admission,
    metrics: Metrics,
    connections: Connections,
    replayer: Replayer,
    thinkers: Thinkers,
) -> list[Operation]:
    """Every operation, in the order of the documentation."""
    replays = Replays(replayer)
    subjects = (
        Operator(hub, store, metrics, thinkers),
        Guests(store, clock, entropy, admission, connections),
        Rules(admission, thinkers),
        Judging(admission),
        ScorePads(admission),
        Lobby(hub, clock),
        Tables(hub, entropy, admission, config, replays),
        Games(store, hub, admission, replays),
    )
    found = [operation for subject in subjects for operation in subject.operations()]
    return [*found, Description(found).operation()]
