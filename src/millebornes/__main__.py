"""The `millebornes` command. A plain `--version` is answered before anything else is loaded."""

import sys

from millebornes import __version__

__all__ = ["main"]


def main() -> None:
    """Run the command line."""
    if sys.argv[1:] == ["--version"]:
        print(f"millebornes {__version__}")
        return
    try:
        from millebornes.cli import run

        run()
    except KeyboardInterrupt:
        # Ctrl-C while modules load, or in a command that has nothing to save.
        sys.exit(130)


if __name__ == "__main__":
    main()
