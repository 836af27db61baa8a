"""Nothing on the page jumps: the layout shifts of three hands, as the browser measures them."""

from typing import NamedTuple

import pytest

from .conftest import Visit
from .player import Player
from .visitor import Device, Visitor

MOST = 0.02
"""The sum of all shifts that do not follow a tap or a key within half a second."""
THREE_HANDS = """
parent = "winning-moves"
trip = {2 = 200}
hands = 3
tie = "drawn"
"""
NOTE = """
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      if (hadRecentInput) continue;
      const moved = sources.map(({ node }) => {
        const element = node?.nodeType === 1 ? node : node?.parentElement;
        return `${element?.tagName}.${element?.className}`;
      });
      window.shifts.push([value, moved]);
    }
  }).observe({ type: 'layout-shift', buffered: true });
"""


class Machine(NamedTuple):
    """What somebody plays on."""

    device: Device
    slowdown: int = 1
    """How many times slower than this machine it is."""


def slow_down(visitor: Visitor, slowdown: int) -> None:
    """As a cheap phone on a poor line."""
    tools = visitor.context.new_cdp_session(visitor.page)
    tools.send("Emulation.setCPUThrottlingRate", {"rate": slowdown})
    line = {"latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 90_000}
    tools.send("Network.enable")
    tools.send("Network.emulateNetworkConditions", {"offline": False, **line})


@pytest.mark.parametrize(
    "machine", [Machine("desktop"), Machine("phone", slowdown=4)], ids=["desktop", "slow phone"]
)
def test_nothing_jumps_in_three_hands(visit: Visit, machine: Machine) -> None:
    visitor = visit(device=machine.device, still=False)
    visitor.page.add_init_script(NOTE)
    if machine.slowdown > 1:
        slow_down(visitor, machine.slowdown)
    player = Player(visitor)
    player.sit_down(practice=True, seed="1954", house_rules=THREE_HANDS)
    # Not the buttons on the table, over which the score sheet is about to open.
    words, sheet = player.words["web"]["score"], visitor.page.get_by_role("dialog")
    for hand in range(1, 4):
        while player.asked not in ("next", "over"):
            player.go_along(1)
        assert player.asked == ("over" if hand == 3 else "next")
        if hand < 3:
            before = player.decision
            sheet.get_by_role("button", name=words["next"]).click()
            player.catch_up(before + 1)
            player.until(lambda: player.asked)
    sheet.get_by_role("button", name=words["rematch"]).wait_for()
    shifts = visitor.page.evaluate("window.shifts")
    assert sum(value for value, _ in shifts) <= MOST, shifts
