"""What moves and sounds on a page: noted as it happens, from before the page's own first line."""

from typing import NamedTuple

from playwright.sync_api import Page

__all__ = ["Flight", "Watch"]

NOTE = """
  window.flights = [];
  window.sounded = { contexts: 0, sources: 0 };
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, timing) {
    const animation = animate.call(this, frames, timing);
    const place = this.dataset?.place ?? '';
    const isInAir = this.closest('.air') !== null;
    // A card that comes into the hand; those that only make room for it do not fade in.
    const isArrival = place.startsWith('card-') && 'opacity' in animation.effect.getKeyframes()[0];
    if (isInAir || isArrival) {
      window.flights.push([
        isInAir ? 'air' : 'hand',
        this.querySelector('.name')?.textContent ?? '?',
        animation.effect.getTiming().duration,
      ]);
    } else if (place.startsWith('side-')) {
      window.flights.push(['shaken', place, animation.effect.getTiming().duration]);
    }
    return animation;
  };
  const Context = window.AudioContext;
  window.AudioContext = class extends Context {
    constructor() {
      super();
      window.sounded.contexts += 1;
    }
    createOscillator() {
      window.sounded.sources += 1;
      return super.createOscillator();
    }
    createBufferSource() {
      window.sounded.sources += 1;
      return super.createBufferSource();
    }
  };
"""


class Flight(NamedTuple):
    """A card that moved by itself, or a side that was shaken by one."""

    where: str
    """`air`: over the table; `hand`: into the own hand; `shaken`: the side that was hit."""
    what: str
    """The card as it is called, `?` face down; or the side."""
    ms: float


class Watch:
    """Must be there before the page goes anywhere."""

    def __init__(self, page: Page) -> None:
        self.page = page
        page.add_init_script(NOTE)

    def take(self) -> list[Flight]:
        """What has moved since the last time, in order."""
        found = self.page.evaluate("window.flights.splice(0)")
        return [Flight(*flight) for flight in found]

    @property
    def sounds(self) -> tuple[int, int]:
        """How many ways to the loudspeaker have been opened, and how many sounds made."""
        found = self.page.evaluate("window.sounded")
        return found["contexts"], found["sources"]
