"""Programs that attack a server, or a part of it, and say what that costs."""
