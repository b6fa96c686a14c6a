"""The terminal client: sends typed lines, prints events.

`__main__.py` reads the command line; `local_server` finds or starts the server for `play`; `login`
sends hello; `chat` prints and types. `fullscreen`, `prompt_mode` (`--plain`) and `pipe_mode` are
its three modes; the first two share `line_editor`. The client contains no rules, and renders only
the few phrases in `phrases.toml`. Imports the SDK, the protocol, prompt_toolkit and wcwidth. Start
with `chat.py`.
"""
