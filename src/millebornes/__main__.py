"""The `millebornes` command. `--version` answers before anything heavy is loaded."""

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
        # Ctrl-C while the modules load, or in a command that keeps nothing.
        sys.exit(130)


if __name__ == "__main__":
    main()
