"""Programs that attack a server, or a part of it, and measure the cost."""
