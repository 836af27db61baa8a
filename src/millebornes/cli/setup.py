"""From the options of `play` to a game and the file it is kept in."""

import secrets
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from millebornes.bots import BOTS, Bot
from millebornes.records import Game, game
from millebornes.rules import DEFAULT_EDITION, RULES_VERSION, Card, Edition, EditionError
from millebornes.rules.edition import toml_value
from millebornes.table import Settings
from millebornes.table.names import is_shown
from millebornes.words import Words, languages
from millebornes.words import words as in_language

from .files import load_edition, read_text
from .saving import games_folder, new_path, unfinished
from .trouble import Trouble, reading_from
from .vocabulary import plain

__all__ = ["PERSON", "Wishes", "bot_for", "checked_name", "default_names", "prepare", "settings_of"]

PERSON = 0
"""The person's seat."""
_LONGEST_NAME = 24
# One more than there can be bots, so that none need bear the person's own name.
_BOT_NAMES = ("Léa", "Hugo", "Chloé", "Louis", "Manon", "Jules", "Inès", "Camille")


@dataclass(frozen=True, kw_only=True)
class Wishes:
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


def prepare(wishes: Wishes, words: Words, now: datetime) -> tuple[Game, Path]:
    """The game to play, new or resumed, and where to keep it."""
    if wishes.resume:
        return _resumed(wishes, words)
    if wishes.file is not None:
        raise Trouble(words.say("file_without_resume", file=str(wishes.file)))
    record = _new_game(wishes, words, now)
    assert record.seed is not None
    if wishes.save is None:
        return record, new_path(now, record.seed)
    if wishes.save.exists():
        raise Trouble(words.say("save_exists", file=str(wishes.save)))
    return record, wishes.save


def settings_of(record: Game, words: Words) -> Settings:
    """The practice table that a game is played at: nobody is hurried, and no bot dawdles."""
    try:
        return Settings(
            edition=record.edition,
            players=record.players,
            short_trip=record.short_trip,
            practice=True,
            seed=record.seed,
            bot_window=0,
            pace=0,
        )
    except EditionError as error:
        raise _option_trouble(error, words) from None


def default_names() -> frozenset[str]:
    """What a person who gives no name is called in records, in any language."""
    return frozenset(in_language(language).say("default_name") for language in languages())


def bot_for(asked: str | None, words: Words) -> tuple[str, Callable[[], Bot]]:
    """A level and its bot: the one asked for, or the first there is."""
    level = next(iter(BOTS)) if asked is None else asked
    if level not in BOTS:
        raise Trouble(words.say("no_bot", name=level, bots=", ".join(BOTS)))
    return level, BOTS[level]


def _new_game(wishes: Wishes, words: Words, now: datetime) -> Game:
    edition = _edition(wishes, words)
    players = _players(wishes.players, edition, words)
    record = Game(
        edition=edition,
        players=players,
        short_trip=wishes.short_trip,
        # The person begins the first hand; the deal then passes left, so everybody does.
        dealer=players - 1,
        seats=_seats(_name(wishes.name, words), players),
        date=f"{now:%Y-%m-%d}",
        seed=_seed(wishes.seed, words),
        practice=True,
    )
    try:
        record.start()
    except EditionError as error:
        raise _option_trouble(error, words) from None
    return record


def _edition(wishes: Wishes, words: Words) -> Edition:
    edition = DEFAULT_EDITION if wishes.edition is None else load_edition(wishes.edition, words)
    changes = {"hands": wishes.hands, "target": wishes.target}
    try:
        return edition.house({key: value for key, value in changes.items() if value is not None})
    except EditionError as error:
        raise _option_trouble(error, words) from None


def _option_trouble(error: EditionError, words: Words) -> Trouble:
    return Trouble(
        words.say(
            "bad_option",
            option="--" + error.key.replace("_", "-"),
            value=toml_value(error.value),
            allowed=error.allowed,
        )
    )


def _players(asked: int | None, edition: Edition, words: Words) -> int:
    counts = edition.player_counts
    if asked is None:
        return 2 if 2 in counts else counts[0]
    if asked not in counts:
        listed = ", ".join(map(str, counts))
        raise Trouble(words.say("bad_players", edition=edition.id, counts=listed, asked=asked))
    return asked


def _name(asked: str | None, words: Words) -> str:
    return words.say("default_name") if asked is None else checked_name(asked, words)


def checked_name(asked: str, words: Words) -> str:
    """A name as a person gives it, if it can be one."""
    name = unicodedata.normalize("NFC", asked).strip()
    printable = is_shown(name) and all(unicodedata.category(sign)[0] != "C" for sign in name)
    if not name or len(name) > _LONGEST_NAME or not printable:
        raise Trouble(words.say("bad_name", longest=_LONGEST_NAME))
    return name


def _seats(name: str, players: int) -> tuple[str, ...]:
    others = [bot for bot in _BOT_NAMES if plain(bot) != plain(name)]
    return (name, *others[: players - 1])


def _seed(asked: str | None, words: Words) -> str:
    if asked is None:
        return secrets.token_hex(6)
    try:
        asked.encode()
    except UnicodeEncodeError:
        raise Trouble(words.say("bad_seed")) from None
    return asked


def _resumed(wishes: Wishes, words: Words) -> tuple[Game, Path]:
    fixed = {
        "--edition": wishes.edition,
        "--players": wishes.players,
        "--short-trip": wishes.short_trip or None,
        "--seed": wishes.seed,
        "--name": wishes.name,
        "--hands": wishes.hands,
        "--target": wishes.target,
        "--save": wishes.save,
    }
    for option, value in fixed.items():
        if value is not None:
            raise Trouble(words.say("not_with_resume", option=option))
    path = wishes.file or next(unfinished(games_folder()), None)
    if path is None:
        raise Trouble(words.say("nothing_to_resume", folder=str(games_folder())))
    text = read_text(str(path), words)
    with reading_from(str(path), words):
        record = game.from_text(text)
    if record.result is not None:
        raise Trouble(words.say("already_over", file=str(path)))
    if record.rules_version != RULES_VERSION:
        raise Trouble(words.say("other_rules", file=str(path), version=record.rules_version))
    # A record cut for one seat hides what the game needs to go on.
    if record.seed is None or any(Card.UNKNOWN in hand.deck for hand in record.deals):
        raise Trouble(words.say("cannot_resume", file=str(path)))
    _seed(record.seed, words)
    return record, path
