"""Writes the table of confusable characters, from Unicode's own table.

    python -m tools.confusables PATH/confusables.txt

The input is the file of UTS #39, from https://www.unicode.org/Public/security/latest/. It changes
little between versions, so this is not part of `make regenerate`.
"""

import re
import sys
import unicodedata
from collections import defaultdict
from pathlib import Path

_OURS = Path(__file__).parents[1] / "src/millebornes/table/confusables.txt"


def main(path: str) -> None:
    """Rewrite our table, but keep the notice at its top."""
    text = Path(path).read_text(encoding="utf-8-sig")
    old = _OURS.read_text(encoding="utf-8").splitlines(keepends=True)
    notice = "".join(line for line in old if line.startswith("#"))
    version = re.search(r"^# Version: (.+)$", text, re.MULTILINE)
    if version is None:
        raise SystemExit(f"{path} has no version line: is it confusables.txt of Unicode?")
    notice = re.sub(r"(?<=^# Version: ).*$", version[1], notice, flags=re.MULTILINE)
    _OURS.write_text(notice + "".join(lines_of(text)), encoding="utf-8")


def lines_of(text: str) -> list[str]:
    """One line per prototype, for the characters that remain after names are normalised."""
    pairs = _pairs(text)
    sources = defaultdict(list)
    for source in pairs:
        target = _mapped(source, pairs)
        is_shown = unicodedata.category(source)[0] not in "CZ"
        if is_shown and source == _normal(source) != target:
            sources[target].append(source)
    return [f"{_hex(target)}: {_hex(sorted(sources[target]))}\n" for target in sorted(sources)]


def _pairs(text: str) -> dict[str, str]:
    pairs = {}
    for line in text.splitlines():
        source, _, rest = line.partition("#")[0].partition(";")
        if rest:
            target = "".join(chr(int(code, 16)) for code in rest.partition(";")[0].split())
            pairs[chr(int(source, 16))] = target
    return pairs


def _mapped(text: str, pairs: dict[str, str]) -> str:
    """The text mapped and normalised repeatedly, until nothing changes."""
    after = _normal("".join(pairs.get(sign, sign) for sign in _normal(text)))
    return text if after == text else _mapped(after, pairs)


def _normal(text: str) -> str:
    return unicodedata.normalize("NFKD", text)


def _hex(signs: str | list[str]) -> str:
    return " ".join(f"{ord(sign):04X}" for sign in signs)


if __name__ == "__main__":
    main(sys.argv[1])
