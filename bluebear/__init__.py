"""The command `bluebear`: which program stands behind which word.

This package looks at the first word of the command line and calls the program that it names.
It is the only place that knows both the server and the clients; it may import any of them,
and nothing imports it. Start reading in `__main__.py`; the sentences are in `phrases.toml`.
"""
