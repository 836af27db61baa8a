"""The judge's texts as people write them, turned into the words of the strict format.

Cards may have any of their names, in any language and case, and seats the names that
`seat N: NAME` gives them; the longest name wins. What is read here becomes codes and numbers.
Everything else stays as it is: the strict readers of positions and moves say what is wrong.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from millebornes.rules.cards import Card
from millebornes.rules.edition import Edition
from millebornes.words import words as in_language

from .entries import Entry, Word, text_value, unexpected
from .error import RecordError
from .heading import by_key, read_edition, read_players
from .names import begins_card, card_named, longest, near_cards, plain, words_of

__all__ = ["strict_entries"]

_NAME_LENGTH = 40
_MOST_WORDS = 8
"""How many words a name may have: more than that of any card."""
_CARD_LISTS = ("battle", "speed", "distance", "safeties", "hand", "next", "discard")
_OF_SEATS = ("turn", "dealer", "extension", "hand")
_OTHER_MOVES = {"ext": "ext", "end": "end", "-": "-", "–": "-", "—": "-", "−": "-"}
_WITH_EXCLAMATION_MARK = (Card.ROLL, Card.STOP)  # as printed: Roll!, Stop!
_PIECE = re.compile(r">|[^>]+")
_NUMBER = re.compile("[0-9]{1,2}")


def strict_entries(
    entries: Sequence[Entry], edition: Edition | None
) -> tuple[list[Entry], tuple[str | None, ...]]:
    """The entries in the strict format, and the name of each seat; empty if no seat has one.

    `edition` replaces the edition that the entries name.
    """
    rest = [entry for entry in entries if entry.key != "seat"]
    rules = read_edition(rest, edition)
    players = read_players({entry.label: entry for entry in rest}, rules)
    seats = by_key([entry for entry in entries if entry.key == "seat"], (), {"seat": players})
    reader = _Reader(players, rules.sides_at(players), seats.values())
    names = tuple(reader.names.get(seat) for seat in range(players)) if seats else ()
    return [reader.entry(entry) for entry in rest], names


class _Reader:
    """Reads the entries of one position, whose seats it knows."""

    def __init__(self, players: int, sides: int, named: Iterable[Entry]) -> None:
        self.players = players
        self.sides = sides
        self.names: dict[int, str] = {}
        self.seats: dict[str, int] = {}
        self.has_failed = False
        """Is there a word already that the strict readers will refuse? Then the rest of the text
        is not looked at: suggestions take long to find."""
        for entry in named:
            self.name_seat(entry)

    def name_seat(self, entry: Entry) -> None:
        """Learn the name of a seat."""
        assert entry.number is not None, "by_key has checked it"
        quoted = len(entry.words) == 1 and entry.words[0].text.startswith('"')
        name = text_value(entry.words[0]).strip() if quoted else entry.raw()
        called = plain(name)
        problem = None
        if not 1 <= len(name) <= _NAME_LENGTH:
            problem = f"a name of 1 to {_NAME_LENGTH} characters"
        elif not called or called.isdecimal():
            problem = "a name with a letter, such as Léa"
        elif not name.isprintable() or ":" in name or ">" in name:
            problem = "a name without : and >"
        elif called in self.seats:
            problem = f"another name than that of seat {self.seats[called]}"
        if problem is not None:
            raise RecordError(entry.line, entry.column, entry.found(), problem)
        self.names[entry.number] = name
        self.seats[called] = entry.number

    def entry(self, entry: Entry) -> Entry:
        """The same entry in the strict format."""
        number = entry.number
        if entry.name is not None:
            of_seat = entry.key in _OF_SEATS
            found = self.numbered(entry.name, of_seat=of_seat)
            if found is None:
                expected = f"{entry.key} and {self.expected(of_seat=of_seat)}"
                raise RecordError(entry.line, 1, f"'{entry.label}'", expected)
            number = int(found)
        return entry._replace(number=number, name=None, words=tuple(self.words(entry)))

    def words(self, entry: Entry) -> Iterable[Word]:
        """The words of an entry in the strict format."""
        words = entry.words
        if entry.key in _CARD_LISTS:
            only = entry.key == "hand" and words[:1] and words[0].text == "only"
            return (*words[:1], *self.cards(words[1:])) if only else self.cards(words)
        if entry.key == "moves":
            return self.moves(words)
        if entry.key in _OF_SEATS or entry.key == "called":
            return self.reference(words, of_seat=entry.key != "called")
        if entry.key == "ended":
            return (*words[:1], *self.reference(words[1:], of_seat=False))
        if entry.key == "window":
            return self.window(words)
        if [word.text for word in words[1:4]] == ["turns", "of", "seat"]:
            return (*words[:4], *self.reference(words[4:], of_seat=True))
        return words

    # Seats and sides

    def numbered(self, text: str, *, of_seat: bool) -> str | None:
        """The number that a name stands for: of a seat, or of the side it plays for."""
        if _NUMBER.fullmatch(text):
            return text
        seat = self.seats.get(plain(text)) if _is_name(text) else None
        return None if seat is None else str(seat if of_seat else seat % self.sides)

    def reference(self, words: Sequence[Word], *, of_seat: bool) -> Sequence[Word]:
        """The words that name a seat, or a side by one of its seats, as one number."""
        if not words or all(_NUMBER.fullmatch(word.text) for word in words):
            return words
        found = self.numbered(_written(words), of_seat=of_seat)
        if found is None:
            raise unexpected(_joined(words, _written(words)), self.expected(of_seat=of_seat))
        return (_joined(words, found),)

    def expected(self, *, of_seat: bool) -> str:
        """Which seats or sides there are, for an error."""
        what, most = ("seat", self.players - 1) if of_seat else ("side", self.sides - 1)
        names = ", ".join(self.names.values()) or "a name that a line such as 'seat 0: Léa' gives"
        return f"a {what} from 0 to {most}, or {names}"

    # Cards

    def cards(self, words: Sequence[Word]) -> Iterator[Word]:
        """A list of cards, each as its code."""
        rest = list(words)
        while rest:
            found = None if self.has_failed else _card_at(rest)
            if found is None:
                self.refuse_if_near(rest, "a card")
                yield rest.pop(0)  # the strict reader tells which cards can be here
            else:
                face, count = found
                yield _joined(rest[:count], face)
                del rest[:count]

    def window(self, words: Sequence[Word]) -> Iterator[Word]:
        """A hazard, then attacking seat > attacked side, then the seats that have declined."""
        pieces = list(_pieces(words))
        found = _card_at(pieces)
        texts = [piece.text for piece in pieces]
        if found is None or ">" not in texts:
            yield from self.cards(words)
            return
        face, count = found
        arrow = texts.index(">")
        end = texts.index("declined") if "declined" in texts else len(texts)
        attacker = self.reference(pieces[count:arrow], of_seat=True)
        side = self.reference(pieces[arrow + 1 : end], of_seat=False)
        yield _joined(pieces[:count], face)
        yield _joined(pieces[count:end], f"{_written(attacker)}>{_written(side)}")
        yield from pieces[end : end + 1]
        rest = pieces[end + 1 :]
        while rest:
            seat = longest(_texts(rest), lambda text: self.numbered(text, of_seat=True))
            if seat is None:
                raise unexpected(rest[0], self.expected(of_seat=True))
            yield _joined(rest[: seat[1]], seat[0])
            del rest[: seat[1]]

    # Moves

    def moves(self, words: Sequence[Word]) -> Iterator[Word]:
        """A list of moves, each as its token."""
        rest = list(_pieces(words))
        while rest:
            if self.has_failed:
                yield from rest
                return
            seat, after_seat = self.seat_before(rest)
            discards, at_card = _discarding(after_seat)
            found = _card_at(at_card)
            if found is None:
                move, after = self.other_move(after_seat)
            else:
                face, count = found
                move, after = ("x" if discards else "") + face, at_card[count:]
                if after and (after[0].text == ">" or plain(after[0].text) in words_of("on")):
                    side, after = self.target(after[1:])
                    move += f">{side}"
            yield _joined(rest[: len(rest) - len(after)], seat + move)
            rest = after

    def seat_before(self, pieces: list[Word]) -> tuple[str, list[Word]]:
        """The seat and the colon before a move, if there are any, and the rest."""
        for count, piece in enumerate(pieces[:_MOST_WORDS], start=1):
            head, colon, tail = piece.text.partition(":")
            if not colon:
                continue
            name = " ".join((*_texts(pieces[: count - 1]), head))
            seat = self.numbered(name, of_seat=True)
            if seat is None:
                if count == 1:
                    raise unexpected(piece._replace(text=head), self.expected(of_seat=True))
                break  # the colon belongs to a later move
            after = pieces[count:]
            if tail:
                after = [Word(tail, piece.line, piece.column + len(head) + 1), *after]
            return f"{seat}:", after
        return "", pieces

    def target(self, pieces: list[Word]) -> tuple[str, list[Word]]:
        """The side after a `>`, and the rest."""
        if not pieces:
            return "", []
        found = longest(_texts(pieces), lambda text: self.numbered(text, of_seat=False))
        if found is None:
            raise unexpected(pieces[0], self.expected(of_seat=False))
        return found[0], pieces[found[1] :]

    def other_move(self, pieces: list[Word]) -> tuple[str, list[Word]]:
        """A move without a card, or a word that is none, and the rest."""
        if not pieces:
            return "", []
        text = pieces[0].text
        move = _OTHER_MOVES.get(text.casefold())
        if move is None:
            self.refuse_if_near(pieces, "a move")
        return move or text, pieces[1:]

    def refuse_if_near(self, words: Sequence[Word], what: str) -> None:
        """Refuse words that look like a misspelt card, and name it."""
        if self.has_failed:
            return
        for count in (3, 2, 1):
            near = near_cards(_written(words[:count]))
            if near:
                listed = " or ".join(f"{in_language().card(card)} ({card})" for card in near)
                raise unexpected(_joined(words[:count], ""), f"{what} such as {listed}")
        self.has_failed = True


def _is_name(text: str) -> bool:
    """Do the first and the last word have letters or digits? A lone sign is no part of a name."""
    words = text.split()
    return bool(words) and all(map(plain, (words[0], words[-1])))


def _card_at(words: Sequence[Word]) -> tuple[str, int] | None:
    """The card that the first words name, with the `!` of a coup fourré, and their number."""

    def face(text: str) -> str | None:
        bare = text.removesuffix("!").rstrip()
        card = card_named(bare) if _is_name(bare) or bare == Card.UNKNOWN else None
        if card is None:
            return None
        shouted = text != bare and card not in _WITH_EXCLAMATION_MARK
        return card.value + ("!" if shouted else "")

    texts = _texts(words)
    counts = range(1, len(texts) + 1)
    most = sum(1 for _ in takewhile(lambda count: begins_card(" ".join(texts[:count])), counts))
    return longest(texts[:most], face)


def _discarding(pieces: list[Word]) -> tuple[bool, list[Word]]:
    """Does a discard come first? And the rest, which begins with its card."""
    if not pieces:
        return False, pieces
    first = pieces[0]
    if first.text.isalpha() and plain(first.text) in words_of("discard"):
        return (True, pieces[1:]) if _card_at(pieces[1:]) else (False, pieces)
    if first.text[0] in "xX":
        bare = [Word(first.text[1:], first.line, first.column + 1), *pieces[1:]]
        if _card_at(bare):
            return True, bare
    return False, pieces


def _pieces(words: Iterable[Word]) -> Iterator[Word]:
    """The words, with each `>` as a word of its own."""
    for word in words:
        for found in _PIECE.finditer(word.text):
            yield Word(found[0], word.line, word.column + found.start())


def _texts(words: Sequence[Word]) -> list[str]:
    return [word.text for word in words[:_MOST_WORDS]]


def _written(words: Sequence[Word]) -> str:
    """The words as they were written."""
    text = ""
    for before, word in zip((None, *words), words, strict=False):
        apart = before and (word.line, word.column) != (
            before.line,
            before.column + len(before.text),
        )
        text += f" {word.text}" if apart else word.text
    return text


def _joined(words: Sequence[Word], text: str) -> Word:
    """One word of the strict format for words as written."""
    return Word(text, words[0].line, words[0].column, _written(words))
