"""What is at stake when a viewer is asked about a coup fourré or the extension. Pure functions.

Every figure is the difference between two score sheets from `rules.scoring`, so the points that
are promised are the points that are scored.
"""

from collections.abc import Iterator

from millebornes.rules import View
from millebornes.rules.cards import SAFETY_OF
from millebornes.rules.moves import Decline
from millebornes.rules.scoring import score
from millebornes.rules.state import ExtensionChoice, Window

from .messages_out import Stake

__all__ = ["stakes"]


def stakes(view: View) -> tuple[Stake, ...]:
    """The stakes in the order to show them; none on a turn, or if the viewer is not asked."""
    if not view.is_asked:
        return ()
    if isinstance(view.awaiting, Window):
        return (_window(view, view.awaiting),)
    if isinstance(view.awaiting, ExtensionChoice):
        return _extension(view)
    return ()


def _window(view: View, window: Window) -> Stake:
    hazard, safety = window.hazard.value, SAFETY_OF[window.hazard].value
    if view.legal_moves == (Decline(),):
        return Stake("window_forced", {"hazard": hazard, "safety": safety})
    asked: dict[str, str | int] = {"seat": window.attacker, "hazard": hazard, "safety": safety}
    points = _coup_fourre_points(view, window)
    if not points:
        return Stake("window_choice_no_points", asked)
    return Stake("window_choice", {**asked, "points": points})


def _coup_fourre_points(view: View, window: Window) -> int:
    """Points for the safety as a coup fourré, and for all four safeties if it is the fourth."""
    assert view.side is not None
    safety = SAFETY_OF[window.hazard]
    tableaux = list(view.tableaux)
    own = tableaux[view.side]
    tableaux[view.side] = own._replace(
        safeties=(*own.safeties, safety), crosswise=(*own.crosswise, safety)
    )
    return _gains(view, view._replace(tableaux=tuple(tableaux)))[view.side]


def _extension(view: View) -> tuple[Stake, ...]:
    assert view.side is not None
    side = view.side
    others = [other for other in range(view.sides) if other != side]
    next_best = max(others, key=lambda other: view.tableaux[other].miles)
    miles = view.tableaux[next_best].miles
    race: dict[str, str | int] = {
        "side": next_best,
        "miles": miles,
        "ahead": view.tableaux[side].miles - miles,
        "pile": view.pile,
    }
    return (
        *_if_completed(view, side),
        *_if_not_completed(view, side, others),
        Stake("extension_race", race),
    )


def _if_completed(view: View, side: int) -> Iterator[Stake]:
    """What finishing now is worth, what extending adds, and what is lost by not completing it."""
    finish = _gains(view, view._replace(completed_by=side))[side]
    extend = _gains_from_call(view, side, side)[side]
    if view.edition.exhaustion_winner == "most_miles":
        # The side that has completed the trip leads, so it wins the hand without finishing, too.
        if finish:
            yield Stake("extension_finish_in_front", {"points": finish})
        else:
            yield Stake("extension_finish_in_front_no_points", {})
    elif finish:
        yield Stake("extension_finish", {"points": finish})
    else:
        yield Stake("extension_finish_no_points", {})
    if extend:
        yield Stake("extension_extend", {"points": extend})
    else:
        yield Stake("extension_extend_no_points", {})
    if view.edition.exhaustion_winner == "most_miles":
        yield Stake("extension_risk_in_front", {})
    elif finish:
        yield Stake("extension_risk", {})


def _if_not_completed(view: View, side: int, others: list[int]) -> Iterator[Stake]:
    """Who scores for the extension if another side completes the longer trip, or nobody does."""
    by_others = {other: _gains_from_call(view, side, other) for other in others}
    to_completer = min(gains[other] for other, gains in by_others.items())
    lost = min(gains[other] for gains in by_others.values() for other in others)
    by_nobody = _gains_from_call(view, side, None)
    failed = min(by_nobody[other] for other in others)
    if lost and failed:
        yield Stake("extension_lost_or_failed", {"points": lost})
        return
    if lost and len(others) > 1:
        yield Stake("extension_lost", {"points": lost})
    elif to_completer:
        yield Stake("extension_to_completer", {"points": to_completer})
    if failed:
        yield Stake("extension_failed", {"points": failed})


def _gains_from_call(view: View, caller: int, completed_by: int | None) -> tuple[int, ...]:
    """What each side scores because the extension was called, if the hand ends like this."""
    uncalled = view._replace(completed_by=completed_by)
    return _gains(uncalled, uncalled._replace(caller=caller))


def _gains(first: View, second: View) -> tuple[int, ...]:
    """How much more each side scores if the hand ends as in the second view."""
    before, after = score(first.edition, first), score(second.edition, second)
    return tuple(b.total - a.total for a, b in zip(before, after, strict=True))
