"""What the commands print, as lines of text: tables, hands, score sheets, editions, charts.

Pure functions, from values and a width to lines.
"""

__all__: list[str] = []
