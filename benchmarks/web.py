"""The first page as Lighthouse sees it: median of several runs, in the machine's own Chromium.

    python benchmarks/web.py [--json] [--runs N] [--desktop]

Lighthouse comes from npm for the run and is not kept. A phone is simulated unless --desktop.
The size is what a browser fetches for the first view, compressed.
"""

import argparse
import contextlib
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

LIGHTHOUSE = "lighthouse@12.8.2"
CATEGORIES = ("performance", "accessibility", "best-practices")
TIMES = ("first-contentful-paint", "largest-contentful-paint", "total-blocking-time", "speed-index")
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PATIENCE = 60.0


@contextlib.contextmanager
def running_server() -> Iterator[str]:
    """A server of its own, with an empty database."""
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "millebornes", "serve", "--json", "--port", "0"),
                *("--database", str(Path(folder) / "tables.sqlite"), "--bot-workers", "1"),
                *("--log-level", "warning"),
            ],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        told = ""
        while not told.endswith("}\n"):
            line = process.stdout.readline()
            assert line, "the server did not start"
            told += line
        try:
            yield json.loads(told)["addresses"][0]
        finally:
            process.terminate()
            process.wait(PATIENCE)
            process.stdout.close()


def look(url: str, browser: str, desktop: bool) -> dict[str, Any]:
    """One run of Lighthouse."""
    flags = "--headless=new" + (" --no-sandbox" if os.geteuid() == 0 else "")
    done = subprocess.run(
        [
            *("npx", "--yes", LIGHTHOUSE, url, "--quiet", "--output=json"),
            f"--only-categories={','.join(CATEGORIES)}",
            f"--chrome-flags={flags}",
            *(["--preset=desktop"] if desktop else []),
        ],
        env={**os.environ, "CHROME_PATH": browser},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    found = json.loads(done.stdout)
    assert isinstance(found, dict)
    return found


def summary(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """The medians; what failed in the last run; what was fetched."""
    last = runs[-1]["audits"]
    fetched = last["network-requests"]["details"]["items"]
    scripts = [item for item in fetched if item["resourceType"] == "Script"]
    failed = sorted(
        name
        for name, audit in last.items()
        if audit["score"] is not None
        and audit["score"] < 1
        and audit["scoreDisplayMode"] in ("binary", "metricSavings")
    )
    return {
        "runs": len(runs),
        **{
            name.replace("-", "_"): round(
                100 * statistics.median(run["categories"][name]["score"] for run in runs)
            )
            for name in CATEGORIES
        },
        **{
            f"{name.replace('-', '_')}_ms": round(
                statistics.median(run["audits"][name]["numericValue"] for run in runs)
            )
            for name in TIMES
        },
        "layout_shift": last["cumulative-layout-shift"]["numericValue"],
        "script_kb": round(sum(item["transferSize"] for item in scripts) / 1e3, 1),
        "all_kb": round(sum(item["transferSize"] for item in fetched) / 1e3, 1),
        "requests": len(fetched),
        "not_perfect": failed,
    }


def main() -> None:
    """Look at the first page several times."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--desktop", action="store_true")
    options = parser.parse_args()
    browser = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None or shutil.which("npx") is None:
        sys.exit("Lighthouse needs Chromium or Chrome (CHROMIUM=/path names one) and npx.")
    with running_server() as url:
        result = summary([look(url, browser, options.desktop) for _ in range(options.runs)])
    if options.json:
        print(json.dumps(result, indent=2))
    else:
        for name, value in result.items():
            print(f"{name:28} {value}")


if __name__ == "__main__":
    main()
