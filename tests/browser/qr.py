"""Reads a QR code as a camera would, once it has found the squares. No square may be wrong."""

import re

__all__ = ["read"]

RUN = re.compile(r"M(\d+) (\d+)h(\d+)v1H\1z")
FORMAT_MASK = 0x5412
MEDIUM = 0
"""Level M in the format bits."""
BLOCKS = {1: (1, 16), 2: (1, 28), 3: (1, 44), 4: (2, 32), 5: (2, 43), 6: (4, 27)}
"""Blocks, and the data bytes of each, by version at level M."""
BYTES = 4
"""The mode of plain bytes."""


def read(path: str, border: int = 4) -> str:
    """The text of a code that is drawn as runs of dark squares, row by row."""
    dark = {
        (int(x) + at - border, int(y) - border)
        for x, y, length in RUN.findall(path)
        for at in range(int(length))
    }
    size = max(x for x, _ in dark) + 1
    version = (size - 17) // 4
    # The format, from around the first finder
    around = [(8, y) for y in (0, 1, 2, 3, 4, 5, 7, 8)] + [(x, 8) for x in (7, 5, 4, 3, 2, 1, 0)]
    form = sum(1 << bit for bit, square in enumerate(around) if square in dark) ^ FORMAT_MASK
    level, mask = form >> 13, form >> 10 & 7
    assert level == MEDIUM
    bits = [
        (square in dark) != _is_masked(mask, *square)
        for square in _way(size)
        if not _is_fixed(*square, size)
    ]
    words = [_number(bits[at : at + 8]) for at in range(0, len(bits) - 7, 8)]
    blocks, length = BLOCKS[version]
    data = [words[at * blocks + block] for block in range(blocks) for at in range(length)]
    stream = [bool(word >> 7 - bit & 1) for word in data for bit in range(8)]
    assert _number(stream[:4]) == BYTES
    count = _number(stream[4:12])
    text = bytes(_number(stream[at : at + 8]) for at in range(12, 12 + 8 * count, 8))
    return text.decode()


def _number(bits: list[bool]) -> int:
    return int("".join("01"[bit] for bit in bits), 2)


def _way(size: int) -> list[tuple[int, int]]:
    """Every square in the order of the bits: two columns at a time, up and down."""
    way = []
    is_up = True
    for right in [*range(size - 1, 6, -2), 5, 3, 1]:
        rows = range(size - 1, -1, -1) if is_up else range(size)
        way += [(x, y) for y in rows for x in (right, right - 1)]
        is_up = not is_up
    return way


def _is_fixed(x: int, y: int, size: int) -> bool:
    """Finders, timing, format and alignment: no data."""
    near, far = 9, size - 8
    is_finder = (x < near and (y < near or y >= far)) or (x >= far and y < near)
    is_alignment = size > 21 and abs(x - (size - 7)) <= 2 and abs(y - (size - 7)) <= 2
    return is_finder or is_alignment or 6 in (x, y)


def _is_masked(mask: int, x: int, y: int) -> bool:
    return (
        (x + y) % 2,
        y % 2,
        x % 3,
        (x + y) % 3,
        (x // 3 + y // 2) % 2,
        x * y % 2 + x * y % 3,
        (x * y % 2 + x * y % 3) % 2,
        ((x + y) % 2 + x * y % 3) % 2,
    )[mask] == 0
