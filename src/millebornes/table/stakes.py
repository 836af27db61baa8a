"""What hangs on the answer that is awaited of a viewer, where it is not a plain turn. Pure."""

from millebornes.rules import Card, Edition, View
from millebornes.rules.cards import SAFETY_OF
from millebornes.rules.moves import Decline
from millebornes.rules.state import ExtensionChoice, Window

from .messages_out import Stake

__all__ = ["stakes"]


def stakes(view: View) -> tuple[Stake, ...]:
    """The stakes in the order to tell them; none for a turn, or for whoever is not asked."""
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
    points = view.edition.safety_points + view.edition.coup_fourre_points
    return Stake(
        "window_choice",
        {"seat": window.attacker, "hazard": hazard, "safety": safety, "points": points},
    )


def _extension(view: View) -> tuple[Stake, ...]:
    assert view.side is not None
    own = view.tableaux[view.side]
    others = [side for side in range(view.sides) if side != view.side]
    next_best = max(others, key=lambda side: view.tableaux[side].miles)
    miles = view.tableaux[next_best].miles
    race: dict[str, str | int] = {
        "side": next_best,
        "miles": miles,
        "ahead": own.miles - miles,
        "pile": view.pile,
    }
    return (
        Stake("extension_finish", {"points": _for_finishing(view, view.side, others)}),
        Stake("extension_extend", {"points": view.edition.extension_points}),
        *_if_it_fails(view.edition),
        Stake("extension_race", race),
    )


def _for_finishing(view: View, side: int, others: list[int]) -> int:
    """What completing the trip is worth if the hand ends here."""
    edition = view.edition
    points = edition.trip_points
    if Card.D200 not in view.tableaux[side].distance:
        points += edition.safe_trip_points
    blank = sum(not view.tableaux[other].distance for other in others)
    if edition.shut_out == "each":
        points += edition.shut_out_points * blank
    elif edition.shut_out == "all" and blank == len(others):
        points += edition.shut_out_points
    return points


def _if_it_fails(edition: Edition) -> tuple[Stake, ...]:
    """Who gains what if the side that extends does not get there."""
    points: dict[str, str | int] = {"points": edition.extension_points}
    if edition.extension_if_nobody_completes == "each_opponent":
        return (Stake("extension_lost_or_failed", points),)
    if edition.extension_if_other_completes == "each_opponent":
        return (Stake("extension_lost", points),)
    if edition.extension_if_other_completes == "completer":
        return (Stake("extension_to_completer", points),)
    return ()
