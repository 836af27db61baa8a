"""A position to warm bots up with: it is the same everywhere, and nobody's secret."""

from millebornes.rules import EDITIONS, View, deal, new_match, view

__all__ = ["sample_turn"]


def sample_turn() -> View:
    """The view of the seat that has the first turn of a match."""
    edition = EDITIONS["winning-moves"]
    match, _ = deal(new_match(edition, 2), range(len(edition.deck(2))))
    return next(seen for seat in (0, 1) if (seen := view(match, seat)).legal_moves)
