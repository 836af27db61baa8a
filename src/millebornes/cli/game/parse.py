"""What a person means by a typed line: from the text and the view to an intention.

Lenient about spelling, strict about effects: an empty line does nothing, and the result is a move
only if the view lists that move as legal.
"""

import re

from millebornes.cli.draw.hand import hand_in_order
from millebornes.records.names import cards_called, longest, plain, sides_called, words_of
from millebornes.rules import (
    Card,
    CoupFourre,
    Decline,
    Discard,
    Extend,
    Finish,
    Play,
    Reason,
    View,
)
from millebornes.rules.cards import HAZARDS, SAFETIES, SAFETY_OF
from millebornes.rules.state import ExtensionChoice, Window
from millebornes.words import Names

from .intention import (
    COMMANDS,
    ChooseTarget,
    Command,
    Explain,
    Intention,
    Make,
    Refused,
    RunCommand,
    Unclear,
)

__all__ = ["parse_command", "parse_line", "parse_target", "parse_yes_or_no"]


def parse_line(text: str, view: View, names: Names) -> Intention:
    """The meaning of a line when the view's seat is asked for a move."""
    text = text.strip()
    command = parse_command(text)
    if command is not None:
        return RunCommand(command)
    if isinstance(view.awaiting, Window):
        return _parse_answer(text, view, view.awaiting)
    if isinstance(view.awaiting, ExtensionChoice):
        return _parse_extension(text)
    return _parse_turn(text, view, names)


def parse_command(text: str) -> Command | None:
    """The command, if the line is one. Commands work at every question."""
    return next((command for command in COMMANDS if _is(text, command)), None)


def parse_yes_or_no(text: str) -> bool | None:
    """Yes, no, or None if it is neither."""
    if _is(text, "yes"):
        return True
    return False if _is(text, "no") else None


def parse_target(
    text: str, view: View, names: Names, asked: ChooseTarget
) -> Make | Refused | Unclear:
    """The answer to "on whom?"."""
    called = sides_called(text, names)
    found = [side for side in called if side in asked.sides]
    if len(found) == 1:
        return Make(Play(asked.card, found[0]))
    reasons = [r for play, r in view.refused if play.card is asked.card and play.onto in called]
    return Refused(tuple(reasons)) if reasons and not found else Unclear("whom", text)


def _is(text: str, command: str) -> bool:
    text = text.strip()
    return bool(text) and (plain(text) or text) in words_of(command)


def _parse_turn(text: str, view: View, names: Names) -> Intention:
    if not text:
        return Unclear("empty")
    first, _, rest = text.partition(" ")
    if _is(first, "why"):
        return _explain(rest.strip(), view)
    to_discard = _card_to_discard(text)
    if to_discard is not None:
        return _discard(to_discard, view)
    if len(plain(text)) > 1 and (_is(text, "extend") or _is(text, "finish")):
        # Not an abbreviation of Extra Tank, which would then be played.
        return Refused((Reason.of("no_extension"),))
    if rest and _is(first, "play"):
        text = rest.strip()
    card, target = _card_and_target(text, view)
    if isinstance(card, Unclear):
        return card
    return _play(card, target, view, names)


def _parse_answer(text: str, view: View, window: Window) -> Intention:
    forced = view.legal_moves == (Decline(),)
    safety = SAFETY_OF[window.hazard]
    if not text:
        return Make(Decline()) if forced else Unclear("empty")
    if _is(text, "no") or _is(text, "continue"):
        return Make(Decline())
    if _is(text, "yes") or _is(text, "call"):
        card: Card | Unclear = safety
    elif forced:
        return Unclear("unknown", text)
    else:
        card = _card(text.removesuffix("!"), view)
    if isinstance(card, Unclear):
        return card
    move = CoupFourre(card)
    if move in view.legal_moves:
        return Make(move)
    if card not in SAFETIES:
        return Refused((Reason.of("not_a_safety", card=card),))
    if card is not safety:
        wrong = Reason.of("wrong_safety", card=card, hazard=window.hazard, safety=safety)
        return Refused((wrong,))
    return Refused((Reason.of("not_in_hand", card=card),))


