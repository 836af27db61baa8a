"""The `verify` command: does each deck of a record follow from what all players committed to?"""

from collections.abc import Sequence
from typing import Any

import typer

from millebornes.records import Game
from millebornes.table.proof import Finding, check_record
from millebornes.words import Words

from .command import terminal
from .files import read_game
from .options import Json, Lang, RecordFile

__all__ = ["verify"]


def verify(file: RecordFile, as_json: Json = False, lang: Lang = None) -> None:
    """Check the shuffles of a recorded game, without a server.

    Each deck is checked against its shuffle, and every draw against the deck.

    Exit codes: 0 if every finished hand is proven, 1 if anything is wrong or unproven, 2 if the
    file cannot be read.
    """
    with terminal(lang) as (screen, words):
        game = read_game(file, words)
        findings = check_record(game)
        if as_json:
            screen.json(_findings_json(findings, words))
        else:
            screen.show(_draw_findings(game, findings, words))
    if not _is_sound(findings):
        raise typer.Exit(1)


def _is_sound(findings: Sequence[Finding]) -> bool:
    return all(finding.fault is None for finding in findings)


def _draw_findings(game: Game, findings: Sequence[Finding], words: Words) -> list[str]:
    """One line for each hand, then the verdict."""
    lines = []
    for finding in findings:
        if finding.in_play:
            lines.append(words.say("unproven_hand", number=finding.hand))
        elif finding.fault is None:
            lines.append(words.say("verified_hand", number=finding.hand))
        elif finding.hand:
            fault = words.sentence(finding.fault)
            lines.append(words.say("hand_fault", number=finding.hand, fault=fault))
        else:
            lines.append(words.say("record_fault", fault=words.sentence(finding.fault)))
    if any(finding.in_play for finding in findings) and _is_sound(findings):
        return [*lines, words.say("verified_so_far")]
    if _is_sound(findings):
        return [*lines, words.say("verified")]
    if game.seed is not None:
        lines.append(words.say("verify_seed"))
    return [*lines, words.say("not_verified")]


def _findings_json(findings: Sequence[Finding], words: Words) -> dict[str, Any]:
    hands = sorted({finding.hand for finding in findings})
    return {
        "sound": _is_sound(findings),
        "hands": [
            {
                "hand": hand,
                "in_play": any(f.in_play for f in findings if f.hand == hand),
                "faults": [
                    {
                        "code": f.fault.code,
                        "params": f.fault.mapping,
                        "sentence": words.sentence(f.fault),
                    }
                    for f in findings
                    if f.hand == hand and f.fault is not None
                ],
            }
            for hand in hands
        ],
    }
