"""The generators of pages, the web client's types and test fixtures.

`make regenerate` runs `tools.golden` and `tools.generate`. Tests check that every generated file
is up to date. Nothing in the game imports these modules.
"""
