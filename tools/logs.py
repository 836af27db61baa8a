"""Saves logs of this release's tables, which every later release must be able to replay.

    python -m tools.logs

writes `tests/fixtures/logs/<version>`, but never changes a log that exists. A log is a JSON Lines
file: the table's row, then one line per input, as in the store. The file next to it is the record
that it must replay to.
"""

import json
from pathlib import Path

from millebornes import __version__
from millebornes.records import game as game_text
from millebornes.rules import EDITIONS, RULES_VERSION
from millebornes.server.codec import encode_input, encode_settings
from millebornes.table import Settings, inputs
from millebornes.table import messages_in as says
from millebornes.table.table import FAIR_WAIT, STALLED
from tests.table.driven_table import START, DrivenTable, server_seed

LOGS = Path(__file__).resolve().parents[1] / "tests" / "fixtures" / "logs"
HOUSE = EDITIONS["parker-1988"].house({"hands": 1, "tie": "drawn", "max_200s": 1}, "One hand")


def people_and_a_bot() -> DrivenTable:
    """Two people and a bot play a hand of house rules; talk, a lost connection, a restart."""
    sitting = DrivenTable(Settings(edition=HOUSE, players=3, clock=60_000))
    sitting.join("ada", "ben").bots(2).start()
    sitting.say("ada", says.Chat("Bonne route !"))
    sitting.say("ben", says.Emote("hello"))
    for turn in range(1000):
        if sitting.phase() != "playing":
            break
        if turn == 10:
            sitting.drive(inputs.Gone("ben"))
        if turn == 12:
            sitting.drive(inputs.Arrived("ben"))
        if turn == 20:
            sitting.now += 3_600_000
            sitting.drive(inputs.Shift(3_600_000))
        sitting.play_on()
    return sitting


def practice() -> DrivenTable:
    """One person and a bot at a practice table, with a move taken back."""
    edition = EDITIONS["winning-moves"].house({"hands": 1, "tie": "drawn"}, "One hand")
    sitting = DrivenTable(Settings(edition=edition, players=2, practice=True, seed="1954"))
    sitting.join("ada").bots(1).start()
    for _ in range(12):
        sitting.play_on()
    sitting.say("ada", says.Back(sitting.table.past[-2].decision))
    return sitting.play_to_the_end()


def people_who_annoy() -> DrivenTable:
    """One is sent away, and one does not move.

    Also two things that only the first servers accepted: a kicked player sits down again, and a
    commitment ends with a line break.
    """
    edition = EDITIONS["winning-moves"].house({"hands": 1, "tie": "drawn"}, "One hand")
    sitting = DrivenTable(Settings(edition=edition, players=2)).join("ada", "ben")
    sitting.say("eve", says.Join("Eve", watch=True))
    sitting.say("ada", says.Kick(1))
    sitting.say("ben", says.Sit(1))
    sitting.say("ada", says.SendAway(2))
    sitting.say("ada", says.Start())
    sitting.drive(inputs.Seed(1, server_seed(1)))
    sitting.say("ben", says.Commit(1, "ab" * 32 + "\n"))
    sitting.shuffle()
    sitting.wait(FAIR_WAIT + STALLED)
    sitting.say("ben", says.LetBotPlay(0, sitting.table.decision))
    sitting.say("ada", says.Return())
    return sitting.play_to_the_end()


MADE = {
    "people-and-a-bot": people_and_a_bot,
    "practice": practice,
    "people-who-annoy": people_who_annoy,
}


def write(folder: Path) -> None:
    """Write the logs of this release."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in MADE.items():
        path = folder / f"{name}.jsonl"
        if path.exists():
            continue
        sitting = make()
        assert sitting.phase() == "over"
        assert sitting.table.game is not None
        settings = encode_settings(sitting.table.settings).decode()
        head = {
            "table": name,
            "game_id": sitting.table.game_id,
            "created": START,
            "settings": settings,
            "rules_version": RULES_VERSION,
        }
        rows = [
            {"seq": seq, "guest": guest, "now": now, "data": encode_input(message).decode()}
            for seq, (guest, message, now) in enumerate(sitting.log, start=1)
        ]
        lines = [json.dumps(line, ensure_ascii=False) for line in (head, *rows)]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        record = game_text.to_text(sitting.table.game)
        path.with_suffix(".txt").write_text(record, encoding="utf-8")


if __name__ == "__main__":
    write(LOGS / __version__)
