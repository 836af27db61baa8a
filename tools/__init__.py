"""What writes the generated files: pages, the web client's types, test fixtures.

`make regenerate` runs `tools.golden` and `tools.generate`. Tests hold every generated file equal
to what these would write. Nothing in the game imports them.
"""