def _parse_extension(text: str) -> Intention:
    if not text:
        return Unclear("empty")
    if _is(text, "extend"):
        return Make(Extend())
    if _is(text, "finish"):
        return Make(Finish())
    return Unclear("unknown", text)


def _card_to_discard(text: str) -> str | None:
    """The card to discard, if the line asks for that: `d 3`, `d3`, `discard 25`, `x25`."""
    first, _, rest = text.partition(" ")
    if _is(first, "discard"):
        return rest.strip()
    found = re.fullmatch(r"([dDxX])([0-9]+)", text) or re.fullmatch(r"(x)([A-Z]+|\?)", text)
    return found[2] if found else None


def _discard(text: str, view: View) -> Intention:
    card = _card_in_hand(text, view)
    if not isinstance(card, Card):
        return card
    if Discard(card) in view.legal_moves:
        return Make(Discard(card))
    playable = next(move.card for move in view.legal_moves if isinstance(move, Play))
    return Refused((Reason.of("must_play_out", card=playable),))


def _explain(text: str, view: View) -> Intention:
    first, _, rest = text.partition(" ")
    if plain(first) == "not" and rest:
        text = rest.strip()
    card = _card_in_hand(text, view)
    if not isinstance(card, Card):
        return card
    return Explain(card, _reasons(card, view))


def _card_in_hand(text: str, view: View) -> Card | Unclear | Refused:
    if not text:
        return Unclear("which_card")
    card = _card(text, view)
    if isinstance(card, Unclear) or card in view.hand:
        return card
    return Refused((Reason.of("not_in_hand", card=card),))


def _card(text: str, view: View) -> Card | Unclear:
    """A card by its number in the hand, its name, its code or an abbreviation."""
    hand = hand_in_order(view)
    digits = plain(text)
    if digits.isdecimal() and 1 <= int(digits) <= len(hand):
        return hand[int(digits) - 1]
    found = cards_called(text, hand)
    if len(found) == 1:
        return found[0]
    if found:
        return Unclear("ambiguous", text, found)
    return Unclear("no_number" if digits.isdecimal() else "unknown", text)


def _card_and_target(text: str, view: View) -> tuple[Card | Unclear, str | None]:
    """The card, and the target named after it: `stop on Léa`, `STOP>1`, `3 Léa`."""
    if ">" in text:
        card, _, target = text.partition(">")
        return _card(card, view), target.strip()
    whole = _card(text, view)
    pieces = text.split()
    if not isinstance(whole, Unclear) or len(pieces) == 1:
        return whole, None
    for place, piece in enumerate(pieces[1:], start=1):
        if _is(piece, "on"):
            target = " ".join(pieces[place + 1 :])
            return _card(" ".join(pieces[:place]), view), target
    named = longest(pieces[:-1], lambda text: _card_or_none(text, view))
    if named is None:
        return whole, None
    return named[0], " ".join(pieces[named[1] :])


def _card_or_none(text: str, view: View) -> Card | None:
    card = _card(text, view)
    return None if isinstance(card, Unclear) else card


def _play(card: Card, target: str | None, view: View, names: Names) -> Intention:
    if card not in view.hand:
        return Refused((Reason.of("not_in_hand", card=card),))
    if target is None:
        return _play_anywhere(card, view)
    if card not in HAZARDS:
        return Refused((Reason.of("no_target", card=card),))
    sides = sides_called(target, names)
    if len(sides) != 1:
        return Unclear("whom", target)
    if sides[0] == view.side:
        return Refused((Reason.of("own_side", card=card),))
    play = Play(card, sides[0])
    if play in view.legal_moves:
        return Make(play)
    return Refused(tuple(reason for refused, reason in view.refused if refused == play))


def _play_anywhere(card: Card, view: View) -> Intention:
    plays = [move for move in view.legal_moves if isinstance(move, Play) and move.card is card]
    if not plays:
        return Refused(_reasons(card, view))
    if len(plays) == 1:
        return Make(plays[0])
    return ChooseTarget(card, tuple(play.onto for play in plays if play.onto is not None))


def _reasons(card: Card, view: View) -> tuple[Reason, ...]:
    return tuple(reason for play, reason in view.refused if play.card is card)
