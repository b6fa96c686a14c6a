"""The chat in lines: what you type is sent, what happens is printed.

`__main__.py` reads the command line; `launch` finds or starts the server for `play`; `entry` says
hello; `chat` prints and types; `full` is the whole screen of a terminal, `prompted` its way line by
line (`--plain`), `piped` the one of a pipe; `keyboard` is what both of a terminal are typed with.
It knows no rule and composes no sentence beyond its own few in `phrases.toml`.
Imports the SDK, the protocol, prompt_toolkit and wcwidth. Start with `chat.py`.
"""
