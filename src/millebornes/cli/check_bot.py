"""The `check-bot` command: the conformance test for bots."""

import json
from typing import TYPE_CHECKING, Annotated

import typer

from millebornes.rules.quote import shortened
from millebornes.words import Words

from .command import terminal
from .files import load_edition
from .options import BOT_NAMES, EditionOption, Json, Lang, bot_named, failure_told
from .progress import progress_bar
from .screen import Screen

if TYPE_CHECKING:
    from millebornes.plugins.conformance import Finding
    from millebornes.rules import Edition

__all__ = ["check_bot"]


def check_bot(
    name: Annotated[str, typer.Argument(metavar="NAME", help=f"Bot to check: {BOT_NAMES}.")],
    *,
    edition: EditionOption = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Check whether a bot can play wherever bots play.

    It is asked about positions of every edition, or of one with --edition. Exits with 1 if a
    check fails.
    """
    with terminal(lang) as (screen, words):
        rules = None if edition is None else load_edition(edition, words)
        findings = _findings(name, rules, screen, words)
        passed = all(finding.result in ("passed", "warning") for finding in findings)
        if as_json:
            screen.json(
                {"bot": name, "passed": passed, "checks": [_as_json(one) for one in findings]}
            )
        else:
            screen.show(_report(name, findings, words, passed=passed))
        if not passed:
            raise typer.Exit(1)


def _findings(
    name: str, edition: "Edition | None", screen: Screen, words: Words
) -> "list[Finding]":
    # Only this command needs them: the others start faster without.
    from millebornes.plugins.conformance import check_bot  # noqa: PLC0415
    from millebornes.plugins.places import places, tables  # noqa: PLC0415

    entrant = bot_named(name, words)
    with progress_bar(screen) as progress:
        task = progress.add_task(words.say("checking_bot", name=shortened(name)), total=None)
        asked = [view for table in tables(edition) for view in places(*table)]
        progress.update(task, total=len(asked))
        return check_bot(entrant, asked, on_answer=lambda: progress.advance(task))


def _as_json(finding: "Finding") -> dict[str, object]:
    from millebornes.plugins.protocol import question  # noqa: PLC0415

    failure, view = finding.failure, finding.view
    told: dict[str, object] = {"check": finding.check, "result": finding.result}
    if failure is None:
        return {**told, **finding.params}
    told |= {"fault": failure.fault, "detail": failure.detail}
    return told if view is None else {**told, "question": json.loads(question(1, view))}


def _report(name: str, findings: "list[Finding]", words: Words, *, passed: bool) -> list[str]:
    results = {
        "passed": words.say("check_passed"),
        "warning": words.say("check_warning"),
        "failed": words.say("check_failed"),
        "skipped": words.say("check_skipped"),
    }
    width = max(map(len, results.values()))
    told = []
    for one in findings:
        told.append(f"{results[one.result]:{width}}  {_sentence(one, words)}")
        if one.view is not None:
            edition, players = words.edition_name(one.view.edition), one.view.players
            where = words.say("check_where", edition=edition, players=players)
            told.append(f"{'':{width}}  {where}")
    verdict = (
        words.say("bot_conforms", name=shortened(name, 100))
        if passed
        else words.say("bot_does_not_conform", name=shortened(name, 100))
    )
    return [*told, "", verdict]


def _sentence(finding: "Finding", words: Words) -> str:
    """What was found."""
    if finding.failure is not None:
        finding = finding._replace(params={"problem": failure_told(finding.failure, words)})
    return words.sentence(finding)
