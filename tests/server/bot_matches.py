"""Whole matches between bots, as records: short ones, and as long as house rules allow."""

from millebornes.bots import SundayDriver
from millebornes.fair import key_from_seed, shuffled
from millebornes.records import Game
from millebornes.rules import EDITIONS, Match, apply, deal, view
from millebornes.rules.state import Deal, Over


def bot_match(hands: int, *, players: int = 2, edition: str = "winning-moves") -> Game:
    """A match of this number of hands, the same each time."""
    rules = EDITIONS[edition].house({"hands": hands})
    game = Game(edition=rules, players=players, seats=tuple(f"Bot {n}" for n in range(players)))
    match, bot = game.start(), SundayDriver()
    deck = rules.deck(players)
    while not isinstance(match.awaiting, Over):
        if isinstance(match.awaiting, Deal):
            order = shuffled(key_from_seed("played", len(game.deals) + 1), len(deck))
            game = game.with_deal([deck[place] for place in order])
            match, _ = deal(match, order)
            continue
        match, game = _with_one_move(match, game, bot)
    return game


def _with_one_move(match: Match, game: Game, bot: SundayDriver) -> tuple[Match, Game]:
    seen = next(seen for seat in range(match.players) if (seen := view(match, seat)).legal_moves)
    assert seen.seat is not None
    move = bot.choose(seen)
    after, events = apply(match, seen.seat, move)
    return after, game.with_move(match, seen.seat, move, after, events)
