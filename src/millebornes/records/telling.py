"""The judge's verdicts in a language: who moved, what happened or why not, and by which rule."""

from millebornes.rules.events import Drawn
from millebornes.rules.moves import Play
from millebornes.words import Names, Words

from .judge import Judgement, Verdict
from .tokens import to_text

__all__ = ["names_of", "tell", "tell_move", "tell_rule"]


def names_of(judgement: Judgement, words: Words) -> Names:
    """The names that the file gives to the seats; the others are numbered."""
    match = judgement.start
    numbered = words.numbered(match.players, match.sides)
    if not judgement.seats:
        return numbered
    names = [name or number for name, number in zip(judgement.seats, numbered.seats, strict=True)]
    return words.named(names, match.sides)


def tell(verdict: Verdict, names: Names, words: Words) -> str:
    """The reason for a refusal, or what happened. Draws are left out."""
    if verdict.reason is not None:
        return words.sentence(verdict.reason, names)
    told = [event for event in verdict.events if not isinstance(event, Drawn)]
    if not told:
        said = words.say("one_declined", seat=names.seats[verdict.seat or 0])
        return said[:1].upper() + said[1:]
    return " ".join(words.events(told, names))


def tell_rule(verdict: Verdict, words: Words) -> str | None:
    """The place of the rule that the verdict rests on, such as `Winning Moves, §2`."""
    return None if verdict.rule is None else words.sentence(verdict.rule.place)


def tell_move(verdict: Verdict, judgement: Judgement, names: Names) -> str:
    """Who moved, and the move; a side that the file names is named."""
    move = verdict.token.move
    text = to_text(move)
    if judgement.seats and isinstance(move, Play) and move.onto is not None:
        text = f"{move.card}>{_name(move.onto, names.sides)}"
    return text if verdict.seat is None else f"{_name(verdict.seat, names.seats)}: {text}"


def _name(number: int, names: tuple[str, ...]) -> str:
    return names[number] if number < len(names) else str(number)
