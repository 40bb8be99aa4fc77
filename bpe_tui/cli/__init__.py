"""The command line: `main` and `app` run it, `commands` has a file each for what it can do, and the rest is shared.

A command imports the floors below only when it runs.
"""
