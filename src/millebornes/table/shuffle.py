"""The shuffle that all seats make together (MB-FAIR-1), stage by stage."""

from types import MappingProxyType

from msgspec.structs import replace

from millebornes.fair.protocol import (
    client_commit,
    context,
    server_commit,
)

from .draft import Draft
from .play import try_deal
from .table import (
    FAIR_WAIT,
    FairRound,
    Refused,
)

__all__ = ["move_shuffle_on", "take_commit", "take_reveal", "take_seed"]


def take_seed(draft: Draft, hand: int, seed: bytes) -> Refused | None:
    """The server's secret is there: a shuffle begins."""
    needed = draft.table.need_seed()
    if needed is None or needed.hand != hand:
        return Refused("not_needed")
    settings = draft.table.settings
    deck = settings.edition.deck(settings.players)
    ctx = context(draft.table.game_id, hand, settings.edition.id, deck)
    people = draft.table.people()
    draft.set(
        fair=FairRound(
            hand, ctx, seed, server_commit(ctx, seed), people, "commit", draft.now + FAIR_WAIT
        )
    )
    move_shuffle_on(draft)
    return None


def take_commit(draft: Draft, seat: int, hand: int, commit: str) -> Refused | None:
    """What a seat commits to."""
    fair = draft.table.fair
    if fair is None or fair.hand != hand or fair.stage != "commit" or seat not in fair.people:
        return Refused("shuffle_moved_on")
    if seat in fair.commits:
        return Refused("already_done")
    draft.set(fair=replace(fair, commits=MappingProxyType({**fair.commits, seat: commit})))
    draft.tell("fair_commit", draft.table.seat_name(seat), seat)
    move_shuffle_on(draft)
    return None


def take_reveal(draft: Draft, seat: int, hand: int, entropy: bytes) -> Refused | None:
    """What a seat had committed to."""
    fair = draft.table.fair
    if fair is None or fair.hand != hand or fair.stage != "reveal" or seat not in fair.commits:
        return Refused("shuffle_moved_on")
    if seat in fair.entropies:
        return Refused("already_done")
    if client_commit(fair.ctx, seat, fair.commit, entropy) != fair.commits[seat]:
        return Refused("wrong_reveal")
    entropies = MappingProxyType({**fair.entropies, seat: entropy})
    draft.set(fair=replace(fair, entropies=entropies))
    move_shuffle_on(draft)
    return None


def move_shuffle_on(draft: Draft, late: bool = False) -> None:
    """To the next stage, when all have answered or the time is up."""
    fair = draft.table.fair
    assert fair is not None
    if fair.stage == "commit" and (late or len(fair.commits) == len(fair.people)):
        late = False
        fair = replace(fair, stage="reveal", deadline=draft.now + FAIR_WAIT)
    if fair.stage == "reveal" and (late or len(fair.entropies) == len(fair.commits)):
        fair = replace(fair, stage="ready", deadline=None)
    draft.set(fair=fair)
    if fair.stage == "ready":
        draft.tell("fair_ready")
        try_deal(draft)
