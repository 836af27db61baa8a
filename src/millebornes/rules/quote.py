"""What somebody wrote, as error messages quote it: never longer than a line."""

__all__ = ["shortened"]


def shortened(text: str, most: int = 60) -> str:
    """The text, cut to `most` characters with `...` if it is longer."""
    return text if len(text) <= most else text[: most - 3] + "..."
