"""The `verify` command: was each hand of a record dealt as everybody at the table made it?"""

from collections.abc import Sequence
from typing import Any

from millebornes.records import Game
from millebornes.table.proof import Finding
from millebornes.words import Words

__all__ = ["draw_findings", "findings_json", "is_sound"]


def is_sound(findings: Sequence[Finding]) -> bool:
    """Was nothing found?"""
    return all(finding.fault is None for finding in findings)


def draw_findings(game: Game, findings: Sequence[Finding], words: Words) -> list[str]:
    """A line for each hand, and the verdict."""
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
    if any(finding.in_play for finding in findings) and is_sound(findings):
        return [*lines, words.say("verified_so_far")]
    if is_sound(findings):
        return [*lines, words.say("verified")]
    if game.seed is not None:
        lines.append(words.say("verify_seed"))
    return [*lines, words.say("not_verified")]


def findings_json(findings: Sequence[Finding], words: Words) -> dict[str, Any]:
    """The same for programs."""
    hands = sorted({finding.hand for finding in findings})
    return {
        "sound": is_sound(findings),
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
