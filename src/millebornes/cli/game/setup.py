"""From the options of `play` to a game and the file that keeps its record."""

import secrets
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from millebornes.bots import LEVELS
from millebornes.cli.errors import CommandError
from millebornes.cli.files import edition_or_default, read_game
from millebornes.cli.options import check_players, option_error, usable_name
from millebornes.records import Game
from millebornes.records.names import plain
from millebornes.rules import RULES_VERSION, Card, Edition, EditionError
from millebornes.table import Settings
from millebornes.table.names import BOT_NAMES
from millebornes.words import Names, Words, languages
from millebornes.words import words as in_language

from .storage import games_folder, new_path, unfinished

__all__ = [
    "PERSON",
    "PlayOptions",
    "level_in",
    "names_at",
    "prepare",
    "settings_of",
    "with_level",
]

PERSON = 0
"""The person's seat."""


@dataclass(frozen=True, kw_only=True)
class PlayOptions:
    """The options of `play`, as given."""

    edition: str | None = None
    players: int | None = None
    short_trip: bool = False
    seed: str | None = None
    name: str | None = None
    bot: str | None = None
    hands: int | None = None
    target: int | None = None
    resume: bool = False
    file: Path | None = None
    save: Path | None = None


def prepare(options: PlayOptions, words: Words, now: datetime) -> tuple[Game, Path]:
    """The game to play, new or resumed, and the file to keep its record in."""
    if options.resume:
        return _resumed(options, words)
    if options.file is not None:
        raise CommandError(words.say("file_without_resume", file=str(options.file)))
    record = _new_game(options, words, now)
    assert record.seed is not None
    if options.save is None:
        return record, new_path(now, record.seed)
    if options.save.exists():
        raise CommandError(words.say("save_exists", file=str(options.save)))
    return record, options.save


def settings_of(record: Game) -> Settings:
    """The settings of the game's practice table: no clock for the person, no pauses of bots."""
    return Settings(
        edition=record.edition,
        players=record.players,
        short_trip=record.short_trip,
        practice=True,
        seed=record.seed,
        bot_window=0,
        patient=False,  # an attack that cannot be answered needs no key
        pace=0,
    )


def level_in(record: Game) -> str | None:
    """The level of the bots in a record.

    Only levels count: no record can name another program and have it started.
    """
    return next((level for level in record.bots if level in LEVELS), None)


def with_level(record: Game, level: str) -> Game:
    """The record of a game against bots of this level. Other people's bots are not kept."""
    bots = [level if seat != PERSON else None for seat in range(record.players)]
    return replace(record, bots=tuple(bots) if level in LEVELS else ())


def names_at(record: Game, words: Words) -> Names:
    """The names in the record; a person who gave none is "you"."""
    sides = record.edition.sides_at(record.players)
    seats = list(record.seats or words.numbered(record.players, sides).seats)
    default_names = {in_language(language).say("default_name") for language in languages()}
    if not record.seats or seats[PERSON] in default_names:
        seats[PERSON] = words.you
    return words.named(seats, sides, PERSON)


def _new_game(options: PlayOptions, words: Words, now: datetime) -> Game:
    edition = _edition(options, words)
    players = _players(options.players, edition, words)
    name = options.name
    record = Game(
        edition=edition,
        players=players,
        short_trip=options.short_trip,
        # The person begins the first hand; the deal then passes to the left.
        dealer=players - 1,
        seats=_seats(
            words.say("default_name") if name is None else usable_name(name, words), players
        ),
        date=f"{now:%Y-%m-%d}",
        seed=secrets.token_hex(6) if options.seed is None else options.seed,
        practice=True,
    )
    try:
        settings_of(record)
    except EditionError as error:
        raise option_error(error, words) from None
    return record


def _edition(options: PlayOptions, words: Words) -> Edition:
    edition = edition_or_default(options.edition, words)
    changes = {"hands": options.hands, "target": options.target}
    try:
        return edition.house({key: value for key, value in changes.items() if value is not None})
    except EditionError as error:
        raise option_error(error, words) from None


def _players(asked: int | None, edition: Edition, words: Words) -> int:
    if asked is None:
        counts = edition.player_counts
        return 2 if 2 in counts else counts[0]
    check_players(asked, edition, words)
    return asked


def _seats(name: str, players: int) -> tuple[str, ...]:
    # One more name than there can be bots, so that no bot needs the person's own.
    others = [bot for bot in BOT_NAMES if plain(bot) != plain(name)]
    return (name, *others[: players - 1])


def _resumed(options: PlayOptions, words: Words) -> tuple[Game, Path]:
    fixed = {
        "--edition": options.edition,
        "--players": options.players,
        "--short-trip": options.short_trip or None,
        "--seed": options.seed,
        "--name": options.name,
        "--hands": options.hands,
        "--target": options.target,
        "--save": options.save,
    }
    for option, value in fixed.items():
        if value is not None:
            raise CommandError(words.say("not_with_resume", option=option))
    path = options.file or next(unfinished(games_folder()), None)
    if path is None:
        raise CommandError(words.say("nothing_to_resume", folder=str(games_folder())))
    record = read_game(str(path), words)
    if record.result is not None:
        raise CommandError(words.say("already_over", file=str(path)))
    if record.rules_version != RULES_VERSION:
        raise CommandError(words.say("other_rules", file=str(path), version=record.rules_version))
    # A record made for one seat hides cards that the game needs to go on.
    if record.seed is None or any(Card.UNKNOWN in hand.deck for hand in record.deals):
        raise CommandError(words.say("cannot_resume", file=str(path)))
    return record, path
