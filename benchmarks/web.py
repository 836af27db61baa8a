"""Lighthouse scores of the home page: medians of several runs in the machine's own Chromium.

    python benchmarks/web.py [--json] [--runs N] [--desktop]

npx downloads Lighthouse for the run; it is not installed. Lighthouse simulates a phone unless
--desktop is given. Sizes are what a browser fetches for the first view, compressed.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
from typing import Any

from common import benchmark_parser, print_json, started_server

LIGHTHOUSE = "lighthouse@12.8.2"
CATEGORIES = ("performance", "accessibility", "best-practices")
TIMES = ("first-contentful-paint", "largest-contentful-paint", "total-blocking-time", "speed-index")
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def lighthouse(url: str, browser: str, desktop: bool) -> dict[str, Any]:
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
    """Medians of all runs; failed audits and fetched sizes of the last one."""
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
    """Audit the home page several times."""
    parser = benchmark_parser(__doc__)
    parser.add_argument("--runs", type=int, default=3, help="number of Lighthouse runs")
    parser.add_argument("--desktop", action="store_true", help="simulate a desktop, not a phone")
    options = parser.parse_args()
    browser = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None or shutil.which("npx") is None:
        sys.exit("Lighthouse needs Chromium or Chrome (CHROMIUM=/path names one) and npx.")
    with started_server() as server:
        result = summary(
            [lighthouse(server.url, browser, options.desktop) for _ in range(options.runs)]
        )
    if options.json:
        print_json(result)
    else:
        for name, value in result.items():
            print(f"{name:28} {value}")


if __name__ == "__main__":
    main()
