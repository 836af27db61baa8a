"""What is wrong with a shuffle or its record: a stable code and its parameters.

Words make it a sentence.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

__all__ = ["BadTranscript", "Fault", "FaultCode"]

FaultCode = Literal[
    # a transcript that cannot be read
    "transcript_not_json",
    "transcript_no_object",
    "transcript_clients",
    "transcript_deck",
    "transcript_indices",
    "transcript_deck_size",
    "transcript_ctx",
    "transcript_seat",
    "transcript_hex",
    # a transcript that does not hold
    "seed_size",
    "seed_does_not_open",
    "seats_out_of_order",
    "entropy_size",
    "entropy_does_not_open",
    "deck_not_from_shuffle",
    # a record that its transcripts do not prove
    "no_transcript",
    "no_hand",
    "moves_do_not_follow",
    "other_context",
    "no_such_seat",
    "other_size",
    "other_deck",
    "other_game",
    "hand_not_next",
    # a shuffle that is not the one this seat took part in
    "other_shuffle",
    "own_part_missing",
]


@dataclass(frozen=True, slots=True)
class Fault:
    """What does not hold: `code` is stable, `params` fill the sentence."""

    section: ClassVar = "faults"
    code: FaultCode
    params: tuple[tuple[str, str | int], ...] = ()

    @classmethod
    def of(cls, code: FaultCode, **params: str | int) -> "Fault":
        """A fault from keyword parameters."""
        return cls(code, tuple(params.items()))

    @property
    def mapping(self) -> Mapping[str, str | int]:
        """The parameters by name."""
        return dict(self.params)


class BadTranscript(ValueError):  # noqa: N818 (says it best)
    """Something that is no transcript."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault
        details = ", ".join(f"{key}={value}" for key, value in fault.params)
        super().__init__(f"{fault.code}({details})")
